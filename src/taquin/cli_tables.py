"""`taquin tables`: list, build, verify and remove the tables on disk."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from .cli_options import (
    BAD,
    INTERRUPTED,
    NO,
    OK,
    ShapeType,
    Words,
    goal_option,
    interruptible,
    json_option,
    print_json,
    read_goal,
)  # fmt: skip

if TYPE_CHECKING:
    from .store import Entry
    from .tables import Plan


def _set_names() -> list[str]:
    from .tables import SETS

    return list(SETS)


def _stored_names() -> list[str]:
    from .store import entries

    return [entry.name for entry in entries()]


names_argument = click.argument(
    "names", nargs=-1, type=Words(_stored_names), metavar="[NAME|ROWSxCOLS]..."
)


@click.group(invoke_without_command=True)
@click.option("--check", is_flag=True, help="Read every table from beginning to end.")
@json_option
@click.pass_context
def tables(ctx: click.Context, check: bool, as_json: bool) -> int:
    """List the stored tables and those that can be built; build, verify or remove them."""
    return OK if ctx.invoked_subcommand else _list(check, as_json)


def _list(check: bool, as_json: bool) -> int:
    from . import report, store
    from .tables import cores, offers, uses

    stored, plans, sets = store.entries(), offers(), uses()
    if check:
        stored = _checked(stored)
    code = NO if check and any(entry.problem for entry in stored) else OK
    if as_json:
        found = [{**e.to_dict(), "sets": sets.get(e.name, []), "checked": check} for e in stored]
        offered = [plan.to_dict() for plan in plans]
        print_json({"directory": str(store.directory()), "tables": found, "sets": offered})
        return code
    total = report.size(sum(entry.size for entry in stored))
    click.echo(f"{report.count(len(stored), 'table')}, {total}, in {store.directory()}")
    for line in report.stored_lines(_printable(stored), sets, check):
        click.echo(line)
    click.echo("\nto build (taquin tables build SHAPE SET), for example:")
    for line in report.offer_lines(plans, cores()):
        click.echo(line)
    return code


def _checked(stored: list[Entry]) -> list[Entry]:
    from dataclasses import replace

    from .store import verify

    return [replace(entry, problem=verify(entry.name)) for entry in stored]


def _printable(stored: list[Entry]) -> list[Entry]:
    from dataclasses import replace

    from .store import printable

    return [replace(entry, name=printable(entry.name)) for entry in stored]


@tables.command()
@click.argument("shape", type=ShapeType(), metavar="ROWSxCOLS")
@click.argument("set", type=Words(_set_names), default="default", metavar="[SET]")
@goal_option
@click.option("--threads", type=click.IntRange(min=1), metavar="N", help="How many (all cores).")
def build(shape: tuple[int, int], set: str, goal: str | None, threads: int | None) -> int:
    """Build the tables of SET (small, default, large, exact) for boards of a shape.

    What is on disk stays. An interrupted build goes on with the tables that are missing.
    """
    from . import goals, report
    from .errors import look_up
    from .tables import SETS, check_threads, cores, plan

    threads = check_threads(threads or cores())
    target = goals.resolve(read_goal(goal), shape)
    planned = plan(target, look_up("set", set, SETS))
    click.echo(report.plan_words(planned, threads))
    return _build(planned, threads)


def _build(plan: Plan, threads: int) -> int:
    """Build what a plan needs, table by table; those on disk are opened, and so checked."""
    from . import _native, report, store

    done = 0
    total = sum(recipe.entries() for recipe in plan.recipes)
    with interruptible() as cancel, report.BuildBar(total) as bar:

        def hook(entries: int, *others: float) -> bool:
            bar.show(entries)
            return cancel.is_set()

        try:
            for recipe in plan.recipes:
                bar.begin(recipe.name)
                started = time.monotonic()
                is_new = store.header_of(recipe) is None
                store.obtain(recipe, threads=threads, hook=hook, say=bar.say)
                bar.end(recipe.entries())
                done += 1
                if is_new:
                    bar.say(f"{recipe.name}: {time.monotonic() - started:.1f} s")
        except _native.Stopped:
            pass
    if done < len(plan.recipes):
        kept = f"{done} of {report.count(len(plan.recipes), 'table')} on disk"
        click.echo(f"interrupted: {kept}; the same command goes on from there", err=True)
        return INTERRUPTED
    click.echo(f"{report.count(done, 'table')} ready")
    return OK


@tables.command()
@names_argument
def verify(names: tuple[str, ...]) -> int:
    """Read tables from beginning to end, all of them or some, and tell which are sound."""
    from . import store
    from .tables import stored_names

    code = OK
    for name in stored_names(names) if names else _stored_names():
        problem = store.verify(name)
        click.echo(f"{store.printable(name)}: {problem or 'sound'}")
        code = NO if problem else code
    return code


@tables.command()
@names_argument
@click.option("--all", "everything", is_flag=True, help="Remove every table.")
def remove(names: tuple[str, ...], everything: bool) -> int:
    """Remove tables, by name or by shape. They can be built again."""
    from . import report, store
    from .errors import TableError
    from .tables import stored_names

    if bool(names) == everything:
        raise click.UsageError("give names, or --all", click.get_current_context())
    failed: list[str] = []
    for name in _stored_names() if everything else stored_names(names):
        try:
            freed = store.remove(name)
        except TableError as error:
            failed.append(store.printable(str(error)))
        else:
            click.echo(f"{store.printable(name)}: {report.size(freed)} freed")
    for line in failed:
        click.echo(f"taquin: {line}", err=True)
    return BAD if failed else OK


@tables.command()
def path() -> int:
    """Print the directory of the tables; TAQUIN_HOME moves it."""
    from .store import directory

    click.echo(str(directory()))
    return OK
