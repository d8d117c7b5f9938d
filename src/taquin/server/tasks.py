"""What a job does: a function of what was asked, which tells of its progress and can be cancelled.

All of it is plain values and text, because the same function runs in a thread of the server or in
a worker process.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..board import Board
from ..heartbeat import Cancel
from ..result import Limit, Progress, Solution

Tell = Callable[[str, str], object]
"""Is told a kind (`progress`, `moves`, `item`) and what there is to tell, as JSON."""

Task = Callable[[dict[str, Any], Tell, Cancel], Any]

_FLUSH_SECONDS = 0.05
_FLUSH_EVENTS = 200
"""Expansions are told in bundles: when so much time has passed, or so many are there."""


def perform(name: str, ask: dict[str, Any], tell: Tell, cancel: Cancel) -> str:
    """Do a task; its result as JSON. `TaquinError` if what was asked is misuse."""
    return dump(TASKS[name](ask, tell, cancel))


def dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class _Reporter:
    """Tells of progress, and of the moves when there are better ones."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._moves: object = None

    def __call__(self, progress: Progress) -> None:
        if progress.moves is not None and progress.moves is not self._moves:
            self._moves = progress.moves
            self._tell("moves", dump("".join(progress.moves)))
        self._tell("progress", dump(progress.to_dict()))


def _limit(ask: dict[str, Any]) -> Limit:
    return Limit(**ask["limit"])


def _solve(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> dict[str, Any]:
    from ..solver import solve

    return solve(
        ask["board"],
        ask["goal"],
        limit=_limit(ask),
        on_progress=_Reporter(tell),
        cancel=cancel,
        **ask["options"],
    ).to_dict()


def _watch(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> dict[str, Any]:
    from ..lineage import Lineage
    from ..solver import solve

    lineage = Lineage()
    bundle: list[dict[str, Any]] = []
    flushed = time.monotonic()

    def flush() -> None:
        nonlocal flushed
        if bundle:
            tell("item", dump(bundle))
            bundle.clear()
        flushed = time.monotonic()

    def on_event(event: Any) -> None:
        bundle.append({**event.to_dict(), "parent": lineage.parent(event)})
        if len(bundle) >= _FLUSH_EVENTS or time.monotonic() - flushed > _FLUSH_SECONDS:
            flush()

    result = solve(
        ask["board"],
        ask["goal"],
        limit=_limit(ask),
        on_event=on_event,
        cancel=cancel,
        **ask["options"],
    )
    flush()
    return result.to_dict()


class _Until:
    """Is set when another cancel is, or when the time is over."""

    def __init__(self, cancel: Cancel, seconds: float) -> None:
        self._cancel = cancel
        self._end = time.monotonic() + seconds

    def is_set(self) -> bool:
        return self._cancel.is_set() or time.monotonic() > self._end


def _compare(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> dict[str, Any]:
    from ..comparison import compare

    table = compare(
        [Board(board) for board in ask["boards"]],
        ask["goal"],
        algorithms=ask["algorithms"],
        heuristics=ask["heuristics"],
        limit=_limit(ask),
        on_progress=_Reporter(tell),
        on_result=lambda result: tell("item", dump(result.to_dict())),
        cancel=_Until(cancel, ask["seconds"]),
    )
    rows = [asdict(row) for row in table.rows()]
    return {**table.to_dict(), "rows": rows, "csv": table.to_csv()}


def _analyse(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> dict[str, Any]:
    from ..analysis import analyse
    from ..replay import Replay

    replay = Replay.from_dict(ask["replay"])
    return analyse(replay, limit=_limit(ask), on_progress=_Reporter(tell), cancel=cancel).to_dict()


def _optimum(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> int | None:
    from ..records import quick_optimum

    return quick_optimum(Board(ask["board"]), Board(ask["goal"]), cancel=cancel)


def _export(ask: dict[str, Any], tell: Tell, cancel: Cancel) -> str:
    from ..replay import Replay
    from ..sharing import render

    replay = Replay.from_dict(ask["replay"])
    subject = replay if replay.times else Solution(replay.board, replay.goal, replay.moves)
    return base64.b64encode(render(subject, ask["kind"], **ask["options"])).decode()


TASKS: dict[str, Task] = {
    "solve": _solve,
    "watch": _watch,
    "compare": _compare,
    "analysis": _analyse,
    "optimum": _optimum,
    "export": _export,
}
