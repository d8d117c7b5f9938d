"""Korf's 100 15-puzzles with default tables, one thread and two; every optimum is checked."""

from __future__ import annotations

import time
from statistics import fmean, median

from instances import korf15

from taquin import solve


def solve_all(threads: int) -> float:
    seconds, expanded = [], 0
    for number, board, optimum in korf15():
        start = time.perf_counter()
        result = solve(board, "blank-first", threads=threads, tables="default")
        seconds.append(time.perf_counter() - start)
        expanded += result.stats.expanded
        assert (result.length, result.proof) == (optimum, "optimal"), number
    print(
        f"{threads} thread(s): mean {1000 * fmean(seconds):,.2f} ms, median "
        f"{1000 * median(seconds):,.2f} ms, worst {1000 * max(seconds):.0f} ms, "
        f"{expanded / 100:,.0f} expanded on average, {expanded / sum(seconds) / 1e6:.0f} M/s"
    )
    return fmean(seconds)


def main() -> None:
    solve_all(1)  # the tables are built, opened and read
    one = solve_all(1)
    two = solve_all(2)
    print(f"two threads against one: {one / two:.2f} times")


if __name__ == "__main__":
    main()
