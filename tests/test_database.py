"""The file of the records: damaged, newer, older, of others, on full and read-only disks."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from record_samples import end, sample, start

from taquin.database import Database
from taquin.errors import RecordsError
from taquin.records import MIGRATIONS, Records

GAMES = [sample(number, size=(4, 4), moves=150) for number in range(40)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "records.db"


def add_all(records: Records) -> None:
    for game in GAMES:
        records.add(game)


def fill(path: Path) -> bytes:
    with Records(path) as records:
        add_all(records)
    return path.read_bytes()


# --- damage ---------------------------------------------------------------------------------------

PAGE = 4096

DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "not a database": lambda data: b"These are my records.\n" * 1000,
    "a few bytes": lambda data: b"\x93",
    "cut in the first page": lambda data: data[:1000],
    "cut within a page": lambda data: data[: len(data) // 2 + 100],
    "cut between pages": lambda data: data[: len(data) // 2 // PAGE * PAGE],
    "a page of zeros": lambda data: data[: 3 * PAGE] + bytes(PAGE) + data[4 * PAGE :],
    "a page turned over": lambda data: data[:PAGE] + data[PAGE : 2 * PAGE][::-1] + data[2 * PAGE :],
    "no header": lambda data: bytes(100) + data[100:],
    "another page size": lambda data: data[:16] + b"\x00\x07" + data[18:],
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_file_is_set_aside_and_a_new_one_begun(kind: str, path: Path) -> None:
    damaged = DAMAGES[kind](fill(path))
    path.write_bytes(damaged)
    said: list[str] = []
    with Records(path, say=said.append) as records:
        assert records.all() == []
        records.add(GAMES[0])
        aside = records.set_aside
    assert aside is not None
    assert aside.name.startswith("records-damaged-2")
    assert aside.read_bytes() == damaged
    assert len(said) == 1
    assert str(path) in said[0]
    assert str(aside) in said[0]
    with Records(path, say=said.append) as records:
        assert records.all() == [GAMES[0]]
        assert records.set_aside is None
    assert len(said) == 1


def test_a_sound_file_is_not_set_aside(path: Path) -> None:
    fill(path)
    with Records(path) as records:
        assert records.set_aside is None
        assert records.all() == GAMES


KILLED = """
import os, signal, sys
from record_samples import sample
from taquin.records import Records
records = Records(sys.argv[1])
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    records.add(sample(number, size=(4, 4), moves=150))
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_while_open(path: Path, first: int, last: int) -> None:
    process = start(KILLED, path, first, last)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert path.with_name("records.db-wal").stat().st_size > 0


def test_games_in_the_log_of_a_killed_process_are_there(path: Path) -> None:
    kill_while_open(path, 0, 30)
    with Records(path) as records:
        assert records.all() == GAMES[:30]


def test_the_log_of_a_damaged_file_is_set_aside_too(path: Path) -> None:
    sound = fill(path)
    kill_while_open(path, 40, 43)
    log = path.with_name("records.db-wal").read_bytes()
    shared = path.with_name("records.db-shm").read_bytes()
    path.write_bytes(sound[: 5 * PAGE] + bytes(10 * PAGE) + sound[15 * PAGE :])
    with Records(path) as records:
        aside = records.set_aside
    with Records(path) as records:
        assert records.all() == []
    assert aside is not None
    assert aside.with_name(aside.name + "-wal").read_bytes() == log
    assert len(aside.with_name(aside.name + "-shm").read_bytes()) == len(shared)


def test_a_log_with_all_there_is_heals_the_file(path: Path) -> None:
    kill_while_open(path, 0, 30)
    path.write_bytes(b"not the database that it was" * 300)
    for _ in range(2):
        with Records(path) as records:
            assert records.set_aside is None
            assert records.all() == GAMES[:30]


def test_an_empty_file_beside_its_log_is_damaged(path: Path) -> None:
    kill_while_open(path, 0, 30)
    log = path.with_name("records.db-wal").read_bytes()
    path.write_bytes(b"")
    with Records(path) as records:
        aside = records.set_aside
    assert aside is not None
    assert aside.with_name(aside.name + "-wal").read_bytes() == log


def test_damage_twice_in_a_second_overwrites_nothing(path: Path) -> None:
    for number in range(3):
        path.write_bytes(b"damage number %d" % number * 500)
        Records(path).close()
    kept = {file.read_bytes()[:15] for file in path.parent.glob("records-damaged-*.db")}
    assert kept == {b"damage number 0", b"damage number 1", b"damage number 2"}


def test_a_table_that_is_gone_is_damage(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE playing")
    with Records(path) as records:
        assert records.set_aside is not None


def test_whatever_byte_changes_no_game_changes(path: Path) -> None:
    sound = fill(path)
    random = Random(4)
    for _ in range(200):
        data = bytearray(sound)
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        path.write_bytes(data)
        said: list[str] = []
        with suppress(RecordsError), Records(path, say=said.append) as records:
            games = records.all()
            assert [game.outcome for game in games] == records.outcomes()
            assert all(game in GAMES for game in games)
            assert len(games) == len(GAMES) or said
            assert not (records.set_aside and games)
            data = b""
        assert not data or path.read_bytes() == data, "who refuses a file leaves it alone"
        for file in path.parent.iterdir():
            file.unlink()


def test_a_game_that_has_changed_is_left_out_and_can_be_deleted(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        change = "UPDATE games SET milliseconds = 1 WHERE id = ?"
        connection.execute(change, (GAMES[3].id,))
    said: list[str] = []
    with Records(path, say=said.append) as records:
        assert records.all() == GAMES[:3] + GAMES[4:]
        assert said == [f"game {GAMES[3].id} is left out: it is damaged"]
        with pytest.raises(RecordsError, match="is damaged"):
            records.get(GAMES[3].id)
        records.delete(GAMES[3].id)
        said.clear()
        records.all()
        assert not said


# --- versions -------------------------------------------------------------------------------------

VERSION_1 = """
CREATE TABLE games (
    id TEXT PRIMARY KEY NOT NULL,
    finished_at TEXT NOT NULL,
    size TEXT NOT NULL,
    board TEXT NOT NULL,
    goal TEXT NOT NULL,
    moves TEXT NOT NULL,
    times TEXT NOT NULL,
    milliseconds INTEGER NOT NULL,
    hints INTEGER NOT NULL,
    given_up INTEGER NOT NULL,
    optimum INTEGER
) STRICT;
CREATE INDEX games_by_size ON games (size, finished_at);
PRAGMA application_id = 0x74617175;
PRAGMA user_version = 1;
INSERT INTO games VALUES ('ff2e37bb652c0bce', '2026-05-01T12:00:00.000Z', '3x3',
    '1 2 3/4 5 6/0 7 8', '1 2 3/4 5 6/7 8 0', 'LL', '0,480', 480, 0, 0, 2);
"""


def make_version_1(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(VERSION_1)


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def test_an_old_file_is_brought_up_to_date(path: Path) -> None:
    make_version_1(path)
    with Records(path) as records:
        assert records.set_aside is None
        (game,) = records.all()
        assert (game.replay.text(), game.optimum) == ("1 2 3/4 5 6/0 7 8;L2;0,480", 2)
        records.save_current({"moves": "L"})
    assert version_of(path) == len(MIGRATIONS) == 2
    with Records(path) as records:
        assert records.current() == {"moves": "L"}


OPEN = """
import sys
from taquin.records import Records
sys.stdin.readline()
with Records(sys.argv[1]) as records:
    print(len(records.all()), records.set_aside)
"""


def test_processes_that_open_an_old_file_at_once(path: Path) -> None:
    make_version_1(path)
    openers = [start(OPEN, path) for _ in range(4)]
    for opener in openers:
        assert opener.stdin is not None
        opener.stdin.write("go\n")
        opener.stdin.flush()
    assert [end(opener) for opener in openers] == ["1 None\n"] * 4


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    fill(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(RecordsError, match=r"newer taquin .*version 99, this one knows 2"):
        Records(path)
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == ["records.db"]


def test_the_file_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(RecordsError, match="a database of another program"):
        Records(path)
    assert path.read_bytes() == before


def test_migrations_run_in_order_and_a_bad_one_changes_nothing(path: Path) -> None:
    steps = ["CREATE TABLE a (x)", "ALTER TABLE a ADD y", "INSERT INTO a VALUES (1, 2)"]
    with closing(Database(path, 7, steps[:1], print)):
        pass
    with pytest.raises(RecordsError, match="no such table"):
        Database(path, 7, [*steps[:1], "DROP TABLE a; INSERT INTO a VALUES (1)"], print)
    assert version_of(path) == 1
    with closing(Database(path, 7, steps, print)) as database, database.reading() as connection:
        assert connection.execute("SELECT x, y FROM a").fetchall() == [(1, 2)]
    assert version_of(path) == 3


# --- where nothing can be written -----------------------------------------------------------------


def test_a_path_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RecordsError, match=r"records\.db: (Not a directory|File exists)"):
        Records(tmp_path / "file" / "records.db")


def test_a_directory_in_the_place_of_the_file(path: Path) -> None:
    path.mkdir()
    with pytest.raises(RecordsError, match=r"records\.db: can't be opened"):
        Records(path)


READ_ONLY = """
import os, sys
from taquin.errors import RecordsError
from taquin.records import Records
os.chmod(os.path.dirname(sys.argv[1]), 0o555)
if os.geteuid() == 0:
    os.seteuid(65534)  # Nothing is read-only to the superuser.
try:
    Records(sys.argv[1])
except RecordsError as error:
    print(error)
"""


def test_a_directory_that_can_not_be_written(path: Path) -> None:
    fill(path)
    try:
        assert end(start(READ_ONLY, path)) == f"{path}: Permission denied\n"
    finally:
        path.parent.chmod(0o755)
    with Records(path) as records:
        assert records.all() == GAMES


def test_a_full_disk_loses_nothing_that_was_there(path: Path) -> None:
    with Records(path) as records:
        records.add(GAMES[0])
        with records._database.reading() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(RecordsError, match=r"records\.db: the disk is full"):
            add_all(records)
        with pytest.raises(RecordsError, match="the disk is full"):
            records.save_current({"moves": "L" * 10**5})
        kept = records.all()
        assert kept == GAMES[: len(kept)] != []
        records.delete(GAMES[0].id)
    with Records(path) as records:
        assert records.all() == kept[1:]


NO_ROOM = """
import resource, sys
from record_samples import sample
from taquin.errors import RecordsError
from taquin.records import Records
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
with Records(sys.argv[1]) as records:
    try:
        for number in range(10**6):
            records.add(sample(number, size=(4, 4), moves=150))
    except RecordsError as error:
        print(number, error)
"""


def test_a_file_that_can_not_grow(path: Path) -> None:
    number, _, error = end(start(NO_ROOM, path)).partition(" ")
    assert error == f"{path}: can't be read or written\n"
    with Records(path) as records:
        assert records.set_aside is None
        assert records.all() == [sample(n, size=(4, 4), moves=150) for n in range(int(number))]


def test_who_waits_too_long_for_another_is_told(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taquin.database.BUSY_SECONDS", 0.1)
    with Records(path) as records, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordsError, match=r"records\.db: in use by another process"):
            records.add(GAMES[0])
        assert records.all() == []
        other.execute("ROLLBACK")
        records.add(GAMES[0])
        assert records.all() == GAMES[:1]


def test_what_goes_wrong_within_a_transaction_takes_it_back(path: Path) -> None:
    def interrupted() -> None:
        with records._database.writing() as connection:
            connection.execute("INSERT INTO playing VALUES ('a', 'b', '{}')")
            raise KeyboardInterrupt

    with Records(path) as records:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert records.current() is None
        records.add(GAMES[0])


def test_the_home_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "a" / "b"))
    with Records() as records:
        assert records.path == tmp_path / "a" / "b" / "records.db"
    assert os.listdir(tmp_path / "a" / "b") == ["records.db"]
