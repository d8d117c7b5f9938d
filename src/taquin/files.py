"""Reading what users hand in and writing what they keep, without losing either."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from .errors import NotationError, shorten
from .notation import MAX_TEXT


def read_argument(words: tuple[str, ...]) -> str:
    """The text that command-line words mean: a file's, standard input's (`-`), or their own."""
    text = " ".join(words)
    if text == "-":
        if sys.stdin is None:
            raise NotationError("standard input is closed")
        return _decode(sys.stdin.buffer.read(MAX_TEXT + 1), "standard input")
    if _names_file(text):
        return read_text(Path(text))
    if _looks_like_file(text):
        raise NotationError(f"there is no file '{shorten(text, 80)}'")
    return text


def read_text(path: Path) -> str:
    """A file's text, of which no more is read than any board can need."""
    with path.open("rb") as file:
        return _decode(file.read(MAX_TEXT + 1), str(path))


def write(path: Path, save: Callable[[Path], object]) -> None:
    """Let `save` write a file beside the real one, which it replaces only when complete."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        save(path)
        return
    try:
        handle, name = tempfile.mkstemp(suffix=path.suffix, prefix=".", dir=path.parent)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    os.close(handle)
    beside = Path(name)
    try:
        save(beside)
        beside.chmod(0o666 & ~_umask())
        beside.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def _names_file(text: str) -> bool:
    try:
        return 0 < len(text) < 4096 and Path(text).exists()
    except (OSError, ValueError):
        return False


def _looks_like_file(text: str) -> bool:
    has_suffix = re.fullmatch(r"\.[A-Za-z]\w+", Path(text).suffix) is not None
    return "\n" not in text and (has_suffix or text.startswith(("/", "./", "../", "~")))


def _decode(data: bytes, source: str) -> str:
    if len(data) > MAX_TEXT:
        raise NotationError(f"{source}: more than {MAX_TEXT:,} bytes, which no board has")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"{source}: byte {error.start + 1} is not UTF-8 text") from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
