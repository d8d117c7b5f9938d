"""Tables on disk: checked whenever they are opened, shared by processes, built once.

A file is a page of header and the table itself. It is written beside its place and renamed when
complete, so whatever has the right name was once whole. That it still is shows the checksum.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import stat
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from . import __version__, _native, locks
from .board import check_shape
from .errors import BoardError, TableError, UnknownNameError
from .heartbeat import Hook, available_memory

MAGIC = b"\x93taquin\n"
VERSION = 1
HEADER_BYTES = 4096
"""A page, so that the table begins on a page of its own."""

SUFFIX = ".table"
_PART, _LOCK = ".part", ".lock"

_FIXED = struct.Struct("<8sIIQ")
"""Magic, version, length of the JSON, checksum of the header with zero in this place."""

_ANOTHER = "holds another table than its name says"

_POLL_SECONDS = 0.02
_CHUNK = 1 << 23
"""Bytes written between two looks at the hook; a slow disk takes less than 100 ms for them."""

Say = Callable[[str], object]
"""Takes a line about what is going on."""

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Recipe(Protocol[T_co]):
    """What identifies a table, how large it is, how it is made and how it is used."""

    @property
    def name(self) -> str:
        """The file's name, without a suffix."""

    def identity(self) -> dict[str, Any]:
        """All that the content depends on; JSON."""

    def size(self) -> int:
        """Bytes of the table."""

    def working_bytes(self) -> int:
        """Bytes of memory that building takes, beside those of the table."""

    def build(self, out: memoryview, threads: int, hook: Hook | None) -> dict[str, Any]:
        """Fill the table; gives facts about it that are kept in the header."""

    def load(self, payload: memoryview) -> T_co:
        """The table, ready for use, over its bytes."""

    def __hash__(self) -> int:
        """Equal recipes make the same table."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself."""

    name: str
    identity: dict[str, Any]
    size: int
    """Bytes of the table, without the header."""
    checksum: int
    taquin: str
    """The version that built it."""
    facts: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """A file in the directory. Its table has not been read; `verify` does that."""

    name: str
    path: Path
    size: int
    header: Header | None
    problem: str
    """Why the file can't be used, as far as its header and length tell; empty if it can."""

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "file": str(self.path),
            "size": self.size,
            "problem": self.problem or None,
            **({} if self.header is None else self.header.identity),
        }


class _UnfitError(TableError):
    """A file that does not hold what it should: there is no use in reading it again."""


@dataclass(frozen=True, slots=True)
class _Opened(Generic[T]):
    """What came of opening a file, and which file that was."""

    stamp: tuple[int, ...]
    table: T | _UnfitError


_opened: dict[tuple[Path, Recipe[Any]], _Opened[Any]] = {}


_WHERE = ("TAQUIN_HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "HOME")
"""What in the environment tells where tables are kept."""


def directory() -> Path:
    """Where tables are kept: in `TAQUIN_HOME`, or else in the user's cache directory."""
    return Path(_home()) / "tables"


def _home() -> str:
    return _home_in(*map(os.environ.get, _WHERE))


@lru_cache(maxsize=16)
def _home_in(home: str | None, *where: str | None) -> str:
    """Found once for the same environment, as every solve asks for it."""
    if not home:
        from platformdirs import user_cache_dir

        home = user_cache_dir("taquin", appauthor=False)
    return os.path.expanduser(home)


def quiet(line: str) -> None:
    """Says nothing."""


def printable(name: str) -> str:
    """A name for a line: whatever a terminal would obey is escaped.

    >>> print(printable("a\\nb"))
    a\\nb
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)


def path_of(recipe: Recipe[object]) -> Path:
    return _path(_home(), recipe)


@lru_cache(maxsize=1024)
def _path(home: str, recipe: Recipe[object]) -> Path:
    """Made once, as every solve asks for it."""
    return Path(home) / "tables" / (recipe.name + SUFFIX)


# --- using tables -------------------------------------------------------------------------------


def obtain(recipe: Recipe[T], *, threads: int = 1, hook: Hook | None = None, say: Say = quiet) -> T:
    """The table, opened, or else built and stored; `TableError` where it can't be stored.

    While another process builds it, this one waits. `hook` is called all the time and may stop it
    (`_native.Stopped`); `say` is told what is out of the ordinary.
    """
    with suppress(TableError):
        return open_table(recipe, hook)
    path = path_of(recipe)
    with _reporting(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path, hook, say):
        try:
            return open_table(recipe, hook)
        except TableError as unfit:
            if path.is_dir() and not path.is_symlink():
                raise  # no table can take its place
            if path.exists():
                say(f"{unfit}; it is built anew")
            _sweep(path.parent)
            _build(recipe, path, threads, hook)
        return open_table(recipe, hook)


def find(recipe: Recipe[T], hook: Hook | None = None) -> T | None:
    """The table, if it is on disk and sound."""
    try:
        return open_table(recipe, hook)
    except TableError:
        return None


def opened(recipes: Sequence[Recipe[T]]) -> tuple[T, ...] | None:
    """The tables, if this process has opened all of them and their files are still the same."""
    home, found = _home(), []
    for recipe in recipes:
        path = _path(home, recipe)
        kept = _opened.get((path, recipe))
        if kept is None or isinstance(kept.table, _UnfitError):
            return None
        try:
            if _stamp(path) != kept.stamp:
                return None
        except OSError:
            return None
        found.append(kept.table)
    return tuple(found)


def open_table(recipe: Recipe[T], hook: Hook | None = None) -> T:
    """The table from its file, which is read and checked once per process.

    `TableError` names the file and what is wrong with it.
    """
    path = path_of(recipe)
    with _reporting(path):
        stamp = _stamp(path)
    kept = _opened.get((path, recipe))
    if kept is None or kept.stamp != stamp:
        kept = _opened[path, recipe] = _Opened(stamp, _read(recipe, path, hook))
    if isinstance(kept.table, _UnfitError):
        raise _UnfitError(str(kept.table))
    table: T = kept.table
    return table


def _read(recipe: Recipe[T], path: Path, hook: Hook | None) -> T | _UnfitError:
    beat(hook)
    try:
        header, payload = _map(path)
        if header.identity != recipe.identity() or header.size != recipe.size():
            raise _UnfitError(f"{path}: {_ANOTHER}")
        _check(payload, header, path, hook)
        return recipe.load(payload)
    except _UnfitError as unfit:
        # Without its traceback, which would keep the damaged file mapped.
        return _UnfitError(str(unfit))


def make(recipe: Recipe[T], *, threads: int = 1, hook: Hook | None = None) -> T:
    """The table, built in memory and kept nowhere else."""
    payload = _memory(recipe)
    recipe.build(payload, threads, hook)
    return recipe.load(payload.toreadonly())


# --- looking after tables -----------------------------------------------------------------------


def entries() -> list[Entry]:
    """The tables in the directory, by name."""
    paths = directory().glob("*" + SUFFIX)
    return [_entry(path) for path in sorted(paths)]


def _entry(path: Path) -> Entry:
    size = path.lstat().st_size
    try:
        return Entry(path.stem, path, size, _header(path), "")
    except TableError as error:
        return Entry(path.stem, path, size, None, _without_path(error, path))


def header_of(recipe: Recipe[object]) -> Header | None:
    """What the table's file says of itself, if there is one."""
    path = path_of(recipe)
    try:
        header = _header(path)
    except TableError:
        return None
    return header if header.identity == recipe.identity() else None


def verify(name: str, hook: Hook | None = None) -> str:
    """Read a table from the disk, from beginning to end; what is wrong with it, or nothing."""
    path = _existing(name)
    try:
        with _reading(path) as file:
            _advise(file, "POSIX_FADV_DONTNEED")  # or else what memory has of it would be read
        header, payload = _map(path)
        _check(payload, header, path, hook)
    except TableError as error:
        return _without_path(error, path)
    return ""


def remove(name: str) -> int:
    """Remove a table, sound or not; how many bytes that frees.

    Processes that use it keep it until they end.
    """
    path = _existing(name)
    held = _take(path)
    if held is None:
        raise TableError(f"{path}: is being built elsewhere")
    try:
        with _reporting(path):
            size = path.lstat().st_size
            path.unlink()
    finally:
        _let_go(path, held)
    _sweep(path.parent)
    return size


def _existing(name: str) -> Path:
    """The path of a table in the directory; a name can't lead out of it."""
    names = {path.stem: path for path in directory().glob("*" + SUFFIX)}
    if name not in names:
        raise UnknownNameError("table", name, map(printable, sorted(names) or ["none"]))
    return names[name]


# --- files --------------------------------------------------------------------------------------


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    """Within, trouble with files becomes a `TableError` that names the file."""
    try:
        yield
    except TableError:
        raise
    except OSError as error:
        raise TableError(f"{path}: {error.strerror or error}") from error


@contextmanager
def _reading(path: Path) -> Iterator[FileIO]:
    """Within, a file is open; what is none, such as a pipe, is refused."""
    with _reporting(path), open(path, "rb", buffering=0, opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _UnfitError(f"{path}: not a regular file")
        yield file


def _at_once(path: str, flags: int) -> int:
    """Open a file as ever, but a pipe without waiting for someone who writes to it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _without_path(error: TableError, path: Path) -> str:
    return str(error).removeprefix(f"{path}: ")


def _stamp(path: Path) -> tuple[int, ...]:
    """Tells whether a file is still the one that was opened before."""
    now = path.stat()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def _pack(header: Header) -> bytes:
    text = json.dumps(
        {
            "name": header.name,
            "identity": header.identity,
            "bytes": header.size,
            "checksum": f"{header.checksum:016x}",
            "taquin": header.taquin,
            "facts": header.facts,
        }
    ).encode()
    if _FIXED.size + len(text) > HEADER_BYTES:
        raise ValueError(f"the header of {header.name} is longer than a page")
    body = text.ljust(HEADER_BYTES - _FIXED.size, b"\0")
    blank = _FIXED.pack(MAGIC, VERSION, len(text), 0)
    return _FIXED.pack(MAGIC, VERSION, len(text), _native.checksum(blank + body)) + body


def _unpack(page: bytes, path: Path) -> Header:
    if page[: len(MAGIC)] != MAGIC:
        raise _UnfitError(f"{path}: not a table of taquin")
    if len(page) < HEADER_BYTES:
        raise _UnfitError(f"{path}: truncated within its header")
    magic, version, length, checksum = _FIXED.unpack_from(page)
    if version != VERSION:
        raise _UnfitError(f"{path}: has format version {version}, this taquin reads {VERSION}")
    body = page[_FIXED.size :]
    if _native.checksum(_FIXED.pack(magic, version, length, 0) + body) != checksum:
        raise _UnfitError(f"{path}: its header is damaged")
    try:
        data = json.loads(body[:length])
        return Header(
            name=str(data["name"]),
            identity=dict(data["identity"]),
            size=int(data["bytes"]),
            checksum=int(data["checksum"], 16),
            taquin=str(data["taquin"]),
            facts=dict(data["facts"]),
        )
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        raise _UnfitError(f"{path}: its header can't be read") from None


def _header(path: Path) -> Header:
    """A file's header, if the file's name and length agree with it."""
    with _reading(path) as file:
        _advise(file, "POSIX_FADV_RANDOM")  # what is read ahead would be in small pages
        return _fitting_header(file.read(HEADER_BYTES), _size(file), path)


def _size(file: FileIO) -> int:
    return os.fstat(file.fileno()).st_size


def _fitting_header(page: bytes, size: int, path: Path) -> Header:
    header = _unpack(page, path)
    right = HEADER_BYTES + header.size
    if size != right:
        what = "truncated" if size < right else "too long"
        raise _UnfitError(f"{path}: {what}, {size:,} bytes instead of {right:,}")
    if header.name != path.stem:
        raise _UnfitError(f"{path}: is {printable(header.name)} under another name")
    if not _has_shape_of_name(header):
        raise _UnfitError(f"{path}: {_ANOTHER}")
    return header


def _has_shape_of_name(header: Header) -> bool:
    """Whether a table for boards of some shape is named after it."""
    if not header.identity.keys() & {"rows", "cols"}:
        return True
    rows, cols = header.identity.get("rows"), header.identity.get("cols")
    if type(rows) is not int or type(cols) is not int:
        return False
    try:
        check_shape(rows, cols)
    except BoardError:
        return False
    return f"{rows}x{cols}" in header.name.split("-")


def _map(path: Path) -> tuple[Header, memoryview]:
    """A file's header and its table in memory that all processes share."""
    with _reading(path) as file:
        size = _size(file)
        if size < HEADER_BYTES:
            _unpack(file.read(), path)  # which tells what is wrong with it
        mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ)
    # Before the first look at it, or else its beginning would be in small pages.
    _ask_for_huge_pages(mapped)
    header = _fitting_header(mapped[:HEADER_BYTES], size, path)
    return header, memoryview(mapped)[HEADER_BYTES:]


def _check(payload: memoryview, header: Header, path: Path, hook: Hook | None) -> None:
    if _native.checksum(payload, hook) != header.checksum:
        raise _UnfitError(f"{path}: damaged, its checksum is wrong")


def _ask_for_huge_pages(memory: mmap.mmap) -> None:
    """Lookups all over a table are much quicker on them; not every system has them.

    Linux reads a mapped file into them, but keeps what was read or written before in the pages that
    it is in.
    """
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            memory.madvise(mmap.MADV_HUGEPAGE)


def _advise(file: FileIO, advice: str) -> None:
    """Tell the system how a file is used, if it wants to know."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, getattr(os, advice))


# --- building -----------------------------------------------------------------------------------


def _build(recipe: Recipe[object], path: Path, threads: int, hook: Hook | None) -> None:
    """Write the table beside its place and rename it when complete; else leave nothing behind.

    It is built in memory of its own: a build writes all over its table, which a disk would not
    stand, and a full disk can't be told to someone who writes to a mapped file.
    """
    beside = path.with_suffix(_PART)
    try:
        with _reporting(beside):
            beside.unlink(missing_ok=True)  # or else a link would be followed, and a pipe wait
            file = beside.open("xb", buffering=0)
        with file:
            _reserve(file, path, HEADER_BYTES + recipe.size(), hook)
            payload = _memory(recipe)
            facts = recipe.build(payload, threads, hook)
            checksum = _native.checksum(payload, hook)
            header = Header(
                recipe.name, recipe.identity(), len(payload), checksum, __version__, facts
            )
            _write(file, path, _pack(header), payload, hook)
            _advise(file, "POSIX_FADV_DONTNEED")  # so that it is read into huge pages
        with _reporting(path):
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _memory(recipe: Recipe[object]) -> memoryview:
    """Zeros to build a table in."""
    size, free = recipe.size(), available_memory()
    needed = size + recipe.working_bytes()
    if needed > free:
        raise TableError(
            f"building {recipe.name} takes {needed:,} bytes of memory, and {free:,} are free"
        )
    with _reporting(path_of(recipe)):
        memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    _ask_for_huge_pages(memory)
    return memoryview(memory)


def _reserve(file: FileIO, path: Path, size: int, hook: Hook | None) -> None:
    """Take the space on disk, so that a full disk shows before the work and not after it."""
    for start in range(0, size, _CHUNK):
        beat(hook)
        with _reporting(path):
            _allocate(file.fileno(), start, min(_CHUNK, size - start))


def _allocate(handle: int, start: int, size: int) -> None:
    """Take some space; where the system can't, a full disk shows when it is written to."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(handle, start, size)
    except OSError as error:
        if error.errno not in (errno.EOPNOTSUPP, errno.EINVAL):
            raise


def _write(file: FileIO, path: Path, head: bytes, payload: memoryview, hook: Hook | None) -> None:
    """Write to the disk itself, a little at a time: no one can interrupt an fsync."""
    end = _CHUNK - len(head)
    rests = [memoryview(head + payload[:end]), payload[end:]]
    for rest in rests:
        while rest:
            beat(hook)
            with _reporting(path):
                rest = rest[file.write(rest[:_CHUNK]) :]
                os.fsync(file.fileno())


def beat(hook: Hook | None) -> None:
    """Between steps that take a moment each."""
    if hook is not None and hook(0, 0, 0, 0, 0.0):
        raise _native.Stopped("the building of a table was stopped")


# --- locks --------------------------------------------------------------------------------------


@contextmanager
def _locked(path: Path, hook: Hook | None, say: Say) -> Iterator[None]:
    """Within, no one else builds this table. A process that dies lets go of its locks."""
    held = _take(path)
    if held is None:
        say(f"waiting for {path.stem}, which is being built elsewhere")
    while held is None:
        beat(hook)
        time.sleep(_POLL_SECONDS)
        held = _take(path)
    try:
        yield
    finally:
        _let_go(path, held)


def _take(path: Path) -> int | None:
    """The lock of a table, as an open file, if no one has it."""
    lock = path.with_suffix(_LOCK)
    with _reporting(lock):
        return locks.take(lock)


def _let_go(path: Path, held: int) -> None:
    locks.let_go(path.with_suffix(_LOCK), held)


def _sweep(folder: Path) -> None:
    """Remove what killed builders left; what someone works on is locked and stays."""
    for left in [*folder.glob("*" + _PART), *folder.glob("*" + _LOCK)]:
        with suppress(OSError):
            held = _take(left)
            if held is not None:
                try:
                    left.with_suffix(_PART).unlink(missing_ok=True)
                finally:
                    _let_go(left, held)
