"""Finished games for the tests, and processes that play."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from hypothesis import strategies as st

from taquin import Board, Move, goals
from taquin.records import Record
from taquin.replay import Replay

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def sample(
    number: int = 0,
    *,
    goal: Board | str | None = None,
    size: tuple[int, int] = (3, 3),
    moves: int = 20,
    hints: int = 0,
    given_up: bool = False,
    optimum: int | None = None,
) -> Record:
    """A game that is the same for the same arguments; numbers are in the order of time."""
    random = Random(number)
    target = goals.resolve(goal, size)
    board, way = target, list[Move]()
    for _ in range(moves):
        move = random.choice(board.moves())
        board = board.slide(move)
        way.append(move.opposite)
    times = [0.0]
    while len(times) < moves:
        times.append(times[-1] + random.randrange(500) / 1000)
    played = tuple(reversed(way[2:] if given_up else way))
    replay = Replay(board, target, played, tuple(times[: len(played)]))
    moment = NOON + timedelta(minutes=number)
    return Record(replay, moment, times[-1], hints, given_up, optimum)


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any finished game of a small board."""
    size = draw(st.sampled_from([(1, 2), (2, 2), (2, 3), (3, 3), (4, 2)]))
    goal = goals.NAMED[draw(st.sampled_from(sorted(goals.NAMED)))](*size)
    board, way = goal, list[Move]()
    for choice in draw(st.lists(st.integers(0, 3), max_size=30)):
        options = board.moves()
        move = options[choice % len(options)]
        board = board.slide(move)
        way.append(move.opposite)
    left_out = draw(st.integers(0, len(way)))
    moves = tuple(reversed(way[left_out:]))
    gaps = draw(st.lists(st.integers(0, 10**5), min_size=len(moves), max_size=len(moves)))
    times = tuple(sum(gaps[1 : n + 1]) / 1000 for n in range(len(moves)))
    replay = Replay(board, goal, moves, times if draw(st.booleans()) else ())
    given_up = not replay.solved or draw(st.booleans())
    spare = draw(st.integers(0, len(moves) // 2))
    return Record(
        replay,
        draw(st.datetimes(datetime(1970, 1, 1), datetime(9000, 1, 1))).replace(tzinfo=UTC),
        draw(st.floats(0, 10**6)),
        draw(st.integers(0, 20)),
        given_up,
        draw(st.sampled_from([None, len(moves) - 2 * spare])),
    )


def start(script: str, *args: object) -> subprocess.Popen[str]:
    """A Python process of its own that runs a script."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, args)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )


def end(process: subprocess.Popen[str]) -> str:
    """What a process printed, which must have ended well."""
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    return out
