"""What can be asked for: every name with its meaning, and the limits in force."""

from __future__ import annotations

from dataclasses import asdict
from importlib.util import find_spec
from typing import Any

from .. import __version__, comparison, goals, heuristics, notation, search, tables
from ..palette import SCHEMES
from ..solver import QUALITIES
from .limits import MAX_BODY, Limits


def describe(limits: Limits) -> dict[str, Any]:
    """The names, and what the server allows."""
    pictures = ["svg", "cast", *(["png", "gif"] if find_spec("PIL") else [])]
    return {
        "version": __version__,
        "algorithms": [
            {
                "name": algorithm.name,
                "summary": algorithm.summary,
                "informed": algorithm.informed,
                "optimal": algorithm.optimal,
                "options": algorithm.options,
            }
            for algorithm in search.ALGORITHMS.values()
        ],
        "heuristics": [
            {"name": heuristic.name, "summary": heuristic.summary}
            for heuristic in heuristics.NAMED.values()
        ],
        "goals": list(goals.NAMED),
        "qualities": list(QUALITIES),
        "metrics": ["single", "multi"],
        "tables": list(tables.NAMES),
        "formats": [
            {"name": form.name, "summary": form.summary} for form in notation.FORMATS.values()
        ],
        "schemes": list(SCHEMES),
        "exports": pictures,
        "compare": {
            "algorithms": list(comparison.ALGORITHMS),
            "heuristics": list(comparison.HEURISTICS),
        },
        "records": not limits.strict,
        "limits": {**asdict(limits), "body": MAX_BODY},
    }
