"""A SQLite file that is looked after: checked when it is opened, brought up to date, set aside if
it is damaged. Knows no puzzle.

Writers take turns for as long as a transaction lasts, which is a moment; readers wait for no one
(WAL). What was committed survives the death of the process.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from . import locks
from .errors import RecordsError

BUSY_SECONDS = 10.0
"""How long to wait for someone else's transaction, each of which takes a moment."""

_SMALLEST = 512
"""No database has fewer bytes."""

_WORDS = {
    sqlite3.SQLITE_BUSY: ("in-use", "in use by another process"),
    sqlite3.SQLITE_CANTOPEN: ("unopened", "can't be opened"),
    sqlite3.SQLITE_CORRUPT: ("damaged", "damaged; it will be set aside when it is next opened"),
    sqlite3.SQLITE_FULL: ("disk-full", "the disk is full"),
    sqlite3.SQLITE_IOERR: ("unusable", "can't be read or written"),
    sqlite3.SQLITE_NOTADB: ("no-database", "not a database"),
    sqlite3.SQLITE_PERM: ("no-permission", "no permission"),
    sqlite3.SQLITE_READONLY: ("unwritable", "can't be written"),
}
"""What is wrong: the end of its code, and words."""


class _DamageError(Exception):
    """Says what is wrong with a file that can't be used any more."""


class Database:
    """An open database, for all threads of a process.

    `migrations` are the scripts that lead from one version of the schema to the next, beginning
    with an empty file; `application` is the number that marks files as ours; `say` is told what is
    out of the ordinary. `RecordsError` where the file can't be used.
    """

    def __init__(
        self,
        path: Path,
        application: int,
        migrations: Sequence[str],
        say: Callable[[str], object],
    ) -> None:
        self.path = path
        self.set_aside: Path | None = None
        """Where the file that was found damaged is now."""
        self._application = application
        self._migrations = migrations
        self._lock = threading.RLock()
        with self._reporting():
            path.parent.mkdir(parents=True, exist_ok=True)
            with locks.held(path.with_suffix(".lock"), BUSY_SECONDS):
                self._connection = self._open(say)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for statements that change nothing."""
        with self._lock, self._reporting():
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection within a transaction: all of it comes true, or nothing."""
        with self._lock, self._reporting():
            # Write locks are taken at once: a reader that begins to write may find it too late.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _reporting(self) -> Iterator[None]:
        """Within, trouble with the file becomes a `RecordsError` that names it."""
        try:
            yield
        except RecordsError:
            raise
        except sqlite3.DatabaseError as error:
            raise self._unusable(_code(error), str(error)) from error
        except TimeoutError:
            raise self._unusable(sqlite3.SQLITE_BUSY) from None
        except OSError as error:
            raise self._unusable(sqlite3.SQLITE_ERROR, error.strerror or str(error)) from error

    def _unusable(self, code: int, details: str = "") -> RecordsError:
        path = str(self.path)
        if code not in _WORDS:
            return RecordsError("{path}: {details}", code="records", path=path, details=details)
        kind, words = _WORDS[code]
        return RecordsError("{path}: " + words, code=f"records-{kind}", path=path)

    # --- opening

    def _open(self, say: Callable[[str], object]) -> sqlite3.Connection:
        try:
            return self._sound()
        except _DamageError as damage:
            say(
                f"{self.path} is damaged ({damage}); it was set aside as {self.set_aside}, "
                "and a new one is begun"
            )
        return self._sound()

    def _sound(self) -> sqlite3.Connection:
        """A connection to a file that was checked and brought up to date."""
        connection = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        # Damaged text must not keep all the rest from being read.
        connection.text_factory = lambda data: data.decode(errors="replace")
        try:
            try:
                self._check(connection)
                self._prepare(connection)
            except sqlite3.DatabaseError as error:
                if _code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                    raise _DamageError(str(error)) from error
                raise
        except _DamageError:
            # While the connection is open: who closes a file under its old name writes to it once
            # more, and removes its log.
            self._put_aside()
            connection.close()
            raise
        except BaseException:
            connection.close()
            raise
        return connection

    def _check(self, connection: sqlite3.Connection) -> None:
        """That the file is ours, of a version that is known, and sound."""
        # SQLite takes what is too short for a database for none, and would write over it.
        size = _size(self.path)
        if 0 < size < _SMALLEST:
            raise _DamageError("it is too short")
        if not size and _size(_beside(self.path, "-wal")):
            raise _DamageError("it is empty, but its log is not")
        found = _names(connection)
        if not found:
            return
        if _pragma(connection, "application_id") != self._application:
            raise RecordsError(
                "{path}: a database of another program",
                code="records-foreign", path=str(self.path),
            )  # fmt: skip
        version = _pragma(connection, "user_version")
        newest = len(self._migrations)
        if not 0 <= version <= newest:
            raise RecordsError(
                "{path}: written by a newer taquin (its format has version {version}, "
                "this one knows {newest})",
                code="records-newer", path=str(self.path), version=version, newest=newest,
            )  # fmt: skip
        problem = _pragma(connection, "quick_check(1)")
        if problem != "ok":
            raise _DamageError(" ".join(str(problem).split()))
        missing = self._names_of(version) - found
        if missing:
            raise _DamageError(f"it has no {min(missing)}")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        _pragma(connection, "journal_mode = WAL")
        # A commit that is in the log survives this process; it need not wait for the disk.
        connection.execute("PRAGMA synchronous = NORMAL")
        newest = len(self._migrations)
        for version in range(_pragma(connection, "user_version"), newest):
            connection.executescript(
                f"""
                BEGIN IMMEDIATE;
                {self._migrations[version]};
                PRAGMA application_id = {self._application};
                PRAGMA user_version = {version + 1};
                COMMIT;
                """
            )

    def _names_of(self, version: int) -> set[str]:
        """The tables and indexes that a file of a version has."""
        with closing(sqlite3.connect(":memory:")) as empty:
            for migration in self._migrations[:version]:
                empty.executescript(migration)
            return _names(empty)

    def _put_aside(self) -> None:
        """Rename the file and its log, which has what is not yet in the file."""
        stamp = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        name = f"{self.path.stem}-damaged-{stamp}"
        aside, number = self.path.with_name(name + self.path.suffix), 1
        while aside.exists() or _beside(aside, "-wal").exists():
            number += 1
            aside = self.path.with_name(f"{name}-{number}{self.path.suffix}")
        # The file comes last: without it, its log would be taken for that of the next one.
        for suffix in ("-wal", "-shm", "-journal", ""):
            with suppress(FileNotFoundError):
                _beside(self.path, suffix).rename(_beside(aside, suffix))
        self.set_aside = aside


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _code(error: sqlite3.DatabaseError) -> int:
    """What went wrong, without SQLite's finer distinctions; 0 if SQLite was not asked."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _pragma(connection: sqlite3.Connection, words: str) -> Any:
    return connection.execute(f"PRAGMA {words}").fetchone()[0]


def _names(connection: sqlite3.Connection) -> set[str]:
    return {
        f"{kind} {name}"
        for kind, name in connection.execute("SELECT type, name FROM sqlite_master")
    }
