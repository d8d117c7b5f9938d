"""Results as tables: pyarrow (and from there pandas), Parquet."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from .batch_lines import flatten
from .errors import MissingExtraError
from .heartbeat import Cancel
from .result import Result

_BLOCK = 1 << 22
"""Bytes of JSON Lines that are read at once."""

_ROWS = 1 << 16
"""About how many rows a row group has."""


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtraError("pyarrow", "data") from None
    return pyarrow


def _columns(pa: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """The columns of where an entry stood, of its result, and of what that took."""
    text, whole = pa.string(), pa.int64()
    place = [pa.field("number", whole), pa.field("file", text), pa.field("line", whole)]
    kinds = {"length": whole, "lower_bound": whole}
    names = (
        "board", "goal", "status", "proof", "length", "moves", "direction", "metric",
        "lower_bound", "algorithm", "heuristic", "reason", "warning",
    )  # fmt: skip
    result = [pa.field(name, kinds.get(name, text)) for name in names]
    stats = [
        pa.field("expanded", whole),
        pa.field("generated", whole),
        pa.field("seconds", pa.float64()),
        pa.field("peak_frontier", whole),
        pa.field("peak_memory", whole),
        pa.field("iterations", pa.list_(pa.list_(pa.float64()))),
    ]
    return place, result, stats


def to_table(results: Iterable[Result], *, moves: str = "tile") -> Any:
    """The results as a `pyarrow.Table`, a row for each; `to_pandas()` makes a data frame of it.

    >>> from taquin import solve
    >>> table = to_table([solve("1 2 3 / 4 5 6 / 7 0 8"), solve("1 2 3 / 4 5 6 / 0 7 8")])
    >>> table["length"].to_pylist()
    [1, 2]
    """
    pa = _pyarrow()
    _, result, stats = _columns(pa)
    rows = [flatten(each.to_dict(moves=moves)) for each in results]
    return pa.Table.from_pylist(rows, schema=pa.schema(result + stats))


def write_parquet(lines: Path, path: Path, cancel: Cancel | None = None) -> bool:
    """Make a Parquet file of the JSON Lines of a batch; false if it was cancelled."""
    pa = _pyarrow()
    from pyarrow import parquet

    place, result, stats = _columns(pa)
    read_as = pa.schema([*place, *result, pa.field("stats", pa.struct(stats))])
    written_as = pa.schema([*place, *result, *stats])
    waiting: list[Any] = []
    with parquet.ParquetWriter(path, written_as) as writer:
        for block in _blocks(lines):
            if cancel is not None and cancel.is_set():
                return False
            table = _parsed(block, read_as).flatten()
            waiting.append(table.rename_columns(written_as.names))
            if sum(table.num_rows for table in waiting) >= _ROWS:
                writer.write_table(pa.concat_tables(waiting))
                waiting = []
        if waiting:
            writer.write_table(pa.concat_tables(waiting))
    return True


def _parsed(block: bytes, schema: Any) -> Any:
    from pyarrow import json

    return json.read_json(
        io.BytesIO(block),
        read_options=json.ReadOptions(block_size=len(block) + 1),
        parse_options=json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error"),
    )


def _blocks(lines: Path) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time."""
    with lines.open("rb") as file:
        while block := file.read(_BLOCK):
            yield block + file.readline()


def require() -> None:
    """Tell at once, and not after hours, that a package is missing."""
    _pyarrow()
