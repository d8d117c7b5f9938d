"""The instances with known optima that the benchmarks share with the tests."""

from __future__ import annotations

from pathlib import Path

from taquin import Board

DATA = Path(__file__).parent.parent / "tests" / "data"


def korf15() -> list[tuple[int, Board, int]]:
    """Korf's 100 15-puzzles: number, board, optimum. Their goal is blank-first."""
    return _instances("korf15.txt", 4)


def farthest15() -> list[tuple[int, Board, int]]:
    """The 15-puzzles that need 80 moves: number, board, optimum. Their goal is blank-first."""
    return _instances("farthest15.txt", 4)


def korf24() -> list[tuple[int, Board, int]]:
    """Some of Korf and Taylor's 24-puzzles: number, board, optimum. Their goal is blank-first."""
    return _instances("korf24.txt", 5)


def _instances(name: str, side: int) -> list[tuple[int, Board, int]]:
    lines = (DATA / name).read_text().splitlines()
    rows = (line.split("|") for line in lines if not line.startswith("#"))
    return [
        (int(number), Board(list(map(int, tiles.split())), shape=(side, side)), int(optimum))
        for number, tiles, optimum in rows
    ]
