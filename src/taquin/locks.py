"""Locks that are files: a process that dies lets go of them."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_POLL_SECONDS = 0.02


def take(lock: Path) -> int | None:
    """The lock, as an open file, if no one has it."""
    handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Whoever lets go removes the file, so by now another one may have its name.
        if os.path.samestat(os.fstat(handle), lock.stat()):
            return handle
    except (BlockingIOError, FileNotFoundError):
        pass
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)
    return None


def let_go(lock: Path, held: int) -> None:
    """Give the lock to whoever wants it next."""
    with suppress(OSError):
        lock.unlink(missing_ok=True)
    # Said aloud, because a process forked meanwhile has the file open, too.
    fcntl.flock(held, fcntl.LOCK_UN)
    os.close(held)


@contextmanager
def held(lock: Path, seconds: float) -> Iterator[None]:
    """Within, no one else has the lock; `TimeoutError` if it can't be had in time."""
    deadline = time.monotonic() + seconds
    handle = take(lock)
    while handle is None:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{lock}: in use by another process")
        time.sleep(_POLL_SECONDS)
        handle = take(lock)
    try:
        yield
    finally:
        let_go(lock, handle)
