"""The sets that are shipped, and those that users bring."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_clear, exact_distance

from taquin import Board, BoardGraph, goals, sets, solve
from taquin.errors import NotationError, OptionError, TaquinError, UnknownNameError
from taquin.parity import reaches
from taquin.symmetry import symmetries

FARTHEST = [name for name in sets.names() if name.startswith("farthest-")]

OWN = """\
# Two boards
# Goal: blank-last (1 2 3 4 5 0). Single-tile moves.
# id | tiles row by row, 0 = blank | optimum

 3 | 1 2 3/4 0 5 | 1
 8 | 1 2 3/0 4 5 | 2
"""


@pytest.mark.parametrize("name", sets.names())
def test_what_every_shipped_set_says(name: str) -> None:
    found = sets.load(name)
    assert found.name == name
    assert found.title.isprintable()
    assert len({instance.board for instance in found}) == len(found)
    for instance in found:
        assert reaches(instance.board, instance.goal)
        assert instance.board != instance.goal


def test_korfs_sums() -> None:
    korf15 = sets.load("korf15")
    assert len(korf15) == 100
    assert sum(instance.optimum for instance in korf15) == 5305
    korf24 = sets.load("korf24")
    assert [instance.id for instance in korf24][-4:] == [25, 38, 40, 44]
    assert {korf24[id].optimum for id in (25, 38, 40, 44)} == {81, 96, 82, 93}


@pytest.mark.parametrize("name", sets.names())
def test_the_header_spells_out_the_goal_that_is_used(name: str) -> None:
    found = sets.load(name)
    (goal,) = {instance.goal for instance in found}
    spelled = " ".join(map(str, goal))
    shortened = " ".join([*spelled.split()[:3], "...", *spelled.split()[-1:]])
    header = f"Goal: {goals.name_of(goal)} ("
    assert header + spelled + ")" in found.about or header + shortened + ")" in found.about


@pytest.mark.parametrize(
    "name", [n for n in FARTHEST if n[-3:] not in ("2x6", "2x7", "3x4", "4x4")]
)
def test_the_farthest_boards_are_those_of_an_exhaustive_search(name: str) -> None:
    found = sets.load(name)
    shape = found.instances[0].board.shape
    layers = list(BoardGraph(*shape).layers())
    assert [instance.board for instance in found] == BoardGraph(*shape).farthest()
    assert {instance.optimum for instance in found} == {len(layers) - 1}
    for instance in found:
        assert exact_distance(instance.board, instance.goal) == instance.optimum


@pytest.mark.parametrize("name", ["farthest-2x6", "farthest-3x4"])
def test_the_farthest_boards_of_twelve_cells(name: str) -> None:
    """Solved by search, which knows nothing of the table that they were found with."""
    for instance in list(sets.load(name))[::6]:
        result = solve(instance.board, instance.goal, tables="default")
        assert (result.length, result.proof) == (instance.optimum, "optimal")


@pytest.mark.parametrize("name", ["farthest-3x3", "farthest-4x4"])
def test_the_farthest_squares_are_closed_under_mirroring(name: str) -> None:
    found = sets.load(name)
    goal = found.instances[0].goal
    transpose = next(
        s for s in symmetries(*goal.shape) if s.cells[1] == goal.cols and s.cells[0] == 0
    )
    boards = {instance.board for instance in found}
    home = {tile: cell for cell, tile in enumerate(goal.tiles)}
    for board in boards:
        mirrored = [0] * len(board)
        for cell, tile in enumerate(board.tiles):
            mirrored[transpose.cells[cell]] = goal.tiles[transpose.cells[home[tile]]]
        assert Board(mirrored, shape=goal.shape) in boards


# --- choosing -----------------------------------------------------------------------------------


def test_slices() -> None:
    assert [i.id for i in sets.load("korf24:38,40")] == [38, 40]
    assert [i.id for i in sets.load("korf24:40, 1-3,38,1")] == [40, 1, 2, 3, 38]
    assert [i.id for i in sets.load("korf24:20-40")] == [25, 38, 40]
    assert [i.id for i in sets.load("korf15").first(2)] == [1, 2]
    assert len(sets.load("korf24").first(99)) == 14


@pytest.mark.parametrize(
    "name", ["korf24:11", "korf24:x", "korf24:", "korf24:1-", "korf24:26-30", "korf24:1,,2"]
)
def test_ids_that_are_none(name: str) -> None:
    with pytest.raises(OptionError) as caught:
        sets.load(name)
    assert_clear(caught.value)


def test_unknown_sets() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'korf15'"):
        sets.load("korf16")


def test_families() -> None:
    assert [found.name for found in sets.find("farthest")] == FARTHEST
    assert [found.name for found in sets.find("all")] == sets.names()
    assert [found.name for found in sets.find("korf15:1")] == ["korf15"]


# --- a user's own -------------------------------------------------------------------------------


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "my:own.txt"
    path.write_text(OWN)
    found = sets.load(str(path))
    assert (found.name, found.title, len(found)) == ("my:own.txt", "Two boards", 2)
    assert found[8].board == Board("1 2 3/0 4 5")
    plain = tmp_path / "own.txt"
    plain.write_text(OWN)
    assert [i.id for i in sets.load(f"{plain}:8")] == [8]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no instances"),
        ("# Goal: snail\n", "no instances"),
        ("1 | 1 2/3 0 | 0", "line 1: no line above names the goal"),
        ("# Goal: blank-lost\n1 | 1 2/3 0 | 0", "line 2: unknown goal 'blank-lost'"),
        ("# Goal: blank-last\n1 | 1 2/3 0", "line 2: an instance is written"),
        ("# Goal: blank-last\nx | 1 2/3 0 | 0", "line 2: an instance is written"),
        ("# Goal: blank-last\n1 | 1 2/3 0 | -1", "line 2: an instance is written"),
        ("# Goal: blank-last\n1 | 1 2/3 3 | 0", "line 2: tile 3 appears twice"),
        ("# Goal: blank-last\n1 | 2 1/3 0 | 0", "line 2: 2 1/3 0 does not reach the goal"),
        ("# Goal: blank-last\n1 | 1 2 3 4 5 0 | 0", "line 2: this may be 1×6, 2×3"),
        (OWN + "3 | 1 2 3/4 5 0 | 0", "line 7: there are two instances 3"),
    ],
)
def test_files_that_are_no_sets(text: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        sets.read("own", text)
    assert words in str(caught.value)
    assert str(caught.value).startswith("own")
    assert_clear(caught.value)


@given(st.text(max_size=60))
def test_any_text_is_a_set_or_an_error_in_words(text: str) -> None:
    try:
        sets.read("own", "# Goal: snail\n" + text)
    except TaquinError as error:
        assert_clear(error)
