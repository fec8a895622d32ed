"""One look for every window: ttk's clam in our own colours, two sizes of type, one grid.

A `Theme` belongs to one Tk root. It owns the fonts, so that a change of size
reaches every widget at once, and it hands out distances in steps of a grid.
"""

from __future__ import annotations

import tkinter as tk
from tkinter import font as tkfont
from tkinter import ttk
from typing import Any, Final

from traffic_lights.gui.kit.lamps import Look
from traffic_lights.gui.kit.palette import LAMPS, THEMES, Colours, mixed
from traffic_lights.gui.kit.smooth import (
    alpha_rows,
    disc,
    pill,
    portable_graphic,
    strokes,
)
from traffic_lights.system.desktop import system_prefers_dark

RING: Final = "Ring.highlight"
"""The element that draws the ring around what has the keyboard focus."""
BODY_POINTS: Final = 10


def _part(name: str, *inside: Any, **options: str) -> Any:
    """Return the element *name* of a layout, around the elements *inside*."""
    children = {"children": list(inside)} if inside else {}
    return name, {"sticky": "nswe", **options, **children}


def _indicated(kind: str) -> list[Any]:
    """Return the layout of a check box or a radio button."""
    indicator = _part(f"Flat.{kind}.indicator", side="left", sticky="")
    label = _part(f"{kind}.label", side="left")
    return [_part(f"{kind}.padding", indicator, label), _part(RING)]


def _bar(way: str) -> list[Any]:
    """Return the layout of a scroll bar, which has no arrows."""
    return [_part(f"{way}.Scrollbar.trough", _part(f"{way}.Scrollbar.thumb", expand="1"))]


_BUTTON: Final = _part("Button.border", _part("Button.padding", _part("Button.label")), border="1")
_ENTRY: Final = _part("Entry.field", _part("Entry.padding", _part("Entry.textarea")), border="1")
_COMBOBOX: Final = _part(
    "Entry.field",
    _part("Flat.Combobox.downarrow", side="right", sticky=""),
    _part("Combobox.padding", _part("Combobox.textarea")),
)
_TAB: Final = _part(
    "Notebook.tab", _part("Notebook.padding", _part("Notebook.label", side="top", sticky=""))
)
_LAYOUTS: Final = {
    "TButton": [_BUTTON, _part(RING)],
    # An edge around the ring keeps its colour away from that of the window.
    "Accent.TButton": [_BUTTON, _part(RING), _part("Edge.border")],
    "TCheckbutton": _indicated("Checkbutton"),
    "TRadiobutton": _indicated("Radiobutton"),
    "TEntry": [_ENTRY, _part(RING)],
    "TCombobox": [_COMBOBOX, _part(RING)],
    "TNotebook.Tab": [_TAB, _part(RING)],
    **{f"{on}{way}.TScrollbar": _bar(way)
       for on in ("", "Surface.") for way in ("Vertical", "Horizontal")},
}  # fmt: skip
"""What the widgets consist of. A ring marks the focus, because Tk's own dots are hard to see.

The ring has no part in the size of a widget, so nothing moves when it appears.
"""


def _edges(border: str, inside: str) -> dict[str, Any]:
    """Return the options of clam's edges: a line of *border*, and what is left of its relief."""
    return {"bordercolor": border, "lightcolor": inside, "darkcolor": inside}


def _filled(states: list[tuple[str, str]]) -> dict[str, Any]:
    """Return the colour of a whole control by its *states*."""
    return {"background": states, "lightcolor": states, "darkcolor": states}


def _style(states: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
    """Return a style of *options*; in some *states* the style has other values."""
    return {"configure": options, "map": states or {}}


_INDICATOR_STATES: Final = ((), ("disabled", "selected"), ("disabled",), ("selected",))
"""The states of a check box that have a picture of their own, beginning with the usual one."""


class Indicators:
    """The boxes, ticks and arrows of check boxes, radio buttons and combo boxes, drawn smoothly.

    Tk draws a cross in a bevelled box, which looks like a form on paper.
    """

    def __init__(self, root: tk.Tk, style: ttk.Style) -> None:
        self._root = root
        self._images = {
            kind: [tk.PhotoImage(master=root) for _ in _INDICATOR_STATES]
            for kind in ("Checkbutton.indicator", "Radiobutton.indicator", "Combobox.downarrow")
        }
        for kind, (usual, *others) in self._images.items():
            states: Any = (
                (*on, image) for on, image in zip(_INDICATOR_STATES[1:], others, strict=True)
            )
            style.element_create(f"Flat.{kind}", "image", usual, *states)

    def draw(self, c: Colours, side: int) -> None:
        """Draw all of them *side* pixels high."""
        side += side % 2
        tick = tuple((x * side, y * side) for x, y in ((-0.24, 0.02), (-0.06, 0.2), (0.26, -0.18)))
        arrow = tuple((x * side, y * side) for x, y in ((-0.26, -0.12), (0.0, 0.14), (0.26, -0.12)))
        width = max(1.4, side * 0.12)
        for kind, radius, mark in (
            ("Checkbutton", 0.2 * side, strokes(tick, width)),
            ("Radiobutton", 0.5 * side, disc(0.22 * side)),
        ):
            shapes = pill(side, side, radius), pill(side - 3, side - 3, radius - 1.5), mark
            outer, inner, dot = (alpha_rows(side, side, shape) for shape in shapes)
            images = self._images[f"{kind}.indicator"]
            for image, *layers in zip(
                images,
                ((outer, c.border), (outer, c.disabled), (outer, c.disabled), (outer, c.accent)),
                ((inner, c.surface), (dot, c.window), (inner, c.window), (dot, c.on_accent)),
                strict=True,
            ):
                self._draw(image, side, layers)
        chevron = alpha_rows(side, side, strokes(arrow, width))
        colours = c.text, c.disabled, c.disabled, c.text
        for image, colour in zip(self._images["Combobox.downarrow"], colours, strict=True):
            self._draw(image, side, [(chevron, colour)])

    def _draw(self, image: tk.PhotoImage, side: int, layers: list[tuple[list[bytes], str]]) -> None:
        """Draw *layers* over each other, with a gap at the right."""
        image.blank()
        image.configure(width=side + side // 2, height=side)
        for rows, colour in layers:
            data = portable_graphic(side, rows, colour)
            layer = tk.PhotoImage(master=self._root, data=data, format="png")
            self._root.tk.call(str(image), "copy", str(layer))


class Theme:
    """The colours, fonts and distances of every window under *root*."""

    def __init__(self, root: tk.Tk, name: str, lamps: str, zoom: int = 0) -> None:
        self._root = root
        # A Mac reports 72 points an inch on every screen, and draws fine lines by itself.
        least = 1.0 if root.tk.call("tk", "windowingsystem") == "aqua" else 0.75
        self._screen_scale = max(least, root.winfo_fpixels("1i") / 96)
        self._family: str = tkfont.nametofont("TkDefaultFont").actual("family")
        self.body = tkfont.Font(root, name="TLBody", family=self._family)
        self.strong = tkfont.Font(root, name="TLStrong", family=self._family, weight="bold")
        self.title = tkfont.Font(root, name="TLTitle", family=self._family, weight="bold")
        fixed = tkfont.nametofont("TkFixedFont").actual("family")
        self.fixed = tkfont.Font(root, name="TLFixed", family=fixed)
        self.style = ttk.Style(root)
        self.style.theme_use("clam")
        self._indicators = Indicators(root, self.style)
        self.style.element_create(RING, "from", "classic", "highlight")
        for kind, layout in _LAYOUTS.items():
            self.style.layout(kind, layout)
        self.set(name, lamps, zoom)

    def set(self, name: str, lamps: str, zoom: int) -> None:
        """Change to theme *name*, lamp colours *lamps* and *zoom* steps of enlargement.

        The name "system" stands for light or dark, as the system has it.
        """
        if name == "system":
            name = "dark" if system_prefers_dark() else "light"
        self.name = name if name in THEMES else "light"
        self.lamps = lamps if lamps in LAMPS else "signal"
        self.zoom = 1.1**zoom
        self.scale = self._screen_scale * self.zoom
        # Negative sizes are pixels, which do not depend on Tk's own scaling.
        size = -round(BODY_POINTS * 4 / 3 * self.scale)
        for font in (self.body, self.strong, self.fixed):
            font.configure(size=size)
        self.title.configure(size=-round(20 * self.scale))
        for font_name in ("TkTextFont", "TkIconFont"):  # in Tk's own dialogs for files
            tkfont.nametofont(font_name, self._root).configure(size=size)
        tables = self._basics(), self._buttons(), self._fields(), self._lists()
        for table in tables:
            self.style.theme_settings("clam", table)
        self._indicators.draw(self.colours, self.px(4))
        self._style_classic()

    @property
    def colours(self) -> Colours:
        """The colours in use."""
        return THEMES[self.name]

    @property
    def ring(self) -> int:
        """The thickness of the ring around what has the keyboard focus, in pixels."""
        return max(2, self.px(0.5))

    def px(self, steps: float) -> int:
        """Return *steps* of the grid, 4 pixels each at 96 dpi, in pixels of this screen."""
        return round(steps * 4 * self.scale)

    def look(self, letters: bool, coordinates: bool) -> Look:
        """Return what a board needs to draw itself in this theme."""
        return Look(self.colours, LAMPS[self.lamps], letters, coordinates, self.scale, self._family)

    def _basics(self) -> dict[str, Any]:
        c = self.colours
        labels = {
            name: _style(background=back, foreground=text, font=font)
            for name, back, text, font in (
                ("TLabel", c.window, c.text, self.body),
                ("Title.TLabel", c.window, c.text, self.title),
                ("Strong.TLabel", c.window, c.text, self.strong),
                ("Muted.TLabel", c.window, c.muted, self.body),
                ("Warning.TLabel", c.window, c.warning, self.body),
                ("Surface.TLabel", c.surface, c.text, self.body),
                ("SurfaceMuted.TLabel", c.surface, c.muted, self.body),
            )
        }
        everything = _style(
            {"foreground": [("disabled", c.disabled)],
             "highlightthickness": [("focus", self.ring)]},
            background=c.window, foreground=c.text, fieldbackground=c.surface,
            troughcolor=c.window, selectbackground=c.accent, selectforeground=c.on_accent,
            insertcolor=c.text, focuscolor=c.window, font=self.body, highlightcolor=c.accent,
            highlightthickness=0, **_edges(c.border, c.window),
        )  # fmt: skip
        return {".": everything, **labels, "Surface.TFrame": _style(background=c.surface)}

    def _buttons(self) -> dict[str, Any]:
        c = self.colours
        held = mixed(c.accent, c.on_accent, 0.18)
        accent = self._button(c.accent, held, c.accent, c.on_accent)
        accent["configure"] |= {"font": self.strong, "highlightcolor": c.on_accent}
        # The accent cannot mark the focus on itself, so a ring of the text's colour does.
        for edge in _edges("", ""):
            accent["map"][edge] = [("focus", c.text), *accent["map"][edge]]
        accent["map"]["highlightthickness"] = [("focus", 2 + self.ring)]
        tight = _style(padding=(self.px(1.25), self.px(1.5)))
        box = _style(
            {"background": [("active", c.window)], "foreground": [("disabled", c.disabled)]},
            background=c.window, foreground=c.text, padding=self.px(1),
        )  # fmt: skip
        return {
            "TButton": self._button(c.raised, c.pressed, c.border, c.text),
            "Accent.TButton": accent,
            "Tight.TButton": tight,
            "Tight.Accent.TButton": tight,
            "TCheckbutton": box,
            "TRadiobutton": box,
        }

    def _button(self, rest: str, held: str, edge: str, text: str) -> dict[str, Any]:
        c = self.colours
        fill = [("disabled", c.window), ("pressed", held), ("active", held)]
        return _style(
            {**_filled(fill), "bordercolor": [("disabled", c.hairline)],
             "foreground": [("disabled", c.disabled)], "relief": [("pressed", "raised")]},
            background=rest, foreground=text, width=0, relief="raised", borderwidth=1,
            anchor="center", padding=(self.px(3), self.px(1.5)), **_edges(edge, rest),
        )  # fmt: skip

    def _fields(self) -> dict[str, Any]:
        c = self.colours
        # A selection shows only where keys would change it.
        backs = [("disabled", c.window), ("readonly", c.surface), ("!focus", c.surface)]
        texts = [("disabled", c.disabled), ("readonly", c.text), ("!focus", c.text)]
        field = _style(
            {"fieldbackground": [("readonly", c.surface), ("disabled", c.window)],
             "foreground": [("disabled", c.disabled), ("readonly", c.text)],
             "selectbackground": backs, "selectforeground": texts},
            fieldbackground=c.surface, foreground=c.text, background=c.surface,
            padding=self.px(1.25), insertwidth=max(1, self.px(0.4)), **_edges(c.border, c.surface),
        )  # fmt: skip
        wrong = _style(**_edges(c.warning, c.warning))
        progress = _style(
            background=c.accent, troughcolor=c.surface, thickness=self.px(2),
            **_edges(c.hairline, c.accent),
        )  # fmt: skip
        return {
            "TEntry": field,
            "TCombobox": field,
            "Wrong.TEntry": wrong,
            "Wrong.TCombobox": wrong,
            "Horizontal.TProgressbar": progress,
        }

    def _lists(self) -> dict[str, Any]:
        c, padding = self.colours, (self.px(4), self.px(1.5))
        rows = _style(
            {"background": [("selected", c.accent)],
             "foreground": [("selected", c.on_accent), ("disabled", c.disabled)],
             **{edge: [("focus", c.accent)] for edge in _edges("", "")}},
            background=c.surface, fieldbackground=c.surface, foreground=c.text, borderwidth=0,
            rowheight=round(self.body.metrics("linespace") * 1.45), **_edges(c.hairline, c.surface),
        )  # fmt: skip
        heading = _style(
            {"background": [("active", c.pressed)]},
            background=c.window, foreground=c.muted, font=self.strong, relief="flat",
            padding=self.px(1), **_edges(c.hairline, c.window),
        )  # fmt: skip
        tabs = _style(
            background=c.window, tabmargins=0, borderwidth=1, **_edges(c.hairline, c.surface)
        )
        tab = _style(
            {"background": [("selected", c.surface), ("active", c.pressed)],
             "foreground": [("disabled", c.disabled), ("selected", c.text), ("active", c.text)],
             "lightcolor": [("selected", c.surface)], "bordercolor": [("selected", c.hairline)],
             "expand": [("selected", (0, 0, 0, 0))], "padding": [("selected", padding)]},
            background=c.window, foreground=c.muted, padding=padding, **_edges(c.window, c.window),
        )  # fmt: skip
        bars = {
            # Tk disables a bar that has nothing to scroll: it keeps its room, but is not seen.
            f"{on}{way}.TScrollbar": _style(
                _filled([("disabled", back), ("active", c.accent)]),
                background=c.disabled, troughcolor=back, gripcount=0, arrowsize=self.px(2.5),
                **_edges(back, c.disabled),
            )
            for on, back in (("", c.window), ("Surface.", c.surface))
            for way in ("Vertical", "Horizontal")
        }  # fmt: skip
        return {
            "Treeview": rows, "Treeview.Heading": heading, "TNotebook": tabs, "TNotebook.Tab": tab,
            **bars,
        }  # fmt: skip

    def _style_classic(self) -> None:
        """Colour the widgets that ttk does not reach: windows, menus, lists, text."""
        c, root = self.colours, self._root
        root.configure(background=c.window)
        chosen = {"Background": c.accent, "Foreground": c.on_accent}
        menu = {
            "background": c.raised, "foreground": c.text, "disabledForeground": c.disabled,
            "selectColor": c.text, "font": self.body, "relief": "raised", "borderWidth": 1,
            "activeBorderWidth": 0, **{f"active{option}": chosen[option] for option in chosen},
        }  # fmt: skip
        choices = {
            "background": c.surface, "foreground": c.text, "font": self.body,
            **{f"select{option}": chosen[option] for option in chosen},
        }  # fmt: skip
        for widgets, options in (
            ("Toplevel", {"background": c.window}),
            ("Menu", menu),
            ("TCombobox*Listbox", choices),
        ):
            for option, value in options.items():
                root.option_add(f"*{widgets}.{option}", str(value), 80)
        self._recolour(root, {option.lower(): value for option, value in menu.items()})

    def _recolour(self, widget: tk.Misc, menu: dict[str, Any]) -> None:
        """Give widgets that exist already the colours that new ones get by themselves."""
        for child in widget.winfo_children():
            if isinstance(child, tk.Menu):
                is_bar = str(child) == str(self._root.cget("menu"))
                bar = {"background": self.colours.window, "relief": tk.FLAT} if is_bar else {}
                child.configure(**menu | bar)
            elif isinstance(child, tk.Toplevel):
                child.configure(background=self.colours.window)
            elif isinstance(child, tk.Text):
                self.dress_text(child)
            self._recolour(child, menu)

    def dress_text(self, text: tk.Text) -> None:
        """Give a Text widget the colours and fonts of this theme."""
        c = self.colours
        text.configure(
            background=c.surface, foreground=c.text, insertbackground=c.text, font=self.body,
            selectbackground=c.accent, selectforeground=c.on_accent, relief="flat",
            highlightthickness=self.ring, highlightbackground=c.surface,
            highlightcolor=c.accent, borderwidth=0,
        )  # fmt: skip
