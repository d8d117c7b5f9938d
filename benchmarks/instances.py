"""The instances with known optima that the benchmarks use: those of `taquin bench`."""

from __future__ import annotations

from taquin import Board, sets


def korf15() -> list[tuple[int, Board, int]]:
    """Korf's 100 15-puzzles: number, board, optimum. Their goal is blank-first."""
    return _instances("korf15")


def farthest15() -> list[tuple[int, Board, int]]:
    """The 15-puzzles that need 80 moves: number, board, optimum. Their goal is blank-first."""
    return _instances("farthest-4x4")


def korf24() -> list[tuple[int, Board, int]]:
    """Some of Korf and Taylor's 24-puzzles: number, board, optimum. Their goal is blank-first."""
    return _instances("korf24")


def _instances(name: str) -> list[tuple[int, Board, int]]:
    return [(found.id, found.board, found.optimum) for found in sets.load(name)]
