"""The game line by line, by the real command through a pipe."""

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin import Board, goals
from taquin.plain import HELP, Plain
from taquin.session import Session

TAQUIN = str(Path(sys.executable).parent / "taquin")


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "TAQUIN_HOME": str(home), "PYTHONIOENCODING": "utf-8"}


def play(home: Path, *arguments: str, lines: str | bytes = "") -> tuple[str, int]:
    """What `taquin play` answers to lines of input, and its exit code."""
    done = subprocess.run(
        [TAQUIN, "play", *arguments],
        input=lines.encode() if isinstance(lines, str) else lines,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(home),
        timeout=120,
        check=False,
    )
    return done.stdout.decode(), done.returncode


def test_a_game_by_tile_numbers(tmp_path: Path) -> None:
    answer, code = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines="5\n7\n8\n")
    assert code == 0
    assert (
        answer
        == (
            "3×3, to be brought into order (blank-last); ? shows help\n"
            "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5 │ 6 │\n├───┼───┼───┤\n"
            "│   │ 7 │ 8 │\n└───┴───┴───┘\n"
            "tile or direction?\n"
            "illegal move: tile 5 can't slide: the blank is in another row and column; try again\n"
            "tile or direction?\n"
            "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5 │ 6 │\n├───┼───┼───┤\n"
            "│ 7 │   │ 8 │\n└───┴───┴───┘\n"
            "1 move made\n"
            "tile or direction?\n"
            "┌───┬───┬───┐\n│ 1 │ 2 │ 3 │\n├───┼───┼───┤\n│ 4 │ 5 │ 6 │\n├───┼───┼───┤\n"
            "│ 7 │ 8 │   │\n└───┴───┴───┘\n"
        )
        + answer[answer.index("You win!") :]
    )
    assert "You win! Solved with 2 moves in 0.0" in answer
    assert "That is the fewest possible." in answer
    assert "Your first 3×3 on record." in answer


def test_giving_up_shows_every_board_and_the_moves(tmp_path: Path) -> None:
    answer, code = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines="7\nq\nq\nL\n")
    assert code == 0
    after = answer[answer.index("given up after 1 move") :]
    assert after.count("┌") == 2
    assert "1. left\n" in after
    assert "moves: L\ntiles: 8\n1 move (1 move to the goal, the fewest possible)\n" in after
    assert "the game is over" in after
    assert "illegal move: the game was given up" in after


def test_giving_up_on_a_far_board(tmp_path: Path) -> None:
    answer, _ = play(tmp_path, "8 6 7/2 5 4/3 0 1", lines="q\n")
    assert "31 moves (31 moves to the goal, the fewest possible)" in answer
    assert answer.count("┌") == 1 + 32


@pytest.mark.parametrize(
    "lines", ["L\nL\n", "left\nLEFT\n", "L2\n", "LL\n", "l\nl\n", "7 8\n", "8"]
)
def test_ways_to_say_a_move(tmp_path: Path, lines: str) -> None:
    answer, _ = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines=lines)
    assert "You win!" in answer


def test_commands(tmp_path: Path) -> None:
    lines = [
        "u",
        "L",
        "u",
        "r",
        "u",
        "undo",
        "h",
        "h",
        "hint",
        "b",
        "s",
        "p",
        "?",
        "bogus",
        "",
        "x",
    ]
    answer, code = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines="\n".join(lines))
    assert code == 0
    for words in (
        "no move to take back (U slides a tile up)",
        "1 move made",
        "0 moves made",
        "hint: slide tile 7 left",
        "the next moves: tile 7 left, tile 8 left",
        "2 moves to the goal, the fewest possible",
        "paused at 0.0",
        HELP,
        "'bogus' is no tile, direction or command; ? shows all commands",
        "type a tile's number or a direction",
    ):
        assert words in answer


def test_a_board_is_typed(tmp_path: Path) -> None:
    lines = "1 2 3 4 5 6 0 7 8\n7\n8\ne\n1 2/0 3\n3\ne 1 2 3/4 5 5/0 7 8\n"
    answer, _ = play(tmp_path, "4x4", lines=lines)
    assert answer.count("You win!") == 2
    assert "the board, with / between its rows?" in answer
    assert "tile 5 appears twice (cells 5 and 6)" in answer


def test_an_unsolvable_board_is_mended_if_wanted(tmp_path: Path) -> None:
    board = "1 8 2/0 4 5/3 7 6\n"
    answer, _ = play(tmp_path, "3x3", lines=f"{board}n\n{board}y\ns\n")
    assert "unsolvable: with 3 columns" in answer
    assert "exchange 2 and 3 and play 1 8 3/0 4 5/2 7 6? (y or n)" in answer
    assert "the game goes on as it was" in answer
    assert answer.rindex("│ 1 │ 8 │ 3 │") > answer.index("goes on as it was")


def test_new_boards_and_options(tmp_path: Path) -> None:
    lines = (
        "n\nn 3x5\nn 99\nn foo\no\no goal snail\no rows 3\no goal snake\nn 3\no direction blank\n"
    )
    answer, _ = play(tmp_path, "4x4", "--seed", "1", lines=lines)
    assert "3×5, to be brought into order (blank-last)" in answer
    assert "99×99 can't be played" in answer
    assert "'foo' is not a shape" in answer
    assert "goal blank-last  (of blank-last, blank-first, column-major, snail)" in answer
    assert "there is no option 'goal snake'" in answer
    assert "3×3, to be brought into order (snail)" in answer
    again, _ = play(tmp_path, lines="o\n")
    assert again.startswith("3×4, to be brought into order (snail)")
    assert "direction blank" in again


def test_directions_of_the_blank(tmp_path: Path) -> None:
    answer, _ = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines="o direction blank\nR\nright\n")
    assert "You win!" in answer


def test_the_end_of_the_input_is_no_error(tmp_path: Path) -> None:
    for lines in ("", "L", "e\n", "1 8 2/0 4 5/3 7 6\n"):
        answer, code = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines=lines)
        assert code == 0
        assert "Traceback" not in answer


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    answer, code = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines=b"\xff\xfe\n\x00\n7\n8\n")
    assert code == 0
    assert "You win!" in answer
    assert "Traceback" not in answer


def test_a_game_is_kept_and_gone_on_with(tmp_path: Path) -> None:
    answer, _ = play(tmp_path, "1 2 3/4 5 6/0 7 8", lines="L\nx\n")
    assert "the game is kept: taquin play --resume" in answer
    answer, _ = play(tmp_path, "--resume", lines="L\n")
    assert "1 move made" in answer
    assert "You win! Solved with 2 moves" in answer
    answer, _ = play(tmp_path, "--resume", "--seed", "1", lines="")
    assert "note: no game was left: this is a new one" in answer


def test_a_killed_game_is_gone_on_with(tmp_path: Path) -> None:
    with subprocess.Popen(
        [TAQUIN, "play", "1 2 3/4 5 6/0 7 8"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(tmp_path),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"R\n\nD\nL\n")
        process.stdin.flush()
        while b"2 moves made" not in process.stdout.readline():
            pass
        process.kill()
    answer, _ = play(tmp_path, "--resume", lines="u\nu\nL\nL\n")
    assert "2 moves made" in answer
    assert "You win! Solved with 2 moves" in answer


def test_ctrl_c_leaves_and_keeps_the_game(tmp_path: Path) -> None:
    with subprocess.Popen(
        [TAQUIN, "play", "1 2 3/4 5 6/0 7 8"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment(tmp_path),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"L\n")
        process.stdin.flush()
        while b"1 move made" not in process.stdout.readline():
            pass
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().decode()
        assert process.wait(30) == 130
    assert "interrupted: the game is kept" in rest
    assert "Traceback" not in rest
    answer, _ = play(tmp_path, "--resume", lines="L\n")
    assert "You win!" in answer


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["1 2 3/4 5 6/8 7 0"], "With 7 and 8 exchanged it is the goal"),
        (["1 8 2/0 4 5/3 7 6"], "exchange 2 and 3: 1 8 3/0 4 5/2 7 6"),
        (["1 2 3/4 5 6/7 8 0"], "the goal already"),
        (["1x5"], "1×5 can't be played"),
        (["51x51"], "51×51 can't be played"),
        (["1 2 3/4 5 5/7 8 0"], "tile 5 appears twice"),
        (["4x4", "--goal", "snale"], "did you mean 'snail'"),
        (["4x4", "--resume"], "no board, no goal"),
    ],
)
def test_bad_arguments(tmp_path: Path, arguments: list[str], words: str) -> None:
    answer, code = play(tmp_path, *arguments)
    assert code == 2
    assert words in answer
    assert answer.count("\n") == 1


def test_boards_and_sizes_as_arguments(tmp_path: Path) -> None:
    for arguments, size in ((["1032"], "2×2"), (["3"], "3×3"), (["2x10"], "2×10"), ([], "4×4")):
        assert play(tmp_path, *arguments)[0].startswith(size)
    answer, _ = play(tmp_path, "1", "2", "3", "/", "8", "4", "0", "/", "7", "6", "5", "--goal",
                     "snail", lines="R\n")  # fmt: skip
    assert "You win!" in answer


def test_a_home_that_cant_be_used_is_told_of_once(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("no directory")
    answer, code = play(home, "1 2 3/4 5 6/0 7 8", lines="L\nL\n")
    assert code == 0
    assert answer.count("can't be kept") == 1
    assert "You win!" in answer


def test_plain_mode_loads_no_screen(tmp_path: Path) -> None:
    code = (
        "import sys; from taquin.cli import cli\n"
        "cli.main(['play', '3x3', '--plain'], standalone_mode=False)\n"
        "assert not any(name.split('.')[0] == 'textual' for name in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"x\n",
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


# --- whatever is typed --------------------------------------------------------------------------

words = st.sampled_from(
    ["U", "D", "L", "R", "u", "r", "b", "s", "p", "7", "8 7", "99", "o", "o rows 3", "n 2x2", "?",
     "u 3", "R2U", "up", "0", "1 2/0 3", "e", "y", "x y", "-1", "é", "🙂", "1e9", "o x y", "n -1"]
)  # fmt: skip


@given(st.lists(words | st.text(max_size=8), max_size=12))
def test_every_line_is_answered_in_words(lines: list[str]) -> None:
    out = io.StringIO()
    text = "\n".join(line.replace("\n", " ").replace("\r", " ") for line in lines)
    with Session(seed=1) as session:
        session.begin(Board("1 2 3/4 0 5/7 8 6"), goals.blank_last(3, 3))
        game = Plain(session, io.StringIO(text + "\n"), out)
        game.play()
        session.game.board.slide(session.game.undone)
    assert out.getvalue().endswith("\n")
