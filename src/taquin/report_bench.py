"""How the runs of sets look: one block of figures a set, and what is different from before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .report import bold, count, figure_table, print_table, rate, size

if TYPE_CHECKING:
    from .benchmark import Benchmark, Difference, Figures, Run
    from .sets import InstanceSet

_MOST_NAMED = 10
"""How many instances are named one by one."""


def list_lines(found: Sequence[InstanceSet]) -> Iterable[str]:
    """The sets that there are."""
    width = max(len(boards.name) for boards in found)
    for boards in found:
        yield f"{boards.name:<{width}}  {len(boards):>3}  {boards.title}"


def heading_lines(machine: dict[str, Any], version: str, options: dict[str, Any]) -> Iterable[str]:
    """Where it ran, and how."""
    memory = f", {size(machine['memory'])}" if machine["memory"] else ""
    yield (
        f"taquin {version}, {machine['python']}, {machine['system']}, {machine['processor']}, "
        f"{count(machine['cores'], 'core')}{memory}"
    )
    yield ", ".join(_option_words(options))


def _option_words(options: dict[str, Any]) -> Iterable[str]:
    if options["algorithm"] or options["heuristic"]:
        yield " ".join(filter(None, (options["algorithm"], options["heuristic"])))
    else:
        yield f"engine, tables {options['tables']}, {count(options['threads'], 'thread')}"
    yield f"quality {options['quality']}"
    for name in ("weight", "width", "depth"):
        if name in options:
            yield f"{name} {options[name]:g}"
    if options["seconds"] is not None:
        yield f"{options['seconds']:g} s a board at most"
    if options["expanded"] is not None:
        yield f"{options['expanded']:,} expansions a board at most"
    if options["repeat"] > 1:
        yield f"the quickest of {options['repeat']} runs"


def show(done: Benchmark) -> None:
    """The figures of a set, and what must be told of single boards."""
    import click

    click.echo(bold(headline(done)), color=True)
    figures = done.figures()
    table = figure_table(("", "mean", "median", "worst", "total"), left=("",), gap=2)
    for name, row in figures.items():
        table.add_row(f"  {name}", *_cells(name, row))
    if figures:
        print_table(table)
        ratio = done.times_optimum
        times = "" if ratio is None or ratio == 1 else f", answers {ratio:.3f} × the optimum"
        click.echo(
            f"  {rate(done.expanded_per_second)} expanded, by {', '.join(done.heuristics)}{times}"
        )
    for line in problem_lines(done.runs):
        click.echo(f"  {line}")
    if done.warning:
        click.echo(f"  note: {done.warning}")


def headline(done: Benchmark) -> str:
    from .benchmark import VERDICTS

    counts = [(done.count(verdict), _VERDICT_WORDS[verdict]) for verdict in VERDICTS]
    found = ", ".join(f"{number} {words}" for number, words in counts if number)
    left = done.size - len(done.runs)
    more = f", {left} not begun" if left else ""
    return f"{done.name}: {count(done.size, 'board')}: {found or 'none solved'}{more}"


_VERDICT_WORDS = {
    "optimal": "optimal",
    "longer": "longer than the optimum",
    "limit": "stopped by a limit",
    "cancelled": "cancelled",
    "wrong": "WRONG",
}


def _cells(name: str, figures: Figures) -> list[str]:
    if name == "seconds":
        return [
            seconds(value) for value in (figures.mean, figures.median, figures.worst, figures.total)
        ]
    digits = 2 if name == "moves" else 0
    middle = f"{figures.median:,.1f}" if name == "moves" else f"{figures.median:,.0f}"
    return [
        f"{figures.mean:,.{digits}f}",
        middle.removesuffix(".0"),
        f"{figures.worst:,.0f}",
        f"{figures.total:,.0f}",
    ]


def seconds(value: float) -> str:
    """Seconds with the digits that matter.

    >>> seconds(0.00312), seconds(1.5), seconds(1234.5)
    ('0.00312', '1.50', '1,234')
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 1 else f"{value:.5f}"


def problem_lines(runs: Iterable[Run]) -> Iterable[str]:
    """What must be told of single boards: first what is wrong, then what was not finished."""
    runs = list(runs)
    for run in runs:
        if run.verdict == "wrong":
            yield f"WRONG: {run.id}: {run.problem}"
    stopped = [run for run in runs if run.verdict in ("limit", "cancelled")]
    for run in stopped[:_MOST_NAMED]:
        best = "no answer yet" if run.length is None else f"best {run.length}"
        why = f" ({run.problem})" if run.problem else ""
        bounds = f"at least {run.lower_bound}, {best}, known {run.optimum}"
        yield f"{run.id}: {run.verdict}{why}: {bounds}"
    if len(stopped) > _MOST_NAMED:
        yield f"… and {len(stopped) - _MOST_NAMED} more"


def each_lines(runs: Iterable[Run]) -> Iterable[str]:
    """Every board of a set, one a line."""
    yield f"  {'id':>4}  {'optimum':>7}  {'moves':>5}  {'seconds':>9}  {'expanded':>13}  verdict"
    for run in runs:
        moves = "-" if run.length is None else str(run.length)
        yield (
            f"  {run.id:>4}  {run.optimum:>7}  {moves:>5}  {seconds(run.seconds):>9}  "
            f"{run.expanded:>13,}  {run.verdict}"
        )


# --- side by side -------------------------------------------------------------------------------


def difference_lines(found: Difference) -> Iterable[str]:
    """What is different from before."""
    yield bold(f"{found.name}, now against before: {count(found.shared, 'board')} in both")
    yield from (f"  other {words}" for words in found.circumstances)
    if found.ended:
        before, after = found.seconds
        middle = "" if found.median_ratio is None else f", median ratio {found.median_ratio:.3f}"
        yield f"  seconds   {seconds(before)} → {seconds(after)}{_times(before, after)}{middle}"
        old, new = found.expanded
        yield f"  expanded  {old:,} → {new:,}{_times(old, new)}"
    if not found.other_lengths and not found.other_expanded:
        yield "  the same lengths and expansions, board by board"
        return
    yield from _named("other lengths", found.other_lengths)
    yield from _named("other expansions", found.other_expanded)


def _times(before: float, after: float) -> str:
    return f": {after / before:.3f} ×" if before else ""


def _named(what: str, changes: Sequence[tuple[int, int | None, int | None]]) -> Iterable[str]:
    if not changes:
        return
    shown = (f"{id}: {_number(old)} → {_number(new)}" for id, old, new in changes[:_MOST_NAMED])
    more = f" … and {len(changes) - _MOST_NAMED} more" if len(changes) > _MOST_NAMED else ""
    yield f"  {what} on {count(len(changes), 'board')}: {'; '.join(shown)}{more}"


def _number(value: int | None) -> str:
    return "none" if value is None else f"{value:,}"
