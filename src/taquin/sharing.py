"""A board, a solution or a game as a file to share; the file's name says of which kind."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from . import animation, files, goals, picture
from .animation import Film
from .board import Board
from .errors import OptionError, shorten
from .replay import Replay
from .result import Solution

KINDS = (".svg", ".png", ".gif", ".cast")
"""What a name may end in. PNG and GIF need Pillow; a cast is played by asciinema."""


MAX_SHOWN = 10_000_000
"""The most cells that all boards of a film have together."""


def kind_of(path: str | Path) -> str:
    """Which kind of file a name asks for, or why that can't be had.

    >>> kind_of("solution.GIF")
    '.gif'
    >>> kind_of("solution.jpg")
    Traceback (most recent call last):
    taquin.errors.OptionError: 'solution.jpg' must end in .svg, .png, .gif or .cast
    """
    kind = Path(path).suffix.lower()
    if kind not in KINDS:
        known = f"{', '.join(KINDS[:-1])} or {KINDS[-1]}"
        raise OptionError(f"'{shorten(str(path), 80)}' must end in {known}")
    if kind in (".png", ".gif"):
        picture.need_pillow()
    return kind


def export(
    subject: Board | Solution | Replay,
    path: str | Path,
    *,
    goal: Board | str | None = None,
    scheme: str = "plain",
    dark: bool = False,
    speed: float = 1.0,
    max_pause: float | None = None,
) -> None:
    """Write a picture of a board, or a film of a solution or a game; a PNG shows all its steps.

    `goal` is that of a board; the others have their own. `scheme` and `dark` are about colours
    (see `palette`), `speed` and `max_pause` about time (see `animation.Film`). A file of that name
    is replaced when the new one is complete.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     export(Board("1 2 / 0 3"), Path(folder, "board.png"), scheme="rows")
    ...     len(Path(folder, "board.png").read_bytes()) > 500
    True
    """
    kind = kind_of(path)
    film = _film(subject, goal, speed, max_pause)
    files.write(Path(path), lambda file: _save(file, _content(kind, film, scheme, dark)))


def render(
    subject: Board | Solution | Replay,
    kind: str,
    *,
    goal: Board | str | None = None,
    scheme: str = "plain",
    dark: bool = False,
    speed: float = 1.0,
    max_pause: float | None = None,
) -> bytes:
    """What `export` would write into a file of this kind.

    >>> render(Board("1 2 / 0 3"), ".svg")[:4]
    b'<svg'
    """
    kind = kind_of(f"picture{kind}")
    film = _film(subject, goal, speed, max_pause)
    return b"".join(_content(kind, film, scheme, dark))


def _film(
    subject: Board | Solution | Replay,
    goal: Board | str | None,
    speed: float,
    max_pause: float | None,
) -> Film:
    if isinstance(subject, Board):
        subject = Solution(subject, goals.resolve(goal, subject.shape), ())
    film = Film(subject, speed=speed, max_pause=max_pause)
    if len(film) * len(film.start) > MAX_SHOWN:
        rows, cols = film.start.shape
        raise OptionError(
            "{boards:,} boards of {rows}×{cols} cells are too many for a film",
            code="film-long", boards=len(film), rows=rows, cols=cols,
        )  # fmt: skip
    return film


def _content(kind: str, film: Film, scheme: str, dark: bool) -> Iterable[bytes]:
    if kind == ".svg":
        return [animation.svg(film, scheme=scheme, dark=dark).encode()]
    if kind == ".png":
        return [animation.png(film, scheme=scheme, dark=dark)]
    if kind == ".gif":
        return animation.gif(film, scheme=scheme, dark=dark)
    return (f"{line}\n".encode() for line in animation.cast(film))


def _save(path: Path, content: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(content)
