"""The Gymnasium environment, by Gymnasium's own checker and by what it must mean."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections import Counter

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from strategies import assert_clear, exact_distance

import taquin.gym
from taquin import Board, Move, goals, heuristics, solve
from taquin.errors import IllegalMoveError, OptionError, TaquinError, UnknownNameError
from taquin.gym import ACTIONS, REWARDS, SlidingEnv, Step

SETTINGS = {
    "plain": {},
    "grid": {"observation": "grid", "rows": 2, "cols": 4},
    "planes": {"observation": "planes", "distance": (1, 5)},
    "walk": {"rows": 4, "walk": 20, "reward": "manhattan"},
    "large": {"rows": 17, "cols": 16, "observation": "grid"},
    "ends": {"rows": 2, "cols": 3, "goal": "snail", "illegal": "end", "penalty": 0.5},
    "line": {"rows": 1, "cols": 5, "reward": "step"},
    "exact": {"reward": "distance", "distance": 31},
    "own": {"reward": lambda step: step.is_legal},
}


@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
@pytest.mark.parametrize("name", SETTINGS)
def test_gymnasiums_checker_has_nothing_to_say(name: str, render_mode: str | None) -> None:
    env = gymnasium.make(taquin.gym.ID, render_mode=render_mode, **SETTINGS[name])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


def test_it_can_be_made_without_an_import() -> None:
    script = (
        "import gymnasium; env = gymnasium.make('taquin.gym:taquin/Sliding-v0', distance=7);"
        "print(env.reset(seed=1)[1]['distance'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout == "7\n", done.stderr


def test_without_gymnasium_it_tells_how_to_get_it() -> None:
    script = "import sys; sys.modules['gymnasium'] = None; import taquin.gym"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "this needs gymnasium: pip install 'taquin[rl]'" in done.stderr


# --- moves --------------------------------------------------------------------------------------


def test_an_optimal_agent_ends_after_the_distance() -> None:
    env = SlidingEnv(3, 3, "snail", distance=20, reward="step")
    _, info = env.reset(seed=4)
    result = solve(env.board, env.goal)
    assert result.solution is not None
    assert result.length == info["distance"] == 20
    total = 0.0
    for number, move in enumerate(result.solution.moves, 1):
        assert env.action_masks()[ACTIONS.index(move)]
        observation, reward, terminated, truncated, info = env.step(ACTIONS.index(move))
        total += reward
        assert info["distance"] == 20 - number
        assert tuple(observation) == env.board.tiles
        assert (terminated, truncated, info["is_success"]) == (number == 20, False, number == 20)
    assert env.board == env.goal
    assert total == -20


def test_masks_are_the_moves_that_can_be_made() -> None:
    env = SlidingEnv(3, 4)
    _, info = env.reset(seed=3)
    env.action_space.seed(1)
    for _ in range(200):
        can = {move for move in Move if move in env.board.moves()}
        assert {ACTIONS[i] for i in np.flatnonzero(env.action_masks())} == can
        assert env.action_masks().dtype == np.bool_
        assert info["action_mask"].tolist() == env.action_masks().tolist()
        action = int(env.action_space.sample(mask=info["action_mask"]))
        expected = env.board.slide(ACTIONS[action])
        _, _, _, _, info = env.step(action)
        assert env.board == expected
        assert info["is_legal"]


def illegal_action(env: SlidingEnv) -> int:
    return int(np.flatnonzero(~env.action_masks())[0])


def test_illegal_moves() -> None:
    corner = {"board": "1 2 3/4 5 6/0 7 8"}
    stay = SlidingEnv(penalty=0.25)
    stay.reset(options=corner)
    observation, reward, terminated, truncated, info = stay.step(illegal_action(stay))
    assert tuple(observation) == Board("1 2 3/4 5 6/0 7 8").tiles
    assert (reward, terminated, truncated) == (-0.25, False, False)
    assert (info["is_legal"], info["moves"]) == (False, 1)
    end = SlidingEnv(illegal="end")
    end.reset(options=corner)
    assert end.step(illegal_action(end))[2] is True
    strict = SlidingEnv(illegal="raise")
    strict.reset(options=corner)
    with pytest.raises(IllegalMoveError):
        strict.step(illegal_action(strict))
    assert strict.board == Board("1 2 3/4 5 6/0 7 8")


def test_truncation() -> None:
    env = SlidingEnv(max_moves=3)
    env.reset(options={"board": "8 6 7/2 5 4/3 0 1"})
    ends = [env.step(np.flatnonzero(env.action_masks())[0])[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    # Who reaches the goal with the last action has reached it.
    env.reset(options={"board": "1 2 3/4 5 6/0 7 8"})
    left = ACTIONS.index(Move.L)
    env = SlidingEnv(max_moves=2)
    env.reset(options={"board": "1 2 3/4 5 6/0 7 8"})
    assert env.step(left)[2:4] == (False, False)
    assert env.step(left)[2:4] == (True, False)


# --- how episodes begin -------------------------------------------------------------------------


@pytest.mark.parametrize("goal", ["blank-last", "snail"])
def test_every_distance_is_exact(goal: str) -> None:
    env = SlidingEnv(3, 3, goal)
    for distance in (1, 2, 10, 20, 30):
        _, info = env.reset(seed=distance, options={"distance": distance})
        assert exact_distance(env.board, env.goal) == distance == info["distance"]


def test_a_range_gives_all_its_distances_alike() -> None:
    env = SlidingEnv(distance=(1, 5))
    env.reset(seed=1)
    drawn = Counter(env.reset()[1]["distance"] for _ in range(1000))
    assert set(drawn) == {1, 2, 3, 4, 5}
    assert min(drawn.values()) > 150


def test_a_layer_is_drawn_from_uniformly() -> None:
    env = SlidingEnv(2, 3, distance=8)
    env.reset(seed=2)
    drawn = Counter()
    for _ in range(1200):
        env.reset()
        drawn[env.board] += 1
    assert len(drawn) == 12
    assert 60 < min(drawn.values()) <= max(drawn.values()) < 150


def test_a_walk_is_at_most_as_far() -> None:
    env = SlidingEnv(3, 3, walk=9)
    env.reset(seed=3)
    distances = [env.reset()[1]["distance"] for _ in range(200)]
    assert max(distances) <= 9
    assert all(distance % 2 == 1 for distance in distances)


def test_the_curriculum_can_be_changed_on_the_way() -> None:
    env = gymnasium.make(taquin.gym.ID, distance=1)
    for distance in range(1, 12):
        env.set_wrapper_attr("distance", distance)
        assert env.reset(seed=distance)[1]["distance"] == distance
    env.set_wrapper_attr("walk", 2)
    assert env.reset()[1]["distance"] == 2
    assert env.unwrapped.distance is None


def test_twelve_cells_have_exact_distances() -> None:
    env = SlidingEnv(3, 4, distance=(1, 30))
    _, info = env.reset(seed=5)
    assert solve(env.board, tables="default").length == info["distance"]


def test_seeds() -> None:
    one, two = SlidingEnv(4, 4), SlidingEnv(4, 4)
    one.reset(seed=7)
    two.reset(seed=7)
    assert one.board == two.board
    first = [one.reset() and one.board for _ in range(3)]
    assert first == [two.reset() and two.board for _ in range(3)]
    assert len(set(first)) == 3
    two.reset(seed=8)
    assert two.board != one.board


# --- rewards ------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
def test_named_rewards(reward: str) -> None:
    env = SlidingEnv(reward=reward)
    env.reset(options={"board": "1 2 3/4 5 6/0 7 8"})
    start = env.board
    left, right = ACTIONS.index(Move.L), ACTIONS.index(Move.R)
    there, back, again, home = (env.step(action)[1] for action in (left, right, left, left))
    if reward == "sparse":
        assert (there, back, home) == (0, 0, 1)
    elif reward == "step":
        assert (there, back, home) == (-1, -1, -1)
    elif reward == "distance":
        assert (there, back, again, home) == (1, -1, 1, 2)
    else:
        assert there + back == 0
        assert again + home == 1 + heuristics.get(reward)(start, env.goal)


def test_a_reward_of_ones_own() -> None:
    seen: list[Step] = []

    def reward(step: Step) -> int:
        seen.append(step)
        return len(seen)

    env = SlidingEnv(2, 2, reward=reward)
    env.reset(options={"board": "1 2/0 3"})
    assert env.step(ACTIONS.index(Move.R))[1] == 1
    assert env.step(ACTIONS.index(Move.L))[1] == 2
    assert [(step.is_legal, step.is_solved) for step in seen] == [(False, False), (True, True)]
    assert seen[1].after == seen[1].goal == goals.blank_last(2, 2)


# --- learning -----------------------------------------------------------------------------------


def test_an_agent_learns_every_shortest_way() -> None:
    """Q-learning by the book, from near to far, on all boards of 2×2."""
    env = SlidingEnv(2, 2, reward="step")
    values: dict[tuple[int, ...], np.ndarray] = {}
    rng = np.random.default_rng(1)

    def value(board: tuple[int, ...]) -> np.ndarray:
        return values.setdefault(board, np.zeros(4))

    env.reset(seed=1)
    for episode in range(600):
        env.distance = (1, 1 + episode // 100)
        tiles, info = env.reset()
        terminated = truncated = False
        while not terminated and not truncated:
            mask = info["action_mask"].astype(bool)
            q = np.where(mask, value(tuple(tiles)), -np.inf)
            explores = rng.random() < 0.3
            action = rng.choice(np.flatnonzero(mask)) if explores else int(q.argmax())
            following, reward, terminated, truncated, info = env.step(action)
            can = info["action_mask"].astype(bool)
            rest = 0.0 if terminated else value(tuple(following))[can].max()
            value(tuple(tiles))[action] += 0.5 * (reward + rest - value(tuple(tiles))[action])
            tiles = following
    for board in env.layers.boards(6) + env.layers.boards(5) + env.layers.boards(3):
        tiles, info = env.reset(options={"board": board})
        for _ in range(env.layers.distance(board)):
            q = np.where(env.action_masks(), value(tuple(tiles)), -np.inf)
            tiles, _, terminated, _, info = env.step(int(q.argmax()))
        assert terminated
        assert info["is_success"]


# --- what is seen -------------------------------------------------------------------------------


def test_observations_say_the_same() -> None:
    board = "8 6 7/2 5 4/3 0 1"
    tiles, grid, planes = (
        SlidingEnv(observation=name).reset(options={"board": board})[0]
        for name in ("tiles", "grid", "planes")
    )
    assert grid.tolist() == Board(board).grid()
    assert grid.dtype == np.uint8
    assert tiles.tolist() == list(Board(board).tiles)
    assert planes.sum() == 9
    assert (planes.argmax(axis=0) == grid).all()


def test_rendering() -> None:
    env = SlidingEnv(render_mode="ansi")
    env.reset(seed=1)
    assert Board.parse(env.render()) == env.board
    picture = SlidingEnv(2, 3, render_mode="rgb_array")
    picture.reset(options={"board": "1 2 3/4 0 5"})
    first = picture.render()
    assert first.dtype == np.uint8
    assert first.ndim == 3
    picture.step(ACTIONS.index(Move.R))
    assert (picture.render() != first).any()
    assert picture.render().shape == first.shape


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_several_at_once(mode: str) -> None:
    envs = gymnasium.make_vec(taquin.gym.ID, num_envs=3, vectorization_mode=mode, distance=6)
    observations, info = envs.reset(seed=11)
    assert observations.shape == (3, 9)
    assert info["distance"].tolist() == [6, 6, 6]
    assert info["action_mask"].shape == (3, 4)
    assert len({tuple(row) for row in observations.tolist()}) > 1
    for _ in range(30):
        actions = [int(np.flatnonzero(mask)[-1]) for mask in info["action_mask"]]
        _, rewards, terminated, _, info = envs.step(np.array(actions))
        assert rewards.shape == terminated.shape == (3,)
        assert info["is_legal"].all()
    envs.set_attr("distance", [1, 2, 3])
    assert envs.reset()[1]["distance"].tolist() == [1, 2, 3]
    envs.close()


# --- misuse -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"rows": 0}, TaquinError),
        ({"goal": "snale"}, UnknownNameError),
        ({"goal": "1 2/3 0"}, TaquinError),
        ({"distance": 0}, OptionError),
        ({"distance": 32}, OptionError),
        ({"distance": (5, 3)}, OptionError),
        ({"distance": (1, 2, 3)}, OptionError),
        ({"distance": "far"}, OptionError),
        ({"distance": 3, "walk": 3}, OptionError),
        ({"rows": 4, "distance": 5}, OptionError),
        ({"rows": 4, "reward": "distance"}, OptionError),
        ({"walk": 0}, OptionError),
        ({"max_moves": 0}, OptionError),
        ({"reward": "gold"}, UnknownNameError),
        ({"illegal": "ignore"}, UnknownNameError),
        ({"observation": "image"}, UnknownNameError),
        ({"render_mode": "human"}, UnknownNameError),
    ],
)
def test_bad_options(options: dict, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        SlidingEnv(**options)
    assert_clear(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"board": "1 2 3/4 5 6/7 8 0"},
        {"board": "1 2 3/4 5 6/8 7 0"},
        {"board": "1 2/0 3"},
        {"board": "nonsense"},
        {"distance": 40},
        {"distances": 4},
        {"distance": 4, "walk": 3},
    ],
)
def test_bad_options_of_reset(options: dict) -> None:
    env = SlidingEnv()
    with pytest.raises(TaquinError) as caught:
        env.reset(options=options)
    assert_clear(caught.value)


def test_walks_that_lead_back_to_the_goal() -> None:
    with pytest.raises(OptionError, match="a walk of 12 moves ends at the goal again"):
        SlidingEnv(2, 2, walk=12).reset(seed=1)


def test_steps_that_are_none() -> None:
    env = SlidingEnv()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    for action in (4, -1, 1.5, "U", None):
        with pytest.raises(OptionError):
            env.step(action)
