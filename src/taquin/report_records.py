"""How records look: a summary on a terminal, CSV for spreadsheets, charts."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import goals
from .averages import DNF, Average, Figures, Outcome, Point, Statistics, goal_name, plain
from .errors import MissingExtraError, OptionError, UnknownNameError, shorten
from .report import bold, console, count, figure_table, print_table, style, table_width

if TYPE_CHECKING:
    from rich.table import Table

    from .board import Board

_TREND_GAMES = 30
_SHORT_TREND = 10
_NEEDED_COLUMNS = 6
_GAP = 2
_BARS = "▁▂▃▄▅▆▇█"

EMPTY = "no games yet: taquin play 3x3 starts one, and what you finish is kept here"


def clock(seconds: float) -> str:
    """A time as speed-solvers write it.

    >>> clock(9.5), clock(83.0426), clock(4382.903), clock(DNF)
    ('9.500', '1:23.043', '1:13:02.903', 'DNF')
    """
    if seconds == DNF:
        return "DNF"
    whole, thousandths = divmod(round(1000 * seconds), 1000)
    minutes, second = divmod(whole, 60)
    if not minutes:
        return f"{second}.{thousandths:03}"
    hours, minute = divmod(minutes, 60)
    front = f"{hours}:{minute:02}" if hours else f"{minute}"
    return f"{front}:{second:02}.{thousandths:03}"


def moves_text(moves: float) -> str:
    """
    >>> moves_text(84), moves_text(105.66), moves_text(DNF)
    ('84', '105.7', 'DNF')
    """
    if moves == DNF:
        return "DNF"
    return f"{moves:,}" if isinstance(moves, int) else f"{moves:,.1f}"


def series_name(goal: Board) -> str:
    """The size, and the goal unless it is the usual one.

    >>> series_name(goals.blank_last(4, 4)), series_name(goals.snail(3, 5))
    ('4×4', '3×5 snail')
    """
    size, name = f"{goal.rows}×{goal.cols}", goal_name(goal)
    return size if name == goals.DEFAULT else f"{size} {shorten(name, 14)}"


# --- the summary --------------------------------------------------------------------------------


def summary(statistics: Sequence[Statistics], outcomes: Sequence[Outcome], last: int) -> None:
    """Bests for each size, or all there is to say of a single one, and the last games."""
    if len(statistics) == 1:
        _print_series(statistics[0])
    else:
        _print_bests(statistics)
    if last and outcomes:
        bests = {p.outcome.id for series in statistics for p in series.progress if p.is_best}
        shown = sorted(outcomes, key=lambda game: (game.finished_at, game.id))[-last:]
        title = "the last game" if len(shown) == 1 else f"the last {len(shown)} games"
        click.echo("\n" + bold(title), color=True)
        _print_games(shown[::-1], bests)


def _print_bests(statistics: Sequence[Statistics]) -> None:
    games = sum(series.games for series in statistics)
    click.echo(bold(f"{count(games, 'game')}, bests of each size"), color=True)
    titles = ["", "solved", "single", "mo3", "ao5", "ao12", "moves", "moves/s", "trend"]
    rows = [_bests(series) for series in statistics]
    shown = len(titles) if style() == "box" else len(titles) - 1
    table = _bests_table(titles, rows, shown)
    # What matters least stands last, and is left out where the lines are too short.
    while table_width(table) > console().width and shown > _NEEDED_COLUMNS:
        shown -= 1
        table = _bests_table(titles, rows, shown)
    print_table(table)


def _bests_table(titles: Sequence[str], rows: Sequence[Sequence[str]], shown: int) -> Table:
    table = figure_table(titles[:shown], left=("", "trend"), gap=_GAP)
    for row in rows:
        table.add_row(*row[:shown])
    return table


def _bests(series: Statistics) -> list[str]:
    times = series.seconds
    return [
        series_name(series.goal),
        f"{series.solved}/{series.games}",
        _or_dash(times.single, clock),
        *(_or_dash(_best(average), clock) for average in (times.mo3, times.ao5, times.ao12)),
        _or_dash(series.moves.single, moves_text),
        _or_dash(series.fastest, _speed),
        _trend(series.progress, _SHORT_TREND),
    ]


def _print_series(series: Statistics) -> None:
    click.echo(bold(f"{series_name(series.goal)}: {_counts(series)}"), color=True)
    titles = ("", " ", "single", "mo3", "ao5", "ao12", "mean")
    table = figure_table(titles, left=("", " "), gap=_GAP)
    for name, figures, text in (
        ("time", series.seconds, clock),
        ("moves", series.moves, moves_text),
    ):
        averages = (figures.mo3, figures.ao5, figures.ao12)
        bests = [_or_dash(_best(average), text) for average in averages]
        currents = ["-" if average is None else text(average.current) for average in averages]
        table.add_row(
            name, "best", _or_dash(figures.single, text), *bests, _or_dash(figures.mean, text)
        )
        table.add_row("", "current", _latest(series, figures, text), *currents, "")
    print_table(table)
    for line in _remarks(series):
        click.echo(line)


def _counts(series: Statistics) -> str:
    hints = f", {series.hinted} with hints" if series.hinted else ""
    return f"{count(series.games, 'game')}, {series.solved} solved{hints}"


def _latest(series: Statistics, figures: Figures, text: Any) -> str:
    if not series.progress:
        return "-"
    point = series.progress[-1]
    return str(text(point.seconds if figures is series.seconds else point.moves))


def _remarks(series: Statistics) -> Iterable[str]:
    if series.speed is not None and series.fastest is not None:
        yield f"{_speed(series.speed)} moves a second on average, {_speed(series.fastest)} at best"
    if series.excess is not None:
        share = series.optimal / series.known
        yield (
            f"{series.excess:.1f} moves above the optimum on average, {share:.0%} solved in the "
            f"optimum ({series.known} of {count(len(series.progress), 'game')} known)"
        )
    if style() == "box" and len(series.progress) > 1:
        shown = series.progress[-_TREND_GAMES:]
        yield f"trend {_trend(shown, _TREND_GAMES)} (times of the last {len(shown)} games)"


def _print_games(games: Sequence[Outcome], bests: set[str]) -> None:
    titles = ("finished", "size", "time", "moves", "over", "moves/s", "id", "")
    table = figure_table(titles, left=("finished", "size", "id", ""), gap=_GAP)
    for game in games:
        table.add_row(
            game.finished_at.astimezone().strftime("%Y-%m-%d %H:%M"),
            series_name(game.goal),
            clock(game.seconds),
            moves_text(game.moves),
            "?" if game.excess is None else f"+{game.excess}",
            _or_dash(game.speed, _speed),
            game.id[:8],
            ", ".join(_marks(game, bests)),
        )
    print_table(table)


def _marks(game: Outcome, bests: set[str]) -> Iterable[str]:
    if game.given_up:
        yield "given up"
    if game.hints:
        yield count(game.hints, "hint")
    if game.id in bests:
        yield "best"


def _best(average: Average | None) -> float | None:
    return None if average is None else average.best


def _or_dash(figure: float | None, text: Any) -> str:
    return "-" if figure is None else str(text(figure))


def _speed(per_second: float) -> str:
    return f"{per_second:.2f}"


def _trend(points: Sequence[Point], most: int) -> str:
    """The latest times as bars, the lower the quicker; a dot for a game that was given up."""
    times = [point.seconds for point in points[-most:]]
    solved = [time for time in times if time != DNF]
    if not solved:
        return "·" * len(times)
    low, high = min(solved), max(solved)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0
    return "".join("·" if t == DNF else _BARS[round((t - low) * scale)] for t in times)


# --- CSV ----------------------------------------------------------------------------------------


def to_csv(outcomes: Iterable[Outcome], statistics: Iterable[Statistics]) -> str:
    """One line for each game, with the averages that ended with it if it counts."""
    points = {point.outcome.id: point for series in statistics for point in series.progress}
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["id", "finished_at", "size", "goal", "seconds", "moves", "moves_per_second", "hints",
         "given_up", "optimum", "mo3", "ao5", "ao12"]
    )  # fmt: skip
    for game in outcomes:
        point = points.get(game.id)
        averages = [point.mo3, point.ao5, point.ao12] if point else [None] * 3
        row = {**game.to_dict(), "given_up": int(game.given_up)}
        writer.writerow([*row.values(), *map(plain, averages)])
    return out.getvalue()


# --- charts -------------------------------------------------------------------------------------

_MOST_CHARTS = 12


def plot(statistics: Sequence[Statistics], path: str | Path) -> None:
    """For each size: times with their averages, and moves against the optimum, game by game."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    shown = [series for series in statistics if series.seconds.single is not None][:_MOST_CHARTS]
    if not shown:
        raise OptionError("there is no solved game to draw")
    figure = Figure(figsize=(13, 3.8 * len(shown)), layout="constrained")
    kind = Path(path).suffix[1:].lower() or "png"
    if kind not in figure.canvas.get_supported_filetypes():
        raise UnknownNameError("kind of picture", kind, ["png", "svg", "pdf"])
    for series, (times, moves) in zip(
        shown, figure.subplots(len(shown), 2, squeeze=False), strict=True
    ):
        _draw_times(times, series)
        _draw_moves(moves, series)
    figure.savefig(path, dpi=150, format=kind)


def _draw_times(axis: Any, series: Statistics) -> None:
    points = series.progress
    numbers = range(1, len(points) + 1)
    axis.plot(numbers, [_drawn(p.seconds) for p in points], "o", ms=4, color="#9ab", label="single")
    axis.plot(numbers, [_drawn(p.ao5) for p in points], color="#3b6ea5", label="average of 5")
    axis.plot(numbers, [_drawn(p.ao12) for p in points], color="#c25b2e", label="average of 12")
    bests = [(n, p.seconds) for n, p in zip(numbers, points, strict=True) if p.is_best]
    axis.plot(*zip(*bests, strict=True), "o", ms=5, color="#2a7d4f", label="best so far")
    _finish(axis, series, "seconds")


def _draw_moves(axis: Any, series: Statistics) -> None:
    points = series.progress
    numbers = range(1, len(points) + 1)
    axis.plot(numbers, [_drawn(p.moves) for p in points], "o", ms=4, color="#3b6ea5", label="moves")
    known = [math.nan if p.outcome.optimum is None else p.outcome.optimum for p in points]
    axis.plot(numbers, known, "_", ms=7, color="#c25b2e", label="optimum")
    _finish(axis, series, "moves")


def _drawn(figure: float | None) -> float:
    """What can't be drawn leaves a gap."""
    return math.nan if figure is None or figure == DNF else figure


def _finish(axis: Any, series: Statistics, what: str) -> None:
    axis.set_title(f"{series_name(series.goal)}: {what}")
    axis.set_xlabel("games")
    axis.xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    axis.set_xlim(0.5, len(series.progress) + 0.5)
    axis.set_ylim(bottom=0)
    axis.spines[["top", "right"]].set_visible(False)
    axis.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
