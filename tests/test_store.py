"""Tables on disk: never half, never damaged, built once, and nothing left behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from strategies import assert_clear
from toy_table import Squares, is_right

from taquin import _native, store
from taquin.errors import TableError, UnknownNameError

TOY = Squares(10_000)
PROGRAM = [sys.executable, str(Path(__file__).with_name("toy_table.py"))]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path))
    return tmp_path


def files() -> list[str]:
    return sorted(path.name for path in store.directory().glob("*"))


def start(recipe: Squares, log: Path) -> subprocess.Popen[str]:
    """A process of its own that obtains a table; it has begun."""
    command = [*PROGRAM, str(recipe.count), str(recipe.seconds), str(log)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "started\n"
    return process


def wait_for(happened: Iterator[bool]) -> None:
    assert any(ok or time.sleep(0.01) for ok in happened)


def appears(path: Path) -> Iterator[bool]:
    give_up = time.monotonic() + 60
    while time.monotonic() < give_up:
        yield path.exists()


# --- what is written is read ----------------------------------------------------------------------


def test_a_table_is_built_once_and_then_found(tmp_path: Path) -> None:
    recipe = Squares(10_000, log=tmp_path / "log")
    assert store.find(recipe) is None
    assert is_right(store.obtain(recipe), recipe)
    assert files() == ["squares-10000.table"]
    assert start(recipe, tmp_path / "log").communicate()[0] == "right\n"
    assert (tmp_path / "log").read_text() == "built\n"


def test_a_table_is_mapped_once_per_process() -> None:
    assert store.obtain(TOY) is store.obtain(TOY)
    assert store.open_table(TOY).readonly


def test_what_is_opened_is_known_until_its_file_changes() -> None:
    other = Squares(5_000)
    assert store.opened([TOY]) is None
    table = store.obtain(TOY)
    assert store.opened([TOY]) == (table,)
    assert store.opened([TOY, other]) is None
    assert store.opened([TOY, other]) is None, "asking does not open it"
    assert store.opened([other, TOY]) is None
    assert store.opened([TOY, TOY]) == (table, table)
    os.utime(store.path_of(TOY))
    assert store.opened([TOY]) is None
    store.obtain(TOY)
    assert store.opened([TOY]) is not None
    store.remove(TOY.name)
    assert store.opened([TOY]) is None


def test_an_unfit_file_is_not_open() -> None:
    store.obtain(TOY)
    corrupt("flip 5000")
    assert store.find(TOY) is None
    assert store.opened([TOY]) is None


def test_the_file_says_what_it_is() -> None:
    store.obtain(TOY, threads=3)
    data = store.path_of(TOY).read_bytes()
    assert data[:8] == b"\x93taquin\n"
    length = int.from_bytes(data[12:16], "little")
    header = json.loads(data[24 : 24 + length])
    assert header["identity"] == TOY.identity()
    assert header["facts"] == {"threads": 3}
    assert len(data) == 4096 + 10_000
    assert f"{_native.checksum(data[4096:]):016x}" == header["checksum"]
    [entry] = store.entries()
    assert (entry.name, entry.size, entry.problem) == ("squares-10000", len(data), "")
    assert entry.header == store.header_of(TOY)


def test_home_moves_the_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.obtain(TOY)
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "elsewhere"))
    assert store.entries() == []
    assert store.find(TOY) is None
    store.obtain(TOY)
    assert (tmp_path / "elsewhere" / "tables" / "squares-10000.table").exists()
    monkeypatch.delenv("TAQUIN_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert "taquin" in store.directory().parts


def test_make_keeps_a_table_in_memory_only() -> None:
    assert is_right(store.make(TOY), TOY)
    assert files() == []


# --- what is damaged is refused and rebuilt -------------------------------------------------------


def corrupt(change: str) -> None:
    """Change the file of the toy table as time, people or other programs might."""
    path = store.path_of(TOY)
    data = bytearray(path.read_bytes())
    kind, _, place = change.partition(" ")
    if kind == "flip":
        data[int(place)] ^= 1 << int(place) % 8
    elif kind == "cut":
        data = data[: int(place)]
    elif kind == "longer":
        data += b"\0"
    elif kind == "foreign":
        data = bytearray(b"PNG, or so\n" * 1000)
    elif kind == "future":
        data[8] = 2
    elif kind == "other":
        other = Squares(10_001)
        store.obtain(other)
        data = bytearray(store.path_of(other).read_bytes())
        store.remove(other.name)
    path.write_bytes(data)


DAMAGE = {
    "flip 0": "not a table of taquin",
    "flip 8": "format version",
    "flip 13": "header is damaged",
    "flip 17": "header is damaged",
    "flip 40": "header is damaged",
    "flip 4095": "header is damaged",
    "flip 4096": "its checksum is wrong",
    "flip 9000": "its checksum is wrong",
    "flip 14095": "its checksum is wrong",
    "cut 0": "not a table of taquin",
    "cut 100": "truncated within its header",
    "cut 4096": "truncated, 4,096 bytes instead of 14,096",
    "cut 14095": "truncated, 14,095 bytes instead of 14,096",
    "longer": "too long",
    "foreign": "not a table of taquin",
    "future": "format version 2, this taquin reads 1",
    "other": "is squares-10001 under another name",
}


@pytest.mark.parametrize("change", DAMAGE)
def test_an_unfit_file_is_refused_and_built_anew(change: str) -> None:
    store.obtain(TOY)
    corrupt(change)
    with pytest.raises(TableError, match=DAMAGE[change]) as refused:
        store.open_table(TOY)
    assert str(store.path_of(TOY)) in str(refused.value)
    assert_clear(refused.value)
    assert store.find(TOY) is None
    assert DAMAGE[change] in store.verify(TOY.name)
    said: list[str] = []
    assert is_right(store.obtain(TOY, say=said.append), TOY)
    assert [line for line in said if "built anew" in line] == said != []
    assert store.verify(TOY.name) == ""
    assert files() == ["squares-10000.table"]


def test_any_flipped_bit_of_the_header_is_seen() -> None:
    store.obtain(TOY)
    path = store.path_of(TOY)
    sound = path.read_bytes()
    for place in [*range(400), *range(400, 4096, 97)]:
        path.write_bytes(sound[:place] + bytes([sound[place] ^ 4]) + sound[place + 1 :])
        assert store.verify(TOY.name), place
        assert store.entries()[0].problem, place


def test_another_identity_under_the_same_name_is_refused() -> None:
    store.obtain(TOY)

    class Cubes(Squares):
        def identity(self) -> dict[str, object]:
            return {"kind": "cubes", "count": self.count}

    with pytest.raises(TableError, match="holds another table"):
        store.open_table(Cubes(10_000))


def test_damage_under_a_table_in_use_is_seen_at_the_next_opening() -> None:
    store.obtain(TOY)
    corrupt("flip 5000")
    assert store.find(TOY) is None


def test_a_directory_is_refused_before_the_work(tmp_path: Path) -> None:
    recipe = Squares(10_000, log=tmp_path / "log")
    store.path_of(recipe).mkdir(parents=True)
    said: list[str] = []
    with pytest.raises(TableError, match=r"squares-10000\.table: Is a directory"):
        store.obtain(recipe, say=said.append)
    assert said == []
    assert not recipe.log.exists()
    assert files() == ["squares-10000.table"]
    assert store.entries()[0].problem


@pytest.fixture
def in_time() -> Iterator[None]:
    """A test that waits for ever is interrupted."""

    def interrupt(*_: object) -> None:
        raise AssertionError("waits for ever")

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


NO_FILES = {
    "pipe": "not a regular file",
    "device": "not a regular file",
    "socket": "No such device|not supported",
}


def put(kind: str, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something that is no file, in the place of one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        monkeypatch.chdir(path.parent)  # the whole path is too long for a socket
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_is_refused_and_built_anew(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = store.path_of(TOY)
    put(kind, path, monkeypatch)
    with pytest.raises(TableError, match=NO_FILES[kind]) as refused:
        store.open_table(TOY)
    assert str(refused.value).startswith(f"{path}: ")
    assert_clear(refused.value)
    assert store.find(TOY) is None
    assert store.header_of(TOY) is None
    assert store.entries()[0].problem == store.verify(TOY.name) != ""
    said: list[str] = []
    assert is_right(store.obtain(TOY, say=said.append), TOY)
    assert said == [f"{refused.value}; it is built anew"]
    assert path.is_file()
    assert not path.is_symlink()


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_left_and_no_file_is_cleared_away(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(kind, store.path_of(TOY).with_suffix(".part"), monkeypatch)
    assert is_right(store.obtain(TOY), TOY)
    assert files() == ["squares-10000.table"]


def test_what_is_left_is_not_written_to(tmp_path: Path) -> None:
    precious, path = tmp_path / "precious", store.path_of(TOY)
    precious.write_text("keep me")
    path.parent.mkdir()
    path.with_suffix(".part").symlink_to(precious)
    store.obtain(TOY)
    assert precious.read_text() == "keep me"
    assert not path.is_symlink()
    assert files() == ["squares-10000.table"]


@pytest.mark.parametrize("suffix", [".part", ".lock"])
def test_a_directory_in_the_way_is_named(tmp_path: Path, suffix: str) -> None:
    recipe = Squares(10_000, log=tmp_path / "log")
    beside = store.path_of(recipe).with_suffix(suffix)
    beside.mkdir(parents=True)
    with pytest.raises(TableError, match=r"Is a directory|not permitted") as refused:
        store.obtain(recipe)
    assert str(refused.value).startswith(f"{beside}: ")
    assert not recipe.log.exists()
    assert files() == [beside.name]
    store.obtain(Squares(5000))
    assert files() == sorted([beside.name, "squares-5000.table"])


def forge(name: str, identity: object) -> None:
    """A file that is whole, but for what its header says."""
    header = store.Header(name, identity, 0, _native.checksum(b""), "1.0", {})
    store.directory().mkdir(exist_ok=True)
    (store.directory() / f"{name}.table").write_bytes(store._pack(header))


ODD_IDENTITIES = {
    "pattern-4x4-0": {"rows": 4, "cols": 5},
    "pattern-4xNone-0": {"rows": 4},
    "pattern-Nonex4-0": {"cols": 4},
    "pattern-xx4-0": {"rows": "x", "cols": 4},
    "pattern-4.0x4-0": {"rows": 4.0, "cols": 4},
    "pattern-Truex4-0": {"rows": True, "cols": 4},
    "pattern-[4]x4-0": {"rows": [4], "cols": 4},
    "pattern-0x4-0": {"rows": 0, "cols": 4},
    "pattern-3000x3000-0": {"rows": 3000, "cols": 3000},
}


@pytest.mark.parametrize("name", ODD_IDENTITIES)
def test_a_table_for_another_shape_than_its_names_is_unfit(name: str) -> None:
    forge(name, ODD_IDENTITIES[name])
    [entry] = store.entries()
    assert entry.header is None
    assert entry.problem == store.verify(name) == "holds another table than its name says"


def test_a_shape_that_fits_the_name_is_sound() -> None:
    forge("pattern-4x5-0", {"rows": 4, "cols": 5})
    assert store.verify("pattern-4x5-0") == store.entries()[0].problem == ""


@pytest.mark.parametrize("text", ["[" * 4000, '{"name": "", "identity": {}, "bytes": 1e999}'])
def test_a_header_that_can_not_be_read(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json, "dumps", lambda _: text)
    forge("odd", {})
    assert store.entries()[0].problem == "its header can't be read"


def test_names_in_errors_are_one_line() -> None:
    forge("a\x1b[2J\nb", {})
    with pytest.raises(UnknownNameError, match=r"known are a\\x1b\[2J\\nb$"):
        store.remove("zzz")
    path = store.directory() / "other.table"
    path.write_bytes((store.directory() / "a\x1b[2J\nb.table").read_bytes())
    assert store.verify("other") == r"is a\x1b[2J\nb under another name"


# --- one builder at a time ------------------------------------------------------------------------


def test_two_processes_build_once(tmp_path: Path) -> None:
    slow = Squares(5000, seconds=60)
    builder = start(slow, tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    waiter = start(slow, tmp_path / "log")
    assert waiter.stdout is not None
    waiting = "waiting for squares-5000, which is being built elsewhere\n"
    assert waiter.stdout.readline() == waiting
    (tmp_path / "enough").touch()
    assert [process.communicate()[0] for process in (builder, waiter)] == ["right\n", "right\n"]
    assert (tmp_path / "log").read_text() == "built\n"
    assert files() == ["squares-5000.table"]


def test_threads_build_once_too(tmp_path: Path) -> None:
    slow = Squares(5000, seconds=0.3, log=tmp_path / "log")
    got: list[memoryview] = []
    threads = [threading.Thread(target=lambda: got.append(store.obtain(slow))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (tmp_path / "log").read_text() == "built\n"
    assert [is_right(table, slow) for table in got] == [True] * 4


def test_many_processes_in_a_crowd(tmp_path: Path) -> None:
    """Locks are removed by those who let go of them, while others wait for them."""
    crowd = [start(Squares(2000, seconds=0.05), tmp_path / "log") for _ in range(8)]
    assert all(process.communicate()[0].endswith("right\n") for process in crowd)
    assert (tmp_path / "log").read_text() == "built\n"
    assert files() == ["squares-2000.table"]


@pytest.mark.parametrize("next_count", [5000, 6000])
def test_a_killed_builder_lets_go_and_the_next_one_cleans_up(
    tmp_path: Path, next_count: int
) -> None:
    builder = start(Squares(5000, seconds=60), tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    builder.kill()
    builder.wait()
    assert files() == ["squares-5000.lock", "squares-5000.part"]
    assert store.entries() == []
    recipe = Squares(next_count)
    assert is_right(store.obtain(recipe), recipe)
    assert files() == [f"squares-{next_count}.table"]


def test_who_waits_goes_on_when_the_builder_is_killed(tmp_path: Path) -> None:
    builder = start(Squares(5000, seconds=60), tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    waiter = start(Squares(5000), tmp_path / "log")
    assert waiter.stdout is not None
    assert waiter.stdout.readline().startswith("waiting for squares-5000")
    builder.kill()
    builder.wait()
    assert waiter.communicate()[0] == "right\n"


def test_ctrl_c_ends_a_build_and_leaves_nothing(tmp_path: Path) -> None:
    builder = start(Squares(5000, seconds=60), tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    builder.send_signal(signal.SIGINT)
    builder.wait(30)
    assert files() == []


def test_the_hook_ends_a_build() -> None:
    with pytest.raises(_native.Stopped):
        store.obtain(Squares(5000, seconds=60), hook=lambda *_: True)
    assert files() == []


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_what_the_hook_raises_comes_out(error: type[BaseException]) -> None:
    calls = iter(range(3))

    def hook(*counts: int) -> bool:
        if next(calls) == 2:
            raise error("enough")
        return False

    with pytest.raises(error, match="enough") as raised:
        store.obtain(Squares(5000, seconds=60), hook=hook)
    assert not isinstance(raised.value, TableError)
    assert files() == []


def test_the_hook_ends_the_waiting(tmp_path: Path) -> None:
    builder = start(Squares(5000, seconds=60), tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    said: list[str] = []
    with pytest.raises(_native.Stopped):
        store.obtain(Squares(5000), hook=lambda *_: bool(said), say=said.append)
    assert said == ["waiting for squares-5000, which is being built elsewhere"]
    builder.kill()
    builder.wait()


def test_the_hook_ends_the_check() -> None:
    store.obtain(TOY)
    os.utime(store.path_of(TOY), (1, 1))
    with pytest.raises(_native.Stopped):
        store.open_table(TOY, hook=lambda *_: True)
    assert is_right(store.open_table(TOY), TOY)


# --- disks that don't take it ---------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A disk of 1 MB, or where none can be mounted, files of at most 1 MB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    monkeypatch.setenv("TAQUIN_HOME", str(disk))
    mounted = _mount(disk, "size=1m")
    if mounted:
        yield disk
        _unmount(disk)
        return
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))
    yield disk
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def _mount(folder: Path, options: str) -> bool:
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True).returncode == 0


def _unmount(folder: Path) -> None:
    """Lazily, because tables in it may still be mapped."""
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_told_before_the_work_and_leaves_nothing(
    small_disk: Path, tmp_path: Path
) -> None:
    large = Squares(3_000_000, log=tmp_path / "log")
    with pytest.raises(TableError, match=r"squares-3000000\.table: (No space|File too large)"):
        store.obtain(large)
    assert files() == []
    assert not (tmp_path / "log").exists()
    assert is_right(store.obtain(TOY), TOY)


def test_a_disk_that_fills_up_meanwhile_is_told_too(
    small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on systems that can't reserve space."""
    monkeypatch.delattr(os, "posix_fallocate")
    with pytest.raises(TableError, match=r"No space|File too large"):
        store.obtain(Squares(3_000_000))
    assert files() == []


def test_a_directory_that_can_not_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("TAQUIN_HOME", str(tmp_path / "file"))
    with pytest.raises(TableError, match="tables"):
        store.obtain(TOY)
    assert store.entries() == []


def test_a_read_only_directory_still_gives_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.obtain(TOY)
    folder = store.directory()
    if os.geteuid() == 0:
        if subprocess.run(["mount", "--bind", "-o", "ro", folder, folder]).returncode:
            pytest.skip("root is above permissions, and nothing can be mounted here")
    else:
        folder.chmod(0o500)
    try:
        store._opened.clear()
        assert is_right(store.obtain(TOY), TOY)
        with pytest.raises(TableError, match=r"Read-only|Permission"):
            store.obtain(Squares(5000))
        with pytest.raises(TableError, match=r"Read-only|Permission"):
            store.remove(TOY.name)
        assert is_right(store.make(Squares(5000)), Squares(5000))
    finally:
        if os.geteuid() == 0:
            _unmount(folder)
        else:
            folder.chmod(0o700)


def test_too_little_memory_is_told() -> None:
    with pytest.raises(TableError, match="bytes of memory"):
        store.make(Squares(1 << 50))


# --- removing -------------------------------------------------------------------------------------


def test_removed_tables_are_gone_but_serve_who_has_them() -> None:
    table = store.obtain(TOY)
    assert store.remove(TOY.name) == 14_096
    assert files() == []
    assert is_right(table, TOY)
    assert store.find(TOY) is None


@pytest.mark.usefixtures("in_time")
@pytest.mark.parametrize("kind", NO_FILES)
def test_what_is_no_file_can_be_removed(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(kind, store.path_of(TOY), monkeypatch)
    store.remove(TOY.name)
    assert files() == []


def test_damaged_tables_can_be_removed() -> None:
    store.obtain(TOY)
    corrupt("foreign")
    store.remove(TOY.name)
    assert files() == []


@pytest.mark.parametrize("name", ["squares-1", "../squares-10000", "", "/etc/passwd"])
def test_only_tables_can_be_removed(name: str) -> None:
    store.obtain(TOY)
    with pytest.raises(UnknownNameError, match="unknown table"):
        store.remove(name)
    assert files() == ["squares-10000.table"]


def test_what_is_being_built_can_not_be_removed(tmp_path: Path) -> None:
    recipe = Squares(5000, seconds=60)
    store.obtain(Squares(5000))
    store.path_of(recipe).write_bytes(b"damaged")
    builder = start(recipe, tmp_path / "log")
    wait_for(appears(store.directory() / "squares-5000.part"))
    with pytest.raises(TableError, match="being built"):
        store.remove(recipe.name)
    builder.kill()
    builder.wait()
    store.remove(recipe.name)
    assert files() == []
