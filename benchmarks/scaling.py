"""What a random board costs, by its size: the tables of docs/scaling.md.

`python benchmarks/scaling.py` measures optimal and fast answers and the building of tables;
`optimal`, `fast` or `build` one of them. Seconds are processor time on one thread, and a search is
stopped by its expansions: so little depends on what else the machine does.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

from taquin import Board, BoardGraph, Limit, Result, goals, solve, tables

OPTIMAL = {
    (2, 2): 200, (2, 3): 200, (2, 4): 200, (3, 3): 200, (2, 5): 200, (2, 6): 50, (3, 4): 50,
    (2, 7): 20, (3, 5): 20, (4, 4): 50, (3, 6): 10, (4, 5): 10, (5, 5): 10,
}  # fmt: skip
"""How many random boards of each shape; seeds from 0 on."""

FAST = {5: 10, 6: 10, 7: 5, 8: 5, 10: 5, 12: 3, 16: 2, 20: 2, 30: 1, 50: 1, 100: 1}
"""How many random boards of each side."""

BUILT = (
    ((3, 4), "default"), ((3, 4), "exact"), ((3, 5), "default"), ((4, 4), "default"),
    ((4, 4), "large"), ((4, 5), "default"), ((5, 5), "default"),
)  # fmt: skip
"""The tables whose building is timed."""

LIMIT = Limit(expanded=200_000_000)


def measure(boards: Iterable[Board], **options: Any) -> tuple[list[Result], list[float]]:
    """The results, and the processor time that each one took."""
    results, seconds = [], []
    for board in boards:
        start = time.process_time()
        results.append(solve(board, **options))
        seconds.append(time.process_time() - start)
    return results, seconds


@dataclass(frozen=True)
class Ready:
    """The tables of a shape, and what it takes to have them."""

    words: str
    options: dict[str, str]


def ready(goal: Board) -> Ready:
    """Exact distances up to 10 cells, default patterns beyond, in memory before time is taken."""
    start = time.process_time()
    if len(goal) <= tables.EXACT_CELLS:
        table = tables.exact(goal)
        taken = time.process_time() - start
        return Ready(f"exact, {_bytes(len(table))}, built in {taken:.3f} s", {"tables": "exact"})
    is_new = tables.find(goal, "default") is None
    found = tables.obtain(goal, "default", threads=1)
    taken = time.process_time() - start
    verb = "built" if is_new else "opened"
    return Ready(f"patterns, {_bytes(found.size)}, {verb} in {taken:.1f} s", {"tables": "default"})


def _bytes(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def optimal() -> None:
    print("| board | boards of the shape | tables | solved | moves, mean | expanded, mean "
          "| mean s | median s | worst s |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|")
    for shape, count in OPTIMAL.items():
        goal = goals.blank_last(*shape)
        at_hand = ready(goal)
        solve(Board.random(*shape, seed=-1, walk=20), limit=LIMIT, **at_hand.options)
        boards = [Board.random(*shape, seed=seed) for seed in range(count)]
        results, seconds = measure(boards, limit=LIMIT, **at_hand.options)
        print(f"| {shape[0]}×{shape[1]} | {_count(shape)} | {at_hand.words} "
              f"| {_figures(results, seconds)}", flush=True)  # fmt: skip
        _tell_open(results)


def _count(shape: tuple[int, int]) -> str:
    size = BoardGraph(*shape).size
    return f"{size:,}" if size < 1e9 else f"{size:.1e}".replace("e+", "·10^")


def _figures(results: list[Result], seconds: list[float]) -> str:
    solved = [result for result in results if result.proof == "optimal"]
    moves = fmean(result.length or 0 for result in solved) if solved else 0
    return (
        f"{len(solved)} of {len(results)} | {moves:.1f} "
        f"| {fmean(result.stats.expanded for result in results):,.0f} "
        f"| {_seconds(fmean(seconds))} | {_seconds(median(seconds))} | {_seconds(max(seconds))} |"
    )


def _seconds(value: float) -> str:
    return f"{value:.6f}" if value < 0.001 else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def _tell_open(results: list[Result]) -> None:
    """How much is left open on the boards that a limit stopped."""
    stopped = [result for result in results if result.proof != "optimal"]
    if stopped:
        gaps = [(result.length or 0) - result.lower_bound for result in stopped]
        print(f"  ({len(stopped)} stopped: best answer {fmean(gaps):.1f} moves above the lower "
              f"bound on average, {max(gaps)} at most)", file=sys.stderr)  # fmt: skip


def fast() -> None:
    print("| board | moves, mean | | expanded, mean | mean s | worst s |")
    print("|---|---|---|---|---|---|")
    for side, count in FAST.items():
        boards = [Board.random(side, side, seed=seed) for seed in range(count)]
        results, seconds = measure(boards, quality="fast")
        moves = fmean(result.length or 0 for result in results)
        print(
            f"| {side}×{side} | {moves:,.1f} | {moves / side**3:.2f}·n³ "
            f"| {fmean(result.stats.expanded for result in results):,.0f} "
            f"| {fmean(seconds):.2f} | {max(seconds):.2f} |",
            flush=True,
        )


def build() -> None:
    print("| board | set | bytes | s to build |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as empty:
        os.environ["TAQUIN_HOME"] = empty
        for shape, name in BUILT:
            goal = goals.blank_last(*shape)
            size = tables.plan(goal, name).size
            start = time.process_time()
            if name == tables.EXACT:
                tables.obtain_exact(goal, threads=1)
            else:
                tables.obtain(goal, name, threads=1)
            taken = time.process_time() - start
            print(f"| {shape[0]}×{shape[1]} | {name} | {_bytes(size)} | {taken:.1f} |", flush=True)


def main() -> None:
    parts = {"optimal": optimal, "fast": fast, "build": build}
    for name in sys.argv[1:] or parts:
        parts[name]()
        print()


if __name__ == "__main__":
    main()
