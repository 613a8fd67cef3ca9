"""What an export left out, counted by kind: what is lost to a reader first."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from memassay.schemas.contracts.protocols import Unfit
from memassay.schemas.ids import ATTACHMENT_PATTERN

_PLACE: Final = re.compile(
    rf"(?<!\w)(?:{ATTACHMENT_PATTERN}|D[0-9]+(?::[0-9]+(?:\.[0-9]+)?)?)(?!\w)"
)
_SPEAKER: Final = re.compile(r"(?<=speaker )\S+")
_NUMBER: Final = re.compile(r"(?<!\w)[0-9]+(?!\w)")


class QuestionsLost(NamedTuple):
    """Questions of one type that were left out for one reason."""

    type: str
    number: int
    reason: str
    why: str


class PartsLost(NamedTuple):
    """Parts of records that have no place, of one kind."""

    what: str
    number: int
    why: str


def questions_lost(unfit: Iterable[Unfit]) -> list[QuestionsLost]:
    """Questions that were left out, by type and reason; the most first."""
    counts = Counter(
        (each.type, each.reason, each.why) for each in unfit if each.reason is not None
    )
    rows = [
        QuestionsLost(type_, number, str(reason), why)
        for (type_, reason, why), number in counts.items()
    ]
    return sorted(rows, key=lambda row: (-row.number, row))


def parts_lost(unfit: Iterable[Unfit]) -> list[PartsLost]:
    """Parts without a place by kind, ids and numbers aside; the most first."""
    counts = Counter((_kind(each.what), each.why) for each in unfit if each.reason is None)
    rows = [PartsLost(what, number, why) for (what, why), number in counts.items()]
    return sorted(rows, key=lambda row: (-row.number, row))


def _kind(what: str) -> str:
    """What several parts have in common: `image …` of `image D3:IMG_001`."""
    for pattern in (_PLACE, _SPEAKER, _NUMBER):
        what = pattern.sub("…", what)
    return what
