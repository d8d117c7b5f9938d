"""How long a cancel may go unheard: the longest time between two looks at it, wherever it comes.

Of that time the thread itself was at work for some milliseconds; if that is less, the rest is the
machine's, or others'.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise

from instances import farthest15, korf24

from taquin import Board, Limit, Result, solve

AT_MOST_MS = 100
SECONDS = 5

Case = Callable[["Listener"], Result]


class Listener:
    """A cancel that never comes, and remembers when it was asked for."""

    def __init__(self) -> None:
        self.looks: list[tuple[float, float]] = []
        self.is_set()

    def is_set(self) -> bool:
        self.looks.append((time.perf_counter(), time.thread_time()))
        return False

    def longest_ms(self) -> tuple[float, float]:
        """The longest time between two looks, and the thread's processor time in between."""
        clock, worked = max(
            (after[0] - before[0], after[1] - before[1]) for before, after in pairwise(self.looks)
        )
        return 1000 * clock, 1000 * worked

    def seconds(self) -> float:
        return self.looks[-1][0] - self.looks[0][0]


def solving(board: Board, goal: str = "blank-last", **options: object) -> Case:
    limit = Limit(seconds=SECONDS)
    return lambda cancel: solve(board, goal, **{"limit": limit, **options, "cancel": cancel})


def cases() -> Iterator[tuple[str, Case]]:
    tables = (((3, 4), "exact"), ((4, 4), "default"), ((5, 5), "default"), ((4, 4), "large"))
    for (rows, cols), name in tables:
        board = Board.random(rows, cols, seed=5, walk=80)
        yield (
            f"{name} tables of {rows}×{cols}",
            solving(board, tables=name, limit=Limit(seconds=60)),
        )
    hard = {number: board for number, board, _ in korf24()}[1]
    shapes = ((5, 5), (7, 7), (10, 10), (30, 30), (100, 100), (300, 300), (2, 500), (10, 200))
    for rows, cols in shapes:
        board = Board.random(rows, cols, seed=2)
        yield f"fast answer, {rows}×{cols}", solving(board, quality="fast", limit=None)
    for goal in ("blank-last", "snail"):
        board = Board.random(1024, 1024, goal=goal, seed=2)
        yield f"fast answer, 1024×1024, {goal}", solving(board, goal, quality="fast")
    yield "unsolvable, 1024×1024, snail", solving(board.exchange(1, 2), "snail")
    for threads in (1, 2):
        yield f"24-puzzle, threads: {threads}", solving(hard, "blank-first", threads=threads)
    yield "24-puzzle, quality 1.1", solving(hard, "blank-first", quality=1.1)
    for rows, cols in ((2, 9), (3, 7), (4, 6), (6, 6), (10, 10), (60, 60)):
        yield f"optimal, {rows}×{cols}", solving(Board.random(rows, cols, seed=4))
    for rows, cols in ((4, 4), (5, 5)):
        board = Board.random(rows, cols, seed=4)
        yield f"multi-tile metric, {rows}×{cols}", solving(board, metric="multi")
    for name in ("bfs", "dfs", "bidirectional", "astar", "mm", "beam", "rbfs"):
        yield f"{name} in Python, 4×4", solving(farthest15()[0][1], "blank-first", algorithm=name)


@contextmanager
def no_tables() -> Iterator[None]:
    """Within, all tables have to be built."""
    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as home:
        os.environ["TAQUIN_HOME"] = home
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def main() -> None:
    with no_tables():
        for name, case in cases():
            gc.collect()  # to look at boards of a million tiles, of cases before, takes 50 ms each
            cancel = Listener()
            result = case(cancel)
            cancel.is_set()  # what comes at the end counts, too
            longest, worked = cancel.longest_ms()
            heard = f"{longest:5.0f} ms (at most {AT_MOST_MS}), {worked:3.0f} at work"
            print(f"{name:34} {heard}, of {cancel.seconds():5.2f} s: {result.status}", flush=True)
            del result  # or else the next case would wait for that


if __name__ == "__main__":
    main()
