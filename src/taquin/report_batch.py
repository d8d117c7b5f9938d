"""How a batch looks: a bar while it runs, a summary and a histogram at its end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import goals, notation
from .errors import MissingExtraError, UnknownNameError
from .report import bold, console, count, figure_table, rate, style, table_lines
from .tally import Tally, median

if TYPE_CHECKING:
    from .batch_file import BatchFile

_MOST_ROWS = 24
_BAR = 50
_BETWEEN = 0.1


class BatchBar:
    """A bar on stderr with the rate and the time left; nothing unless someone looks at it."""

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._bar: Any = None
        self._task: Any = None
        self._begun = self._shown = time.monotonic()
        self._told: set[str] = set()

    def __enter__(self) -> BatchBar:
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            words, share = TextColumn("{task.fields[words]}"), TextColumn("{task.fields[share]}")
            left = TimeRemainingColumn(elapsed_when_finished=True)
            self._bar = Progress(
                words, BarColumn(), share, left, console=console(stderr=True), transient=True
            )
            self._task = self._bar.add_task("", total=self._total or None, words="", share="")
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, job: BatchFile) -> None:
        self._tell_of_goals(job.tally)
        now = time.monotonic()
        if self._bar is None or now - self._shown < _BETWEEN:
            return
        self._shown = now
        boards = job.tally.boards
        speed = (boards - job.before) / max(now - self._begun, 1e-9)
        share = f"{100 * job.position / self._total:.0f} %" if self._total else ""
        words = f"{count(boards, 'board')} ({rate(speed)})"
        self._bar.update(self._task, completed=job.position, words=words, share=share)

    def _tell_of_goals(self, tally: Tally) -> None:
        """Say once of a format that its boards usually have another goal."""
        for name in tally.formats.keys() - self._told:
            self._told.add(name)
            usual = notation.get(name).goal
            self.say(
                f"note: boards in the format {name} usually have the goal {usual} "
                f"(--goal {usual}); this is for {goals.DEFAULT}"
            )

    def say(self, line: str) -> None:
        """A line above the bar."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False)
        elif sys.stderr is not None:
            print(line, file=sys.stderr, flush=True)


# --- the end ------------------------------------------------------------------------------------

_WORDS = {
    "solved": "solved",
    "unsolvable": "unsolvable",
    "limit": "stopped by a limit",
    "bad": "bad",
}


def summary_lines(job: BatchFile, seconds: float) -> Iterator[str]:
    """What came of a batch, which ran for so many seconds this time."""
    tally, fresh = job.tally, job.tally.boards - job.before
    kinds = [f"{tally.statuses[name]:,} {words}" for name, words in _WORDS.items()]
    yield bold(f"{count(tally.boards, 'board')}: {', '.join(kinds)}")
    if fresh:
        before = f"; {job.before:,} of them before" if job.before else ""
        yield f"{seconds:,.1f} s, {rate(fresh / max(seconds, 1e-9))}{before}"
    yield from _bad_lines(tally)
    if tally.seconds.count:
        yield ""
        yield from table_lines(_figures(tally))
    if tally.lengths:
        yield ""
        yield from histogram_lines(tally.lengths, plain=style() != "box")


def _bad_lines(tally: Tally) -> Iterator[str]:
    for file, line, reason in tally.bad:
        yield f"bad: {file}:{line}: {reason}"
    if tally.statuses["bad"] > len(tally.bad):
        yield f"and {tally.statuses['bad'] - len(tally.bad):,} more that are bad"


def _figures(tally: Tally) -> Any:
    table = figure_table(("", "mean", "median", "worst"), left=("",), gap=2)
    lengths = tally.lengths
    if lengths:
        mean = sum(length * times for length, times in lengths.items()) / lengths.total()
        table.add_row("moves", f"{mean:.1f}", f"{median(lengths):,}", f"{max(lengths):,}")
    expanded = [tally.expanded.mean, tally.expanded.median, tally.expanded.worst]
    table.add_row("expanded", *(f"{figure:,.0f}" for figure in expanded))
    seconds = [tally.seconds.mean, tally.seconds.median, tally.seconds.worst]
    table.add_row("seconds", *map(_time, seconds))
    return table


def _time(seconds: float) -> str:
    """
    >>> _time(0.0000123), _time(0.0123), _time(12.3)
    ('0.000012', '0.0123', '12.3')
    """
    if seconds < 0.001:
        return f"{seconds:.6f}"
    return f"{seconds:.3g}" if seconds < 100 else f"{seconds:,.0f}"


def histogram_lines(lengths: Counter[int], plain: bool = False) -> Iterator[str]:
    """How many solutions have each length, or lengths from one to another, as bars.

    `plain` is for where only ASCII can be written.

    >>> print(*histogram_lines(Counter({1: 1, 2: 4})), sep="\\n")
    moves
        1  ████████████▌                                       1
        2  ██████████████████████████████████████████████████  4
    """
    yield "moves"
    bins = binned(lengths)
    most = max(bins.values())
    names = [f"{low}" if low == high else f"{low}–{high}" for low, high in bins]
    width = max(5, *map(len, names))
    for name, times in zip(names, bins.values(), strict=True):
        bar = _bar(_BAR * times / most, plain)
        label = name.replace("–", "-") if plain else name
        yield f"{label:>{width}}  {bar:<{_BAR}}  {times:,}"


def _bar(length: float, plain: bool) -> str:
    if plain:
        return "#" * max(round(length), length > 0)
    eighths = max(round(8 * length), length > 0)
    return "█" * (eighths // 8) + ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")[eighths % 8]


def binned(counts: Counter[int], most: int = _MOST_ROWS) -> dict[tuple[int, int], int]:
    """The counts of numbers side by side, several to a bin where there are many.

    >>> binned(Counter({3: 2, 5: 1}))
    {(3, 3): 2, (4, 4): 0, (5, 5): 1}
    >>> binned(Counter({1: 1, 4: 1}), most=2)
    {(1, 2): 1, (3, 4): 1}
    """
    low, high = min(counts), max(counts)
    wide = -(-(high - low + 1) // most)
    bins = {(start, start + wide - 1): 0 for start in range(low, high + 1, wide)}
    for number, times in counts.items():
        start = low + (number - low) // wide * wide
        bins[start, start + wide - 1] += times
    return bins


def plot(tally: Tally, path: Path, kind: str) -> None:
    """Draw how many solutions have each length."""
    figure = _figure()
    axis = figure.subplots()
    bins = binned(tally.lengths, 400) if tally.lengths else {}
    axis.bar(
        [(low + high) / 2 for low, high in bins],
        list(bins.values()),
        width=[0.9 * (high - low + 1) for low, high in bins],
        color="#3b6ea5",
    )
    if tally.lengths:
        middle = median(tally.lengths)
        axis.axvline(middle, color="#b3402e", linewidth=1)
        axis.annotate(
            f" median {middle:,}", (middle, 1), xycoords=("data", "axes fraction"), va="top",
            color="#b3402e",
        )  # fmt: skip
    axis.set_xlabel("moves")
    axis.set_ylabel("boards")
    axis.set_title(f"{tally.lengths.total():,} solutions of {count(tally.boards, 'board')}")
    axis.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=150, format=kind)


def plot_kind(path: Path) -> str:
    """The kind of picture that a name asks for, told before the work and not after it."""
    kind = path.suffix[1:].lower() or "png"
    if kind not in _figure().canvas.get_supported_filetypes():
        raise UnknownNameError("kind of picture", kind, ["png", "svg", "pdf"])
    return kind


def _figure() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    return Figure(figsize=(9, 5), layout="constrained")
