"""A Gymnasium environment: an agent slides tiles until the goal is reached.

Importing this room registers `taquin/Sliding-v0`; it needs the extra `rl`.

>>> import gymnasium, taquin.gym
>>> env = gymnasium.make("taquin/Sliding-v0", rows=3, cols=3, distance=4)
>>> observation, info = env.reset(seed=1)
>>> info["distance"], info["action_mask"].sum() >= 2
(4, np.True_)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, SupportsFloat

from . import goals, heuristics
from .board import Board, Move, check_shape, slides
from .errors import IllegalMoveError, MissingExtraError, OptionError, UnknownNameError, look_up
from .layers import Layers
from .parity import reaches
from .shuffle import below, random_board
from .tables import EXACT_CELLS

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
except ImportError:
    raise MissingExtraError("gymnasium", "rl") from None

if TYPE_CHECKING:
    from .picture import Painter

ID = "taquin/Sliding-v0"

ACTIONS = tuple(Move)
"""What the actions 0 to 3 mean: the direction in which a tile slides."""

OBSERVATIONS = ("tiles", "grid", "planes")
ILLEGAL = ("stay", "end", "raise")
RENDER_MODES = ("ansi", "rgb_array")

_TRIES = 1000
"""How often a board is drawn that may be the goal; on a few shapes some walks lead nowhere else."""

_PIXELS = 512
"""About how long the longer side of a picture is."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a reward is given for."""

    before: Board
    move: Move
    after: Board
    """The same as before, if the move could not be made."""
    goal: Board
    is_legal: bool

    @property
    def is_solved(self) -> bool:
        return self.after == self.goal


Reward = Callable[[Step], SupportsFloat]


def sparse(step: Step) -> float:
    """1 when the goal is reached, 0 on the way."""
    return float(step.is_solved)


def per_step(step: Step) -> float:
    """-1 for every action, so that an episode is worth as many moves as it took."""
    return -1.0


def nearer(distance: Callable[[Board], float]) -> Reward:
    """1 at the goal, and for every move by how much it came nearer by some measure.

    Coming nearer and going back adds up to nothing, so there is nothing to gain from going round
    in circles (potential-based shaping: Ng, Harada and Russell, 1999).
    """

    def reward(step: Step) -> float:
        return sparse(step) + distance(step.before) - distance(step.after)

    return reward


REWARDS = ("sparse", "step", "distance", *heuristics.NAMED)


class SlidingEnv(gymnasium.Env[Any, Any]):
    """Slide tiles until the goal is reached.

    Actions 0, 1, 2, 3 slide a tile up, down, left, right. `info["action_mask"]` and
    `action_masks()` tell which of them can be made.

    `observation` is `tiles`, the tile of every cell as categories (`MultiDiscrete`); `grid`, the
    same as a rows × columns array of numbers; or `planes`, a rows × columns plane of 0 and 1 for
    the blank and for every tile.

    Episodes begin with a board drawn at random: uniformly from all that reach the goal; with
    `distance`, uniformly from those exactly so many moves from it (of a range `(low, high)` first
    the distance is drawn, then the board; for boards of at most 12 cells); or with `walk`, so many
    random moves from the goal, whose distance is then at most that, and often less.

    `reward` is one of `REWARDS` or a function of a `Step`. `illegal` tells what an action does that
    can't be made: `stay` leaves the board as it is, `end` ends the episode, `raise` is for finding
    mistakes. `penalty` is taken from the reward of such actions. After `max_moves` actions an
    episode is truncated.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        rows: int = 3,
        cols: int | None = None,
        goal: Board | str | None = None,
        *,
        distance: int | tuple[int, int] | None = None,
        walk: int | None = None,
        observation: str = "tiles",
        reward: str | Reward = "sparse",
        illegal: str = "stay",
        penalty: float = 0.0,
        max_moves: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        shape = check_shape(rows, rows if cols is None else cols)
        self.goal = goals.resolve(goal, shape)
        cells = len(self.goal)
        self.max_moves = 4 * cells * sum(shape) if max_moves is None else max_moves
        if self.max_moves < 1:
            raise OptionError(f"an episode needs at least one move, not {max_moves}")
        self.illegal = look_up("policy for illegal moves", illegal, ILLEGAL)
        self.penalty = penalty
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownNameError("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(ACTIONS))
        self._observation = look_up("observation", observation, OBSERVATIONS)
        self.observation_space = self._space(cells)
        self._layers: Layers | None = None
        if distance is not None and walk is not None:
            raise OptionError("a distance and a walk are two ways to begin; give one of them")
        self._distance: int | tuple[int, int] | None = None
        self._walk: int | None = None
        self.walk = walk
        self.distance = distance
        self._reward = reward if callable(reward) else self._named_reward(reward)
        self._knows_distance = cells <= EXACT_CELLS or self._layers is not None
        self._board: Board | None = None
        self._moves = 0
        self._painter: Painter | None = None

    # --- how episodes begin

    @property
    def distance(self) -> int | tuple[int, int] | None:
        """The exact distance, or the range of distances, at which episodes begin.

        It can be changed between episodes, which makes a curriculum.
        """
        return self._distance

    @distance.setter
    def distance(self, distance: int | tuple[int, int] | None) -> None:
        if distance is not None:
            self._check_distance(*_range(distance))
            self._walk = None
        self._distance = distance

    @property
    def walk(self) -> int | None:
        """How many random moves from the goal episodes begin."""
        return self._walk

    @walk.setter
    def walk(self, walk: int | None) -> None:
        if walk is not None and walk < 1:
            raise OptionError(f"a walk must have at least one move, not {walk}")
        if walk is not None:
            self._distance = None
        self._walk = walk

    @property
    def layers(self) -> Layers:
        """The boards by their exact distance; OptionError if there are more than 12 cells."""
        if self._layers is None:
            try:
                self._layers = Layers(self.goal)
            except OptionError as error:
                raise OptionError(f"{error}; a walk of random moves has no such limit") from None
        return self._layers

    def _check_distance(self, low: int, high: int) -> None:
        farthest = len(self.layers.counts) - 1
        if not 1 <= low <= high <= farthest:
            meant = f"{low}" if low == high else f"{low} to {high}"
            raise OptionError(f"a distance must be from 1 to {farthest}, not {meant}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; `options` may have a `board`, a `distance` or a `walk` for it."""
        super().reset(seed=seed)
        self._board = self._first_board(dict(options or {}))
        self._moves = 0
        return self._observe(self._board), self._info(is_legal=True)

    def _first_board(self, options: dict[str, Any]) -> Board:
        unknown = [name for name in options if name not in ("board", "distance", "walk")]
        if unknown:
            look_up("option of reset", unknown[0], ("board", "distance", "walk"))
        if len(options) > 1:
            raise OptionError(f"there are several ways to begin: {', '.join(options)}")
        if "board" in options:
            return self._checked(Board(options["board"]))
        distance, walk = self.distance, self.walk
        if options:
            distance, walk = options.get("distance"), options.get("walk")
        # Whatever is drawn comes from the environment's own generator, which reset() seeds.
        generator = Random(int(self.np_random.integers(1 << 62)))
        if distance is not None:
            low, high = _range(distance)
            self._check_distance(low, high)
            return self.layers.draw(low + below(high - low + 1, generator), generator)
        for _ in range(_TRIES):
            board = random_board(*self.goal.shape, goal=self.goal, seed=generator, walk=walk)
            if board != self.goal:
                return board
        raise OptionError(f"a walk of {walk} moves ends at the goal again on this shape")

    def _checked(self, board: Board) -> Board:
        if board.shape != self.goal.shape or not reaches(board, self.goal):
            raise OptionError(f"{board} does not reach the goal {self.goal}")
        if board == self.goal:
            raise OptionError("an episode can't begin at the goal")
        return board

    # --- what happens in them

    @property
    def board(self) -> Board:
        """Where the agent is now."""
        if self._board is None:
            raise gymnasium.error.ResetNeeded("call reset() first")
        return self._board

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Slide a tile; gives observation, reward, terminated, truncated and info."""
        if not self.action_space.contains(action):
            raise OptionError(f"an action is a number from 0 to {len(ACTIONS) - 1}, not {action}")
        before, move = self.board, ACTIONS[int(action)]
        is_legal = move in slides(*before.shape)[before.blank]
        if not is_legal and self.illegal == "raise":
            raise IllegalMoveError(f"{move.name} can't be made on {before}")
        self._board = before.slide(move) if is_legal else before
        self._moves += 1
        step = Step(before, move, self._board, self.goal, is_legal)
        reward = float(self._reward(step)) - (0.0 if is_legal else self.penalty)
        terminated = step.is_solved or (not is_legal and self.illegal == "end")
        truncated = not terminated and self._moves >= self.max_moves
        return self._observe(self._board), reward, terminated, truncated, self._info(is_legal)

    def action_masks(self) -> Any:
        """Which actions can be made, as sb3-contrib's MaskablePPO asks for it."""
        can_be_made = slides(*self.goal.shape)[self.board.blank]
        return np.array([move in can_be_made for move in ACTIONS], dtype=np.bool_)

    def _info(self, is_legal: bool) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks().astype(np.int8),
            "moves": self._moves,
            "is_legal": is_legal,
            "is_success": self.board == self.goal,
        }
        if self._knows_distance:
            info["distance"] = self.layers.distance(self.board)
        return info

    def _named_reward(self, name: str) -> Reward:
        known = look_up("reward", name, REWARDS)
        if known == "distance":
            return nearer(self.layers.distance)
        if known in heuristics.NAMED:
            return nearer(heuristics.get(known).bind(self.goal))
        return {"sparse": sparse, "step": per_step}[known]

    # --- what is seen

    def _space(self, cells: int) -> Any:
        if self._observation == "tiles":
            return spaces.MultiDiscrete([cells] * cells)
        if self._observation == "grid":
            dtype = np.min_scalar_type(cells - 1)
            return spaces.Box(0, cells - 1, self.goal.shape, dtype.type)
        return spaces.Box(0, 1, (cells, *self.goal.shape), np.uint8)

    def _observe(self, board: Board) -> Any:
        tiles = np.array(board.tiles, dtype=np.int64)
        if self._observation == "tiles":
            return tiles
        if self._observation == "grid":
            return tiles.astype(self.observation_space.dtype).reshape(board.shape)
        return (tiles == np.arange(len(tiles))[:, None]).astype(np.uint8).reshape(-1, *board.shape)

    def render(self) -> Any:
        """The board as text (`ansi`) or as a picture (`rgb_array`, which needs Pillow)."""
        if self.render_mode == "ansi":
            return self.board.show()
        if self.render_mode == "rgb_array":
            return np.asarray(self._paint())
        return None

    def _paint(self) -> Any:
        from .palette import Palette
        from .picture import Painter, layout_for

        if self._painter is None:
            layout = layout_for(self.goal.shape, _PIXELS)
            self._painter = Painter(layout, Palette(self.goal, "plain"), self.goal)
        return self._painter.paint(self.board)


def _range(distance: int | tuple[int, int]) -> tuple[int, int]:
    try:
        low, high = distance if isinstance(distance, (tuple, list)) else (distance, distance)
        return int(low), int(high)
    except (TypeError, ValueError):
        raise OptionError(
            f"a distance is a number or a range (low, high), not {distance}"
        ) from None


gymnasium.register(ID, entry_point="taquin.gym:SlidingEnv")
