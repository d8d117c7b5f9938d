"""Choosing partitions for a board: the best of those tried, and every answer as right as before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, Limit, _native, choice, engine, goals, partitions, solve, store, tables
from taquin.result import Result

# --- which ones ---------------------------------------------------------------------------------


class Made:
    """Searches that expand what they are told to, and eight times as much for the next bound."""

    def __init__(self, alone: Sequence[int], seed: int) -> None:
        self.alone = alone
        self.shares = {
            (a, b): Random(f"{seed} {a} {b}").uniform(0.6, 0.9)
            for b in range(len(alone))
            for a in range(b)
        }

    def expanded(self, numbers: Sequence[int], bound: int) -> int:
        least = min(self.alone[number] for number in numbers)
        share = self.shares[min(numbers), max(numbers)] if len(numbers) > 1 else 1.0
        return int(least * share * 8 ** (bound // 2)) + 1

    def __call__(self, numbers: Sequence[int], bound: int, most: int | None) -> int | None:
        expanded = self.expanded(numbers, bound)
        return expanded if most is None or expanded <= most else None


@given(st.lists(st.integers(10, 12), min_size=2, max_size=8), st.integers(0, 9))
def test_of_a_few_partitions_the_best_pair_is_chosen(alone: list[int], seed: int) -> None:
    made = Made(alone, seed)
    chosen = choice.choose(len(alone), 0, made)
    least = min(made.expanded(pair, 20) for pair in made.shares)
    assert made.expanded(chosen, 20) <= 1.001 * least


@given(st.lists(st.integers(10, 60), min_size=20, max_size=58), st.integers(0, 9))
def test_of_many_one_of_the_best_is_chosen_at_little_cost(alone: list[int], seed: int) -> None:
    made = Made(alone, seed)
    spent = 0

    def counted(numbers: Sequence[int], bound: int, most: int | None) -> int | None:
        nonlocal spent
        expanded = made(numbers, bound, most)
        spent += most or 0 if expanded is None else expanded
        return expanded

    chosen = choice.choose(len(alone), 0, counted)
    least = min(made.expanded(pair, 20) for pair in made.shares)
    assert made.expanded(chosen, 20) <= 1.3 * least
    assert spent < 1_500_000


def test_of_many_those_that_take_too_long_by_themselves_are_left_out() -> None:
    made = Made([1, 1, 10**6, 2, *[10**6] * 6], seed=3)
    assert set(choice.choose(10, 0, made)) <= {0, 1, 3}


def test_the_first_ones_stay_where_trials_prove_nothing() -> None:
    assert choice.choose(9, 40, lambda numbers, bound, most: None) == choice.FIRST


# --- some partitions of a set -------------------------------------------------------------------

SETS = {
    "default": [".AABB AACBB DDCCE DDCEE"],
    "large": [
        ".AABB AACBB DDCCE DDCEE",
        ".ABBB AAABC DDECC DDEEC",
        ".AAAA BBBCC BDDCC DDEEE",
        ".AAAB CAABB CCDDB CDDEE",
        ".AABB ACABB CCDDE CDDEE",
    ],
}
GOAL = goals.blank_first(4, 5)
BOARDS = [Board.random(4, 5, seed=seed, walk=90, goal=GOAL) for seed in (107, 116)]
OPTIMA = [64, 56]


@pytest.fixture(autouse=True)
def small_sets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Sets for 4×5 boards that are built in a moment, and searches that choose early."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_HOME", str(tmp_path_factory.getbasetemp() / "choice"))
        patch.setitem(partitions._DRAWN, (4, 5, 0), SETS)
        patch.setattr(engine, "_BEFORE_CHOICE", 1_000)
        patch.setattr(engine, "SHORT", 50_000)
        partitions._sets.cache_clear()
        yield
    partitions._sets.cache_clear()


@pytest.fixture
def large() -> tables.PatternSet:
    return tables.obtain(GOAL, "large")


def test_some_partitions_of_a_set(large: tables.PatternSet) -> None:
    patterns = tables.for_search(large, GOAL)
    for board in BOARDS:
        tiles = goals.canonical(board, GOAL)
        values = [patterns.only([number]).distance(tiles) for number in range(len(patterns))]
        assert patterns.distance(tiles) == max(values)
        assert patterns.only([3, 1]).distance(tiles) == max(values[3], values[1])
    assert len(patterns.only([4, 2, 0])) == 3


@pytest.mark.parametrize("numbers", [[], [5], [-1], [0, 99]])
def test_partitions_that_are_not_there(large: tables.PatternSet, numbers: list[int]) -> None:
    with pytest.raises(ValueError, match="partition"):
        tables.for_search(large, GOAL).only(numbers)


def test_a_search_looks_up_four_at_most(large: tables.PatternSet) -> None:
    tiles = goals.canonical(BOARDS[0], GOAL)
    options = {"patterns": tables.for_search(large, GOAL), "pruning": tables.move_pruning()}
    with pytest.raises(ValueError, match="at most 4 partitions, not 5"):
        _native.idastar(4, 5, 0, tiles, **options)


def test_the_tables_of_some_partitions_are_enough(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAQUIN_HOME", str(tmp_path))
        some = tables.obtain(GOAL, "large", only=(2, 0))
        built = {entry.name for entry in store.entries()}
        assert built == {recipe.name for recipe in tables.recipes(GOAL, "large", (2, 0))}
        assert built < {recipe.name for recipe in tables.recipes(GOAL, "large")}
        assert len(some.partitions) == 2
        assert tables.choice_at_hand(GOAL, "large", 1 << 40) is None, "it is not complete"


# --- searches that choose -----------------------------------------------------------------------


def chosen_by(board: Board) -> tuple[int, ...]:
    """What a search of the board chooses."""
    options = {"fast": False, "weight": 1.0, "threads": 1, "checkpoint": None}
    job = engine.Engine(board, GOAL, table_set="large", **options)
    known = job.knowledge()
    assert not isinstance(known, Result)
    assert known.chosen == choice.FIRST
    job.choose_partitions(known, "large")
    return known.chosen


@pytest.mark.parametrize(("board", "optimum"), [*zip(BOARDS, OPTIMA, strict=True)])
def test_answers_are_the_same_whatever_is_chosen(
    large: tables.PatternSet, board: Board, optimum: int
) -> None:
    for name in ("large", "auto", "default"):
        result = solve(board, GOAL, tables=name)
        assert (result.length, result.proof) == (optimum, "optimal")
        assert result.heuristic == f"patterns-{'default' if name == 'default' else 'large'}"


@pytest.mark.usefixtures("large")
def test_what_is_chosen_takes_fewer_expansions_than_what_is_not() -> None:
    board = BOARDS[0]
    pair = chosen_by(board)
    assert len(pair) == 2
    assert pair == chosen_by(board), "no matter how fast the machine is"
    patterns = tables.for_search(tables.obtain(GOAL, "large"), GOAL)
    tiles = goals.canonical(board, GOAL)
    expanded = {
        numbers: _native.idastar(
            4, 5, 0, tiles, patterns=patterns.only(numbers), pruning=tables.move_pruning(), known=64
        ).expanded
        for numbers in (pair, choice.FIRST)
    }
    assert expanded[pair] < expanded[choice.FIRST]


def test_workers_are_told_what_is_chosen(large: tables.PatternSet, tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        shared = solve(BOARDS[0], GOAL, tables="large", executor=pool)
        kept = solve(BOARDS[0], GOAL, tables="large", executor=pool, checkpoint=tmp_path / "kept")
    for result in (shared, kept):
        assert (result.length, result.proof) == (64, "optimal")
        assert result.heuristic == "patterns-large"


@pytest.mark.usefixtures("large")
def test_a_set_that_does_not_fit_into_memory_is_left_alone() -> None:
    size = tables.plan(GOAL, "large").size
    assert tables.choice_at_hand(GOAL, "large", size) is not None
    assert tables.choice_at_hand(GOAL, "large", size - 1) is None
    assert tables.choice_at_hand(GOAL, "default", size) is None, "there is nothing to choose"
    result = solve(BOARDS[0], GOAL, limit=Limit(memory=size - 1))
    assert (result.length, result.heuristic) == (64, "patterns-default")


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("most", [70_000, 110_000, 130_000, 200_000, 300_000])
def test_no_limit_is_passed_while_it_chooses(most: int) -> None:
    result = solve(BOARDS[0], GOAL, tables="large", limit=Limit(expanded=most))
    assert (result.status, result.stats.expanded) == ("limit", most)
    assert result.lower_bound <= 64 <= (result.length or 99)


@pytest.mark.usefixtures("large")
def test_a_cancel_ends_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    cancel = Event()
    real = choice.choose

    def cancelled(*args: object) -> tuple[int, ...]:
        cancel.set()
        monkeypatch.setattr(choice, "_HARD_ENOUGH", 1 << 40)
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(choice, "choose", cancelled)
    result = solve(BOARDS[0], GOAL, tables="large", cancel=cancel)
    assert result.status == "cancelled"
    assert result.heuristic == "patterns-large"


# --- a default set to choose from ---------------------------------------------------------------


@pytest.fixture
def by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The partitions of the large set as the default one, and one of them as the small set."""
    chosen = {"small": SETS["default"], "default": SETS["large"]}
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    monkeypatch.setitem(partitions._DRAWN, (4, 5, 0), chosen)
    monkeypatch.setattr(engine, "_TRIAL", 1_000)
    monkeypatch.setattr(engine, "SHORT", 30_000)
    _forget_sets()
    yield
    _forget_sets()


def _forget_sets() -> None:
    for known in (partitions._sets, tables._laid_out, tables._names_by_size):
        known.cache_clear()


def built() -> set[str]:
    return {entry.name for entry in store.entries()}


def names_of(table_set: str) -> set[str]:
    return {recipe.name for recipe in tables.recipes(GOAL, table_set)}


@pytest.mark.usefixtures("by_default")
def test_a_search_that_is_soon_over_opens_only_the_small_set() -> None:
    tables.obtain(GOAL, "default")
    easy = Board.random(4, 5, seed=1, walk=30, goal=GOAL)
    opened = tables.best_at_hand(GOAL)
    assert opened is not None
    assert opened.name == "small"
    assert solve(easy, GOAL).heuristic == "patterns-small"
    hard = solve(BOARDS[0], GOAL)
    assert (hard.length, hard.proof, hard.heuristic) == (64, "optimal", "patterns-default")


@pytest.mark.usefixtures("by_default")
def test_the_default_set_is_built_even_if_one_could_begin_with_less() -> None:
    result = solve(BOARDS[0], GOAL)
    assert (result.length, result.proof, result.heuristic) == (64, "optimal", "patterns-default")
    assert built() == names_of("default")


@pytest.mark.usefixtures("by_default")
@pytest.mark.parametrize("checkpoint", [False, True])
def test_a_long_search_builds_what_a_small_set_lacks(checkpoint: bool, tmp_path: Path) -> None:
    tables.obtain(GOAL, "small")
    easy = Board.random(4, 5, seed=1, walk=30, goal=GOAL)
    assert solve(easy, GOAL).proof == "optimal"
    assert built() == names_of("small")
    path = tmp_path / "kept" if checkpoint else None
    result = solve(BOARDS[0], GOAL, checkpoint=path)
    assert (result.length, result.proof, result.heuristic) == (64, "optimal", "patterns-default")
    assert built() == names_of("default")


@pytest.mark.usefixtures("by_default")
def test_with_little_memory_the_small_set_is_enough() -> None:
    limit = Limit(memory=tables.plan(GOAL, "default").memory - 1)
    for _ in range(2):
        result = solve(BOARDS[0], GOAL, limit=limit)
        assert (result.length, result.proof, result.heuristic) == (64, "optimal", "patterns-small")
        assert built() == names_of("small")


@pytest.mark.usefixtures("by_default")
def test_who_asks_for_the_small_set_gets_no_other() -> None:
    tables.obtain(GOAL, "default")
    result = solve(BOARDS[0], GOAL, tables="small")
    assert (result.length, result.proof, result.heuristic) == (64, "optimal", "patterns-small")
