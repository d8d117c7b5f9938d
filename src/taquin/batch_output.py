"""Where the lines of a batch go. A file of them can be gone on with, whenever its writer died.

Beside the file OUT there are two while it is being written: OUT.part holds the lines so far, and
OUT.state says how many of them are certain and from which input and options they come. The state is
written to the side and renamed, after the lines that it speaks of: lines that it does not speak of
are cut off and made again. In the end OUT.part becomes OUT.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
import zlib
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from . import __version__
from .batch_lines import heading
from .boards_file import Digest, Lines
from .errors import BatchError
from .heartbeat import Cancel
from .tally import Tally

_FORMAT = "taquin batch 1"
_SECONDS_BETWEEN = 0.5
_CHUNK = 1 << 20


class Output(Protocol):
    """What takes the lines, group by group, in the order of the input."""

    tally: Tally
    certain: int

    def write(self, group: Lines, data: bytes, tally: Tally) -> None: ...

    def keep(self) -> None:
        """Make what was written certain, if it is time to."""

    def finish(self, cancel: Cancel | None = None) -> bool:
        """All is written; whether the output is complete now."""

    def close(self) -> None:
        """No more is written; what there is can be gone on with."""


class StreamOutput:
    """Lines for whoever reads them now."""

    certain = 0

    def __init__(self, stream: BinaryIO, form: str) -> None:
        self.tally = Tally()
        self._stream = stream
        self._heading = heading(form)

    def write(self, group: Lines, data: bytes, tally: Tally) -> None:
        self._stream.write(self._heading + data)
        self._stream.flush()
        self._heading = b""
        self.tally.merge(tally)

    def keep(self) -> None:
        pass

    def finish(self, cancel: Cancel | None = None) -> bool:
        self._stream.write(self._heading)
        self._stream.flush()
        return True

    def close(self) -> None:
        pass


class FileOutput:
    """Lines in a file that is there when it is complete, and can be gone on with until then."""

    def __init__(self, path: Path, run: dict[str, Any], *, resume: bool) -> None:
        self.path = Path(os.path.realpath(path))
        self.run = {"taquin": __version__, **run}
        """What the lines depend on beside the input; plain values."""
        self.done = 0
        """How many entries have their line."""
        self.tally = Tally()
        self.certain = 0
        """How many entries have one that a later run finds."""
        self.complete = False
        self.digest = Digest()
        self._bytes = 0
        self._sum = 0
        self._expected = ""
        self._saved = 0.0
        self._changed = False
        self._saver = ThreadPoolExecutor(1, "taquin-state")
        self._saving: Future[None] | None = None
        self._part = self._beside(".part")
        self._state = self._beside(".state")
        self._file: FileIO | None = None
        self._begin(resume)

    def _beside(self, suffix: str) -> Path:
        return self.path.with_name(self.path.name + suffix)

    # --- beginning

    @staticmethod
    def is_finished(path: Path) -> bool:
        """Whether a file is there and nothing of it is left to do."""
        return path.exists() and not path.with_name(path.name + ".state").exists()

    def _begin(self, resume: bool) -> None:
        if self._state.exists():
            if not resume:
                raise BatchError(
                    f"{self.path} was begun and not finished: go on with --resume, "
                    f"or remove {self._state.name} to begin anew"
                )
            self._load()
        if self.complete and not self._part.exists() and self.path.exists():
            return
        self._file = self._open()
        if self._bytes:
            self._check_part()
        with _naming(self._part):
            self._file.truncate(self._bytes)
            self._file.seek(self._bytes)
        if not self._bytes:
            self._append(heading(self.run["format"]))
            self._save()

    def _open(self) -> FileIO:
        """The file of lines, which no other process may write to; a dead one lets go of it."""
        with _naming(self._part):
            handle = os.open(self._part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
            file = open(handle, "r+b", buffering=0)  # noqa: SIM115
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # By now its last writer may have put it in its place.
                if os.path.samestat(os.fstat(handle), self._part.stat()):
                    return file
            except (BlockingIOError, FileNotFoundError):
                pass
            file.close()
        raise BatchError(f"{self.path} is being written by another process")

    def _load(self) -> None:
        state = self._read()
        for name, mine in self.run.items():
            if state["run"].get(name) != mine:
                raise BatchError(
                    f"{self.path} was begun with {name} {_shown(state['run'].get(name))}, "
                    f"not {_shown(mine)}: it can't be gone on with like this"
                )
        self.done = self.certain = int(state["done"])
        self.complete = bool(state["complete"])
        self.tally = Tally.from_dict(state["tally"])
        self._bytes, self._sum = int(state["bytes"]), int(state["sum"])
        self._expected = str(state["input"])

    def _read(self) -> dict[str, Any]:
        keys = {"format", "run", "done", "complete", "bytes", "sum", "input", "tally"}
        with _naming(self._state):
            text = self._state.read_bytes()
        try:
            state = json.loads(text)
        except ValueError as error:
            raise BatchError(f"{self._state} is damaged: {error}") from None
        if not isinstance(state, dict) or state.get("format") != _FORMAT or keys - state.keys():
            raise BatchError(f"{self._state} is not of this version of taquin")
        return state

    def _check_part(self) -> None:
        """Whether the lines are those that the state speaks of."""
        assert self._file is not None
        left, found = self._bytes, 0
        with _naming(self._part):
            while left and (data := self._file.read(min(left, _CHUNK))):
                found = zlib.crc32(data, found)
                left -= len(data)
        if left or found != self._sum:
            raise BatchError(
                f"{self._part} has been changed: it can't be gone on with; "
                f"remove {self._state.name} to begin anew"
            )

    def check_input(self) -> None:
        """Refuse an input whose first entries are not those that the lines were made from."""
        if self._expected not in ("", self.digest.text()):
            raise BatchError(
                f"the input is not the one from which {self.path} was begun: its first "
                f"{self.done:,} entries differ"
            )

    # --- going on

    def write(self, group: Lines, data: bytes, tally: Tally) -> None:
        self._append(data)
        self.done += len(group)
        self.digest.add(group)
        self.tally.merge(tally)
        self._changed = True

    def keep(self) -> None:
        """Make what was written certain; meanwhile more can be written, as disks are slow."""
        if not self._changed or time.monotonic() - self._saved < _SECONDS_BETWEEN:
            return
        if self._saving is not None:
            if not self._saving.done():
                return
            self._saving.result()
        self._saved, self._changed = time.monotonic(), False
        self._saving = self._saver.submit(self._store, self._snapshot())

    def _append(self, data: bytes) -> None:
        assert self._file is not None
        rest = memoryview(data)
        with _naming(self._part):
            while rest:
                rest = rest[self._file.write(rest) :]
        self._bytes += len(data)
        self._sum = zlib.crc32(data, self._sum)

    def _save(self) -> None:
        """Make what was written certain, and wait for it."""
        if self._saving is not None:
            wait([self._saving])
        self._changed = False
        self._store(self._snapshot())

    def _snapshot(self) -> dict[str, Any]:
        return {
            "format": _FORMAT,
            "run": self.run,
            "done": self.done,
            "complete": self.complete,
            "bytes": self._bytes,
            "sum": self._sum,
            "input": self.digest.text() if self.done else "",
            "tally": self.tally.to_dict(),
        }

    def _store(self, state: dict[str, Any]) -> None:
        """Write a state, after the lines that it speaks of are on the disk."""
        assert self._file is not None
        new = self._beside(".state.new")
        with _naming(self._state):
            os.fsync(self._file.fileno())
            with open(new, "wb") as file:
                file.write(json.dumps(state).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._state)
        self.certain = state["done"]

    # --- ending

    def finish(self, cancel: Cancel | None = None) -> bool:
        """Let the file of lines become the real one; it may have been killed here before."""
        if self._file is not None:
            self.complete = True
            self._save()
            with _naming(self.path):
                if not self._become(cancel):
                    return False
            self._saver.shutdown()
            self._file.close()
        for left in (self._part, self._state):
            left.unlink(missing_ok=True)
        return True

    def _become(self, cancel: Cancel | None) -> bool:
        if self.run["format"] != "parquet":
            self._part.replace(self.path)
            return True
        from .result_table import write_parquet

        new = self._beside(".part.parquet")
        try:
            written = write_parquet(self._part, new, cancel)
            if written:
                new.replace(self.path)
            return written
        finally:
            new.unlink(missing_ok=True)

    def close(self) -> None:
        """Leave what is needed to go on, if it is not finished."""
        if self._file is None or self._file.closed:
            return
        # Where the disk is full the last state remains, which is as good.
        with suppress(OSError):
            if self._changed or self.certain < self.done:
                self._save()
        self._saver.shutdown()
        with suppress(OSError):
            self._beside(".state.new").unlink(missing_ok=True)
            if not self.done:
                self._state.unlink(missing_ok=True)
                self._part.unlink(missing_ok=True)
        self._file.close()


class _naming:  # noqa: N801 -- reads like a word
    """Within, trouble with files names the one that it is about."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(self._path)


def _shown(value: object) -> str:
    return "nothing" if value is None else f"'{value}'"
