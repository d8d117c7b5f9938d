"""A table that is quick to understand: entry i is i² mod 251. Also a program that obtains one."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taquin import _native, store
from taquin.heartbeat import Hook


@dataclass(frozen=True)
class Squares:
    """`log` gets a line for each build, `seconds` is how long a build takes.

    It takes no longer once there is a file `enough` beside the log.
    """

    count: int
    seconds: float = 0
    log: Path | None = None

    @property
    def name(self) -> str:
        return f"squares-{self.count}"

    def identity(self) -> dict[str, Any]:
        return {"kind": "squares", "count": self.count}

    def size(self) -> int:
        return self.count

    def working_bytes(self) -> int:
        return 0

    def build(self, out: memoryview, threads: int, hook: Hook | None) -> dict[str, Any]:
        if self.log is not None:
            with self.log.open("a") as file:
                file.write("built\n")
        end = time.monotonic() + self.seconds
        while time.monotonic() < end and not self._is_enough():
            time.sleep(0.01)
            if hook is not None and hook(0, 0, 0, 0, 0.0):
                raise _native.Stopped("stopped")
        for i in range(self.count):
            out[i] = i * i % 251
        return {"threads": threads}

    def _is_enough(self) -> bool:
        return self.log is not None and self.log.with_name("enough").exists()

    def load(self, payload: memoryview) -> memoryview:
        return payload


def is_right(table: memoryview, recipe: Squares) -> bool:
    return list(table) == [i * i % 251 for i in range(recipe.count)]


if __name__ == "__main__":
    count, seconds, log = sys.argv[1:]
    wanted = Squares(int(count), float(seconds), Path(log))
    print("started", flush=True)
    table = store.obtain(wanted, hook=lambda *_: False, say=lambda line: print(line, flush=True))
    print("right" if is_right(table, wanted) else "wrong")
