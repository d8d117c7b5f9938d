"""A widget that is drawn line by line, and of which only what has changed is drawn again.

To draw a screen takes longer than anything else that a key leads to.
"""

from __future__ import annotations

from itertools import zip_longest

from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget


class Lined(Widget):
    """Shows the lines that `draw` gives; `redraw` brings those up to date that have changed."""

    def __init__(self) -> None:
        super().__init__()
        self._strips: list[Strip] = []
        self._drawn_for: Size | None = None
        """The size for which the lines were drawn; None when they are out of date."""

    def draw(self) -> list[Strip]:
        raise NotImplementedError

    def redraw(self) -> None:
        """Show what `draw` gives now."""
        if self.is_outdated:
            self.refresh()
            return
        before, self._strips = self._strips, self.draw()
        pairs = enumerate(zip_longest(before, self._strips))
        changed = [y for y, (old, new) in pairs if old != new]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    @property
    def is_outdated(self) -> bool:
        """Whether nothing of what was drawn before can be used."""
        return self._drawn_for != self.size

    def notify_style_update(self) -> None:
        self._drawn_for = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        if self.is_outdated:
            self._strips = self.draw()
            self._drawn_for = self.size
        if y >= len(self._strips):
            return Strip.blank(self.size.width, self.rich_style)
        return self._strips[y]
