"""Replies that no protocol knows: good ones with a part changed, cut, nested, or no text at all."""

import copy
import json
from random import Random
from typing import Any

ODD: list[Any] = [
    None,
    True,
    -1,
    -(10**30),
    10**400,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "12",
    "\ud800",
    "\x00",
    "x" * 20_000,
    "[" * 500,
    '{"summary": "half a sen',
    '{"summary": "\\ud800"}',
    '{"summary": ' + "9" * 5000 + "}",
    '{"a":' * 300,
    [],
    {},
    [[]],
    [None],
    ["a", 1, {"text": 2}],
    [{"type": "text", "text": '{"summary": "a list of parts"}'}],
    {"text": {"text": {}}},
    [{"type": "message", "content": 5}],
]


def good(kind: str, text: str) -> dict[str, Any]:
    """An answer of a protocol as it should be."""
    if kind == "gemini":
        return {
            "candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}],
            "promptFeedback": {"blockReason": ""},
            "usageMetadata": {
                "promptTokenCount": 9,
                "cachedContentTokenCount": 1,
                "candidatesTokenCount": 3,
                "thoughtsTokenCount": 2,
            },
        }
    if kind == "openai-responses":
        return {
            "status": "completed",
            "incomplete_details": {"reason": ""},
            "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}],
            "usage": {
                "input_tokens": 9,
                "input_tokens_details": {"cached_tokens": 1},
                "output_tokens": 3,
            },
        }
    return {
        "choices": [{"message": {"content": text, "refusal": None}, "finish_reason": "stop"}],
        "usage": {
            "prompt_tokens": 9,
            "prompt_tokens_details": {"cached_tokens": 1},
            "completion_tokens": 3,
        },
    }


def odd_body(kind: str, random: Random) -> bytes:
    """One odd answer."""
    document = good(kind, '{"summary": "a sentence"}')
    way = random.randrange(10)
    if way == 0:
        return random.randbytes(random.randrange(200))
    if way == 1:
        return b"[" * random.choice([500, 5000, 100_000])
    for _ in range(random.randint(1, 2)):
        path = random.choice(list(_paths(document)))
        _put(document, path, copy.deepcopy(random.choice(ODD)))
    body = json.dumps(document).encode("utf-8", "surrogatepass")
    if way == 2:
        return body[: random.randrange(len(body))]
    if way == 3:
        at = random.randrange(len(body))
        return body[:at] + random.randbytes(3) + body[at:]
    return body


def _paths(value: Any, before: tuple[Any, ...] = ()) -> Any:
    steps: Any = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for step, part in steps:
        yield (*before, step)
        yield from _paths(part, (*before, step))


def _put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    for step in path[:-1]:
        document = document[step]
    document[path[-1]] = value
