"""From what a model wrote to a validated response, or to the reason why not."""

import json
import re
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from memassay.schemas.contracts.calls import ModelReply, ReplyStatus
from memassay.synth.models.reply_text import last_object, without_thinking

Response = TypeVar("Response", bound=BaseModel)

_FENCED: Final = re.compile(r"^\s*```(?:json)?\s*\n(.*?)\n?```\s*$", re.DOTALL)
_UNSUPPORTED: Final = ("default", "title", "minLength", "maxLength", "format", "pattern")
_SHOWN: Final = 3
_REPAIRED: Final = 200_000
"""Characters of a reply that is worth mending."""


class UnusableError(Exception):
    """A reply that is no response; `reason` is a word of `AuthorError`."""

    def __init__(self, reason: str, message: str) -> None:
        """Keep why."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Read(Generic[Response]):
    """A response as it was read.

    Attributes:
        response: The response.
        repaired: Whether its JSON had to be closed or repaired: parts of it may be missing.
    """

    response: Response
    repaired: bool = False


def read_reply(reply: ModelReply, response: type[Response]) -> Read[Response]:
    """The response a reply holds.

    Raises:
        UnusableError: It was refused, cut off or empty, or does not fit the response's shape.
    """
    if reply.status is ReplyStatus.MALFORMED:
        words = " ".join(reply.raw.split())[:200] or "nothing"
        raise UnusableError("malformed", f"expected an answer of the protocol, got: {words}")
    text = without_thinking(reply.text)
    if reply.status is not ReplyStatus.COMPLETE:
        raise UnusableError(str(reply.status), _unwritten(reply.status, text))
    if not text.strip():
        raise UnusableError("empty", "expected a reply after the thinking, got nothing")
    fenced = _FENCED.match(text)
    text = fenced[1] if fenced else text
    inner, goes_on = last_object(text, strict_schema(response).get("properties", {}))
    problem: ValidationError | None = None
    for whole, repaired in ((text, False), (inner, goes_on)):
        try:
            return Read(_finite(response.model_validate_json(whole)), repaired)
        except ValidationError as error:
            problem = error if problem is None or inner else problem
    assert problem is not None
    if inner and not goes_on:
        # The last reply counts: nothing that was written before it may take its place.
        raise UnusableError("malformed", _explain(problem))
    try:
        return Read(_finite(response.model_validate(_repair(text))), repaired=True)
    except ValidationError as error:
        # Where mending the JSON helped, what is still wrong with its content is the news.
        if problem.errors()[0]["type"] == "json_invalid":
            problem = error
    raise UnusableError("malformed", _explain(problem))


def _unwritten(status: ReplyStatus, text: str) -> str:
    """What came of a reply that its endpoint calls refused, cut off or empty."""
    words = text.strip()[:200]
    if status is ReplyStatus.CUT_OFF and not words:
        return (
            "expected a complete reply, got one that was cut off before its first word: "
            "raise `max_output_tokens`, or lower `reasoning_effort`"
        )
    return f"expected a complete reply, got: {words or 'nothing'}"


def _finite(response: Response) -> Response:
    """A response that can be written as JSON.

    Raises:
        UnusableError: It holds a number that is not finite, or half of a character.
    """
    try:
        document = response.model_dump(mode="json")
        json.dumps(document, allow_nan=False, ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        words = f"expected finite numbers and whole characters: {error}"
        raise UnusableError("malformed", words) from None
    return response


def _repair(text: str) -> Any:
    """What can be saved of broken JSON; None of a text that is too long or nested too deeply."""
    import json_repair

    if len(text) > _REPAIRED:
        return None
    try:
        return json_repair.loads(text)
    except (RecursionError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _explain(error: ValidationError) -> str:
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
