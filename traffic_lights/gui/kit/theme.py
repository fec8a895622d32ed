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
from traffic_lights.system.system_theme import system_prefers_dark

GRID: Final = 4
"""Pixels at 96 dpi: distances are whole steps of it."""
RING: Final = "Ring.highlight"
"""The element that draws the ring around what has the keyboard focus."""
BODY_POINTS: Final = 10
TITLE_POINTS: Final = 15


def _edges(border: str, inside: str) -> dict[str, Any]:
    """Return the options of clam's edges: a line of *border*, and what is left of its relief."""
    return {"bordercolor": border, "lightcolor": inside, "darkcolor": inside}


class Indicators:
    """The boxes, ticks and arrows of check boxes, radio buttons and combo boxes, drawn smoothly.

    Tk draws a cross in a bevelled box, which looks like a form on paper.
    """

    def __init__(self, root: tk.Tk, style: ttk.Style) -> None:
        self._root = root
        self._images: dict[str, tk.PhotoImage] = {
            f"{kind}{state}": tk.PhotoImage(master=root)
            for kind in ("Checkbutton", "Radiobutton", "Combobox")
            for state in ("", " on", " off", " off on")
        }
        images = self._images
        for kind in ("Checkbutton", "Radiobutton"):
            name = f"Flat.{kind}.indicator"
            if name not in style.element_names():
                both = "disabled", "selected", images[f"{kind} off on"]
                states = ("disabled", images[f"{kind} off"]), ("selected", images[f"{kind} on"])
                style.element_create(name, "image", images[kind], both, *states)
        if "Flat.Combobox.downarrow" not in style.element_names():
            disabled = "disabled", images["Combobox off"]
            style.element_create("Flat.Combobox.downarrow", "image", images["Combobox"], disabled)

    def draw(self, c: Colours, side: int) -> None:
        """Draw all of them *side* pixels high."""
        side += side % 2
        gap = side // 2
        radii = {"Checkbutton": 0.2 * side, "Radiobutton": 0.5 * side}
        tick = tuple((x * side, y * side) for x, y in ((-0.24, 0.02), (-0.06, 0.2), (0.26, -0.18)))
        arrow = tuple((x * side, y * side) for x, y in ((-0.26, -0.12), (0.0, 0.14), (0.26, -0.12)))
        width = max(1.4, side * 0.12)
        for kind, radius in radii.items():
            mark = strokes(tick, width) if kind == "Checkbutton" else disc(0.22 * side)
            shapes = pill(side, side, radius), pill(side - 3, side - 3, radius - 1.5), mark
            outer, inner, dot = (alpha_rows(side, side, shape) for shape in shapes)
            for state, layers in (
                ("", ((outer, c.border), (inner, c.surface))),
                (" on", ((outer, c.accent), (dot, c.on_accent))),
                (" off", ((outer, c.disabled), (inner, c.window))),
                (" off on", ((outer, c.disabled), (dot, c.window))),
            ):
                self._draw(f"{kind}{state}", side, gap, *layers)
        chevron = alpha_rows(side, side, strokes(arrow, width))
        for state, colour in (("", c.text), (" off", c.disabled)):
            self._draw(f"Combobox{state}", side, gap, (chevron, colour))

    def _draw(self, name: str, side: int, gap: int, *layers: tuple[list[bytes], str]) -> None:
        """Draw *layers* over each other, with a *gap* at the right."""
        image = self._images[name]
        image.blank()
        image.configure(width=side + gap, height=side)
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
        family = tkfont.nametofont("TkDefaultFont").actual("family")
        self.family: str = family
        self.body = tkfont.Font(root, name="TLBody", family=family)
        self.strong = tkfont.Font(root, name="TLStrong", family=family, weight="bold")
        self.title = tkfont.Font(root, name="TLTitle", family=family, weight="bold")
        fixed = tkfont.nametofont("TkFixedFont").actual("family")
        self.fixed = tkfont.Font(root, name="TLFixed", family=fixed)
        self.style = ttk.Style(root)
        self.style.theme_use("clam")
        self._indicators = Indicators(root, self.style)
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
        for font, points in (
            (self.body, BODY_POINTS),
            (self.strong, BODY_POINTS),
            (self.fixed, BODY_POINTS),
            (self.title, TITLE_POINTS),
        ):
            # Negative sizes are pixels, which do not depend on Tk's own scaling.
            font.configure(size=-round(points * 4 / 3 * self.scale))
        for name in ("TkTextFont", "TkIconFont"):  # in Tk's own dialogs for files
            tkfont.nametofont(name, self._root).configure(size=self.body.cget("size"))
        self._style_widgets()
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
        """Return *steps* of the grid in pixels of this screen."""
        return round(steps * GRID * self.scale)

    def look(self, letters: bool, coordinates: bool) -> Look:
        """Return what a board needs to draw itself in this theme."""
        return Look(self.colours, LAMPS[self.lamps], letters, coordinates, self.scale, self.family)

    def _style_widgets(self) -> None:
        c, style = self.colours, self.style
        style.configure(
            ".", background=c.window, foreground=c.text, fieldbackground=c.surface,
            troughcolor=c.window, selectbackground=c.accent, selectforeground=c.on_accent,
            insertcolor=c.text, focuscolor=c.window, font=self.body,
            **_edges(c.border, c.window),
        )  # fmt: skip
        style.map(".", foreground=[("disabled", c.disabled)])
        for name, background, foreground, font in (
            ("TLabel", c.window, c.text, self.body),
            ("Title.TLabel", c.window, c.text, self.title),
            ("Strong.TLabel", c.window, c.text, self.strong),
            ("Muted.TLabel", c.window, c.muted, self.body),
            ("Warning.TLabel", c.window, c.warning, self.body),
            ("Surface.TLabel", c.surface, c.text, self.body),
            ("SurfaceMuted.TLabel", c.surface, c.muted, self.body),
        ):
            style.configure(name, background=background, foreground=foreground, font=font)
        style.configure("TFrame", background=c.window)
        style.configure("Surface.TFrame", background=c.surface)
        style.configure("Hairline.TFrame", background=c.hairline)
        self._style_buttons()
        self._style_fields()
        self._style_lists()

    def _ring(self, kind: str, colour: str, pixels: int, parts: Any = None) -> None:
        """Mark what has the keyboard focus by a ring: Tk's own dots are hard to see.

        The ring has no part in the size of the widget, so nothing moves when it appears.
        """
        if RING not in self.style.element_names():
            self.style.element_create(RING, "from", "classic", "highlight")
        parts = [part for part in parts or self.style.layout(kind) if part[0] != RING]
        self.style.layout(kind, [*parts, (RING, {"sticky": "nswe"})])
        self.style.configure(kind, highlightcolor=colour, highlightthickness=0)
        self.style.map(kind, highlightthickness=[("focus", pixels)])

    def _style_buttons(self) -> None:
        c, style = self.colours, self.style
        main_held = mixed(c.accent, c.on_accent, 0.18)
        for kind, rest, held, edge, text, font in (
            ("TButton", c.raised, c.pressed, c.border, c.text, self.body),
            ("Accent.TButton", c.accent, main_held, c.accent, c.on_accent, self.strong),
        ):
            style.configure(
                kind, background=rest, foreground=text, font=font, width=0, relief="raised",
                borderwidth=1, anchor="center", padding=(self.px(3), self.px(1.5)),
                **_edges(edge, rest),
            )  # fmt: skip
            fill = [("disabled", c.window), ("pressed", held), ("active", held)]
            style.map(
                kind, background=fill, lightcolor=fill, darkcolor=fill,
                bordercolor=[("disabled", c.hairline)], foreground=[("disabled", c.disabled)],
                relief=[("pressed", "raised")],
            )  # fmt: skip
            style.configure(f"Tight.{kind}", padding=(self.px(1.25), self.px(1.5)))
        words: Any = [("Button.label", {"sticky": "nswe"})]
        inside: Any = [("Button.padding", {"sticky": "nswe", "children": words})]
        border: Any = {"sticky": "nswe", "border": "1", "children": inside}
        self._ring("TButton", c.accent, self.ring, [("Button.border", border)])
        # The accent cannot mark the focus on itself: a ring of the text's colour does, and an
        # edge around it keeps that away from the window.
        edge_part: Any = ("Edge.border", {"sticky": "nswe"})
        parts = [p for p in style.layout("TButton") if p[0] not in (RING, edge_part[0])]
        inner = 2 + self.ring
        self._ring("Accent.TButton", c.on_accent, inner, parts)
        style.layout("Accent.TButton", [*style.layout("Accent.TButton"), edge_part])
        for option in ("lightcolor", "darkcolor", "bordercolor"):
            states: Any = {option: [("focus", c.text), *style.map("Accent.TButton", option)]}
            style.map("Accent.TButton", **states)
        for kind in ("TCheckbutton", "TRadiobutton"):
            name = kind.removeprefix("T")
            inside = [
                (f"Flat.{name}.indicator", {"side": "left", "sticky": ""}),
                (f"{name}.label", {"side": "left", "sticky": "nswe"}),
            ]
            parts = [(f"{name}.padding", {"sticky": "nswe", "children": inside})]
            style.configure(kind, background=c.window, foreground=c.text, padding=self.px(1))
            style.map(
                kind, background=[("active", c.window)], foreground=[("disabled", c.disabled)]
            )
            self._ring(kind, c.accent, self.ring, parts)
        self._indicators.draw(c, self.px(4))

    def _style_fields(self) -> None:
        c, style = self.colours, self.style
        for kind in ("TEntry", "TCombobox", "TSpinbox"):
            style.configure(
                kind, fieldbackground=c.surface, foreground=c.text, background=c.surface,
                arrowcolor=c.text, arrowsize=self.px(3), padding=self.px(1.25),
                insertwidth=max(1, self.px(0.4)), **_edges(c.border, c.surface),
            )  # fmt: skip
            style.map(
                kind,
                fieldbackground=[("readonly", c.surface), ("disabled", c.window)],
                foreground=[("disabled", c.disabled), ("readonly", c.text)],
                # A selection shows only where keys would change it.
                selectbackground=[
                    ("disabled", c.window), ("readonly", c.surface), ("!focus", c.surface),
                ],
                selectforeground=[
                    ("disabled", c.disabled), ("readonly", c.text), ("!focus", c.text),
                ],
                arrowcolor=[("disabled", c.disabled)],
            )  # fmt: skip
            if kind != "TSpinbox":
                style.configure(f"Wrong.{kind}", **_edges(c.warning, c.warning))
        arrow: Any = [("Combobox.textarea", {"sticky": "nswe"})]
        inside: Any = [
            ("Flat.Combobox.downarrow", {"side": "right", "sticky": ""}),
            ("Combobox.padding", {"sticky": "nswe", "children": arrow}),
        ]
        field = [("Entry.field", {"sticky": "nswe", "children": inside})]
        self._ring("TEntry", c.accent, self.ring)
        self._ring("TCombobox", c.accent, self.ring, field)
        style.configure(
            "Horizontal.TProgressbar", background=c.accent, troughcolor=c.surface,
            thickness=self.px(2), **_edges(c.hairline, c.accent),
        )  # fmt: skip

    def _style_lists(self) -> None:
        c, style = self.colours, self.style
        style.configure(
            "Treeview", background=c.surface, fieldbackground=c.surface, foreground=c.text,
            rowheight=round(self.body.metrics("linespace") * 1.45), borderwidth=0,
            **_edges(c.hairline, c.surface),
        )  # fmt: skip
        focused = [("focus", c.accent)]
        style.map(
            "Treeview",
            background=[("selected", c.accent)],
            foreground=[("selected", c.on_accent), ("disabled", c.disabled)],
            bordercolor=focused, lightcolor=focused, darkcolor=focused,
        )  # fmt: skip
        style.configure(
            "Treeview.Heading", background=c.window, foreground=c.muted, font=self.strong,
            relief="flat", padding=self.px(1), **_edges(c.hairline, c.window),
        )  # fmt: skip
        style.map("Treeview.Heading", background=[("active", c.pressed)])
        style.configure(
            "TNotebook", background=c.window, tabmargins=0, borderwidth=1,
            **_edges(c.hairline, c.surface),
        )  # fmt: skip
        padding = self.px(4), self.px(1.5)
        style.configure(
            "TNotebook.Tab", background=c.window, foreground=c.muted, padding=padding,
            **_edges(c.window, c.window),
        )  # fmt: skip
        style.map(
            "TNotebook.Tab",
            background=[("selected", c.surface), ("active", c.pressed)],
            foreground=[("disabled", c.disabled), ("selected", c.text), ("active", c.text)],
            lightcolor=[("selected", c.surface)],
            bordercolor=[("selected", c.hairline)],
            expand=[("selected", (0, 0, 0, 0))],
            padding=[("selected", padding)],
        )
        label: Any = [("Notebook.label", {"side": "top", "sticky": ""})]
        inside: Any = [("Notebook.padding", {"sticky": "nswe", "children": label})]
        tab = [("Notebook.tab", {"sticky": "nswe", "children": inside})]
        self._ring("TNotebook.Tab", c.accent, self.ring, tab)
        for way in ("Vertical", "Horizontal"):
            # No arrows. Where there is nothing to scroll, Tk disables a bar: it is not seen then,
            # but it keeps its room.
            thumb: Any = [(f"{way}.Scrollbar.thumb", {"expand": "1", "sticky": "nswe"})]
            trough: Any = {"sticky": "nswe", "children": thumb}
            for before, back in (("", c.window), ("Surface.", c.surface)):
                kind = f"{before}{way}.TScrollbar"
                style.layout(kind, [(f"{way}.Scrollbar.trough", trough)])
                style.configure(
                    kind, background=c.disabled, troughcolor=back, gripcount=0,
                    arrowsize=self.px(2.5), **_edges(back, c.disabled),
                )  # fmt: skip
                fill = [("disabled", back), ("active", c.accent)]
                style.map(kind, background=fill, lightcolor=fill, darkcolor=fill)

    def _style_classic(self) -> None:
        """Colour the widgets that ttk does not reach: windows, menus, lists, text."""
        c, root = self.colours, self._root
        root.configure(background=c.window)
        for pattern, value in (
            ("*Toplevel.background", c.window),
            ("*Menu.background", c.raised),
            ("*Menu.foreground", c.text),
            ("*Menu.activeBackground", c.accent),
            ("*Menu.activeForeground", c.on_accent),
            ("*Menu.disabledForeground", c.disabled),
            ("*Menu.selectColor", c.text),
            ("*Menu.font", str(self.body)),
            ("*Menu.relief", "raised"),
            ("*Menu.borderWidth", "1"),
            ("*Menu.activeBorderWidth", "0"),
            ("*TCombobox*Listbox.background", c.surface),
            ("*TCombobox*Listbox.foreground", c.text),
            ("*TCombobox*Listbox.selectBackground", c.accent),
            ("*TCombobox*Listbox.selectForeground", c.on_accent),
            ("*TCombobox*Listbox.font", str(self.body)),
        ):
            root.option_add(pattern, value, 80)
        self._recolour(root)

    def _recolour(self, widget: tk.Misc) -> None:
        """Give widgets that exist already the colours that new ones get by themselves."""
        c = self.colours
        for child in widget.winfo_children():
            if isinstance(child, tk.Menu):
                is_bar = str(child) == str(self._root.cget("menu"))
                child.configure(
                    background=c.window if is_bar else c.raised, foreground=c.text,
                    activebackground=c.accent, activeforeground=c.on_accent,
                    disabledforeground=c.disabled, selectcolor=c.text,
                    relief=tk.FLAT if is_bar else tk.RAISED,
                )  # fmt: skip
            elif isinstance(child, tk.Toplevel):
                child.configure(background=c.window)
            elif isinstance(child, tk.Text):
                self.dress_text(child)
            self._recolour(child)

    def dress_text(self, text: tk.Text) -> None:
        """Give a Text widget the colours and fonts of this theme."""
        c = self.colours
        text.configure(
            background=c.surface, foreground=c.text, insertbackground=c.text, font=self.body,
            selectbackground=c.accent, selectforeground=c.on_accent, relief="flat",
            highlightthickness=self.ring, highlightbackground=c.surface,
            highlightcolor=c.accent, borderwidth=0,
        )  # fmt: skip
