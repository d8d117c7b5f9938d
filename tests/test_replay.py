import json
from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import assert_clear, boards, goal_names

from taquin import Board, Move, TaquinError, goals
from taquin.errors import BoardError, IllegalMoveError, NotationError, UnknownNameError
from taquin.replay import LINK, Replay

START = Board("1 2 3/4 5 6/0 7 8")
GOAL = goals.blank_last(3, 3)


def walk(board: Board, length: int, seed: int) -> tuple[Move, ...]:
    random, moves = Random(seed), []
    for _ in range(length):
        move = random.choice(board.moves())
        board = board.slide(move)
        moves.append(move)
    return tuple(moves)


@st.composite
def replays(draw, goal: str | None = None) -> Replay:
    board = draw(boards())
    named = draw(goal_names() | boards(*board.shape)) if goal is None else goal
    moves = walk(board, draw(st.integers(0, 60)), draw(st.integers(0, 2**32)))
    pauses = st.lists(
        st.integers(0, 10**7), min_size=max(len(moves) - 1, 0), max_size=max(len(moves) - 1, 0)
    )
    times = [0] * bool(moves)
    for pause in draw(pauses):
        times.append(times[-1] + pause)
    known = draw(st.booleans())
    seconds = tuple(time / 1000 for time in times) if known else ()
    return Replay(board, goals.resolve(named, board.shape), moves, seconds)


@given(replays())
def test_text_is_read_back_as_the_same_replay(replay):
    text = replay.text()
    assert "\n" not in text
    assert Replay.parse(text) == replay
    assert Replay.parse(text).text() == text
    assert Replay.parse(text.replace(";", " ;\t")) == replay


@given(replays())
def test_json_is_read_back_as_the_same_replay(replay):
    text = json.dumps(replay.to_dict())
    assert Replay.parse(text) == Replay.from_dict(json.loads(text)) == replay
    assert Replay.parse(json.dumps(replay.to_dict() | {"hints": 3}, indent=1)) == replay


@given(replays(goal="blank-last"))
def test_a_slidysim_link_is_read_back_as_the_same_replay(replay):
    link = replay.link()
    assert link.startswith(LINK)
    assert Replay.parse(link) == replay


@pytest.mark.parametrize(
    ("packed", "times"),
    [
        ("eNqLVvIJVdJRsLQwN9NRUDJUMFIw1jdRMFAw1TdXsFAwA0pFGxrpKJgamsfGAgC%2B4wia", (0, 0.505)),
        ("eNqLVvIJVdJRsLQwN9NRUDJUMFIw1jdRMFAw1TdXsFAwA0rpGsYCAIhGBvQ%3D", ()),
    ],
)
def test_a_link_made_by_slidysims_own_tools(packed, times):
    # JSON of moves, moves per second × 1000, scramble and times; zlib, base64, percent signs.
    replay = Replay.parse("https://slidysim.github.io/replay?r=" + packed)
    assert replay == Replay(Board("1 2 3/4 0 5/7 8 6"), GOAL, (Move.L, Move.U), times)
    assert replay.solved


@given(replays())
def test_lines_are_fields_too(replay):
    moves = "".join(replay.moves)
    if moves:
        assert Replay.parse(f"{replay.board}\n{moves}\n", goal=replay.goal) == Replay(
            replay.board, replay.goal, replay.moves
        )


@given(replays())
def test_what_a_replay_tells(replay):
    steps = list(replay.boards())
    assert steps[0] == replay.board
    assert steps[-1] == replay.final == replay.board.slide(replay.moves)
    assert len(steps) == replay.length + 1
    assert replay.solved == (replay.final == replay.goal)
    assert replay.seconds == (replay.times[-1] if replay.times else None)


def test_times_are_kept_to_the_millisecond():
    replay = Replay(START, GOAL, (Move.L, Move.L), (0.0, 1.23456789))
    assert replay.times == (0.0, 1.235)
    assert Replay.parse(replay.text()) == replay


def test_a_replay_can_not_be_changed():
    with pytest.raises(FrozenInstanceError):
        Replay(START, GOAL, ()).moves = (Move.L,)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("1 2 3/8 4 0/7 6 5;R", "blank-last"),
        ("1 2 3/8 4 0/7 6 5;R;;snail", "snail"),
        ("1 2 3/8 4 0/7 6 5;R;0;1 2 3/8 0 4/7 6 5", "snail"),
    ],
)
def test_the_goal_travels(text, goal):
    replay = Replay.parse(text)
    assert replay.goal == goals.named(goal, 3, 3)
    assert replay.solved == (goal == "snail")
    assert Replay.parse(replay.text()).goal == replay.goal


def test_the_goal_asked_for_is_only_for_texts_without_one():
    assert Replay.parse("1 2/3 0;R", goal="blank-first").goal == goals.blank_first(2, 2)
    assert Replay.parse("1 2/3 0;R;;snail", goal="blank-first").goal == goals.snail(2, 2)
    assert Replay.parse('{"board": "1 2/3 0", "moves": "R"}', goal="snail").goal == goals.snail(
        2, 2
    )


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        (" ", NotationError, "the text is empty"),
        ("1 2 3/4 5 6/0 7 8", NotationError, "has 1 of these fields"),
        ("1;2;3;4;5", NotationError, "has 5 of these fields"),
        ("1 2 2/4 5 6/0 7 8;L", BoardError, "tile 2 appears twice"),
        ("1 2 3/4 5 6/0 7 8;LXL", NotationError, "move 2: 'XL'"),
        ("1 2 3/4 5 6/0 7 8;LLL", IllegalMoveError, "move 3 (L)"),
        ("1 2 3/4 5 6/0 7 8;LL;0", NotationError, "there is 1 time for 2 moves"),
        ("1 2 3/4 5 6/0 7 8;L;0,1", NotationError, "there are 2 times for 1 move"),
        ("1 2 3/4 5 6/0 7 8;LL;5,10", NotationError, "time 1 is 0.005 s: the clock starts"),
        (
            "1 2 3/4 5 6/0 7 8;LLR;0,9,7",
            NotationError,
            "time 3 is 0.007 s, before time 2 (0.009 s)",
        ),
        ("1 2 3/4 5 6/0 7 8;LL;0,1.5", NotationError, "time 2: '1.5'"),
        ("1 2 3/4 5 6/0 7 8;LL;0,-5", NotationError, "time 2: '-5'"),
        ("1 2 3/4 5 6/0 7 8;L;0;nowhere", UnknownNameError, "unknown goal 'nowhere'"),
        ("1 2 3/4 5 6/0 7 8;L;0;1 2/3 0", BoardError, "the goal is 2×2, but the board is 3×3"),
        ("{", NotationError, "not JSON: "),
        ('{"a":' + "[" * 100_000, NotationError, "can't be read"),
        ('{"board": ' + "1" * 5000 + "}", NotationError, "can't be read"),
        ("{}", NotationError, "'board' is missing"),
        ('{"board": 3}', NotationError, "'board' must be text, not 3"),
        ('{"board": "1 2/3 0"}', NotationError, "'moves' is missing"),
        ('{"board": "1 2/3 0", "moves": "R", "times": 7}', NotationError, "'times' must be a list"),
        ('{"board": "1 2/3 0", "moves": "R", "times": ["x"]}', NotationError, "time 1 is 'x'"),
        ('{"board": "1 2/3 0", "moves": "R", "times": [NaN]}', NotationError, "time 1 is nan"),
        ('{"board": "1 2/3 0", "moves": "R", "goal": 5}', NotationError, "'goal' must be text"),
        ("https://slidysim.github.io/replay", NotationError, "no replay in this link"),
        (LINK + "AAAA", NotationError, "no replay in this link"),
        (LINK + "%", NotationError, "no replay in this link"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else None,
)
def test_bad_texts_are_refused_in_words(text, error, words):
    with pytest.raises(error) as caught:
        Replay.parse(text)
    assert words in str(caught.value)
    assert_clear(caught.value)


@given(st.text(alphabet='0123456789/;,ULDRx {}[]":\n-', max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        replay = Replay.parse(text)
    except TaquinError as error:
        assert_clear(error)
    else:
        assert Replay.parse(replay.text()) == replay


def test_slidysim_has_one_goal():
    with pytest.raises(NotationError, match="no goal but blank-last"):
        Replay.parse("1 2/3 0;R;;snail").link()
