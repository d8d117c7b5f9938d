"""What came of many boards, in little memory: how many of each kind, and their figures."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from .result import Result

MOST_BAD = 10
"""How many bad entries are kept to be shown."""


class Figures:
    """Numbers of which the mean and the worst are exact, and the median to about one per cent.

    >>> figures = Figures()
    >>> for number in (1, 2, 3, 1000):
    ...     figures.add(number)
    >>> figures.mean, figures.median, figures.worst
    (251.5, 2, 1000)
    """

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0
        self.worst: float = 0
        self._by_size: Counter[float] = Counter()

    def add(self, number: float, times: int = 1) -> None:
        self.count += times
        self.total += number * times
        self.worst = max(self.worst, number)
        self._by_size[_rounded(number)] += times

    def merge(self, other: Figures) -> None:
        self.count += other.count
        self.total += other.total
        self.worst = max(self.worst, other.worst)
        self._by_size.update(other._by_size)

    @property
    def mean(self) -> float:
        return self.total / self.count if self.count else 0.0

    @property
    def median(self) -> float:
        return median(self._by_size)

    def to_dict(self) -> dict[str, Any]:
        return {
            "count": self.count,
            "total": self.total,
            "worst": self.worst,
            "by_size": sorted(self._by_size.items()),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Figures:
        figures = cls()
        figures.count, figures.total = int(data["count"]), float(data["total"])
        figures.worst = data["worst"]
        figures._by_size = Counter({size: int(times) for size, times in data["by_size"]})
        return figures


def _rounded(number: float) -> float:
    """A number to two digits, or three that begin with 1: within one per cent.

    >>> _rounded(12345), _rounded(87654), _rounded(7)
    (12300, 88000, 7)
    """
    if number == 0:
        return 0
    size = math.floor(math.log10(number))
    digits = 2 if number < 5 * 10**size else 1
    rounded = round(number, digits - size)
    return int(rounded) if isinstance(number, int) else rounded


def median(counts: Counter[Any]) -> float:
    """The lower median of numbers that are counted.

    >>> median(Counter({5: 2, 1: 1, 9: 1}))
    5
    """
    left = (counts.total() + 1) // 2
    for number in sorted(counts):
        left -= counts[number]
        if left <= 0:
            return float(number) if isinstance(number, float) else int(number)
    return 0


@dataclass(slots=True)
class Tally:
    """The summary of a batch, which grows group by group."""

    statuses: Counter[str] = field(default_factory=Counter)
    """How many entries have each status; `bad` for those that are no boards."""
    lengths: Counter[int] = field(default_factory=Counter)
    """How many solutions have each length."""
    expanded: Figures = field(default_factory=Figures)
    seconds: Figures = field(default_factory=Figures)
    bad: list[tuple[str, int, str]] = field(default_factory=list)
    """The first bad entries: file, line, reason."""
    formats: Counter[str] = field(default_factory=Counter)
    """Boards in formats that usually have another goal than the one they were solved for."""

    @property
    def boards(self) -> int:
        return self.statuses.total()

    def add(self, result: Result) -> None:
        self.statuses[result.status] += 1
        if result.length is not None:
            self.lengths[result.length] += 1
        self.expanded.add(result.stats.expanded)
        self.seconds.add(result.stats.seconds)

    def add_looked_up(self, lengths: Iterable[int], unsolvable: int, seconds: float) -> None:
        """Many boards of a table, which took so many seconds each."""
        found = Counter(lengths)
        self.lengths.update(found)
        for status, times in (("solved", found.total()), ("unsolvable", unsolvable)):
            if times:
                self.statuses[status] += times
                self.expanded.add(0, times)
                self.seconds.add(seconds, times)

    def add_bad(self, file: str, line: int, reason: str) -> None:
        self.statuses["bad"] += 1
        if len(self.bad) < MOST_BAD:
            self.bad.append((file, line, reason))

    def merge(self, other: Tally) -> None:
        self.statuses.update(other.statuses)
        self.lengths.update(other.lengths)
        self.expanded.merge(other.expanded)
        self.seconds.merge(other.seconds)
        self.bad += other.bad[: MOST_BAD - len(self.bad)]
        self.formats.update(other.formats)

    def to_dict(self) -> dict[str, Any]:
        return {
            "statuses": dict(self.statuses),
            "lengths": sorted(self.lengths.items()),
            "expanded": self.expanded.to_dict(),
            "seconds": self.seconds.to_dict(),
            "bad": self.bad,
            "formats": dict(self.formats),
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tally:
        return cls(
            statuses=Counter(data["statuses"]),
            lengths=Counter({int(length): int(times) for length, times in data["lengths"]}),
            expanded=Figures.from_dict(data["expanded"]),
            seconds=Figures.from_dict(data["seconds"]),
            bad=[(str(file), int(line), str(reason)) for file, line, reason in data["bad"]],
            formats=Counter(data["formats"]),
        )
