"""What a search in Python leaves behind: millions of boards, which take seconds to let go of.

A thread takes them apart bit by bit, so that whoever waits for the result need not wait for that.
Until then they are frozen, as they were while it ran: to look through them takes the garbage
collector seconds, too, and a process that ends does so several times.
"""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from typing import Any

Store = dict[Any, Any] | set[Any] | list[Any]

_MANY = 50_000
"""Fewer are let go of in a moment."""
_BIT = 2_000
_PAUSE = 0.0005
"""Seconds between two bits, in which others can go on."""

_at_work: set[threading.Thread] = set()


def let_go(stores: Sequence[Store]) -> None:
    """Take apart what no one needs any more, later if it is much, and thaw it then."""
    if sum(map(len, stores)) < _MANY:
        gc.unfreeze()
        return
    thread = threading.Thread(target=_take_apart, args=(stores,), name="leftovers", daemon=True)
    _at_work.add(thread)
    try:
        thread.start()
    except RuntimeError:
        # There is no memory for another thread; then all goes at once.
        _at_work.discard(thread)
        gc.unfreeze()


def wait() -> None:
    """Until all is taken apart: for those who measure what comes next."""
    for thread in tuple(_at_work):
        thread.join()


def _take_apart(stores: Sequence[Store]) -> None:
    for store in stores:
        take = store.popitem if isinstance(store, dict) else store.pop
        while store:
            for _ in range(min(_BIT, len(store))):
                take()
            time.sleep(_PAUSE)
    gc.unfreeze()
    _at_work.discard(threading.current_thread())
