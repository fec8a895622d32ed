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
        **{kind: {"background": c.window} for kind in (root.winfo_class(), "Toplevel")},
        "Canvas": {"background": c.window},
        "Menu": {
            "background": c.raised, "foreground": c.text, "disabledForeground": c.disabled,
            "selectColor": c.text, "relief": "raised", "borderWidth": 1,
            "activeBackground": c.accent, "activeForeground": c.on_accent, "activeBorderWidth": 0,
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
    accent = _button(theme, c.accent, mixed(c.accent, c.on_accent, 0.18), c.on_accent, c.text)
    switch = _button(theme, c.raised, c.pressed, c.text, c.accent)
    on = [c.raised, ("selected", c.accent), ("active", c.pressed)]
    ring = [c.raised, ("focus", c.text), ("selected", c.accent)]
    score = {"padding": (px(2), px(0.75)), "anchor": "e", "width": 9}
    marked = ("focus", c.accent), ("selected", c.text)
    calm = [c.surface, ("focus", c.accent)]
    held = [c.disabled, ("disabled", c.window), ("active", c.accent)]
    inner = [c.disabled, ("disabled", c.surface), ("active", c.accent)]
    slider = [c.border, ("disabled", c.hairline), ("focus", c.accent)]
    field = {
        "fieldbackground": [c.surface, ("disabled", c.window), ("readonly", c.surface)],
        "foreground": [c.text, ("disabled", c.disabled)], "padding": px(1.25),
        "background": c.surface, "arrowcolor": c.text, "insertwidth": max(1, px(0.4)),
        # A selection shows only where keys would change it.
        "selectbackground": [c.accent, ("readonly", c.surface), ("!focus", c.surface)],
        "selectforeground": [c.on_accent, ("readonly", c.text), ("!focus", c.text)],
        **_edges([c.border, ("focus", c.accent)], [c.surface, ("focus", c.accent)]),
    }  # fmt: skip
    return {
        ".": {
            "background": c.window, "foreground": [c.text, ("disabled", c.disabled)],
            "troughcolor": c.window, "insertcolor": c.text, "font": theme.body,
            "arrowsize": px(1.25),
            **_edges(c.border, c.window),
        },
        "Title.TLabel": {"font": theme.title},
        "Strong.TLabel": {"font": theme.strong},
        "Muted.TLabel": {"foreground": c.muted},
        "New.TLabel": {"foreground": c.accent, "font": theme.title},
        "Warning.TLabel": {"foreground": c.warning},
        "TButton": _button(theme, c.raised, c.pressed, c.text, c.accent),
        "Accent.TButton": {**accent, "font": theme.strong},
        "Tight.TButton": {"padding": (px(1), px(1.5))},
        "Tight.Accent.TButton": {"padding": (px(1), px(1.5))},
        "Toolbutton": {
            **switch, "foreground": [c.text, ("selected", c.on_accent)], "background": on,
            "padding": (px(1), px(1.5)), **_edges([c.border, ("focus", c.text)], ring),
        },
        "Score.Toolbutton": {"background": c.raised, **score},
        **{
            f"Score{step}.Toolbutton": {
                "background": wash(step / 4 - 1), "foreground": ON_WASH, **score,
                **_edges([wash(step / 4 - 1), *marked], [wash(step / 4 - 1), *marked]),
            }
            for step in range(9)
        },
        "TMenubutton": {
            **_button(theme, c.surface, c.pressed, c.text, c.accent), "arrowcolor": c.text,
            "padding": (px(3), px(1)), "anchor": "w",
        },
        "Card.TMenubutton": {
            **_button(theme, c.surface, c.surface, c.text, c.accent),
            "padding": (px(0.5), px(0.25)), "anchor": "w", "font": theme.strong,
            **_edges(calm, calm),
        },
        "Surface.TFrame": {"background": c.surface, "padding": px(1)},
        "Surface.TLabel": {"background": c.surface},
        "Card.TFrame": {
            "background": c.surface, "relief": "solid", "borderwidth": 1,
            **_edges(c.border, c.surface),
        },
        "Marked.Card.TFrame": _edges(c.accent, c.accent),
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
            "foreground": [
                c.muted, ("disabled", c.disabled), ("selected", c.text), ("active", c.text)
            ],
            "lightcolor": [c.window, ("focus selected", c.accent), ("selected", c.surface)],
            "darkcolor": [c.window, ("focus selected", c.accent)],
            "bordercolor": [c.window, ("focus selected", c.accent), ("selected", c.hairline)],
            "expand": [(0, 0, 0, 0)], "padding": [(px(3), px(1.5))],
        },
        "Horizontal.TScale": {
            "background": slider, "troughcolor": c.surface, "sliderlength": px(6),
            "arrowsize": px(4), "gripcount": 0, "gripsize": 0, **_edges(slider, slider),
        },
        "Panel.Vertical.TScrollbar": {
            "troughcolor": c.surface, "background": inner, **_edges(c.surface, inner),
        },
        # Tk disables a bar that has nothing to scroll: it keeps its room, but is not seen.
        "Vertical.TScrollbar": {
            "background": held, "arrowsize": px(2.5), "gripcount": 0, "gripsize": 0,
            **_edges(c.window, held),
        },
    }  # fmt: skip


def _button(theme: Theme, rest: str, held: str, text: str, focus: str) -> Options:
    """Return the style of a button whose surface is *rest*, and *held* while it is pressed."""
    c = theme.colours
    fill = [rest, ("disabled", c.window), ("pressed", held), ("active", held)]
    edge = [c.border, ("disabled", c.hairline), ("focus", focus)]
    inside = [rest, ("disabled", c.window), ("focus", focus), ("pressed", held), ("active", held)]
    return {
        "background": fill, "foreground": [text, ("disabled", c.disabled)], "width": 0,
        "relief": "raised", "borderwidth": 1, "anchor": "center",
        "padding": (theme.px(3), theme.px(1.5)), **_edges(edge, inside),
    }  # fmt: skip
