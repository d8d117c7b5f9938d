"""Hints that follow the player: the best answer known from every board that the game comes by.

One thread searches in the background, with an answer at once and better ones later. A move along
the answer, or back, costs no search; any other move ends the search and begins a new one.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from . import goals
from .board import Board, Move
from .errors import OptionError, TaquinError
from .moves import tile_numbers
from .result import Limit, Progress, Result, Solution, proof_of

PLANNING = Limit(seconds=30)
"""What a search may take that nobody waits for."""

_STAGES: tuple[tuple[str, int | None], ...] = (("fast", 1), ("fast", None), ("optimal", None))
"""Quality and expansions of each stage: a constructed answer, a good one, then the shortest."""

_NICE = 10
"""How far the search stands back, on the scale from 0 to 19."""

_MOST_KEPT = 1000
"""Boards of which the planner remembers what it knew."""


def _let_others_first() -> None:
    """The player's keys come before this thread; only Linux gives threads priorities."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)


@dataclass(frozen=True, slots=True)
class Hint:
    """The next moves of the best answer known."""

    moves: tuple[Move, ...]
    tiles: tuple[int, ...]
    """The tile that each of these moves slides."""
    left: int
    """How many moves there are to the goal by this answer,"""
    lower_bound: int
    """and which number no answer can do without."""
    planning: bool
    """Whether a better answer is being looked for."""

    @property
    def proof(self) -> str:
        """`optimal`, `within:W` or `none`, as of a `Result`."""
        return proof_of(self.left, self.lower_bound)

    def __str__(self) -> str:
        """
        >>> print(Hint((), (), 104, 92, planning=True))
        104 moves to the goal by the best answer known so far; at least 92 are needed
        """
        if self.left == 0:
            return "this is the goal"
        to_go = f"{self.left} move{'' if self.left == 1 else 's'} to the goal"
        if self.proof == "optimal":
            return f"{to_go}, the fewest possible"
        so_far = " so far" if self.planning else ""
        return f"{to_go} by the best answer known{so_far}; at least {self.lower_bound} are needed"


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a board: moves to the goal, and how many are needed at least."""

    moves: tuple[Move, ...]
    lower_bound: int
    search: _Search | None
    """The search that looks for better, or has looked for it; None if none did."""

    @property
    def is_optimal(self) -> bool:
        return len(self.moves) == self.lower_bound

    @property
    def is_settled(self) -> bool:
        """Whether no new search is wanted."""
        return self.is_optimal or self.is_sought

    @property
    def is_sought(self) -> bool:
        return self.search is not None and not self.search.abandoned

    def after(self, move: Move) -> Answer:
        """What this says of the board one move on: one needed move may have been made."""
        bound = max(self.lower_bound - 1, 0)
        if self.moves[:1] == (move,):
            return Answer(self.moves[1:], bound, self.search)
        return Answer((move.opposite, *self.moves), bound, None)

    def joined(self, other: Answer) -> Answer:
        """The best of two answers for one board."""
        is_shorter = len(other.moves) < len(self.moves)
        moves, search = other.moves if is_shorter else self.moves, self.search
        # Who comes back to a board takes up its own search again, not that of the way back.
        if other.is_sought and (is_shorter or search is None):
            search = other.search
        return Answer(moves, max(self.lower_bound, other.lower_bound), search)


class _Search:
    """One search in the background. It is its own `Cancel`."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.trail: list[Move] = []
        """The moves made since it began."""
        self.abandoned = False
        self.stopped = False
        self.started = time.perf_counter()
        self.progress = Progress(0.0, 0, 0, None, 0)

    def is_set(self) -> bool:
        # A program that ends without closing its game must not wait for the search.
        return self.stopped or self.abandoned or not threading.main_thread().is_alive()

    def goes_along(self, move: Move) -> None:
        if self.trail and self.trail[-1] == move.opposite:
            self.trail.pop()
        else:
            self.trail.append(move)


class Planner:
    """Knows a way to the goal from where the player is, and looks for a better one meanwhile.

    >>> with Planner(Board("1 2 3 / 4 5 6 / 0 7 8")) as planner:
    ...     planner.wait_for_answer()
    ...     print(planner.hint(2).tiles, planner.hint())
    True
    (7, 8) 2 moves to the goal, the fewest possible
    """

    def __init__(
        self,
        board: Board,
        goal: Board | str | None = None,
        *,
        limit: Limit = PLANNING,
        closed: bool = False,
    ) -> None:
        self.goal = goals.resolve(goal, board.shape)
        self.limit = limit
        self.searches = 0
        """How many searches were begun."""
        self.problem = ""
        """In words: what kept the last search from its end, other than limits."""
        self._here = board
        self._answers: dict[Board, Answer] = {}
        self._search: _Search | None = None
        self._thread: threading.Thread | None = None
        self._closed = closed
        self._changed = threading.Condition(threading.RLock())
        with self._changed:
            self._settle()

    # --- where the player is

    @property
    def board(self) -> Board:
        """The board from which the next hint is given."""
        return self._here

    def follow(self, moves: Iterable[Move]) -> None:
        """The player has made moves, or has taken some back."""
        with self._changed:
            for move in moves:
                answer = self._answers.get(self._here)
                self._here = self._here.slide(move)
                if answer is not None:
                    self._keep(self._here, answer.after(move))
                if self._search is not None:
                    self._search.goes_along(move)
            self._settle()

    def jump(self, board: Board) -> None:
        """The player is at another board, such as the first one again."""
        with self._changed:
            self._here = board
            if self._search is not None:
                if board == self._search.board:
                    self._search.trail.clear()
                else:
                    self._abandon()
            self._settle()

    # --- what is known

    def answer(self, board: Board | None = None) -> Answer | None:
        """What is known of a board, by default of where the player is."""
        with self._changed:
            return self._answers.get(self._here if board is None else board)

    def hint(self, count: int = 1) -> Hint | None:
        """The next moves by the best answer known; None while there is none. Never waits."""
        if count < 0:
            raise OptionError(f"there are no {count} next moves")
        with self._changed:
            answer = self._answers.get(self._here)
            if answer is None:
                return None
            moves = answer.moves[:count]
            return Hint(
                moves,
                tuple(tile_numbers(self._here, moves)),
                len(answer.moves),
                answer.lower_bound,
                self.planning and not answer.is_optimal,
            )

    @property
    def solution(self) -> Solution | None:
        """The best answer known from here."""
        with self._changed:
            answer = self._answers.get(self._here)
            return None if answer is None else Solution(self._here, self.goal, answer.moves)

    @property
    def planning(self) -> bool:
        """Whether a search is going on."""
        return self._search is not None

    @property
    def progress(self) -> Progress | None:
        """How the search goes, its lengths counted from here; None if there is no search."""
        with self._changed:
            search, answer = self._search, self._answers.get(self._here)
            if search is None:
                return None
            seconds = time.perf_counter() - search.started
            if answer is None:
                return replace(search.progress, seconds=seconds)
            return replace(
                search.progress,
                seconds=seconds,
                best=len(answer.moves),
                lower_bound=answer.lower_bound,
            )

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until no search goes on; false if that takes longer."""
        return self._wait_until(lambda: self._search is None, seconds)

    def wait_for_answer(self, seconds: float | None = None) -> bool:
        """Wait until there is an answer, perhaps not the best; false if that takes longer."""
        self._wait_until(lambda: self._here in self._answers or self._search is None, seconds)
        return self._here in self._answers

    # --- the end of it

    def cancel(self) -> None:
        """Stop the search and be content with the best answer known, until the player leaves it."""
        with self._changed:
            if self._search is not None:
                self._search.stopped = True

    def close(self) -> None:
        """Stop the search for good; nothing is left running."""
        with self._changed:
            self._closed = True
            self._abandon()
            thread = self._thread
        if thread is not None:
            thread.join()

    def __enter__(self) -> Planner:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- what the player's moves lead to

    def _settle(self) -> None:
        """Begin a search if one is wanted, and end one that is not."""
        if self._here == self.goal:
            self._keep(self._here, Answer((), 0, None))
        answer = self._answers.get(self._here)
        if answer is None or not answer.is_settled:
            self._begin()
        elif answer.search is not self._search:
            self._abandon()
        self._changed.notify_all()

    def _begin(self) -> None:
        self._abandon()
        if self._closed:
            return
        self.searches += 1
        self._search = _Search(self._here)
        answer = self._answers.get(self._here)
        if answer is not None:
            self._answers[self._here] = replace(answer, search=self._search)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._work, name="taquin-planner")
            self._thread.start()

    def _abandon(self) -> None:
        if self._search is not None:
            self._search.abandoned = True
            self._search = None

    def _keep(self, board: Board, answer: Answer) -> Answer:
        """Add to what is known of a board."""
        known = self._answers.pop(board, None)
        if known is not None:
            answer = known.joined(answer)
        self._answers[board] = answer
        if len(self._answers) > _MOST_KEPT:
            del self._answers[next(iter(self._answers))]
        return answer

    # --- in the background

    def _work(self) -> None:
        _let_others_first()
        while (search := self._next()) is not None:
            try:
                self._run(search)
            except (TaquinError, OSError, MemoryError) as error:
                self.problem = str(error) or type(error).__name__
            finally:
                self._finish(search)

    def _next(self) -> _Search | None:
        with self._changed:
            if self._search is None:
                self._thread = None
            return self._search

    def _run(self, search: _Search) -> None:
        from .solver import solve

        self.problem = ""
        for quality, expanded in _STAGES:
            result = solve(
                search.board,
                self.goal,
                quality=quality,
                limit=self._stage_limit(search, expanded),
                on_progress=lambda progress: self._note(search, progress),
                cancel=search,
            )
            self._learn(search, result)
            if search.is_set() or result.proof == "optimal":
                return

    def _stage_limit(self, search: _Search, expanded: int | None) -> Limit:
        seconds = self.limit.seconds
        if seconds is not None:
            seconds = max(seconds - (time.perf_counter() - search.started), 0)
        return Limit(seconds, expanded or self.limit.expanded, self.limit.memory)

    def _note(self, search: _Search, progress: Progress) -> None:
        search.progress = progress
        with self._changed:
            known = self._answers.get(search.board)
            if known is not None and progress.lower_bound > known.lower_bound:
                self._tell(search, replace(known, lower_bound=progress.lower_bound))

    def _learn(self, search: _Search, result: Result) -> None:
        if result.solution is not None:
            with self._changed:
                self._tell(search, Answer(result.solution.moves, result.lower_bound, search))

    def _tell(self, search: _Search, answer: Answer) -> None:
        """What was found out is true for the player too, who may have moved on."""
        board = search.board
        answer = self._keep(board, answer)
        for move in [] if search.abandoned else search.trail:
            board = board.slide(move)
            answer = self._keep(board, answer.after(move))
        self._changed.notify_all()

    def _finish(self, search: _Search) -> None:
        with self._changed:
            if self._search is search:
                self._search = None
                self._look_from_here(search)
            self._changed.notify_all()

    def _look_from_here(self, search: _Search) -> None:
        """The player followed an answer that the search has left for a shorter one."""
        found, answer = self._answers.get(search.board), self._answers.get(self._here)
        if found is None or answer is None or search.is_set():
            return
        if found.is_optimal and not answer.is_optimal:
            self._begin()

    def _wait_until(self, happens: Callable[[], bool], seconds: float | None) -> bool:
        with self._changed:
            return self._changed.wait_for(happens, seconds)
