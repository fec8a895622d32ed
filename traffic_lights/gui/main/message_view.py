"""The state of the game over the board, the text under it, and the button that answers it."""

import tkinter as tk
from functools import partial
from tkinter import ttk

from traffic_lights.gui.kit.widgets import paragraph, show_if
from traffic_lights.gui.main.context import Context
from traffic_lights.gui.main.explain import play_out
from traffic_lights.gui.main.messages import Message
from traffic_lights.play import texts
from traffic_lights.play.view import view
from traffic_lights.storage.words import fitted


class MessageView(ttk.Frame):
    """Shows what was reported last, or about the state of the game."""

    def __init__(self, parent: tk.Misc, context: Context) -> None:
        super().__init__(parent)
        self._context = context
        self._shown = Message()
        self._width = 0
        self.bind("<Configure>", lambda event: self._resized(event.width))
        self.columnconfigure(0, weight=1)
        self.heading = paragraph(self, "Title.TLabel", columnspan=2)
        self.detail = paragraph(self, sticky="new")
        # The button keeps its command: one that is set again leaves the old one in Tk's memory.
        self.answer = ttk.Button(self, command=lambda: self._shown.act())
        self.answer.grid(row=1, column=1, sticky="ne")

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
        self._shown = shown = self._now()
        self.answer.configure(text=shown.answer)
        show_if(shown.answer, self.answer, self._context.window.board)
        is_long = theme.title.measure(shown.heading) > 0.97 * self._width
        style = "Strong.TLabel" if is_long else "Title.TLabel"
        self.heading.configure(text=shown.heading, style=style)
        text = shown.text
        if self._width and self._context.session.now.is_over:
            # The list of all mistakes of a game may be long.
            text = fitted(text, theme.body.measure, (self._lines - 0.2) * self._width)
        self.detail.configure(text=reason or text)

    def _now(self) -> Message:
        """Return what is shown: what was reported, or the state of the game."""
        context = self._context
        now = context.session.now
        shown = view(context.session)
        message = context.shown
        if message.text:
            return message._replace(heading=message.heading or shown.heading)
        state = Message(shown.detail, heading=shown.heading)
        is_first = now.is_end and now.is_your_turn and len(now.game.actions) < 2
        if is_first and not context.userdata.saved.opponents:
            state = state._replace(text=texts.FIRST_MOVE)
        if shown.mistake is not None:
            text = state.text or texts.judged_text(shown.mistake, now.game.players)
            act = partial(play_out, context, shown.mistake)
            return state._replace(text=text, answer="Why?", act=act)
        if shown.solution is not None:
            act = partial(play_out, context, shown.solution)
            return state._replace(answer="Show How", act=act)
        return state
