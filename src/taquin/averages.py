"""Statistics of games as speed-solvers count: singles, means of 3, averages of 5 and of 12.

A game that was given up is a DNF ("did not finish"). It is infinitely slow, and the rules follow
from that: it is never a best, one in an average of 5 or 12 is dropped as the worst, and one in a
mean of 3, or two in an average, make that a DNF, too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import fmean
from typing import TYPE_CHECKING, Any

from . import goals

if TYPE_CHECKING:
    from .board import Board

DNF = math.inf
"""The result of a game that was given up."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What counts of a finished game; the rest of it is in its `Record`."""

    id: str
    finished_at: datetime
    goal: Board
    moves: int
    seconds: float
    hints: int = 0
    given_up: bool = False
    optimum: int | None = None

    @property
    def speed(self) -> float | None:
        """Moves per second; None if the game took no time."""
        return self.moves / self.seconds if self.seconds else None

    @property
    def excess(self) -> int | None:
        """How many moves more than needed; None if that is not known or the game was given up."""
        return None if self.optimum is None or self.given_up else self.moves - self.optimum

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "finished_at": moment_text(self.finished_at),
            "size": f"{self.goal.rows}x{self.goal.cols}",
            "goal": goal_name(self.goal),
            "seconds": self.seconds,
            "moves": self.moves,
            "moves_per_second": plain(self.speed),
            "hints": self.hints,
            "given_up": self.given_up,
            "optimum": self.optimum,
        }


def moment_text(moment: datetime) -> str:
    """A moment of UTC to the millisecond; such texts are in the order of time.

    >>> moment_text(datetime.fromisoformat("2026-05-01T12:00Z"))
    '2026-05-01T12:00:00.000Z'
    """
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def goal_name(goal: Board) -> str:
    return goals.name_of(goal) or str(goal)


# --- means and averages -------------------------------------------------------------------------


def mean(results: Sequence[float]) -> float:
    """The mean; a single DNF makes it one.

    >>> mean([10, 12, 14]), mean([10, 12, DNF])
    (12.0, inf)
    """
    return fmean(results)


def average(results: Sequence[float]) -> float:
    """The mean without the best and the worst; a DNF is the worst.

    >>> average([10, 12, 14, 11, DNF]), average([10, 12, DNF, 11, DNF])
    (12.333333333333334, inf)
    """
    return fmean(sorted(results)[1:-1])


def rolling(
    results: Sequence[float], count: int, of: Callable[[Sequence[float]], float]
) -> list[float]:
    """The mean or average of each `count` games in a row, the latest last.

    >>> rolling([10, 12, 14, 16], 3, mean)
    [12.0, 14.0]
    """
    return [of(results[end - count : end]) for end in range(count, len(results) + 1)]


@dataclass(frozen=True, slots=True)
class Average:
    """The best there ever was, and that of the latest games; either may be a DNF."""

    best: float
    current: float

    def to_dict(self) -> dict[str, Any]:
        return {"best": plain(self.best), "current": plain(self.current)}


@dataclass(frozen=True, slots=True)
class Figures:
    """What is counted of games, seconds or moves: the fewer, the better.

    None where there are not games enough.

    >>> figures = Figures.of([10, 12, 14, 9, DNF])
    >>> figures.single, figures.mean, figures.mo3, figures.ao5
    (9, 11.25, Average(best=11.666666666666666, current=inf), Average(best=12.0, current=12.0))
    """

    single: float | None
    """The best; None if no game was solved."""
    mean: float | None
    """Of all games that were solved."""
    mo3: Average | None
    ao5: Average | None
    ao12: Average | None

    @classmethod
    def of(cls, results: Sequence[float]) -> Figures:
        solved = [result for result in results if result != DNF]
        return cls(
            single=min(solved, default=None),
            mean=fmean(solved) if solved else None,
            mo3=_average(results, 3, mean),
            ao5=_average(results, 5, average),
            ao12=_average(results, 12, average),
        )

    def to_dict(self) -> dict[str, Any]:
        averages = {"mo3": self.mo3, "ao5": self.ao5, "ao12": self.ao12}
        return {
            "single": plain(self.single),
            "mean": plain(self.mean),
            **{name: None if of is None else of.to_dict() for name, of in averages.items()},
        }


def _average(
    results: Sequence[float], count: int, of: Callable[[Sequence[float]], float]
) -> Average | None:
    averages = rolling(results, count, of)
    return Average(min(averages), averages[-1]) if averages else None


def plain(figure: float | None) -> float | str | None:
    """A figure for JSON, which knows no infinity, to the thousandth.

    >>> plain(12.34567), plain(DNF), plain(None)
    (12.346, 'DNF', None)
    """
    if figure is None or isinstance(figure, int):
        return figure
    return "DNF" if figure == DNF else round(figure, 3)


# --- series -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A game that counts, and where its series stood when it was finished."""

    outcome: Outcome
    seconds: float
    moves: float
    mo3: float | None
    ao5: float | None
    ao12: float | None
    is_best: bool
    """Whether no game of the series was quicker until then."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.outcome.id,
            "finished_at": moment_text(self.outcome.finished_at),
            "seconds": plain(self.seconds),
            "moves": plain(self.moves),
            "optimum": self.outcome.optimum,
            "mo3": plain(self.mo3),
            "ao5": plain(self.ao5),
            "ao12": plain(self.ao12),
            "best": self.is_best,
        }


@dataclass(frozen=True, slots=True)
class Statistics:
    """A series: the games of one size and goal, in the order in which they were finished."""

    goal: Board
    games: int
    given_up: int
    hinted: int
    """Games with hints, which count only if that was asked for."""
    seconds: Figures
    moves: Figures
    fastest: float | None
    """The most moves per second in a game that counts."""
    speed: float | None
    """Moves per second, the mean of the games that count."""
    known: int
    """How many solved games count of which the optimum is known,"""
    optimal: int
    """how many of them needed no move more than that,"""
    excess: float | None
    """and how many moves more they needed on average."""
    progress: tuple[Point, ...]
    """The games that count, one after the other."""

    @property
    def size(self) -> str:
        return f"{self.goal.rows}x{self.goal.cols}"

    @property
    def solved(self) -> int:
        return self.games - self.given_up

    def to_dict(self) -> dict[str, Any]:
        return {
            "size": self.size,
            "goal": goal_name(self.goal),
            "games": self.games,
            "solved": self.solved,
            "given_up": self.given_up,
            "with_hints": self.hinted,
            "counted": len(self.progress),
            "seconds": self.seconds.to_dict(),
            "moves": self.moves.to_dict(),
            "moves_per_second": {"best": plain(self.fastest), "mean": plain(self.speed)},
            "optimum": {
                "known": self.known,
                "optimal": self.optimal,
                "mean_excess": plain(self.excess),
            },
            "progress": [point.to_dict() for point in self.progress],
        }


def statistics(games: Iterable[Outcome], *, hints: bool = False) -> list[Statistics]:
    """The statistics of each size and goal: small sizes first, the usual goal first.

    Games with hints count only if `hints` says so, and games that began at their goal never.
    """
    series: dict[Board, list[Outcome]] = {}
    for game in games:
        series.setdefault(game.goal, []).append(game)
    return [_of_series(goal, series[goal], hints) for goal in sorted(series, key=_order)]


def _order(goal: Board) -> tuple[int, Any, bool, str]:
    name = goals.name_of(goal)
    return len(goal), goal.shape, name != goals.DEFAULT, name or str(goal)


def _of_series(goal: Board, games: list[Outcome], hints: bool) -> Statistics:
    games = sorted(games, key=lambda game: (game.finished_at, game.id))
    counted = [g for g in games if (hints or not g.hints) and (g.given_up or g.moves)]
    seconds: list[float] = [DNF if g.given_up else g.seconds for g in counted]
    moves: list[float] = [DNF if g.given_up else g.moves for g in counted]
    speeds = [g.speed for g in counted if g.speed is not None and not g.given_up]
    excesses = [g.excess for g in counted if g.excess is not None]
    return Statistics(
        goal=goal,
        games=len(games),
        given_up=sum(g.given_up for g in games),
        hinted=sum(g.hints > 0 for g in games),
        seconds=Figures.of(seconds),
        moves=Figures.of(moves),
        fastest=max(speeds, default=None),
        speed=fmean(speeds) if speeds else None,
        known=len(excesses),
        optimal=excesses.count(0),
        excess=fmean(excesses) if excesses else None,
        progress=_progress(counted, seconds, moves),
    )


def _progress(
    games: Sequence[Outcome], seconds: Sequence[float], moves: Sequence[float]
) -> tuple[Point, ...]:
    points = []
    best = DNF
    columns = (_aligned(seconds, *rule) for rule in ((3, mean), (5, average), (12, average)))
    for game, time, length, mo3, ao5, ao12 in zip(games, seconds, moves, *columns, strict=True):
        points.append(Point(game, time, length, mo3, ao5, ao12, is_best=time < best))
        best = min(best, time)
    return tuple(points)


def _aligned(
    results: Sequence[float], count: int, of: Callable[[Sequence[float]], float]
) -> list[float | None]:
    """The rolling averages, one for each game; None for the first ones."""
    missing = min(count - 1, len(results))
    return [None] * missing + rolling(results, count, of)
