"""PDDL, by a planner and a parser of other people's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pddl as independent
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyperplan import planner
from strategies import assert_clear, boards, pairs, reachable

from taquin import Board, Solution, goals, moves, pddl, solve
from taquin.errors import BoardError, IllegalMoveError, NotationError, TaquinError

BIN = Path(sys.executable).parent
FAR = "8 6 7 / 2 5 4 / 3 0 1"


def files(directory: Path, board: Board, goal: Board | str | None = None) -> tuple[str, str]:
    domain, problem = directory / "domain.pddl", directory / "problem.pddl"
    domain.write_text(pddl.domain())
    problem.write_text(pddl.problem(board, goal))
    return str(domain), str(problem)


def plan_of(paths: tuple[str, str], search: str, heuristic: str = "") -> str | None:
    """What pyperplan finds, as it writes it to a file."""
    found = planner.search_plan(*paths, planner.SEARCHES[search], planner.HEURISTICS.get(heuristic))
    return None if found is None else "\n".join(step.name for step in found)


# --- a planner ----------------------------------------------------------------------------------


@pytest.mark.parametrize("goal", ["blank-last", "blank-first", "snail", "column-major"])
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (1, 5)])
def test_a_planner_finds_the_optimum(shape: tuple[int, int], goal: str, tmp_path: Path) -> None:
    for seed in range(4):
        board = Board.random(*shape, goal=goal, seed=seed)
        text = plan_of(files(tmp_path, board, goal), "bfs")
        assert text is not None
        solution = pddl.read_plan(text, board, goal)
        assert solution.verify()
        assert len(solution) == solve(board, goal).length


def test_a_planner_solves_the_farthest_board(tmp_path: Path) -> None:
    board = Board(FAR)
    text = plan_of(files(tmp_path, board), "gbf", "hff")
    assert text is not None
    solution = pddl.read_plan(text, board)
    assert moves.verify(board, solution.moves)
    assert len(solution) >= 31


def test_a_planner_is_optimal_on_nine_cells(tmp_path: Path) -> None:
    board = Board.random(3, 3, seed=5, walk=14)
    text = plan_of(files(tmp_path, board), "astar", "hmax")
    assert text is not None
    assert len(pddl.read_plan(text, board)) == solve(board).length


def test_a_planner_finds_no_way_where_there_is_none(tmp_path: Path) -> None:
    board = goals.blank_last(2, 2).exchange(1, 2)
    assert plan_of(files(tmp_path, board), "bfs") is None


# --- a parser -----------------------------------------------------------------------------------


def test_a_strict_parser_reads_the_domain(tmp_path: Path) -> None:
    domain, problem = files(tmp_path, Board(FAR), "snail")
    read = independent.parse_domain(domain)
    assert read.name == pddl.DOMAIN
    assert {action.name for action in read.actions} == {
        "slide-up", "slide-down", "slide-left", "slide-right",
    }  # fmt: skip
    assert {str(requirement) for requirement in read.requirements} == {":strips", ":typing"}
    assert {str(name) for name in read.types} == {"tile", "cell"}
    task = independent.parse_problem(problem)
    assert task.domain_name == read.name
    assert len(task.objects) == 8 + 9
    assert len(task.init) == 9 + 12


def test_a_strict_parser_reads_our_plans(tmp_path: Path) -> None:
    result = solve(FAR)
    assert result.solution is not None
    plan = tmp_path / "plan.txt"
    plan.write_text(pddl.write_plan(result.solution))
    read = independent.parse_plan(plan)
    assert len(read.actions) == 31


# --- there and back -----------------------------------------------------------------------------


@given(pairs(max_side=4))
def test_problems_are_read_back(pair: tuple[Board, Board]) -> None:
    assert pddl.read_problem(pddl.problem(*pair, name="some-name_1")) == pair
    assert pddl.read_problem(pddl.problem(*pair).upper()) == pair


@given(reachable(3, 4, "snail", walk=25))
def test_plans_are_read_back(board: Board) -> None:
    solution = solve(board, "snail", quality="fast").solution
    assert solution is not None
    assert pddl.read_plan(pddl.write_plan(solution), board, "snail") == solution


@pytest.mark.parametrize(
    "text",
    [
        "(slide-left t7 r3c2 r3c1)\n(slide-left t8 r3c3 r3c2)\n; cost = 2 (unit cost)\n",
        "0: (SLIDE-LEFT T7 R3C2 R3C1)\n1: (SLIDE-LEFT T8 R3C3 R3C2)",
        "step    0: SLIDE-LEFT T7 R3C2 R3C1\n        1: SLIDE-LEFT T8 R3C3 R3C2\n\ntime spent: 0.1",
        "0.000: (slide-left t7 r3c2 r3c1)  [1.000]\n1.001: (slide-left t8 r3c3 r3c2) [1.000]",
        "SequentialPlan:\n    slide-left(t7, r3c2, r3c1)\n    slide-left(t8, r3c3, r3c2)",
        "INFO Goal reached\r\n ( slide-left  t7 r3c2 r3c1 ) \r\n(slide-left t8 r3c3 r3c2);end\r\n",
    ],
)
def test_how_planners_write_their_plans(text: str) -> None:
    assert pddl.read_plan(text, "1 2 3/4 5 6/0 7 8").text() == "LL"


def test_an_empty_plan() -> None:
    assert len(pddl.read_plan("; cost = 0 (unit cost)\n", "1 2/3 0")) == 0


# --- what is wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", BoardError, "no step of a plan here: at 1 2 3/4 5 6/0 7 8"),
        ("(slide-left t7 r3c2 r3c1)", BoardError, "the plan ends elsewhere: at 1 2 3/4 5 6/7 0 8"),
        ("(slide-right t7 r3c2 r3c1)", IllegalMoveError, "line 1: no tile can slide-right"),
        ("(slide-left t8 r3c2 r3c1)", IllegalMoveError, "would take t7 r3c2 r3c1"),
        ("(slide-left t7 r3c3 r3c1)", IllegalMoveError, "line 1: 'slide-left t7 r3c3 r3c1'"),
        ("\n(slide-down t7 r3c2 r3c1)", IllegalMoveError, "line 2: "),
        ("(slide-left t7 r3c2)", NotationError, "line 1: '(slide-left t7 r3c2)' is no step"),
        ("(move t7 r3c2 r3c1)", NotationError, "is no step of the domain"),
        ("nothing of use", BoardError, "no step"),
    ],
)
def test_plans_that_are_none(text: str, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        pddl.read_plan(text, "1 2 3/4 5 6/0 7 8")
    assert words in str(caught.value)
    assert_clear(caught.value)


PROBLEM = pddl.problem("1 2/0 3")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no PDDL"),
        ("1 2 / 0 3", "no PDDL"),
        (pddl.domain(), "no problem of the domain"),
        (PROBLEM[:-4], "not closed"),
        (PROBLEM + ")", "closing bracket too many"),
        (PROBLEM.replace("sliding-tiles", "blocks"), "no problem of the domain"),
        (PROBLEM.replace("(at t1 r1c1)", ""), "init: 3 things don't fill 2×2 cells"),
        (PROBLEM.replace("(at t1 r1c1)", "(at t1 here)"), "'here' is no cell such as r1c2"),
        (PROBLEM.replace("(at t1 r1c1)", "(at t1 r2c2)"), "two things in r2c2"),
        (PROBLEM.replace("(at t1 r1c1)", "(at t2 r1c1)"), "tile 2 appears twice"),
        (PROBLEM.replace("(at t1 r1c1)", "(at t1 r0c1)"), "don't fill"),
        ("(define (problem p) (:domain sliding-tiles))", "init: there are no tiles"),
    ],
)
def test_problems_that_are_none(text: str, words: str) -> None:
    with pytest.raises(TaquinError) as caught:
        pddl.read_problem(text)
    assert words in str(caught.value)
    assert_clear(caught.value)


@settings(max_examples=300)
@given(st.text(st.sampled_from("()atblnkr12c:- \ndefine"), max_size=60))
def test_any_text_is_answered_in_words(text: str) -> None:
    for read in (pddl.read_problem, lambda text: pddl.read_plan(text, "1 2/0 3")):
        try:
            read(text)
        except TaquinError as error:
            assert_clear(error)


@given(boards(2, 3), st.lists(st.sampled_from(sorted(pddl.ACTIONS)), max_size=9))
def test_no_plan_is_believed(board: Board, actions: list[str]) -> None:
    """Steps with the names of moves but invented tiles and cells are never taken for a solution."""
    text = "\n".join(f"({action} t1 r1c1 r1c2)" for action in actions)
    try:
        solution = pddl.read_plan(text, board)
    except TaquinError:
        return
    assert solution.verify()


def test_names() -> None:
    with pytest.raises(NotationError, match="is no name in PDDL"):
        pddl.problem("1 2/3 0", name="two words")


# --- the command --------------------------------------------------------------------------------


def test_from_the_command_to_a_planner_and_back(tmp_path: Path) -> None:
    def run(*command: str, code: int = 0, **options: object) -> str:
        done = subprocess.run(
            [BIN / command[0], *command[1:]],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, **options,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout if code == 0 else done.stderr

    start, goal = Board.random(2, 3, goal="snail", seed=1), goals.snail(2, 3)
    (tmp_path / "domain.pddl").write_text(run("taquin", "pddl", "domain"))
    problem = run("taquin", "pddl", "problem", str(start), "--goal", "snail")
    (tmp_path / "problem.pddl").write_text(problem)
    run("pyperplan", "-s", "gbf", "-H", "hff", "domain.pddl", "problem.pddl")
    plan = (tmp_path / "problem.pddl.soln").read_text()
    read = json.loads(run("taquin", "pddl", "plan", "problem.pddl", "problem.pddl.soln", "--json"))
    assert (read["board"], read["goal"]) == (str(start), str(goal))
    assert Solution(start, goal, tuple(moves.from_letters(read["moves"]))).verify()
    told = run("taquin", "pddl", "plan", "problem.pddl", input=plan)
    assert told.startswith(f"solved: {read['length']} moves\n")
    cut = plan.rsplit("\n", 2)[0]
    assert "ends elsewhere" in run("taquin", "pddl", "plan", "problem.pddl", input=cut, code=2)
