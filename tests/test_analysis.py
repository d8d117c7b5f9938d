import json
import os
import pty
import signal
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards, exact_distance, goal_names

from taquin import Analysis, Board, Game, Limit, Move, Replay, analyse, goals, solve
from taquin.errors import BoardError, NotationError
from taquin.moves import verify
from taquin.parity import reaches

TAQUIN = [str(Path(sys.executable).with_name("taquin")), "analyse"]
KORF = Board("14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3")
DETOUR = "1 2 3/4 5 6/0 7 8;DUL2;0,100,200,300"


def wandering(board: Board, goal: Board, seed: int, care: float, most: int = 60) -> Replay:
    """The game of someone who goes a shortest way for a while, and astray now and then."""
    random, moves, here = Random(seed), [], board
    ahead: list[Move] = []
    while here != goal and len(moves) < most:
        if random.random() < care:
            ahead = ahead or list(solve(here, goal).solution.moves)
            moves.append(ahead.pop(0))
        else:
            moves.append(random.choice(here.moves()))
            ahead = []
        here = here.slide(moves[-1])
    return Replay(board, goal, tuple(moves))


def assert_adds_up(analysis: Analysis) -> None:
    """Every move led one nearer to the goal, apart from those that lost two."""
    replay = analysis.replay
    assert [step.number for step in analysis.steps] == list(range(1, replay.length + 1))
    assert tuple(step.move for step in analysis.steps) == replay.moves
    assert all(step.lost in (None, 0, 2) for step in analysis.steps)
    assert sum(mistake.lost for mistake in analysis.mistakes) == analysis.lost
    assert replay.board.slide(replay.moves) == replay.final
    if analysis.steps and analysis.known == replay.length:
        assert analysis.reason == ""
        assert analysis.optimum == analysis.steps[0].before
        assert replay.length == analysis.optimum - analysis.steps[-1].after + analysis.lost


@settings(max_examples=40)
@given(boards(3, 3), goal_names(), st.integers(0, 99), st.floats(0, 1))
def test_small_boards_agree_with_the_exact_table(board, name, seed, care):
    goal = goals.named(name, 3, 3)
    start = board if reaches(board, goal) else board.exchange(1, 2)
    replay = wandering(start, goal, seed, care)
    analysis = analyse(replay)
    assert_adds_up(analysis)
    assert analysis.known == replay.length
    passed = list(replay.boards())
    for step, (before, after) in zip(analysis.steps, pairwise(passed), strict=True):
        assert (step.before, step.after) == (
            exact_distance(before, goal),
            exact_distance(after, goal),
        )
        assert (step.best == step.move) == (step.lost == 0)
        if before != goal:
            assert exact_distance(before.slide(step.best), goal) == step.before - 1
    for mistake in analysis.mistakes:
        before = passed[mistake.first - 1]
        assert verify(before, mistake.instead, goal)
        assert len(mistake.instead) == exact_distance(before, goal)
        assert all(step.lost == 2 for step in analysis.steps[mistake.first - 1 : mistake.last])


def test_the_costliest_mistakes_come_first():
    analysis = analyse("1 2 3/4 5 6/7 0 8;RLDUL")
    assert [(m.first, m.last, m.lost) for m in analysis.mistakes] == [(1, 1, 2), (3, 3, 2)]
    analysis = analyse("1 2 3/4 5 6/0 7 8;DUDDUULL")
    assert [(m.first, m.last, m.lost) for m in analysis.mistakes] == [(3, 4, 4), (1, 1, 2)]
    assert "".join(analysis.mistakes[0].instead) == "LL"


def test_the_fifteen_puzzle_is_known_from_the_first_move_on():
    replay = wandering(KORF, goals.blank_first(4, 4), seed=1, care=0.9, most=200)
    analysis = analyse(replay, limit=Limit(seconds=300))
    assert_adds_up(analysis)
    assert (analysis.optimum, analysis.known) == (57, replay.length)
    assert analysis.lost > 0
    for step, before in zip(analysis.steps, replay.boards(), strict=False):
        if step.number % 9 == 0:
            assert solve(before, replay.goal).length == step.before


def test_of_large_boards_the_end_is_known():
    start = Board.random(6, 6, seed=1)
    solution = solve(start, quality="fast").solution
    replay = Replay(start, solution.goal, solution.moves)
    analysis = analyse(replay, limit=Limit(expanded=100_000))
    assert_adds_up(analysis)
    assert analysis.optimum is None
    assert 10 < analysis.known < replay.length
    assert all(step.lost is not None for step in analysis.steps[-analysis.known :])
    assert analysis.reason == "the limit of 100,000 expanded boards"


def test_without_time_nothing_is_known():
    analysis = analyse(Replay(KORF, goals.blank_first(4, 4), (Move.L,)), limit=Limit(seconds=0))
    assert (analysis.known, analysis.lost, analysis.optimum) == (0, 0, None)
    assert analysis.reason == "the time limit of 0 s"
    assert_adds_up(analysis)


def test_a_cancel_ends_it():
    cancel = threading.Event()
    cancel.set()
    analysis = analyse(Replay(KORF, goals.blank_first(4, 4), (Move.L,)), cancel=cancel)
    assert (analysis.known, analysis.reason) == (0, "it was interrupted")


@pytest.mark.parametrize("text", ["1 2 3/4 5 6/7 8 0;", "1 2 3/4 5 6/7 0 8;"])
def test_a_game_without_moves(text):
    analysis = analyse(text)
    assert (analysis.steps, analysis.mistakes, analysis.lost) == ((), (), 0)
    assert analysis.optimum == (0 if analysis.replay.solved else 1)


def test_moves_that_leave_the_goal_lose():
    assert [step.best for step in analyse("1 2/3 0;RL").steps] == [None, Move.L]
    assert analyse("1 2/3 0;RL").lost == 2


def test_what_can_not_be_solved_or_read_is_refused():
    with pytest.raises(BoardError, match="unsolvable"):
        analyse("2 1 3/4 5 6/7 8 0;R")
    with pytest.raises(NotationError, match="fields"):
        analyse("1 2 3/4 5 6/7 8 0")


def test_what_is_in_the_dict():
    plain = json.loads(json.dumps(analyse(DETOUR).to_dict()))
    assert list(plain) == [
        "replay", "solved", "length", "seconds", "optimum", "lost", "known", "reason", "mistakes",
        "steps",
    ]  # fmt: skip
    assert Replay.from_dict(plain["replay"]) == Replay.parse(DETOUR)
    assert plain["mistakes"] == [{"first": 1, "last": 1, "lost": 2, "instead": "LL"}]
    assert plain["steps"][0] == {
        "number": 1, "move": "D", "tile": 4, "seconds": 0.0, "before": 2, "after": 3, "lost": 2,
        "best": "L",
    }  # fmt: skip


# --- the command --------------------------------------------------------------------------------


def run(*args: str, code: int = 0, stdin: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TAQUIN, *args],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines()]


def test_the_command_tells_what_was_lost():
    assert lines(run(DETOUR).stdout) == [
        "solved: 4 moves in 0.300 s",
        "the shortest way from the first board has 2 moves",
        "2 moves lost by 1 mistake",
        "",
        "the moves (in small letters: off every shortest way)",
        "1  dULL",
        "",
        "moves      at lost needed played best",
        "    1 0.000 s    2  2 → 3 D      LL",
    ]


def test_the_command_shows_every_step():
    out = lines(run("1 2 3/4 5 6/0 7 8;DUL2", "--steps").stdout)
    assert out[-5:] == [
        "number move tile needed lost best",
        "     1 D       4  2 → 3    2 L",
        "     2 U       4  3 → 2    0",
        "     3 L       7  2 → 1    0",
        "     4 L       8  1 → 0    0",
    ]


def test_the_command_reads_files_games_links_and_standard_input(tmp_path):
    game = Game("1 2 3/4 5 6/0 7 8")
    game.play("DULL")
    replay = game.replay()
    (tmp_path / "game.json").write_text(json.dumps(game.to_dict()))
    (tmp_path / "game.txt").write_text(replay.text())
    expected = run(replay.text()).stdout
    assert run(str(tmp_path / "game.json")).stdout == expected
    assert run(str(tmp_path / "game.txt")).stdout == expected
    assert run("-", stdin=replay.text()).stdout == expected
    assert run(replay.link()).stdout == expected
    assert run(*replay.text().split(" ")).stdout == expected


def test_the_command_prints_json():
    assert json.loads(run(DETOUR, "--json").stdout) == json.loads(
        json.dumps(analyse(DETOUR).to_dict())
    )


def test_the_command_knows_other_goals():
    out = run("1 2 3/8 4 0/7 6 5;R", "--goal", "snail").stdout
    assert out.startswith("solved: 1 move\n")
    assert out == run("1 2 3/8 4 0/7 6 5;R;;snail").stdout


def test_the_command_shows_no_more_mistakes_than_asked_for():
    replay = wandering(Board("8 6 7/2 5 4/3 0 1"), goals.blank_last(3, 3), seed=5, care=0.6)
    count = len(analyse(replay).mistakes)
    assert count > 3
    out = run(replay.text(), "--most", "2").stdout
    assert out.splitlines()[-1] == f"… and {count - 2} more"
    assert max(map(len, lines(out))) <= 80
    assert "played" not in run(replay.text(), "--most", "0").stdout


def test_the_command_writes_plain_characters_where_others_can_not_be(monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    monkeypatch.setenv("LC_ALL", "C")
    replay = wandering(Board("8 6 7/2 5 4/3 0 1"), goals.blank_last(3, 3), seed=5, care=0.6)
    for options in (["--most", "2"], ["--steps"]):
        out = run(replay.text(), *options).stdout
        assert out.isascii()
        assert " -> " in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 3/4 5 6/0 7 8;L3", "move 3 (L) can't be made"),
        ("1 2 3/4 5 6/0 7 8", "a replay is 'scramble;moves;times'"),
        ("nowhere.txt", "there is no file 'nowhere.txt'"),
        ("2 1 3/4 5 6/0 7 8;L", "unsolvable"),
        ("{}", "'board' is missing"),
    ],
)
def test_the_command_refuses_in_one_line(text, words):
    done = run(text, code=2)
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_command_says_if_nothing_could_be_known():
    done = run(f"{KORF};L;;blank-first", "--time", "0", code=3)
    assert lines(done.stdout) == [
        "not solved: 1 move",
        "nothing is known of these moves: the time limit of 0 s",
    ]


def test_the_command_can_be_interrupted():
    start = Board.random(6, 6, seed=1)
    replay = Replay(start, goals.blank_last(6, 6), (start.moves()[0],))
    screen, terminal = pty.openpty()
    child = subprocess.Popen(
        [*TAQUIN, replay.text(), "--time", "inf"], stdout=subprocess.PIPE, stderr=terminal
    )
    shown = b""
    while b"expanded" not in shown:  # by then it is at work
        shown += os.read(screen, 1 << 16)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=300)
    os.close(terminal)
    os.close(screen)
    assert child.returncode == 130
    assert out.decode().splitlines()[-1] == "nothing is known of these moves: it was interrupted"
