"""bench(): run a set of boards with known optima, check every answer, measure what it took."""

from __future__ import annotations

import math
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median
from typing import Any, Literal, get_args

from . import __version__, leftovers, search, sets, tables
from .board import Board
from .errors import BenchmarkError, OptionError
from .heartbeat import Cancel, Heartbeat, Stopped
from .result import Limit, Progress, Result
from .sets import Instance, InstanceSet
from .solver import solve
from .tables import check_name as check_table_set

FORMAT = 1
"""The shape of what `Benchmark.to_dict` writes; another number can't be compared."""

Verdict = Literal["optimal", "longer", "limit", "cancelled", "wrong"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Run:
    """What one board took, and what its answer is worth against the known optimum."""

    id: int
    optimum: int
    verdict: Verdict
    """`optimal`; `longer`, where that was allowed; `limit` and `cancelled`, with sound bounds; or
    `wrong`: the answer contradicts the known optimum, or what was asked for."""
    problem: str
    """In words: what is wrong, or what stopped the run."""
    length: int | None
    lower_bound: int
    seconds: float
    expanded: int
    generated: int
    heuristic: str | None

    @classmethod
    def of(cls, instance: Instance, result: Result, factor: float) -> Run:
        """The run that gave a result, which was to be at most `factor` × the optimum."""
        problem = contradiction(instance.optimum, result, factor)
        return cls(
            id=instance.id,
            optimum=instance.optimum,
            verdict="wrong" if problem else _verdict(instance.optimum, result),
            problem=problem or result.reason,
            length=result.length,
            lower_bound=result.lower_bound,
            seconds=round(result.stats.seconds, 6),
            expanded=result.stats.expanded,
            generated=result.stats.generated,
            heuristic=result.heuristic or result.algorithm,
        )


def _verdict(optimum: int, result: Result) -> Verdict:
    if result.status == "limit" or result.status == "cancelled":
        return result.status
    return "optimal" if result.length == optimum else "longer"


def contradiction(optimum: int, result: Result, factor: float = 1.0) -> str:
    """In words: how a result contradicts a known optimum; empty if it does not.

    A result that was stopped makes no promise, but its bounds must hold. One that is solved must
    also be at most `factor` × the optimum.
    """
    if result.status == "unsolvable":
        return f"called unsolvable, but {optimum} moves are known to solve it"
    if result.length is not None and result.length < optimum:
        return f"{result.length} moves found, fewer than the known optimum {optimum}"
    if result.lower_bound > optimum:
        return f"at least {result.lower_bound} moves claimed, but {optimum} are known to do"
    if result.status == "solved" and (result.length is None or result.length > factor * optimum):
        allowed = "" if factor == 1 else f"{factor:g} × "
        return f"{result.length} moves given, more than {allowed}the known optimum {optimum}"
    return ""


@dataclass(frozen=True, slots=True)
class Figures:
    """A figure over all runs of a set."""

    mean: float
    median: float
    worst: float
    total: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Figures:
        return cls(fmean(values), median(values), max(values), math.fsum(values))

    def to_dict(self, digits: int | None = 6) -> dict[str, float]:
        return {name: round(value, digits) for name, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The runs of one set."""

    name: str
    title: str
    size: int
    """How many instances were to be run; there are fewer runs if it was cancelled."""
    options: dict[str, Any]
    tables: tuple[str, ...]
    """The stored tables that were at hand."""
    runs: tuple[Run, ...]
    warning: str = ""
    machine: dict[str, Any] = field(default_factory=lambda: machine())
    version: str = __version__
    started_at: str = ""

    @property
    def is_complete(self) -> bool:
        return len(self.runs) == self.size and not self.count("cancelled")

    def count(self, verdict: Verdict) -> int:
        return sum(run.verdict == verdict for run in self.runs)

    @property
    def wrong(self) -> list[Run]:
        return [run for run in self.runs if run.verdict == "wrong"]

    def figures(self) -> dict[str, Figures]:
        """Moves (of those that have an answer), seconds and expansions; none if nothing ran."""
        values: dict[str, list[float]] = {
            "moves": [run.length for run in self.runs if run.length is not None],
            "seconds": [run.seconds for run in self.runs],
            "expanded": [run.expanded for run in self.runs],
        }
        return {name: Figures.of(found) for name, found in values.items() if found}

    @property
    def expanded_per_second(self) -> float:
        seconds = math.fsum(run.seconds for run in self.runs)
        return sum(run.expanded for run in self.runs) / seconds if seconds else 0.0

    @property
    def times_optimum(self) -> float | None:
        """How many times as long as the optima the answers are, on average."""
        ratios = [run.length / run.optimum for run in self.runs if run.length and run.optimum]
        return fmean(ratios) if ratios else None

    @property
    def heuristics(self) -> list[str]:
        """What guided the runs, as they tell it."""
        return list(dict.fromkeys(run.heuristic for run in self.runs if run.heuristic))

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values; `from_dict` reads it."""
        return {
            "format": FORMAT,
            "set": self.name,
            "title": self.title,
            "size": self.size,
            "complete": self.is_complete,
            "version": self.version,
            "started_at": self.started_at,
            "machine": self.machine,
            "options": self.options,
            "tables": list(self.tables),
            "heuristics": self.heuristics,
            "warning": self.warning,
            "verdicts": {name: self.count(name) for name in VERDICTS},
            "figures": {name: figures.to_dict() for name, figures in self.figures().items()},
            "expanded_per_second": round(self.expanded_per_second),
            "times_optimum": None if self.times_optimum is None else round(self.times_optimum, 6),
            "runs": [asdict(run) for run in self.runs],
        }

    @classmethod
    def from_dict(cls, data: Any) -> Benchmark:
        """What `to_dict` wrote; BenchmarkError if it is something else."""
        try:
            if data["format"] != FORMAT:
                raise BenchmarkError(f"this has format {data['format']}, not {FORMAT}")
            return cls(
                name=data["set"],
                title=data["title"],
                size=data["size"],
                options=dict(data["options"]),
                tables=tuple(data["tables"]),
                runs=tuple(
                    Run(**{f.name: run[f.name] for f in fields(Run)}) for run in data["runs"]
                ),
                warning=data["warning"],
                machine=dict(data["machine"]),
                version=data["version"],
                started_at=data["started_at"],
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, BenchmarkError):
                raise
            raise BenchmarkError(f"this is no benchmark of taquin: {error!r}") from None


def bench(
    boards: str | InstanceSet,
    *,
    quality: str | float = "optimal",
    algorithm: str | None = None,
    heuristic: str | None = None,
    tables: str = "auto",
    threads: int = 1,
    limit: Limit | None = None,
    repeat: int = 1,
    on_progress: Callable[[Progress], object] | None = None,
    on_run: Callable[[Run], object] | None = None,
    cancel: Cancel | None = None,
    **options: float,
) -> Benchmark:
    """Solve every board of a set and check each answer against the known optimum.

    The options are those of `solve`; `limit` holds for each board. Tables are made ready before
    any clock starts. With `repeat`, every board is solved so many times, and the quickest counts.
    A cancel ends it with what was done so far, the board at hand included.

    >>> done = bench("farthest-3x3", algorithm="astar", heuristic="linear-conflict")
    >>> [(run.verdict, run.length, run.expanded) for run in done.runs]
    [('optimal', 31, 3827), ('optimal', 31, 3827)]
    """
    if repeat < 1:
        raise OptionError(f"every board must be solved at least once, not {repeat} times")
    chosen = sets.load(boards) if isinstance(boards, str) else boards
    asked: dict[str, Any] = {
        "quality": quality,
        "algorithm": algorithm,
        "heuristic": heuristic,
        "tables": tables,
        "threads": threads,
        **options,
    }
    check_table_set(tables)
    factor = _promised_factor(quality, algorithm, options)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    ready = _Ready()
    runs: list[Run] = []
    with suppress(Stopped):
        if algorithm is None and heuristic is None and quality != "fast":
            for goal in dict.fromkeys(instance.goal for instance in chosen):
                ready.make(goal, tables, Heartbeat(None, on_progress, cancel))
        for instance in chosen:
            if cancel is not None and cancel.is_set():
                break
            run = _quickest(
                _solve(instance, asked, limit, on_progress, cancel, factor) for _ in range(repeat)
            )
            runs.append(run)
            if on_run is not None:
                on_run(run)
    return Benchmark(
        name=chosen.name,
        title=chosen.title,
        size=len(chosen),
        options={**asked, **asdict(limit or Limit()), "repeat": repeat},
        tables=tuple(ready.names),
        runs=tuple(runs),
        warning=ready.warning,
        started_at=started,
    )


def _promised_factor(
    quality: str | float, algorithm: str | None, options: dict[str, float]
) -> float:
    """How many times the optimum an answer may be long at most; inf if nothing is promised."""
    if isinstance(quality, str):
        # A name that is none is for `solve` to refuse.
        weight = 1.0 if quality == "optimal" else math.inf
    else:
        weight = float(quality)
    if algorithm is None:
        return weight
    chosen = search.get(algorithm)
    if "weight" in chosen.options:
        usual = weight if weight > 1 else chosen.options["weight"]
        return float(options.get("weight", usual))
    return 1.0 if chosen.optimal else math.inf


def _solve(
    instance: Instance,
    asked: dict[str, Any],
    limit: Limit | None,
    on_progress: Callable[[Progress], object] | None,
    cancel: Cancel | None,
    factor: float,
) -> Run:
    leftovers.wait()
    result = solve(
        instance.board, instance.goal, limit=limit, on_progress=on_progress, cancel=cancel, **asked
    )
    return Run.of(instance, result, factor)


def _quickest(runs: Iterable[Run]) -> Run:
    """The quickest of some runs; the first that is wrong or cancelled, if there is one."""
    best: Run | None = None
    for run in runs:
        if run.verdict in ("wrong", "cancelled"):
            return run
        if best is None or run.seconds < best.seconds:
            best = run
    assert best is not None, "a board is solved at least once"
    return best


class _Ready:
    """What searches look up, made ready before their time is taken."""

    def __init__(self) -> None:
        self.names: dict[str, None] = {}
        self.warning = ""

    def make(self, goal: Board, name: str, heartbeat: Heartbeat) -> None:
        def beat(*counts: float) -> bool:
            heartbeat.beat()
            return False

        if name == "none":
            return
        if name == "walking":
            tables.walking(goal, beat)
            return
        if len(goal) <= tables.EXACT_CELLS and name in ("auto", tables.EXACT):
            tables.exact(goal, beat)
            return
        exact_is_there = name == "auto" and (
            len(goal) <= tables.STORED_EXACT_CELLS and tables.find_exact(goal, beat) is not None
        )
        if name == tables.EXACT or exact_is_there:
            tables.obtain_exact(goal, beat)
            used = tables.EXACT
        else:
            found = tables.best(goal, beat) if name == "auto" else tables.obtain(goal, name, beat)
            self.warning = self.warning or found.warning
            used = found.name
            tables.move_pruning()
        if used != "none":
            self.names.update(dict.fromkeys(r.name for r in tables.recipes(goal, used)))


# --- where it ran -------------------------------------------------------------------------------


def machine() -> dict[str, Any]:
    """What a time depends on besides taquin: processor, cores, memory, system, Python."""
    return {
        "processor": _processor(),
        "cores": tables.cores(),
        "memory": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def _processor() -> str:
    """The processor's name, as far as the system tells it."""
    with suppress(OSError):
        found = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
        if found:
            return " ".join(found[1].split())
    return platform.processor() or platform.machine()


def _memory() -> int | None:
    """Bytes of main memory, where the system tells."""
    if sys.platform == "win32":
        return None
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return None


# --- side by side -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One set, run twice: what is different, over the instances that both have."""

    name: str
    shared: int
    circumstances: tuple[str, ...]
    """In words: what was not the same, such as machine, version, tables or options."""
    seconds: tuple[float, float]
    """Old and new total, over the instances that both ran to their end."""
    expanded: tuple[int, int]
    ended: int
    """How many instances both ran to their end."""
    median_ratio: float | None
    """The median of new seconds / old seconds, instance by instance."""
    other_lengths: tuple[tuple[int, int | None, int | None], ...]
    """Id, old and new length, where they differ."""
    other_expanded: tuple[tuple[int, int, int], ...]
    """Id, old and new expansions, where they differ."""

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "circumstances": list(self.circumstances)}


def difference(old: Benchmark, new: Benchmark) -> Difference:
    """What is different between two runs of a set."""
    before = {run.id: run for run in old.runs}
    pairs = [(before[run.id], run) for run in new.runs if run.id in before]
    ended = [pair for pair in pairs if all(run.verdict in ("optimal", "longer") for run in pair)]
    ratios = [b.seconds / a.seconds for a, b in ended if a.seconds]
    return Difference(
        name=new.name,
        shared=len(pairs),
        circumstances=tuple(_circumstances(old, new, pairs)),
        seconds=(math.fsum(a.seconds for a, _ in ended), math.fsum(b.seconds for _, b in ended)),
        expanded=(sum(a.expanded for a, _ in ended), sum(b.expanded for _, b in ended)),
        ended=len(ended),
        median_ratio=median(ratios) if ratios else None,
        other_lengths=tuple((a.id, a.length, b.length) for a, b in pairs if a.length != b.length),
        other_expanded=tuple(
            (a.id, a.expanded, b.expanded) for a, b in ended if a.expanded != b.expanded
        ),
    )


def _circumstances(
    old: Benchmark, new: Benchmark, pairs: Sequence[tuple[Run, Run]]
) -> Iterable[str]:
    if old.version != new.version:
        yield f"taquin {old.version}, now {new.version}"
    for what, before, after in (
        ("machine", old.machine, new.machine),
        ("option", old.options, new.options),
    ):
        for key in dict.fromkeys([*before, *after]):
            if before.get(key) != after.get(key):
                yield f"{what} {key}: {before.get(key)}, now {after.get(key)}"
    if old.tables != new.tables or old.heuristics != new.heuristics:
        yield f"tables: {', '.join(old.heuristics)}, now {', '.join(new.heuristics)}"
    other_optima = [str(a.id) for a, b in pairs if a.optimum != b.optimum]
    if other_optima:
        yield f"known optima differ: {', '.join(other_optima)}"
