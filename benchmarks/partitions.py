"""Which two partitions of a board's tiles are best together, by their mean on random boards.

    python benchmarks/partitions.py 3x5 6-6-2

values all partitions into connected patterns of 6, 6 and 2 tiles that are nearly as compact as can
be, for a goal with the blank in the first cell, and prints the best pairs with the mean of the
larger sum. A larger mean is no promise of fewer expansions: try what it finds on other boards.
Not among the ones that run without being named: it builds many tables, which stay on disk.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import fmean

from taquin import Board, goals, partitions, store, tables
from taquin.partitions import Partition, Region

BOARDS = 2500
SLACK = 2
"""How many neighbours fewer than the most compact partition another one may have."""
PAIRS = 5


def neighbours(rows: int, cols: int) -> list[Region]:
    return [
        frozenset(
            r * cols + c
            for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1))
            if 0 <= r < rows and 0 <= c < cols
        )
        for row in range(rows)
        for col in range(cols)
    ]


def connected(first: int, size: int, free: Region, near: Sequence[Region]) -> set[Region]:
    """All connected regions of so many free cells that contain the first one."""
    found = {frozenset([first])}
    for _ in range(size - 1):
        found = {
            region | {beside}
            for region in found
            for cell in region
            for beside in (near[cell] & free) - region
        }
    return found


def divisions(free: Region, sizes: list[int], near: Sequence[Region]) -> Iterator[Partition]:
    """All ways to divide the cells into connected regions of these sizes."""
    if not free:
        yield ()
        return
    for size in sorted(set(sizes)):
        left = list(sizes)
        left.remove(size)
        for region in connected(min(free), size, free, near):
            for rest in divisions(free - region, left, near):
                yield (tuple(sorted(region)), *rest)


def compactness(partition: Partition, near: Sequence[Region]) -> int:
    return sum(len(near[cell] & set(pattern)) for pattern in partition for cell in pattern) // 2


def values(goal: Board, partition: Partition, boards: list[Board]) -> list[int]:
    layout = tables._layout_of("trial", tables._placed(*goal.shape, goal.blank, (partition,)))
    found = tuple(store.obtain(pattern) for pattern in layout.patterns)
    patterns = tables.for_search(tables._pattern_set(layout, found), goal)
    return [patterns.distance(goals.canonical(board, goal)) for board in boards]


def main() -> None:
    rows, cols = map(int, sys.argv[1].split("x"))
    sizes = [int(size) for size in sys.argv[2].split("-")]
    goal, near = goals.blank_first(rows, cols), neighbours(rows, cols)
    found = set(divisions(frozenset(range(1, rows * cols)), sizes, near))
    most = max(compactness(partition, near) for partition in found)
    chosen = [p for p in found if compactness(p, near) >= most - SLACK]
    boards = [Board.random(rows, cols, seed=seed, goal=goal) for seed in range(BOARDS)]
    print(f"{len(chosen)} of {len(found)} partitions", flush=True)
    known = {partition: values(goal, partition, boards) for partition in chosen}
    pairs = {
        pair: fmean(map(max, known[pair[0]], known[pair[1]])) for pair in combinations(chosen, 2)
    }
    for pair in sorted(pairs, key=pairs.__getitem__, reverse=True)[:PAIRS]:
        print(f"\n{pairs[pair]:.2f}, alone {', '.join(f'{fmean(known[p]):.2f}' for p in pair)}")
        for partition in pair:
            print(partitions.draw(rows, cols, partition), end="\n\n")


if __name__ == "__main__":
    main()
