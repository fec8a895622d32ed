"""How the widgets of Tk look in a theme: ttk's clam in our own colours.

A widget with the keyboard focus has an edge in the accent colour, two pixels thick.
"""

import tkinter as tk
from tkinter import ttk
from typing import Any, Final, TypeAlias

from traffic_lights.drawing.palette import ON_WASH, mixed, wash
from traffic_lights.gui.kit.theme import Theme

_BUTTON: Final = "Button.border -border 1 -children {Button.padding -children Button.label}"
_LAYOUTS: Final = {
    "TButton": _BUTTON,
    "Toolbutton": _BUTTON,
    "TCombobox": "Entry.field -children {Menubutton.indicator -side right -sticky {} "
    "Combobox.padding -children Combobox.textarea}",
    "TMenubutton": "Button.border -border 1 -children {Menubutton.indicator -side right -sticky {} "
    "Button.padding -children Button.label}",
    "Card.TMenubutton": _BUTTON,
    "TNotebook.Tab": "Notebook.tab -children {Notebook.padding -children Notebook.label}",
    "Vertical.TScrollbar": "Vertical.Scrollbar.trough -children "
    "{Vertical.Scrollbar.thumb -expand 1}",
    "Horizontal.TScrollbar": "Horizontal.Scrollbar.trough -children "
    "{Horizontal.Scrollbar.thumb -expand 1}",
}
"""What the widgets consist of: Tk's own parts without dotted lines and arrows to scroll."""
Options: TypeAlias = dict[str, Any]
"""The options of a style. A list has the usual value, and then the values of some states:
``[c.window, ("active", c.pressed)]``."""


def apply_styles(root: tk.Tk, theme: Theme) -> None:
    """Give all widgets under *root* the colours, fonts and distances of *theme*."""
    style = ttk.Style(root)
    style.theme_use("clam")
    for kind, layout in _LAYOUTS.items():
        root.tk.call("ttk::style", "layout", kind, layout)
    for kind, options in _styles(theme).items():
        for option, value in options.items():
            usual, *by_state = value if isinstance(value, list) else [value]
            style.configure(kind, **{option: usual})
            style.map(kind, None, **{option: by_state})
    _style_classic(root, theme)


def _style_classic(root: tk.Tk, theme: Theme) -> None:
    """Colour the widgets that ttk does not reach, and those that exist already."""
    c = theme.colours
    classes: dict[str, Options] = {
        **{kind: {"background": c.window} for kind in (root.winfo_class(), "Toplevel", "Canvas")},
        "Menu": {
            "background": c.raised, "foreground": c.text, "disabledForeground": c.disabled,
            "selectColor": c.text, "activeBackground": c.accent, "activeForeground": c.on_accent,
            "activeBorderWidth": 0,
        },
        "Listbox": {
            "background": c.surface, "foreground": c.text, "selectBackground": c.accent,
            "selectForeground": c.on_accent,
        },
    }  # fmt: skip
    for kind, options in classes.items():
        for option, value in options.items():
            root.option_add(f"*{kind}.{option}", str(value), 80)
    # Tk's own dialog for files has a white list, with text in this colour.
    root.option_add("*Canvas.foreground", c.text, 80)
    root.tk.eval(
        "bind Canvas <Map> { if {[string match *.cHull.canvas %W]} "
        f"{{ %W configure -background {c.surface} }} }}"
    )

    def colour(path: str) -> None:
        for option, value in classes.get(root.tk.call("winfo", "class", path), {}).items():
            root.tk.call(path, "configure", f"-{option.lower()}", value)
        for child in root.tk.splitlist(root.tk.call("winfo", "children", path)):
            colour(child)

    colour(".")
    if bar := root.cget("menu"):
        root.tk.call(bar, "configure", "-background", c.window, "-relief", "flat")


def _edges(border: Any, inside: Any) -> Options:
    """Return the options of clam's edges: a line of *border*, and what is left of its relief."""
    return {"bordercolor": border, "lightcolor": inside, "darkcolor": inside}


def _styles(theme: Theme) -> dict[str, Options]:
    """Return the options of all styles that the windows use."""
    c = theme.colours
    px = theme.px

    def button(rest: str, held: str = c.pressed, focus: str = c.accent) -> Options:
        """Return the look of a button whose surface is *rest*, and *held* under the pointer."""
        surface = [rest, ("disabled", c.window), ("pressed", held), ("active", held)]
        inside = [rest, ("disabled", c.window), ("focus", focus), ("active", held)]
        edge = [c.border, ("disabled", c.hairline), ("focus", focus)]
        return {"background": surface, "width": 0, **_edges(edge, inside)}

    def bar(ground: str) -> Options:
        """Return the look of a bar on *ground*, where it is not seen if nothing can be scrolled."""
        thumb = [c.disabled, ("disabled", ground), ("active", c.accent)]
        return {"troughcolor": ground, "background": thumb, **_edges(ground, thumb)}

    off = ("disabled", c.disabled)
    focus = ("focus", c.text)
    on = [c.raised, ("selected", c.accent), ("active", c.pressed)]
    ring = [c.raised, ("focus", c.text), ("selected", c.accent)]
    tight = {"padding": (px(1), px(1.5))}
    score = {"padding": (px(2), px(0.75)), "anchor": "e", "width": 9}
    calm = [c.surface, ("focus", c.accent)]
    slider = [c.border, ("disabled", c.hairline), ("focus", c.accent)]
    tab = [c.window, ("focus selected", c.accent)]
    field = {
        "fieldbackground": [c.surface, ("disabled", c.window), ("readonly", c.surface)],
        "foreground": [c.text, off], "padding": px(1.25), "background": c.surface,
        "insertwidth": max(1, px(0.4)),
        # A selection shows only where keys would change it.
        "selectbackground": [c.accent, ("readonly", c.surface), ("!focus", c.surface)],
        "selectforeground": [c.on_accent, ("readonly", c.text), ("!focus", c.text)],
        **_edges([c.border, ("focus", c.accent)], calm),
    }  # fmt: skip
    styles: dict[str, Options] = {
        ".": {
            "background": c.window, "foreground": [c.text, off], "troughcolor": c.window,
            "insertcolor": c.text, "font": theme.body, "arrowsize": px(1.25),
            "arrowcolor": c.text, "gripcount": 0, "gripsize": 0, **_edges(c.border, c.window),
        },
        "Title.TLabel": {"font": theme.title},
        "Strong.TLabel": {"font": theme.strong},
        "Muted.TLabel": {"foreground": c.muted},
        "New.TLabel": {"foreground": c.accent, "font": theme.title},
        "Warning.TLabel": {"foreground": c.warning},
        "TButton": {**button(c.raised), "padding": (px(3), px(1.5))},
        "Accent.TButton": {
            **button(c.accent, mixed(c.accent, c.on_accent, 0.18), c.text),
            "foreground": [c.on_accent, off], "font": theme.strong,
        },
        "Tight.TButton": tight,
        "Tight.Accent.TButton": tight,
        "Toolbutton": {
            "foreground": [c.text, ("selected", c.on_accent)], "background": on, **tight,
            "relief": "raised", **_edges([c.border, ("focus", c.text)], ring),
        },
        "Score.Toolbutton": {"background": c.raised, **score},
        "TMenubutton": {**button(c.surface), "padding": (px(3), px(1)), "anchor": "w"},
        "Card.TMenubutton": {
            "background": c.surface, "padding": (px(0.5), px(0.25)), "font": theme.strong,
            **_edges(c.surface, c.surface),
        },
        "Surface.TFrame": {"background": c.surface, "padding": px(1)},
        "Surface.TLabel": {"background": c.surface},
        "Card.TFrame": {
            "background": c.surface, "relief": "solid", "borderwidth": 1,
            **_edges([c.border, focus], [c.surface, focus]),
        },
        "Marked.Card.TFrame": _edges([c.accent, focus], [c.accent, focus]),
        "Card.TLabel": {"background": c.surface, "foreground": c.muted},
        "Won.TLabel": {"background": c.surface, "font": theme.title},
        "TEntry": field,
        "TCombobox": field,
        "Wrong.TEntry": _edges(c.warning, c.warning),
        "Wrong.TCombobox": _edges(c.warning, c.warning),
        "Treeview": {
            "background": [c.surface, ("selected", c.accent)], "borderwidth": 0,
            "foreground": [c.text, ("selected", c.on_accent)], "fieldbackground": c.surface,
            "rowheight": round(1.45 * theme.line), "indent": px(2),
            **_edges([c.hairline, ("focus", c.accent)], calm),
        },
        "Treeview.Item": {"indicatorsize": px(3)},
        "Panel.Treeview": _edges(calm, calm),
        "Panel.Treeview.Heading": {"background": c.surface, **_edges(c.surface, c.surface)},
        "Treeview.Heading": {
            "background": c.window, "foreground": c.muted, "font": theme.strong, "relief": "flat",
            "padding": px(1), **_edges(c.hairline, c.window),
        },
        "TNotebook": {"tabmargins": 0, "borderwidth": 1, **_edges(c.hairline, c.surface)},
        "TNotebook.Tab": {
            "background": [c.window, ("selected", c.surface), ("active", c.pressed)],
            "foreground": [c.muted, off, ("selected", c.text), ("active", c.text)],
            "lightcolor": [*tab, ("selected", c.surface)], "darkcolor": tab,
            "bordercolor": [*tab, ("selected", c.hairline)],
            "padding": [(theme.side, px(1.5))],
        },
        "Horizontal.TScale": {
            "background": slider, "troughcolor": c.surface, "sliderlength": px(6),
            "arrowsize": px(4), **_edges(slider, slider),
        },
        "TScrollbar": {**bar(c.window), "arrowsize": px(2.5)},
        "Panel.Vertical.TScrollbar": bar(c.surface),
    }  # fmt: skip
    for step in range(9):
        colour = wash(step / 4 - 1)
        edge = [colour, ("focus", c.accent), ("selected", c.text)]
        look = {"background": colour, "foreground": ON_WASH, **_edges(edge, edge)}
        styles[f"Score{step}.Toolbutton"] = look | score
    return styles
