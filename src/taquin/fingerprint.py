"""What must be the same in processes that work together: version, code and tables."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from . import __version__, store


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The version of taquin, a digest of its code, and the checksums of the tables on disk."""

    version: str
    code: str
    tables: dict[str, int]

    def misfit(self, other: Fingerprint) -> str:
        """Why another process can't be worked with, as the end of a sentence about it; or nothing.

        >>> Fingerprint("1.1", "ab", {}).misfit(Fingerprint("1.0", "cd", {}))
        'has taquin 1.0, not 1.1'
        """
        if other.version != self.version:
            return f"has taquin {other.version}, not {self.version}"
        if other.code != self.code:
            return f"has another build of taquin {self.version}: {other.code}, not {self.code}"
        for name in self.tables.keys() & other.tables.keys():
            if self.tables[name] != other.tables[name]:
                return f"has another table {name} than this machine; remove one and build it anew"
        return ""


def fingerprint() -> Fingerprint:
    """That of this process. Tables that are missing matter to no one: they can be built."""
    tables = {entry.name: entry.header.checksum for entry in store.entries() if entry.header}
    return replace(of_code(), tables=tables)


def of_code() -> Fingerprint:
    """The same without the tables, at once."""
    return Fingerprint(__version__, _code(), {})


@cache
def _code() -> str:
    """A digest of what is installed; that of the core is told by its stub."""
    folder = Path(__file__).parent
    digest = hashlib.sha256()
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.pyi")]):
        digest.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:12]
