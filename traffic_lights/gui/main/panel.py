"""The panel at the right: what the board shows of every move, the moves, and the graph."""

import tkinter as tk
from collections.abc import Mapping
from functools import partial
from tkinter import ttk

from traffic_lights.board.rules import format_cell, mover
from traffic_lights.gui.kit.widgets import add_bar, paragraph, put, show_if, stretch
from traffic_lights.gui.main.cards import shown_name
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.graph import Graph
from traffic_lights.gui.main.seats import has_trained_bot
from traffic_lights.play import texts
from traffic_lights.play.session import Session
from traffic_lights.play.settings import CHOICES
from traffic_lights.play.verdicts import LEARNED, MISTAKES
from traffic_lights.play.view import View, bars_of, view
from traffic_lights.storage.words import fitted


def texts_at(session: Session, shown: View) -> str:
    """Return the verdict on the move that led to the board, and on the player's before a reply.

    A mistake that the message names already is left out.
    """
    now = session.now
    last = 1 - now.mover
    is_reply = now.only_human == 1 - last
    lines = []
    for number in (now.at - 1, now.at)[not is_reply :]:
        verdict = session.shown_verdict(number)
        is_said = number == now.at and shown.mistake is not None and not shown.detail
        if verdict is not None and not is_said:
            name = texts.seat_name(now.game.players, mover(verdict.state))
            judged = texts.judged_text(verdict, now.game.players)
            lines.append(f"{texts.sentence(name)}: {judged}" if is_reply else judged)
    return "\n".join(lines)


class SidePanel(ttk.Frame):
    """The switch "Show", its legend, the list of moves and the text of the move on the board."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        gap = context.theme.px(2)
        stretch(self, row=2)
        self._value = tk.StringVar(self)
        self._switch = put(ttk.Frame(self), row=0, sticky="ew")
        self.switches = {
            show: ttk.Radiobutton(
                self._switch, text=text, value=show, variable=self._value,
                style="Toolbutton", command=partial(context.change, shown=show),
            )
            for show, text in CHOICES["shown"].items()
        }  # fmt: skip
        put(ttk.Label(self._switch, text="Show"), padx=(0, gap))
        self._switch.columnconfigure((1, 2), weight=1)
        self.legend = paragraph(self, "Muted.TLabel", row=1, pady=gap)
        self.body = put(ttk.Frame(self, style="Surface.TFrame"), row=2, sticky="nsew")
        stretch(self.body)
        self.rows = ttk.Treeview(
            self.body, columns=("0", "1"), selectmode="browse", height=3, style="Panel.Treeview"
        )
        put(self.rows, sticky="nsew")
        add_bar(self.rows, style="Panel.Vertical.TScrollbar")
        self.rows.bind("<<TreeviewSelect>>", lambda _: self._selected())
        self.rows.bind("<Configure>", lambda _: self._resized())
        self._headings: Mapping[str, str] = {}
        graph = Graph(self.body, context.theme, self._go)
        below = {"columnspan": 10, "sticky": "ew", "padx": gap, "pady": gap}
        self.graph = put(graph, row=1, **below)
        self.text = paragraph(self.body, "Surface.TLabel", "", row=2, **below)
        self.bind("<Configure>", lambda _: self._show_switch())

    def _selected(self) -> None:
        """Go to the move or the row of a sheet that was chosen."""
        session = self._context.session
        sheet = view(session).sheet
        for number in map(int, self.rows.selection()):
            if sheet is None:
                self._go(number)
            elif sheet.chosen not in (None, number):
                session.step(number - session.now.number)
                self._context.changed()

    def _go(self, number: int) -> None:
        session = self._context.session
        if number != session.now.at:
            session.go_to(number)
            self._context.changed()

    def show(self, shown: View, legend: str) -> None:
        """Show the moves of the game or what is *shown* instead, and *legend* for the values."""
        context = self._context
        session = context.session
        now = session.now
        self._show_switch()
        self.legend.configure(text=legend)
        show_if(legend, self.legend, context.window.board)
        self.rows.delete(*self.rows.get_children())
        self.rows.tag_configure("back", foreground=context.theme.colours.disabled)
        names = [shown_name(now.game.players, seat) for seat in (0, 1)]
        sheet = shown.sheet
        bars = bars_of(session) if now.shows_moves else []
        self.graph.show(bars, (names[now.up], names[1 - now.up]), now.at)
        show_if(bars, self.graph, context.window.board)
        if sheet is not None:
            self._head({"#0": sheet.title})
            for number, row in enumerate(sheet.rows):
                self.rows.insert("", tk.END, str(number), text=row)
            self._choose(sheet.chosen)
            text = sheet.text
        else:
            self._head({"#0": "", "0": names[0], "1": names[1]})
            text = texts_at(session, shown)
            if now.shows_moves:
                self._fill()
                if not now.game.actions:
                    self.rows.insert("", tk.END, "0", values=("No move yet", ""))
        self.text.configure(text=text)

    def _fill(self) -> None:
        """List the moves of the game; those after the position on the board are grey."""
        session = self._context.session
        now = session.now
        first = mover(now.game.start)
        for number, action in enumerate(now.game.actions, 1):
            verdict = session.shown_verdict(number)
            cells = ["", ""]
            cells[(first + number + 1) % 2] = format_cell(action) + (
                verdict.mark if verdict else ""
            )
            tags = ("back",) if number > now.at else ()
            self.rows.insert("", tk.END, str(number), text=str(number), values=cells, tags=tags)
        self._choose(now.at or None)

    def _head(self, headings: Mapping[str, str]) -> None:
        """Have the columns of *headings*; the first has numbers, unless it is the only one."""
        self._headings = headings
        self.rows.configure(displaycolumns=[name for name in headings if name != "#0"])
        self._fit_columns()

    def _fit_columns(self) -> None:
        """Share the width between the columns, and write so much of the headings as has room."""
        theme = self._context.theme
        narrow = theme.px(12)
        whole = self.rows.winfo_width()
        for column, heading in self._headings.items():
            if column == "#0":
                width = narrow if len(self._headings) > 1 else whole
            else:
                width = max(theme.px(20), (whole - narrow) // 2)
                heading = fitted(heading, theme.strong.measure, width - theme.px(2))
            self.rows.heading(column, text=heading, anchor="w")
            self.rows.column(column, width=width, stretch=False)

    def _resized(self) -> None:
        """Fit the columns to the width, and scroll to the chosen row once it has its place."""
        self._fit_columns()
        self.after_idle(self._see)

    def _see(self) -> None:
        self.rows.see(self.rows.focus())

    def _choose(self, row: int | None) -> None:
        if row is not None and self.rows.exists(str(row)):
            self.rows.selection_set(str(row))
            self.rows.focus(str(row))
            self._see()

    def _show_switch(self) -> None:
        """Show which choice holds; "Learned" is there while a trained bot plays.

        A puzzle or a lesson has no moves to show anything of.
        """
        context = self._context
        has_learned = has_trained_bot(context)
        show = context.session.wanted_values()
        self._value.set(show if has_learned or show != LEARNED else MISTAKES)
        show_if(context.session.now.has_players, self._switch, context.window.board)
        three = [*self.switches.values()][:3]
        needed = sum(one.winfo_reqwidth() for one in (*self._switch.grid_slaves(column=0), *three))
        # A panel that was not shown yet is one pixel wide.
        is_narrow = 1 < self.winfo_width() < needed + context.theme.px(4)
        columns = 2 if has_learned or is_narrow else 3
        for place, button in enumerate(self.switches.values()):
            button.grid(row=place // columns, column=1 + place % columns, sticky="ew")
        self._switch.columnconfigure(3, weight=columns - 2)
        show_if(has_learned, self.switches[LEARNED], context.window.board)
