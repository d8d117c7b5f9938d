"""The instances with known optima that the benchmarks share with the tests."""

from __future__ import annotations

from pathlib import Path

from taquin import Board

DATA = Path(__file__).parent.parent / "tests" / "data"


def korf15() -> list[tuple[int, Board, int]]:
    """Korf's 100 15-puzzles: number, board, optimum. Their goal is blank-first."""
    lines = (DATA / "korf15.txt").read_text().splitlines()
    rows = (line.split("|") for line in lines if not line.startswith("#"))
    return [(int(number), Board(tiles), int(optimum)) for number, tiles, optimum in rows]
