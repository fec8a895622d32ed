"""The panel beside the board: the moves of the game, and what the solver knows.

It shows what it is handed and tells which move was clicked; it decides nothing.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from tkinter import ttk
from typing import Final

from traffic_lights.gui.kit.scroll import choose_first
from traffic_lights.gui.kit.theme import Theme

_JUMP: Final = "jump"
"""Begins the tag of a move; its number in the game follows."""


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """One move in the list."""

    seat: int
    text: str
    """The cell, with its mark if that may be told."""
    is_taken_back: bool = False
    about: str = ""
    """What its mark means, in a sentence; empty if that may not be told."""


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """One possible move and what it is worth."""

    cell: str
    value: str
    belief: str
    is_best: bool


class SidePanel(ttk.Frame):
    """The tabs *Moves* and *Analysis*."""

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        on_jump: Callable[[int], None],
        on_tab: Callable[[], None],
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on_jump = on_jump
        self._shown: object = None
        self._names: tuple[str, str] | None = None
        """Who plays the moves that are listed; None before any are."""
        self._entries: tuple[MoveEntry, ...] = ()
        self._current = 0
        self._owner = ""
        self.tabs = ttk.Notebook(self)
        self.tabs.pack(fill=tk.BOTH, expand=True)
        self.moves = self._make_moves()
        self.analysis = self._make_analysis()
        self.tabs.bind("<<NotebookTabChanged>>", lambda _: on_tab())

    @property
    def is_analysing(self) -> bool:
        """Whether the tab *Analysis* is in front."""
        return bool(self._analysis_frame.winfo_ismapped())

    def select(self, *, analysis: bool) -> None:
        """Bring the tab *Analysis*, or *Moves*, to the front."""
        # Typeshed leaves Notebook.select without annotations.
        self.tabs.tk.call(str(self.tabs), "select", 1 if analysis else 0)

    # --- moves ---

    def _make_moves(self) -> tk.Text:
        frame = ttk.Frame(self.tabs, style="Surface.TFrame")
        self.tabs.add(frame, text="Moves")
        text = tk.Text(
            frame, width=24, height=4, wrap=tk.WORD, cursor="arrow", state=tk.DISABLED, takefocus=1
        )
        bar = ttk.Scrollbar(frame, command=text.yview, style="Surface.Vertical.TScrollbar")
        bar.grid(row=0, column=1, sticky="ns")
        text.configure(yscrollcommand=bar.set)
        frame.columnconfigure(0, weight=1)
        frame.rowconfigure(0, weight=1)
        text.grid(row=0, column=0, sticky="nsew")
        self._about = ttk.Label(
            frame, style="SurfaceMuted.TLabel", anchor="nw", justify=tk.LEFT, width=1
        )
        self._about.grid(row=1, column=0, columnspan=2, sticky="ew")
        text.bind("<Motion>", self._hovered, add=True)
        text.bind("<Leave>", lambda _: self._explain(self._current), add=True)
        for key, name in (("Up", "Prior"), ("Left", "Prior"), ("Down", "Next"), ("Right", "Next")):
            text.bind(
                f"<{key}>",
                lambda _, n=name: text.winfo_toplevel().event_generate(f"<{n}>") or "break",  # type: ignore[misc]
            )
        # Text has its own bindings for a selection, which would fight the clicks.
        for event in ("<B1-Motion>", "<Double-1>", "<Triple-1>", "<<Selection>>"):
            text.bind(event, lambda _: "break")
        text.bind("<Button-1>", self._clicked, add=True)
        text.bind("<Configure>", lambda _: self._resized(), add=True)
        self._dress_moves(text)
        return text

    def _hovered(self, event: tk.Event[tk.Misc]) -> None:
        """Explain the move under the pointer, or else the one on the board."""
        tags = self.moves.tag_names(f"@{event.x},{event.y}")
        under = next((int(t.removeprefix(_JUMP)) for t in tags if t.startswith(_JUMP)), None)
        self._explain(self._current if under is None else under)

    def _explain(self, index: int) -> None:
        """Say below the list what the mark of move *index*, from 1 on, means."""
        is_listed = 0 < index <= len(self._entries)
        self._about.configure(text=self._entries[index - 1].about if is_listed else "")

    @property
    def explanation(self) -> str:
        """What is said below the list of moves."""
        return str(self._about.cget("text"))

    def _clicked(self, event: tk.Event[tk.Misc]) -> None:
        """Look at the move under the pointer: one binding, as one for each would pile up."""
        for tag in self.moves.tag_names(f"@{event.x},{event.y}"):
            if tag.startswith(_JUMP):
                self._on_jump(int(tag.removeprefix(_JUMP)))

    def _dress_moves(self, text: tk.Text) -> None:
        theme, c = self._theme, self._theme.colours
        theme.dress_text(text)
        text.configure(
            padx=theme.px(3),
            pady=theme.px(3),
            spacing1=theme.px(0.75),
            spacing3=theme.px(0.75),
            tabs=(theme.px(13), theme.px(35)),
            selectbackground=c.surface,
            selectforeground=c.text,
            inactiveselectbackground=c.surface,
        )
        text.tag_configure("number", foreground=c.muted)
        text.tag_configure("head", foreground=c.muted, font=theme.strong, wrap=tk.NONE)
        text.tag_configure("back", foreground=c.muted)
        text.tag_configure("current", background=c.accent, foreground=c.on_accent)

    def show_moves(
        self, names: tuple[str, str], entries: Sequence[MoveEntry], current: int
    ) -> None:
        """List *entries*; *current* counts the moves made at the position shown."""
        shown = (
            names,
            tuple(entries),
            current,
            self._theme.name,
            self._theme.scale,
            self.moves.winfo_width(),
        )
        if shown == self._shown:
            return
        self._shown = shown
        self._names, self._entries, self._current = names, tuple(entries), current
        self._fit_about(any(entry.about for entry in entries))
        self._explain(current)
        text = self.moves
        self._dress_moves(text)
        text.configure(state=tk.NORMAL)
        text.delete("1.0", tk.END)
        for tag in text.tag_names():
            if tag.startswith(_JUMP):
                text.tag_delete(tag)
        text.insert(tk.END, self._heading(names), "head")
        for index, entry in enumerate(entries, 1):
            if entry.seat == 0:
                text.insert(tk.END, f"\n{index}–{index + 1}", "number")
            elif index == 1:
                text.insert(tk.END, "\n1\t…", "number")
            text.insert(tk.END, "\t")
            tags = [f"{_JUMP}{index}"]
            if entry.is_taken_back:
                tags.append("back")
            if index == current:
                tags.append("current")
            text.insert(tk.END, f" {entry.text} ", tuple(tags))
        if not entries:
            text.insert(tk.END, "\nNo move yet.", "number")
        text.configure(state=tk.DISABLED)
        self._see_current()

    def _resized(self) -> None:
        """Give the names over the moves the room that there is now."""
        if self._names is not None:
            self.show_moves(self._names, self._entries, self._current)
        self._see_current()

    def _see_current(self) -> None:
        """Scroll the list to the move on the board, which room for other things may have hidden."""
        here = self.moves.tag_ranges("current")
        self.moves.see(here[0] if here else tk.END)

    def _heading(self, names: tuple[str, str]) -> str:
        """Return *names* over their columns, shortened to stand on one line."""
        theme, width = self._theme, self.moves.winfo_width()
        room = theme.px(35 - 13 - 1)
        rooms = (room, width - theme.px(6 + 35 + 1) if width > 1 else room)
        return "".join(
            f"\t{_fitted(name, theme, room)}" for name, room in zip(names, rooms, strict=True)
        )

    def _fit_about(self, is_needed: bool) -> None:
        """Keep room for four lines of explanation while there are marks to explain."""
        theme = self._theme
        space = theme.px(3)
        high = 4 * theme.body.metrics("linespace") + 2 * space if is_needed else 0
        wrap = max(theme.px(40), self.moves.winfo_width() - 2 * space)
        self._about.configure(padding=space, wraplength=wrap)
        self._about.master.rowconfigure(1, minsize=high)
        if is_needed:
            self._about.grid()
        else:
            self._about.grid_remove()

    # --- analysis ---

    def _make_analysis(self) -> ttk.Treeview:
        theme = self._theme
        space = theme.px(3)
        frame = ttk.Frame(self.tabs, style="Surface.TFrame", padding=space)
        self.tabs.add(frame, text="Analysis")
        self._analysis_frame = frame
        frame.columnconfigure(0, weight=1)
        frame.rowconfigure(1, weight=1)
        summary = self._summary = ttk.Label(
            frame, style="Surface.TLabel", wraplength=theme.px(58), justify=tk.LEFT
        )
        summary.bind("<Configure>", lambda event: summary.configure(wraplength=event.width))
        self._summary.grid(row=0, column=0, sticky="ew", pady=(0, space))
        tree = ttk.Treeview(
            frame,
            columns=("cell", "value", "belief"),
            show="headings",
            height=4,
            selectmode="browse",
        )
        for column, heading in (("cell", "Move"), ("value", "Best play"), ("belief", "")):
            tree.heading(column, text=heading, anchor="w")
            tree.column(column, anchor="w")
        tree.bind("<Configure>", lambda _: self._fit_columns(), add=True)
        tree.bind("<FocusIn>", lambda _: choose_first(tree))
        tree.bind("<FocusOut>", lambda _: tree.selection_set(()))
        tree.grid(row=1, column=0, sticky="nsew")
        return tree

    def _fit_columns(self) -> None:
        """Give each column the width of its longest text, and the last one what is left.

        There the owner's name is cut to fit.
        """
        theme, tree = self._theme, self.analysis
        used = 0
        for column, longest in (("cell", "Move"), ("value", "loses in 13")):
            heading = str(tree.heading(column, "text"))
            width = max(theme.strong.measure(text) for text in (longest, heading)) + theme.px(3)
            tree.column(column, width=width, minwidth=width, stretch=False)
            used += width
        left = max(theme.px(12), tree.winfo_width() - used)
        lengths = range(len(self._owner) - 1, 0, -1)
        names = [self._owner, *(f"{self._owner[:length].rstrip()}…" for length in lengths)]
        room = left - theme.px(3)
        fitting = next((name for name in names if theme.strong.measure(name) <= room), "")
        tree.heading("belief", text=fitting, anchor="w")
        tree.column("belief", width=left, minwidth=theme.px(8), stretch=True)

    def show_analysis(self, summary: str, rows: Sequence[AnalysisRow], owner: str) -> None:
        """Show one sentence on the position and the *rows*, best first; *owner* believes."""
        self._summary.configure(text=summary)
        tree = self.analysis
        chosen = tree.selection()
        tree.delete(*tree.get_children())
        has_beliefs = any(row.belief for row in rows)
        tree.configure(displaycolumns="#all" if has_beliefs else ("cell", "value"))
        self._owner = owner
        self._fit_columns()
        tree.tag_configure("best", font=self._theme.strong)
        for row in rows:
            tags = ("best",) if row.is_best else ()
            values = row.cell, row.value, row.belief
            tree.insert("", tk.END, row.cell, values=values, tags=tags)
        for cell in filter(tree.exists, chosen):
            tree.focus(cell)
            tree.selection_set(cell)


def _fitted(name: str, theme: Theme, room: int) -> str:
    """Return the start of *name* that fits *room* pixels in strong type, marked if it is cut."""
    starts = (f"{name[:length].rstrip()}…" for length in range(len(name) - 1, 0, -1))
    return next((text for text in (name, *starts) if theme.strong.measure(text) <= room), "…")
