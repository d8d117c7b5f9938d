"""How soon a key is answered in the terminal game, with and without a search in the background.

    python benchmarks/key_latency.py [KEYS]

The game runs in a pseudo-terminal and a model of the screen is fed with what it writes. A key is
answered when the board on that screen has changed: other output, such as the clock, does not count.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pyte

from taquin import store

KEYS = 100
ALLOWED_MS = 50.0

_ROWS, _COLS = 30, 100
_PANEL = 28
_ARROWS = (b"\x1b[A", b"\x1b[D", b"\x1b[B", b"\x1b[C")
_BETWEEN = 0.25
"""Seconds from one key to the next."""
_PATIENCE = 0.5
"""Seconds after which a key is taken to have moved nothing, such as one against the edge."""


class Terminal:
    """The game as someone sees it who sits before it."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.screen = pyte.Screen(_COLS, _ROWS)
        self._stream = pyte.ByteStream(self.screen)

    def look(self, seconds: float) -> None:
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._read(left)

    def text(self) -> str:
        return "\n".join(self.screen.display)

    def board(self) -> tuple[str, ...]:
        return tuple(line[: _COLS - _PANEL] for line in self.screen.display[: _ROWS - 3])

    def answer(self, key: bytes) -> float | None:
        """Milliseconds until the board has changed; None if it does not."""
        before, pressed = self.board(), time.perf_counter()
        os.write(self.fd, key)
        while (left := pressed + _PATIENCE - time.perf_counter()) > 0:
            arrived = self._read(left)
            if arrived is not None and self.board() != before:
                return 1000 * (arrived - pressed)
        return None

    def _read(self, seconds: float) -> float | None:
        """When something arrived; what this model then makes of it takes time of its own."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return None
        data, arrived = os.read(self.fd, 1 << 16), time.perf_counter()
        self._stream.feed(data)
        return arrived


@contextmanager
def game(shape: str, home: Path):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", TAQUIN_HOME=str(home))
        os.execv(sys.executable, [sys.executable, "-m", "taquin", "play", shape, "--seed", "5"])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLS, 0, 0))
    try:
        yield Terminal(fd)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(fd)


def latencies(shape: str, home: Path, keys: int) -> tuple[list[float], int]:
    """How soon each key was answered, and at how many of them a search was going on."""
    found, thinking = [], 0
    with game(shape, home) as terminal:
        terminal.look(5.0)
        for number in range(keys):
            terminal.look(_BETWEEN)
            is_thinking = "thinking" in terminal.text()
            answered = terminal.answer(_ARROWS[number % len(_ARROWS)])
            if answered is not None:
                found.append(answered)
                thinking += is_thinking
    return sorted(found), thinking


def main(keys: int = KEYS) -> None:
    with TemporaryDirectory() as name:
        home = Path(name)
        (home / "tables").symlink_to(store.directory())
        for shape in ("3x3", "5x5"):
            found, thinking = latencies(shape, home, keys)
            count = len(found)
            late = sum(answered > ALLOWED_MS for answered in found)
            print(
                f"{shape}: {count} of {keys} keys slid a tile, {thinking} of them during a search:"
                f" median {found[count // 2]:.0f} ms, 90 % within {found[count * 9 // 10]:.0f} ms,"
                f" all within {found[-1]:.0f} ms; {late} took more than {ALLOWED_MS:.0f} ms"
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
