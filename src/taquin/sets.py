"""Sets of boards whose optima are known, as shipped in `data/` or brought by the user.

A set is a text file. Its first comment line says what it is, one names the goal (`# Goal:
blank-first`), and every other line is an instance: `id | tiles | optimum`. Tiles that make no
square board have a `/` between rows. Optima are counted in single-tile moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from . import goals, notation
from .board import Board
from .errors import NotationError, OptionError, TaquinError, UnknownNameError, shorten
from .files import read_text
from .parity import reaches

DATA = Path(__file__).parent / "data"

ALL = "all"
"""The name that stands for every set."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A board, its goal, and how many moves it takes at least."""

    id: int
    board: Board
    goal: Board
    optimum: int


@dataclass(frozen=True, slots=True)
class InstanceSet:
    """Instances with a name, and in words what they are and where they come from.

    >>> korf = load("korf15")
    >>> len(korf), korf[79].board, korf[79].optimum
    (100, Board('0 1 9 7/11 13 5 3/14 12 4 2/8 6 10 15'), 42)
    """

    name: str
    about: str
    instances: tuple[Instance, ...]

    @property
    def title(self) -> str:
        """What the set is, in one line."""
        return self.about.split("\n", 1)[0]

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.instances)

    def __len__(self) -> int:
        return len(self.instances)

    def __getitem__(self, id: int) -> Instance:
        """The instance of that id."""
        found = next((instance for instance in self if instance.id == id), None)
        if found is None:
            ids = [instance.id for instance in self]
            raise OptionError(
                f"{self.name} has no instance {id}; its {len(ids)} go from {min(ids)} to {max(ids)}"
            )
        return found

    def only(self, ids: str) -> InstanceSet:
        """The instances of these ids, such as `38,40` or `1-10`, in this order.

        >>> [instance.id for instance in load("korf15").only("88,1-3")]
        [88, 1, 2, 3]
        """
        chosen = dict.fromkeys(id for part in ids.split(",") for id in self._ids(part))
        return replace(self, instances=tuple(self[id] for id in chosen))

    def _ids(self, part: str) -> list[int]:
        match = re.fullmatch(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?", part)
        if match is None:
            raise OptionError(f"'{shorten(part)}' is no id; write for example 38,40 or 1-10")
        first, last = int(match[1]), int(match[2] or match[1])
        if first == last:
            return [first]
        # Sets may have gaps: a range means those that there are.
        ids = [instance.id for instance in self if first <= instance.id <= last]
        if not ids:
            raise OptionError(f"{self.name} has no instances {first} to {last}")
        return ids

    def first(self, count: int) -> InstanceSet:
        """The first instances."""
        return replace(self, instances=self.instances[:count])


def names() -> list[str]:
    """The sets that are shipped.

    >>> names()[-2:]
    ['korf15', 'korf24']
    """
    return sorted(path.stem for path in DATA.glob("*.txt"))


def load(name: str) -> InstanceSet:
    """A shipped set, or that of a file; `name:ids` gives some of its instances.

    >>> [instance.optimum for instance in load("korf24:38,40")]
    [96, 82]
    """
    # A colon may be part of a file's name.
    bare, colon, ids = (name, "", "") if Path(name).is_file() else name.partition(":")
    found = _load(bare)
    return found.only(ids) if colon else found


def find(name: str) -> list[InstanceSet]:
    """The sets that a name means: one, a family (`farthest`), or `all`."""
    if name == ALL:
        return [load(known) for known in names()]
    family = [known for known in names() if known.startswith(f"{name}-")]
    return [load(known) for known in family] if family else [load(name)]


def _load(name: str) -> InstanceSet:
    if name in names():
        return read(name, (DATA / f"{name}.txt").read_text(encoding="utf-8"))
    path = Path(name)
    if path.is_file():
        return read(path.name, read_text(path))
    raise UnknownNameError("set", name, names())


def read(name: str, text: str) -> InstanceSet:
    """The set that a text describes; errors name the line."""
    comments: list[str] = []
    instances: dict[int, Instance] = {}
    goal: str | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            comments.append(line.lstrip("# ").rstrip())
            stated = re.match(r"Goal:\s*([\w-]+)", comments[-1])
            goal = stated[1] if stated else goal
        elif line.strip():
            try:
                instance = _instance(line, goal)
                if instance.id in instances:
                    raise NotationError(f"there are two instances {instance.id}")
            except TaquinError as error:
                raise NotationError(f"{name}, line {number}: {error}") from None
            instances[instance.id] = instance
    if not instances:
        raise NotationError(f"{name}: there are no instances")
    return InstanceSet(name, "\n".join(comments), tuple(instances.values()))


def _instance(line: str, goal: str | None) -> Instance:
    fields = [field.strip() for field in line.split("|")]
    if len(fields) != 3 or not all(re.fullmatch(r"\d{1,9}", fields[i]) for i in (0, 2)):
        raise NotationError("an instance is written: id | tiles | optimum")
    if goal is None:
        raise NotationError("no line above names the goal, as '# Goal: blank-first' does")
    id, tiles, optimum = fields
    board = notation.read(tiles, "slash" if "/" in tiles else "flat")
    target = goals.named(goal, *board.shape)
    if not reaches(board, target):
        raise NotationError(f"{shorten(str(board))} does not reach the goal {goal}")
    return Instance(int(id), board, target, int(optimum))
