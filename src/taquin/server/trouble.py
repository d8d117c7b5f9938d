"""What is told when something can't be done: words, and a code for other words."""

from __future__ import annotations

from typing import Any

from starlette.responses import JSONResponse

from ..errors import TaquinError


class Trouble(TaquinError):  # noqa: N818 -- it tells of an outcome, not of an error
    """Something that the server itself can't do, or won't."""


class Refused(Trouble):
    """What was asked can't be done; the words say why, and `field` what is to blame."""

    def __init__(
        self, words: str, field: str | None = None, status: int = 422, **more: Any
    ) -> None:
        super().__init__(words, **more)
        self.field = field
        self.status = status

    @classmethod
    def of(cls, error: TaquinError, field: str | None = None, status: int = 422) -> Refused:
        """The same trouble, with what is to blame."""
        refused = cls(str(error), field, status)
        refused.code, refused.values = error.code, error.values
        return refused


def told(error: TaquinError) -> dict[str, Any]:
    """An error as every error here looks.

    >>> told(Refused("at most {most:,} runs", "boards", code="runs", most=1000))
    {'error': 'at most 1,000 runs', 'code': 'runs', 'values': {'most': 1000}, 'field': 'boards'}
    """
    content: dict[str, Any] = {"error": str(error)}
    if error.code:
        content.update(code=error.code, values=error.values)
    if field := getattr(error, "field", None):
        content["field"] = field
    return content


def refuse(
    status: int, error: TaquinError | str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """The answer to what can't be done."""
    content = {"error": error} if isinstance(error, str) else told(error)
    return JSONResponse(content, status, headers)


# --- what may happen anywhere -------------------------------------------------------------------

BROKEN = Trouble("something went wrong inside the server; its log says what", code="broken")
"""All that a client is told of a mistake that is not its own."""

CANCELLED = Trouble("cancelled", code="cancelled")
CANCELLED_EARLY = Trouble("cancelled before it began", code="cancelled-early")
CLOSING = Trouble("the server is shutting down", code="closing")
CROWDED = Trouble("too many requests at once", code="crowded")
NO_MEMORY = Trouble("this needs more memory than there is for it", code="memory")
TOO_MUCH = Trouble("this took more time or memory than there is for it", code="too-much")
