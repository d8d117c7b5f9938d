"""The engine: a table where there is one, an answer at once, then the native search."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _native, goals, heuristics, tables
from .board import Board
from .checkpoint import CheckpointFile
from .construct import construct
from .errors import OptionError
from .heartbeat import Hook, Stopped
from .job import Job
from .moves import from_letters
from .partitions import DEFAULT
from .result import Result

SMALL_CELLS = 16
"""Boards up to this size are mostly solved for good before a better first answer is found."""

_CELL_EFFORT = 120_000
"""How many expansions a cell is worth when an answer is wanted at once,"""
_MOST_EFFORT = 6_000_000
"""at most,"""
_QUICK_EFFORT = 100_000
"""for a small board, and where it is only the first answer of a longer search."""

_TRIAL = 1_000_000
"""Expansions that a board is worth before its tables are built."""

_SHORT = 20_000_000
"""Expansions after which a search is long enough to pause for a better answer,"""
_SHORT_CELLS = 25
"""on boards up to this size; on larger ones it hardly comes to its end, and breaks off soon."""

_WIDE_CELLS = 400
"""Boards up to this size are constructed in a moment."""

_EXACT_WEIGHT = 1.0


@dataclass(slots=True)
class Knowledge:
    """What the search knows beside the board, and its name for the result."""

    name: str
    options: dict[str, Any]

    def prepare_for_long(self, hook: Hook) -> None:
        """What takes a moment, and saves more than that in a long search."""
        if "pruning" in self.options:
            self.options["pruning"] = tables.move_pruning(tables.MORE_PRUNED_MOVES, hook)


class Engine(Job):
    """Solves a board by the quickest means at hand."""

    def __init__(
        self,
        board: Board,
        goal: Board | str | None,
        *,
        fast: bool,
        weight: float,
        table_set: str,
        threads: int,
        checkpoint: Path | None,
        **common: Any,
    ) -> None:
        super().__init__(board, goal, **common)
        self.fast = fast
        self.weight = weight
        self.table_set = table_set
        self.threads = threads
        self.effort_made = -1
        self.checkpoint = None if checkpoint is None else CheckpointFile(checkpoint, self)

    def solve(self) -> Result:
        if self.is_hopeless():
            return self.unsolvable("parity")
        try:
            if self.metric == "multi":
                return self.by_multi()
            exact = self.exact_table()
            if exact is not None:
                return self.by_table(exact)
            self.raise_bound(heuristics.linear_conflict(self.board, self.goal))
            for effort in self.efforts():
                self.first_answer(effort)
            if self.fast or self.is_proven(self.weight):
                return self.result("solved", "fast", None)
            if len(self.board) > _native.MAX_CELLS:
                too_large = f"the search is for boards of at most {_native.MAX_CELLS:,} cells"
                return self.result("limit", "fast", None, too_large)
            return self.by_search()
        except Stopped as stop:
            return self.result(stop.status, "fast", None, stop.reason)

    # --- tables of all boards

    def exact_table(self) -> Any | None:
        """The exact distances, where they are wanted or there anyway."""
        cells = len(self.board)
        if self.table_set == "exact":
            obtain = tables.exact if cells <= tables.EXACT_CELLS else tables.obtain_exact
            return obtain(self.goal, self.beat)
        if self.table_set != "auto" or cells > tables.STORED_EXACT_CELLS:
            return None
        if cells <= tables.EXACT_CELLS:
            return tables.exact(self.goal, self.beat)
        return tables.find_exact(self.goal, self.beat)

    def by_table(self, table: Any) -> Result:
        letters = table.moves(goals.canonical(self.board, self.goal))
        self.offer(from_letters(letters))
        self.raise_bound(len(letters))
        return self.result("solved", "table", None)

    # --- an answer at once

    def efforts(self) -> Iterator[int]:
        """About how many expansions each first answer may cost; 0 gives a constructed one.

        A better one takes a moment, and somebody may be watching: so there is one before it.
        """
        cells = len(self.board)
        if not self.fast:
            allowed = self.heartbeat.expanded_left()
            quick = _QUICK_EFFORT if allowed is None else min(_QUICK_EFFORT, allowed // 4)
            yield quick if cells > SMALL_CELLS else 0
        elif SMALL_CELLS < cells <= _WIDE_CELLS:
            yield 0
        # A search for something near the shortest hardly comes to its end on a large board.
        is_large = _SHORT_CELLS < cells <= _WIDE_CELLS
        if self.fast or (self.weight > _EXACT_WEIGHT and is_large):
            yield self.strong_effort()

    def strong_effort(self) -> int:
        if len(self.board) <= SMALL_CELLS:
            return _QUICK_EFFORT
        return min(_CELL_EFFORT * len(self.board), _MOST_EFFORT)

    def patience(self) -> dict[str, int]:
        """How far a search goes before it waits for a better answer than the first."""
        return {"pause": _SHORT} if len(self.board) <= _SHORT_CELLS else {"budget": _SHORT // 20}

    def first_answer(self, effort: int) -> None:
        """An answer at once; `Stopped` if that was too early for one, or on a cancel."""
        self.heartbeat.beat()
        if self.is_good_enough() or effort <= self.effort_made:
            return
        self.effort_made = effort
        if len(self.board) > _native.MAX_CELLS:
            self.offer(construct(self.board, self.goal, self.heartbeat.beat))
            return
        watch = _Watch(self)
        found = _native.fast(
            *self.native_board(),
            effort,
            max_expanded=self.heartbeat.expanded_left(),
            hook=watch,
        )
        watch.count(found.expanded, found.generated)
        if found.moves is not None:
            self.offer(from_letters(found.moves))
        if watch.stop and (found.moves is None or watch.stop.status == "cancelled"):
            raise watch.stop

    def is_good_enough(self) -> bool:
        """Whether nothing better is wanted; for a fast answer, whether nothing is better."""
        return self.is_proven(_EXACT_WEIGHT if self.fast else self.weight)

    # --- the search

    def by_search(self) -> Result:
        knowledge = self.knowledge()
        if isinstance(knowledge, Result):
            return knowledge
        if len(self.board) > SMALL_CELLS:
            if self.checkpoint is None:
                result = self.search(knowledge, **self.patience())
                if result is not None:
                    return result
            self.first_answer(self.strong_effort())
            knowledge.prepare_for_long(self.beat)
        result = self.search(knowledge)
        assert result is not None, "only a budget or a pause ends a search without a result"
        return result

    def search(
        self, knowledge: Knowledge, budget: int | None = None, pause: int = 0
    ) -> Result | None:
        """The result of the search; None at a pause, or when its own budget is used up."""
        if self.is_proven(self.weight):
            return self.result("solved", "native", knowledge.name)
        allowed = self.heartbeat.expanded_left()
        within = [count for count in (allowed, budget) if count is not None]
        watch = _Watch(self, self.checkpoint)
        with nullcontext() if self.checkpoint is None else self.checkpoint.fitting():
            found = _native.idastar(
                *self.native_board(),
                **knowledge.options,
                weight=self.weight,
                threads=self.threads,
                known=self.heartbeat.best or 0,
                bound=self.heartbeat.lower_bound,
                pause=pause,
                checkpoint=None if self.checkpoint is None else self.checkpoint.native,
                max_expanded=min(within, default=None),
                hook=watch,
            )
        watch.count(found.expanded, found.generated)
        self.raise_bound(found.lower_bound)
        self.heartbeat.stats.iterations += found.iterations
        if found.moves is not None:
            self.offer(from_letters(found.moves))
        if self.checkpoint is not None:
            self.checkpoint.end(self)
        if found.moves is not None or self.is_proven(self.weight):
            return self.result("solved", "native", knowledge.name)
        stop = watch.stop
        if stop is None:
            if self.heartbeat.expanded_left() != 0:
                return None
            stop = self.heartbeat.expanded_limit()
        return self.result(stop.status, "native", knowledge.name, stop.reason)

    def native_board(self) -> tuple[int, int, int, tuple[int, ...]]:
        return (*self.goal.shape, self.goal.blank, goals.canonical(self.board, self.goal))

    def knowledge(self) -> Knowledge | Result:
        """The best there is for the search; or the result, if it came before that was made."""
        if self.table_set == "none":
            return Knowledge("manhattan", {})
        if self.table_set == "walking":
            walking = tables.walking(self.goal, self.beat)
            return Knowledge("walking-distance", {"walking": walking})
        if self.table_set != "auto":
            return self.with_patterns(tables.obtain(self.goal, self.table_set, self.beat))
        found = tables.best_at_hand(self.goal, self.beat)
        if found is None or not self.fits(found.bytes):
            without = self.without_patterns()
            if not self.may_build():
                return without
            tried = self.search(without, _TRIAL) if self.checkpoint is None else None
            if tried is not None:
                return tried
            found = tables.best(self.goal, self.beat)
        self.warning = found.warning
        return self.with_patterns(found) if found.partitions else self.without_patterns()

    def with_patterns(self, found: tables.PatternSet) -> Knowledge:
        patterns = tables.for_search(found, self.goal)
        options = {"patterns": patterns, "pruning": tables.move_pruning(hook=self.beat)}
        return Knowledge(f"patterns-{found.name}", options)

    def without_patterns(self) -> Knowledge:
        walking = tables.find_walking(self.goal, self.beat)
        if walking is None:
            return Knowledge("manhattan", {})
        return Knowledge("walking-distance", {"walking": walking})

    def may_build(self) -> bool:
        """Whether the default tables exist, fit into memory and are ready in half the time left."""
        if DEFAULT not in tables.set_names(self.goal):
            return False
        plan = tables.plan(self.goal, DEFAULT)
        limit = self.heartbeat.limit
        if limit.seconds is not None:
            left = limit.seconds - self.heartbeat.seconds()
            if plan.seconds(tables.cores()) > left / 2:
                return False
        return self.fits(plan.bytes) and limit.expanded is None

    def fits(self, size: int) -> bool:
        return size <= self.heartbeat.memory_limit

    # --- the other metric

    def by_multi(self) -> Result:
        if self.fast or self.weight != _EXACT_WEIGHT or self.table_set != "auto":
            raise OptionError("the multi-tile metric knows no quality and no tables")
        self.first_answer(0)
        watch = _Watch(self)
        found = _native.multi_idastar(
            *self.native_board(),
            threads=self.threads,
            tables=tables.multi(self.goal),
            memory=self.heartbeat.memory_limit,
            max_expanded=self.heartbeat.expanded_left(),
            hook=watch,
        )
        watch.count(found.expanded, found.generated)
        self.raise_bound(found.lower_bound)
        self.heartbeat.stats.iterations = list(found.iterations)
        if found.moves is not None:
            self.offer(from_letters(found.moves))
        if self.is_proven(_EXACT_WEIGHT):
            return self.result("solved", "native", "patterns-multi")
        stop = watch.stop or self.heartbeat.expanded_limit()
        return self.result(stop.status, "native", "patterns-multi", stop.reason)

    def beat(self, *counts: float) -> bool:
        """The hook of a table being built, which has nothing to give if it is stopped."""
        self.heartbeat.beat()
        return False


class _Watch:
    """The hook of a native run: counts on from what the job has done, and notes why it stops."""

    def __init__(self, job: Engine, checkpoint: CheckpointFile | None = None) -> None:
        self.job = job
        self.checkpoint = checkpoint
        self.stop: Stopped | None = None
        self._expanded = job.heartbeat.stats.expanded
        self._generated = job.heartbeat.stats.generated

    def count(self, expanded: int, generated: int) -> None:
        stats = self.job.heartbeat.stats
        stats.expanded = self._expanded + expanded
        stats.generated = self._generated + generated

    def __call__(
        self, expanded: int, generated: int, bound: int, lower_bound: int, share: float
    ) -> bool:
        job = self.job
        self.count(expanded, generated)
        if bound:
            job.heartbeat.stands_at(bound, share)
            job.raise_bound(lower_bound)
        if self.checkpoint is not None:
            self.checkpoint.keep(job)
        try:
            job.heartbeat.beat()
        except Stopped as stop:
            self.stop = stop
        return self.stop is not None or job.is_good_enough()
