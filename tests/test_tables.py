"""Sets of tables: what they say is true, and they are found, built and kept as promised."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from pattern_reference import Reference
from strategies import exact_distance
from toy_table import Squares

from taquin import Board, _native, goals, heuristics, partitions, store, tables
from taquin.errors import OptionError, UnknownNameError
from taquin.recipes import Pattern, place
from taquin.symmetry import symmetries


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    return tmp_path


# --- what tables say ----------------------------------------------------------------------------


def reference(pattern: Pattern) -> Reference:
    return Reference(pattern.rows, pattern.cols, pattern.cells, pattern.blank)


@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (3, 4)])
def test_a_mirror_images_table_gives_the_patterns_own_values(shape: tuple[int, int]) -> None:
    generator = Random(1)
    count = shape[0] * shape[1]
    for _ in range(8):
        blank, *others = generator.sample(range(count), 4)
        cells = tuple(sorted(others))
        placement = place(*shape, cells, blank)
        opened = tables.OpenPattern(placement, reference(placement.pattern))
        own = Reference(*shape, cells, blank)
        for (places, hole), value in own.values.items():
            now = dict(zip(cells, places, strict=True))
            assert opened.value([now.get(cell, -1) for cell in range(count)], hole) == value


def by_reference(goal: Board, *chosen: partitions.Partition) -> tables.PatternSet:
    placements = [[place(*goal.shape, cells, goal.blank) for cells in part] for part in chosen]
    opened = (
        tuple(tables.OpenPattern(p, reference(p.pattern)) for p in part) for part in placements
    )
    return tables.PatternSet("own", tuple(opened))


@pytest.mark.parametrize(
    "goal", [goals.blank_last(3, 3), goals.snail(3, 3), Board("3 2 1/8 0 4/7 6 5")]
)
def test_sums_never_exceed_the_distance(goal: Board) -> None:
    cells = [cell for cell in range(9) if cell != goal.blank]
    chosen = by_reference(goal, (tuple(cells[:3]), tuple(cells[3:6]), tuple(cells[6:])))
    boards = [Board.random(3, 3, goal=goal, seed=seed) for seed in range(500)]
    values = [chosen.value(board, goal) for board in boards]
    assert chosen.value(goal, goal) == 0
    assert all(
        value <= exact_distance(board, goal) for board, value in zip(boards, values, strict=True)
    )
    assert sum(values) > 14 * len(boards)


# --- sets on disk -------------------------------------------------------------------------------

TINY = {
    "default": [". A A B B C"],
    "large": [". A A A B B"],
}
GOAL = goals.blank_first(2, 3)


@pytest.fixture
def tiny_sets(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets for 2×3 boards, which are built in no time."""
    monkeypatch.setitem(partitions._DRAWN, (2, 3, 0), TINY)
    partitions._sets.cache_clear()
    yield
    partitions._sets.cache_clear()


def stored() -> list[str]:
    return [entry.name for entry in store.entries()]


def files() -> list[str]:
    return sorted(path.name for path in store.directory().glob("*"))


@pytest.mark.usefixtures("tiny_sets")
@pytest.mark.parametrize("turn", range(8))
def test_a_set_is_built_once_for_all_mirror_images(turn: int) -> None:
    symmetry = symmetries(2, 3)[turn]
    tiles = [0] * 6
    for cell, tile in enumerate(GOAL.tiles):
        tiles[symmetry.cells[cell]] = tile
    goal = Board(tiles, shape=(symmetry.rows, symmetry.cols))
    names = [recipe.name for recipe in tables.recipes(GOAL, "default")]
    tables.obtain(GOAL, "default")
    assert sorted(stored()) == sorted(names)
    found = tables.find(goal, "default")
    assert found is not None
    [partition] = partitions.sets(*goal.shape, goal.blank)["default"]
    slow = by_reference(goal, *partitions.with_mirror(*goal.shape, goal.blank, partition))
    for seed in range(200):
        board = Board.random(*goal.shape, goal=goal, seed=seed)
        value = found.value(board, goal)
        assert value == slow.value(board, goal)
        assert value <= exact_distance(board, goal)


@pytest.mark.usefixtures("tiny_sets")
def test_auto_takes_the_best_on_disk_and_builds_only_the_default() -> None:
    assert tables.find(GOAL, "default") is None
    assert tables.best(GOAL).name == "default"
    large = tables.recipes(GOAL, "large")[-1]
    assert large.name not in stored()
    assert tables.obtain(GOAL, "large").name == "large"
    assert tables.best(GOAL).name == "large"
    path = store.path_of(large)
    sound = path.read_bytes()
    path.write_bytes(sound[:-1])
    assert tables.best(GOAL).name == "default"
    assert len(path.read_bytes()) == len(sound) - 1
    tables.obtain(GOAL, "large")
    assert path.read_bytes()[4096:] == sound[4096:]


@pytest.mark.usefixtures("tiny_sets")
def test_only_sets_that_fit_are_taken() -> None:
    sizes = {name: tables.plan(GOAL, name).size for name in ("default", "large")}
    assert sizes["default"] < sizes["large"]
    assert tables.opened(GOAL, "auto", sizes["large"]) is None
    tables.obtain(GOAL, "default")
    tables.obtain(GOAL, "large")
    for name, other in (("large", "default"), ("default", None)):
        for most, expected in ((sizes[name], name), (sizes[name] - 1, other)):
            for found in (
                tables.best_at_hand(GOAL, most_bytes=most),
                tables.opened(GOAL, "auto", most),
            ):
                assert (found and found.name) == expected
        assert tables.opened(GOAL, name, sizes[name] - 1) is None


@pytest.mark.usefixtures("tiny_sets")
def test_an_interrupted_set_goes_on_with_what_is_missing() -> None:
    first, *others = (recipe.name for recipe in tables.recipes(GOAL, "default"))
    with pytest.raises(_native.Stopped):
        tables.obtain(GOAL, "default", lambda *_: first in stored())
    assert stored() == [first]
    [path] = store.directory().glob("*")
    before = path.stat().st_ino
    tables.obtain(GOAL, "default")
    assert sorted(stored()) == sorted([first, *others])
    assert path.stat().st_ino == before


@pytest.mark.usefixtures("tiny_sets")
def test_where_nothing_can_be_stored_memory_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "file"))
    tables._in_memory.clear()
    chosen = tables.best(GOAL)
    assert chosen.warning.startswith("tables are kept in memory only: ")
    assert "Not a directory" in chosen.warning
    assert chosen.value(GOAL.slide(GOAL.moves()[0]), GOAL) == 1
    assert tables.best(GOAL).warning == ""
    tables._in_memory.clear()


@pytest.mark.usefixtures("tiny_sets")
def test_a_plan_says_what_is_missing() -> None:
    plan = tables.plan(GOAL, "default")
    assert plan.missing == plan.recipes
    assert plan.size == plan.missing_size == sum(recipe.size() for recipe in plan.recipes)
    assert plan.seconds(1) == 2 * plan.seconds(2) > 0
    store.obtain(plan.recipes[0])
    assert tables.plan(GOAL, "default").missing == plan.recipes[1:]
    tables.obtain(GOAL, "default")
    assert tables.plan(GOAL, "default").seconds(1) == 0
    assert all("default" in tables.uses()[name] for name in stored())


def test_exact_distances_are_built_and_stopped() -> None:
    goal = goals.blank_last(3, 4)
    assert tables.find_exact(goal) is None
    assert tables.exact_layers(goal) is None
    calls: list[int] = []
    with pytest.raises(_native.Stopped):
        tables.obtain_exact(goal, lambda *_: bool(calls) or bool(calls.append(1)))
    assert files() == []


# --- names --------------------------------------------------------------------------------------


def test_sets_by_shape() -> None:
    assert tables.set_names(goals.blank_last(4, 4))[0] == "default"
    assert tables.set_names(goals.blank_last(2, 6)) == ["default", "exact"]
    assert tables.set_names(goals.blank_last(3, 3)) == []
    assert tables.set_names(goals.blank_last(8, 8)) == []


@pytest.mark.parametrize(
    ("shape", "name", "message"),
    [
        ((3, 5), "large", "no large tables for 3×5 boards: there is default"),
        ((3, 3), "default", "no default tables for 3×3 boards: there are none"),
        ((4, 4), "exact", "boards of 11 and 12 cells, not 4×4"),
        ((3, 3), "exact", "boards of 11 and 12 cells, not 3×3"),
    ],
)
def test_sets_that_do_not_exist(shape: tuple[int, int], name: str, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        tables.recipes(goals.blank_last(*shape), name)


def test_where_there_is_no_set_there_is_nothing_to_look_up() -> None:
    goal = goals.blank_last(8, 8)
    assert tables.best(goal).partitions == ()
    assert tables.best(goal).value(Board.random(8, 8, seed=1), goal) == 0


def test_walking_distance_names_what_there_is_instead() -> None:
    with pytest.raises(OptionError, match="5×5 boards is too large") as refused:
        tables.walking(goals.blank_last(5, 5))
    hint = str(refused.value).partition("; ")[2]
    assert hint == "as heuristic use linear-conflict, as tables auto or none"
    assert "linear-conflict" in heuristics.NAMED
    assert {"auto", "none"} <= set(tables.NAMES)


def test_stored_tables_are_meant_by_name_or_shape() -> None:
    class Shaped(Squares):
        @property
        def name(self) -> str:
            return f"squares-3x{self.count}-1"

    for count in (4, 5):
        store.obtain(Shaped(count))
    assert tables.stored_names(["3x4"]) == tables.stored_names(["4x3"]) == ["squares-3x4-1"]
    assert tables.stored_names(["squares-3x5-1", "3×5"]) == ["squares-3x5-1"]
    with pytest.raises(UnknownNameError, match="unknown table '4x4'"):
        tables.stored_names(["4x4"])
