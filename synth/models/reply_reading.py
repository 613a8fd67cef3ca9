"""From what a model wrote to a validated response, or to the reason why not."""

import re
from collections.abc import Hashable
from functools import cache
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from memassay.schemas.contracts.calls import ModelReply, ReplyStatus

Response = TypeVar("Response", bound=BaseModel)

_FENCED: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?```\s*$", re.DOTALL)
_UNSUPPORTED: Final = ("default", "title", "minLength", "maxLength", "format", "pattern")
_SHOWN: Final = 3


class UnusableError(Exception):
    """A reply that is no response; `reason` is a word of `AuthorError`."""

    def __init__(self, reason: str, message: str) -> None:
        """Keep why."""
        super().__init__(message)
        self.reason = reason


def read_reply(reply: ModelReply, response: type[Response]) -> Response:
    """The response a reply holds.

    Raises:
        UnusableError: It was refused, cut off or empty, or does not fit the response's shape.
    """
    if reply.status is not ReplyStatus.COMPLETE:
        said = reply.text.strip()[:200] or "nothing"
        raise UnusableError(str(reply.status), f"expected a complete reply, got: {said}")
    fenced = _FENCED.match(reply.text)
    text = fenced[1] if fenced else reply.text
    try:
        return response.model_validate_json(text)
    except ValidationError as error:
        problem = error
    try:
        return response.model_validate(_repaired(text))
    except ValidationError as error:
        # Where mending the JSON helped, what is still wrong with its content is the news.
        if problem.errors()[0]["type"] == "json_invalid":
            problem = error
    raise UnusableError("malformed", _explained(problem))


def _repaired(text: str) -> Any:
    import json_repair

    return json_repair.loads(text)


def _explained(error: ValidationError) -> str:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [
        f"{'.'.join(str(part) for part in detail['loc']) or 'reply'}: {detail['msg']}"
        for detail in details[:_SHOWN]
    ]
    more = [f"and {len(details) - _SHOWN} more"] if len(details) > _SHOWN else []
    return "; ".join([*lines, *more])


def strict_schema(response: type[BaseModel]) -> dict[str, Any]:
    """The JSON Schema of a response in the subset that endpoints enforce.

    Every object is closed and all its properties are required; limits that endpoints refuse
    are left to the validation of the reply.
    """
    return _strict_schema(response)


@cache
def _strict_schema(response: Hashable) -> dict[str, Any]:
    assert isinstance(response, type)
    assert issubclass(response, BaseModel)
    schema: dict[str, Any] = _strict(response.model_json_schema())
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(part) for part in node]
    if not isinstance(node, dict):
        return node
    kept = {
        name: (
            {key: _strict(part) for key, part in value.items()}
            if name in _NAMED
            else _strict(value)
        )
        for name, value in node.items()
        if name not in _UNSUPPORTED
    }
    if kept.get("type") == "object":
        kept |= {"additionalProperties": False, "required": list(kept.get("properties", {}))}
    return kept


_NAMED: Final = frozenset({"properties", "$defs"})
"""Keys whose value maps names of ours, which may look like keywords."""
