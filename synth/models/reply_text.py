"""The reply among other words: models think aloud, quote forms, and write drafts before it."""

import json
import re
from collections.abc import Collection
from typing import Any, Final

_THINKING: Final = "think|thinking|thought|thoughts|reasoning|reflection"
_OPENED: Final = re.compile(rf"\s*[<\[](?:{_THINKING})[>\]]", re.IGNORECASE)
_CLOSED: Final = re.compile(rf"[<\[]/(?:{_THINKING})[>\]]", re.IGNORECASE)
_REPLY: Final = re.compile(r"\s*(?:[{\[]|```)")
_BRACES: Final = re.compile(r'\\.|["{}]', re.DOTALL)
_OBJECT: Final = re.compile(r'\{\s*"')
"""What looks like JSON; `{json}` and `{name}` in a sentence do not."""


def without_thinking(text: str) -> str:
    """A text without the thinking before it; of a thinking without an end nothing is left."""
    opened, closed = _OPENED.match(text), _CLOSED.search(text)
    if opened:
        return text[closed.end() :] if closed else ""
    # Some servers put the opening tag into the prompt, so that the text has the closing one alone.
    return text if closed is None or _REPLY.match(text) else text[closed.end() :]


def last_object(text: str, names: Collection[str]) -> tuple[str, bool]:
    """The last JSON object of a text, and whether one that is broken off comes after it.

    Args:
        text: What a model wrote.
        names: Names of the fields of a reply: an object that has none of them is an aside.
    """
    spans, broken = _groups(text)
    whole = [(start, end) for start, end in spans if start < broken]
    for start, end in reversed(whole):
        document = _document(text[start:end])
        if isinstance(document, dict) and (document.keys() & names or not names):
            return text[start:end], broken < len(text)
    return "", broken < len(text)


def _document(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _groups(text: str) -> tuple[list[tuple[int, int]], int]:
    """Outermost pairs of braces, and where an object begins that is broken off (else the end)."""
    starts: list[int] = []
    pairs: list[tuple[int, int]] = []
    quoted = False
    for found in _BRACES.finditer(text):
        sign = found[0]
        if sign == '"':
            # Outside of braces a quotation mark is one of a sentence.
            quoted = bool(starts) and not quoted
        elif quoted:
            continue
        elif sign == "{":
            starts.append(found.start())
        elif sign == "}" and starts:
            start = starts.pop()
            while pairs and pairs[-1][0] > start:
                pairs.pop()
            pairs.append((start, found.end()))
    broken = next((at for at in starts if _OBJECT.match(text, at)), len(text))
    return pairs, broken
