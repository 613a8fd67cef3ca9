"""Whether a card speaks of time that passes while it happens."""

import re
from typing import Final

from memassay.synth.world.persona_file import CardSpec

_NUMBER: Final = (
    r"(?:\d+|\{[a-z0-9_]+\}|two|three|four|five|six|seven|eight|nine|ten|a few|several)"
)
_UNIT: Final = r"(?:days|nights|weeks|months)"
_PASSED: Final = re.compile(
    rf"\b(?:after {_NUMBER} {_UNIT}(?! of )|{_NUMBER} {_UNIT} (?:later|on|in a row|straight)"
    rf"|(?:a|one) (?:day|week|month) later|since (?:last|{'|'.join(('Monday', 'Sunday'))})"
    r"|the (?:next|following) (?:day|morning|week)|by now|day (?:two|three|four|five|six|seven))\b",
    re.IGNORECASE,
)
"""Phrases of later rounds that say how much time has gone by since the first."""
_SPANS: Final = re.compile(r"(?:Day|Night|Week|Month) \d+")
"""Rows of charts that grow from day to day."""


def elapsed_time(card: CardSpec) -> str | None:
    """A phrase or chart by which a card without stages takes longer than a day, or None.

    A card that says `time: one day` was read by its author, and has none.
    """
    if card.stages or card.time is not None:
        return None
    for one in card.rounds[1:]:
        if found := _PASSED.search(f"{one.user} {one.assistant}"):
            return found.group()
        for name in one.shows:
            image = card.images.get(name)
            row = next((row for row in (image.rows if image else []) if _SPANS.match(row)), None)
            if row is not None:
                return row
    return None
