"""A query from the JSON that a person wrote: in a file, on standard input or in a form."""

import json
from typing import Any, Final, NoReturn

from memassay.schemas.errors import UsageError

LARGEST: Final = 1024 * 1024
"""Bytes of a query; what is larger is something else."""
EXAMPLE: Final = {"op": "count", "of": {"op": "select", "where": {"attribute": "price"}}}
_FIX: Final = f"write it as {json.dumps(EXAMPLE)}; docs/queries.md has the grammar"


def read_query(text: str | bytes, where: str) -> Any:
    """The document that a text holds; whether it is a query, `parse_query` says.

    Args:
        text: What was written, at most a byte or character too much.
        where: Where it is, for messages: `standard input`.

    Raises:
        UsageError: It is empty, not JSON, or larger than any query.
    """
    if len(text) > LARGEST:
        raise UsageError(f"{where}: expected a query of at most 1 MiB, got more; give another one")
    if not text.strip():
        raise UsageError(f"{where}: expected a query, got nothing; {_FIX}")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        # Deeper than Python reads, and far deeper than the language allows.
        raise UsageError(f"{where}: expected a query, got JSON too deep to read; {_FIX}") from None
    except ValueError as error:
        raise UsageError(f"{where}: expected one JSON object, got {error}; {_FIX}") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"expected a finite number, got {name}")
