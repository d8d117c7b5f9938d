"""What a search in Python keeps its vertices in: a dict that any number of them don't hold up.

A dict that has no room left moves all it has into a larger one. With three million boards that
takes 0.2 s, in which nobody can stop the search.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

V = TypeVar("V", bound=Hashable)

MANY = 500_000
"""So many vertices are moved in a moment."""
_PARTS = 256


class Vertices(dict[V, Any]):
    """Vertices and what is known of each; with `add` and `discard` it is a set of them.

    >>> depths = Vertices({"a": 0})
    >>> depths.divide()
    >>> depths["b"] = 1
    >>> depths["b"], "a" in depths, "c" in depths, len(depths)
    (1, True, False, 2)
    """

    __slots__ = ("_beside", "_parts")

    def add(self, vertex: V) -> None:
        self[vertex] = None

    def discard(self, vertex: V) -> None:
        self.pop(vertex, None)

    def divide(self) -> None:
        """Keep what comes from now on in parts, each of which stays small.

        What is here already stays where it is. Before, they are looked up and set as in any dict,
        by no method that is written in Python.
        """
        self._parts: list[dict[V, Any]] = [{} for _ in range(_PARTS)]
        self._beside = 0
        """How many vertices the parts have."""
        self.__class__ = _Divided

    def break_up(self) -> list[dict[V, Any]]:
        """All dicts that make it up, of which it is only the first from now on."""
        return [self]


class _Divided(Vertices[V]):
    """Vertices of which there are many. A vertex is either in the dict itself or in its part."""

    __slots__ = ()

    # What a search asks for most is written for speed: no super(), and the likelier place first.

    def __contains__(self, vertex: object) -> bool:
        return vertex in self._parts[hash(vertex) % _PARTS] or dict.__contains__(self, vertex)

    def __getitem__(self, vertex: V) -> Any:
        part = self._parts[hash(vertex) % _PARTS]
        return part[vertex] if vertex in part else dict.__getitem__(self, vertex)

    def get(self, vertex: V, default: Any = None) -> Any:
        part = self._parts[hash(vertex) % _PARTS]
        return part[vertex] if vertex in part else dict.get(self, vertex, default)

    def __setitem__(self, vertex: V, value: Any) -> None:
        if dict.__contains__(self, vertex):
            dict.__setitem__(self, vertex, value)
            return
        part = self._parts[hash(vertex) % _PARTS]
        before = len(part)
        part[vertex] = value
        self._beside += len(part) - before

    def discard(self, vertex: V) -> None:
        part = self._parts[hash(vertex) % _PARTS]
        if vertex in part:
            del part[vertex]
            self._beside -= 1
        else:
            self.pop(vertex, None)

    def __len__(self) -> int:
        return dict.__len__(self) + self._beside

    def divide(self) -> None:
        """They are divided already."""

    def break_up(self) -> list[dict[V, Any]]:
        parts, self._parts = self._parts, []
        self.__class__ = Vertices  # type: ignore[assignment]
        return [self, *parts]
