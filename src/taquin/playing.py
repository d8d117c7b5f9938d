"""Games that are being played: each process has a slot of the database for its own.

A slot belongs to who holds its lock, a file beside the database. A process that is killed lets go
of it, and its game waits for someone to go on with it.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from . import locks
from .averages import moment_text
from .database import Database

SCHEMA = """
CREATE TABLE playing (
    slot TEXT PRIMARY KEY NOT NULL,
    saved_at TEXT NOT NULL,
    game TEXT NOT NULL
) STRICT
"""

WAITING_GAMES = 20
"""So many games that nobody goes on with are kept; older ones are forgotten."""

# Replaced, not updated: of games saved in the same millisecond the row's number tells the newer.
_SAVE = "INSERT OR REPLACE INTO playing (slot, saved_at, game) VALUES (?, ?, ?)"
_DELETE = "DELETE FROM playing WHERE slot = ?"


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str
    lock: Path
    handle: int

    def leave(self) -> None:
        locks.let_go(self.lock, self.handle)


class Playing:
    """The game that this process plays, among those of others.

    Whether a slot is held is found out by holding it. That happens within transactions only, so
    that no one who merely looks is taken for a player.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._slot: _Slot | None = None

    def save(self, game: Mapping[str, Any]) -> None:
        """Keep the game in place of what was kept of it before."""
        text = json.dumps(game, ensure_ascii=False)
        with self._database.writing() as connection:
            if self._slot is None:
                self._forget_old(connection)
                self._slot = self._take(secrets.token_hex(8))
                assert self._slot is not None, "no one else knows this name"
            connection.execute(_SAVE, (self._slot.name, moment_text(datetime.now(UTC)), text))

    def current(self) -> dict[str, Any] | None:
        """The own game, or else the newest that no living process plays, which becomes the own."""
        with self._database.writing() as connection:
            if self._slot is not None:
                return _game(connection, self._slot.name)
            for name in _names(connection):
                slot = self._take(name)
                if slot is None:
                    continue
                game = _game(connection, name)
                if game is not None:
                    self._slot = slot
                    return game
                slot.leave()
        return None

    def clear(self, connection: sqlite3.Connection) -> None:
        """Forget the own game, within someone's transaction; `leave` comes after it."""
        if self._slot is not None:
            connection.execute(_DELETE, (self._slot.name,))

    def leave(self) -> None:
        """Let others have the slot, with the game if that was not forgotten."""
        if self._slot is not None:
            self._slot.leave()
            self._slot = None

    def _take(self, name: str) -> _Slot | None:
        """The slot, if no living process has it."""
        lock = self._database.path.with_suffix(f".{name}.lock")
        handle = locks.take(lock)
        return None if handle is None else _Slot(name, lock, handle)

    def _forget_old(self, connection: sqlite3.Connection) -> None:
        """Remove the oldest games that nobody plays, and the locks that killed processes left."""
        waiting = 0
        for name in _names(connection):
            slot = self._take(name)
            if slot is not None:
                waiting += 1
                if waiting >= WAITING_GAMES:
                    connection.execute(_DELETE, (name,))
                slot.leave()
        path = self._database.path
        for lock in path.parent.glob(f"{path.stem}.*.lock"):
            with suppress(OSError):
                handle = locks.take(lock)
                if handle is not None:
                    locks.let_go(lock, handle)


def _names(connection: sqlite3.Connection) -> list[str]:
    """The slots, that of the newest game first."""
    rows = connection.execute("SELECT slot FROM playing ORDER BY saved_at DESC, rowid DESC")
    return [name for (name,) in rows.fetchall()]


def _game(connection: sqlite3.Connection, slot: str) -> dict[str, Any] | None:
    """The game in a slot; None if it can't be read."""
    row = connection.execute("SELECT game FROM playing WHERE slot = ?", (slot,)).fetchone()
    try:
        game = None if row is None else json.loads(row[0])
    except ValueError:
        return None
    return game if isinstance(game, dict) else None
