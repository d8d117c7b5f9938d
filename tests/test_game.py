import json
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from strategies import assert_clear, reachable

from taquin import Board, Game, Move, Replay, goals
from taquin.errors import BoardError, IllegalMoveError, NotationError, OptionError
from taquin.moves import tile_numbers

START = Board("1 2 3/4 5 6/0 7 8")


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def through_json(game: Game, clock: Clock) -> Game:
    return Game.from_dict(json.loads(json.dumps(game.to_dict())), clock=clock)


class Playing(RuleBasedStateMachine):
    """Whatever is done in whatever order: the game stands as a simple account of it says."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        # Far from the goal, so that the games don't end by chance.
        self.game = Game(Board("8 6 7/2 5 4/3 0 1"), clock=self.clock)
        self.moves: list[Move] = []
        self.undone: list[Move] = []
        self.seconds = 0.0
        self.paused = False

    @rule(which=st.integers(0, 3), pause=st.integers(0, 5000))
    def play(self, which, pause):
        possible = self.game.board.moves()
        move = possible[which % len(possible)]
        if self.paused:
            with pytest.raises(IllegalMoveError, match="paused"):
                self.game.play(move)
        else:
            self.game.play(move)
            self.moves.append(move)
            self.undone = []
        self.wait(pause)

    @rule(milliseconds=st.integers(0, 5000))
    def wait(self, milliseconds):
        self.clock.now += milliseconds / 1000
        if (self.moves or self.undone) and not self.paused:
            self.seconds += milliseconds / 1000

    @rule(steps=st.integers(0, 5))
    def undo(self, steps):
        possible = 0 if self.paused else min(steps, len(self.moves))
        assert self.game.undo(steps) == possible
        for _ in range(possible):
            self.undone.append(self.moves.pop())

    @rule(steps=st.integers(0, 5))
    def redo(self, steps):
        possible = 0 if self.paused else min(steps, len(self.undone))
        assert self.game.redo(steps) == possible
        for _ in range(possible):
            self.moves.append(self.undone.pop())

    @rule()
    def pause(self):
        self.game.pause()
        self.paused = True

    @precondition(lambda self: self.paused)
    @rule()
    def resume(self):
        self.game.resume()
        self.paused = False

    @rule(hours=st.integers(0, 100))
    def save_and_restore(self, hours):
        saved = self.game.to_dict()
        self.clock.now += 3600 * hours
        self.game = Game.from_dict(json.loads(json.dumps(saved)), clock=self.clock)
        assert self.game.to_dict() == saved

    @precondition(lambda self: len(self.moves) > 3)
    @rule()
    def restart(self):
        self.game.restart()
        self.moves, self.undone, self.seconds, self.paused = [], [], 0.0, False

    @invariant()
    def the_account_agrees(self):
        game = self.game
        assert game.moves == tuple(self.moves)
        assert game.undone == tuple(reversed(self.undone))
        assert game.board == game.start.slide(self.moves)
        assert game.seconds == pytest.approx(self.seconds)
        assert game.started == bool(self.moves or self.undone)
        assert game.paused == self.paused

    @invariant()
    def its_replay_is_sound(self):
        replay = self.game.replay()
        assert replay.final == self.game.board
        assert len(replay.times) == replay.length
        assert Replay.parse(replay.text()) == replay
        assert (replay.seconds or 0) <= self.game.seconds + 1e-9


TestPlaying = Playing.TestCase
TestPlaying.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_the_clock_goes_from_the_first_move_to_the_last():
    clock = Clock()
    game = Game(START, clock=clock)
    clock.now += 60
    assert not game.started
    assert game.seconds == 0
    game.play("L")
    clock.now += 1.2345
    assert game.seconds == pytest.approx(1.2345)
    game.play("L")
    clock.now += 60
    assert game.solved
    assert game.finished
    assert game.seconds == 1.234 == game.replay().seconds
    assert game.replay().text() == "1 2 3/4 5 6/0 7 8;L2;0,1234"


def test_a_first_move_that_is_made_anew_leaves_the_time_that_has_passed():
    clock = Clock()
    game = Game(START, clock=clock)
    game.play("D")
    clock.now += 5
    game.undo()
    game.play("L")
    clock.now += 1
    game.play("L")
    assert game.replay().times == (0.0, 6.0)
    assert game.seconds == 6


@given(reachable(3, 3), st.lists(st.integers(1, 8), max_size=30))
def test_a_tile_slides_with_all_between_it_and_the_blank(board, tiles):
    game = Game(board)
    for tile in tiles:
        before = game.board
        row, col = divmod(before.tiles.index(tile), 3)
        in_line = row == before.blank // 3 or col == before.blank % 3
        if game.finished or not in_line:
            with pytest.raises(IllegalMoveError) as caught:
                game.slide_tile(tile)
            assert_clear(caught.value)
            assert game.board == before
            continue
        made = game.slide_tile(tile)
        assert game.board == before.slide(made)
        assert len(set(made)) == 1
        assert tile in tile_numbers(before, made) or game.solved


def test_a_run_ends_where_it_solves_the_board():
    game = Game("1 2 3 0 4/", "1 2 3 4 0/")
    assert game.slide_tile(4) == (Move.L,)
    # Sliding 1 from here would pass the goal on its way to the other end.
    game = Game("1 2 3 4 0/", "1 0 2 3 4/")
    assert game.slide_tile(1) == (Move.R, Move.R, Move.R)
    assert game.solved


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("LLR", "move 3 (R) can't be made: the one before it solves the board"),
        ("LU", "move 2 (U) can't be made: no tile below the blank"),
        ([Move.U], "move 1 (U) can't be made"),
    ],
)
def test_nothing_is_half_played(moves, words):
    game = Game(START)
    with pytest.raises(IllegalMoveError) as caught:
        game.play(moves)
    assert words in str(caught.value)
    assert_clear(caught.value)
    assert game.board == START
    assert not game.started


def test_moves_come_as_text_tiles_or_moves():
    for moves in ("L", "left", "7", Move.L, [Move.L], iter([Move.L])):
        game = Game(START)
        game.play(moves)
        assert game.moves == (Move.L,)


def test_a_new_move_drops_those_taken_back():
    game = Game(START)
    game.play("DDL")
    game.undo(2)
    game.play("L")
    assert game.redo() == 0
    assert game.moves == (Move.D, Move.L)


def test_what_is_over_stands_still():
    clock = Clock()
    game = Game(START, clock=clock)
    game.play("LL")
    with pytest.raises(IllegalMoveError, match="solved"):
        game.play("R")
    with pytest.raises(IllegalMoveError, match="solved"):
        game.slide_tile(8)
    assert game.undo() == 0
    game.pause()
    assert not game.paused
    game.restart()
    assert not game.finished
    assert game.moves == ()


def test_help_counts_beyond_a_restart():
    with Game(START) as game:
        game.planner.wait()
        assert game.hint() is not None
        game.restart()
        assert game.hints_used == 1
        game.give_up(wait=60)
        game.restart()
        assert (game.hints_used, game.given_up) == (2, False)


def test_a_game_given_up_can_be_watched_to_its_end():
    clock = Clock()
    with Game(START, clock=clock) as game:
        game.play("D")
        clock.now += 3
        solution = game.give_up(wait=60)
        clock.now += 3
        assert solution == game.solution
        assert list(solution.boards())[-1] == game.goal
        assert (game.given_up, game.finished, game.solved) == (True, True, False)
        assert game.seconds == 3
        with pytest.raises(IllegalMoveError, match="given up"):
            game.play("D")
        back = through_json(game, clock)
        assert back.to_dict() == game.to_dict()
        assert back.finished


def test_hints_count_once_a_board():
    with Game(START) as game:
        game.planner.wait()
        assert game.hint(2).moves == (Move.L, Move.L)
        assert game.hint(0).left == 2
        assert game.hints_used == 1
        game.play("L")
        assert game.hint().moves == (Move.L,)
        assert game.hints_used == 2
        assert through_json(game, Clock()).hints_used == 2
        assert game.optimum == 2


def test_a_hint_is_asked_of_the_board_restored():
    with Game(START) as game:
        game.planner.wait()
        game.hint()
        with through_json(game, Clock()) as back:
            back.planner.wait()
            back.hint()
            assert back.hints_used == 1


def test_the_goal_is_kept():
    game = Game("1 2 3/8 4 0/7 6 5", "snail")
    assert through_json(game, Clock()).goal == goals.snail(3, 3)
    game.play("R")
    assert game.solved


def test_a_board_that_can_not_be_solved_is_refused():
    with pytest.raises(BoardError, match="unsolvable: with 3 columns"):
        Game("2 1 3/4 5 6/7 8 0")


def test_counts_can_not_be_negative():
    game = Game(START)
    with pytest.raises(OptionError, match="-1"):
        game.undo(-1)
    with pytest.raises(OptionError, match="-2"):
        game.hint(-2)
    game.close()


def saved(**changes) -> dict:
    game = Game(START)
    game.play("DL")
    game.undo()
    return game.to_dict() | {"seconds": 2.5} | changes


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": "X"}, "move 1: 'X'"),
        ({"moves": "U"}, "move 1 (U) can't be made"),
        ({"moves": "DD"}, "there is 1 time for 2 moves"),
        ({"times": None}, "'times' is missing"),
        ({"moves": "LLR", "times": [0, 1, 2]}, "move 3 comes after the board is solved"),
        ({"times": [0], "seconds": -1}, "'seconds' must be a number from 0 on, not -1"),
        ({"moves": "DD", "times": [0, 9]}, "'seconds' is 2.5, but the last move was at 9"),
        ({"undone": "U9"}, "move 2 (U) can't be made"),
        ({"undone": None}, "'undone' must be text"),
        ({"paused": 1}, "'paused' must be true or false, not 1"),
        ({"given_up": None}, "'given_up' must be true or false, not None"),
        ({"hints_used": 1.5}, "'hints_used' must be a whole number, not 1.5"),
        ({"hints_used": "x" * 999}, "'hints_used' must be a number from 0 on"),
        ({"optimum": True}, "'optimum' must be a number"),
        ({"board": "2 1 3/4 5 6/0 7 8", "moves": "", "times": []}, "unsolvable"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_saved_game_that_can_not_be_is_refused_in_words(changes, words):
    with pytest.raises((NotationError, IllegalMoveError, BoardError)) as caught:
        Game.from_dict(saved(**changes))
    assert words in str(caught.value)
    assert_clear(caught.value)


def test_every_moment_of_a_game_is_a_replay_too():
    assert Replay.parse(json.dumps(saved())).moves == (Move.D,)


def test_a_long_game_is_taken_back_to_its_first_board():
    game = Game(Board.random(4, 4, seed=1))
    boards = [game.board]
    for step in range(3000):
        possible = game.board.moves()
        game.play(possible[step % len(possible)])
        boards.append(game.board)
    for before in reversed(boards[:-1]):
        assert game.undo() == 1
        assert game.board == before
    assert game.redo(10**6) == 3000
    assert game.board == boards[-1]
    assert list(accumulate(game.replay().times, max)) == list(game.replay().times)
