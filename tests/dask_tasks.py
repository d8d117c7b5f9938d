"""Calls that tests have done by workers of a cluster."""

import os
import signal
import time


def slowly(number: int, seconds: float) -> int:
    time.sleep(seconds)
    return number


def die(board: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)
