"""A picture of a command's real output: python tools/screenshot.py FILE.svg taquin solve …"""

from __future__ import annotations

import io
import os
import pty
import re
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text


def main() -> None:
    file, *command = sys.argv[1:]
    os.environ.update({"TERM": "xterm-256color", "COLUMNS": "86"})
    shown = bytearray()

    def keep(terminal: int) -> bytes:
        data = os.read(terminal, 1 << 16)
        shown.extend(data)
        return data

    pty.spawn(command, keep)
    console = Console(record=True, width=86, file=io.StringIO())
    words = (f'"{word}"' if " " in word else word for word in command)
    console.print(f"[bold]$ {' '.join(words).replace(command[0], 'taquin', 1)}", highlight=False)
    console.print(Text.from_ansi(shown.decode().replace("\r\n", "\n").rstrip()))
    # Whoever looks at it shall not fetch a font from elsewhere.
    svg = re.sub(r"@font-face \{.*?\}", "", console.export_svg(title="taquin"), flags=re.DOTALL)
    Path(file).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
