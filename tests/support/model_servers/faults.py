"""What goes wrong at a model server, by script."""

import asyncio
import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from aiohttp import web

Fault = Literal[
    "none", "400", "429", "500", "malformed", "schema", "cut", "refusal", "empty", "drop", "drip"
]
_DRAWN: tuple[Fault, ...] = (
    "400",
    "429",
    "500",
    "malformed",
    "schema",
    "cut",
    "refusal",
    "empty",
    "drop",
    "drip",
)
DRIP_SECONDS = 0.02
"""Between two pieces of an answer that drips."""


async def drip(request: web.Request, document: Any) -> web.StreamResponse:
    """An answer that comes piece by piece, so slowly that no read of it is ever late."""
    answer = web.StreamResponse(headers={"Content-Type": "application/json"})
    await answer.prepare(request)
    for byte in json.dumps(document).encode("utf-8"):
        await answer.write(bytes([byte]))
        await asyncio.sleep(DRIP_SECONDS)
    return answer


@dataclass
class Faults:
    """A script of faults.

    Attributes:
        latency: Seconds before every answer.
        rates: Share of requests that meet a fault, by its name.
        retry_after: Seconds that a 429 asks to wait; None sends no header.
        always: Requests that hold one of these texts meet its fault every time.
        first: The fault of the first so many requests, whatever they are.
        seed: Root of the draws.
    """

    latency: float = 0.0
    rates: dict[str, float] = field(default_factory=dict)
    retry_after: float | None = 0.1
    always: dict[str, Fault] = field(default_factory=dict)
    first: tuple[Fault, int] = ("none", 0)
    seed: int = 0
    _met: int = 0
    _seen: Counter[str] = field(default_factory=Counter)

    def meet(self, body: str) -> Fault:
        """The fault of a request; the same request again draws anew, the same way in every run."""
        self._met += 1
        if self._met <= self.first[1]:
            return self.first[0]
        for text, fault in self.always.items():
            if text in body:
                return fault
        digest = hashlib.sha256(body.encode("utf-8")).hexdigest()
        self._seen[digest] += 1
        drawn = Random(f"{self.seed} {digest} {self._seen[digest]}").random()
        for fault in _DRAWN:
            drawn -= self.rates.get(fault, 0.0)
            if drawn < 0:
                return fault
        return "none"
