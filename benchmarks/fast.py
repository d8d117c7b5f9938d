"""Fast answers by size: mean moves, as a part of n³ or of the optimum, and seconds."""

from __future__ import annotations

import time
from statistics import fmean

from instances import korf24

from taquin import Board, solve

SIZES = {4: 20, 6: 10, 7: 10, 8: 5, 9: 5, 10: 5, 12: 3, 16: 2, 20: 2, 30: 1, 50: 1, 100: 1, 200: 1}
"""How many random boards of each side."""
LONG = ((2, 50), (2, 100), (4, 50), (4, 100), (5, 80))
LONG_BOARDS = 2


def measure(boards: list[Board], goal: str) -> tuple[list[int], float]:
    """The length of each answer, and the mean seconds."""
    start = time.perf_counter()
    lengths = [len(solve(board, goal, quality="fast").solution.moves) for board in boards]
    return lengths, (time.perf_counter() - start) / len(boards)


def main() -> None:
    _, boards, optima = zip(*korf24(), strict=True)
    lengths, seconds = measure(list(boards), "blank-first")
    ratio = fmean(length / optimum for length, optimum in zip(lengths, optima, strict=True))
    print(f"5×5, Korf's: {fmean(lengths):,.1f} moves, {ratio:.3f} × the optimum, {seconds:.2f} s")
    for side, count in SIZES.items():
        boards = [Board.random(side, side, seed=seed) for seed in range(count)]
        lengths, seconds = measure(boards, "blank-last")
        moves = fmean(lengths)
        print(f"{side}×{side}: {moves:,.1f} moves, {moves / side**3:.3f}·n³, {seconds:.2f} s")
    for rows, cols in LONG:
        boards = [Board.random(rows, cols, seed=seed) for seed in range(LONG_BOARDS)]
        lengths, seconds = measure(boards, "blank-last")
        print(f"{rows}×{cols}: {fmean(lengths):,.1f} moves, {seconds:.2f} s")


if __name__ == "__main__":
    main()
