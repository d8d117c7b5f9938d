"""Reading many boards from a file, a folder or standard input, as a stream of entries.

A file holds a board a line, or blocks of lines with blank lines between them; which of the two is
seen from its beginning (`_layout`). Entries are not read as boards here: that is for workers.
"""

from __future__ import annotations

import os
import select
import stat
from array import array
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain
from pathlib import Path

from . import notation
from .board import Board, Shape
from .errors import BatchError, NotationError, TaquinError, UnknownNameError
from .heartbeat import Cancel
from .notation import MAX_TEXT

OUTPUT_SUFFIXES = ("", ".part", ".state", ".state.new", ".part.parquet")
"""How the names of files end that belong to an output."""

LAYOUTS = ("auto", "lines", "blocks")

_CHUNK = 1 << 18
_MANY_LINES = 200
"""Lines without a blank one that are enough to see that they are no rows."""

_MOST_UNREADABLE = 1 << 20
"""Bytes of blocks of which nothing can be read, after which no more are looked at."""

_BLINK = 0.02
"""Seconds to wait for input that is not there yet."""


def read_entry(text: bytes, shape: Shape | None = None) -> Board:
    """The board that an entry holds; what is wrong with it is a TaquinError."""
    return recognise_entry(text, shape)[1]


def recognise_entry(text: bytes, shape: Shape | None = None) -> tuple[notation.Format, Board]:
    """The same, with the format that it is in."""
    return notation.recognise(_decode(text), shape=shape)


def _decode(text: bytes) -> str:
    if len(text) > MAX_TEXT:
        raise NotationError(f"more than {MAX_TEXT:,} bytes, which no board has")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"byte {error.start + 1} is not UTF-8 text") from None


# --- lines --------------------------------------------------------------------------------------


def _is_blank(line: bytes) -> bool:
    return not line.strip()


def _is_comment(line: bytes) -> bool:
    return line.lstrip().startswith(b"#")


_Line = tuple[int, bytes]
_Some = list[_Line]
"""Lines with their numbers, as many as came at once; none if there are none at the moment."""


def _lines(chunks: Iterator[bytes]) -> Iterator[_Some]:
    number, rest = 1, b""
    for chunk in chunks:
        # A line that is longer than any board is cut, so that it takes no more memory than one.
        *whole, rest = (rest[: MAX_TEXT + 1] + chunk).split(b"\n")
        yield list(enumerate(whole, number))
        number += len(whole)
    if rest:
        yield [(number, rest)]


def _by_lines(lines: Iterator[_Some]) -> Iterator[_Some]:
    for some in lines:
        yield [
            (number, text)
            for number, line in some
            if (text := line.strip()) and not text.startswith(b"#")
        ]


def _by_blocks(lines: Iterator[_Some]) -> Iterator[_Some]:
    """Runs of lines between blank ones; comments are part of them, but nothing by themselves."""
    block = _Block()
    for some in lines:
        found: _Some = []
        for number, line in some:
            if _is_blank(line):
                found += block.finish()
            else:
                block.add(number, line)
        yield found
    yield block.finish()


class _Block:
    """A block of lines as it comes."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._first = 0

    def add(self, number: int, line: bytes) -> None:
        if not self._first and not _is_comment(line):
            self._first = number
        if len(self._text) <= MAX_TEXT:
            self._text += line + b"\n"

    def finish(self) -> _Some:
        block = [(self._first, bytes(self._text))] if self._first else []
        self._text, self._first = bytearray(), 0
        return block


# --- which layout -------------------------------------------------------------------------------


def _layout(lines: Iterator[_Some]) -> Generator[_Some, None, tuple[str, _Some]]:
    """The layout of a file, and the lines that were taken to see it.

    The first block of which something can be read tells. If all its lines together are one board,
    the file is one of blocks; if a line of it is a board, each line should be one.
    """
    taken: _Some = []
    judge = _Judge()
    for some in lines:
        taken += some
        for _, line in some:
            if seen := judge.see(line):
                return seen, taken
        yield []
    return judge.end(), taken


class _Judge:
    """Sees one line of a file after the other until it knows the layout."""

    def __init__(self) -> None:
        self._block: list[bytes] = []
        self._content: list[bytes] = []
        """The same without comments."""
        self._several = False
        self._bytes = 0

    def see(self, line: bytes) -> str | None:
        self._bytes += len(line)
        if _is_blank(line):
            seen = self._judged()
            return self.end() if not seen and self._bytes > _MOST_UNREADABLE else seen
        self._block.append(line)
        if _is_comment(line):
            return None
        self._content.append(line)
        return "lines" if self._are_lines() else None

    def end(self) -> str:
        return self._judged() or ("blocks" if self._several else "lines")

    def _are_lines(self) -> bool:
        """Whether the lines of a block so far are boards, whatever follows them."""
        if len(self._content) == 1:
            return not _is_row(self._content[0]) and _reads(self._content[0])
        return len(self._content) == _MANY_LINES and self._readable() > 1

    def _readable(self) -> int:
        return sum(map(_reads, self._content[:_MANY_LINES]))

    def _judged(self) -> str | None:
        """The layout, as a complete block tells it; None if nothing of it can be read."""
        readable = self._readable()
        # Only one row of a board has the blank, so two lines that read alone are no rows.
        whole = readable < 2 and len(self._content) > 1 and _reads(b"\n".join(self._block))
        self._several |= len(self._content) > 1
        self._block, self._content = [], []
        if whole:
            return "blocks"
        return "lines" if readable else None


def _is_row(line: bytes) -> bool:
    """Whether a line is bare tiles, as the row of a board would be."""
    return not any(mark in line for mark in b"/;[(|") and len(line.replace(b",", b" ").split()) > 1


def _reads(text: bytes) -> bool:
    try:
        read_entry(text)
    except TaquinError:
        return False
    return True


# --- files --------------------------------------------------------------------------------------


class BoardsFile:
    """The entries of a file, of all files in a folder, or (`-`) of standard input.

    `position` and `total` tell how many bytes were read, and how many there are (None: unknown).
    """

    def __init__(self, path: str, layout: str = "auto", output: Path | None = None) -> None:
        """What is read; `output`, and what lies beside it, is no part of it."""
        if layout not in LAYOUTS:
            raise UnknownNameError("layout", layout, LAYOUTS)
        self.layout = layout
        self.position = 0
        self.patient = True
        """Whether to wait for input that is not there yet."""
        self._files = [(path, None)] if path == "-" else _files(Path(path), output)
        sizes = [size for _, size in self._files]
        self.total = None if None in sizes else sum(size for size in sizes if size is not None)

    def __iter__(self) -> Iterator[tuple[str, _Some]]:
        """The name of a file with entries of it, as many as come at once; perhaps none."""
        for name, _ in self._files:
            with _open(name) as handle:
                for some in self._entries(handle.number):
                    yield name, some

    def _entries(self, handle: int) -> Iterator[_Some]:
        lines = _lines(self._chunks(handle))
        layout: str = self.layout
        taken: _Some = []
        if layout == "auto":
            layout, taken = yield from _layout(lines)
        split = _by_blocks if layout == "blocks" else _by_lines
        yield from split(chain([taken], lines))

    def _chunks(self, handle: int) -> Iterator[bytes]:
        """The bytes of a file; empty ones where there are none at the moment."""
        may_wait = not stat.S_ISREG(os.fstat(handle).st_mode)
        while True:
            if may_wait and not select.select([handle], [], [], _BLINK * self.patient)[0]:
                yield b""
                continue
            chunk = os.read(handle, _CHUNK)
            if not chunk:
                return
            self.position += len(chunk)
            yield chunk


@dataclass(slots=True)
class _open:  # noqa: N801 -- used like the function
    """A file's handle; reading through it can't be held up at the end of the process."""

    name: str
    number: int = 0

    def __enter__(self) -> _open:
        self.number = 0 if self.name == "-" else os.open(self.name, os.O_RDONLY | os.O_CLOEXEC)
        return self

    def __exit__(self, *error: object) -> None:
        if self.name != "-":
            os.close(self.number)


def _files(path: Path, output: Path | None) -> list[tuple[str, int | None]]:
    """The file, or all files of a folder and its folders by name, without hidden ones."""
    if not path.is_dir():
        path.stat()  # raises, and so says at once, if it is not there
        if output is not None and output.exists() and output.samefile(path) and path.is_file():
            raise BatchError(f"{path} can't be read and written at once")
        return [(str(path), _size(path))]
    own = None if output is None else output.resolve()
    found: list[tuple[str, int | None]] = []
    for place, folders, names in os.walk(path, onerror=_raise):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(place) / name
            if not name.startswith(".") and not _is_of(file, own):
                found.append((str(file), _size(file)))
    return found


def _is_of(file: Path, output: Path | None) -> bool:
    """Whether a file is the output, or lies beside it while it is written."""
    if output is None or not file.name.startswith(output.name):
        return False
    suffix = file.name.removeprefix(output.name)
    return suffix in OUTPUT_SUFFIXES and file.parent.resolve() == output.parent


def _raise(error: OSError) -> None:
    raise error


def _size(path: Path) -> int | None:
    """The bytes of a file, None if it is none that has an end; one that is not there has none."""
    try:
        facts = path.stat()
    except OSError:
        return 0
    return facts.st_size if stat.S_ISREG(facts.st_mode) else None


# --- groups -------------------------------------------------------------------------------------

_WEIGHT_OF_A_LINE = 64
_SKIPPED_AT_ONCE = 10_000


@dataclass(frozen=True, slots=True)
class Lines:
    """A group of entries: the number of the first, and their parts side by side."""

    first: int
    files: list[str]
    lines: list[int]
    texts: list[bytes]
    position: int = 0
    """How far the input had been read by then."""

    @property
    def weight(self) -> int:
        return sum(map(len, self.texts)) + _WEIGHT_OF_A_LINE * len(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, part: slice) -> Lines:
        first = self.first + part.indices(len(self))[0]
        return Lines(first, self.files[part], self.lines[part], self.texts[part], self.position)


class Digest:
    """Tells whether entries are still those that were read before, however they are grouped."""

    def __init__(self) -> None:
        self._files, self._lines, self._texts = (blake2b(digest_size=8) for _ in range(3))

    def add(self, group: Lines) -> None:
        self._files.update("".join([f"{file}\0" for file in group.files]).encode(errors="replace"))
        self._lines.update(array("Q", group.lines).tobytes())
        self._texts.update(b"\0".join([*group.texts, b""]))

    def text(self) -> str:
        parts = (self._files, self._lines, self._texts)
        return "-".join(part.hexdigest() for part in parts)


class LinesSource:
    """A source of groups of entries, numbered from 1."""

    def __init__(self, file: BoardsFile) -> None:
        self._file = file
        self._more = iter(file)
        self._files: list[str] = []
        self._some: _Some = []
        """Entries that were read, and (above) their files."""
        self._bytes = 0
        """Of these."""
        self._error: Exception | None = None
        self._read = False
        self.taken = 0

    @property
    def ended(self) -> bool:
        return self._read and not self._some

    def take(self, count: int, wait: bool) -> Lines:
        self._file.patient = wait
        if len(self._some) < count:
            self._read_more(count)
        if self._error is not None and not self._some:
            raise self._error
        files, self._files = self._files[:count], self._files[count:]
        some, self._some = self._some[:count], self._some[count:]
        first = self.taken + 1
        self.taken += len(some)
        numbers, texts = [number for number, _ in some], [text for _, text in some]
        self._bytes -= _size_of(texts)
        return Lines(first, files, numbers, texts, max(self._file.position - self._bytes, 0))

    def _read_more(self, count: int) -> None:
        try:
            for name, some in self._more:
                self._files += [name] * len(some)
                self._some += some
                self._bytes += _size_of([text for _, text in some])
                if not some or len(self._some) >= count:
                    return
            self._read = True
        except Exception as error:
            # It is raised when all that was read before is taken.
            self._error = error

    def skip(self, count: int, digest: Digest, cancel: Cancel | None = None) -> None:
        """Pass over entries that were answered before."""
        end = self.taken + count
        while self.taken < end and not self.ended and not (cancel and cancel.is_set()):
            digest.add(self.take(min(end - self.taken, _SKIPPED_AT_ONCE), wait=True))


def _size_of(texts: list[bytes]) -> int:
    """About how many bytes of a file some texts take."""
    return sum(map(len, texts)) + len(texts)
