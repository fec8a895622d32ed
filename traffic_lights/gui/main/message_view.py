"""The state of the game over the board, the text under it, and the buttons that answer it."""

import tkinter as tk
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import paragraph, show_if
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import play_out
from traffic_lights.gui.main.messages import Choice
from traffic_lights.play import texts
from traffic_lights.play.view import view
from traffic_lights.storage.words import fitted


class MessageView(ttk.Frame):
    """Shows what was reported last, or about the state of the game."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._choices: tuple[Choice, ...] = ()
        """The answers to the message that is shown."""
        self._width = 0
        self.bind("<Configure>", lambda event: self._resized(event.width))
        self.columnconfigure(0, weight=1)
        self.heading = paragraph(self, "Title.TLabel", columnspan=3)
        self.detail = paragraph(self, sticky="new")
        # All buttons keep their commands: one that is set again leaves the old one in Tk's memory.
        self.answers = [ttk.Button(self, command=partial(self._answer, n)) for n in (0, 1)]
        for place, button in enumerate(self.answers, start=1):
            button.grid(row=1, column=place, sticky="ne")

    def _resized(self, width: int) -> None:
        if width != self._width:
            self._width = width
            self.draw()

    @property
    def _lines(self) -> int:
        """The lines of text that have their room: two, or three short ones."""
        return 2 if self._width > self._context.theme.px(105) else 3

    @property
    def least(self) -> int:
        """The height that it always has, so that the board seldom moves."""
        return sum(self._heights)

    @property
    def _heights(self) -> tuple[int, int]:
        """The least heights of the heading and of the text."""
        theme = self._context.theme
        title, line = (font.metrics("linespace") for font in (theme.title, theme.body))
        return title + theme.px(0.5), self._lines * line + theme.px(0.5)

    def draw(self, reason: str = "") -> None:
        """Show the state of the game, and *reason*, what was reported last, or about the state."""
        theme = self._context.theme
        for row, height in enumerate(self._heights):
            self.rowconfigure(row, minsize=height)
        heading, detail, self._choices = self._now()
        for place, button in enumerate(self.answers):
            words = [text for text, _ in self._choices[place : place + 1]]
            button.configure(text="".join(words))
            show_if(words, button, self._context.window.board)
        is_long = theme.title.measure(heading) > 0.97 * self._width
        style = "Strong.TLabel" if is_long else "Title.TLabel"
        self.heading.configure(text=heading, style=style)
        if self._width and self._context.session.now.is_over:
            # The list of all mistakes of a game may be long.
            detail = fitted(detail, theme.body.measure, (self._lines - 0.2) * self._width)
        self.detail.configure(text=reason or detail)

    def _now(self) -> tuple[str, str, tuple[Choice, ...]]:
        """Return the heading, the text under it, and the buttons that answer it."""
        context = self._context
        now = context.session.now
        shown = view(context.session)
        message = context.messages.shown
        if message.text:
            return message.heading or shown.heading, message.text, message.choices
        detail = shown.detail
        is_first = now.is_end and now.is_your_turn and len(now.game.actions) < 2
        if is_first and not context.userdata.saved.opponents:
            detail = texts.FIRST_MOVE
        if shown.mistake is not None:
            detail = detail or texts.judged_text(shown.mistake, now.game.players)
            return shown.heading, detail, (("Why?", partial(play_out, context, shown.mistake)),)
        if shown.solution is not None:
            show_how = partial(play_out, context, shown.solution)
            return shown.heading, detail, (("Show How", show_how),)
        return shown.heading, detail, ()

    def _answer(self, place: int) -> None:
        self._choices[place][1]()
