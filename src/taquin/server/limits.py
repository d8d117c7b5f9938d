"""What the server allows. Clients may ask for less, never for more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..heartbeat import available_memory
from ..result import Limit
from ..tables import cores

MAX_BODY = 512 * 1024
"""Bytes of the largest request."""

MAX_BOARD_TEXT = 16 * 1024
"""Characters of the longest text of a board."""

MAX_GAME_MOVES = 100_000
"""Moves of the longest game."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one job may take, and how many there may be."""

    seconds: float
    memory: int
    """Bytes."""
    cells: int
    """The largest board."""
    watched: int
    """The most expansions that can be watched."""
    runs: int
    """The most runs of a comparison."""
    jobs: int
    """How many jobs run at once, of those in threads and of those in processes."""
    queue: int
    """How many more wait, of either."""
    strict: bool
    """Whether strangers may ask: they get no records, and tables for the named goals only."""

    def within(self, seconds: float | None, expanded: int | None, memory: int | None) -> Limit:
        """What a client asks for, as far as it is allowed.

        >>> limits_for(strict=True).within(seconds=5, expanded=None, memory=10**12)
        Limit(seconds=5, expanded=None, memory=256000000)
        """
        seconds = self.seconds if seconds is None else min(self.seconds, seconds)
        memory = self.memory if memory is None else min(self.memory, memory)
        return Limit(seconds, expanded, memory)


def limits_for(*, strict: bool, **changes: Any) -> Limits:
    """The limits for the machine's own user, or the stricter ones for strangers; with changes.

    >>> limits_for(strict=False, seconds=10, cells=None).seconds
    10
    """
    jobs = cores()
    if strict:
        usual = Limits(30, 256_000_000, 100, 2_000, 100, jobs, 8, True)
    else:
        usual = Limits(600, available_memory() // 4, 1_024, 20_000, 1_000, jobs, 32, False)
    return replace(usual, **{name: value for name, value in changes.items() if value is not None})
