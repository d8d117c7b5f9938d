"""Total expansions over fixed boards: a search that changes them has changed, for good or ill.

`python benchmarks/signature.py --write` writes signature.txt anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

from instances import korf15

from taquin import Board, search, solve

FILE = Path(__file__).with_name("signature.txt")
BOARDS = [Board.random(3, 3, seed=seed, walk=18) for seed in range(5)]
EASY = (12, 42, 55, 79, 97)
"""Korf's instances with optima of 41 to 46 moves."""


def signature() -> dict[str, int]:
    counts = {
        name: sum(solve(board, algorithm=name).stats.expanded for board in BOARDS)
        for name in search.ALGORITHMS
    }
    easy = [board for number, board, _ in korf15() if number in EASY]
    counts["native"] = sum(
        solve(board, "blank-first", tables="default").stats.expanded for board in easy
    )
    return counts


def read() -> dict[str, int]:
    lines = (line.split() for line in FILE.read_text().splitlines() if not line.startswith("#"))
    return {name: int(count) for name, count in lines}


def write(counts: dict[str, int]) -> None:
    head = "# Boards expanded by each algorithm over the boards of signature.py.\n"
    FILE.write_text(head + "".join(f"{name} {count}\n" for name, count in counts.items()))


def main() -> None:
    now = signature()
    if "--write" in sys.argv:
        write(now)
    before = read()
    for name, count in now.items():
        change = "same" if before.get(name) == count else f"was {before.get(name)}"
        print(f"{name:15} {count:>12,}  {change}")


if __name__ == "__main__":
    main()
