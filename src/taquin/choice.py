"""Which partitions suit a board, of the many that a large set has: found by trying them.

Partitions of the same kind are about equally good for all boards together, but not for a single
one, where the best need a fraction of the expansions of the others. What a search expands within a
small bound tells well enough how they compare within larger ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

FIRST = (0, 1)
"""What every search begins with, the first partition and its mirror image."""

_HARD_ENOUGH = 2_000
"""Expansions that the first ones take, at least, for the bound of a trial."""
_PATIENCE = 40_000
"""Expansions after which a partition by itself is given up."""
_SHORTLIST = 12

Trial = Callable[[Sequence[int], int, int | None], int | None]
"""Expansions by which some partitions prove a bound; None if that takes more than allowed."""


def choose(count: int, bound: int, trial: Trial) -> tuple[int, ...]:
    """The two of so many partitions that prove the most together; trials begin with a bound.

    Two, since a third one costs more time for each expansion than it saves.
    """
    while trial(FIRST, bound, _HARD_ENOUGH) is not None:
        bound += 2
    alone = [trial([number], bound, _PATIENCE) for number in range(count)]
    able = [(expanded, number) for number, expanded in enumerate(alone) if expanded is not None]
    shortlist = [number for _, number in sorted(able)[:_SHORTLIST]]
    best, least = FIRST, trial(FIRST, bound + 2, None)
    for pair in combinations(shortlist, 2):
        expanded = trial(pair, bound + 2, least)
        if expanded is not None:
            best, least = pair, expanded
    return best
