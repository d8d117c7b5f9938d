"""`taquin bench`: sets of boards with known optima, solved, checked and measured."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .cli_options import (
    INTERRUPTED,
    LIMIT,
    NO,
    OK,
    Words,
    algorithm_options,
    given,
    interruptible,
    json_option,
    limit_options,
    make_limit,
    method_options,
    print_json,
    threads_option,
)  # fmt: skip

if TYPE_CHECKING:
    from .benchmark import Benchmark, Run
    from .report import LiveLine
    from .sets import InstanceSet


def _set_names() -> list[str]:
    from . import sets

    return [*sets.names(), sets.ALL]


@click.command()
@click.argument("names", nargs=-1, type=Words(_set_names), metavar="[SET[:IDS]]...")
@click.option("--list", "listing", is_flag=True, help="List the sets.")
@click.option("--only", metavar="IDS", help="Only these instances: 38,40 or 1-10.")
@click.option(
    "--first", type=click.IntRange(min=1), metavar="N", help="Only the first N instances of a set."
)
@method_options
@threads_option
@limit_options(60)
@algorithm_options
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    help="Solve each board N times; the quickest counts.",
)
@click.option("--each", is_flag=True, help="Print a line for every board.")
@click.option(
    "--compare",
    type=click.Path(path_type=Path),
    metavar="OLD.json",
    help="Compare with what --json printed or --save wrote before.",
)
@click.option("--save", type=click.Path(path_type=Path), metavar="FILE", help="Write JSON to FILE.")
@json_option
def bench(
    names: tuple[str, ...],
    listing: bool,
    only: str | None,
    first: int | None,
    quality: str | float,
    algorithm: str | None,
    heuristic: str | None,
    tables: str,
    threads: int,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    repeat: int,
    each: bool,
    compare: Path | None,
    save: Path | None,
    as_json: bool,
    **extra: float | None,
) -> int:
    """Solve sets of boards whose optima are known; check and measure every answer.

    SET is one of --list, farthest (all shapes), all, or a file like those of taquin. IDS chooses
    instances: korf24:38,40 or korf15:1-10. Limits are for each board. The exit code is 1 if an
    answer contradicts what is known, else 3 if a limit stopped a board.
    """
    from . import benchmark, report

    if listing or not names:
        return _list(as_json)
    chosen = _chosen(names, only, first)
    before = {} if compare is None else _read(compare)
    say = _Teller(as_json, each, before)
    done = []
    with interruptible() as cancel, report.LiveLine() as line:
        for boards in chosen:
            run = benchmark.bench(
                boards,
                quality=quality,
                algorithm=algorithm,
                heuristic=heuristic,
                tables=tables,
                threads=threads,
                limit=make_limit(seconds, expanded, memory),
                repeat=repeat,
                on_progress=line,
                on_run=_counting(line, boards),
                cancel=cancel,
                **given(extra),
            )
            done.append(run)
            line.clear()
            say.tell(run)
            if cancel.is_set():
                break
    found = {"benchmarks": [run.to_dict() for run in done]}
    if save is not None:
        _save(save, found)
    if as_json:
        print_json({**found, "differences": say.differences} if compare else found)
    return _exit_code(done, cancel.is_set())


def _list(as_json: bool) -> int:
    from . import report_bench, sets

    found = [sets.load(name) for name in sets.names()]
    if as_json:
        print_json(
            [
                {
                    "set": boards.name,
                    "size": len(boards),
                    "about": boards.about,
                    "instances": [
                        {
                            "id": instance.id,
                            "board": str(instance.board),
                            "goal": str(instance.goal),
                            "optimum": instance.optimum,
                        }
                        for instance in boards
                    ],
                }
                for boards in found
            ]
        )
    else:
        for line in report_bench.list_lines(found):
            click.echo(line)
    return OK


def _chosen(names: tuple[str, ...], only: str | None, first: int | None) -> list[InstanceSet]:
    from . import sets

    found = [boards for name in names for boards in sets.find(name)]
    if only is not None:
        found = [boards.only(only) for boards in found]
    return found if first is None else [boards.first(first) for boards in found]


def _counting(line: LiveLine, boards: InstanceSet) -> Callable[[Run], None]:
    """Tells on the live line how many boards of a set are done."""
    done = 0

    def count(run: Run | None = None) -> None:
        nonlocal done
        done += run is not None
        line.title = f"{boards.name} {done}/{len(boards)} · "

    count()
    return count


class _Teller:
    """Prints each set as soon as it is done, and what is different from before."""

    def __init__(self, is_silent: bool, each: bool, before: dict[str, Benchmark]) -> None:
        self._is_silent = is_silent
        self._each = each
        self._before = before
        self._is_first = True
        self.differences: list[dict[str, Any]] = []

    def tell(self, done: Benchmark) -> None:
        from . import report_bench

        if not self._is_silent:
            if self._is_first:
                self._print(report_bench.heading_lines(done.machine, done.version, done.options))
            self._is_first = False
            report_bench.show(done)
            if self._each:
                self._print(report_bench.each_lines(done.runs))
        for run in done.wrong:
            click.echo(f"taquin: {done.name}, instance {run.id}: {run.problem}", err=True)
        if self._before:
            self._tell_difference(done)

    def _tell_difference(self, done: Benchmark) -> None:
        from . import report_bench
        from .benchmark import difference

        old = self._before.get(done.name)
        if old is None:
            click.echo(f"note: {done.name} was not run before", err=True)
            return
        found = difference(old, done)
        self.differences.append(found.to_dict())
        if not self._is_silent:
            self._print(report_bench.difference_lines(found))

    def _print(self, lines: Any) -> None:
        for line in lines:
            click.echo(line, color=True)


def _read(path: Path) -> dict[str, Benchmark]:
    """The benchmarks of a file, by the names of their sets."""
    from .benchmark import Benchmark
    from .errors import BenchmarkError

    try:
        with path.open(encoding="utf-8") as file:
            data = json.load(file)
        found = [Benchmark.from_dict(run) for run in data["benchmarks"]]
    except (ValueError, TypeError, KeyError) as error:
        words = (
            str(error) if isinstance(error, BenchmarkError) else "this is no benchmark of taquin"
        )
        raise BenchmarkError(f"{path}: {words}") from None
    return {run.name: run for run in found}


def _save(path: Path, found: dict[str, Any]) -> None:
    from . import files

    text = json.dumps(found, ensure_ascii=False, indent=1) + "\n"
    files.write(path, lambda beside: beside.write_text(text, encoding="utf-8"))


def _exit_code(done: list[Benchmark], interrupted: bool) -> int:
    if any(run.wrong for run in done):
        return NO
    if interrupted:
        return INTERRUPTED
    return LIMIT if any(run.count("limit") for run in done) else OK
