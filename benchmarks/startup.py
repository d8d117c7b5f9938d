"""What it costs to start: processor time over a bare interpreter, the least of many runs."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

TIMES = 20
TAQUIN = str(Path(sys.executable).with_name("taquin"))


def cpu_ms(*command: str) -> float:
    """The least processor time of a command, in milliseconds."""
    return min(_once(command) for _ in range(TIMES))


def _once(command: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    bare = cpu_ms(sys.executable, "-c", "pass")
    imported = cpu_ms(sys.executable, "-c", "import taquin")
    used = cpu_ms(sys.executable, "-c", "from taquin import Board, solve")
    helped = cpu_ms(TAQUIN, "--help")
    print(f"bare interpreter                     {bare:6.1f} ms")
    print(f"import taquin                        {imported - bare:+6.1f} ms (at most 60)")
    print(f"from taquin import Board, solve      {used - bare:+6.1f} ms")
    print(f"taquin --help                        {helped:6.1f} ms (at most 150)")


if __name__ == "__main__":
    main()
