"""`taquin tables`, run as a user runs it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from toy_table import Squares

from taquin import _native, store
from taquin.goals import blank_last
from taquin.tables import recipes

TAQUIN = [str(Path(sys.executable).with_name("taquin")), "tables"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


def run(*args: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([*TAQUIN, *args], capture_output=True, text=True, timeout=300)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def files() -> list[str]:
    return sorted(path.name for path in store.directory().glob("*"))


def damage(name: str) -> None:
    path = store.directory() / f"{name}.table"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


# --- looking after what is there --------------------------------------------------------------


def test_path_is_below_home(tmp_path: Path) -> None:
    assert run("path").stdout == f"{tmp_path}/tables\n"


def test_verify_tells_sound_from_damaged() -> None:
    for count in (100, 200):
        store.obtain(Squares(count))
    assert run("verify").stdout == "squares-100: sound\nsquares-200: sound\n"
    damage("squares-200")
    out = run("verify", code=1).stdout
    assert out == "squares-100: sound\nsquares-200: damaged, its checksum is wrong\n"
    assert run("verify", "squares-100").stdout == "squares-100: sound\n"
    run(code=0)
    assert "damaged, its checksum is wrong" in run("--check", code=1).stdout
    assert "damaged, its checksum is wrong" in run("--check", "--json", code=1).stdout


def test_remove_some_or_all() -> None:
    for count in (100, 200, 300):
        store.obtain(Squares(count))
    damage("squares-300")
    assert run("remove", "squares-200").stdout == "squares-200: 4.3 kB freed\n"
    assert files() == ["squares-100.table", "squares-300.table"]
    run("remove", "--all")
    assert files() == []


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["remove"], "give names, or --all"),
        (["remove", "squares-1", "--all"], "give names, or --all"),
        (["remove", "squares-1"], "unknown table 'squares-1'"),
        (["verify", "../x"], "unknown table '../x'"),
        (["build", "3x3"], "no default tables for 3×3 boards: there are none"),
        (["build", "3x5", "large"], "no large tables for 3×5 boards: there is default"),
        (["build", "4x4", "exact"], "boards of 11 and 12 cells, not 4×4"),
        (["build", "4x4", "huge"], "unknown set 'huge'"),
        (["build", "4x4", "--goal", "1 2 / 3 0"], "the goal is 2×2"),
        (["build", "4x4", "--threads", "99999"], "threads must be 1 to 256, not 99999"),
    ],
    ids=str,
)
def test_misuse_is_one_line(args: list[str], message: str) -> None:
    done = run(*args, code=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_remove_all_goes_on_after_what_can_not_be_removed() -> None:
    for count in (100, 300):
        store.obtain(Squares(count))
    for name in ("squares-200", "squares-250\n"):
        (store.directory() / f"{name}.table").mkdir()
    done = run("remove", "--all", code=2)
    assert done.stdout == "squares-100: 4.2 kB freed\nsquares-300: 4.4 kB freed\n"
    told = [line.rpartition(": ")[0] for line in done.stderr.splitlines()]
    kept = ["squares-200.table", r"squares-250\n.table"]
    assert told == [f"taquin: {store.directory()}/{name}" for name in kept]
    assert files() == ["squares-200.table", "squares-250\n.table"]


def test_pipes_let_no_one_wait() -> None:
    store.obtain(Squares(100))
    pipe = store.directory() / "fifo.table"
    os.mkfifo(pipe)
    assert "not a regular file" in run().stdout
    out = run("verify", code=1).stdout
    assert out == "fifo: not a regular file\nsquares-100: sound\n"
    assert run("remove", "fifo").stdout == "fifo: 0 B freed\n"
    assert files() == ["squares-100.table"]


def test_a_solve_does_not_wait_for_a_pipe() -> None:
    pipe = store.path_of(recipes(blank_last(3, 4), "default")[0])
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    solve = [TAQUIN[0], "solve", "8 11 4 0/5 6 10 3/1 7 9 2", "--tables", "default"]
    assert subprocess.run(solve, capture_output=True, timeout=60).returncode == 0
    assert pipe.is_file()


def forge(name: str, identity: dict[str, object]) -> None:
    """A file that is whole, but for what its header says."""
    header = store.Header(name, identity, 0, _native.checksum(b""), "1.0", {})
    store.directory().mkdir(exist_ok=True)
    (store.directory() / f"{name}.table").write_bytes(store._pack(header))


@pytest.mark.parametrize(
    "identity",
    [{"rows": 4}, {"rows": "x", "cols": 4}, {"rows": 0, "cols": 4}, {"rows": 3000, "cols": 3000}],
    ids=str,
)
def test_an_odd_identity_is_a_problem_of_its_file_only(identity: dict[str, object]) -> None:
    store.obtain(Squares(100))
    sides = f"{identity['rows']}x{identity.get('cols')}"
    forge(f"odd-{sides}", identity)
    for check, other, code in (([], "not checked", 0), (["--check"], "sound", 1)):
        odd, sound = run(*check, code=code).stdout.splitlines()[1:3]
        assert odd.startswith(f"odd-{sides}  ")
        assert odd.endswith("  holds another table than its name says")
        assert sound.endswith(other)
    tables = json.loads(run("--json").stdout)["tables"]
    assert [table["problem"] is None for table in tables] == [False, True]


def test_names_are_printed_without_what_a_terminal_obeys() -> None:
    forge("a\x1b[2J\nb", {})
    shown = r"a\x1b[2J\nb"
    assert run().stdout.splitlines()[1].startswith(f"{shown}  4.1 kB ")
    assert run("verify").stdout == f"{shown}: sound\n"
    assert (
        run("verify", "zzz", code=2).stderr == f"taquin: unknown table 'zzz': known are {shown}\n"
    )
    assert run("remove", "a\x1b[2J\nb").stdout == f"{shown}: 4.1 kB freed\n"


# --- building ---------------------------------------------------------------------------------


def test_list_build_list_remove() -> None:
    out = run().stdout
    assert out.startswith("0 tables, 0 B, in ")
    assert "4x4 default" in out
    built = run("build", "3x4")
    assert built.stdout.startswith("3×4 default: 4 tables to build, ")
    assert "about 1 s with" in built.stdout
    assert built.stdout.endswith("4 tables ready\n")
    assert built.stderr.count(" s\n") == 4
    again = run("build", "4x3", "default", "--goal", "column-major")
    assert "all " in again.stdout
    assert again.stderr == ""
    assert run("verify").stdout.count(": sound\n") == 4
    listed = run().stdout
    assert listed.startswith("4 tables, ")
    assert listed.count("default  not checked") == 4
    assert run("--check").stdout.count("default  sound") == 4
    data = json.loads(run("--json").stdout)
    assert data["directory"] == str(store.directory())
    assert {table["kind"] for table in data["tables"]} == {"pattern"}
    assert all(table["sets"] == ["default"] and not table["checked"] for table in data["tables"])
    sets = {(s["rows"], s["cols"], s["set"]): s for s in data["sets"]}
    assert sets[3, 4, "default"]["missing"] == []
    assert sets[4, 4, "default"]["missing"] == sets[4, 4, "default"]["tables"] != []
    run("remove", "3x4")
    assert files() == []


def test_a_damaged_table_is_built_anew() -> None:
    run("build", "3x4")
    name = store.entries()[0].name
    damage(name)
    built = run("build", "3x4")
    assert f"{name}.table: damaged, its checksum is wrong; it is built anew" in built.stderr
    assert run("verify").stdout.count("sound") == 4


def test_two_commands_at_once_build_once() -> None:
    both = [
        subprocess.Popen([*TAQUIN, "build", "3x5"], stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = "".join(process.communicate()[1] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert len(store.entries()) == 5
    assert len(files()) == 5
    assert 5 <= said.count(" s\n") <= 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill"])
def test_an_interrupted_build_goes_on(number: int) -> None:
    run("build", "3x4")
    build = subprocess.Popen(
        [*TAQUIN, "build", "4x5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    give_up = time.monotonic() + 60
    # The first three tables are of 1, 2 and 5 tiles, which takes no time.
    large = "pattern-4x5-*-*-*-*-*-*-blank-*.part"
    while not any(store.directory().glob(large)) and time.monotonic() < give_up:
        time.sleep(0.01)
    build.send_signal(number)
    _, error = build.communicate(timeout=60)
    if number == signal.SIGINT:
        assert build.returncode == 130
        last = error.splitlines()[-1]
        kept = "3 of 7 tables on disk"
        assert last == f"interrupted: {kept}; the same command goes on from there"
        assert not [name for name in files() if not name.endswith(".table")]
    else:
        assert build.returncode == -number
        assert len(files()) == 9
        run("build", "3x5")
        assert all(name.endswith(".table") for name in files())
    assert run("verify", "3x4").stdout.count("sound") == 4


def test_a_full_disk_is_one_line_and_leaves_nothing() -> None:
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 64; {' '.join(TAQUIN)} build 3x5"],
        capture_output=True, text=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 2
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"taquin: {store.directory()}")
    assert last.endswith(".table: File too large")
    assert "Traceback" not in done.stderr
    assert all(name.endswith(".table") for name in files())
    assert run("verify").stdout.count(": sound\n") == len(files()) < 3
