"""The panel beside the board: clock, moves, what the heuristics say, and what is known."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.content import Content
from textual.strip import Strip
from textual.visual import Visual

from ..report import moves_word
from .drawing import ROW, SIDE
from .lined import Lined

Style = str
Line = tuple[str | tuple[str, Style], ...]

_NAMES = {
    "manhattan": "Manhattan",
    "linear-conflict": "Linear conflict",
    "walking-distance": "Walking distance",
}

_WIDTH = 24


@dataclass(frozen=True, slots=True)
class Facts:
    """What there is to tell of a game."""

    title: str
    seconds: float = 0.0
    moves: int = 0
    hints: int = 0
    state: str = ""
    """Paused, given up, solved; empty while the game goes on."""
    bounds: dict[str, int] = field(default_factory=dict)
    """What each heuristic says of the board."""
    optimum: int | None = None
    """The fewest moves from the first board, if known,"""
    best: int | None = None
    """else how many the best answer known has from where the player is,"""
    lower_bound: int = 0
    """and how many it has at least."""
    thinking: float | None = None
    """For how many seconds a better answer has been looked for."""
    figures: bool = True
    """Whether bounds and answers are to be seen."""

    @property
    def pace(self) -> str:
        """
        >>> Facts("", seconds=4, moves=6).pace, Facts("").pace
        ('1.50', '–')
        """
        return f"{self.moves / self.seconds:.2f}" if self.seconds > 0 and self.moves else "–"


def clock(seconds: float) -> str:
    """A time that is still running.

    >>> clock(0), clock(83.46), clock(3723)
    ('0:00.0', '1:23.4', '1:02:03')
    """
    tenths = int(seconds * 10 + 1e-6)
    minutes, tenths = divmod(tenths, 600)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{tenths // 10:02}"
    return f"{minutes}:{tenths // 10:02}.{tenths % 10}"


class Panel(Lined):
    """Shows facts in a column, in two lines or in one."""

    DEFAULT_CSS = """
    Panel { height: 1; }
    Panel.side {
        width: 28; height: 100%; padding: 1 1 1 2; background: $surface; border-left: vkey $panel;
    }
    Panel.under { width: 100%; height: 3; padding-bottom: 1; text-align: center; }
    Panel.row { width: 100%; height: 1; text-align: center; }
    """

    def __init__(self, facts: Facts) -> None:
        super().__init__()
        self.facts = facts
        self.place = ROW
        self._drawn: dict[Line, Strip] = {}
        """The lines that were drawn last; a clock changes one of them."""

    def show(self, facts: Facts, place: str | None = None) -> None:
        """Show facts, perhaps in another place; nothing is drawn if nothing has changed."""
        if place is not None and (place != self.place or not self.has_class(place)):
            self.remove_class(self.place)
            self.place = place
            self.add_class(place)
            self.refresh(layout=True)
        if facts != self.facts:
            self.facts = facts
            self.redraw()

    def draw(self) -> list[Strip]:
        known = {} if self.is_outdated else self._drawn
        lines = self._lines()
        self._drawn = {line: known.get(line) or self._draw_line(line) for line in lines}
        return [self._drawn[line] for line in lines]

    def _draw_line(self, line: Line) -> Strip:
        content = Content.assemble(*line)
        strips = Visual.to_strips(self, content, self.size.width, 1, self.visual_style)
        return strips[0] if strips else Strip.blank(self.size.width)

    def _lines(self) -> list[Line]:
        if self.place == SIDE:
            return _column(self.facts)
        row = _row(self.facts)
        return [row] if self.place == ROW else [row, _known(self.facts)]


def _pair(name: str, value: str, style: Style = "bold") -> Line:
    return (name, "$faint"), " " * max(_WIDTH - len(name) - len(value), 1), (value, style)


def _column(facts: Facts) -> list[Line]:
    lines: list[Line] = [
        ((facts.title, "bold $accent"),),
        ((facts.state, "italic"),),
        _pair("Time", clock(facts.seconds)),
        _pair("Moves", f"{facts.moves:,}"),
        _pair("Moves a second", facts.pace),
        _pair("Hints", str(facts.hints)),
    ]
    if not facts.figures:
        return lines
    lines += [("",), (("At least to go", "bold"),)]
    lines += [_pair(name, _value(facts.bounds, key)) for key, name in _NAMES.items()]
    lines += [("",), *_answer(facts)]
    return lines


def _value(bounds: dict[str, int], name: str) -> str:
    return str(bounds[name]) if name in bounds else "–"


def _answer(facts: Facts) -> list[Line]:
    """The optimum, or what is known instead of it."""
    lines = [_pair("Optimum", "?" if facts.optimum is None else f"{facts.optimum:,}")]
    if facts.optimum is None and facts.best is not None:
        lines.append(_pair("Best from here", f"{facts.best:,}"))
        lines.append(_pair("At least", f"{facts.lower_bound:,}"))
    if facts.thinking is not None:
        lines.append(((f"thinking {facts.thinking:.0f} s, esc ends", "italic $faint"),))
    return lines


def _row(facts: Facts) -> Line:
    figures = (clock(facts.seconds), "bold"), "  ", (moves_word(facts.moves), "bold")
    pace = (f"  {facts.pace}/s", "$faint")
    if facts.state:
        return *figures, pace, (f"  {facts.state}", "italic")
    if facts.figures and facts.bounds:
        return *figures, pace, (f"  at least {max(facts.bounds.values())}", "$faint")
    return *figures, pace


def _known(facts: Facts) -> Line:
    words = facts.title
    if facts.figures and facts.optimum is not None:
        words += f" · optimum {facts.optimum}"
    elif facts.figures and facts.best is not None:
        words += f" · best answer {facts.best}, ≥ {facts.lower_bound}"
    return ((words, "$faint"),)
