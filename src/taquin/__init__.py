"""Play, solve and study sliding-tile puzzles of any size.

>>> from taquin import Board, solve
>>> solve(Board("8 6 7 / 2 5 4 / 3 0 1")).length
31
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import cluster, errors, goals, heuristics, moves, notation, pddl, search, sets
    from .analysis import Analysis, analyse
    from .batch import solve_many
    from .benchmark import bench
    from .board import Board, Move
    from .comparison import compare
    from .errors import TaquinError
    from .game import Game
    from .graph import BoardGraph
    from .heartbeat import Event
    from .heuristics import check_heuristic
    from .parity import Solvability, solvability
    from .records import Record, Records
    from .replay import Replay
    from .result import Limit, Progress, Result, Solution, Stats
    from .sets import Instance, InstanceSet
    from .sharing import export
    from .solutions import Solutions, all_solutions
    from .solver import solve

__version__ = "0.1.0"

__all__ = [
    "Analysis",
    "Board",
    "BoardGraph",
    "Event",
    "Game",
    "Instance",
    "InstanceSet",
    "Limit",
    "Move",
    "Progress",
    "Record",
    "Records",
    "Replay",
    "Result",
    "Solution",
    "Solutions",
    "Solvability",
    "Stats",
    "TaquinError",
    "all_solutions",
    "analyse",
    "bench",
    "check_heuristic",
    "cluster",
    "compare",
    "errors",
    "export",
    "goals",
    "heuristics",
    "moves",
    "notation",
    "pddl",
    "search",
    "sets",
    "solvability",
    "solve",
    "solve_many",
]

# A room is opened when something of it is first asked for, so that `import taquin` costs nothing.
_ROOM_OF = {
    "Analysis": "analysis",
    "Board": "board",
    "BoardGraph": "graph",
    "Event": "heartbeat",
    "Game": "game",
    "Instance": "sets",
    "InstanceSet": "sets",
    "Limit": "result",
    "Move": "board",
    "Progress": "result",
    "Record": "records",
    "Records": "records",
    "Replay": "replay",
    "Result": "result",
    "Solution": "result",
    "Solutions": "solutions",
    "Solvability": "parity",
    "Stats": "result",
    "TaquinError": "errors",
    "all_solutions": "solutions",
    "analyse": "analysis",
    "bench": "benchmark",
    "check_heuristic": "heuristics",
    "compare": "comparison",
    "export": "sharing",
    "solvability": "parity",
    "solve": "solver",
    "solve_many": "batch",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'taquin' has no attribute '{name}'")
        room = import_module(f".{_ROOM_OF.get(name, name)}", __name__)
        value = getattr(room, name) if name in _ROOM_OF else room
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
