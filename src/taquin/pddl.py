"""Boards and goals for planners: a PDDL domain, problems, and plans read back as solutions.

The domain is typed STRIPS and the same for all shapes. Cells are named `r1c1`, row and column from
1, tiles `t1`, `t2`, …; there is an action for each direction in which a tile slides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from . import goals
from .board import Board, Move, Shape, check_shape, slides
from .errors import BoardError, IllegalMoveError, NotationError, shorten
from .moves import tile_numbers
from .notation import MAX_TEXT
from .result import Solution

DOMAIN = "sliding-tiles"

ACTIONS = {
    "slide-up": (Move.U, "(above ?to ?from)"),
    "slide-down": (Move.D, "(above ?from ?to)"),
    "slide-left": (Move.L, "(left-of ?to ?from)"),
    "slide-right": (Move.R, "(left-of ?from ?to)"),
}
"""What each action means: its move, and how the two cells lie to each other."""
_ACTION_OF = {move: name for name, (move, _) in ACTIONS.items()}


def domain() -> str:
    """The domain, which serves boards of every shape.

    >>> print(domain().splitlines()[0])
    (define (domain sliding-tiles)
    """
    actions = "\n".join(_action(name, place) for name, (_, place) in ACTIONS.items())
    return f"""\
(define (domain {DOMAIN})
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (at ?tile - tile ?cell - cell)
    (blank ?cell - cell)
    (above ?upper - cell ?lower - cell)
    (left-of ?left - cell ?right - cell))
{actions})
"""


def _action(name: str, place: str) -> str:
    return f"""
  (:action {name}
    :parameters (?tile - tile ?from - cell ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) {place})
    :effect (and (at ?tile ?to) (blank ?from) (not (at ?tile ?from)) (not (blank ?to))))"""


def problem(board: Board | str, goal: Board | str | None = None, *, name: str = "board") -> str:
    """A board and its goal as a problem of the domain.

    One that can't be solved is written, too: it is for the planner to find out.

    >>> print(problem("1 2 / 0 3").splitlines()[3])
      (:objects t1 t2 t3 - tile r1c1 r1c2 r2c1 r2c2 - cell)
    """
    if not re.fullmatch(r"[A-Za-z][\w-]*", name):
        raise NotationError(f"'{shorten(name)}' is no name in PDDL: letters, digits, - and _")
    start = Board(board)
    target = goals.resolve(goal, start.shape)
    cells = [_cell(cell, start.cols) for cell in range(len(start))]
    tiles = [f"t{tile}" for tile in range(1, len(start))]
    return f"""\
; {start.rows}x{start.cols}: from {start} to {target}
(define (problem {name})
  (:domain {DOMAIN})
  (:objects {" ".join(tiles)} - tile {" ".join(cells)} - cell)
  (:init
    {_places(start)}
    {_neighbours(start.shape, cells)})
  (:goal (and
    {_places(target)})))
"""


def _cell(cell: int, cols: int) -> str:
    return f"r{cell // cols + 1}c{cell % cols + 1}"


def _places(board: Board) -> str:
    """Where the tiles and the blank are, a line for each row."""
    return _lines(
        (
            f"(at t{tile} {_cell(cell, board.cols)})"
            if tile
            else f"(blank {_cell(cell, board.cols)})"
            for cell, tile in enumerate(board.tiles[first : first + board.cols], first)
        )
        for first in range(0, len(board), board.cols)
    )


def _neighbours(shape: Shape, cells: list[str]) -> str:
    """Which cells lie side by side, and which above each other."""
    rows, cols = shape
    grid = [cells[row * cols : (row + 1) * cols] for row in range(rows)]
    return _lines(
        [
            *((f"(left-of {left} {right})" for left, right in pairwise(row)) for row in grid),
            *(
                (f"(above {a} {b})" for a, b in zip(upper, lower, strict=True))
                for upper, lower in pairwise(grid)
            ),
        ]
    )


def _lines(groups: Iterable[Iterable[str]]) -> str:
    lines = (" ".join(group) for group in groups)
    return "\n    ".join(line for line in lines if line)


# --- problems read back -------------------------------------------------------------------------


def read_problem(text: str) -> tuple[Board, Board]:
    """The board and the goal of a problem that `problem` wrote.

    >>> read_problem(problem("1 2 / 0 3"))
    (Board('1 2/0 3'), Board('1 2/3 0'))
    """
    parts = {part[0]: part[1:] for part in _parsed(text) if isinstance(part, list) and part}
    if parts.get(":domain") != [DOMAIN]:
        raise NotationError(f"this is no problem of the domain {DOMAIN}")
    goal = parts.get(":goal", [])
    if len(goal) == 1 and isinstance(goal[0], list) and goal[0][:1] == ["and"]:
        goal = goal[0][1:]
    return _board(parts.get(":init", []), "init"), _board(goal, "goal")


def _parsed(text: str) -> list[Any]:
    """What is between the outermost brackets, nested as it is."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"a text of {len(text):,} characters is longer than any problem")
    stack: list[list[Any]] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";[^\n]*", "", text.lower())):
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        elif token == ")":
            raise NotationError("there is a closing bracket too many")
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise NotationError("a bracket is not closed")
    if len(stack[0]) != 1 or not isinstance(stack[0][0], list) or stack[0][0][:1] != ["define"]:
        raise NotationError("this is no PDDL: it begins with (define …)")
    found: list[Any] = stack[0][0]
    return found


def _board(facts: list[Any], where: str) -> Board:
    """The board that facts about tiles and the blank describe."""
    places: dict[tuple[int, int], int] = {}
    for fact in facts:
        match fact:
            case ["at", str(tile), str(cell)] if re.fullmatch(r"t\d{1,8}", tile):
                number = int(tile[1:])
            case ["blank", str(cell)]:
                number = 0
            case _:
                continue
        found = re.fullmatch(r"r(\d{1,8})c(\d{1,8})", cell)
        if found is None:
            raise NotationError(f"{where}: '{shorten(cell)}' is no cell such as r1c2")
        place = int(found[1]) - 1, int(found[2]) - 1
        if place in places:
            raise NotationError(f"{where}: there are two things in {cell}")
        places[place] = number
    if not places:
        raise NotationError(f"{where}: there are no tiles")
    rows, cols = (1 + max(place[axis] for place in places) for axis in (0, 1))
    check_shape(rows, cols)
    if len(places) != rows * cols or min(min(place) for place in places) < 0:
        raise NotationError(f"{where}: {len(places)} things don't fill {rows}×{cols} cells")
    return Board([[places[row, col] for col in range(cols)] for row in range(rows)])


# --- plans --------------------------------------------------------------------------------------


def write_plan(solution: Solution) -> str:
    """A solution as a plan of the domain, in the manner of planners: a step a line.

    >>> from taquin import solve
    >>> print(write_plan(solve("1 2 / 0 3").solution), end="")
    (slide-left t3 r2c2 r2c1)
    """
    boards = list(solution.boards())
    tiles = tile_numbers(solution.start, solution.moves)
    cols = solution.start.cols
    return "".join(
        f"({_ACTION_OF[move]} t{tile} {_cell(after.blank, cols)} {_cell(before.blank, cols)})\n"
        for move, tile, (before, after) in zip(solution.moves, tiles, pairwise(boards), strict=True)
    )


def read_plan(text: str, board: Board | str, goal: Board | str | None = None) -> Solution:
    """The solution that a planner's plan is, checked step by step.

    A step is `(slide-left t3 r2c2 r2c1)`, whatever its case; planners also write a number or a time
    before it, a duration after it, or `slide-left(t3, r2c2, r2c1)`. Other lines of their output
    are passed over. Errors name the line.

    >>> read_plan("0: (SLIDE-LEFT T3 R2C2 R2C1)", "1 2 / 0 3").text()
    'L'
    """
    start = Board(board)
    target = goals.resolve(goal, start.shape)
    if len(text) > MAX_TEXT:
        raise NotationError(f"a text of {len(text):,} characters is longer than any plan")
    tiles, blank = list(start.tiles), start.blank
    moves: list[Move] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = _step(line)
        if words is None:
            continue
        if words[0] not in ACTIONS or len(words) != 4:
            raise NotationError(
                f"line {number}: '{shorten(line.strip())}' is no step of the domain"
            )
        move = ACTIONS[words[0]][0]
        source = slides(*start.shape)[blank].get(move)
        if source is None:
            raise IllegalMoveError(
                f"line {number}: no tile can {words[0]} into {_cell(blank, start.cols)}"
            )
        expected = [f"t{tiles[source]}", _cell(source, start.cols), _cell(blank, start.cols)]
        if words[1:] != expected:
            raise IllegalMoveError(
                f"line {number}: '{shorten(' '.join(words))}' can't be done; "
                f"{words[0]} would take {' '.join(expected)}"
            )
        tiles[blank], tiles[source] = tiles[source], 0
        blank = source
        moves.append(move)
    if tuple(tiles) != target.tiles:
        steps = "there is no step of a plan here" if not moves else "the plan ends elsewhere"
        reached = Board(tiles, shape=start.shape)
        raise BoardError(
            f"{steps}: at {shorten(str(reached))} instead of the goal {shorten(str(target))}"
        )
    return Solution(start, target, tuple(moves))


_NUMBERED = re.compile(r"^(?:step\s+)?\d+(?:\.\d+)?\s*:\s*", re.IGNORECASE)


def _step(line: str) -> list[str] | None:
    """The words of a line that is a step of a plan; None for one that is something else."""
    line = re.sub(r";.*|\[[\d.\s]*\]\s*$", "", line).strip().lower()
    bare = _NUMBERED.sub("", line)
    words = re.findall(r"[^\s(),]+", bare)
    is_step = bare.startswith("(") or (words and words[0] in ACTIONS)
    return words if words and is_step else None
