"""All benchmarks, as ratios and counts in one run: `make bench`, or `make bench ARGS="korf"`."""

from __future__ import annotations

import importlib
import sys

NAMES = (
    "startup", "textbook", "korf", "korf24", "fast", "stops",
    "key_latency", "serve_load", "batch", "cluster", "signature",
)  # fmt: skip


def main() -> None:
    for name in sys.argv[1:] or NAMES:
        print(f"--- {name}")
        importlib.import_module(name).main()


if __name__ == "__main__":
    main()
