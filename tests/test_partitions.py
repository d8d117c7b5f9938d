"""Which patterns make up a set: every tile once, compact, the same for all mirror images."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pattern_reference import region

from taquin import goals, partitions, symmetry, tables
from taquin.recipes import place

SHAPES = [(2, 6), (3, 4), (3, 5), (2, 8), (4, 4), (6, 3), (4, 5), (5, 5), (5, 6), (6, 6)]


def goals_of(shape: tuple[int, int]) -> list[int]:
    return sorted({make(*shape).blank for make in goals.NAMED.values()})


def cells_of(rows: int, cols: int) -> list[tuple[int, int, int]]:
    return [(rows, cols, blank) for blank in range(rows * cols)]


ALL_BLANKS = [case for shape in SHAPES[:7] for case in cells_of(*shape)]
NAMED_BLANKS = [(*shape, blank) for shape in SHAPES[7:] for blank in goals_of(shape)]


@pytest.mark.parametrize(("rows", "cols", "blank"), ALL_BLANKS + NAMED_BLANKS)
def test_every_tile_is_in_one_pattern(rows: int, cols: int, blank: int) -> None:
    sets = partitions.sets(rows, cols, blank)
    assert "default" in sets
    for partition in (p for chosen in sets.values() for p in chosen):
        cells = sorted(cell for pattern in partition for cell in pattern)
        assert cells == [cell for cell in range(rows * cols) if cell != blank]
        assert all(list(pattern) == sorted(pattern) for pattern in partition)


@pytest.mark.parametrize(("rows", "cols", "blank"), ALL_BLANKS + NAMED_BLANKS)
def test_default_patterns_are_small_and_in_one_piece(rows: int, cols: int, blank: int) -> None:
    most = 6 if rows * cols <= 25 else 5 if rows * cols <= 36 else 4
    for partition in partitions.sets(rows, cols, blank)["default"]:
        assert max(map(len, partition)) <= most
        assert len(partition) == -(-(rows * cols - 1) // most)
        for pattern in partition:
            assert is_connected(set(pattern), cols), partitions.draw(rows, cols, partition)


def is_connected(cells: set[int], cols: int) -> bool:
    reached = {min(cells)}
    while True:
        near = {
            b for a in reached for b in cells
            if abs(a // cols - b // cols) + abs(a % cols - b % cols) == 1
        }  # fmt: skip
        if near <= reached:
            return reached == cells
        reached |= near


@pytest.mark.parametrize("shape", [(1, 12), (20, 1), (3, 3), (2, 5), (7, 8), (10, 10), (1, 2)])
def test_no_sets_where_tables_do_not_help(shape: tuple[int, int]) -> None:
    assert partitions.sets(*shape, 0) == {}


def test_the_drawn_sets_have_their_sizes() -> None:
    def sizes(*board: int) -> dict[str, list[list[int]]]:
        sets = partitions.sets(*board)
        return {name: [sorted(map(len, p)) for p in chosen] for name, chosen in sets.items()}

    assert sizes(4, 4, 0)["default"] == [[3, 6, 6], [3, 6, 6]]
    assert sizes(5, 5, 0)["small"] == [[6, 6, 6, 6]]
    assert sizes(5, 5, 0)["default"] == [[6, 6, 6, 6]] * 2


def test_the_24_puzzle_has_sets_of_partitions_to_choose_from() -> None:
    sets = partitions.sets(5, 5, 0)
    assert set(sets["small"]) < set(sets["default"]) < set(sets["large"])
    assert sets["small"][0] == sets["default"][0] == sets["large"][0]
    chosen = sets["large"]
    all_of_them = {m for p in chosen for m in partitions.with_mirror(5, 5, 0, p)}
    assert len(all_of_them) == 2 * len(chosen) == 60
    for partition in chosen:
        assert [len(pattern) for pattern in partition] == [6] * 4
        assert all(is_connected(set(pattern), 5) for pattern in partition)
    goal = goals.blank_first(5, 5)
    plans = {name: tables.plan(goal, name) for name in sets}
    assert plans["small"].size < 240e6
    assert plans["default"].size < 600e6
    assert plans["large"].size < 8e9
    assert set(plans["small"].recipes) < set(plans["default"].recipes)
    assert [name for name in sets if tables.is_choice(goal, name)] == ["default", "large"]


def test_of_large_boards_a_search_looks_up_two_partitions() -> None:
    four = [()] * 4
    assert not tables.must_choose(16, four)
    assert tables.must_choose(16, [*four, ()])
    assert tables.must_choose(17, four[:3])
    assert not tables.must_choose(17, four[:2])


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 5), (6, 3), (6, 6)])
def test_every_board_has_a_second_opinion(shape: tuple[int, int]) -> None:
    """A mirror image of the partition where there is one, or else another partition."""
    corner = shape[0] * shape[1] - 1
    chosen = partitions.sets(*shape, corner)["default"]
    mirrored = {m for p in chosen for m in partitions.with_mirror(*shape, corner, p)}
    assert len(mirrored) == 2
    assert len(chosen) == (1 if shape == (6, 6) else 2)


@pytest.mark.parametrize("shape", [(4, 4), (5, 5), (3, 5), (5, 3)])
def test_all_corners_share_their_tables(shape: tuple[int, int]) -> None:
    rows, cols = shape
    corners = [0, cols - 1, (rows - 1) * cols, rows * cols - 1]
    recipes = [
        {
            name: {place(rows, cols, cells, corner).pattern for p in chosen for cells in p}
            for name, chosen in partitions.sets(rows, cols, corner).items()
        }
        for corner in corners
    ]
    assert all(other == recipes[0] for other in recipes)


def test_the_turned_shape_shares_its_tables() -> None:
    wide = partitions.sets(3, 5, 14)["default"][0]
    tall = partitions.sets(5, 3, 14)["default"][0]
    assert {place(3, 5, c, 14).pattern for c in wide} == {place(5, 3, c, 14).pattern for c in tall}


def test_korfs_patterns_need_two_tables_only() -> None:
    """Three of the four are the same 2×3 block, turned."""
    partition = partitions.sets(5, 5, 24)["default"][0]
    assert len({place(5, 5, cells, 24).pattern for cells in partition}) == 2


@given(st.data())
def test_drawings_are_read_back(data: st.DataObject) -> None:
    rows, cols = data.draw(st.sampled_from(SHAPES))
    partition = partitions.sets(rows, cols, rows * cols - 1)["default"][0]
    assert partitions.read(partitions.draw(rows, cols, partition)) == partition


# --- symmetries ---------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(3, 3), (2, 3), (4, 2), (1, 3)])
def test_symmetries_keep_neighbours(shape: tuple[int, int]) -> None:
    rows, cols = shape

    def distance(a: int, b: int, cols: int) -> int:
        return abs(a // cols - b // cols) + abs(a % cols - b % cols)

    turns = symmetry.symmetries(rows, cols)
    assert len(turns) == 8
    assert {(turn.rows, turn.cols) for turn in turns} == {(rows, cols), (cols, rows)}
    for turn in turns:
        assert sorted(turn.cells) == list(range(rows * cols))
        for a in range(rows * cols):
            for b in range(rows * cols):
                moved = distance(turn.cells[a], turn.cells[b], turn.cols)
                assert moved == distance(a, b, cols)


def test_a_square_has_eight_and_a_rectangle_four_of_its_own() -> None:
    assert len(set(symmetry.symmetries(3, 3))) == 8
    assert len({turn for turn in symmetry.symmetries(2, 3) if turn.rows == 2}) == 4


@given(st.sampled_from([(4, 4), (3, 5), (5, 3)]), st.data())
def test_mirror_images_of_a_pattern_have_one_table(
    shape: tuple[int, int], data: st.DataObject
) -> None:
    rows, cols = shape
    count = rows * cols
    chosen = data.draw(st.lists(st.integers(0, count - 1), min_size=2, max_size=7, unique=True))
    blank, cells = chosen[0], tuple(sorted(chosen[1:]))
    placed = place(rows, cols, cells, blank)
    for turn in symmetry.symmetries(rows, cols):
        image = place(turn.rows, turn.cols, turn.image(cells), turn.cells[blank])
        assert image.pattern == placed.pattern
    assert placed.pattern.rows <= placed.pattern.cols
    assert tuple(placed.symmetry.cells[home] for home in placed.homes) == placed.pattern.cells
    assert tuple(sorted(placed.homes)) == cells
    pattern = placed.pattern
    home = region(pattern.rows, pattern.cols, pattern.cells, placed.symmetry.cells[blank])
    assert pattern.blank == min(home)


def test_the_blanks_home_matters_only_by_its_region() -> None:
    shut_in, outside = place(4, 4, (1, 4), 0).pattern, place(4, 4, (1, 4), 15).pattern
    assert shut_in.cells == outside.cells == (1, 4)
    assert (shut_in.blank, outside.blank) == (0, 2)
    assert place(4, 4, (1, 4), 9).pattern == outside


@pytest.mark.parametrize(("rows", "cols", "blank"), ALL_BLANKS)
def test_mirror_images_of_a_partition_share_its_tables(rows: int, cols: int, blank: int) -> None:
    for partition in partitions.sets(rows, cols, blank)["default"]:
        found = partitions.with_mirror(rows, cols, blank, partition)
        assert found[0] == partition
        assert len({frozenset(part) for part in found}) == len(found) <= 2
        tables = [{place(rows, cols, c, blank).pattern for c in part} for part in found]
        assert all(shared == tables[0] for shared in tables)


def test_a_partition_that_is_its_own_mirror_image_stays_alone() -> None:
    halves = partitions.read(". A A  B A A  B B B")
    assert len(partitions.with_mirror(3, 3, 0, halves)) == 2
    own = partitions.read(". A B  A A B  B B B")
    assert partitions.with_mirror(3, 3, 0, own) == [own]
