"""The id grammar: inside a conversation every place has a short id, outside a prefixed one.

==============  =====================  ==========================================
place           example                grammar
==============  =====================  ==========================================
session         ``D3``                 ``D`` and its 1-based position
round           ``D3:7``               session, colon, 1-based position
turn            ``D3:7.1``             round, dot, 1-based position
attachment      ``D3:IMG_001``         session, colon, ``IMG`` or ``DOC``, number
question image  ``Q:IMG_001``          ``Q``, colon, ``IMG`` or ``DOC``, number
record          ``alex/Q0001``         conversation id, slash, local id
==============  =====================  ==========================================

Numbers are never zero-padded in places (``D30:05`` is not an id) and padded to three digits in
attachments, so that every place has one spelling. ``D1`` is a prefix of ``D10``: ids are
compared whole, and a format whose evaluator matches ids by substring pads them in its export.
Attachment ids are free of prefixes up to number 999.
"""

import re
from functools import lru_cache
from typing import Annotated, Final, NamedTuple

from memassay.schemas.base import matching

_N: Final = "[1-9][0-9]{0,8}"
SESSION_PATTERN: Final = f"D{_N}"
ROUND_PATTERN: Final = f"{SESSION_PATTERN}:{_N}"
TURN_PATTERN: Final = rf"{ROUND_PATTERN}\.{_N}"
_ATTACHMENT: Final = "(?:IMG|DOC)_(?:[0-9]{3}|[1-9][0-9]{3,8})"
ATTACHMENT_PATTERN: Final = f"(?:{SESSION_PATTERN}|Q):{_ATTACHMENT}"
PLACE_PATTERN: Final = f"{SESSION_PATTERN}|{ROUND_PATTERN}|{TURN_PATTERN}|{ATTACHMENT_PATTERN}"
CONVERSATION_PATTERN: Final = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
LOCAL_PATTERN: Final = "[A-Za-z0-9][A-Za-z0-9._-]{0,127}"

SessionId = Annotated[str, matching(SESSION_PATTERN, "Session id, e.g. `D3`.")]
RoundId = Annotated[str, matching(ROUND_PATTERN, "Round id, e.g. `D3:7`.")]
TurnId = Annotated[str, matching(TURN_PATTERN, "Turn id, e.g. `D3:7.1`.")]
AttachmentId = Annotated[
    str, matching(ATTACHMENT_PATTERN, "Attachment id, e.g. `D3:IMG_001` or `Q:IMG_001`.")
]
PlaceId = Annotated[str, matching(PLACE_PATTERN, "Id of a session, round, turn or attachment.")]
ConversationId = Annotated[str, matching(CONVERSATION_PATTERN, "Conversation id.")]
RecordId = Annotated[
    str,
    matching(
        f"{CONVERSATION_PATTERN}/{LOCAL_PATTERN}", "Conversation id, slash, local id: `alex/Q0001`."
    ),
]

_DIGITS = re.compile(r"([0-9]+)")
_PLACE = re.compile(
    rf"(?P<session>{SESSION_PATTERN}|Q)"
    rf"(?::(?:(?P<round>{_N})(?:\.(?P<turn>{_N}))?|(?P<attachment>{_ATTACHMENT})))?"
)


class Place(NamedTuple):
    """A parsed place id; the parts that the id does not name are None.

    Attributes:
        session: ``D3``, or ``Q`` for an attachment of a question.
        round: 1-based position of the round in its session.
        turn: 1-based position of the turn in its round.
        attachment: ``IMG_001`` or ``DOC_001``.
    """

    session: str
    round: int | None = None
    turn: int | None = None
    attachment: str | None = None

    @property
    def round_id(self) -> str | None:
        """The round's id, or None for a session or an attachment."""
        return None if self.round is None else f"{self.session}:{self.round}"


def parse_place(text: str) -> Place | None:
    """Parse a place id; None when the text is not one, whatever it looks like."""
    found = _PLACE.fullmatch(text)
    if found is None or (found["session"] == "Q" and not found["attachment"]):
        return None
    number = {name: int(found[name]) if found[name] else None for name in ("round", "turn")}
    return Place(found["session"], number["round"], number["turn"], found["attachment"])


@lru_cache(maxsize=1 << 14)
def natural_key(text: str) -> tuple[tuple[tuple[int, int, str], ...], str]:
    """A sort key that orders numbers inside ids by value: ``D2:9`` before ``D10:1``.

    Different texts never share a key: ``D05`` and ``D5`` are ordered as texts.
    """
    parts = (part for part in _DIGITS.split(text) if part)
    return tuple(_part_key(part) for part in parts), text


def _part_key(part: str) -> tuple[int, int, str]:
    if not _DIGITS.fullmatch(part):
        return (1, 0, part)
    # Fewer digits come first: a comparison by value without a limit on the number of digits.
    digits = part.lstrip("0")
    return (0, len(digits), digits)


def session_id(position: int) -> str:
    """Id of the session at a 1-based position."""
    return f"D{position}"


def round_id(session: str, position: int) -> str:
    """Id of the round at a 1-based position of a session."""
    return f"{session}:{position}"


def turn_id(round_: str, position: int) -> str:
    """Id of the turn at a 1-based position of a round."""
    return f"{round_}.{position}"


def attachment_id(session: str, number: int, kind: str = "IMG") -> str:
    """Id of the n-th image (``IMG``) or document (``DOC``) of a session, or of ``Q``."""
    return f"{session}:{kind}_{number:03d}"


def record_id(conversation: str, local: str) -> str:
    """Id of a record that belongs to a conversation; colons of place ids become ``_``."""
    return f"{conversation}/{local.replace(':', '_')}"


def conversation_of(record: str) -> str:
    """The conversation id at the front of a record id (the id itself for a conversation)."""
    return record.partition("/")[0]


def slug(text: str, fallback: str) -> str:
    """An id-safe form of a free text: ASCII letters, digits, ``.``, ``_`` and ``-`` only."""
    kept = re.sub(r"[^A-Za-z0-9._-]+", "_", text).strip("._-")[:128]
    return kept or fallback
