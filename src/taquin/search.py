"""The textbook algorithms, over any graph whose edges cost one.

A graph is any object with `neighbours(vertex)`; vertices are hashable. Each algorithm reads like
its pseudocode: `run.expand(vertex, …)` gives the neighbours and is also the heartbeat that counts,
reports and stops. A heuristic is a function `(vertex, goal) -> number`.

    >>> class Line:
    ...     def neighbours(self, number):
    ...         return [number - 1, number + 1]
    >>> astar(Line(), 3, 7, lambda number, goal: abs(goal - number)).path
    [3, 4, 5, 6, 7]
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from heapq import heappop, heappush, nsmallest
from math import inf
from numbers import Real
from typing import Any, Generic, TypeVar

from .errors import OptionError, look_up
from .heartbeat import Cancel, Event, Graph, Run, Stopped
from .result import Limit, Progress, Stats, Status
from .vertices import Vertices

V = TypeVar("V", bound=Hashable)
Heuristic = Callable[[Any, Any], float]
Bound = Callable[[Any], float]


@dataclass(frozen=True, slots=True)
class Outcome(Generic[V]):
    """What a search of a graph gave: a path or none, and what was proven on the way."""

    status: Status
    path: list[V] | None
    lower_bound: int
    """No path is shorter; 0 if the heuristic gives no such promise."""
    stats: Stats
    reason: str = ""


Steps = Callable[..., list[Any] | None]
"""The body of an algorithm: `(run, start, goal, **options)` to the path it finds, or None."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A named algorithm: `astar(graph, start, goal, heuristic)` gives an Outcome."""

    name: str
    summary: str
    steps: Steps
    informed: bool = True
    """Uses a heuristic."""
    optimal: bool = True
    """Finds a shortest path, given an admissible heuristic."""
    bounds: bool = True
    """How far it got is a lower bound at all times, given an admissible heuristic."""
    complete: bool = True
    """Finds a path if there is one, so that finding none means that there is none."""
    options: dict[str, float] = field(default_factory=dict)
    """What else it takes, with the defaults."""

    def __call__(
        self,
        graph: Graph[V],
        start: V,
        goal: V,
        heuristic: Heuristic | None = None,
        *,
        limit: Limit | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        on_event: Callable[[Event[V]], object] | None = None,
        cancel: Cancel | None = None,
        **options: float,
    ) -> Outcome[V]:
        """Search a graph."""
        run = Run(graph, limit=limit, on_progress=on_progress, on_event=on_event, cancel=cancel)
        return self.search(run, start, goal, heuristic or _zero, **options)

    def search(
        self, run: Run[V], start: V, goal: V, heuristic: Heuristic, **options: float
    ) -> Outcome[V]:
        """The same within a run that the caller has prepared."""
        arguments: dict[str, Any] = {**self.options, **self._checked(options)}
        if self.informed:
            arguments["heuristic"] = _checked_heuristic(heuristic, start, goal)
        run.proves = self.bounds and (not self.informed or self._trusts(heuristic))
        try:
            with run.with_room():
                path = self.steps(run, start, goal, **arguments)
        except Stopped as stop:
            return Outcome(stop.status, run.incumbent, run.lower_bound, run.finish(), stop.reason)
        if path:
            return Outcome("solved", path, run.lower_bound, run.finish())
        if self.complete:
            reason = "no way leads from the start to the goal"
            return Outcome("unsolvable", None, run.lower_bound, run.finish(), reason)
        reason = f"{self.name} found nothing within its reach"
        return Outcome("limit", None, run.lower_bound, run.finish(), reason)

    def _trusts(self, heuristic: Any) -> bool:
        """Whether a heuristic promises enough for a proof: yours must say so themselves."""
        admissible = heuristic is _zero or getattr(heuristic, "admissible", False)
        # A* reopens what an inconsistent heuristic closed too early; the weighted one does not.
        return bool(admissible and (self.optimal or getattr(heuristic, "consistent", False)))

    def _checked(self, options: dict[str, float]) -> dict[str, float]:
        for name, value in options.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise OptionError(f"{self.name} has no option '{name}' (it has: {known})")
            if not 1 <= value < inf:
                raise OptionError(f"{name} must be a number from 1 on, not {value}")
        return options


def _checked_heuristic(heuristic: Any, start: Any, goal: Any) -> Any:
    """The heuristic, if what it says of the start is a number."""
    value = bind(heuristic, goal)(start)
    # Only what is not a number differs from itself.
    if not isinstance(value, Real) or value != value:
        name = getattr(heuristic, "__name__", "the heuristic")
        raise OptionError(f"{name} gave {value!r} for {start}, which is not a number")
    return heuristic


def _zero(vertex: object, goal: object) -> float:
    return 0


def bind(heuristic: Any, goal: Any) -> Bound:
    """The heuristic as a function of the vertex alone, with its tables prepared if it has any."""
    if hasattr(heuristic, "bind"):
        bound: Bound = heuristic.bind(goal)
        return bound
    return lambda vertex: heuristic(vertex, goal)


def _path(parents: Vertices[V], vertex: V) -> list[V]:
    """From the root of the search tree, which is its own parent, to a vertex."""
    path = [vertex]
    while (parent := parents[vertex]) != vertex:
        path.append(parent)
        vertex = parent
    return path[::-1]


# --- blind search -------------------------------------------------------------------------------


def _bfs(run: Run[V], start: V, goal: V) -> list[V] | None:
    parents = Vertices({start: start})
    run.keeps(parents)
    layer = [start]
    depth = 0
    while layer:
        run.reach(depth)
        following: list[V] = []
        for i, vertex in enumerate(layer):
            if vertex == goal:
                return _path(parents, vertex)
            waiting = len(layer) - i + len(following)
            closed = len(parents) - waiting
            for neighbour in run.expand(vertex, depth, frontier=waiting, closed=closed):
                if neighbour not in parents:
                    parents[neighbour] = vertex
                    following.append(neighbour)
        layer = following
        depth += 1
    return None


def _dfs(run: Run[V], start: V, goal: V, *, depth: float) -> list[V] | None:
    parents = Vertices({start: start})
    depths = Vertices({start: 0})
    stack = [(start, 0)]
    run.keeps(parents, depths, stack)
    while stack:
        vertex, g = stack.pop()
        if g > depths[vertex]:
            continue
        if vertex == goal:
            return _path(parents, vertex)
        if g >= depth:
            continue
        for neighbour in run.expand(vertex, g, frontier=len(stack), closed=len(depths)):
            # Only a shorter way can reach below the depth limit what was out of reach before.
            if g + 1 < depths.get(neighbour, inf):
                depths[neighbour] = g + 1
                parents[neighbour] = vertex
                stack.append((neighbour, g + 1))
    return None


def _iddfs(run: Run[V], start: V, goal: V) -> list[V] | None:
    return _idastar(run, start, goal, heuristic=_zero)


def _bidirectional(run: Run[V], start: V, goal: V) -> list[V] | None:
    near = Vertices({start: start})
    far = Vertices({goal: goal})
    run.keeps(near, far)
    if start == goal:
        return [start]
    layers = {True: [start], False: [goal]}
    depth = {True: 0, False: 0}
    while layers[True] and layers[False]:
        run.reach(depth[True] + depth[False] + 1)
        forward = len(layers[True]) <= len(layers[False])
        mine, theirs = (near, far) if forward else (far, near)
        waiting = len(layers[True]) + len(layers[False])
        following: list[V] = []
        for vertex in layers[forward]:
            closed = len(near) + len(far) - waiting
            for neighbour in run.expand(vertex, depth[forward], frontier=waiting, closed=closed):
                if neighbour in mine:
                    continue
                mine[neighbour] = vertex
                if neighbour in theirs:
                    return _path(near, neighbour) + _path(far, neighbour)[-2::-1]
                following.append(neighbour)
        layers[forward] = following
        depth[forward] += 1
    return None


# --- best first ---------------------------------------------------------------------------------


def best_first(
    run: Run[V],
    start: V,
    goal: V,
    h: Bound,
    priority: Callable[[float, float], float],
    *,
    reopen: bool = False,
) -> list[V] | None:
    """Expand the vertex of least priority(g, h) until that vertex is the goal.

    Ties go to the least h, then to the newest. A closed vertex is opened again only if `reopen` is
    set and a shorter way to it turns up, which no consistent heuristic allows.
    """
    run.has_heap = True
    parents = Vertices({start: start})
    cost = Vertices({start: 0})
    closed = Vertices[V]()
    frontier = [(priority(0, h(start)), h(start), 0, 0, start)]
    run.keeps(parents, cost, closed, frontier)
    order = 0
    while frontier:
        f, h_vertex, _, g, vertex = heappop(frontier)
        if vertex in closed or g > cost[vertex]:
            continue
        if f > run.bound:
            run.reach(f)
        if vertex == goal:
            return _path(parents, vertex)
        closed.add(vertex)
        g += 1
        for neighbour in run.expand(
            vertex, g - 1, h_vertex, frontier=len(frontier), closed=len(closed)
        ):
            if g < cost.get(neighbour, inf) and (reopen or neighbour not in closed):
                cost[neighbour] = g
                parents[neighbour] = vertex
                closed.discard(neighbour)
                h_neighbour = h(neighbour)
                order -= 1
                heappush(frontier, (priority(g, h_neighbour), h_neighbour, order, g, neighbour))
    return None


def _ucs(run: Run[V], start: V, goal: V) -> list[V] | None:
    return best_first(run, start, goal, lambda vertex: 0, lambda g, h: g)


def _greedy(run: Run[V], start: V, goal: V, *, heuristic: Heuristic) -> list[V] | None:
    return best_first(run, start, goal, bind(heuristic, goal), lambda g, h: h)


def _astar(run: Run[V], start: V, goal: V, *, heuristic: Heuristic) -> list[V] | None:
    h = bind(heuristic, goal)
    return best_first(run, start, goal, h, lambda g, h: g + h, reopen=True)


def _wastar(
    run: Run[V], start: V, goal: V, *, heuristic: Heuristic, weight: float
) -> list[V] | None:
    # Divided by the weight, the order is the same and the priority is a lower bound.
    h = bind(heuristic, goal)
    return best_first(run, start, goal, h, lambda g, h: g / weight + h)


# --- best first in little memory ----------------------------------------------------------------


def _idastar(run: Run[V], start: V, goal: V, *, heuristic: Heuristic) -> list[V] | None:
    h = bind(heuristic, goal)
    threshold = h(start)
    while threshold < inf:
        run.iterate(threshold)
        path, threshold = _within(run, start, goal, h, threshold)
        if path:
            return path
    return None


def _within(
    run: Run[V], start: V, goal: V, h: Bound, threshold: float
) -> tuple[list[V] | None, float]:
    """Depth first as far as f allows: a path to the goal, or the least f that was too much."""
    if start == goal:
        return [start], threshold
    beyond = inf
    path = [start]
    on_path = {start}
    pending = [iter(run.expand(start, 0, h(start), frontier=1))]
    while pending:
        for neighbour in pending[-1]:
            if neighbour in on_path:
                continue
            g = len(path)
            h_neighbour = h(neighbour)
            if g + h_neighbour > threshold:
                beyond = min(beyond, g + h_neighbour)
                continue
            path.append(neighbour)
            if neighbour == goal:
                return path, threshold
            on_path.add(neighbour)
            pending.append(iter(run.expand(neighbour, g, h_neighbour, frontier=len(path))))
            break
        else:
            pending.pop()
            on_path.discard(path.pop())
    return None, beyond


@dataclass(slots=True)
class _Child(Generic[V]):
    """A vertex below RBFS's path, and the best f known of what is under it."""

    f: float
    h: float
    vertex: V


@dataclass(slots=True)
class _Frame(Generic[V]):
    """The children of a vertex on RBFS's path, and the f up to which they may be followed."""

    children: list[_Child[V]]
    limit: float


def _rbfs(run: Run[V], start: V, goal: V, *, heuristic: Heuristic) -> list[V] | None:
    h = bind(heuristic, goal)
    if start == goal:
        return [start]
    path = [start]
    frames = [_Frame(_children(run, path, h, h(start)), inf)]
    while frames:
        frame = frames[-1]
        frame.children.sort(key=lambda child: (child.f, child.h))
        least = frame.children[0].f if frame.children else inf
        if least > frame.limit or least == inf:
            # Go back, but remember how good the best below was.
            frames.pop()
            path.pop()
            if frames:
                frames[-1].children[0].f = least
            continue
        run.reach(max(run.bound, least))
        path.append(frame.children[0].vertex)
        if path[-1] == goal:
            return path
        second = frame.children[1].f if len(frame.children) > 1 else inf
        frames.append(_Frame(_children(run, path, h, least), min(frame.limit, second)))
    return None


def _children(run: Run[V], path: list[V], h: Bound, f: float) -> list[_Child[V]]:
    """A vertex's neighbours off the path; none is better than what is known of the vertex."""
    g = len(path)
    children: list[_Child[V]] = []
    for neighbour in run.expand(path[-1], g - 1, h(path[-1]), frontier=g):
        if neighbour not in path:
            h_neighbour = h(neighbour)
            children.append(_Child(max(g + h_neighbour, f), h_neighbour, neighbour))
    return children


def _beam(run: Run[V], start: V, goal: V, *, heuristic: Heuristic, width: float) -> list[V] | None:
    h = bind(heuristic, goal)
    parents = Vertices({start: start})
    run.keeps(parents)
    layer = [(h(start), 0, start)]
    depth = 0
    while layer:
        following: list[tuple[float, int, V]] = []
        for i, (h_vertex, _, vertex) in enumerate(layer):
            if vertex == goal:
                return _path(parents, vertex)
            waiting = len(layer) - i + len(following)
            for neighbour in run.expand(
                vertex, depth, h_vertex, frontier=waiting, closed=len(parents)
            ):
                if neighbour not in parents:
                    parents[neighbour] = vertex
                    following.append((h(neighbour), len(following), neighbour))
        layer = nsmallest(int(width), following)
        depth += 1
    return None


# --- meet in the middle -------------------------------------------------------------------------


class _Side(Generic[V]):
    """One of the two searches of MM: its vertices wait by max(g + h, 2g + 1)."""

    def __init__(self, root: V, h: Bound) -> None:
        self.h = h
        self.parents = Vertices({root: root})
        self.cost = Vertices({root: 0})
        self.closed = Vertices[V]()
        self.frontier = [(max(h(root), 1), 0, 0, root)]
        self.order = 0

    def push(self, vertex: V, parent: V, g: int) -> None:
        self.parents[vertex] = parent
        self.cost[vertex] = g
        self.closed.discard(vertex)
        priority = max(g + self.h(vertex), 2 * g + 1)
        self.order += 1
        heappush(self.frontier, (priority, g, self.order, vertex))

    def least(self) -> float:
        """The least priority that waits; what is closed or found nearer since is dropped."""
        while self.frontier:
            priority, g, _, vertex = self.frontier[0]
            if vertex not in self.closed and g == self.cost[vertex]:
                return priority
            heappop(self.frontier)
        return inf


def _mm(run: Run[V], start: V, goal: V, *, heuristic: Heuristic) -> list[V] | None:
    run.has_heap = True
    near, far = _Side(start, bind(heuristic, goal)), _Side(goal, bind(heuristic, start))
    for side in (near, far):
        run.keeps(side.parents, side.cost, side.closed, side.frontier)
    if start == goal:
        return [start]
    best = inf
    while True:
        least = min(near.least(), far.least())
        if run.incumbent and best <= least:
            run.reach(best)
            return run.incumbent
        if least == inf:
            return None
        run.reach(max(run.bound, least))
        side, other = (near, far) if near.least() == least else (far, near)
        _, g, _, vertex = heappop(side.frontier)
        side.closed.add(vertex)
        waiting = len(near.frontier) + len(far.frontier)
        closed = len(near.closed) + len(far.closed)
        for neighbour in run.expand(vertex, g, side.h(vertex), frontier=waiting, closed=closed):
            if g + 1 < side.cost.get(neighbour, inf):
                side.push(neighbour, vertex, g + 1)
                if g + 1 + other.cost.get(neighbour, inf) < best:
                    best = g + 1 + other.cost[neighbour]
                    ways = _path(near.parents, neighbour), _path(far.parents, neighbour)
                    run.offer(ways[0] + ways[1][-2::-1])


# --- the names ----------------------------------------------------------------------------------

bfs = Algorithm("bfs", "breadth first, layer by layer", _bfs, informed=False)
dfs = Algorithm(
    "dfs",
    "depth first down to a depth limit",
    _dfs,
    informed=False,
    optimal=False,
    bounds=False,
    complete=False,
    options={"depth": 50},
)
iddfs = Algorithm("iddfs", "depth first with a depth limit that grows", _iddfs, informed=False)
ucs = Algorithm("ucs", "least cost so far first (Dijkstra)", _ucs, informed=False)
bidirectional = Algorithm(
    "bidirectional", "breadth first from both ends", _bidirectional, informed=False
)
greedy = Algorithm("greedy", "least h first", _greedy, optimal=False, bounds=False)
astar = Algorithm("astar", "least g + h first", _astar)
wastar = Algorithm(
    "wastar",
    "least g + weight · h first: at most weight times the optimum",
    _wastar,
    optimal=False,
    options={"weight": 2.0},
)
idastar = Algorithm("idastar", "depth first with an f threshold that grows", _idastar)
rbfs = Algorithm("rbfs", "recursive best first, in linear memory", _rbfs)
beam = Algorithm(
    "beam",
    "breadth first, only the best of each layer",
    _beam,
    optimal=False,
    bounds=False,
    complete=False,
    options={"width": 1000},
)
mm = Algorithm("mm", "A* from both ends that meets in the middle", _mm)

ALGORITHMS: dict[str, Algorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        bfs, dfs, iddfs, ucs, bidirectional, greedy, astar, wastar, idastar, rbfs, beam, mm,
    )
}  # fmt: skip
ALIASES = {"a*": "astar", "ida*": "idastar", "dijkstra": "ucs", "wa*": "wastar"}


def get(name: str) -> Algorithm:
    """The algorithm of that name.

    >>> get("A*").name
    'astar'
    """
    return ALGORITHMS[look_up("algorithm", name, ALGORITHMS, ALIASES)]
