"""`taquin replay` and the option --export, run as a user runs them."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import resource
import select
import struct
import subprocess
import sys
import termios
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from taquin import Board
from taquin.replay import Replay

TAQUIN = str(Path(sys.executable).with_name("taquin"))
GAME = "1 2 3/4 5 6/0 7 8;L2;0,480"
LONG = "1 2 3/4 5 6/0 7 8;L2;0,900000"
FARTHEST = "8 6 7 / 2 5 4 / 3 0 1"


def run(*args: str, code: int = 0, **options: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([TAQUIN, *args], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


class Terminal:
    """The command in a pseudo-terminal; keys are typed when something has been seen."""

    def __init__(
        self, *args: str, rows: int = 40, cols: int = 100, stdin: Path | None = None, **env: str
    ) -> None:
        self._screen, inside = pty.openpty()
        source = inside if stdin is None else os.open(stdin, os.O_RDONLY)
        fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        unset = {"NO_COLOR": "", "COLUMNS": "", "LINES": ""}
        self._child = subprocess.Popen(
            [TAQUIN, *args],
            stdin=source,
            stdout=inside,
            stderr=inside,
            env={**os.environ, **unset, "TERM": "xterm-256color", **env},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0),
        )
        for handle in {inside, source}:
            os.close(handle)
        self.shown = ""

    def _read(self) -> bool:
        """More of what is shown; False at its end."""
        assert select.select([self._screen], [], [], 60)[0], f"nothing more after {self.shown!r}"
        try:
            data = os.read(self._screen, 1 << 16)
        except OSError:
            data = b""
        self.shown += data.decode(errors="replace")
        return bool(data)

    def expect(self, text: str) -> None:
        """Wait for a text; what is before it is done with."""
        while text not in self.shown:
            assert self._read(), f"{text!r} is not in {self.shown!r}"
        self.shown = self.shown.partition(text)[2]

    def type(self, keys: str) -> None:
        os.write(self._screen, keys.encode())

    def finish(self) -> tuple[str, int]:
        """What is left to be seen, and the exit code."""
        while self._read():
            pass
        os.close(self._screen)
        return self.shown, self._child.wait(60)


# --- replay in a pipe ---------------------------------------------------------------------------


def boards_in(text: str) -> list[Board]:
    return [Board.parse(drawn) for drawn in re.findall(r"┌.*?┘", text, re.DOTALL)]


def test_in_a_pipe_every_board_is_printed_with_its_time() -> None:
    out = run("replay", GAME).stdout
    assert boards_in(out) == list(Replay.parse(GAME).boards())
    captions = [line for line in out.splitlines() if "/" in line]
    assert captions == ["0 / 2 · 0.00 s", "1 / 2 · 0.00 s", "2 / 2 · 0.48 s"]
    assert out.splitlines()[-1] == "solved: 2 moves, 0.48 s"


def test_moves_at_the_same_instant_are_all_printed() -> None:
    out = run("replay", "0 1 2/3 4 5;L2;0,0", "--goal", "blank-first").stdout
    assert len(boards_in(out)) == 3
    assert out.splitlines()[-1] == "not solved: 2 moves, 0.00 s"


def test_a_game_comes_as_text_json_or_file_and_from_standard_input(tmp_path: Path) -> None:
    data = json.dumps(Replay.parse(GAME).to_dict())
    texts, objects = tmp_path / "game.txt", tmp_path / "game.json"
    texts.write_text(GAME + "\n")
    objects.write_text(data)
    wanted = run("replay", GAME).stdout
    for argument in (data, str(texts), str(objects), Replay.parse(GAME).link()):
        assert run("replay", argument).stdout == wanted
    assert run("replay", "-", input=data).stdout == wanted
    assert run("replay", *GAME.split()).stdout == wanted


def test_a_game_without_times_or_moves() -> None:
    assert run("replay", "1 2/0 3;L").stdout.splitlines()[-1] == "solved: 1 move"
    out = run("replay", "1 2/0 3;").stdout
    assert boards_in(out) == [Board("1 2/0 3")]
    assert out.splitlines()[-1] == "not solved: 0 moves"


BAD = [
    ([""], "replay"),
    (["  "], "replay"),
    (["1 2 3/4 5 6/0 7 8"], "replay"),
    (["1 2 3/4 5 6/0 7 8;U"], "move 1 (U) can't be made"),
    (["1 2 3/4 5 6/0 7 8;LX"], "X"),
    (["1 2 3/4 5 6/0 7 8;L2;0"], "1 time for 2 moves"),
    (["1 2 3/4 5 6/0 7 8;L2;9,0"], "time 1"),
    (['{"board": "1 2/0 3", "moves": "L"'], "not JSON"),
    (['{"board": "1 2/0 3"}'], "'moves' is missing"),
    (["/nowhere/game.txt"], "there is no file '/nowhere/game.txt'"),
    ([GAME, "--speed", "0"], "--speed"),
    ([GAME, "--speed", "nan"], "speed"),
    ([GAME, "--max-pause", "-1"], "--max-pause"),
    ([GAME, "--export", "film.mp4"], "'film.mp4' must end in .svg, .png, .gif or .cast"),
    ([GAME, "--export", "/nowhere/at/all.gif"], "/nowhere/at/all.gif"),
    ([GAME, "--export", "film.gif", "--scheme", "pink"], "pink"),
    ([GAME, "--goal", "snial"], "did you mean 'snail'?"),
    ([], "GAME"),
]


@pytest.mark.parametrize(("args", "culprit"), BAD, ids=lambda value: str(value)[:40])
def test_bad_input_is_2_and_one_line_that_names_the_culprit(
    args: list[str], culprit: str, tmp_path: Path
) -> None:
    done = run("replay", *args, code=2, cwd=tmp_path)
    assert done.stdout == ""
    assert done.stderr.startswith("taquin: ")
    assert done.stderr.count("\n") == 1
    assert culprit in done.stderr
    assert list(tmp_path.iterdir()) == []


# --- replay in a terminal -----------------------------------------------------------------------


def test_a_terminal_shows_one_board_in_place_of_the_other() -> None:
    shown, code = Terminal("replay", GAME, "--speed", "4").finish()
    assert code == 0
    assert shown.index("0 / 2") < shown.index("1 / 2") < shown.index("2 / 2")
    assert shown.count("\x1b[1A") >= 2 * 7, "the cursor goes back up"
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is back"
    assert "solved: 2 moves, 0.48 s" in shown


def test_ctrl_c_leaves_cleanly() -> None:
    terminal = Terminal("replay", LONG)
    terminal.expect("1 / 2")
    terminal.type("\x03")
    shown, code = terminal.finish()
    assert code == 130
    assert "\x1b[?25h" in shown
    assert "Traceback" not in shown


def test_long_pauses_can_be_cut() -> None:
    shown, code = Terminal("replay", LONG, "--max-pause", "0.1").finish()
    assert code == 0
    assert "2 / 2 · 15:00.00" in shown


def test_step_by_step() -> None:
    terminal = Terminal("replay", LONG, "--step")
    for caption, key in [
        ("0 / 2", " "),
        ("1 / 2", "\r"),
        ("2 / 2", "b"),
        ("1 / 2", "\x1b[D"),
        ("0 / 2", "\x1b[C"),
        ("1 / 2", "q"),
    ]:
        terminal.expect(caption)
        terminal.expect("leave")
        terminal.type(key)
    shown, code = terminal.finish()
    assert code == 0
    assert "solved: 2 moves" in shown


def test_steps_of_a_game_from_a_pipe_and_keys_in_a_hurry(tmp_path: Path) -> None:
    (tmp_path / "game").write_text(LONG)
    terminal = Terminal("replay", "-", "--step", stdin=tmp_path / "game")
    terminal.expect("leave")
    terminal.type("  b\x1b[D  ")
    for caption in ("1 / 2", "2 / 2", "1 / 2", "0 / 2", "1 / 2", "2 / 2"):
        terminal.expect(caption)
    terminal.type(" ")
    assert terminal.finish()[1] == 0


def test_steps_can_be_interrupted() -> None:
    terminal = Terminal("replay", LONG, "--step")
    terminal.expect("leave")
    terminal.type("\x03")
    shown, code = terminal.finish()
    assert code == 130
    assert "\x1b[?25h" in shown


@pytest.mark.parametrize("settings", [{"TERM": "dumb"}, {"rows": 8}, {"cols": 12}])
def test_where_a_board_does_not_fit_all_are_printed(settings: dict[str, object]) -> None:
    shown, code = Terminal("replay", LONG, **settings).finish()
    assert code == 0
    assert "\x1b[1A" not in shown
    assert shown.count("┌") == 3


# --- export -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args", [["show", FARTHEST], ["solve", FARTHEST], ["replay", GAME]], ids=lambda args: args[0]
)
def test_a_file_is_written_in_the_kind_of_its_name(args: list[str], tmp_path: Path) -> None:
    for name in ("a.svg", "a.png", "a.gif", "a.cast", "B.SVG"):
        run(*args, "--export", name, "--scheme", "fringe", "--dark", cwd=tmp_path)
    for name in ("a.svg", "B.SVG"):
        root = ElementTree.parse(tmp_path / name).getroot()
        assert (args[0] == "show") == ("animate" not in (tmp_path / name).read_text())
        assert root.tag.endswith("svg")
    for name in ("a.png", "a.gif"):
        with Image.open(tmp_path / name) as image:
            assert image.format == name[2:].upper()
    header = json.loads((tmp_path / "a.cast").read_text(encoding="utf-8").splitlines()[0])
    assert header["version"] == 2
    assert len(list(tmp_path.iterdir())) == 5


def test_an_export_is_as_fast_as_asked(tmp_path: Path) -> None:
    def seconds(*args: str) -> float:
        run(*args, "--export", "a.cast", cwd=tmp_path)
        lines = (tmp_path / "a.cast").read_text(encoding="utf-8").splitlines()
        return json.loads(lines[-2])[0] - json.loads(lines[2])[0]

    assert seconds("solve", FARTHEST) == pytest.approx(30 * 0.4, abs=0.01)
    assert seconds("solve", FARTHEST, "--speed", "2") == pytest.approx(30 * 0.2, abs=0.01)
    assert seconds("replay", GAME) == pytest.approx(0.48, abs=0.01)
    assert seconds("replay", LONG, "--speed", "10") == pytest.approx(90, abs=0.01)
    assert seconds("replay", LONG, "--max-pause", "1.5") == pytest.approx(1.5, abs=0.01)


def test_a_solution_is_printed_even_if_it_can_not_be_exported(tmp_path: Path) -> None:
    done = run("solve", FARTHEST, "--export", str(tmp_path / "no" / "a.gif"), code=2)
    assert done.stdout.startswith("solved: 31 moves")
    assert "a.gif" in done.stderr


def test_where_there_is_no_solution_there_is_no_film(tmp_path: Path) -> None:
    done = run("solve", "1 2 3/4 5 6/8 7 0", "--export", "a.gif", code=1, cwd=tmp_path)
    assert "no solution to write to a.gif" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_export_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    def little_room() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    for name in ("a.svg", "a.png", "a.gif", "a.cast"):
        (tmp_path / name).write_text("old")
        done = run("solve", FARTHEST, "--export", name, code=2, cwd=tmp_path,
                   preexec_fn=little_room)  # fmt: skip
        assert name in done.stderr
        assert (tmp_path / name).read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 4


def test_without_pillow_svg_and_cast_are_left(tmp_path: Path) -> None:
    script = "import sys; sys.modules['PIL'] = None; from taquin.cli import main; main()"

    def run_without(name: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", script, "solve", FARTHEST, "--export", name]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120)

    for name in ("a.svg", "a.cast"):
        assert run_without(name).returncode == 0
    for name in ("a.png", "a.gif"):
        done = run_without(name)
        assert (done.returncode, done.stdout) == (2, ""), "nothing is solved in vain"
        assert done.stderr == "taquin: this needs Pillow: pip install 'taquin[picture]'\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.cast", "a.svg"]
