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
from traffic_lights.system.system_theme import system_prefers_dark

GRID: Final = 4
"""Pixels at 96 dpi: distances are whole steps of it."""
RING: Final = "Ring.highlight"
"""The element that draws the ring around what has the keyboard."""
BODY_POINTS: Final = 10
TITLE_POINTS: Final = 15
LEAST_ZOOM: Final = -3
MOST_ZOOM: Final = 8
"""The steps of enlargement that a person can choose; 0 is the normal size."""


class Theme:
    """The colours, fonts and distances of every window under *root*."""

    def __init__(self, root: tk.Tk, name: str, lamps: str, zoom: int = 0) -> None:
        self._root = root
        # A Mac tells 72 points an inch, whatever the screen, and draws fine lines by itself.
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
        """The thickness of the ring around what has the keyboard, in pixels."""
        return max(3, self.px(0.75))

    def px(self, steps: float) -> int:
        """Return *steps* of the grid in pixels of this screen."""
        return round(steps * GRID * self.scale)

    def look(self, letters: bool, coordinates: bool) -> Look:
        """Return what a board needs to draw itself in this theme."""
        return Look(self.colours, LAMPS[self.lamps], letters, coordinates, self.scale, self.family)

    def _style_widgets(self) -> None:
        c, style = self.colours, self.style
        style.configure(
            ".",
            background=c.window,
            foreground=c.text,
            fieldbackground=c.surface,
            bordercolor=c.border,
            lightcolor=c.window,
            darkcolor=c.window,
            troughcolor=c.window,
            selectbackground=c.accent,
            selectforeground=c.on_accent,
            insertcolor=c.text,
            focuscolor=c.accent,
            font=self.body,
        )
        style.map(".", foreground=[("disabled", c.disabled)])
        for name, background, foreground, font in (
            ("TLabel", c.window, c.text, self.body),
            ("Title.TLabel", c.window, c.text, self.title),
            ("Strong.TLabel", c.window, c.text, self.strong),
            ("Muted.TLabel", c.window, c.muted, self.body),
            ("Warning.TLabel", c.window, c.warning, self.body),
            ("Surface.TLabel", c.surface, c.text, self.body),
            ("SurfaceTitle.TLabel", c.surface, c.text, self.title),
            ("SurfaceStrong.TLabel", c.surface, c.text, self.strong),
            ("SurfaceMuted.TLabel", c.surface, c.muted, self.body),
        ):
            style.configure(name, background=background, foreground=foreground, font=font)
        style.configure("TFrame", background=c.window)
        style.configure("Surface.TFrame", background=c.surface)
        style.configure("Hairline.TFrame", background=c.hairline)
        self._style_buttons()
        self._style_fields()
        self._style_rings()
        self._style_lists()

    def _style_buttons(self) -> None:
        c, style = self.colours, self.style
        padding = (self.px(3), self.px(1.5))
        flat: dict[str, Any] = {
            "relief": "raised",
            "borderwidth": 1,
            "padding": padding,
            "anchor": "center",
        }
        style.configure(
            "TButton", background=c.raised, foreground=c.text, bordercolor=c.border,
            lightcolor=c.raised, darkcolor=c.raised, width=0, **flat,
        )  # fmt: skip
        self._map_states("TButton", c.raised, c.pressed, c.border, c.accent)
        style.configure(
            "Accent.TButton", background=c.accent, foreground=c.on_accent, font=self.strong,
            bordercolor=c.accent, lightcolor=c.accent, darkcolor=c.accent, width=0, **flat,
        )  # fmt: skip
        held = mixed(c.accent, c.on_accent, 0.18)
        self._map_states("Accent.TButton", c.accent, held, c.accent, c.text)
        style.map("Accent.TButton", foreground=[("disabled", c.disabled)])
        for kind in ("TButton", "Accent.TButton"):  # where the room is short
            style.configure(f"Tight.{kind}", padding=(self.px(1.25), self.px(1.5)))
        edges = [("focus", c.accent), ("!focus", c.window)]
        for kind in ("TCheckbutton", "TRadiobutton"):
            # A frame around all of it is the mark of focus: Tk's own, a dotted one, is hard to see.
            name = kind.removeprefix("T")
            parts = [
                (f"{name}.indicator", {"side": "left", "sticky": ""}),
                (f"{name}.label", {"side": "left", "sticky": "nswe"}),
            ]
            inside: Any = [(f"{name}.padding", {"sticky": "nswe", "children": parts})]
            style.layout(kind, [(f"{name}.border", {"sticky": "nswe", "children": inside})])
            style.configure(
                kind, background=c.window, foreground=c.text, padding=self.px(1),
                borderwidth=2, relief="raised",
                indicatorbackground=c.surface, indicatorforeground=c.on_accent,
                upperbordercolor=c.border, lowerbordercolor=c.border,
                indicatorsize=self.px(3.25), indicatormargin=(0, 0, self.px(2), 0),
            )  # fmt: skip
            style.map(
                kind,
                background=[("active", c.window)],
                foreground=[("disabled", c.disabled)],
                indicatorbackground=[("selected", c.accent), ("!selected", c.surface)],
                bordercolor=edges,
                lightcolor=edges,
                darkcolor=edges,
            )

    def _style_rings(self) -> None:
        """Mark what has the keyboard by a ring along its edge: Tk's dots are hard to see."""
        c, style = self.colours, self.style
        if RING not in style.element_names():
            style.element_create(RING, "from", "classic", "highlight")
        for kind in ("TButton", "TCheckbutton", "TRadiobutton", "TEntry", "TCombobox"):
            # It has no part in the size of the widget, so nothing moves when it comes.
            parts = [part for part in style.layout(kind) if part[0] != RING]
            style.layout(kind, [*parts, (RING, {"sticky": "nswe"})])
            style.configure(kind, highlightcolor=c.accent, highlightthickness=0)
            style.map(kind, highlightthickness=[("focus", self.ring)])
        # The accent cannot mark focus on itself: an edge of the text's colour does, and one inside.
        parts = [part for part in style.layout("TButton") if part[0] != RING]
        over: Any = [(RING, {"sticky": "nswe"}), ("Edge.border", {"sticky": "nswe"})]
        style.layout("Accent.TButton", [*parts, *over])
        style.configure("Accent.TButton", highlightcolor=c.on_accent)
        inner = 2 + max(2, self.px(0.4))  # the edge is two pixels thick
        style.map("Accent.TButton", highlightthickness=[("focus", inner)])

    def _map_states(self, kind: str, rest: str, held: str, edge: str, focused: str) -> None:
        c = self.colours
        by_state = [("disabled", c.window), ("pressed", held), ("active", held), ("!active", rest)]
        self.style.map(
            kind,
            background=by_state,
            lightcolor=[("focus", focused), *by_state],
            darkcolor=[("focus", focused), *by_state],
            bordercolor=[("focus", focused), ("disabled", c.hairline), ("!focus", edge)],
            foreground=[("disabled", c.disabled)],
            relief=[("pressed", "raised")],
        )

    def _style_fields(self) -> None:
        c, style = self.colours, self.style
        for kind in ("TEntry", "TCombobox", "TSpinbox"):
            style.configure(
                kind, fieldbackground=c.surface, foreground=c.text, background=c.raised,
                bordercolor=c.border, lightcolor=c.surface, darkcolor=c.surface,
                arrowcolor=c.text, arrowsize=self.px(3), padding=self.px(1.25),
                insertcolor=c.text, insertwidth=max(1, self.px(0.4)),
            )  # fmt: skip
            style.map(
                kind,
                fieldbackground=[("readonly", c.surface), ("disabled", c.window)],
                foreground=[("disabled", c.disabled), ("readonly", c.text)],
                # What is selected shows only where keys would change it.
                selectbackground=[
                    ("disabled", c.window),
                    ("readonly", c.surface),
                    ("!focus", c.surface),
                ],
                selectforeground=[
                    ("disabled", c.disabled),
                    ("readonly", c.text),
                    ("!focus", c.text),
                ],
                bordercolor=[("focus", c.accent), ("!focus", c.border)],
                lightcolor=[("focus", c.accent)],
                darkcolor=[("focus", c.accent)],
                background=[("active", c.pressed)],
                arrowcolor=[("disabled", c.disabled)],
            )
        for kind in ("TEntry", "TCombobox"):  # a field with a mistake in it
            edges = [("focus", c.accent), ("!focus", c.warning)]
            style.configure(
                f"Wrong.{kind}", bordercolor=c.warning, lightcolor=c.warning, darkcolor=c.warning
            )
            style.map(
                f"Wrong.{kind}",
                bordercolor=[("focus", c.warning), ("!focus", c.warning)],
                lightcolor=edges,
                darkcolor=edges,
            )
        style.configure(
            "Horizontal.TProgressbar", background=c.accent, troughcolor=c.surface,
            bordercolor=c.border, lightcolor=c.accent, darkcolor=c.accent,
            thickness=self.px(2),
        )  # fmt: skip

    def _style_lists(self) -> None:
        c, style = self.colours, self.style
        style.configure(
            "Treeview", background=c.surface, fieldbackground=c.surface, foreground=c.text,
            bordercolor=c.hairline, lightcolor=c.surface, darkcolor=c.surface,
            rowheight=round(self.body.metrics("linespace") * 1.45), borderwidth=0,
        )  # fmt: skip
        style.map(
            "Treeview",
            background=[("selected", c.accent)],
            foreground=[("selected", c.on_accent), ("disabled", c.disabled)],
            bordercolor=[("focus", c.accent)],
            lightcolor=[("focus", c.accent)],
            darkcolor=[("focus", c.accent)],
        )
        style.configure(
            "Treeview.Heading", background=c.window, foreground=c.muted, font=self.strong,
            bordercolor=c.hairline, lightcolor=c.window, darkcolor=c.window, relief="flat",
            padding=self.px(1),
        )  # fmt: skip
        style.map("Treeview.Heading", background=[("active", c.pressed)])
        style.configure(
            "TNotebook", background=c.window, bordercolor=c.hairline, lightcolor=c.surface,
            darkcolor=c.surface, tabmargins=0, borderwidth=1,
        )  # fmt: skip
        style.configure(
            "TNotebook.Tab", background=c.window, foreground=c.muted, bordercolor=c.hairline,
            lightcolor=c.window, darkcolor=c.window, padding=(self.px(4), self.px(1.5)),
        )  # fmt: skip
        style.map(
            "TNotebook.Tab",
            background=[("focus", c.accent), ("selected", c.surface), ("active", c.pressed)],
            foreground=[("focus", c.on_accent), ("selected", c.text), ("active", c.text)],
            lightcolor=[("focus", c.accent), ("selected", c.surface)],
            expand=[("selected", (0, 0, 0, 0))],
            padding=[("selected", (self.px(4), self.px(1.5)))],
        )
        for way in ("Vertical", "Horizontal"):
            # No arrows. Where there is nothing to scroll, Tk disables a bar: it is not seen then,
            # but it keeps its room.
            thumb: Any = [(f"{way}.Scrollbar.thumb", {"expand": "1", "sticky": "nswe"})]
            trough: Any = {"sticky": "nswe", "children": thumb}
            style.layout(f"{way}.TScrollbar", [(f"{way}.Scrollbar.trough", trough)])
            style.configure(
                f"{way}.TScrollbar", background=c.disabled, troughcolor=c.window, gripcount=0,
                bordercolor=c.window, lightcolor=c.disabled, darkcolor=c.disabled,
                arrowsize=self.px(2.5),
            )  # fmt: skip
            for part in ("background", "lightcolor", "darkcolor"):
                states: Any = {part: [("disabled", c.window), ("active", c.accent)]}
                style.map(f"{way}.TScrollbar", **states)

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
