"""The real program in a pseudo-terminal, from the first key to a solved board."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest

TAQUIN = str(Path(sys.executable).parent / "taquin")
LEFT = "\x1b[D"
PATIENCE = 60
"""Seconds after which something that must come is taken to be missing."""


class Terminal:
    """A program and the screen it draws."""

    def __init__(
        self, handle: int, process: subprocess.Popen[bytes], size: tuple[int, int]
    ) -> None:
        self.handle = handle
        self.process = process
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)

    def type(self, keys: str) -> None:
        os.write(self.handle, keys.encode())

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def await_text(self, words: str) -> None:
        """Read what is drawn until these words are on the screen."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.text():
            assert time.monotonic() < deadline, f"no '{words}' on\n{self.text()}"
            self._read(0.1)

    def await_end(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it does not end:\n{self.text()}"
            self._read(0.05)
        self._read(0.05)
        return self.process.wait()

    def resize(self, width: int, height: int) -> None:
        self.screen.resize(height, width)
        _set_size(self.handle, width, height)
        self.process.send_signal(signal.SIGWINCH)

    def _read(self, seconds: float) -> None:
        if select.select([self.handle], [], [], seconds)[0]:
            try:
                self._stream.feed(os.read(self.handle, 65536))
            except OSError:
                # Nobody has the other end any more.
                time.sleep(seconds)


def _set_size(handle: int, width: int, height: int) -> None:
    fcntl.ioctl(handle, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))


def _take_terminal() -> None:
    """Only from its own terminal does a program hear of Ctrl-C."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@contextmanager
def terminal(
    home: Path, *arguments: str, size: tuple[int, int] = (80, 24), **extra: str
) -> Iterator[Terminal]:
    """`taquin play` in a terminal of its own."""
    ours, theirs = pty.openpty()
    _set_size(theirs, *size)
    environment = {**os.environ, "TAQUIN_HOME": str(home), "TERM": "xterm-256color", **extra}
    environment.pop("COLUMNS", None)
    environment.pop("LINES", None)
    with subprocess.Popen(
        [TAQUIN, "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
        preexec_fn=_take_terminal,
    ) as process:
        os.close(theirs)
        try:
            yield Terminal(ours, process, size)
        finally:
            process.kill()
            os.close(ours)


BOARD = "1 2 3/4 5 6/0 7 8"


def test_from_the_first_key_to_a_solved_board(tmp_path: Path) -> None:
    with terminal(tmp_path, BOARD) as game:
        game.await_text("3×3 · blank-last")
        game.await_text("q quit")
        game.type("h")
        game.await_text("slide 7 ←")
        game.type(LEFT)
        game.await_text("Moves                  1")
        game.type("4")
        game.await_text("tile 4 can't slide")
        game.type("u")
        game.await_text("Moves                  0")
        game.type("8")
        game.await_text("S O L V E D")
        game.await_text("as short as can be!")
        game.await_text("No move was lost.")
        game.type("q")
        assert game.await_end() == 0
    assert count_records(tmp_path) == 1


def test_it_is_drawn_in_a_small_terminal_and_follows_its_size(tmp_path: Path) -> None:
    with terminal(tmp_path, "10x10", "--seed", "1", size=(40, 15)) as game:
        game.await_text("at least")
        game.resize(30, 10)
        game.await_text("A 10×10 board needs 40 columns")
        game.resize(120, 40)
        game.await_text("10×10 · blank-last")
        game.type("\x03")
        assert game.await_end() == 0


def test_ctrl_c_keeps_the_game(tmp_path: Path) -> None:
    with terminal(tmp_path, BOARD) as game:
        game.await_text("q quit")
        game.type(LEFT)
        game.await_text("Moves                  1")
        game.type("\x03")
        assert game.await_end() == 0
        game.await_text("the game is kept: taquin play --resume")
    with terminal(tmp_path, "--resume") as game:
        game.await_text("Moves                  1")
        game.type(LEFT)
        game.await_text("S O L V E D")
        game.type("q")
        assert game.await_end() == 0


def test_a_killed_game_goes_on(tmp_path: Path) -> None:
    with terminal(tmp_path, BOARD) as game:
        game.await_text("q quit")
        game.type(LEFT + "dw" + LEFT)
        game.await_text("Moves                  3")
        wait_until_kept(tmp_path, 3)
        game.process.kill()
        game.process.wait()
    with terminal(tmp_path, "--resume") as game:
        game.await_text("Moves                  3")
        game.type("uuu")
        game.await_text("Moves                  0")
        game.type("q")
        assert game.await_end() == 0


def test_colours_are_left_out_if_wanted(tmp_path: Path) -> None:
    with terminal(tmp_path, BOARD, NO_COLOR="1") as game:
        game.await_text("q quit")
        colours = {
            color
            for row in game.screen.buffer.values()
            for cell in row.values()
            for color in (cell.fg, cell.bg)
        }
        assert colours == {"default"}
        assert "┏" in game.text()
        game.type("q")
        assert game.await_end() == 0


def test_a_terminal_that_cant_be_drawn_on_gets_lines(tmp_path: Path) -> None:
    with terminal(tmp_path, BOARD, TERM="dumb") as game:
        game.await_text("tile or direction?")
        game.type("8\n")
        game.await_text("You win!")
        game.type("\x04")
        assert game.await_end() == 0


@pytest.mark.parametrize("arguments", [["--plain"], []])
def test_lines_typed_at_a_terminal(tmp_path: Path, arguments: list[str]) -> None:
    extra = {} if arguments else {"TERM": "dumb"}
    with terminal(tmp_path, BOARD, *arguments, **extra) as game:
        game.await_text("tile or direction? ")
        game.type("7\n")
        game.await_text("1 move made")
        game.type("\x03")
        assert game.await_end() == 130
        game.await_text("interrupted: the game is kept")


# --- what is kept -------------------------------------------------------------------------------


def count_records(home: Path) -> int:
    from taquin.records import Records

    with Records(home / "records.db") as records:
        return len(records.all())


def wait_until_kept(home: Path, moves: int) -> None:
    """The screen may show a move a moment before it is on disk: at most that one is lost."""
    import sqlite3

    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with sqlite3.connect(f"file:{home / 'records.db'}?mode=ro", uri=True) as connection:
            rows = connection.execute("SELECT json_extract(game, '$.moves') FROM playing")
            if any(len(kept) == moves for (kept,) in rows):
                return
        time.sleep(0.02)
    raise AssertionError("the game is not kept")
