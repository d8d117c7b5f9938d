"""The engine: a table where there is one, an answer at once, then the native search."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native, choice, goals, knowledge, tables
from .board import Board
from .checkpoint import Checkpoint
from .errors import OptionError
from .heartbeat import Hook, Stopped
from .job import Job
from .knowledge import Knowledge
from .moves import from_letters
from .partitions import DEFAULT, LARGE, NAMES, SMALL
from .result import Result, Solution, Status

if TYPE_CHECKING:
    from concurrent.futures import Executor

SMALL_CELLS = 16
"""Boards up to this size are mostly solved for good before a better first answer is found,"""
_AT_ONCE = 50_000
"""and those that take no more expansions than this before there need be any."""

_CELL_EFFORT = 120_000
"""How many expansions a cell is worth when an answer is wanted at once,"""
_MOST_EFFORT = 6_000_000
"""at most,"""
_QUICK_EFFORT = 100_000
"""for a small board,"""
_FIRST_EFFORT = 30_000
"""and where it is only the first answer of a longer search, which waits for it."""

_TRIAL = 1_000_000
"""Expansions that a board is worth before its tables are built."""

SHORT = 20_000_000
"""Expansions up to which a search with patterns needs neither a better answer nor help,"""
_CHEAPER = 2.5
"""how many times as many it may be without patterns, where they are quicker,"""
_SHORT_CELLS = 25
"""on boards up to this size."""
_FIRST_TRY = 1_000_000
"""Expansions after which it breaks off for a better answer on larger ones, where it hardly comes to
its end."""

_LEAST_ROOM = 3.5
"""By so many moves answers must be allowed to exceed the lower bound before it pays to look for
longer ones, as a search that does expands more boards within the same bound;"""
_SHORT_ROOM = 5.0
"""by so many where it may be short, because the search for the shortest is quicker then."""

_BEFORE_CHOICE = 2_500
"""For each partition that there is, expansions after which it chooses some: that takes ten
thousand for each, and the next bound, with those at hand, would take as many or more."""

_WIDE_CELLS = 400
"""Boards up to this size are constructed in a moment."""

_LARGE_CELLS = 50_000
"""Boards up to this size are looked at in a moment."""

_MOST_TAKEN = 2_000_000
"""Moves that the core gives and replays in a moment: an answer of so many is not lost when time is
up."""

_THREAD_BYTES = 10_000_000
"""What a thread of a search takes, beside its tables and its fringe."""

_EXACT_WEIGHT = 1.0


def exact_table(
    goal: Board, table_set: str, most_bytes: int | None, hook: Hook | None = None
) -> Any | None:
    """The exact distances to a goal, where they are wanted or there anyway, if they fit."""
    cells = len(goal)
    if table_set not in ("auto", tables.EXACT):
        return None
    if cells <= tables.EXACT_CELLS:
        return tables.exact(goal, hook)
    most_bytes = sys.maxsize if most_bytes is None else most_bytes
    if table_set == tables.EXACT:
        fits = tables.plan(goal, tables.EXACT).memory <= most_bytes
        return tables.obtain_exact(goal, hook) if fits else None
    if cells > tables.STORED_EXACT_CELLS or _native.exact_bytes(*goal.shape) > most_bytes:
        return None
    return tables.find_exact(goal, hook)


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
        executor: Executor | None = None,
        **common: Any,
    ) -> None:
        super().__init__(board, goal, **common)
        self.fast = fast
        self.weight = weight
        self.table_set = table_set
        self.threads = threads
        self.table_bytes = 0
        self.effort_made = -1
        self.executor = executor
        self.last: _native.LastBound | None = None
        self.checkpoint = None if checkpoint is None else Checkpoint(checkpoint, self)

    def is_hopeless(self) -> bool:
        hook = self.early_look()
        if hook is not None:
            self.look()  # the goal was not made in a moment, either
        return not _native.reaches(*self.native_board, hook)

    def solve(self) -> Result:
        try:
            if self.is_hopeless():
                return self.unsolvable("parity", hook=self.early_look())
            if self.metric == "multi":
                return self.by_multi()
            exact = self.exact_table(self.beat)
            if exact is not None:
                return self.by_table(exact)
            self.raise_bound(_native.linear_conflict(*self.native_board, self.early_look()))
            result = self.at_once()
            if result is not None:
                return result
            for effort in self.efforts():
                self.first_answer(effort)
            if self.fast or self.is_proven(self.weight):
                return self.result("solved", "fast", None)
            return self.by_search()
        except Stopped as stop:
            return self.result(stop.status, "fast", None, stop.reason)

    def prepare(self) -> None:
        """Open the tables that a search of such boards uses, or build them if they are worth it.

        No limit on time holds it up. A run that is cancelled ends with `_native.Stopped`.
        """

        def stop(*counts: float) -> bool:
            return self.cancel is not None and self.cancel.is_set()

        if self.fast or self.metric == "multi" or self.table_set in ("none", "walking"):
            return
        # Where there is no memory for what was asked for, each solve will tell.
        with suppress(Stopped):
            if self.exact_table(stop) is not None:
                return
            if self.table_set != "auto":
                self.obtain(stop)
            elif self.best_at_hand(stop) is None and (name := self.worth_building()):
                tables.best(self.goal, stop, name=name, most_bytes=self.heartbeat.memory_limit)

    def take(self, letters: str) -> None:
        """An answer of the core, replayed by another part of it."""
        hook = self.look if len(letters) > _MOST_TAKEN else None
        replayed = _native.is_solved_by(*self.native_board, letters, hook)
        if self.offer(from_letters(letters, hook)):
            self.is_replayed = replayed

    def replays(self, solution: Solution) -> bool:
        return self.is_replayed or super().replays(solution)

    def result(
        self, status: Status, algorithm: str, heuristic: str | None, reason: str = ""
    ) -> Result:
        if self.checkpoint is not None:
            if status in ("solved", "unsolvable"):
                self.checkpoint.remove()
            else:
                self.checkpoint.end(self)
        return super().result(status, algorithm, heuristic, reason)

    # --- tables of all boards

    def exact_table(self, hook: Hook) -> Any | None:
        if len(self.goal) <= tables.EXACT_CELLS:
            return exact_table(self.goal, self.table_set, None, hook)
        if self.table_set == tables.EXACT:
            self.require(tables.plan(self.goal, tables.EXACT))
        try:
            return exact_table(self.goal, self.table_set, self.heartbeat.memory_limit, hook)
        except Stopped:
            self.have_something()
            raise

    def by_table(self, table: Any) -> Result:
        letters = table.moves(self.native_tiles)
        self.take(letters)
        self.raise_bound(len(letters))
        return self.result("solved", "table", None)

    # --- a small board

    def at_once(self) -> Result | None:
        """The result of an optimal search that is over before one could look at a first answer."""
        if len(self.board) > SMALL_CELLS or self.weight != _EXACT_WEIGHT or self.checkpoint:
            return None
        if self.table_set in (knowledge.NONE, knowledge.WALKING):
            return None
        found = tables.opened(self.goal, self.table_set, self.heartbeat.memory_limit)
        if found is None:
            return None
        self.heartbeat.beat()
        return self.search(self.with_patterns(found), pause=_AT_ONCE)

    # --- an answer at once

    def efforts(self) -> Iterator[int]:
        """About how many expansions each first answer may cost; 0 gives a constructed one.

        A better one takes a moment, and somebody may be watching: so there is one before it.
        """
        cells = len(self.board)
        if not self.fast:
            allowed = self.heartbeat.expanded_left()
            quick = _FIRST_EFFORT if allowed is None else min(_FIRST_EFFORT, allowed // 4)
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

    def patience(self, known: Knowledge) -> dict[str, int]:
        """How far a search goes before it waits for a better answer than the first, or for help."""
        if len(self.board) > _SHORT_CELLS:
            return {"budget": _FIRST_TRY}
        if len(self.board) > SMALL_CELLS or self.executor is not None:
            return {"pause": SHORT if known.has_patterns else int(_CHEAPER * SHORT)}
        return {}

    def first_answer(self, effort: int) -> None:
        """An answer at once; `Stopped` if that was too early for one, or on a cancel."""
        self.heartbeat.beat()
        if self.is_good_enough() or effort <= self.effort_made:
            return
        self.effort_made = effort
        watch = _Watch(self)
        found = _native.fast(
            *self.native_board,
            effort,
            memory=self.spare_memory(),
            max_expanded=self.heartbeat.expanded_left(),
            hook=watch,
        )
        watch.count(found.expanded, found.generated)
        letters = found.moves  # asked for once, as they may be millions
        if letters is not None:
            self.take(letters)
        if watch.stop and (letters is None or watch.stop.status == "cancelled"):
            raise watch.stop.anew()
        if letters is None:
            raise self.heartbeat.out_of_memory()

    def have_an_answer(self) -> None:
        """One that costs no expansions, if there is none yet."""
        if self.moves is None:
            constructed = _native.fast(*self.native_board, 0).moves
            assert constructed is not None, "nothing could stop it"
            self.take(constructed)

    def have_something(self) -> None:
        """An answer and a lower bound that cost nothing."""
        self.have_an_answer()
        self.raise_bound(_native.linear_conflict(*self.native_board))

    def is_good_enough(self) -> bool:
        """Whether nothing better is wanted; for a fast answer, whether nothing is better."""
        return self.is_proven(_EXACT_WEIGHT if self.fast else self.weight)

    # --- the search

    def by_search(self) -> Result:
        known = self.knowledge()
        if isinstance(known, Result):
            return known
        try:
            result = self.short_search(known) if self.checkpoint is None else None
            if result is not None:
                return result
            if len(self.board) > SMALL_CELLS:
                self.first_answer(self.strong_effort())
                self.choose_partitions(known, LARGE, DEFAULT)
                self.build_what_is_missing(known)
        except Stopped as stop:
            return self.result(stop.status, "native", known.name, stop.reason)
        if self.executor is not None:
            return self.by_many(known, self.executor)
        result = self.search(known)
        assert result is not None, "only a budget or a pause ends a search without a result"
        return result

    def short_search(self, known: Knowledge) -> Result | None:
        """The result if it comes soon. If not at once, and there is a set for that, it chooses."""
        count = self.choices(known)
        if count:
            result = self.search(known, pause=_BEFORE_CHOICE * count, room=_SHORT_ROOM)
            if result is not None:
                return result
            self.choose_partitions(known, DEFAULT)
        room = _SHORT_ROOM if len(self.board) > SMALL_CELLS else _LEAST_ROOM
        return self.search(known, **self.patience(known), room=room)

    def choose_partitions(self, known: Knowledge, *names: str) -> None:
        """Go on with the partitions that suit the board, if one of these sets is at hand."""
        if self.is_good_enough():
            return
        found = known.choice
        for name in names:
            if found is None and self.may_choose(known, name):
                found = tables.choice_at_hand(
                    self.goal, name, self.heartbeat.memory_limit, self.beat
                )
        if found is not None:
            self.choose_of(found, known)

    def choose_of(self, found: tables.PatternSet, known: Knowledge) -> None:
        """Go on with the two partitions of a set that expand the fewest boards."""
        self.table_bytes = found.size
        patterns = tables.for_search(found, self.goal)
        lowest = patterns.distance(self.native_tiles)
        trial = self.trials(patterns, known.options["pruning"])
        known.choose(found, self.goal, choice.choose(len(patterns), lowest, trial))

    def build_what_is_missing(self, known: Knowledge) -> None:
        """What a long search that knows the small set gets from the default one is worth it."""
        if self.is_good_enough() or not self.may_choose(known, DEFAULT):
            return
        if self.may_build(DEFAULT):
            found = tables.obtain(self.goal, DEFAULT, self.beat)
            self.warning = found.warning
            self.choose_of(found, known)

    def choices(self, known: Knowledge) -> int:
        """From how many partitions a search that is not over at once can choose."""
        if known.choice is not None:
            return len(known.choice.partitions)
        is_possible = self.may_choose(known, DEFAULT) and tables.is_choice(self.goal, DEFAULT)
        return tables.partition_count(self.goal, DEFAULT) if is_possible else 0

    def may_choose(self, known: Knowledge, name: str) -> bool:
        """Whether such a set is larger than the one at hand, if any may be taken."""
        if self.table_set != "auto" or not known.has_patterns:
            return False
        return NAMES.index(name) > NAMES.index(known.tables)

    def trials(self, patterns: _native.Patterns, pruning: _native.MovePruning) -> choice.Trial:
        """Searches with some partitions, up to a bound; `Stopped` when the run is."""

        def trial(numbers: Sequence[int], bound: int, most: int | None) -> int | None:
            watch = _Watch(self)
            found = _native.idastar(
                *self.native_board,
                patterns=patterns.only(numbers),
                pruning=pruning,
                known=bound,
                max_expanded=self.at_most(most),
                hook=watch.without_bounds,
            )
            watch.count(found.expanded, found.generated)
            self.raise_bound(found.lower_bound)
            if found.moves is not None:
                self.take(found.moves)
            if watch.stop is not None:
                raise watch.stop.anew()
            if self.heartbeat.expanded_left() == 0:
                raise self.heartbeat.expanded_limit()
            return found.expanded if found.lower_bound >= bound else None

        return trial

    def by_many(self, known: Knowledge, executor: Executor) -> Result:
        """The search, shared with others."""
        from .coordinator import Coordinator

        checkpoint = self.checkpoint or Checkpoint(None, self)
        if checkpoint.is_new and checkpoint.path is not None:
            result = self.search(known, **self.patience(known))
            if result is not None:
                return result
        try:
            memory = self.spare_memory()
            Coordinator(self, known, executor, checkpoint, self.last, memory).run(self.native_board)
        except Stopped as stop:
            return self.result(stop.status, "native", known.name, stop.reason)
        except Exception:
            checkpoint.end(self)  # workers that are gone may come back
            raise
        return self.result("solved", "native", known.name)

    def search(
        self,
        known: Knowledge,
        budget: int | None = None,
        pause: int = 0,
        room: float = _LEAST_ROOM,
    ) -> Result | None:
        """The result of the search; None at a pause, or when its own budget is used up.

        With less room than this for longer answers it looks for the shortest, and ends as soon as
        the lower bound is good enough for the answer at hand.
        """
        if self.is_proven(self.weight):
            return self.result("solved", "native", known.name)
        watch = _Watch(self, self.checkpoint)
        with nullcontext() if self.checkpoint is None else self.checkpoint.fitting():
            found = _native.idastar(
                *self.native_board,
                **known.options,
                weight=self.weight if self.room() >= room else _EXACT_WEIGHT,
                threads=self.threads,
                known=self.enough_bound(),
                bound=self.heartbeat.lower_bound,
                last=self.last,
                pause=pause,
                checkpoint=None if self.checkpoint is None else self.checkpoint.native,
                memory=self.spare_memory(self.threads * _THREAD_BYTES),
                max_expanded=self.at_most(budget),
                hook=watch,
            )
        watch.count(found.expanded, found.generated)
        self.raise_bound(found.lower_bound)
        self.heartbeat.stats.iterations += found.iterations
        self.last = found.last
        if found.moves is not None:
            self.take(found.moves)
        if found.moves is not None or self.is_proven(self.weight):
            return self.result("solved", "native", known.name)
        stop = watch.stop
        if stop is None:
            if self.heartbeat.expanded_left() != 0:
                return None
            stop = self.heartbeat.expanded_limit()
        self.have_an_answer()
        return self.result(stop.status, "native", known.name, stop.reason)

    def room(self) -> float:
        """By how many moves an answer may be longer than the lower bound."""
        return (self.weight - 1) * self.heartbeat.lower_bound

    def enough_bound(self) -> int:
        """The least lower bound that proves the answer at hand; 0 if there is none."""
        bound = math.floor((self.heartbeat.best or 0) / self.weight)
        while bound * self.weight < (self.heartbeat.best or 0):
            bound += 1
        return bound

    def at_most(self, budget: int | None) -> int | None:
        """How many boards a search with its own budget may expand; None if any number."""
        allowed = self.heartbeat.expanded_left()
        return min((count for count in (allowed, budget) if count is not None), default=None)

    @cached_property
    def native_board(self) -> tuple[int, int, int, tuple[int, ...]]:
        tiles = goals.canonical(self.board, self.goal, self.early_look())
        return (*self.goal.shape, self.goal.blank, tiles)

    @property
    def native_tiles(self) -> tuple[int, ...]:
        return self.native_board[-1]

    def knowledge(self) -> Knowledge | Result:
        """The best there is for the search; or the result, if it came before that was made."""
        if self.table_set == knowledge.NONE:
            return knowledge.plain()
        if self.table_set == knowledge.WALKING:
            return knowledge.walking(self.goal, self.beat)
        if self.table_set != "auto":
            return self.with_patterns(self.obtain(self.beat))
        found = self.best_at_hand(self.beat)
        if found is None:
            without = self.without_patterns()
            name = self.worth_building()
            if name is None:
                return without
            tried = self.search(without, _TRIAL) if self.checkpoint is None else None
            if tried is not None:
                return tried
            self.last = None  # another heuristic, other bounds
            if len(self.board) > SMALL_CELLS:
                self.first_answer(self.strong_effort())
            found = tables.best(
                self.goal, self.beat, name=name, most_bytes=self.heartbeat.memory_limit
            )
        if found.partitions:
            return self.with_patterns(found)
        self.warning = found.warning
        return self.without_patterns()

    def obtain(self, hook: Hook) -> tables.PatternSet:
        """The set that was asked for by its name."""
        found = tables.opened(self.goal, self.table_set, self.heartbeat.memory_limit)
        if found is not None:
            return found
        self.require(tables.plan(self.goal, self.table_set))
        return tables.obtain(self.goal, self.table_set, hook)

    def best_at_hand(self, hook: Hook) -> tables.PatternSet | None:
        return tables.best_at_hand(self.goal, hook, most_bytes=self.heartbeat.memory_limit)

    def with_patterns(self, found: tables.PatternSet) -> Knowledge:
        self.table_bytes = found.size
        self.warning = found.warning
        return knowledge.patterns(found, self.goal)

    def without_patterns(self) -> Knowledge:
        if tables.find_walking(self.goal, self.beat) is None:
            return knowledge.plain()
        return knowledge.walking(self.goal, self.beat)

    def worth_building(self) -> str | None:
        """The default tables, or if they are too much the small ones."""
        return next((name for name in (DEFAULT, SMALL) if self.may_build(name)), None)

    def may_build(self, name: str) -> bool:
        """Whether such tables exist, fit into memory and are ready in half the time left."""
        if name not in tables.set_names(self.goal):
            return False
        plan = tables.plan(self.goal, name)
        limit = self.heartbeat.limit
        if limit.seconds is not None:
            left = limit.seconds - self.heartbeat.seconds()
            if plan.seconds(tables.cores()) > left / 2:
                return False
        return self.fits(plan.memory) and limit.expanded is None

    # --- memory

    def fits(self, size: int) -> bool:
        return size <= self.heartbeat.memory_limit

    def require(self, plan: tables.Plan) -> None:
        """`Stopped` if the memory limit is too low for tables that were asked for."""
        if not self.fits(plan.memory):
            self.have_something()
        self.heartbeat.require_memory(plan.memory, f"the {plan.name} tables")

    def spare_memory(self, needed: int = 0) -> int:
        """Bytes for what a search keeps beside its tables and what it needs in any case."""
        return max(self.heartbeat.memory_limit - self.table_bytes - needed, 0)

    # --- the other metric

    def by_multi(self) -> Result:
        if self.fast or self.weight != _EXACT_WEIGHT or self.table_set != "auto":
            raise OptionError("the multi-tile metric knows no quality and no tables")
        self.first_answer(0)
        # Whether a beat comes before the end is a matter of time, and so would be what it counts.
        watch = _Watch(self, ends_when_proven=False)
        found = _native.multi_idastar(
            *self.native_board,
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
            self.take(found.moves)
        if self.is_proven(_EXACT_WEIGHT):
            return self.result("solved", "native", "patterns-multi")
        stop = watch.stop or self.heartbeat.expanded_limit()
        return self.result(stop.status, "native", "patterns-multi", stop.reason)

    def look(self, *counts: float) -> bool:
        """The hook of what comes before a search and after it."""
        self.heartbeat.beat()
        return False

    def early_look(self) -> Hook | None:
        """The hook of what comes before a search, on boards where that takes more than a moment."""
        return self.look if len(self.board) > _LARGE_CELLS else None

    def beat(self, *counts: float) -> bool:
        """The hook of a table being built, which has nothing to give if it is stopped."""
        self.heartbeat.beat(preparing=True)
        return False


class _Watch:
    """The hook of a native run: counts on from what the job has done, and notes why it stops."""

    def __init__(
        self,
        job: Engine,
        checkpoint: Checkpoint | None = None,
        *,
        ends_when_proven: bool = True,
    ) -> None:
        self.job = job
        self.checkpoint = checkpoint
        self.ends_when_proven = ends_when_proven
        self.stop: Stopped | None = None
        self._expanded = job.heartbeat.stats.expanded
        self._generated = job.heartbeat.stats.generated

    def count(self, expanded: int, generated: int) -> None:
        stats = self.job.heartbeat.stats
        stats.expanded = self._expanded + expanded
        stats.generated = self._generated + generated

    def without_bounds(self, expanded: int, generated: int, *bounds: float) -> bool:
        """The hook of a search whose bounds the job knows already."""
        return self(expanded, generated, 0, 0, 0.0)

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
            self.stop = stop.anew()
        return self.stop is not None or (self.ends_when_proven and job.is_good_enough())
