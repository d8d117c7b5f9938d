"""Default against large tables of the 15-puzzle, in turns, on one thread; every optimum is checked.

Not among the ones that run without being named: it builds the large tables if need be.
"""

from __future__ import annotations

import time
from statistics import fmean

from instances import farthest15, korf15

from taquin import Board, _native, goals, tables

TURNS = 3


def solve_all(patterns: _native.Patterns, instances: list[tuple[int, Board, int]]) -> str:
    pruning = _native.MovePruning()
    seconds, expanded = [], []
    for number, board, optimum in instances:
        start = time.process_time()
        found = _native.idastar(4, 4, 0, board.tiles, patterns=patterns, pruning=pruning)
        seconds.append(time.process_time() - start)
        expanded.append(found.expanded)
        assert len(found.moves or "") == optimum, number
    return (
        f"mean {1000 * fmean(seconds):,.2f} ms, worst {1000 * max(seconds):,.1f} ms of processor "
        f"time, {fmean(expanded):,.0f} expanded on average, {max(expanded):,} at most"
    )


def main() -> None:
    goal = goals.blank_first(4, 4)
    sets = {
        name: tables.for_search(tables.obtain(goal, name), goal) for name in ("default", "large")
    }
    for _ in range(TURNS):
        for name, patterns in sets.items():
            print(f"{name}: {solve_all(patterns, korf15())}")
    print(f"large, farthest boards: {solve_all(sets['large'], farthest15())}")


if __name__ == "__main__":
    main()
