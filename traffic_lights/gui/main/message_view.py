"""The state of the game over the board, the text under it, and the buttons that answer it."""

import tkinter as tk
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import put, show_words
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import play_out
from traffic_lights.gui.main.layout import Layout
from traffic_lights.gui.main.messages import Choice
from traffic_lights.play import texts
from traffic_lights.storage.words import fitted


class MessageView(ttk.Frame):
    """Shows what was reported last, or about the state of the game."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._layout: Layout | None = None
        """How high the lines are; None before the first arrangement."""
        self._choices: tuple[Choice, ...] = ()
        """The answers to the message that is shown."""
        self.columnconfigure(0, weight=1)
        self.grid_propagate(False)  # a long text must not move the board
        self.bind("<Configure>", lambda _: self.draw())
        self.heading = put(ttk.Label(self, anchor="w", width=1), row=0, sticky="ew")
        self.detail = put(ttk.Label(self, anchor="nw", width=1), row=1, sticky="new")
        # All buttons keep their commands: one that is set again leaves the old one in Tk's memory.
        self.answers = [ttk.Button(self, command=partial(self._answer, n)) for n in (0, 1)]

    def arrange(self, layout: Layout) -> None:
        """Take the height of the lines from *layout*."""
        self._layout = layout
        self.configure(height=layout.message)

    def draw(self, reason: str = "") -> None:
        """Show the state of the game, and *reason*, what was reported last, or about the state."""
        theme = self._context.theme
        heading, detail, self._choices = self._now()
        room = self.winfo_width() - theme.px(1)
        gap = theme.px(2)
        board = self._context.window.board
        for place, button in enumerate(self.answers):
            text = self._choices[place][0] if place < len(self._choices) else ""
            where = {"row": 0, "column": 1 + place, "rowspan": 2, "sticky": "ne", "padx": (gap, 0)}
            show_words(button, text, board, where)
            if text:
                room -= button.winfo_reqwidth() + gap
        style = "Title.TLabel"
        if theme.title.measure(heading) > room:
            style = "Strong.TLabel"
            if theme.strong.measure(heading) > room:  # the detail tells the rest, too
                heading = heading.partition(". ")[0]
        room = max(1, room)
        self.heading.configure(text=heading, style=style, wraplength=room)
        self.detail.configure(text=reason or detail, wraplength=room)
        self._fit()

    def _now(self) -> tuple[str, str, tuple[Choice, ...]]:
        """Return the heading, the text under it, and the buttons that answer it."""
        context = self._context
        session = self._context.session
        message = self._context.messages.shown
        heading = session.mode.heading()
        detail = self._state_detail()
        if message.text:
            return message.heading or heading, message.text, message.choices
        mistake = session.mode.mistake
        if mistake is not None:
            detail = detail or texts.judged_text(mistake, session.players)
            return heading, detail, (("Why?", partial(play_out, context, mistake)),)
        solution = session.mode.solution
        if solution is not None:
            return heading, detail, (("Show How", partial(play_out, context, solution)),)
        return heading, detail, ()

    def _state_detail(self) -> str:
        """Return what there is to say about the state of the game, in two lines."""
        session = self._context.session
        detail = session.mode.detail()
        if session.shows_result:
            measure = self._context.theme.body.measure
            two_lines = 1.8 * self.winfo_width()
            if measure(detail) >= two_lines:
                why = texts.counted_text(session.game)
                return fitted(f"{why} {session.mistakes_text()}".strip(), measure, two_lines)
        elif session.is_your_turn and len(session.game.actions) < 2:
            return "" if self._context.userdata.records() else texts.FIRST_MOVE
        return detail

    def _fit(self) -> None:
        """Give a text of more lines than usual the room of a large heading.

        Only one that is longer still moves the board, because no word of it may be lost.
        """
        if self._layout is None:
            return
        first = self._layout.heading
        needed = self.detail.winfo_reqheight()
        if first + needed > self._layout.message:
            self.heading.configure(style="Strong.TLabel")
            first = self.heading.winfo_reqheight()
        self.rowconfigure(0, minsize=first)
        self.configure(height=max(self._layout.message, first + needed))

    def _answer(self, place: int) -> None:
        self._choices[place][1]()
