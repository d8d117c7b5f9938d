"""`taquin records`, run as a user runs it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from record_samples import sample

from taquin.records import Record, Records
from taquin.replay import Replay

TAQUIN = [str(Path(sys.executable).with_name("taquin")), "records"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return tmp_path


def run(*args: str, code: int = 0, given: str | None = None) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TAQUIN, *args], capture_output=True, text=True, timeout=120, input=given
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def keep(*games: Record) -> None:
    with Records() as records:
        for game in games:
            records.add(game)


def some_games() -> list[Record]:
    return [
        *(sample(number) for number in range(6)),
        sample(6, hints=2),
        sample(7, given_up=True),
        *(sample(number, size=(4, 4), moves=120) for number in range(8, 12)),
        sample(12, goal="snail", moves=20, optimum=20),
    ]


# --- the summary ----------------------------------------------------------------------------------


def test_empty_records_say_how_to_begin() -> None:
    done = run()
    assert done.stdout.startswith("no games yet: taquin play")
    assert done.stderr == ""
    assert run("--size", "4x4").stdout == "no such games\n"
    assert run("export").stdout == ""


def test_the_summary_has_a_line_for_each_size_and_fits() -> None:
    keep(*some_games())
    out = run().stdout
    assert "\x1b" not in out
    assert max(map(len, out.splitlines())) <= 80
    lines = out.splitlines()
    assert lines[0] == "13 games, bests of each size"
    assert [line.split()[:2] for line in lines[2:5]] == [
        ["3×3", "7/8"],
        ["3×3", "snail"],
        ["4×4", "4/4"],
    ]
    assert "the last 10 games" in lines
    assert "2026-05-01 12:12" in lines[8]
    assert lines[8].endswith("best")
    assert " 20    +0 " in lines[8]
    assert "given up" in out
    assert "2 hints" in out


def test_one_size_is_told_at_length() -> None:
    games = [sample(number, optimum=10 if number else 20) for number in range(13)]
    keep(*games)
    lines = run("--size", "3x3", "--last", "1").stdout.splitlines()
    assert lines[0] == "3×3: 13 games, 13 solved"
    assert lines[1].split() == ["single", "mo3", "ao5", "ao12", "mean"]
    single = min(game.seconds for game in games)
    assert lines[2].split()[:3] == ["time", "best", f"{single:.3f}"]
    assert lines[3].split()[:2] == ["current", f"{games[-1].seconds:.3f}"]
    assert lines[4].split()[:3] == ["moves", "best", "20"]
    assert "9.2 moves above the optimum on average, 8% solved in the optimum" in lines[7]
    assert lines[8].startswith("trend ")
    assert lines[10] == "the last game"
    assert games[-1].id[:8] in lines[12]


def test_output_that_knows_no_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(*some_games())
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    assert "trend" not in run().stdout
    assert "trend" not in run("--size", "3x3", "--goal", "blank-last").stdout


def test_games_with_hints_count_on_request() -> None:
    keep(sample(1), sample(2, moves=2, hints=1))
    assert run("--size", "3").stdout.splitlines()[2].split()[2] == f"{sample(1).seconds:.3f}"
    with_hints = run("--size", "3", "--hints").stdout.splitlines()
    assert with_hints[2].split()[2] == f"{sample(2, moves=2, hints=1).seconds:.3f}"


def test_json_has_all_figures() -> None:
    keep(*some_games())
    data = json.loads(run("--json", "--last", "2").stdout)
    assert data["file"].endswith("records.db")
    assert [(s["size"], s["goal"], s["counted"]) for s in data["series"]] == [
        ("3x3", "blank-last", 7),
        ("3x3", "snail", 1),
        ("4x4", "blank-last", 4),
    ]
    with Records() as records:
        assert data["series"] == [series.to_dict() for series in records.statistics()]
    assert [game["id"] for game in data["last"]] == [game.id for game in some_games()[-2:]]
    assert data["series"][0]["seconds"]["mo3"]["current"] == "DNF"
    assert json.loads(run("--json", "--last", "0").stdout)["last"] == []


def test_csv_has_a_line_for_each_game() -> None:
    keep(*some_games())
    rows = list(csv.DictReader(io.StringIO(run("--csv", "--size", "3x3").stdout)))
    assert [row["id"] for row in rows] == [g.id for g in some_games() if len(g.replay.goal) == 9]
    assert rows[2]["mo3"] == f"{round(sum(g.seconds for g in some_games()[:3]) / 3, 3)}"
    assert rows[7]["mo3"] == "DNF"
    assert (rows[6]["hints"], rows[6]["ao5"]) == ("2", "")


def test_plot_draws_and_tells_what_is_missing(tmp_path: Path) -> None:
    assert "no solved game to draw" in run("--plot", "a.png", code=2).stderr
    keep(*some_games())
    for name, beginning in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF")):
        run("--plot", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(beginning)
    assert "unknown kind of picture" in run("--plot", "a.xyz", code=2).stderr
    hidden = tmp_path / "matplotlib.py"
    hidden.write_text("raise ImportError")
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*TAQUIN, "--plot", "b.png"], capture_output=True, text=True, env=env)
    assert done.returncode == 2
    assert "pip install 'taquin[plot]'" in done.stderr


# --- single games ---------------------------------------------------------------------------------


def test_show_gives_the_replay() -> None:
    keep(*some_games())
    game = some_games()[-1]
    assert Replay.parse(run("show", game.id[:8]).stdout) == game.replay
    assert Record.from_dict(json.loads(run("show", game.id, "--json").stdout)) == game


def test_analyse_takes_the_id_of_a_record() -> None:
    keep(sample(1))
    done = subprocess.run([TAQUIN[0], "analyse", "last"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("solved: 20 moves in ")


def test_replay_takes_the_id_of_a_record() -> None:
    keep(sample(1))
    done = subprocess.run([TAQUIN[0], "replay", sample(1).id], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "20 / 20" in done.stdout


def test_delete_on_request() -> None:
    keep(*some_games())
    first, second = some_games()[:2]
    assert run("delete", first.id[:9], second.id).stdout.count(": deleted\n") == 2
    assert "there is no game" in run("show", first.id, code=2).stderr
    assert len(run("export").stdout.splitlines()) == 11


# --- export and import ----------------------------------------------------------------------------


def test_export_import_round_trip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(*some_games())
    file = tmp_path / "games.jsonl"
    assert run("export", str(file)).stderr == f"13 games in {file}\n"
    assert run("export").stdout == file.read_text(encoding="utf-8")
    assert len(run("export", "-", "--size", "4x4").stdout.splitlines()) == 4
    assert run("import", str(file)).stdout == "0 games added, 13 there already\n"
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "new"))
    assert run("import", str(file)).stdout == "13 games added, 0 there already\n"
    assert run("import", "-", given=file.read_text()).stdout.startswith("0 games added, 13")
    with Records() as records:
        assert records.all() == some_games()


def test_bad_lines_have_numbers_and_reasons() -> None:
    good = json.dumps(sample(1).to_dict())
    done = run("import", "-", given=f"{good}\n\nnonsense\n{good}\n{{}}\n", code=1)
    assert done.stdout == "1 game added, 1 there already, 2 bad lines\n"
    assert done.stderr == (
        "standard input, line 3: not JSON: Expecting value (column 1)\n"
        "standard input, line 5: 'board' is missing\n"
    )


def test_a_line_without_end_is_one_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text("x" * (40 << 20) + "\n" + json.dumps(sample(1).to_dict()) + "\n")
    done = run("import", str(file), code=1)
    assert done.stdout == "1 game added, 0 there already, 1 bad line\n"
    assert done.stderr == f"{file}, line 1: longer than 16,777,216 characters\n"


# --- the rest -------------------------------------------------------------------------------------


def test_optima_are_found() -> None:
    keep(sample(1), sample(2), sample(3, size=(5, 5)))
    assert run("optima", "--time", "60").stdout == "2 of 3 missing optima found\n"
    assert run("optima").stdout == "0 of 1 missing optima found\n"


def test_path_is_in_the_home(tmp_path: Path) -> None:
    assert run("path").stdout == f"{tmp_path}/records.db\n"
    assert not (tmp_path / "records.db").exists()


def test_damage_is_told_and_records_go_on(tmp_path: Path) -> None:
    (tmp_path / "records.db").write_bytes(b"My times: 12, 14, 13. " * 100)
    done = run()
    assert done.stdout.startswith("no games yet")
    assert done.stderr.startswith(f"note: {tmp_path}/records.db is damaged (")
    assert "it was set aside as " in done.stderr
    assert done.stderr.count("\n") == 1
    assert run().stderr == ""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["show", "abc"], "there is no game 'abc'"),
        (["delete"], "Missing argument 'ID...'"),
        (["import"], "Missing argument 'FILE|-'"),
        (["import", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory"),
        (["export", "nowhere/games.jsonl"], "nowhere/games.jsonl: No such file or directory"),
        (["--size", "four"], "'four' is not a shape"),
        (["--goal", "snale"], "unknown goal 'snale': did you mean 'snail'?"),
        (["--size", "4x4", "export"], "options come after export, not before it"),
        (["--last", "-1"], "-1 is not in the range"),
    ],
    ids=str,
)
def test_misuse_is_one_line(args: list[str], message: str) -> None:
    error = run(*args, code=2).stderr
    assert message in error
    assert error.count("\n") == 1


def test_a_home_that_can_not_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "file"))
    error = run(code=2).stderr
    assert error.startswith(f"taquin: {tmp_path}/file/records.db: ")
    assert error.count("\n") == 1
