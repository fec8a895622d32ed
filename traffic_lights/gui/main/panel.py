"""The panel at the right: what the board shows of every move, the moves, and their verdicts."""

import tkinter as tk
from collections.abc import Callable, Sequence
from functools import partial
from tkinter import ttk
from typing import Any, Final, NamedTuple

from traffic_lights.board.rules import format_cell, mover
from traffic_lights.gui.kit.widgets import put, stretch, take_away, wrapping
from traffic_lights.gui.main.cards import shown_name
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.graph import GameGraph, bars_of, seat_up
from traffic_lights.play import texts
from traffic_lights.play.mode import Sheet
from traffic_lights.play.modes.looking_back import go_to
from traffic_lights.play.session import Session
from traffic_lights.play.userdata import CHOICES
from traffic_lights.play.verdicts import LEARNED, MISTAKES

_LINES: Final = 4
"""The lines that are kept for the text of a move, if moves have one."""
_SPACING: Final = 0.75
"""The room above and below each row of the list, in steps of 4 pixels at 96 dpi."""
_FIRST_COLUMN: Final = 13
"""Where the moves of the first player stand, in steps of 4 pixels at 96 dpi."""
_NUMBER: Final = 4
"""Where the rows of a sheet stand that have numbers, in the same steps."""
GRAPH_NEEDS: Final = 27
"""In a panel of fewer lines of text, the list of moves needs all the room."""

MADE: Final = "made"
CURRENT: Final = "current"
BACK: Final = "back"
"""The kinds of a listed move: made, on the board, and taken back."""


class ListedMove(NamedTuple):
    """One move as the list shows it."""

    number: int
    """Which move of the game it is, from 1."""
    text: str
    """The cell, and the mark of the move if it may be shown: ``b2??``."""
    kind: str
    verdict: str
    """The sentence about it; empty if it may not be shown."""


def listed_moves(session: Session) -> list[ListedMove]:
    """Return the moves made and those taken back."""
    if not session.mode.is_of_game:
        return []
    game = session.game
    made = len(game.actions)
    moves: list[ListedMove] = []
    for number, action in enumerate((*game.actions, *session.history.taken_back), 1):
        verdict = session.shown_verdict(number)
        kind = MADE
        if number > made:
            kind = BACK
        elif number == session.mode.index:
            kind = CURRENT
        mark = verdict.mark if verdict else ""
        sentence = texts.judged_text(verdict, game.players) if verdict else ""
        moves.append(ListedMove(number, format_cell(action) + mark, kind, sentence))
    return moves


def texts_at(moves: Sequence[ListedMove], session: Session) -> str:
    """Return the verdict on the move that led to the board, and on the player's before a reply.

    A mistake that the message names already is left out.
    """
    mode = session.mode
    current = mode.index
    human = session.only_human

    def seat(number: int) -> int:
        return (mover(session.game.start) + number - 1) % 2

    said = ""
    if mode.mistake is not None and not mode.detail():
        said = texts.judged_text(mode.mistake, session.players)
    is_reply = human is not None and seat(current) != human
    first = current - 2 if is_reply else current - 1
    lines: list[str] = []
    for move in moves[max(0, first) : current]:
        if move.verdict and move.verdict != said:
            name = texts.seat_name(session.players, seat(move.number))
            lines.append(f"{texts.sentence(name)}: {move.verdict}" if is_reply else move.verdict)
    return "\n".join(lines)


def column_widths(room: int, one: int, other: int, *, least: int) -> tuple[int, int]:
    """Return the widths of two columns that together have *room*, and would need *one* and *other*.

    Each gets at least *least* for its moves, and what the other does not need.

    >>> column_widths(200, 40, 90, least=50), column_widths(200, 40, 140, least=50)
    ((100, 100), (60, 140))
    >>> column_widths(200, 190, 60, least=50), column_widths(200, 190, 180, least=50)
    ((140, 60), (100, 100))
    """
    half = min(room // 2, 3 * least)  # in a wide panel, the moves of a round stay close
    first = half
    if one > half >= other:
        first = min(one, room - other)
    elif other > half >= one:
        first = max(one, room - other)
    first = max(first, least)
    return first, max(room - first, least)


class SidePanel(ttk.Frame):
    """The switch "Show", its legend, the list of moves and the text of the move on the board."""

    def __init__(self, parent: tk.Misc, context: Context, run: Callable[[str], object]) -> None:
        super().__init__(parent)
        self._context = context
        self._run = run
        stretch(self, row=2)
        self._value = tk.StringVar(self)
        self._switch = put(ttk.Frame(self), row=0, sticky="ew")
        self._label = put(ttk.Label(self._switch, text="Show  "), row=0)
        self.switches = {
            show: ttk.Radiobutton(
                self._switch, text=text, value=show, variable=self._value,
                style="Switch.Toolbutton", command=partial(context.change, shown=show),
            )
            for show, text in CHOICES["shown"].items()
        }  # fmt: skip
        self._kept: object = None
        """What the room of the legend was kept for."""
        self._high = 0
        """The height of that room."""
        self.legend = put(wrapping(ttk.Label(self, style="Muted.TLabel")), row=1, sticky="ew")
        self._frame = put(ttk.Frame(self, style="Surface.TFrame"), row=2, sticky="nsew")
        stretch(self._frame)
        self._list = put(ttk.Frame(self._frame, style="Surface.TFrame"), row=0, sticky="nsew")
        self._list.grid_propagate(False)  # its height follows from the other parts
        stretch(self._list, row=1)
        look: dict[str, Any] = {"width": 1, "height": 1, "cursor": "arrow", "state": tk.DISABLED}
        self.head = put(tk.Text(self._list, takefocus=0, wrap=tk.NONE, **look), sticky="ew")
        """What stands over the columns of the list, also while that is scrolled."""
        moves = tk.Text(self._list, takefocus=1, wrap=tk.WORD, **look)
        self.moves = put(moves, row=1, sticky="nsew")
        bar = ttk.Scrollbar(self._list, style="Surface.Vertical.TScrollbar", command=moves.yview)
        self._bar = bar
        put(self._bar, row=1, column=1, sticky="ns")
        moves.configure(yscrollcommand=self._scrolled)
        self._list.bind("<Configure>", lambda _: self._fit_rows())
        self.graph = put(GameGraph(self._frame, context.theme, self._go_to), row=1, sticky="ew")
        about = wrapping(ttk.Label(self._frame, style="Surface.TLabel"))
        self.text = put(about, row=2, sticky="new")
        for key, steps in (("Up", -1), ("Left", -1), ("Down", 1), ("Right", 1)):
            moves.bind(f"<{key}>", partial(self._step, steps))
        # Text has its own bindings for a selection, which would fight the clicks.
        for event in ("<B1-Motion>", "<Double-1>", "<Triple-1>", "<<Selection>>"):
            moves.bind(event, lambda _: "break")
        moves.bind("<Button-1>", lambda event: self._clicked(event.x, event.y))
        for widget in (self, moves):  # the list gets its width after the panel
            widget.bind("<Configure>", lambda _: self._fit_texts())

    def _clicked(self, x: int, y: int) -> None:
        tags = self.moves.tag_names(f"@{x},{y}")
        number = next((int(tag) for tag in tags if tag.isdigit()), 0)
        session = self._context.session
        if number and not session.mode.is_of_game:
            self._choose_row(number - 1)
        elif number > len(session.game.actions):
            self._context.say("This move was taken back: Redo plays it again.")
        elif number:
            self._go_to(number)

    def _step(self, steps: int, _: object) -> str:
        """Go to the move or to the row of a sheet so many *steps* further."""
        mode = self._context.session.mode
        sheet = mode.sheet(self._context.userdata.puzzles)
        if sheet is None:
            self._run("next" if steps > 0 else "previous")
        elif sheet.chosen is not None and sheet.chosen + steps in range(len(sheet.rows)):
            self._choose_row(sheet.chosen + steps)
        return "break"

    def _choose_row(self, number: int) -> None:
        self._context.session.mode.choose_row(number)
        self._context.changed()

    def _go_to(self, index: int) -> None:
        go_to(self._context.session, index)
        self._context.changed()

    def _fit_texts(self) -> None:
        theme = self._context.theme
        space = self._context.theme.px(3)
        self.legend.configure(padding=(0, theme.px(1.5)))
        self.text.grid_configure(padx=space, pady=space)
        self.show(str(self.legend.cget("text")))

    def _fit_rows(self) -> None:
        """Show whole rows, and leave what is too low for one more free below them."""
        theme = self._context.theme
        free = self._list.winfo_height() - self.head.winfo_reqheight() - 2 * theme.ring
        row = theme.body.metrics("linespace") + 2 * theme.px(_SPACING)
        self._list.rowconfigure(2, minsize=free % row if free > row else 0)

    def _scrolled(self, first: float, last: float) -> None:
        self._bar.set(first, last)
        self.moves.after_idle(self._see_whole_rows)

    def _see_whole_rows(self) -> None:
        """Show the first row as a whole; the wheel scrolls by pixels."""
        place = self.moves.dlineinfo("@0,0")
        if place is not None and place[1] < self._context.theme.ring:
            self.moves.yview("@0,0")

    def _show_text(self, text: str, *, keeps_room: bool) -> None:
        """Show *text* under the list, in a room that has a fixed height if it *keeps_room*."""
        theme = self._context.theme
        high = _LINES * theme.body.metrics("linespace") + 2 * theme.px(3)
        least = min(high, self.winfo_height() // 2) if keeps_room else 0
        self._frame.rowconfigure(2, minsize=least)
        self.text.configure(text=text)
        self.text.grid() if text or keeps_room else self.text.grid_remove()

    def retheme(self) -> None:
        """Take the colours and fonts of the theme."""
        theme = self._context.theme
        c = self._context.theme.colours
        text = self.moves
        space = theme.px(_SPACING)
        for part in (self.head, text):
            part.configure(
                padx=theme.px(3), pady=0, spacing1=space, spacing3=space,
                selectbackground=c.surface, selectforeground=c.text,
                inactiveselectbackground=c.surface,
            )  # fmt: skip
        self.head.configure(font=theme.strong, foreground=c.muted, pady=theme.px(1))
        for tag in ("number", BACK):
            text.tag_configure(tag, foreground=c.muted)
        self._fit_rows()
        self.graph.retheme()
        text.tag_configure(CURRENT, background=c.accent, foreground=c.on_accent)
        self._fit_texts()

    def show(self, legend: str) -> None:
        """Show the moves made and those taken back, and *legend* for the values on the board."""
        session = self._context.session
        self._show_switch()
        self._show_legend(legend)
        self._show_graph()
        sheet = session.mode.sheet(self._context.userdata.puzzles)
        if sheet is not None:
            self._show_sheet(sheet)
            return
        moves = listed_moves(session)
        self._insert(moves, mover(session.game.start))
        has_verdicts = any(move.verdict for move in moves)
        self._show_text(texts_at(moves, session), keeps_room=has_verdicts)

    def _show_legend(self, text: str) -> None:
        """Show *text* over the list, which must not jump because of a shorter one at each move."""
        self.legend.configure(text=text)
        kept = (
            bool(text),
            self._context.session.wanted_values(),
            str(self.legend.cget("wraplength")),
        )
        least = self._high if kept == self._kept else 0
        self._kept = kept
        self._high = max(least, self.legend.winfo_reqheight())
        self.rowconfigure(1, minsize=self._high)

    def _show_switch(self) -> None:
        """Show which choice holds; "Learned" is there while a trained bot plays.

        A puzzle or a lesson has no moves to show anything of.
        """
        has_learned = self._context.has_trained_bot
        show = self._context.session.wanted_values()
        self._value.set(show if has_learned or show != LEARNED else MISTAKES)
        if not self._context.session.mode.has_players:
            take_away(self._switch, self._context.window.board)
            return
        shown = [button for name, button in self.switches.items() if name != LEARNED or has_learned]
        needed = sum(widget.winfo_reqwidth() for widget in (self._label, *shown))
        in_a_row = len(shown) if needed <= self.winfo_width() else 2
        for place, button in enumerate(shown):
            row, column = divmod(place, in_a_row)
            button.grid(row=row, column=1 + column, sticky="ew")
        for column in range(1, len(self.switches) + 1):
            self._switch.columnconfigure(column, weight=int(column <= in_a_row))
        if not has_learned:
            take_away(self.switches[LEARNED], self._context.window.board)
        self._switch.grid()

    def _show_graph(self) -> None:
        """Show the graph if it may be shown and there is room for it under the list."""
        session = self._context.session
        bars = bars_of(session)
        lines = self.winfo_height() // self._context.theme.body.metrics("linespace")
        if bars and lines >= GRAPH_NEEDS:
            players = session.players
            up = seat_up(session)
            names = shown_name(players, up), shown_name(players, 1 - up)
            self.graph.show(bars, names, session.mode.index)
            self.graph.grid()
        else:
            take_away(self.graph, self._context.window.board)

    def _insert(self, moves: Sequence[ListedMove], first: int) -> None:
        """Write *moves* into the list, in rounds; seat *first* made the first of them."""
        text = self._begin_list(self._heading())
        for move in moves:
            line = "" if move.number == 1 else "\n"
            if (first + move.number) % 2:
                text.insert(tk.END, f"{line}{move.number}–{move.number + 1}", "number")
            elif move.number == 1:
                text.insert(tk.END, "1\t…", "number")
            text.insert(tk.END, "\t", MADE, f" {move.text} ", (str(move.number), move.kind))
        if not moves:
            text.insert(tk.END, "No move yet.", "number")
        text.configure(state=tk.DISABLED)
        has_current = any(move.kind == CURRENT for move in moves)
        text.see(f"{CURRENT}.first" if has_current else tk.END)

    def _begin_list(self, head: str) -> tk.Text:
        """Return the list, empty, with *head* over it, ready for what is to be written."""
        for part in (self.head, self.moves):
            part.configure(state=tk.NORMAL)
            part.delete("1.0", tk.END)
        self.head.insert(tk.END, head)
        self.head.configure(state=tk.DISABLED)
        return self.moves

    def _show_sheet(self, sheet: Sheet) -> None:
        """Show *sheet* in place of the moves; its rows have numbers if a click chooses one."""
        is_numbered = sheet.chosen is not None
        indent = "\t" if is_numbered else ""
        text = self._begin_list(indent + sheet.title)
        for part in (self.head, text):
            part.configure(tabs=self._context.theme.px(_NUMBER))
        for number, row in enumerate(sheet.rows):
            line = "\n" if number else ""
            if not is_numbered:
                text.insert(tk.END, line + row, MADE)
                continue
            text.insert(tk.END, f"{line}{number + 1}\t", "number")
            kind = CURRENT if number == sheet.chosen else MADE
            text.insert(tk.END, f" {row} ", (str(number + 1), kind))
        text.configure(state=tk.DISABLED)
        self._show_text("Done returns to your game.", keeps_room=False)

    def _heading(self) -> str:
        """Return the names of the players over their columns, which get the width they need.

        A name that is too long has the number of its player instead, as on the cards.
        """
        theme = self._context.theme
        measure = self._context.theme.strong.measure
        gap = theme.px(3)
        first = theme.px(_FIRST_COLUMN)
        room = max(0, self.moves.winfo_width() - 2 * theme.px(3) - first)

        def widths(names: Sequence[str]) -> tuple[int, int]:
            one, other = (measure(name) + gap for name in names)
            return column_widths(room, one, other, least=theme.px(14))

        names = [shown_name(self._context.session.players, seat) for seat in (0, 1)]
        for seat, width in enumerate(widths(names)):
            if measure(names[seat]) + gap > width:
                names[seat] = f"Player {seat + 1}"
        for part in (self.head, self.moves):
            part.configure(tabs=(first, first + widths(names)[0]))
        return "".join(f"\t{name}" for name in names)
