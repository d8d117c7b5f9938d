"""A worker: a process that computes for the server, so that it can be stopped whatever it does.

It reads lines of JSON: `{"number": …, "task": …, "ask": …, "memory": …}`, or `{"cancel": number}`.
It writes lines of a kind, a space, and JSON: what there is to tell, `leaving` if it will not take
another task, and at the end `result` or `error`. It ends when its input does, so that none outlives
its server.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from ..errors import TaquinError
from .tasks import Tell, dump, perform
from .trouble import BROKEN, NO_MEMORY, told

NICE = 5
"""How much others go before computing: those who wait for an answer from the server."""

_BOUNDLESS = -1

_LARGE = 300_000
"""Kilobytes after which a process is not worth keeping."""


def main() -> None:
    # Ctrl-C in a terminal is meant for the server.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(NICE)
    # What anything prints by itself must not get between the lines.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    orders: queue.SimpleQueue[_Order] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while _serve(orders.get(), output):
        pass


@dataclass(slots=True)
class _Order:
    """A task, and what cancels it."""

    number: int
    task: str
    ask: dict[str, Any]
    memory: int
    cancel: threading.Event = field(default_factory=threading.Event)


def _listen(orders: queue.SimpleQueue[_Order]) -> None:
    latest: _Order | None = None
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "cancel" not in message:
            latest = _Order(**message)
            orders.put(latest)
        elif latest is not None and message["cancel"] == latest.number:
            latest.cancel.set()
    # Whatever is being computed, nobody is there any more to whom it could be told.
    os._exit(0)


def _serve(order: _Order, output: BinaryIO) -> bool:
    """Do a task; whether another one can follow."""

    def tell(kind: str, text: str) -> None:
        output.write(f"{kind} {text}\n".encode())
        output.flush()

    _limit_memory(order.memory)
    outcome = _outcome(order, tell)
    stays = _peak() < _LARGE
    if not stays:
        tell("leaving", "true")
    tell(*outcome)
    return stays


def _outcome(order: _Order, tell: Tell) -> tuple[str, str]:
    try:
        return "result", perform(order.task, order.ask, tell, order.cancel)
    except TaquinError as error:
        return "error", dump(told(error))
    except MemoryError:
        # Telling of it takes some, too.
        _limit_memory(_BOUNDLESS)
        return "error", dump(told(NO_MEMORY))
    except Exception:
        traceback.print_exc()
        return "error", dump(told(BROKEN))


def _limit_memory(size: int) -> None:
    import resource

    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (size, most))


def _peak() -> int:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


if __name__ == "__main__":
    main()
