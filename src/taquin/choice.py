"""Which partitions suit a board, of the many that a large set has: found by trying them.

Partitions of the same kind are about equally good for all boards together, but not for a single
one, where the best need a fraction of the expansions of the others. What a search expands within a
small bound tells well enough how they compare within larger ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")

FIRST = (0, 1)
"""What every search begins with, the first partition and its mirror image."""

_HARD_ENOUGH = 300
"""More expansions than this the first ones take for the bound of the first trials."""
_PATIENCE = 4
"""How many times as many a partition by itself may take,"""
_WORSE = 2
"""and how many times as many as the best pair another one."""
_SHORTLIST = 8
_ROUNDS = (8, 3, 1)
"""How many pairs are left, and at most about half of them, after each round of trials, each of
which has a larger bound,"""
_CERTAIN = 6_000
"""unless the best pair took more expansions than this, which says enough."""

Pair = tuple[int, ...]
Trial = Callable[[Sequence[int], int, int | None], int | None]
"""Expansions by which some partitions prove a bound; None if that takes more than allowed."""


def choose(count: int, bound: int, trial: Trial) -> Pair:
    """The two of so many partitions that prove the most together; trials begin with a bound.

    Two, since a third one costs more time for each expansion than it saves. Most of them fail
    within a small bound already, so only a few are tried within larger ones.
    """
    while trial(FIRST, bound, _HARD_ENOUGH) is not None:
        bound += 2
    first = trial(FIRST, bound, None)
    if first is None:
        return FIRST
    shortlist = list(range(count))
    if count > _SHORTLIST:
        alone = {number: trial([number], bound, _PATIENCE * first) for number in shortlist}
        shortlist = sorted(_least(alone)[:_SHORTLIST])
    pairs: list[Pair] = [FIRST, *combinations(shortlist, 2)]
    for left in _ROUNDS:
        expanded = _compared(pairs, bound, trial)
        pairs = _least(expanded)[: min(left, (len(pairs) + 1) // 2)] or pairs
        if (expanded[pairs[0]] or 0) > _CERTAIN:
            break
        bound += 2
    return pairs[0]


def _compared(pairs: Sequence[Pair], bound: int, trial: Trial) -> dict[Pair, int | None]:
    """What each pair takes, as far as that is not much more than what the best one does."""
    expanded: dict[Pair, int | None] = {}
    least: int | None = None
    for pair in dict.fromkeys(pairs):
        expanded[pair] = took = trial(pair, bound, None if least is None else _WORSE * least)
        if took is not None:
            least = took if least is None else min(least, took)
    return expanded


def _least(expanded: Mapping[T, int | None]) -> list[T]:
    """Those that came to an end, in the order of what they took."""
    took = {key: value for key, value in expanded.items() if value is not None}
    return sorted(took, key=took.__getitem__)
