"""Small widgets that several screens share: the bar of keys and the bar to scrub with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget


class Key(NamedTuple):
    """A key that is named on the screen, and the action that a click on it has."""

    key: str
    label: str
    action: str
    rank: int = 0
    """Where there is no room for all, those of the highest rank are left out."""

    @property
    def width(self) -> int:
        return cell_len(f" {self.key} {self.label} ")


class KeyBar(Widget):
    """One line with the keys of a screen, as many as fit; a click on one is like the key."""

    DEFAULT_CSS = """
    KeyBar { dock: bottom; height: 1; width: 100%; background: $panel; }
    """

    def __init__(self, keys: Sequence[Key]) -> None:
        super().__init__()
        self.keys = list(keys)

    def show(self, keys: Sequence[Key]) -> None:
        self.keys = list(keys)
        self.refresh()

    def render(self) -> Content:
        parts: list[str | tuple[str, str]] = []
        for key in fitting(self.keys, self.size.width):
            parts += [(f" {key.key}", "bold $accent"), f" {key.label} "]
        return Content.assemble(*parts)

    async def on_click(self, event: events.Click) -> None:
        left = 0
        for key in fitting(self.keys, self.size.width):
            if left <= event.x < left + key.width:
                await self.screen.run_action(key.action)
            left += key.width


def fitting(keys: Sequence[Key], width: int) -> list[Key]:
    """The keys that fit in a line, in their order.

    >>> keys = [Key("h", "hint", "hint"), Key("u", "undo", "undo", 2), Key("q", "quit", "quit", 1)]
    >>> [key.key for key in fitting(keys, 20)]
    ['h', 'q']
    """
    kept = list(keys)
    while kept and sum(key.width for key in kept) > width:
        # Of equal ranks the last one goes first.
        kept.remove(max(reversed(kept), key=lambda key: key.rank))
    return kept


class ScrubBar(Widget):
    """How far something has come; a click or a drag goes to another place."""

    DEFAULT_CSS = """
    ScrubBar { height: 1; width: 100%; color: $accent; }
    """

    @dataclass
    class Moved(Message):
        place: int

    def __init__(self, last: int) -> None:
        super().__init__()
        self.last = last
        self.place = 0

    def show(self, place: int) -> None:
        self.place = place
        self.refresh()

    def render(self) -> Content:
        width = self.size.width
        done = round(self.place * (width - 1) / self.last) if self.last else width - 1
        return Content.assemble(
            ("━" * done, "$accent"), ("●", "bold $accent"), ("─" * (width - 1 - done), "$faint")
        )

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self.capture_mouse()
        self._go(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if event.button:
            self._go(event.x)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self.release_mouse()

    def _go(self, x: int) -> None:
        inside = min(max(x, 0), self.size.width - 1)
        place = round(inside * self.last / max(self.size.width - 1, 1))
        self.post_message(self.Moved(place))
