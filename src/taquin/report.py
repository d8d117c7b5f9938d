"""How results look on a terminal: plain text in a pipe, colour and live figures for the eye."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import goals
from .board import Board
from .heartbeat import Event
from .heuristics import Breakdown, Part
from .notation import write_moves
from .parity import Solvability
from .result import Progress, Result, Solution

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    from .comparison import Comparison, Row
    from .graph import BoardGraph
    from .solutions import Solutions
    from .store import Entry
    from .tables import Plan

_QUIET_SECONDS = 0.3
"""How long a run may take before it shows a live line."""


def is_terminal() -> bool:
    return sys.stdout.isatty()


def has_color() -> bool:
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def style() -> str:
    """Box characters where the output can carry them."""
    try:
        "┌".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return "ascii"
    return "box"


def drawing(board: Board, goal: Board | None = None) -> str:
    return board.show(style(), color=has_color(), goal=goal)


def bold(text: str) -> str:
    return f"\x1b[1m{text}\x1b[0m" if has_color() else text


# --- results ------------------------------------------------------------------------------------


def result_lines(result: Result, moves: str) -> Iterable[str]:
    """A result in a few lines: what was found, what is proven, how, and what it took."""
    yield bold(headline(result))
    if result.solution is not None:
        direction = "" if moves == "tile" else "  (the blank's directions)"
        yield f"moves: {result.solution.text(moves=moves) or '(none)'}{direction}"
    if result.status == "unsolvable":
        return
    stats = result.stats
    how = f"{result.algorithm} {result.heuristic}" if result.heuristic else result.algorithm
    yield (
        f"by {how}: {stats.expanded:,} expanded, {stats.generated:,} generated, "
        f"{stats.seconds:.3f} s"
    )
    if result.warning:
        yield f"note: {result.warning}"


def solutions_lines(found: Solutions, moves: str) -> Iterable[str]:
    """All shortest solutions, a line for each."""
    yield bold(f"{count(found.count, 'solution')} of {moves_word(found.length)}")
    for solution in found:
        yield solution.text(moves=moves) or "(none)"
    if found.count > len(found.first):
        yield f"… and {found.count - len(found.first):,} more"


def headline(result: Result) -> str:
    if result.status == "unsolvable":
        return result.reason
    stopped = f"{result.status}: {result.reason}" if result.reason else result.status
    if result.length is None:
        return f"{stopped}; the solution has at least {moves_word(result.lower_bound)}"
    runs = " of whole runs" if result.metric == "multi" else ""
    answer = f"{moves_word(result.length)}{runs}, {proof_words(result)}"
    return f"solved: {answer}" if result.status == "solved" else f"{stopped}; best so far {answer}"


def proof_words(result: Result) -> str:
    if result.proof == "optimal":
        return "optimal"
    if result.proof == "none":
        return "nothing proven of its length"
    times = result.proof.removeprefix("within:")
    return f"at most {times} × the optimum (which is at least {result.lower_bound})"


def moves_word(number: int) -> str:
    return count(number, "move")


def count(number: int, noun: str) -> str:
    """
    >>> count(1, "table"), count(2000, "table")
    ('1 table', '2,000 tables')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def steps(solution: Solution, moves: str) -> str:
    """Every board on the way, as many side by side as fit."""
    names = ["start"] + [write_moves([move], "words", moves=moves) for move in solution.moves]
    blocks = [
        _captioned(f"{number}. {name}" if number else name, board, solution.goal)
        for number, (name, board) in enumerate(zip(names, solution.boards(), strict=True))
    ]
    width = max(line[1] for block in blocks for line in block) + 2
    across = max(1, (shutil.get_terminal_size().columns + 2) // width)
    bands = (blocks[i : i + across] for i in range(0, len(blocks), across))
    return "\n\n".join(_side_by_side(band, width) for band in bands)


def _captioned(caption: str, board: Board, goal: Board) -> list[tuple[str, int]]:
    """The lines of a step, each with the width that it takes on the screen."""
    drawn = drawing(board, goal).split("\n")
    width = len(board.show("ascii").split("\n")[0])
    return [(caption, len(caption)), *((line, width) for line in drawn)]


def _side_by_side(blocks: Sequence[list[tuple[str, int]]], width: int) -> str:
    return "\n".join(
        "".join(text + " " * (width - shown) for text, shown in line).rstrip()
        for line in zip(*blocks, strict=True)
    )


def verdict_lines(board: Board, goal: Board, verdict: Solvability) -> Iterable[str]:
    """Whether a board reaches its goal, why, and what could be done."""
    yield bold(verdict.reason)
    yield (
        f"inversions {verdict.inversions}, permutation {verdict.permutation}, "
        f"blank {verdict.blank_distance} from home"
    )
    if verdict.fix:
        a, b = verdict.fix
        yield f"nearest fix: exchange tiles {a} and {b}: {board.exchange(a, b)}"
    elif not verdict:
        yield "no exchange of two tiles mends it"
    yield f"named goals it reaches: {', '.join(verdict.goals) or 'none'}"


_TILE_BY_TILE = ("misplaced", "manhattan")


def breakdown_lines(board: Board, goal: Board, breakdowns: Sequence[Breakdown]) -> Iterable[str]:
    """Heuristics explained: what each tile counts, then what lines and cycles add."""
    by_tile = {b.heuristic: b.per_tile() for b in breakdowns if b.heuristic in _TILE_BY_TILE}
    yield f"to the goal {goals.name_of(goal) or goal}"
    yield "tile  " + "  ".join(by_tile)
    for tile in range(1, len(board)):
        counts = (f"{values[tile]:>{len(name)}}" for name, values in by_tile.items())
        yield f"{tile:>4}  " + "  ".join(counts)
    for breakdown in breakdowns:
        yield bold(f"{breakdown.heuristic}: {breakdown.total}")
        yield from (f"  {_part(part)}" for part in breakdown.parts if not part.is_tile)


def _part(part: Part) -> str:
    tiles = f" (for tile {', '.join(map(str, part.tiles))})" if part.tiles else ""
    return f"{part.name}: {part.value}" + (tiles if "cycle" not in part.name else "")


# --- graphs -------------------------------------------------------------------------------------

_WRITABLE_CELLS = 1000
"""The number of arrangements of more cells has too many digits to be of use to anyone."""


def graph_dict(graph: BoardGraph, layers: Sequence[int]) -> dict[str, object]:
    """The figures of a graph; `boards` and `edges` are None where they are beyond writing."""
    writable = graph.rows * graph.cols <= _WRITABLE_CELLS
    return {
        "rows": graph.rows,
        "cols": graph.cols,
        "goal": str(graph.goal),
        "boards": graph.size if writable else None,
        "edges": graph.edges() if writable else None,
        "layers": list(layers) or None,
        "complete": sum(layers) == graph.size,
    }


def graph_lines(graph: BoardGraph, layers: Sequence[int]) -> Iterable[str]:
    cells = graph.rows * graph.cols
    yield f"{graph.rows}×{graph.cols}, goal {goals.name_of(graph.goal) or graph.goal}"
    if cells <= _WRITABLE_CELLS:
        yield f"{graph.size:,} boards, {graph.edges():,} slides between them"
    else:
        yield f"{cells}!/2 boards"
    yield from (f"{distance:>4}  {count:,}" for distance, count in enumerate(layers))
    if layers and sum(layers) < graph.size:
        yield "and more beyond"


# --- comparisons --------------------------------------------------------------------------------

_WIDEST = 1000

_COLUMNS = (
    "algorithm", "heuristic", "solved", "moves", "optimal", "expanded", "generated", "frontier",
    "memory", "seconds", "b*",
)  # fmt: skip


def comparison_table(comparison: Comparison) -> None:
    """The figures of all runs as a table; b* is the effective branching factor."""
    table = figure_table(_COLUMNS, left=("algorithm", "heuristic"))
    for row in comparison.rows():
        table.add_row(*_figures(row))
    print_table(table)


def figure_table(columns: Sequence[str], left: Sequence[str], *, gap: int = 1) -> Table:
    """An empty table; its columns are figures, apart from those to be aligned left."""
    from rich.table import Table

    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False)
    for column in columns:
        table.add_column(column, justify="left" if column in left else "right", no_wrap=True)
    return table


def print_table(table: Table) -> None:
    """Print a table whole, wherever the output goes."""
    import click

    for line in table_lines(table):
        click.echo(line, color=True)


def table_lines(table: Table) -> Iterable[str]:
    """The lines of a table, none of them cut."""
    terminal = console()
    # Figures cut short are wrong figures: a narrow terminal wraps the lines instead.
    terminal.width = max(terminal.width, table_width(table))
    with terminal.capture() as printed:
        terminal.print(table)
    return [line.rstrip() for line in printed.get().splitlines()]


def table_width(table: Table) -> int:
    """How many columns a table takes that is printed whole."""
    from rich.measure import Measurement

    terminal = console()
    return Measurement.get(terminal, terminal.options.update_width(_WIDEST), table).maximum


def _figures(row: Row) -> list[str]:
    return [
        row.algorithm,
        row.heuristic or "-",
        f"{row.solved}/{row.boards}",
        "-" if row.length is None else f"{row.length:.4g}",
        f"{row.optimal}/{row.known}" if row.known else "?",
        f"{row.expanded:,.0f}",
        f"{row.generated:,.0f}",
        f"{row.peak_frontier:,.0f}",
        size(row.peak_memory),
        f"{row.seconds:.3f}",
        "-" if row.branching_factor is None else f"{row.branching_factor:.2f}",
    ]


def size(count: float) -> str:
    """Bytes for people.

    >>> size(1_234_567)
    '1.23 MB'
    """
    for unit in ("B", "kB", "MB"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} GB"


# --- tables -------------------------------------------------------------------------------------


def stored_lines(
    entries: Sequence[Entry], uses: Mapping[str, Sequence[str]], checked: bool
) -> Iterable[str]:
    """The tables on disk, one a line."""
    state = "sound" if checked else "not checked"
    return _aligned(
        [e.name, size(e.size), ", ".join(uses.get(e.name, ["-"])), e.problem or state]
        for e in entries
    )


def offer_lines(plans: Sequence[Plan], threads: int) -> Iterable[str]:
    """Sets of tables that can be built, one a line."""
    return _aligned(
        [
            f"{plan.goal.rows}x{plan.goal.cols} {plan.name}",
            size(plan.size),
            count(len(plan.recipes), "table"),
            f"about {duration(plan.seconds(threads))}" if plan.missing else "on disk",
        ]
        for plan in plans
    )


def _aligned(rows: Iterable[Sequence[str]]) -> Iterable[str]:
    """Columns that are as wide as they must be; the second one has figures."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, figure, *others = (
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        )
        yield "  ".join([first, figure.strip().rjust(widths[1]), *others]).rstrip()


def plan_words(plan: Plan, threads: int) -> str:
    """What a set will take, told before it is built."""
    shape = f"{plan.goal.rows}×{plan.goal.cols}"
    if not plan.missing:
        return f"{shape} {plan.name}: all {size(plan.size)} are on disk"
    done = len(plan.recipes) - len(plan.missing)
    kept = f"{done} of {count(len(plan.recipes), 'table')} on disk, " if done else ""
    return (
        f"{shape} {plan.name}: {kept}{count(len(plan.missing), 'table')} to build, "
        f"{size(plan.missing_size)}, about {duration(plan.seconds(threads))} "
        f"with {count(threads, 'thread')}"
    )


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(0.2), duration(59.7), duration(200), duration(9000)
    ('1 s', '60 s', '3 min', '2.5 h')
    """
    if seconds <= 90:
        return f"{max(1, seconds):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds <= 5400 else f"{seconds / 3600:.1f} h"


# --- while it runs ------------------------------------------------------------------------------


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False)


class LiveLine:
    """One line on stderr that says how a long run goes; nothing unless someone looks at it."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._watched = sys.stderr is not None and sys.stderr.isatty()
        self.title = ""
        """What comes before the figures."""

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()

    def clear(self) -> None:
        """Take the line away, so that something can be printed in its place."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def __call__(self, progress: Progress) -> None:
        if not self._watched or (self._live is None and progress.seconds < _QUIET_SECONDS):
            return
        from rich.text import Text

        if self._live is None:
            from rich.live import Live

            self._live = Live(console=console(stderr=True), transient=True, auto_refresh=False)
            self._live.start()
        words = self.title + progress_words(progress)
        self._live.update(Text(words, no_wrap=True, overflow="ellipsis"), refresh=True)


class BuildBar:
    """A progress bar on stderr with the time left; nothing unless someone looks at it."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._before = 0
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> BuildBar:
        if sys.stderr is not None and sys.stderr.isatty():
            from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
            left = TimeRemainingColumn(elapsed_when_finished=True)
            self._bar = Bar(*columns, left, console=console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=self._total)
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def begin(self, name: str) -> None:
        self._update(description=name)

    def show(self, done: int) -> None:
        """How much of the present table is done; 0 tells nothing."""
        if done:
            self._update(completed=self._before + done)

    def end(self, entries: int) -> None:
        """The present table is complete."""
        self._before += entries
        self._update(completed=self._before)

    def _update(self, **fields: Any) -> None:
        if self._bar is not None:
            self._bar.update(self._task, **fields)

    def say(self, line: str) -> None:
        """A line above the bar."""
        if self._bar is not None:
            self._bar.console.print(line, markup=False)
        elif sys.stderr is not None:
            print(line, file=sys.stderr, flush=True)


def rate(per_second: float) -> str:
    """How many a second.

    >>> rate(1_234_567), rate(987.6)
    ('1.2 M/s', '988/s')
    """
    return f"{per_second / 1e6:.1f} M/s" if per_second >= 1e6 else f"{per_second:,.0f}/s"


def progress_words(progress: Progress) -> str:
    """How a run stands, in one line. What a narrow terminal cuts off comes last.

    >>> progress_words(Progress(2.5, 0, 0, 105, 88, preparing=True))
    '2.5 s · at least 88, best 105 moves · making tables ready'
    """
    best = "none yet" if progress.best is None else moves_word(progress.best)
    parts = [f"{progress.seconds:.1f} s", f"at least {progress.lower_bound}, best {best}"]
    if progress.preparing:
        return " · ".join([*parts, "making tables ready"])
    if progress.bound != progress.lower_bound:
        parts.append(f"bound {progress.bound:g}")
    if progress.seconds_left is not None:
        parts.append(f"about {time_words(progress.seconds_left)} left at this bound")
    parts.append(f"{progress.expanded:,} expanded ({rate(progress.expanded_per_second)})")
    return " · ".join(parts)


def time_words(seconds: float) -> str:
    """A length of time as people say it.

    >>> time_words(5.2), time_words(400), time_words(20000)
    ('5 s', '7 min', '6 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


def event_words(event: Event[Board]) -> str:
    """One expansion in one line."""
    threshold = "" if event.threshold is None else f"  threshold {event.threshold:g}"
    return (
        f"{event.number:>7}  {event.vertex}  g {event.g:g}  h {event.h:g}  f {event.f:g}"
        f"  frontier {event.frontier}  closed {event.closed}{threshold}"
    )


def event_picture(event: Event[Board], goal: Board) -> str:
    """One expansion as the board with its figures beside it."""
    figures = [
        f"expansion {event.number:,}",
        f"g {event.g:g} + h {event.h:g} = f {event.f:g}",
        f"frontier {event.frontier:,}",
        f"closed {event.closed:,}",
        "" if event.threshold is None else f"threshold {event.threshold:g}",
    ]
    lines = drawing(event.vertex, goal).split("\n")
    figures += [""] * (len(lines) - len(figures))
    width = len(event.vertex.show("ascii").split("\n")[0])
    lines += [" " * width] * (len(figures) - len(lines))
    return "\n".join(f"{line}   {text}" for line, text in zip(lines, figures, strict=True))
