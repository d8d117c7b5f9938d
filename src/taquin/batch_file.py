"""A batch from a file to a file: reads entries, has them answered, writes and keeps the lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .batch import check, sending
from .batch_lines import answer_lines
from .batch_output import FileOutput, Output, StreamOutput
from .board import Board, Shape
from .boards_file import BoardsFile, LinesSource
from .errors import BatchError, UnknownNameError
from .flow import Flow
from .heartbeat import Cancel
from .result import Limit

FORMS = ("jsonl", "csv", "parquet")


class BatchFile:
    """All boards of a file, a folder or standard input (`-`), and a line of output for each.

    `output` is a file, which is there when it is complete and can be gone on with (`resume`) until
    then, or None for standard output. `options` are those of `solve`. `tally` is the summary.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     boards = Path(folder) / "boards.txt"
    ...     _ = boards.write_text("1 2 3/4 5 6/7 0 8\\n1 2 3/4 5 6/8 7 0\\n1 2 2\\n")
    ...     batch = BatchFile(str(boards), Path(folder) / "results.jsonl")
    ...     batch.run()
    True
    >>> batch.tally.statuses
    Counter({'solved': 1, 'unsolvable': 1, 'bad': 1})
    """

    def __init__(
        self,
        source: str,
        output: Path | None,
        *,
        form: str = "jsonl",
        resume: bool = False,
        layout: str = "auto",
        shape: Shape | None = None,
        moves: str = "tile",
        goal: Board | str | None = None,
        **options: Any,
    ) -> None:
        if form not in FORMS:
            raise UnknownNameError("format", form, FORMS)
        self._goal = goal
        self._options = {**_DEFAULTS, **options}
        check(goal, self._options)
        if form == "parquet":
            from .result_table import require

            require()
        # The lines of a Parquet file are made into one at the end.
        self._how = ("jsonl" if form == "parquet" else form, moves, shape)
        self._file = BoardsFile(source, layout, output)
        run = {
            "input": source,
            "layout": layout,
            "format": form,
            "moves": moves,
            "shape": None if shape is None else list(shape),
            "goal": None if goal is None else str(goal),
            **{name: _plain(value) for name, value in self._options.items()},
        }
        self._output = _open(output, form, run, resume)
        self.before = self._output.tally.boards
        """How many entries were answered by earlier runs."""
        self.position = 0
        """Up to which byte of the input entries are answered."""

    @property
    def tally(self) -> Any:
        return self._output.tally

    @property
    def certain(self) -> int:
        """How many entries need not be answered again, should the run end now."""
        return self._output.certain

    @property
    def total(self) -> int | None:
        """The bytes of the input, if that is known."""
        return self._file.total

    def run(
        self,
        *,
        executor: Executor | None = None,
        workers: int | None = None,
        cancel: Cancel | None = None,
        on_progress: Callable[[BatchFile], object] | None = None,
    ) -> bool:
        """Answer all that is not answered yet; whether the output is complete."""
        output = self._output
        try:
            entries = LinesSource(self._file)
            if isinstance(output, FileOutput) and not output.complete:
                entries.skip(output.done, output.digest, cancel)
                output.check_input()
            if not (isinstance(output, FileOutput) and output.complete):
                self._answer(entries, executor, workers, cancel, on_progress)
            if cancel is not None and cancel.is_set():
                return False
            return output.finish(cancel)
        finally:
            output.close()

    def _answer(
        self,
        entries: LinesSource,
        executor: Executor | None,
        workers: int | None,
        cancel: Cancel | None,
        on_progress: Callable[[BatchFile], object] | None,
    ) -> None:
        how = sending(answer_lines, self._goal, self._options, executor, workers, *self._how)
        with how as (send, pace):
            flow = Flow(entries, send, **pace, cancel=cancel, on_blink=self._output.keep)
            for group, (data, tally) in flow:
                self._output.write(group, data, tally)
                self.position = group.position
                if on_progress is not None:
                    on_progress(self)


_DEFAULTS: dict[str, Any] = {
    "quality": "optimal",
    "algorithm": None,
    "heuristic": None,
    "tables": "auto",
    "metric": "single",
    "limit": None,
}


def _open(output: Path | None, form: str, run: dict[str, Any], resume: bool) -> Output:
    if output is not None and (output.is_file() or not output.exists()):
        return FileOutput(output, run, resume=resume)
    if resume:
        raise BatchError("only a file can be gone on with: --resume needs -o OUT")
    if form == "parquet":
        raise BatchError("Parquet is written to a file: -o OUT")
    if output is None:
        return StreamOutput(sys.stdout.buffer, form)
    return StreamOutput(output.open("wb"), form)


def _plain(value: Any) -> Any:
    """An option as JSON knows it."""
    if isinstance(value, Limit):
        return asdict(value)
    return value if value is None or isinstance(value, (str, int, float)) else str(value)
