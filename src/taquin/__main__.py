"""The command `taquin`, which is also `python -m taquin`."""

import os
import sys
from typing import NoReturn

_INTERRUPTED = 130


def main() -> NoReturn:
    """Run the command. Ctrl-C ends it with a word even while it is still being loaded."""
    try:
        from .cli import main as run
    except KeyboardInterrupt:
        os.write(sys.stderr.fileno(), b"taquin: interrupted\n")
        # No clean-up: what is half loaded may not stand it.
        os._exit(_INTERRUPTED)
    run()


if __name__ == "__main__":
    main()
