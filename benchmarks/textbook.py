"""The Python searches against PyPI's slidingpuzzle 0.1.5 (`pip install 'taquin[bench]'`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from taquin import Board, solve

BOARD = Board("8 6 7 / 2 5 4 / 3 0 1")
TIMES = 5


def best(run: Callable[[], Any]) -> tuple[float, Any]:
    """The least wall time of several runs, and what the last one gave."""
    seconds = []
    for _ in range(TIMES):
        start = time.perf_counter()
        given = run()
        seconds.append(time.perf_counter() - start)
    return min(seconds), given


def other() -> float | None:
    try:
        from slidingpuzzle import from_rows, manhattan_distance, search
    except ImportError:
        return None
    board = from_rows(*BOARD.grid())
    seconds, result = best(lambda: search(board, "a*", heuristic=manhattan_distance))
    assert len(result.solution) == 31
    print(f"slidingpuzzle 0.1.5, A* manhattan    {seconds:7.3f} s  {result.expanded:,} expanded")
    return seconds


def main() -> None:
    theirs = other()
    ours, result = best(lambda: solve(BOARD, algorithm="astar", heuristic="manhattan"))
    assert result.length == 31
    assert result.proof == "optimal"
    print(f"taquin, A* manhattan                 {ours:7.3f} s  {result.stats.expanded:,} expanded")
    if theirs is None:
        print("slidingpuzzle is not installed, so there is no ratio")
    else:
        print(f"ratio                                {theirs / ours:7.1f} (at least 5)")
    seconds, result = best(lambda: solve(BOARD, algorithm="bfs"))
    print(
        f"taquin, bfs over all boards          {seconds:7.3f} s  {result.stats.expanded:,} expanded"
    )


if __name__ == "__main__":
    main()
