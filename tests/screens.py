"""What the tests of the terminal game share: a session with its own clock, and screens as text."""

import html
import re
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from loops import run_apart
from textual.pilot import Pilot

from taquin import Board, goals
from taquin.records import Records
from taquin.session import Session
from taquin.tui.app import PlayApp
from taquin.tui.game_screen import GameScreen

PATIENCE = 60
"""Seconds after which something that must come is taken to be missing."""

EASY = "1 2 3 4/5 6 0 8/9 10 7 12/13 14 11 15"
"""Three moves from its goal: up, up, left."""


class Clock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Player:
    """A game on a screen, and the hands that play it."""

    def __init__(self, app: PlayApp, pilot: Pilot[None], clock: Clock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def game(self) -> Any:
        return self.app.session.game

    @property
    def screen(self) -> GameScreen:
        """The screen of the game, whatever dialog is over it."""
        return next(s for s in self.app.screen_stack if isinstance(s, GameScreen))

    @property
    def moves(self) -> str:
        return "".join(self.game.moves)

    @property
    def dialog(self) -> str:
        """The name of what is on top."""
        return type(self.app.screen).__name__

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def strike(self, *keys: str) -> None:
        """Press keys without waiting, as the pilot does until the processor has nothing to do."""
        for key in keys:
            self.app.simulate_key(key)

    async def until(self, happens: Callable[[], bool]) -> None:
        """Wait for something that takes a moment."""
        deadline = time.monotonic() + PATIENCE
        while not happens():
            assert time.monotonic() < deadline, self.text()
            await self.pilot.pause(0.02)

    async def settle(self) -> None:
        """Wait for all that goes on in the background."""
        self.game.planner.wait()
        await self.app.workers.wait_for_complete()
        self.screen._writer.submit(int).result()
        await self.pilot.pause()
        self.screen.show()
        await self.pilot.pause()

    def text(self) -> str:
        return text_of(self.app)

    @property
    def message(self) -> str:
        return str(self.screen.message.render())


Scenario = Callable[["Player"], Awaitable[None]]


def played(
    board: str = EASY,
    goal: str | None = None,
    *,
    size: tuple[int, int] = (80, 24),
    records: bool = True,
    settled: bool = True,
) -> Callable[[Scenario], Callable[[], None]]:
    """Make a test of what a player does with a board on a screen of a size.

    It begins when the planner is done, unless the board is so hard that it never is.
    """

    def decorate(scenario: Scenario) -> Callable[[], None]:
        def run() -> None:
            with tempfile.TemporaryDirectory() as home:
                run_apart(_play(scenario, board, goal, size, Path(home), records, settled))

        run.__name__, run.__doc__ = scenario.__name__, scenario.__doc__
        return run

    return decorate


async def _play(
    scenario: Scenario,
    board: str,
    goal: str | None,
    size: tuple[int, int],
    home: Path,
    has_records: bool,
    settled: bool,
) -> None:
    clock = Clock()
    kept = Records(home / "records.db") if has_records else None
    start = Board(board)
    with Session(kept, home / "settings.json", seed=1, clock=clock) as session:
        session.begin(start, goals.resolve(goal, start.shape))
        app = PlayApp(session)
        app.animation_level = "none"
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot, clock)
            if settled:
                await player.settle()
            await scenario(player)


# --- screens as text ----------------------------------------------------------------------------

_TEXT = re.compile(r'<text class="[^"]*-r\d+" x="([\d.]+)" y="[^"]*" [^>]*line-(\d+)\)">([^<]*)<')
_CELL = 12.2
"""The width of a character in the pictures that rich makes."""


def text_of(app: PlayApp) -> str:
    """What is on the screen, without colours."""
    width, height = app.size
    lines = [[" "] * width for _ in range(height)]
    for x, line, text in _TEXT.findall(app.export_screenshot()):
        column = round(float(x) / _CELL)
        for offset, char in enumerate(html.unescape(text).strip("\n").replace("\xa0", " ")):
            lines[int(line)][column + offset] = char
    return "\n".join("".join(line).rstrip() for line in lines) + "\n"
