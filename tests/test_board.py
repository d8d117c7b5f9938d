import copy
import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_clear, boards, move_lists, pairs, shapes

from taquin import Board, Move, TaquinError, goals
from taquin.board import MAX_CELLS
from taquin.errors import BoardError, IllegalMoveError, UnknownNameError

# --- making one ---------------------------------------------------------------------------------


WAYS_BACK = {
    "str": lambda board: Board.parse(str(board)),
    "repr": lambda board: eval(repr(board), {"Board": Board}),
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "nested": lambda board: Board(board.grid()),
    "tuples": lambda board: Board(tuple(map(tuple, board.grid()))),
    "flat": lambda board: Board(board.tiles, shape=board.shape),
    "iterator": lambda board: Board(iter(board), shape=board.shape),
    "numpy": lambda board: Board(np.asarray(board)),
    "numpy flat": lambda board: Board(np.asarray(board).ravel(), shape=board.shape),
    "numpy floats": lambda board: Board(np.asarray(board, dtype=float)),
    "numpy bytes": lambda board: Board(np.array(board, dtype=np.uint8)),
    "numpy scalars": lambda board: Board(list(np.asarray(board).flat), shape=board.shape),
    "board": Board,
}


@pytest.mark.parametrize("way", WAYS_BACK)
@given(board=boards(max_side=7))
def test_every_way_out_leads_back(way, board):
    back = WAYS_BACK[way](board)
    assert back == board
    assert back.shape == board.shape
    assert all(type(tile) is int for tile in back.tiles)


def test_a_large_board_goes_there_and_back():
    board = Board.random(256, 256, seed=1)
    assert max(board) == 65_535
    assert Board.parse(str(board)) == board
    assert Board(np.asarray(board)) == board


def test_numpy_sees_rows_and_columns():
    array = np.asarray(Board("1 2 3/4 0 5"))
    assert array.shape == (2, 3)
    assert array.tolist() == [[1, 2, 3], [4, 0, 5]]
    assert np.asarray(Board("1 0/"), dtype=np.int8).dtype == np.int8
    with pytest.raises(ValueError, match="copy"):
        np.array(Board("1 0/"), copy=False)


@pytest.mark.parametrize("shape", [(1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 5)])
def test_the_smallest_and_the_thinnest_shapes(shape):
    board = Board(range(shape[0] * shape[1]), shape=shape)
    assert (board.rows, board.cols) == board.shape == shape
    assert len(board) == shape[0] * shape[1]


BAD = [
    ([], None, "flat list"),
    ([[]], None, "at least 1×2"),
    ([[0]], None, "at least 1×2 cells, not 1×1"),
    ([0, 1], None, "needs a shape"),
    ([0, 1, 2], (2, 2), "3 tiles don't fill a 2×2 board"),
    ([[1, 2], [3]], None, "row 2 has 1 cell, but row 1 has 2"),
    ([[1, 2], 3], None, "row 2 is not a list"),
    ([[1, 2], [3, 3]], None, r"tile 3 appears twice \(cells 3 and 4\)"),
    ([[0, 2], [3, 0]], None, r"the blank \(0\) appears twice \(cells 1 and 4\)"),
    ([[1, 2], [3, 4]], None, r"the blank \(0\) is missing.*tile 4 \(cell 4\)"),
    ([[0, 1], [2, 9]], None, r"tile 3 is missing.*1 to 3.*tile 9 \(cell 4\)"),
    ([[0, 1], [2, -3]], None, r"tile -3 \(cell 4\).*negative"),
    ([[0, 1], [2, "x"]], None, "cell 4 holds 'x'"),
    ([[0, 1], [2, 2.5]], None, "cell 4 holds 2.5"),
    ([[0, 1], [2, float("nan")]], None, "cell 4 holds nan"),
    ([[0, 1], [2, float("inf")]], None, "cell 4 holds inf"),
    ([[0, True], [2, 3]], None, "cell 2 holds True"),
    ([[0, None], [2, 3]], None, "cell 2 holds None"),
    ([[0, 1], [2, 10**6000]], None, "cell 4 holds a number too large"),
    ([[0, 1], [2, 1e300]], None, "cell 4 holds a number too large"),
    ([[0, 1], [2, 3]], (4, 1), "2×2 board, not 4×1"),
    (np.zeros((2, 2)), None, "appears twice"),
    (np.arange(8).reshape(2, 2, 2), None, "cell 1 holds"),
    (np.array(5), None, "5 is not a board"),
    (None, None, "None is not a board"),
    (5, None, "5 is not a board"),
    ([], (0, 0), "at least 1×2"),
    ([0, 1, 2, 3], (-2, -2), "at least 1×2"),
]


@pytest.mark.parametrize(("tiles", "shape", "message"), BAD)
def test_errors_name_the_culprit_and_the_place(tiles, shape, message):
    with pytest.raises(BoardError, match=message) as caught:
        Board(tiles, shape=shape)
    assert_clear(caught.value)


def test_shapes_end_somewhere():
    with pytest.raises(BoardError, match="more than"):
        goals.blank_last(MAX_CELLS, 2)


@given(st.lists(st.lists(st.integers() | st.floats() | st.text() | st.none())))
def test_any_nested_list_is_a_board_or_a_clear_error(tiles):
    try:
        assert Board(tiles).grid() == tiles
    except TaquinError as error:
        assert_clear(error)


# --- a value ------------------------------------------------------------------------------------


@given(pairs(max_side=3))
def test_equal_boards_have_equal_hashes_and_one_order(pair):
    a, b = pair
    assert (a == b) == (a.tiles == b.tiles)
    if a == b:
        assert hash(a) == hash(b)
    assert (a < b) + (a == b) + (a > b) == 1
    assert (a <= b) == (a < b or a == b) == (b >= a)
    assert (a < b) == (a.tiles < b.tiles)


def test_sorting_goes_by_shape_and_then_by_tiles():
    mixed = [Board("1 0/"), Board("0 1/"), Board("1/0"), Board("0/1")]
    assert list(map(str, sorted(mixed))) == ["0 1/", "1 0/", "0/1", "1/0"]


def test_the_same_tiles_in_another_shape_are_another_board():
    shapes = [(1, 6), (2, 3), (3, 2), (6, 1)]
    assert len({Board(range(6), shape=shape) for shape in shapes}) == 4


def test_a_board_is_no_other_thing():
    board = Board("1 2/3 0")
    assert board != "1 2/3 0"
    assert board != (1, 2, 3, 0)
    with pytest.raises(TypeError):
        board < (1, 2, 3, 0)  # noqa: B015
    with pytest.raises(TypeError):
        board <= "1 2/3 0"  # noqa: B015


@pytest.mark.parametrize("name", ["rows", "cols", "tiles", "blank", "colour"])
def test_a_board_never_changes(name):
    board = Board("1 2/3 0")
    with pytest.raises(AttributeError):
        setattr(board, name, 1)
    with pytest.raises(AttributeError):
        delattr(board, name)
    assert board == Board("1 2/3 0")


def test_changing_the_source_or_a_grid_leaves_the_board_alone():
    source = [[1, 2], [3, 0]]
    board = Board(source)
    source[0][0] = 9
    board.grid()[0][0] = 9
    assert board.tiles == (1, 2, 3, 0)


def test_cells_by_row_and_column():
    board = Board("1 2 3/4 0 5")
    assert [board[r, c] for r in range(2) for c in range(3)] == list(board)
    assert board.blank == 4
    for place in [(2, 0), (0, 3), (-1, 0), (0, -1)]:
        with pytest.raises(IndexError):
            board[place]


# --- moving -------------------------------------------------------------------------------------


@given(boards())
def test_a_slide_is_taken_back_by_its_opposite(board):
    for move in board.moves():
        after = board.slide(move)
        assert after != board
        assert after.slide(move.opposite) == board


@given(boards())
def test_neighbours_are_the_slides_and_know_each_other(board):
    neighbours = board.neighbours()
    assert neighbours == [board.slide(move) for move in board.moves()]
    assert len(set(neighbours)) == len(neighbours)
    for move, neighbour in zip(board.moves(), neighbours, strict=True):
        assert board in neighbour.neighbours()
        assert board.move_to(neighbour) == move
        assert neighbour.move_to(board) == move.opposite
        assert sorted(neighbour.tiles) == sorted(board.tiles)


def test_moves_are_named_by_the_tile():
    board = Board("1 2 3/4 0 5/6 7 8")
    assert {move: board.slide(move)[1, 1] for move in board.moves()} == {
        Move.U: 7, Move.D: 2, Move.L: 5, Move.R: 4,
    }  # fmt: skip


@given(boards(), move_lists())
def test_a_list_of_moves_is_made_one_by_one(board, moves):
    expected, legal = board, True
    for move in moves:
        legal = legal and move in expected.moves()
        expected = expected.slide(move) if legal else expected
    if legal:
        assert board.slide(moves) == board.slide("".join(moves)) == expected
    else:
        with pytest.raises(IllegalMoveError):
            board.slide(moves)


def test_an_illegal_move_is_named_with_its_number_and_place():
    with pytest.raises(IllegalMoveError, match=r"move 4 \(U\).*no tile below.*row 2, column 1"):
        Board("1 2/3 0").slide("RDUU")
    with pytest.raises(UnknownNameError):
        Board("1 2/3 0").slide(["X"])


def test_only_neighbours_have_a_move_between_them():
    with pytest.raises(IllegalMoveError, match="no single move"):
        Board("1 2/3 0").move_to(Board("2 1/3 0"))
    with pytest.raises(TaquinError):
        Board("1 2/3 0").move_to(Board("1 2 3 0/"))


def test_exchange_swaps_two_tiles_and_nothing_else():
    board = Board("1 2 3/4 5 6/7 8 0")
    for a, b in permutations(range(9), 2):
        swapped = board.exchange(a, b)
        assert swapped.exchange(a, b) == board
        assert sum(x != y for x, y in zip(board, swapped, strict=True)) == 2
    with pytest.raises(BoardError, match="no tile 9"):
        board.exchange(1, 9)


# --- drawing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["box", "ascii"])
@pytest.mark.parametrize("color", [False, True])
@given(board=boards(max_side=12))
def test_drawings_are_aligned_and_read_back(style, color, board):
    drawn = board.show(style, color=color)
    plain = drawn.replace("\x1b[1;32m", "").replace("\x1b[0m", "")
    assert len({len(line) for line in plain.splitlines()}) == 1
    assert len(plain.splitlines()) == 2 * board.rows + 1
    assert " 0 " not in plain
    assert Board.parse(drawn) == board


def test_the_drawing_of_the_number_slider():
    assert Board("10 2/3 4/5 6/7 8/9 1/11 0").show().splitlines()[:3] == [
        "┌────┬────┐",
        "│ 10 │  2 │",
        "├────┼────┤",
    ]
    assert Board("1 2/3 0").show("ascii").splitlines() == [
        "+---+---+",
        "| 1 | 2 |",
        "+---+---+",
        "| 3 |   |",
        "+---+---+",
    ]


def test_colour_marks_the_tiles_at_home():
    board = Board("1 2 3/4 5 6/7 0 8")
    assert board.show(color=True).count("\x1b[1;32m") == 7
    assert board.show(color=True, goal=goals.snail(3, 3)).count("\x1b[1;32m") == 4
    with pytest.raises(UnknownNameError, match="did you mean 'box'"):
        board.show("bax")


@given(shapes(4))
def test_pictures_are_what_notebooks_ask_for(shape):
    assert goals.blank_last(*shape)._repr_svg_().startswith("<svg")
