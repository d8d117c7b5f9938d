import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SHIPPED, assert_clear, boards, data_lines

from taquin import Board, TaquinError, goals, notation
from taquin.errors import AmbiguousError, BoardError, NotationError, UnknownNameError
from taquin.notation import FORMATS, MAX_TEXT

GOAL = goals.blank_last(3, 3)
SHAPES = [(r, c) for r in range(1, 8) for c in range(1, 8) if r * c > 1] + [(1, 30), (30, 1)]


def can_write(format: str, board: Board) -> bool:
    if format in ("flat", "princeton", "npuzzle", "korf"):
        return board.rows == board.cols
    if format in ("rows", "csv"):
        return board.rows > 1
    return len(board) <= {"hex": 16, "letters": 27}.get(format, len(board))


def expected_name(format: str, board: Board) -> str:
    """Some texts look the same in two formats."""
    if format == "korf":
        return "flat"
    if format == "csv" and board.cols == 1:
        return "rows"
    if format == "hex" and board.cols == 1 and len(board) <= 10:
        return "slash"
    return format


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_written_is_read_back(format):
    for shape in SHAPES:
        board = Board.random(*shape, seed=1)
        if not can_write(format, board):
            with pytest.raises(NotationError):
                notation.write(board, format)
            continue
        text = notation.write(board, format)
        assert notation.read(text) == board
        assert notation.read(text, format, shape=shape) == board
        assert notation.read(text, shape=shape) == board
        assert notation.read(f"# a comment\n{text}\n") == board
        assert notation.read(text.replace("\n", "\r\n")) == board
        assert notation.detect(text) == expected_name(format, board)


@pytest.mark.parametrize("format", FORMATS)
@given(board=boards(max_side=4))
def test_what_is_written_is_read_back_whatever_the_order(format, board):
    if can_write(format, board):
        assert notation.read(notation.write(board, format)) == board


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in ("hex", "letters")])
def test_large_boards_are_read_back(format):
    board = goals.snail(256, 256)
    assert notation.read(notation.write(board, format)) == board


@pytest.mark.parametrize("blank", ["_", "-", ".", "x", "t", "X", "T", "0"])
@pytest.mark.parametrize(
    "text",
    [
        "1 2 3/4 {} 5",
        "1 2 3\n4 {} 5",
        "1,2,3\n4,{},5",
        "[[1, 2, 3], [4, {}, 5]]",
        "2 3\n1 2 3\n4 {} 5",
        "|1|2|3|\n|4|{}|5|",
        "│1│2│3│\n│4│{}│5│",
    ],
)
def test_blanks_of_all_kinds(blank, text):
    assert Board.parse(text.format(blank)) == Board([[1, 2, 3], [4, 0, 5]])


@pytest.mark.parametrize("blank", "0_-.")
def test_blanks_among_single_characters(blank):
    assert Board.parse(f"12345678{blank}") == Board.parse(f"ABCDEFGH{blank}") == GOAL


READ = [
    ("8 2 0/4 6 1/3 7 5", "slash", "8 2 0/4 6 1/3 7 5"),
    (" 8 2 0 / 4 6 1 / 3 7 5 ", "slash", "8 2 0/4 6 1/3 7 5"),
    ("8,2,0/4,6,1/3,7,5", "slash", "8 2 0/4 6 1/3 7 5"),
    ("8 2 0; 4 6 1; 3 7 5", "slash", "8 2 0/4 6 1/3 7 5"),
    ("820/461/375", "hex", "8 2 0/4 6 1/3 7 5"),
    ("1 2 3 4 5 6 7 8 0", "flat", "1 2 3/4 5 6/7 8 0"),
    ("1, 2, 3, 4, 5, 6, 7, 8, 0", "flat", "1 2 3/4 5 6/7 8 0"),
    ("1,2,3,4,5,6,7,8,", "flat", "1 2 3/4 5 6/7 8 0"),
    ("1\t2\t3\n4\t5\t6\n7\t8\t0", "rows", "1 2 3/4 5 6/7 8 0"),
    ("1 2 3\n\n4 5 6\n\n7 8 0\n", "rows", "1 2 3/4 5 6/7 8 0"),
    ("1 2 3\r4 5 6\r7 8 0", "flat", "1 2 3/4 5 6/7 8 0"),
    ("\ufeff1 2 3\r\n4 5 6\r\n7 8 0\r\n", "rows", "1 2 3/4 5 6/7 8 0"),
    ("1,2,3\n4,,5", "csv", "1 2 3/4 0 5"),
    ("1,2,3,\n4,0,5,", "csv", "1 2 3/4 0 5"),
    ("1, 2\n3, ", "csv", "1 2/3 0"),
    ("[1, 2, 3, 0]", "nested", "1 2/3 0"),
    ("[[1 2]\n [3 0]]", "nested", "1 2/3 0"),
    ("array([[1, 2],\n       [3, 0]])", "nested", "1 2/3 0"),
    ("((1, 2), (3, 0))", "nested", "1 2/3 0"),
    ("[1, 2]\n[3, 0]", "nested", "1 2/3 0"),
    ("[[1, 0]]", "nested", "1 0/"),
    ("3\n1 2 3\n4 5 6\n7 8 0\n", "princeton", "1 2 3/4 5 6/7 8 0"),
    ("3\n 1  2  3\n 4  5  6\n 7  8  0", "princeton", "1 2 3/4 5 6/7 8 0"),
    ("# solvable\n3\n1 2 3 # first\n4 5 6\n7 8 0", "npuzzle", "1 2 3/4 5 6/7 8 0"),
    ("2 3\n1 2 3\n4 5 0", "lodz", "1 2 3/4 5 0"),
    ("3 2\n1 2\n3 4\n5 0", "lodz", "1 2/3 4/5 0"),
    ("  7 | 1 2 3 4 5 6 7 8 0 | 31", "korf", "1 2 3/4 5 6/7 8 0"),
    ("7 | 1 2 3 4 5 6 7 8 0", "korf", "1 2 3/4 5 6/7 8 0"),
    ("7 1 2 3 4 5 6 7 8 0", "korf", "1 2 3/4 5 6/7 8 0"),
    ("1 2 3 4 5 6 7 8 0 31", "korf", "1 2 3/4 5 6/7 8 0"),
    ("99 1 2 3 4 5 6 7 8 0 31", "korf", "1 2 3/4 5 6/7 8 0"),
    ("127436a85db9cef0", "hex", "1 2 7 4/3 6 10 8/5 13 11 9/12 14 15 0"),
    ("127436A85DB9CEF0", "hex", "1 2 7 4/3 6 10 8/5 13 11 9/12 14 15 0"),
    ("0ABCDEFGHIJKLMNOPQRSTUVWX", "letters", str(goals.blank_first(5, 5))),
    ("abc0", "letters", "1 2/3 0"),
    ("abc/de0", "letters", "1 2 3/4 5 0"),
    ("10/", "hex", "1 0/"),
    ("1/0", "slash", "1/0"),
    ("1 0/", "slash", "1 0/"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "format", "board"), READ)
def test_formats_in_the_wild(text, format, board):
    assert notation.detect(text) == format
    assert str(Board.parse(text)) == board


@given(boards(max_side=4))
def test_what_numpy_and_python_print(board):
    assert Board.parse(str(np.asarray(board))) == board
    assert Board.parse(repr(np.asarray(board))) == board
    assert Board.parse(str(tuple(map(tuple, board.grid())))) == board


@pytest.mark.parametrize("file", ["korf15.txt", "korf24.txt"])
def test_korfs_lists(file):
    lines = [line for line in (SHIPPED / file).read_text().splitlines() if not line.startswith("#")]
    for line, (_, tiles, _) in zip(lines, data_lines(file), strict=True):
        board = Board.parse(line)
        assert notation.detect(line) == "korf"
        assert board.rows == board.cols
        assert board.tiles == tuple(map(int, tiles.split()))


def test_what_the_files_of_a_format_usually_mean():
    assert FORMATS["npuzzle"].goal == "snail"
    assert FORMATS["korf"].goal == FORMATS["letters"].goal == "blank-first"
    assert FORMATS["princeton"].goal == "blank-last"
    assert [name for name in FORMATS if FORMATS[name].moves == "blank"] == ["lodz"]


def test_coloured_drawings_are_read():
    for style in ("box", "ascii"):
        drawn = Board("1 2 3/4 0 5/7 8 6").show(style, color=True)
        assert "\x1b[" in drawn
        assert Board.parse(drawn) == Board("1 2 3/4 0 5/7 8 6")


# --- ambiguity ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("1 2 3 4 5 0", ["1×6", "2×3", "3×2", "6×1"]),
        ("1 0", ["1×2", "2×1"]),
        ("[1, 2, 3, 4, 5, 0]", ["1×6", "2×3", "3×2", "6×1"]),
        ("123450", ["1×6", "2×3", "3×2", "6×1"]),
        ("ABCDE0", ["1×6", "2×3", "3×2", "6×1"]),
        ("4 0 1 2 3", ["1×5", "5×1", "2×2", "korf"]),
        ("9 0 1 2 3 4 5 6 7 8", ["1×10", "2×5", "3×3", "korf"]),
    ],
)
def test_an_ambiguous_text_names_its_readings(text, readings):
    with pytest.raises(AmbiguousError) as caught:
        Board.parse(text)
    assert all(reading in str(caught.value) for reading in readings)
    assert_clear(caught.value)


def test_a_shape_settles_it():
    for shape in [(1, 6), (2, 3), (3, 2), (6, 1)]:
        assert Board.parse("1 2 3 4 5 0", shape=shape) == Board([1, 2, 3, 4, 5, 0], shape=shape)
        assert Board("123450", shape=shape).shape == shape
    assert Board.parse("9 0 1 2 3 4 5 6 7 8", shape=(3, 3)) == goals.blank_first(3, 3)
    assert Board.parse("1 2 3 4 5 6 7 8 0", shape=(1, 9)).shape == (1, 9)


def test_a_shape_that_does_not_fit():
    for text in ["1 2 3/4 5 0", "1 2 3 4 5 0", "123450", "[[1,2,3],[4,5,0]]", "2 3\n1 2 3\n4 5 0"]:
        with pytest.raises((BoardError, NotationError), match=re.escape("2×2")):
            Board.parse(text, shape=(2, 2))


# --- errors -------------------------------------------------------------------------------------

BAD = [
    ("", "the text is empty"),
    ("  \n\t ", "the text is empty"),
    ("# only a comment", "the text is empty"),
    ("/", "the text is empty"),
    (";;", "the text is empty"),
    ("1 2 3/4 5", "row 2 has 2 cells, but row 1 has 3"),
    ("1 2 3\n4 5", "row 2 has 2 cells, but row 1 has 3"),
    ("1 2 3/4 5 5/7 8 0", r"tile 5 appears twice \(cells 5 and 6\)"),
    ("1 2 3 4/3 0 6 10/8 5 13 1/9 12 14 15", r"tile 3 appears twice \(cells 3 and 5\)"),
    ("1 2 0/4 5 6/7 8 0", r"the blank \(0\) appears twice \(cells 3 and 9\)"),
    ("1 2 3/4 5 6/7 8 9", r"the blank \(0\) is missing.*tile 9 \(cell 9\)"),
    ("1 2 3/4 5 6/7 10 0", r"tile 8 is missing.*tile 10 \(cell 8\)"),
    ("1 2 3/4 -5 6/7 8 0", "row 2, column 2: tile -5 is negative"),
    ("1 2 3/4 −5 6/7 8 0", "row 2, column 2: tile −5 is negative"),
    ("1 2 3/4 a 6/7 8 0", "row 2, column 2: 'a' is not a tile"),
    ("1 2 3/4 nan 6/7 8 0", "row 2, column 2: 'nan' is not a tile"),
    ("1 2 3/4 5.0 6/7 8 0", "row 2, column 2: '5.0' is not a tile"),
    ("1 2 3/4 1e3 6/7 8 0", "row 2, column 2: '1e3' is not a tile"),
    ("1 2 3/4 ٥ 6/7 8 0", "row 2, column 2: '٥' is not a tile"),
    ("1 2 3/4 99999999999999999999 6/7 8 0", "row 2, column 2: 99999999999999999999 is too large"),
    ("1 2 3/4 " + "9" * 5000 + " 6/7 8 0", "row 2, column 2: 9{39}… is too large"),
    ("hello world", "column 1: 'hello' is not a tile"),
    ("12g4", "character 3, 'G', is not a hexadecimal digit"),
    ("3\n1 2\n3 0", "the first line says 3×3, but 2×2 follow"),
    ("2 2\n1 2 3\n4 5 0", "the first line says 2×2, but 2×3 follow"),
    ("[[1, 2], [3, 0]", "the brackets don't match"),
    ("[]", "no row of tiles"),
    ("+---+", "the drawing has no rows"),
    ("┌───┐", "the drawing has no rows"),
    ("\x00\x01", "this is not text: character 1"),
    ("\x7fELF\x02", "this is not text: character 1"),
    ("1 2\x00/3 0", "this is not text: character 4"),
    ("\udcff", "this is not text"),
    ("0", "at least 1×2 cells, not 1×1"),
    ("1 |2 3 0| 4 5", "not a tile|between bars"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_errors_name_the_culprit_and_the_place(text, message):
    with pytest.raises((BoardError, NotationError), match=message) as caught:
        Board.parse(text)
    assert_clear(caught.value)


def test_endless_text_is_refused_at_once():
    with pytest.raises(NotationError, match="characters is longer than any board"):
        Board.parse("1 " * MAX_TEXT)


def test_unknown_formats():
    for call in (lambda: notation.read("1 0/", "slsh"), lambda: notation.write(GOAL, "slsh")):
        with pytest.raises(UnknownNameError, match="unknown format 'slsh': did you mean 'slash'"):
            call()


LOOKS_LIKE_A_BOARD = st.text(
    "0123456789 /;,[]()|+-_.xtXTabcdefgh#\n\r\t│┌─┐└┘├┼┤\x1bm", max_size=60
)


@given(st.text() | LOOKS_LIKE_A_BOARD | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_board_or_a_clear_error(text):
    for format in (None, *FORMATS):
        try:
            board = notation.read(text, format)
            assert Board.parse(str(board)) == board
        except TaquinError as error:
            assert_clear(error)


@st.composite
def spoiled(draw):
    """The text of a board with some characters changed, dropped or doubled."""
    board = draw(boards(max_side=4))
    format = draw(st.sampled_from([name for name in FORMATS if can_write(name, board)]))
    text = list(notation.write(board, format))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text) - 1))
        text[place] = draw(
            st.sampled_from(["", text[place] * 2, "9", "x", " ", "/", "\n", "|", "["])
        )
    return "".join(text)


@given(spoiled(), st.none() | st.tuples(st.integers(-1, 5), st.integers(-1, 5)))
def test_a_spoiled_board_is_a_board_or_a_clear_error(text, shape):
    try:
        board = Board.parse(text, shape=shape)
        assert shape in (None, board.shape)
    except TaquinError as error:
        assert_clear(error)


def test_an_empty_cell_between_tabs_is_the_blank():
    assert Board.parse("1\t2\t3\n4\t\t6\n7\t8\t5") == Board("1 2 3/4 0 6/7 8 5")


def test_a_letter_may_be_the_blank_among_digits():
    assert Board.parse("12345678x") == Board.parse("12345678T") == Board("1 2 3/4 5 6/7 8 0")
