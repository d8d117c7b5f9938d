"""`taquin replay`: play a saved game, in the terminal or as a film."""

from __future__ import annotations

import os
import re
import select
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .cli_options import OK, export_options, goal_option, read_replay, speed_option

if TYPE_CHECKING:
    from .animation import Film
    from .board import Board
    from .replay import Replay


@click.command()
@click.argument("game", nargs=-1, required=True, metavar="GAME")
@goal_option
@speed_option
@click.option(
    "--max-pause",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Cut longer pauses to this.",
)
@click.option("--step", is_flag=True, help="Go from board to board by key.")
@export_options("a film of the game instead")
def replay(
    game: tuple[str, ...],
    goal: str | None,
    speed: float,
    max_pause: float | None,
    step: bool,
    export: Path | None,
    scheme: str,
    dark: bool,
) -> int:
    """Play a saved game again, at the player's own pace.

    GAME is a replay ("1 2 3/4 5 6/0 7 8;L2;0,480": the first board, the moves, and their times in
    milliseconds), its JSON, a slidysim link, a file with one of these, - for standard input, or the
    id of a recorded game (last: the last one). In a pipe every board is printed with its time.
    """
    from . import report, sharing
    from .animation import Film

    played = read_replay(game, goal)
    film = Film(played, speed=speed, max_pause=max_pause)
    if export is not None:
        sharing.export(played, export, scheme=scheme, dark=dark, speed=speed, max_pause=max_pause)
        return OK
    with _Screen(film) as screen:
        if not screen.fits:
            _print_all(played, film)
        elif step:
            _step_through(played, film, screen)
        else:
            _play(film, screen)
    click.echo(report.bold(_outcome(played)), color=True)
    return OK


class _Screen:
    """A place in the terminal where one board after the other is shown."""

    def __init__(self, film: Film) -> None:
        from rich.live import Live

        from . import report

        self._goal = film.goal
        self._console = report.console()
        self._live = Live(console=self._console, auto_refresh=False, redirect_stdout=False)
        lines = film.start.show().split("\n")
        width, height = self._console.size
        is_seen = report.is_terminal() and not self._console.is_dumb_terminal
        room = width >= max(len(lines[0]), film.widest, len(_KEYS)) and height > len(lines) + 2
        self.fits = is_seen and room
        """Whether there is a terminal, and room in it."""

    def __enter__(self) -> _Screen:
        if self.fits:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self.fits:
            self._live.stop()

    def show(self, board: Board, *below: str) -> None:
        from rich.text import Text

        from . import report

        shown = "\n".join([report.drawing(board, self._goal), *below])
        self._live.update(Text.from_ansi(shown), refresh=True)


def _play(film: Film, screen: _Screen) -> None:
    screen.show(film.start, film.caption)
    begun = time.monotonic()
    for step in film.steps():
        time.sleep(max(0.0, begun + step.begins - time.monotonic()))
        screen.show(step.board, step.caption)


_KEYS = "space: on · b: back · q: leave"
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
_BACK = ("b", "\x7f", "\x1b[D", "\x1bOD")
_LEAVE = ("q", "Q", "\x1b", "\x04")
_SECONDS_BETWEEN_LOOKS = 0.1


def _step_through(played: Replay, film: Film, screen: _Screen) -> None:
    """A board for each key, until one key too many or a wish to leave."""
    boards = list(played.boards())
    made = 0
    with _keys() as keys:
        while made < len(boards):
            screen.show(boards[made], film.caption_after(made), _KEYS)
            key = next(keys, "q")
            if key in _LEAVE:
                break
            made = max(0, made - 1) if key in _BACK else made + 1


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """The keys that are pressed, from the terminal even if the game came through a pipe.

    The terminal hands on single keys all the while, so that none is lost between two boards.
    """
    import termios
    import tty

    terminal = os.open("/dev/tty", os.O_RDONLY)
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield _read_keys(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        os.close(terminal)


def _read_keys(terminal: int) -> Iterator[str]:
    while data := _read(terminal):
        yield from _KEY.findall(data.decode(errors="replace"))


def _read(terminal: int) -> bytes:
    """What is typed next. Looked for again and again, or else a Ctrl-C just before it is lost."""
    while not select.select([terminal], [], [], _SECONDS_BETWEEN_LOOKS)[0]:
        pass
    return os.read(terminal, 64)


def _print_all(played: Replay, film: Film) -> None:
    from . import report

    for made, board in enumerate(played.boards()):
        if caption := film.caption_after(made):
            click.echo(caption)
        click.echo(report.drawing(board, film.goal), color=True)


def _outcome(played: Replay) -> str:
    from .animation import clock
    from .report import moves_word

    when = "" if played.seconds is None else f", {clock(played.seconds)}"
    words = f"{moves_word(played.length)}{when}"
    return f"solved: {words}" if played.solved else f"not solved: {words}"
