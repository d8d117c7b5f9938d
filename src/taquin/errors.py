"""What can go wrong through misuse. Expected outcomes (unsolvable, limit) are values, not errors.

    TaquinError
    ├── BoardError          not a board, or not one that fits here
    ├── NotationError       text that can't be read
    │   └── AmbiguousError  text that can be read in several ways
    ├── IllegalMoveError    a move that can't be made
    ├── UnknownNameError    a name nobody knows, with the nearest that somebody does
    ├── OptionError         a value out of range
    ├── BenchmarkError      a file that is no benchmark, or one that can't be compared
    ├── CheckpointError     a file from which a search can't go on
    ├── ClusterError        machines that can't be worked with, or that are gone
    ├── TableError          a stored table that can't be used, or can't be stored
    ├── BatchError          a batch of boards that can't go on, or not from where it stands
    ├── RecordsError        records of games that can't be read or written
    └── MissingExtraError   an optional package that is not installed

All of them are `ValueError`s too, apart from `TableError`, `RecordsError` and `ClusterError`, which
are `OSError`s, `BatchError`, which is a `RuntimeError`, and `MissingExtraError`, which is an
`ImportError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class TaquinError(Exception):
    """Anything this package raises on purpose; its text is one line, fit for a user.

    What the user of the page may meet has a `code` too, which stays the same, and the `values` that
    stand in its words: so it can be told in any language.

    >>> error = OptionError("there is no game '{id}'", code="no-game", id="1f")
    >>> str(error), error.code, error.values
    ("there is no game '1f'", 'no-game', {'id': '1f'})
    """

    def __init__(self, words: str, *, code: str = "", **values: int | str) -> None:
        super().__init__(words.format_map(values) if code else words)
        self.code = code
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        # An error that is raised in another process arrives here as it is, not made once more.
        return _arrived, (type(self), self.args, self.__dict__)


def _arrived(kind: type[TaquinError], args: tuple[Any, ...], state: dict[str, Any]) -> TaquinError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class BoardError(TaquinError, ValueError):
    """Not a board, or a board that does not fit here."""


class NotationError(TaquinError, ValueError):
    """Text that can't be read."""


class AmbiguousError(NotationError):
    """Text that can be read in several ways; the message names them."""


class IllegalMoveError(TaquinError, ValueError):
    """A move that can't be made on this board."""


class OptionError(TaquinError, ValueError):
    """An option whose value is out of range."""


class BenchmarkError(TaquinError, ValueError):
    """What is no benchmark, or one that can't be compared."""


class CheckpointError(TaquinError, ValueError):
    """A file from which a search can't go on; the message names it."""


class TableError(TaquinError, OSError):
    """A stored table that can't be used, or can't be stored; the message names the file."""


class ClusterError(TaquinError, OSError):
    """Other machines that can't be worked with, or are gone; the message says which, and why."""


class BatchError(TaquinError, RuntimeError):
    """A batch of boards that can't go on: its workers are gone, or its files don't fit."""


class RecordsError(TaquinError, OSError):
    """Records that can't be read or written; the message names the file. A game can do without."""


class UnknownNameError(TaquinError, ValueError):
    """A name that is not known, with the nearest one that is.

    >>> raise UnknownNameError("heuristic", "manhatten", ["manhattan", "zero"])
    Traceback (most recent call last):
    taquin.errors.UnknownNameError: unknown heuristic 'manhatten': did you mean 'manhattan'?
    """

    def __init__(self, kind: str, name: object, known: Iterable[str]) -> None:
        import difflib

        known = list(known)
        shown = shorten(str(name))
        near = difflib.get_close_matches(shown.lower(), known, n=1, cutoff=0.5)
        hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
        super().__init__(f"unknown {kind} '{shown}': {hint}")


class MissingExtraError(TaquinError, ImportError):
    """An optional package that is not installed; the message tells how to get it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs {package}: pip install 'taquin[{extra}]'")


def look_up(
    kind: str, name: str, known: Iterable[str], aliases: Mapping[str, str] | None = None
) -> str:
    """The known name that is meant, whatever its case, or by an alias.

    >>> look_up("heuristic", "Walking_Distance", ["walking-distance"])
    'walking-distance'
    """
    aliases = aliases or {}
    known = list(known)
    key = name.strip().lower().replace("_", "-")
    key = aliases.get(key, key)
    if key not in known:
        raise UnknownNameError(kind, name, [*known, *aliases])
    return key


def shorten(text: str, width: int = 40) -> str:
    """Text for a message: printable, and cut in the middle of nowhere rather than endless."""
    clean = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: width + 1]
    )
    return clean if len(clean) <= width else clean[: width - 1] + "…"
