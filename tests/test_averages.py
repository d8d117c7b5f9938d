"""Statistics against the rules as one would apply them by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from record_samples import sample

from taquin import Board, goals
from taquin.averages import DNF, Average, Figures, statistics
from taquin.records import Record

Result = int | None
"""Milliseconds, or None for a game that was given up."""

results = st.lists(st.one_of(st.integers(0, 10**6), st.none()), max_size=40)


# --- by hand --------------------------------------------------------------------------------------


def by_hand_mean(window: list[Result]) -> Fraction | str:
    if None in window:
        return "DNF"
    return Fraction(sum(window), len(window))


def by_hand_average(window: list[Result]) -> Fraction | str:
    if window.count(None) > 1:
        return "DNF"
    left = list(window)
    left.remove(min(time for time in window if time is not None))
    left.remove(None if None in left else max(left))
    return Fraction(sum(left), len(left))


def by_hand(times: list[Result], count: int) -> tuple[object, object] | None:
    """The best and the current one of `count` games in a row."""
    of = by_hand_mean if count == 3 else by_hand_average
    found = [of(times[i : i + count]) for i in range(len(times) - count + 1)]
    if not found:
        return None
    finished = [value for value in found if value != "DNF"]
    return (min(finished) if finished else "DNF", found[-1])


def as_words(average: Average | None) -> tuple[object, object] | None:
    if average is None:
        return None
    return tuple("DNF" if v == DNF else pytest.approx(v) for v in (average.best, average.current))


@given(results)
def test_figures_are_those_by_hand(times: list[Result]) -> None:
    figures = Figures.of([DNF if time is None else time for time in times])
    solved = [time for time in times if time is not None]
    assert figures.single == (min(solved) if solved else None)
    if solved:
        assert figures.mean == pytest.approx(sum(solved) / len(solved))
    else:
        assert figures.mean is None
    for count, average in ((3, figures.mo3), (5, figures.ao5), (12, figures.ao12)):
        assert by_hand(times, count) == as_words(average)


def test_known_averages() -> None:
    # The example of a speed-solver's session: 4×4, twelve games.
    times = [17.857, 18.152, 28.678, 16.639, 20.526, 31.398, 17.350, 15.613, 18.985, 19.391, 13.972,
             21.662]  # fmt: skip
    figures = Figures.of(times)
    assert figures.single == 13.972
    assert round(figures.ao12.best, 3) == 19.485
    assert round(figures.ao5.best, 3) == 17.316
    assert figures.mean == pytest.approx(20.019, abs=0.0005)


# --- series ---------------------------------------------------------------------------------------


def of(*games: Record, hints: bool = False) -> list:
    return statistics([game.outcome for game in games], hints=hints)


def test_sizes_and_goals_are_not_mixed() -> None:
    games = [
        sample(1, size=(4, 4)),
        sample(2),
        sample(3, goal="snail"),
        sample(4, goal=Board("0 2 1/4 5 3/7 8 6")),
        sample(5, size=(2, 5)),
        sample(6),
    ]
    series = of(*games)
    assert [(s.size, s.to_dict()["goal"], s.games) for s in series] == [
        ("3x3", "blank-last", 2),
        ("3x3", "0 2 1/4 5 3/7 8 6", 1),
        ("3x3", "snail", 1),
        ("2x5", "blank-last", 1),
        ("4x4", "blank-last", 1),
    ]


def test_order_is_that_of_time_whatever_comes_first() -> None:
    games = [sample(number) for number in range(7)]
    (one,), (other,) = of(*games), of(*games[::-1])
    assert one == other
    assert [point.outcome.id for point in one.progress] == [game.id for game in games]


def test_a_game_given_up_is_the_worst_and_never_a_best() -> None:
    games = [sample(number) for number in range(4)]
    (series,) = of(*games, sample(4, given_up=True))
    assert (series.games, series.solved, series.given_up) == (5, 4, 1)
    assert series.seconds.single == min(game.seconds for game in games)
    assert series.seconds.mo3.current == DNF != series.seconds.mo3.best
    assert series.seconds.ao5.current == pytest.approx(
        sum(sorted(game.seconds for game in games)[1:]) / 3
    )
    (series,) = of(*games, sample(4, given_up=True), sample(5, given_up=True))
    assert series.seconds.ao5.current == series.moves.ao5.current == DNF
    assert series.to_dict()["seconds"]["ao5"]["current"] == "DNF"
    (only,) = of(sample(4, given_up=True))
    assert only.seconds.single is only.speed is only.excess is None


def test_games_with_hints_count_only_on_request() -> None:
    plain = [sample(number) for number in range(3)]
    quick = sample(9, moves=2, hints=1)
    (series,) = of(*plain, quick)
    assert (series.games, series.hinted, len(series.progress)) == (4, 1, 3)
    assert series.seconds.single == min(game.seconds for game in plain)
    (series,) = of(*plain, quick, hints=True)
    assert len(series.progress) == 4
    assert series.seconds.single == quick.seconds


def test_a_game_that_began_at_its_goal_does_not_count() -> None:
    (series,) = of(sample(1), sample(2, moves=0))
    assert series.games == 2
    assert len(series.progress) == 1
    assert series.seconds.single > 0


def test_moves_against_the_optimum_and_moves_per_second() -> None:
    games = [
        sample(1, moves=20, optimum=20),
        sample(2, moves=20, optimum=12),
        sample(3, moves=30),
        sample(4, given_up=True, optimum=8),
    ]
    (series,) = of(*games)
    assert (series.known, series.optimal, series.excess) == (2, 1, 4)
    speeds = [game.replay.length / game.seconds for game in games[:3]]
    assert series.fastest == max(speeds)
    assert series.speed == pytest.approx(sum(speeds) / 3)


def test_progress_has_averages_and_bests() -> None:
    games = [sample(number) for number in range(13)]
    (series,) = of(*games)
    best = DNF
    for number, point in enumerate(series.progress, 1):
        assert (point.mo3 is None) == (number < 3)
        assert (point.ao5 is None) == (number < 5)
        assert (point.ao12 is None) == (number < 12)
        assert point.is_best == (point.seconds < best)
        best = min(best, point.seconds)
    assert series.progress[-1].ao12 == series.seconds.ao12.current
    assert goals.name_of(series.goal) == "blank-last"
