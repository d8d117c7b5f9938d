"""The panel beside the board: clock, moves, what the heuristics say, and what is known."""

from __future__ import annotations

from dataclasses import dataclass, field

from textual.content import Content
from textual.widget import Widget

from ..report import moves_word
from .drawing import ROW, SIDE

Style = str
Line = list[str | tuple[str, Style]]

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


class Panel(Widget):
    """Shows facts in a column, in two lines or in one."""

    DEFAULT_CSS = """
    Panel { height: auto; }
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

    def show(self, facts: Facts, place: str | None = None) -> None:
        """Show facts, perhaps in another place; nothing is drawn if nothing has changed."""
        if place is not None and (place != self.place or not self.has_class(place)):
            self.remove_class(self.place)
            self.place = place
            self.add_class(place)
            self.refresh(layout=True)
        if facts != self.facts:
            self.facts = facts
            self.refresh()

    def render(self) -> Content:
        if self.place == SIDE:
            lines = _column(self.facts)
        elif self.place == ROW:
            lines = [_row(self.facts)]
        else:
            lines = [_row(self.facts), _known(self.facts)]
        return Content("\n").join(Content.assemble(*line) for line in lines)


def _pair(name: str, value: str, style: Style = "bold") -> Line:
    return [(name, "$faint"), " " * max(_WIDTH - len(name) - len(value), 1), (value, style)]


def _column(facts: Facts) -> list[Line]:
    lines: list[Line] = [
        [(facts.title, "bold $accent")],
        [(facts.state, "italic")],
        _pair("Time", clock(facts.seconds)),
        _pair("Moves", f"{facts.moves:,}"),
        _pair("Moves a second", facts.pace),
        _pair("Hints", str(facts.hints)),
    ]
    if not facts.figures:
        return lines
    lines += [[""], [("At least to go", "bold")]]
    lines += [_pair(name, _value(facts.bounds, key)) for key, name in _NAMES.items()]
    lines += [[""], *_answer(facts)]
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
        lines.append([(f"thinking {facts.thinking:.0f} s, esc ends", "italic $faint")])
    return lines


def _row(facts: Facts) -> Line:
    parts: Line = [(clock(facts.seconds), "bold"), "  ", (moves_word(facts.moves), "bold")]
    parts.append((f"  {facts.pace}/s", "$faint"))
    if facts.state:
        parts.append((f"  {facts.state}", "italic"))
    elif facts.figures and facts.bounds:
        parts.append((f"  at least {max(facts.bounds.values())}", "$faint"))
    return parts


def _known(facts: Facts) -> Line:
    if not facts.figures:
        return [(facts.title, "$faint")]
    if facts.optimum is not None:
        return [(f"{facts.title} · optimum {facts.optimum}", "$faint")]
    if facts.best is not None:
        return [(f"{facts.title} · best answer {facts.best}, ≥ {facts.lower_bound}", "$faint")]
    return [(facts.title, "$faint")]
