"""Parts of an endpoint's answer, whatever it sent: no bytes from outside may end a run."""

import email.utils
import json
import math
import time
from collections.abc import Mapping
from typing import Any, Final

from memassay.schemas.contracts.calls import ModelReply, ReplyStatus, Usage

_MOST_TOKENS: Final = 100_000_000
"""A count above it is none: no model reads or writes as much in one call."""


def document_of(body: str) -> Any:
    """The JSON value of an answer; None if it is none, or one that is nested beyond reading."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def part(value: Any, *path: str | int) -> Any:
    """What is at a path of keys and places; None where the types are others."""
    for step in path:
        if isinstance(step, str) and isinstance(value, dict):
            value = value.get(step)
        elif isinstance(step, int) and isinstance(value, list) and len(value) > step:
            value = value[step]
        else:
            return None
    return value


def list_at(value: Any, *path: str | int) -> list[Any]:
    """The list at a path; empty where something else is there."""
    found = part(value, *path)
    return found if isinstance(found, list) else []


def text_at(value: Any, *path: str | int) -> str:
    """The text at a path; empty where something else is there."""
    found = part(value, *path)
    return found if isinstance(found, str) else ""


def usage_of(
    answer: Any,
    read: tuple[str, ...],
    cached: tuple[str, ...],
    *written: tuple[str, ...],
    images: int,
) -> Usage:
    """What an answer is billed by; nothing is counted where one of its numbers cannot be true.

    Args:
        answer: The answer.
        read: Path of the tokens read.
        cached: Path of those of them that came from a cache.
        written: Paths of the tokens written, which are added.
        images: Images that were shown.
    """
    counts = [_count(part(answer, *path)) for path in (read, cached, *written)]
    if any(count is None for count in counts):
        return Usage(images=images)
    whole = [count or 0 for count in counts]
    return Usage(
        input=whole[0], cached=min(whole[1], whole[0]), output=sum(whole[2:]), images=images
    )


def _count(value: Any) -> int | None:
    """A number of tokens; 0 where none is given, None where it is none."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if not 0 <= value <= _MOST_TOKENS or not math.isfinite(value) or value != int(value):
        return None
    return int(value)


def malformed_reply(body: str, usage: Usage) -> ModelReply:
    """The reply of an answer that is not of the endpoint's own protocol."""
    return ModelReply(status=ReplyStatus.MALFORMED, text="", usage=usage, raw=body)


def text_reply(text: str, body: str, usage: Usage, *, cut: bool) -> ModelReply:
    """The reply of an answer that holds words, or none."""
    status = ReplyStatus.COMPLETE if text.strip() else ReplyStatus.EMPTY
    return ModelReply(
        status=ReplyStatus.CUT_OFF if cut else status, text=text, usage=usage, raw=body
    )


def was_sent(error: BaseException) -> bool:
    """Whether a request may have gone out before this error: all but connections never made."""
    import aiohttp

    unmade = (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError, aiohttp.InvalidURL)
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, unmade):
            return False
        link = link.__cause__ or link.__context__
    return True


def waiting_time(headers: Mapping[str, str]) -> float | None:
    """Seconds that the headers of an answer ask to wait: a number, milliseconds or a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if (seconds := seconds_of(headers.get(name), unit)) is not None:
            return seconds
    try:
        date = email.utils.parsedate_to_datetime(headers.get("retry-after") or "")
        return max(date.timestamp() - time.time(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return None


def seconds_of(value: Any, unit: float = 1.0) -> float | None:
    """A number of seconds; None where it is none, or not finite."""
    try:
        seconds = float(value) * unit
    except (ValueError, TypeError, OverflowError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
