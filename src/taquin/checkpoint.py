"""A file that keeps how far a search has come, so that another run goes on from there."""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import _native
from .errors import CheckpointError
from .files import write
from .job import Job
from .notation import read_moves, write_moves

_FORMAT = "taquin checkpoint 1"

_SECONDS_BETWEEN = 5.0


class CheckpointFile:
    """The bound that an optimal search has reached, the parts of it that are done, and its answer.

    The file is written every few seconds and at the end, to the side and renamed. It is removed
    when the optimum is proven: then there is nothing left to go on with.
    """

    def __init__(self, path: Path, job: Job) -> None:
        self.path = path
        self.native = _native.Checkpoint()
        self._seconds, self._expanded = 0.0, 0  # of the runs before
        self._saved = time.monotonic()
        if path.exists():
            self._load(job)
        else:
            self._save(job)

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
            self._save(job)

    def end(self, job: Job) -> None:
        """Write the file a last time, or remove it if the search is complete."""
        if job.is_proven(1.0):
            self.path.unlink(missing_ok=True)
        else:
            self._save(job)

    def _save(self, job: Job) -> None:
        state = {
            "format": _FORMAT,
            "board": str(job.board),
            "goal": str(job.goal),
            "bound": self.native.bound,
            "done": base64.b64encode(zlib.compress(self.native.done)).decode(),
            "moves": None if job.moves is None else write_moves(job.moves),
            "expanded": self._expanded + job.heartbeat.stats.expanded,
            "seconds": self._seconds + job.heartbeat.seconds(),
        }
        write(self.path, lambda path: path.write_text(json.dumps(state) + "\n"))
        self._saved = time.monotonic()

    def _load(self, job: Job) -> None:
        state = self._read()
        for what, mine in (("board", str(job.board)), ("goal", str(job.goal))):
            if state[what] != mine:
                raise CheckpointError(f"{self.path} is for the {what} {state[what]}, not {mine}")
        try:
            done = zlib.decompress(base64.b64decode(state["done"], validate=True))
            self.native = _native.Checkpoint(int(state["bound"]), done)
            if state["moves"] is not None:
                moves = read_moves(state["moves"])
                if job.board.slide(moves) == job.goal:
                    job.offer(tuple(moves))
            job.raise_bound(int(state["bound"]))
            self._seconds, self._expanded = float(state["seconds"]), int(state["expanded"])
        except (ValueError, TypeError, zlib.error) as error:
            raise CheckpointError(f"{self.path} is damaged: {error}") from None

    def _read(self) -> dict[str, Any]:
        try:
            state = json.loads(self.path.read_text())
        except (ValueError, UnicodeDecodeError) as error:
            raise CheckpointError(f"{self.path} is not a checkpoint: {error}") from None
        keys = {"format", "board", "goal", "bound", "done", "moves", "expanded", "seconds"}
        if not isinstance(state, dict) or state.get("format") != _FORMAT or keys - state.keys():
            raise CheckpointError(f"{self.path} is not a checkpoint of this version of taquin")
        return state
