"""Watching moves: a solution or a game that was played, forwards, backwards, at any speed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Middle
from textual.content import Content
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from ..board import Board, Move
from ..notation import write_moves
from .board_view import BoardView
from .drawing import ROW, arrange
from .widgets import Key, KeyBar, ScrubBar

SPEEDS = (0.5, 1, 2, 4, 8, 16, 32)
"""Moves in a second."""

_USUAL_SPEED = 3


class Playback:
    """Boards one after the other, one of which is to be seen."""

    def __init__(self, start: Board, moves: Iterable[Move]) -> None:
        self.moves = tuple(moves)
        self.boards = [start]
        for move in self.moves:
            self.boards.append(self.boards[-1].slide(move))
        self.place = 0
        self.is_playing = False
        self._speed = _USUAL_SPEED

    @property
    def last(self) -> int:
        return len(self.moves)

    @property
    def board(self) -> Board:
        return self.boards[self.place]

    @property
    def next_move(self) -> Move | None:
        return self.moves[self.place] if self.place < self.last else None

    @property
    def speed(self) -> float:
        return SPEEDS[self._speed]

    def go(self, place: int) -> None:
        """See another board; at the last one the film stops."""
        self.place = min(max(place, 0), self.last)
        self.is_playing = self.is_playing and self.place < self.last

    def toggle(self) -> None:
        """Play or pause; from the end it begins again."""
        if self.place == self.last:
            self.place = 0
        self.is_playing = not self.is_playing and self.last > 0

    def change_speed(self, by: int) -> None:
        self._speed = min(max(self._speed + by, 0), len(SPEEDS) - 1)


class WatchScreen(Screen[None]):
    """Plays moves from a board on."""

    DEFAULT_CSS = """
    WatchScreen { layout: vertical; }
    WatchScreen #stage { height: 1fr; align: center middle; }
    WatchScreen #words {
        height: 1; text-align: center; text-overflow: ellipsis; text-wrap: nowrap;
    }
    WatchScreen ScrubBar { margin: 0 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space,p", "play", "Play or pause"),
        Binding("left,a", "step(-1)", "Back"),
        Binding("right,d", "step(1)", "Forward"),
        Binding("pageup", "step(-10)", "10 back"),
        Binding("pagedown", "step(10)", "10 forward"),
        Binding("home", "go(0)", "To the start"),
        Binding("end", "end", "To the end"),
        Binding("up,w,plus,equals_sign", "speed(1)", "Faster"),
        Binding("down,s,minus", "speed(-1)", "Slower"),
        Binding("escape,q,enter,g", "leave", "Back to the game"),
    ]

    def __init__(
        self,
        start: Board,
        goal: Board,
        moves: Iterable[Move],
        *,
        title: str,
        direction: str = "tile",
        scheme: str = "plain",
        playing: bool = True,
    ) -> None:
        super().__init__()
        self.film = Playback(start, moves)
        self.goal = goal
        self.heading = title
        self.direction = direction
        self.view = BoardView(start, goal, scheme=scheme)
        self.bar = ScrubBar(self.film.last)
        self._starts_playing = playing
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        with Middle(id="stage"), Center():
            yield self.view
        yield Static(id="words")
        yield self.bar
        yield KeyBar(
            [
                Key("space", "play/pause", "play"),
                Key("←", "back", "step(-1)", 1),
                Key("→", "on", "step(1)", 1),
                Key("↑", "faster", "speed(1)", 3),
                Key("↓", "slower", "speed(-1)", 3),
                Key("home", "start", "go(0)", 4),
                Key("end", "end", "end", 4),
                Key("esc", "leave", "leave"),
            ]
        )

    def on_mount(self) -> None:
        if self._starts_playing:
            self.film.toggle()
        self._follow()

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        width, height = self.size
        layout = arrange(self.film.board.shape, width, height, panels=(ROW,))
        self.view.display = layout.size is not None
        self.view.show(
            self.film.board, size=layout.size, hint=self.film.next_move, framed=layout.framed
        )
        self.bar.show(self.film.place)
        columns, rows = layout.needs
        small = Content(f"no room: this needs {columns} columns × {rows} rows")
        words = self._words() if layout.size else small
        self.query_one("#words", Static).update(words, layout=False)

    def _words(self) -> Content:
        film = self.film
        state = f"{film.speed:g} moves a second" if film.is_playing else "paused"
        made = write_moves(film.moves[film.place - 1 : film.place], "words", moves=self.direction)
        tile = film.boards[film.place - 1].tiles[film.board.blank] if film.place else 0
        last = f" · {tile} {made}" if film.place else ""
        return Content.assemble(
            (self.heading, "bold"), f" · {film.place} of {film.last}{last} · ", (state, "$faint")
        )

    def _follow(self) -> None:
        """Show where the film is, and see to it that it runs on if it is playing."""
        if self._timer is not None:
            self._timer.stop()
        if self.film.is_playing:
            self._timer = self.set_timer(1 / self.film.speed, self._tick)
        self._show()

    def _tick(self) -> None:
        self.film.go(self.film.place + 1)
        self._follow()

    def action_play(self) -> None:
        self.film.toggle()
        self._follow()

    def action_step(self, by: int) -> None:
        self.film.is_playing = False
        self.film.go(self.film.place + by)
        self._follow()

    def action_go(self, place: int) -> None:
        self.film.is_playing = False
        self.film.go(place)
        self._follow()

    def action_end(self) -> None:
        self.action_go(self.film.last)

    def action_speed(self, by: int) -> None:
        self.film.change_speed(by)
        self._follow()

    def on_scrub_bar_moved(self, event: ScrubBar.Moved) -> None:
        self.action_go(event.place)

    def action_leave(self) -> None:
        self.film.is_playing = False
        self._follow()
        self.dismiss()
