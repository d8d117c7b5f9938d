"""`taquin batch`: many boards from a file to a file, or from a pipe to a pipe."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .cli_options import (
    INTERRUPTED,
    OK,
    ShapeType,
    algorithm_options,
    cluster_option,
    connected,
    given,
    goal_option,
    interruptible,
    limit_options,
    make_limit,
    method_options,
    metric_option,
    moves_option,
    options,
    read_goal,
)

if TYPE_CHECKING:
    from .batch_file import BatchFile

_file_options = options(
    click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        metavar="OUT",
        help="The file to write (standard output).",
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(["jsonl", "csv", "parquet"]),
        help="What to write (as the name of OUT ends; else jsonl).",
    ),
    click.option("--resume", is_flag=True, help="Go on with an OUT that was begun."),
    click.option(
        "--layout",
        type=click.Choice(["auto", "lines", "blocks"]),
        default="auto",
        show_default=True,
        help="A board a line, or blocks between blank lines.",
    ),
    click.option(
        "--shape", type=ShapeType(), metavar="ROWSxCOLS", help="The shape of boards without rows."
    ),
)

_worker_options = options(
    click.option(
        "--workers", type=click.IntRange(min=1), metavar="N", help="How many (one for each core)."
    ),
    cluster_option,
)

_solve_options = options(
    goal_option,
    method_options,
    metric_option,
    limit_options(60),
    algorithm_options,
)


@click.command()
@click.argument("source", metavar="IN")
@_file_options
@_worker_options
@_solve_options
@moves_option
@click.option("--plot", type=click.Path(path_type=Path), metavar="FILE", help="Draw the lengths.")
@click.option("--quiet", is_flag=True, help="Print no summary.")
def batch(
    source: str,
    output: Path | None,
    form: str | None,
    resume: bool,
    layout: str,
    shape: tuple[int, int] | None,
    workers: int | None,
    cluster: str | None,
    goal: str | None,
    quality: str | float,
    algorithm: str | None,
    heuristic: str | None,
    tables: str,
    metric: str,
    seconds: float,
    expanded: int | None,
    memory: int | None,
    moves: str,
    plot: Path | None,
    quiet: bool,
    **extra: float | None,
) -> int:
    """Solve all boards of IN, each within the limits.

    IN is a file with a board a line, or with blocks of lines between blank ones; a folder of such
    files; or - for standard input. Boards are in any format and of any sizes. Each gets a line of
    output, in the order of IN; so does what is no board, and the line says why.

    A run with -o OUT that was stopped, by whatever means, goes on with --resume.
    """
    from . import files, report_batch
    from .batch_file import BatchFile
    from .batch_output import FileOutput

    kind = None if plot is None else report_batch.plot_kind(plot)
    if resume and output is not None and FileOutput.is_finished(output):
        click.echo(f"{output} is there, and no run of it is left to go on with", err=True)
        return OK
    job = BatchFile(
        source,
        output,
        form=form or _form_of(output),
        resume=resume,
        layout=layout,
        shape=shape,
        moves=moves,
        goal=read_goal(goal),
        quality=quality,
        algorithm=algorithm,
        heuristic=heuristic,
        tables=tables,
        metric=metric,
        limit=make_limit(seconds, expanded, memory),
        **given(extra),
    )
    begun, complete = time.monotonic(), False
    try:
        with (
            interruptible() as cancel,
            report_batch.BatchBar(job.total) as bar,
            connected(cluster) as executor,
        ):
            complete = job.run(
                executor=executor, workers=workers, cancel=cancel, on_progress=bar.show
            )
    finally:
        if output is not None and not complete:
            _tell_how_to_go_on(job)
    if not quiet:
        for line in report_batch.summary_lines(job, time.monotonic() - begun):
            click.echo(line, err=output is None, color=True)
    if plot is not None and kind is not None:
        files.write(plot, lambda path: report_batch.plot(job.tally, path, kind))
    return OK if complete else INTERRUPTED


def _form_of(output: Path | None) -> str:
    from .batch_file import FORMS

    kind = "" if output is None else output.suffix[1:].lower()
    return kind if kind in FORMS else "jsonl"


def _tell_how_to_go_on(job: BatchFile) -> None:
    from .report import count

    if job.certain:
        answered = count(job.certain, "board")
        click.echo(f"note: {answered} answered so far; --resume goes on from there", err=True)
