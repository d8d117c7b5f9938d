"""Tile numbers that are typed digit by digit."""

from __future__ import annotations


class TypedNumber:
    """Digits so far. A number that no further digit could make another tile is complete.

    >>> typed = TypedNumber(15)
    >>> typed.add("7"), typed.add("1"), typed.text, typed.add("2"), typed.text
    (7, None, '1', 12, '')
    """

    def __init__(self, highest: int) -> None:
        self.highest = highest
        self.text = ""

    def add(self, digit: str) -> int | None:
        """The tile, if it is complete with this digit."""
        self.text += digit
        is_complete = len(self.text) == len(str(self.highest)) or int(self.text) * 10 > self.highest
        return self.take() if is_complete else None

    def take(self) -> int | None:
        """The number typed so far, which is then forgotten; None if there is none."""
        number = int(self.text) if self.text else None
        self.text = ""
        return number
