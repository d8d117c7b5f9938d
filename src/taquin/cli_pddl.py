"""`taquin pddl`: boards for planners, and their plans."""

from __future__ import annotations

import click

from .cli_options import (
    OK,
    board_argument,
    goal_option,
    json_option,
    moves_option,
    print_json,
    read_with_goal,
)


@click.group()
def pddl() -> None:
    """Write boards as PDDL for planners, and read their plans."""


@pddl.command()
def domain() -> int:
    """Print the domain, the same for all boards."""
    from . import pddl as planning

    click.echo(planning.domain(), nl=False)
    return OK


@pddl.command()
@board_argument
@goal_option
@click.option("--name", default="board", metavar="NAME", help="What the problem is called.")
def problem(board: tuple[str, ...], goal: str | None, name: str) -> int:
    """Print BOARD and its goal as a problem."""
    from . import pddl as planning

    start, target = read_with_goal(board, goal)
    click.echo(planning.problem(start, target, name=name), nl=False)
    return OK


@pddl.command()
@click.argument("problem", metavar="PROBLEM")
@click.argument("plan", default="-", metavar="[PLAN]")
@moves_option
@json_option
def plan(problem: str, plan: str, moves: str, as_json: bool) -> int:
    """Check a plan, and print its moves.

    PROBLEM is a file that taquin pddl problem wrote, PLAN what a planner printed (- or nothing:
    standard input).
    """
    from . import pddl as planning
    from . import report
    from .files import read_argument

    start, target = planning.read_problem(read_argument((problem,)))
    solution = planning.read_plan(read_argument((plan,)), start, target)
    if as_json:
        print_json(
            {
                "board": str(start),
                "goal": str(target),
                "length": len(solution),
                "moves": solution.text(moves=moves),
                "direction": moves,
            }
        )
    else:
        click.echo(f"solved: {report.moves_word(len(solution))}")
        click.echo(f"moves: {solution.text(moves=moves) or '(none)'}")
    return OK
