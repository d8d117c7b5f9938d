"""Algorithms and heuristics side by side on the same boards."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from . import heuristics, leftovers, search
from .board import Board
from .errors import MissingExtraError, UnknownNameError
from .heartbeat import Cancel
from .result import Limit, Progress, Result
from .solver import solve

ALGORITHMS = ("bfs", "bidirectional", "greedy", "astar", "wastar", "idastar", "rbfs", "beam", "mm")
HEURISTICS = ("manhattan", "linear-conflict")


@dataclass(frozen=True, slots=True)
class Row:
    """One algorithm with one heuristic: its figures, as means over the boards.

    Length and branching factor are means over those that it solved.
    """

    algorithm: str
    heuristic: str | None
    boards: int
    solved: int
    optimal: int
    """How many answers are as short as any can be."""
    known: int
    """For how many answers some run has proven how short they can be."""
    length: float | None
    expanded: float
    generated: float
    peak_frontier: float
    peak_memory: float
    seconds: float
    branching_factor: float | None

    @property
    def name(self) -> str:
        return f"{self.algorithm} {self.heuristic}" if self.heuristic else self.algorithm


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of all runs, and their figures as rows, text and pictures."""

    results: tuple[Result, ...]

    def rows(self) -> list[Row]:
        """One row for each algorithm and heuristic, in the order they ran."""
        groups: dict[tuple[str, str | None], list[Result]] = {}
        for result in self.results:
            groups.setdefault((result.algorithm, result.heuristic), []).append(result)
        optima = self.optima()
        return [_row(*name, results, optima) for name, results in groups.items()]

    def optima(self) -> dict[Board, int]:
        """The optimum of each board for which some run has proven one."""
        return {
            r.board: r.length for r in self.results if r.proof == "optimal" and r.length is not None
        }

    def to_dict(self) -> dict[str, Any]:
        return {"results": [result.to_dict() for result in self.results]}

    def to_csv(self) -> str:
        """One line for each run."""
        optima = self.optima()
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(
            ["board", "goal", "algorithm", "heuristic", "status", "proof", "length", "optimum",
             "expanded", "generated", "peak_frontier", "peak_memory", "seconds",
             "branching_factor"]
        )  # fmt: skip
        for r in self.results:
            stats = r.stats
            writer.writerow(
                [r.board, r.goal, r.algorithm, r.heuristic, r.status, r.proof, r.length,
                 optima.get(r.board), stats.expanded, stats.generated, stats.peak_frontier,
                 stats.peak_memory, f"{stats.seconds:.6f}", r.branching_factor]
            )  # fmt: skip
        return out.getvalue()

    def plot(self, path: str | Path) -> None:
        """Bar charts of length, expansions, memory and time, in whatever format the name says."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            raise MissingExtraError("matplotlib", "plot") from None
        rows = [row for row in self.rows() if row.length is not None][::-1]
        figures: list[tuple[str, Callable[[Row], float], bool]] = [
            ("moves", lambda row: row.length or 0, False),
            ("boards expanded", lambda row: row.expanded, True),
            ("memory (bytes)", lambda row: row.peak_memory, True),
            ("seconds", lambda row: row.seconds, True),
        ]
        figure = Figure(figsize=(13, 1.6 + 0.32 * len(rows)), layout="constrained")
        axes = figure.subplots(1, len(figures), sharey=True)
        for axis, (title, value, log) in zip(axes, figures, strict=True):
            values = [value(row) for row in rows]
            bars = axis.barh([row.name for row in rows], values, color="#3b6ea5")
            axis.bar_label(bars, fmt=_label, padding=3, fontsize=8)
            axis.set_title(title)
            if log and any(values):
                axis.set_xscale("log")
            axis.margins(x=0.25)
            axis.spines[["top", "right"]].set_visible(False)
        kind = Path(path).suffix[1:].lower() or "png"
        if kind not in figure.canvas.get_supported_filetypes():
            raise UnknownNameError("kind of picture", kind, ["png", "svg", "pdf"])
        figure.savefig(path, dpi=150, format=kind)


def _label(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def compare(
    boards: Board | Iterable[Board],
    goal: Board | str | None = None,
    *,
    algorithms: Sequence[str] = ALGORITHMS,
    heuristics: Sequence[str] = HEURISTICS,
    limit: Limit | None = None,
    on_progress: Callable[[Progress], object] | None = None,
    on_result: Callable[[Result], object] | None = None,
    cancel: Cancel | None = None,
) -> Comparison:
    """Run every algorithm with every heuristic on every board; blind ones run once a board.

    >>> table = compare([Board("1 2 3 / 4 0 6 / 7 5 8")], algorithms=["bfs", "astar"])
    >>> [(row.name, row.length) for row in table.rows()]
    [('bfs', 2.0), ('astar manhattan', 2.0), ('astar linear-conflict', 2.0)]
    """
    results = []
    pairs = list(_pairs(algorithms, heuristics))
    for board in [boards] if isinstance(boards, Board) else boards:
        for algorithm, heuristic in pairs:
            leftovers.wait()
            result = solve(
                board,
                goal,
                algorithm=algorithm,
                heuristic=heuristic,
                limit=limit,
                on_progress=on_progress,
                cancel=cancel,
            )
            results.append(result)
            if on_result is not None:
                on_result(result)
            if result.status == "cancelled":
                return Comparison(tuple(results))
    return Comparison(tuple(results))


def _pairs(algorithms: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    for heuristic in names:
        heuristics.get(heuristic)
    for algorithm in algorithms:
        informed = search.get(algorithm).informed
        yield from ((algorithm, name) for name in names) if informed else [(algorithm, None)]


def _row(
    algorithm: str, heuristic: str | None, results: list[Result], optima: dict[Board, int]
) -> Row:
    solved = [result for result in results if result.length is not None]
    lengths = [result.length for result in results if result.length is not None]
    known = [result for result in solved if result.board in optima]
    factors = [r.branching_factor for r in solved if r.branching_factor is not None]

    def mean(figure: Callable[[Result], float]) -> float:
        return fmean(figure(result) for result in results)

    return Row(
        algorithm=algorithm,
        heuristic=heuristic,
        boards=len(results),
        solved=len(solved),
        optimal=sum(r.length == optima[r.board] for r in known),
        known=len(known),
        length=fmean(lengths) if lengths else None,
        expanded=mean(lambda r: r.stats.expanded),
        generated=mean(lambda r: r.stats.generated),
        peak_frontier=mean(lambda r: r.stats.peak_frontier),
        peak_memory=mean(lambda r: r.stats.peak_memory),
        seconds=mean(lambda r: r.stats.seconds),
        branching_factor=fmean(factors) if factors else None,
    )
