"""How the widgets of Tk look in a theme: ttk's clam in our own colours, with focus rings and ticks.

The functions give the options of ttk's styles, one function for each kind of widget.
"""

import tkinter as tk
from tkinter import ttk
from typing import Any, Final, TypeAlias

from traffic_lights.drawing.palette import mixed
from traffic_lights.gui.kit.smooth import pill, shape_png, strokes
from traffic_lights.gui.kit.theme import Theme

THUMB: Final = 6
"""The length of the thumb of a slider, in steps of the grid."""
RING: Final = "Ring.highlight"
"""The element that draws the ring around what has the keyboard focus."""
_BUTTON: Final = "Button.border -border 1 -children {Button.padding -children Button.label} " + RING
_LAYOUTS: Final = {
    "TButton": _BUTTON,
    # An edge around the ring keeps its colour away from that of the window.
    "Accent.TButton": _BUTTON + " Edge.border",
    "Switch.Toolbutton": "Toolbutton.border -border 1 -children {Toolbutton.padding -children "
    f"Toolbutton.label}} {RING} Edge.border",
    "TCheckbutton": "Checkbutton.padding -children {Flat.Checkbutton.indicator -side left "
    f"-sticky {{}} Checkbutton.label -side left}} {RING}",
    "TEntry": f"Entry.field -border 1 -children {{Entry.padding -children Entry.textarea}} {RING}",
    "TCombobox": "Entry.field -children {Flat.Combobox.downarrow -side right -sticky {} "
    f"Combobox.padding -children Combobox.textarea}} {RING}",
    # The ring would be around all pages, so the edge of the tab shows the focus.
    "TNotebook.Tab": "Notebook.tab -children {Notebook.padding -children "
    "{Notebook.label -side top -sticky {}}}",
    "Bots.Treeview.Item": "Treeitem.padding -children "
    "{Treeitem.image -side left -sticky {} Treeitem.text -side left -sticky {}}",
    "Vertical.TScrollbar": "Vertical.Scrollbar.trough -children "
    "{Vertical.Scrollbar.thumb -expand 1}",
    "Horizontal.TScrollbar": "Horizontal.Scrollbar.trough -children "
    "{Horizontal.Scrollbar.thumb -expand 1}",
}
"""What the widgets consist of. A ring marks the focus, because Tk's own dots are hard to see.

The ring has no part in the size of a widget, so nothing moves when it appears.
"""
_MARKS: Final = {
    "Checkbutton.indicator": ("", "disabled selected", "disabled", "selected"),
    "Combobox.downarrow": ("", "disabled"),
}
"""The parts of widgets that are pictures, and the states that have one of their own."""
Mark: TypeAlias = tuple[Any, ...]
"""A shape as `shape_png` takes it: what makes it, and its values."""
Options: TypeAlias = dict[str, Any]
"""The options of a style. A list has the usual value, or None if that of Tk stays, and then the
values of some states: ``[c.window, ("active", c.pressed)]``."""


def _edges(border: Any, inside: Any) -> dict[str, Any]:
    """Return the options of clam's edges: a line of *border*, and what is left of its relief."""
    return {"bordercolor": border, "lightcolor": inside, "darkcolor": inside}


class WidgetStyles:
    """The styles of all widgets under *root*: made once, and applied whenever *theme* changes."""

    def __init__(self, root: tk.Tk, theme: Theme) -> None:
        self._root = root
        self._theme = theme
        self.style = ttk.Style(root)
        self.style.theme_use("clam")
        self._marks = {
            (kind, state): tk.PhotoImage(master=root)
            for kind, states in _MARKS.items()
            for state in states
        }
        # Tk's own ticks in menus are only a few pixels large on X11.
        self.tick = tk.PhotoImage(master=root)
        """What stands before the entries of menus that are on."""
        self.no_tick = tk.PhotoImage(master=root)
        """The same room, before all others."""
        for kind, (usual, *states) in _MARKS.items():
            by_state: Any = [(*state.split(), self._marks[kind, state]) for state in states]
            self.style.element_create(f"Flat.{kind}", "image", self._marks[kind, usual], *by_state)
        self.style.element_create(RING, "from", "classic", "highlight")
        for kind, layout in _LAYOUTS.items():
            root.tk.call("ttk::style", "layout", kind, layout)
        self.apply()

    def apply(self) -> None:
        """Take the colours, fonts and distances of the theme."""
        for styles in (_common, _labels, _buttons, _fields, _lists, _tabs, _bars):
            for kind, options in styles(self._theme).items():
                self._configure(kind, options)
        self._draw_marks()
        self._style_classic()

    def _configure(self, kind: str, options: Options) -> None:
        for option, value in options.items():
            usual, *by_state = value if isinstance(value, list) else [value]
            if usual is not None:
                self.style.configure(kind, **{option: usual})
            if by_state:
                self.style.map(kind, None, **{option: by_state})

    def _draw_marks(self) -> None:
        """Draw the marks of check boxes, menus and combo boxes: Tk's own look like paper forms."""
        theme = self._theme
        c = self._theme.colours
        side = theme.px(4) + theme.px(4) % 2

        def line(*points: tuple[float, float]) -> Mark:
            """Return the line through *points*, which are in sides of the mark."""
            placed = tuple((x * side, y * side) for x, y in points)
            return strokes, placed, max(1.4, side * 0.12)

        tick = line((-0.24, 0.02), (-0.06, 0.2), (0.26, -0.18))
        arrow = line((-0.26, -0.12), (0.0, 0.14), (0.26, -0.12))
        large_tick = line((-0.36, 0.04), (-0.1, 0.3), (0.38, -0.28))
        outer: Mark = (pill, side, side, 0.2 * side)
        inner: Mark = (pill, side - 3, side - 3, 0.2 * side - 1.5)
        box = "Checkbutton.indicator"
        layers: dict[tk.PhotoImage, list[tuple[str, Mark]]] = {
            self._marks[box, ""]: [(c.border, outer), (c.surface, inner)],
            self._marks[box, "selected"]: [(c.accent, outer), (c.on_accent, tick)],
            self._marks[box, "disabled"]: [(c.disabled, outer), (c.window, inner)],
            self._marks[box, "disabled selected"]: [(c.disabled, outer), (c.window, tick)],
            self._marks["Combobox.downarrow", ""]: [(c.text, arrow)],
            self._marks["Combobox.downarrow", "disabled"]: [(c.disabled, arrow)],
            self.no_tick: [],
            self.tick: [(c.text, large_tick)],
        }
        for image, parts in layers.items():
            image.blank()
            image.configure(width=side + side // 2, height=side)  # with a gap at the right
            for colour, shape in parts:
                layer = tk.PhotoImage(data=shape_png(side, side, colour, *shape), master=self._root)
                self._root.tk.call(str(image), "copy", str(layer))

    def _style_classic(self) -> None:
        """Colour the widgets that ttk does not reach: windows, menus, lists, text."""
        theme = self._theme
        c = self._theme.colours
        selection = {"selectBackground": c.accent, "selectForeground": c.on_accent}
        classes: dict[str, dict[str, Any]] = {
            **{kind: {"background": c.window}
               for kind in (self._root.winfo_class(), "Toplevel", "Canvas")},
            "Menu": {
                "background": c.raised, "foreground": c.text, "disabledForeground": c.disabled,
                "selectColor": c.text, "font": theme.body, "relief": "raised", "borderWidth": 1,
                "activeBackground": c.accent, "activeForeground": c.on_accent,
                "activeBorderWidth": 0,
            },
            "Listbox": {"background": c.surface, "foreground": c.text, **selection},
            "Text": {
                "background": c.surface, "foreground": c.text, "insertBackground": c.text,
                "font": theme.body, "relief": "flat", "borderWidth": 0, **selection,
                "highlightThickness": theme.ring, "highlightBackground": c.surface,
                "highlightColor": c.accent,
            },
        }  # fmt: skip
        for kind, options in classes.items():
            for option, value in options.items():
                self._root.option_add(f"*{kind}.{option}", str(value), 80)
        self._recolour(".", classes)
        if bar := self._root.cget("menu"):
            self._root.tk.call(bar, "configure", "-background", c.window, "-relief", "flat")

    def _recolour(self, path: str, classes: dict[str, dict[str, Any]]) -> None:
        """Give widgets that exist already what new ones get by themselves, except for the font."""
        call = self._root.tk.call
        for option, value in classes.get(str(call("winfo", "class", path)), {}).items():
            if option != "font":
                call(path, "configure", f"-{option.lower()}", value)
        for child in self._root.tk.splitlist(call("winfo", "children", path)):
            self._recolour(str(child), classes)


def _common(theme: Theme) -> dict[str, Options]:
    c = theme.colours
    return {
        ".": {
            "background": [c.window, ("active", c.window)],
            "foreground": [c.text, ("disabled", c.disabled)],
            "highlightthickness": [0, ("focus", theme.ring)],
            "fieldbackground": c.surface, "troughcolor": c.window, "insertcolor": c.text,
            "selectbackground": c.accent, "selectforeground": c.on_accent,
            "focuscolor": c.window, "font": theme.body, "highlightcolor": c.accent,
            **_edges(c.border, c.window),
        },
    }  # fmt: skip


def _labels(theme: Theme) -> dict[str, Options]:
    """Return the styles of texts, and of the areas that they stand on."""
    c = theme.colours
    px = theme.px
    return {
        "Title.TLabel": {"font": theme.title},
        "Strong.TLabel": {"font": theme.strong},
        "Muted.TLabel": {"foreground": c.muted},
        "Warning.TLabel": {"foreground": c.warning},
        "Surface.TLabel": {"background": c.surface},
        "SurfaceStrong.TLabel": {"background": c.surface, "font": theme.strong},
        "SurfaceMuted.TLabel": {"background": c.surface, "foreground": c.muted},
        "Tip.TLabel": {
            "background": c.raised, "relief": "solid", "borderwidth": 1,
            "padding": (px(2), px(1)), **_edges(c.border, c.raised),
        },
        "Surface.TFrame": {"background": c.surface},
        "Card.TFrame": {"background": c.surface, "relief": "solid", "bordercolor": c.border},
    }  # fmt: skip


def _buttons(theme: Theme) -> dict[str, Options]:
    """Return the styles of buttons and ticks."""
    c = theme.colours
    px = theme.px
    accent = _button(
        theme,
        c.accent,
        held=mixed(c.accent, c.on_accent, 0.18),
        edge=c.accent,
        text=c.on_accent,
    )
    # The accent cannot mark the focus on itself, so a ring of the text's colour does.
    for edge in _edges(None, None):
        usual, *others = accent[edge]
        accent[edge] = [usual, ("focus", c.text), *others]
    accent |= {
        "font": theme.strong, "highlightcolor": c.on_accent,
        "highlightthickness": [None, ("focus", 2 + theme.ring)],
    }  # fmt: skip
    return {
        "TButton": _button(theme, c.raised, held=c.pressed, edge=c.border, text=c.text),
        "Accent.TButton": accent,
        "Tight.TButton": {"padding": (px(1.25), px(1.5))},
        "Tight.Accent.TButton": {"padding": (px(1.25), px(1.5))},
        "Swap.TButton": {"padding": (px(1), px(0.25)), "font": theme.strong},
        "Switch.Toolbutton": {
            "padding": (px(1), px(1.5)), "anchor": "center", "relief": "solid",
            "borderwidth": 1,
            "background": [c.raised, ("selected", c.accent), ("active", c.pressed)],
            "foreground": [c.text, ("selected", c.on_accent)],
            "highlightcolor": [c.accent, ("selected", c.on_accent)],
            "highlightthickness": [None, ("focus", 2 + theme.ring)],
            "bordercolor": [c.border, ("focus", c.text)],
            "lightcolor": [c.raised, ("selected", c.accent)],
            "darkcolor": [c.raised, ("selected", c.accent)],
        },
        "TMenubutton": {"arrowcolor": c.text},  # in Tk's dialogs for files
        "TCheckbutton": {"padding": px(1)},
        "Low.TCheckbutton": {"padding": (px(1), 0)},
    }  # fmt: skip


def _fields(theme: Theme) -> dict[str, Options]:
    """Return the styles of fields to type in or choose from."""
    c = theme.colours
    px = theme.px
    field = {
        "fieldbackground": [c.surface, ("disabled", c.window), ("readonly", c.surface)],
        "foreground": [None, ("disabled", c.disabled), ("readonly", c.text)],
        "background": c.surface, "padding": px(1.25), "insertwidth": max(1, px(0.4)),
        # A selection shows only where keys would change it.
        "selectbackground": [
            None, ("disabled", c.window), ("readonly", c.surface), ("!focus", c.surface)
        ],
        "selectforeground": [
            None, ("disabled", c.disabled), ("readonly", c.text), ("!focus", c.text)
        ],
        **_edges(c.border, c.surface),
    }  # fmt: skip
    return {
        "TEntry": field,
        "TCombobox": field,
        "Wrong.TEntry": _edges(c.warning, c.warning),
        "Wrong.TCombobox": _edges(c.warning, c.warning),
    }


def _lists(theme: Theme) -> dict[str, Options]:
    c = theme.colours
    px = theme.px
    return {
        "Treeview": {
            "background": [c.surface, ("selected", c.accent)],
            "foreground": [None, ("selected", c.on_accent), ("disabled", c.disabled)],
            "fieldbackground": c.surface, "borderwidth": 0,
            "rowheight": round(1.45 * theme.line),
            **_edges([c.hairline, ("focus", c.accent)], [c.surface, ("focus", c.accent)]),
        },
        "Bots.Treeview": {"indent": 0},
        "Facts.Treeview": {"rowheight": theme.line + px(0.25)},
        "Bots.Treeview.Item": {"padding": (px(1.5), 0)},
        "Treeview.Heading": {
            "background": [None, ("active", c.pressed)], "foreground": c.muted,
            "font": theme.strong, "relief": "flat", "padding": px(1),
            **_edges(c.hairline, c.window),
        },
    }  # fmt: skip


def _tabs(theme: Theme) -> dict[str, Options]:
    c = theme.colours
    padding = (theme.px(4), theme.px(1.5))
    return {
        "TNotebook": {"tabmargins": 0, "borderwidth": 1, **_edges(c.hairline, c.surface)},
        "TNotebook.Tab": {
            "background": [c.window, ("selected", c.surface), ("active", c.pressed)],
            "foreground": [
                c.muted, ("disabled", c.disabled), ("selected", c.text), ("active", c.text)
            ],
            "lightcolor": [c.window, ("focus selected", c.accent), ("selected", c.surface)],
            "darkcolor": [c.window, ("focus selected", c.accent)],
            "bordercolor": [c.window, ("focus selected", c.accent), ("selected", c.hairline)],
            "expand": [None, ("selected", (0, 0, 0, 0))],
            "padding": [padding, ("selected", padding)],
        },
    }  # fmt: skip


def _bars(theme: Theme) -> dict[str, Options]:
    """Return the styles of bars that scroll, slide or show progress."""
    c = theme.colours
    px = theme.px
    # Tk disables a bar that has nothing to scroll: it keeps its room, but is not seen.
    held = [c.disabled, ("disabled", c.window), ("active", c.accent)]
    # Tk 9 has lines on bars by another name. From 9.1, a bar is twice as thick as its arrows.
    plain = {"gripcount": 0, "gripsize": 0, "arrowpadding": 0}
    thick = px(2.5) // 2 if tk.TkVersion >= 9.1 else px(2.5)
    bar = {
        "background": held, "troughcolor": c.window, "arrowsize": thick, **plain,
        **_edges(c.window, held),
    }  # fmt: skip
    on_surface = [c.disabled, ("disabled", c.surface), ("active", c.accent)]
    slider = [c.border, ("disabled", c.hairline), ("focus", c.accent)]
    return {
        "Horizontal.TProgressbar": {
            "background": c.accent, "troughcolor": c.surface, "thickness": px(2),
            **_edges(c.hairline, c.accent),
        },
        "Horizontal.TScale": {
            "background": slider, "troughcolor": c.surface, "arrowsize": px(4),
            "sliderlength": px(THUMB), **plain, **_edges(slider, slider),
        },
        "Vertical.TScrollbar": bar,
        "Horizontal.TScrollbar": bar,
        "Surface.Vertical.TScrollbar": {
            "troughcolor": c.surface, "background": on_surface,
            **_edges(c.surface, on_surface),
        },
    }  # fmt: skip


def _button(theme: Theme, rest: str, *, held: str, edge: str, text: str) -> Options:
    """Return the style of a button whose surface is *rest*, and *held* while it is pressed."""
    c = theme.colours
    fill = [rest, ("disabled", c.window), ("pressed", held), ("active", held)]
    return {
        "background": fill, "foreground": [text, ("disabled", c.disabled)], "width": 0,
        "relief": ["raised", ("pressed", "raised")], "borderwidth": 1, "anchor": "center",
        "padding": (theme.px(3), theme.px(1.5)), **_edges([edge, ("disabled", c.hairline)], fill),
    }  # fmt: skip
