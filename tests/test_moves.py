from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import assert_clear, boards, move_lists

from taquin import Board, Move, TaquinError, moves
from taquin.errors import IllegalMoveError, NotationError, UnknownNameError
from taquin.notation import MOVE_STYLES, read_moves, write_moves


@st.composite
def walks(draw, max_side=5):
    """A board and moves that can be made on it."""
    start = board = draw(boards(max_side=max_side))
    made = []
    for choice in draw(st.lists(st.integers(0, 3), max_size=30)):
        options = board.moves()
        made.append(options[choice % len(options)])
        board = board.slide(made[-1])
    return start, made


@given(move_lists())
def test_inverting_twice_is_nothing(sequence):
    assert list(moves.invert(moves.invert(sequence))) == sequence


@given(walks())
def test_the_inverse_leads_back(walk):
    board, made = walk
    there = moves.apply(board, made)
    assert there.slide(moves.invert(made)) == board


@given(walks())
def test_simplified_moves_lead_to_the_same_board(walk):
    board, made = walk
    short = moves.simplify(made)
    assert board.slide(short) == board.slide(made)
    assert len(short) <= len(made)
    assert moves.simplify(short) == short
    assert all(a != b.opposite for a, b in pairwise(short))


@given(move_lists())
def test_moves_and_their_inverse_cancel_out(sequence):
    assert moves.simplify([*sequence, *moves.invert(sequence)]) == ()


@pytest.mark.parametrize(
    ("text", "single", "multi"),
    [("", 0, 0), ("R", 1, 1), ("RRUULD", 6, 4), ("R2U2LD", 6, 4), ("RLRL", 4, 4), ("U3D3", 6, 2)],
)
def test_both_metrics(text, single, multi):
    sequence = read_moves(text)
    assert moves.length(sequence) == moves.length(sequence, "single") == single
    assert moves.length(iter(sequence), "multi") == multi
    with pytest.raises(UnknownNameError, match="did you mean 'multi'"):
        moves.length(sequence, "mutli")


@given(walks())
def test_verify_replays(walk):
    board, made = walk
    goal = board.slide(made)
    assert moves.verify(board, made, goal)
    assert moves.verify(board, "".join(made), str(goal))
    assert not moves.verify(board, [*made, goal.moves()[0]], goal)


def test_verify_says_no_to_moves_that_can_not_be_made():
    assert not moves.verify(Board("1 2/3 0"), "U")


# --- text ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", moves.CONVENTIONS)
@pytest.mark.parametrize("style", MOVE_STYLES)
@given(walk=walks())
def test_written_moves_are_read_back(style, direction, walk):
    board, made = walk
    text = write_moves(made, style, moves=direction, board=board)
    assert list(read_moves(text, moves=direction, board=board)) == made


@given(walks())
def test_tile_numbers_are_the_tiles_that_change_place(walk):
    board, made = walk
    numbers = moves.tile_numbers(board, made)
    assert list(moves.from_tile_numbers(board, numbers)) == made
    for move, tile in zip(made, numbers, strict=True):
        after = board.slide(move)
        assert after.tiles[board.blank] == tile
        board = after


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("R2U2LD", "RRUULD"),
        ("r2 u2 l d", "RRUULD"),
        ("Right right UP up Left down", "RRUULD"),
        ("['R', 'R', 'U']", "RRU"),
        ("R,R;U", "RRU"),
        ("→→↑↑←↓", "RRUULD"),
        ("→2↑", "RRU"),
        ("R0U", "U"),
        ("L12", "L" * 12),
        ("", ""),
        (" \n", ""),
        ("R\nU\nL", "RUL"),
    ],
)
def test_moves_as_people_write_them(text, letters):
    assert "".join(read_moves(text)) == letters
    opposite = letters.translate(str.maketrans("UDLR", "DURL"))
    assert "".join(read_moves(text, moves="blank")) == opposite


def test_the_blanks_direction_is_the_opposite():
    assert write_moves([Move.U, Move.L], "words", moves="blank") == "down right"
    assert write_moves([Move.U, Move.U, Move.L], "runs", moves="blank") == "D2R"
    # Tiles have no direction.
    board = Board("0 1/2 3")
    assert write_moves([Move.U, Move.L], "tiles", moves="blank", board=board) == "2 3"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("RQU", NotationError, "move 2: 'QU' is not U, D, L or R"),
        ("R2 5x", NotationError, "move 3: '5x' is not"),
        ("upp", NotationError, "move 2: 'pp'"),
        ("R99999999", NotationError, "more than 10,000,000 moves"),
        ("R" + "9" * 5000, NotationError, "more than 10,000,000 moves"),
        ("1 2 3", NotationError, "tile numbers need the board"),
        ("\0", NotationError, "move 1"),
    ],
)
def test_unreadable_moves_name_the_culprit(text, error, message):
    with pytest.raises(error, match=message):
        read_moves(text)


def test_impossible_tile_numbers_name_the_choice():
    with pytest.raises(IllegalMoveError, match=r"move 2: tile 2 is not next to .* are 1, 3\)"):
        read_moves("3 2", board=Board("1 2/3 0"))
    with pytest.raises(IllegalMoveError, match=r"move 1 \(U\)"):
        moves.tile_numbers(Board("1 2/3 0"), [Move.U])


def test_unknown_styles_and_conventions():
    with pytest.raises(UnknownNameError, match="did you mean 'blank'"):
        read_moves("R", moves="blanc")
    with pytest.raises(UnknownNameError, match="did you mean 'words'"):
        write_moves([], "word")
    with pytest.raises(NotationError, match="needs the board"):
        write_moves([Move.R], "tiles")


@given(st.text() | st.text("UDLRudlr0123456789 ,;'\"()[]↑↓←→-x\n", max_size=30))
def test_any_text_is_moves_or_a_clear_error(text):
    assume(sum(map(str.isdigit, text)) < 7)  # millions of moves are legal, but slow
    for board in (None, Board("1 2 3/4 0 5")):
        try:
            assert all(isinstance(move, Move) for move in read_moves(text, board=board))
        except TaquinError as error:
            assert_clear(error)
