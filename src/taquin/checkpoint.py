"""A file that keeps how far a search has come, so that another run goes on from there."""

from __future__ import annotations

import base64
import hashlib
import json
import time
import zlib
from array import array
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from . import _native
from .errors import CheckpointError
from .files import write
from .job import Job
from .notation import read_moves, write_moves
from .subtrees import Fringe, Ways

_FORMAT = "taquin checkpoint 3"

_SECONDS_BETWEEN = 5.0


class Checkpoint:
    """The bound that an optimal search has reached, the parts of it that are done, and its answer.

    If it has a file, that is written every few seconds and at the end, to the side and renamed. It
    is removed when the optimum is proven: then there is nothing left to go on with. A file that
    can't be written any more ends no search.
    """

    def __init__(self, path: Path | None, job: Job) -> None:
        self.path = path
        self.native = _native.Checkpoint()
        self.fringe: Fringe | None = None
        """Boards just beyond the bound, if not the native search gathers them."""
        self._begun: dict[int, list[str]] = {}
        self._begun_within = 0
        self._seconds, self._expanded = 0.0, 0  # of the runs before
        self._saved = time.monotonic()
        if path is not None and path.exists():
            self._load(path, job)
        else:
            self._save(job)

    @property
    def bound(self) -> int:
        return self.native.bound

    @property
    def is_new(self) -> bool:
        """Whether no search has been divided yet."""
        return not self.native.done

    def expanded(self, job: Job) -> int:
        """Boards expanded by all runs so far."""
        return self._expanded + job.heartbeat.stats.expanded

    @contextmanager
    def fitting(self) -> Iterator[None]:
        """Within, a search that divides its work in another way is refused."""
        try:
            yield
        except ValueError as error:
            raise CheckpointError(f"{self.path} does not fit: {error}") from None

    def keep(self, job: Job) -> None:
        """Write the file, if it is time to."""
        if time.monotonic() - self._saved >= _SECONDS_BETWEEN:
            self._saved = time.monotonic()
            with suppress(OSError):  # the next time may be better, and the last one tells
                self._save(job)

    def end(self, job: Job) -> None:
        """Write the file a last time; the job is warned if that can't be."""
        try:
            self._save(job)
        except OSError as error:
            job.warning = f"{self.path} could not be written: {error.strerror}"

    def remove(self) -> None:
        """There is nothing left to go on with."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    # --- for who shares out the search; a native search looks after these by itself

    @property
    def begun(self) -> dict[int, list[str]]:
        """What is left of each subtree that is begun, as paths to smaller ones."""
        return self._begun if self._begun_within == self.bound else {}

    def open(self, paths: Sequence[str], bound: int, expanded: int) -> None:
        """Begin or go on with a search that is divided into these subtrees.

        One that begins has expanded so many boards within the bound before.
        """
        with self.fitting():
            self.native.open(len(paths), bound, expanded)
            for number, left in self.begun.items():
                if not all(path.startswith(paths[number]) for path in left):
                    raise ValueError(f"what is left of subtree {number} is elsewhere")

    def begin(self, number: int, left: Set[str]) -> None:
        """This is left of a subtree."""
        if self._begun_within != self.bound:
            self._begun, self._begun_within = {}, self.bound
        self._begun[number] = sorted(left)

    def finish(self, number: int, size: int) -> None:
        """A subtree is done."""
        self.begun.pop(number, None)
        self.native.finish(number, size)

    def next_bound(self, bound: int, order: Sequence[int]) -> None:
        """Begin anew, with the subtrees in this order before the others."""
        self.fringe = None
        self.native.begin(bound, order)

    def _ways(self) -> Ways:
        """To the nearest of the boards just beyond the bound."""
        return self.native.fringe if self.fringe is None else self.fringe.nearest(_native.MOST_KEPT)

    def _save(self, job: Job) -> None:
        if self.path is None:
            return
        state = {
            "format": _FORMAT,
            "board": str(job.board),
            "goal": str(job.goal),
            "bound": self.native.bound,
            "done": _pack(self.native.done),
            "sizes": _numbers(self.native.sizes),
            "found": _numbers(self.native.found),
            "order": _numbers(self.native.order),
            "begun": self.begun,
            "fringe": [
                [h, len(ways) // (self.bound + 2 - h), _text(_native.pack_ways(ways))]
                for h, ways in self._ways()
            ],
            "moves": None if job.moves is None else write_moves(job.moves),
            "expanded": self.expanded(job),
            "seconds": self._seconds + job.heartbeat.seconds(),
        }
        text = json.dumps({**state, "checksum": _checksum(state)}) + "\n"
        write(self.path, lambda path: path.write_text(text))

    def _load(self, path: Path, job: Job) -> None:
        state = _read(path)
        for what, mine in (("board", str(job.board)), ("goal", str(job.goal))):
            if state[what] != mine:
                raise CheckpointError(f"{self.path} is for the {what} {state[what]}, not {mine}")
        try:
            beyond = int(state["bound"]) + 2
            fringe = [
                (h, _native.unpack_ways(_data(ways), count * (beyond - h)))
                for h, count, ways in state["fringe"]
            ]
            self.native = _native.Checkpoint(
                int(state["bound"]),
                _unpack(state["done"]),
                _numbers_of(state["sizes"]),
                _numbers_of(state["found"]),
                _numbers_of(state["order"]),
                fringe,
            )
            for number, left in dict(state["begun"]).items():
                if not self.native.done[int(number)]:
                    self.begin(int(number), {str(path) for path in left})
            if state["moves"] is not None:
                moves = read_moves(state["moves"])
                if job.board.slide(moves) == job.goal:
                    job.offer(tuple(moves))
            job.raise_bound(int(state["bound"]))
            self._seconds, self._expanded = float(state["seconds"]), int(state["expanded"])
        except (ValueError, TypeError, LookupError, OverflowError, zlib.error) as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        state = json.loads(path.read_text())
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path} is not a checkpoint: {error}") from None
    if not isinstance(state, dict) or state.get("format") != _FORMAT:
        raise CheckpointError(f"{path} is not a checkpoint of this version of taquin")
    if state.pop("checksum", None) != _checksum(state):
        raise CheckpointError(f"{path} is damaged: its checksum is wrong")
    return state


def _checksum(state: dict[str, Any]) -> str:
    """The same for what was written and for what is read of it."""
    return hashlib.sha256(json.dumps(state).encode()).hexdigest()


def _numbers(numbers: Sequence[int]) -> str:
    return _pack(array("Q", numbers).tobytes())


def _numbers_of(text: str) -> list[int]:
    return array("Q", _unpack(text)).tolist()


def _pack(data: bytes) -> str:
    return _text(zlib.compress(data))


def _unpack(text: str) -> bytes:
    return zlib.decompress(_data(text))


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _data(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
