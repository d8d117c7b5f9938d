"""What the tests of `solve` share: boards with known answers, and what is true of every result."""

from __future__ import annotations

import json
from itertools import pairwise

from strategies import data_lines

from taquin import Board, Result

HARD = Board("14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13")  # Korf's first
KORF = [
    (Board(tiles, shape=(4, 4)), int(optimum))
    for tiles, optimum in (
        (list(map(int, tiles.split())), optimum) for _, tiles, optimum in data_lines("korf15.txt")
    )
]


def check(result: Result) -> Result:
    """What is true of every result."""
    assert result.lower_bound >= 0
    if result.solution is None:
        assert result.proof == "none"
        assert result.length is None
        assert result.status != "solved"
    else:
        boards = list(result.solution.boards())
        assert (boards[0], boards[-1]) == (result.board, result.goal)
        assert all(b in a.neighbours() for a, b in pairwise(boards))
        assert result.lower_bound <= result.length == len(boards) - 1
        assert (result.proof == "optimal") == (result.length == result.lower_bound)
    assert (result.reason == "") == (result.status == "solved") or result.status == "cancelled"
    json.dumps(result.to_dict())
    return result
