import os
import subprocess
import sys
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import assert_clear, exact_distance, reachable

from taquin import Board, Game, Limit, Move, goals
from taquin.errors import OptionError
from taquin.hints import Answer, Hint, Planner
from taquin.parity import blank_distance, reaches

START = Board("8 6 7/2 5 4/3 0 1")
HARD = Board("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3")
"""The first of Korf's boards: 57 moves to the goal with the blank first."""
HOPELESS = Board.random(8, 8, seed=1)
FOREVER = Limit(seconds=3600)


def assert_true(board: Board, goal: Board, answer: Answer) -> None:
    """The moves lead to the goal, and no way is shorter than it is said that none is."""
    assert board.slide(answer.moves) == goal
    assert answer.lower_bound <= exact_distance(board, goal) <= len(answer.moves)


def leave(game: Game) -> Move:
    """Make a move that is not the one of the answer."""
    ahead = game.planner.answer().moves[0]
    move = next(move for move in game.board.moves() if move != ahead)
    game.play(move)
    return move


def running() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name == "taquin-planner"]


# --- what is known of a board is carried to the next --------------------------------------------


@given(reachable(3, 3), st.lists(st.integers(0, 3), max_size=12), st.integers(0, 20))
def test_answers_stay_true_wherever_the_player_goes(board, choices, slack):
    goal = goals.blank_last(3, 3)
    optimum = exact_distance(board)
    here, back = board, []
    answer = Answer(_some_way(board, goal), max(optimum - slack, 0), None)
    for choice in choices:
        possible = here.moves()
        move = possible[choice % len(possible)]
        answer, here = answer.after(move), here.slide(move)
        assert_true(here, goal, answer)
        back.append(move.opposite)
    for move in reversed(back):
        answer, here = answer.after(move), here.slide(move)
        assert_true(here, goal, answer)


def _some_way(board: Board, goal: Board) -> tuple[Move, ...]:
    with Planner(board, goal) as planner:
        planner.wait()
        return planner.answer().moves


def test_the_best_of_two_answers():
    short, proven = Answer((Move.L,), 0, None), Answer((Move.R, Move.L, Move.L), 1, None)
    assert short.joined(proven) == proven.joined(short) == Answer((Move.L,), 1, None)


@settings(max_examples=40)
@given(
    reachable(3, 3),
    st.lists(st.sampled_from(["ahead", "leave", "undo", "redo", "wait"])),
    st.sampled_from(sorted(goals.NAMED)),
)
def test_hints_are_true_in_every_game(board, deeds, goal):
    goal = goals.named(goal, 3, 3)
    if not reaches(board, goal):
        board = board.exchange(1, 2)
    with Game(board, goal) as game:
        game.planner.wait()
        for deed in deeds:
            if game.finished:
                break
            if deed == "ahead" and (hint := game.hint()):
                game.play(hint.moves)
            elif deed == "leave" and game.hint():
                leave(game)
            elif deed == "wait":
                game.planner.wait()
                assert game.hint().left == exact_distance(game.board, goal)
                assert game.hint().proof == "optimal"
            else:
                game.undo() if deed == "undo" else game.redo()
            if (answer := game.planner.answer()) is not None:
                assert_true(game.board, goal, answer)
    assert not running()


# --- when there is a search ---------------------------------------------------------------------


@pytest.mark.parametrize("board", [START, Board("1 2 3 4/5 6 7 8/9 10 15 11/13 14 0 12")], ids=str)
def test_following_the_answer_costs_no_search(board):
    with Game(board) as game:
        game.planner.wait()
        left = game.hint().left
        while not game.finished:
            assert (game.hint().left, game.hint().proof) == (left, "optimal")
            game.play(game.hint().moves)
            left -= 1
            assert not game.planner.planning
        assert left == 0
        assert game.planner.searches == 1


def test_going_back_costs_no_search_and_keeps_the_proof():
    with Game(START) as game:
        game.planner.wait()
        for _ in range(3):
            game.play(game.hint(5).moves)
            game.undo(3)
            game.redo(2)
            game.undo(4)
            assert (game.hint().left, game.hint().proof) == (31, "optimal")
        assert game.planner.searches == 1


def test_leaving_the_answer_costs_a_search_and_coming_back_none():
    with Game(START) as game:
        game.planner.wait()
        leave(game)
        assert game.hint() is not None
        assert game.planner.searches == 2
        game.planner.wait()
        assert game.hint().proof == "optimal"
        game.undo()
        assert (game.hint().left, game.hint().proof) == (31, "optimal")
        game.redo()
        assert game.hint().proof == "optimal"
        assert game.planner.searches == 2


def test_a_search_goes_on_while_the_player_follows_and_ends_when_they_leave():
    with Game(HOPELESS, planning=FOREVER) as game:
        planner = game.planner
        assert planner.wait_for_answer(60)
        with planner._changed:  # or a better answer might come between the hint and the move
            first = planner._search
            game.play(game.hint(3).moves)
            game.undo()
            assert planner.searches == 1
            assert planner._search is first
            assert not first.is_set()
            leave(game)
            assert planner.searches == 2
            assert first.is_set()
            assert game.hint() is not None
        assert running() == ["taquin-planner"]
    assert not running()


def test_an_answer_left_half_searched_is_searched_again():
    with Game(HOPELESS, planning=FOREVER) as game:
        planner = game.planner
        assert planner.wait_for_answer(60)
        with planner._changed:
            leave(game)
            game.undo()
            assert planner.searches == 3


def test_whoever_cancels_keeps_the_best_answer():
    with Game(HOPELESS, planning=FOREVER) as game:
        assert game.planner.wait_for_answer(60)
        game.planner.cancel()
        assert game.planner.wait(60)
        assert not game.planner.planning
        assert game.planner.progress is None
        hint = game.hint()
        assert not hint.planning
        assert hint.proof.startswith("within:")
        game.play(game.hint(9).moves)
        assert game.hint().left == hint.left - 9
        assert game.hint().lower_bound == hint.lower_bound - 9
        game.undo(9)
        assert game.hint() == hint
        assert game.planner.searches == 1


def test_a_limit_ends_the_search_and_keeps_the_best_answer():
    with Game(HOPELESS, planning=Limit(expanded=200_000)) as game:
        assert game.planner.wait(60)
        assert game.hint().left >= game.hint().lower_bound > 0
        assert not game.hint().planning


def test_restarting_goes_back_to_what_is_known():
    with Game(START) as game:
        game.planner.wait()
        leave(game)
        game.restart()
        assert game.hint().left == 31
        assert game.planner.searches == 2
        assert not game.planner.planning


def test_progress_is_counted_from_where_the_player_is():
    with Game(HOPELESS, planning=FOREVER) as game:
        planner = game.planner
        assert planner.wait_for_answer(60)
        with planner._changed:
            before = planner.progress
            game.play(game.hint(5).moves)
            after = planner.progress
        assert after.best == before.best - 5
        assert after.lower_bound == before.lower_bound - 5
        assert after.seconds >= before.seconds >= 0


def test_nothing_is_begun_after_the_end():
    game = Game(START)
    game.close()
    assert game.hint() is None
    assert game.solution is None
    game.play("R")
    assert game.hint() is None
    assert not running()


def test_a_board_that_is_solved_needs_no_search():
    with Planner(goals.snail(3, 3), "snail") as planner:
        assert planner.hint().left == 0
        assert planner.solution.moves == ()
        assert planner.searches == 0


def test_a_better_way_that_the_player_has_left_is_told():
    # The search finds the shortest way from a board that the player is no longer at.
    with Planner(HARD, "blank-first") as planner:
        planner.wait()
        optimum = planner.answer()
        off = next(move for move in HARD.moves() if move != optimum.moves[0])
    with Planner(HARD, "blank-first") as planner:
        assert planner.wait_for_answer(60)
        with planner._changed:
            # As if the first answer had begun with the move that the shortest does not make.
            detour = (off, off.opposite, *planner.answer().moves)
            known = planner.answer()
            planner._answers[HARD] = Answer(detour, known.lower_bound, known.search)
            planner.follow([off])
            assert planner.searches == 1 or known.is_optimal
        assert planner.wait(300)
        assert planner.hint().proof == "optimal"
        assert planner.hint().left in (len(optimum.moves) - 1, len(optimum.moves) + 1)


# --- tables, and programs that end --------------------------------------------------------------


def run(program: str, home: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "TAQUIN_HOME": home},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_hint_does_not_wait_for_tables(tmp_path):
    # Someone else builds the tables, and takes their time.
    program = f"""
from taquin import Game, goals, store, tables
recipe = tables.recipes(goals.blank_first(4, 4), "default")[0]
store.directory().mkdir(parents=True)
with Game("{HARD}", "blank-first") as game:
    with store._locked(store.path_of(recipe), None, store.quiet):
        assert game.planner.wait_for_answer(200)
        print(game.hint().proof, game.planner.planning)
    assert game.planner.wait(200)
    print(game.hint())
"""
    first, last = run(program, str(tmp_path)).splitlines()
    assert first.startswith("within:")
    assert first.endswith(" True")
    assert last == "57 moves to the goal, the fewest possible"


def test_a_program_can_end_without_closing_its_game(tmp_path):
    program = """
from taquin import Board, Game, Limit
game = Game(Board.random(8, 8, seed=1), planning=Limit(seconds=3600))
game.planner.wait_for_answer()
print(game.hint().left > 0)
"""
    assert run(program, str(tmp_path)) == "True\n"


# --- words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hint", "words"),
    [
        (Hint((), (), 0, 0, False), "this is the goal"),
        (Hint((Move.L,), (8,), 1, 1, False), "1 move to the goal, the fewest possible"),
        (
            Hint((), (), 104, 92, True),
            "104 moves to the goal by the best answer known so far; at least 92 are needed",
        ),
        (
            Hint((), (), 104, 92, False),
            "104 moves to the goal by the best answer known; at least 92 are needed",
        ),
    ],
)
def test_hints_in_words(hint, words):
    assert str(hint) == words


def test_a_hint_names_the_tiles():
    with Planner(Board("1 2 3/4 5 6/0 7 8")) as planner:
        planner.wait()
        assert planner.hint(5).tiles == (7, 8)
        with pytest.raises(OptionError) as caught:
            planner.hint(-1)
        assert_clear(caught.value)


@given(reachable(3, 3))
def test_the_parity_of_answers(board):
    with Planner(board) as planner:
        planner.wait()
        assert planner.hint().left % 2 == blank_distance(board, planner.goal) % 2
