"""Mem-Gallery's own figures of a collection: images a session, and how far clues lie apart."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from memassay.schemas.benchmarks.mem_gallery import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, PathFigures
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

_MANY: Final = 7
"""From so many images on, sessions are counted together (Figure 7)."""
_REAL_SESSIONS: Final = {0: 3, 1: 14, 2: 51, 3: 21, 4: 15, 5: 8, 6: 4, 7: 34}
"""Sessions by images in the twelve scenarios that we have read; the paper prints no numbers."""
_REAL_TOGETHER: Final = {
    "FR": 99,
    "VS": 97,
    "TTL": 96,
    "TR": 64,
    "VR": 96,
    "MR": 97,
    "KR": 100,
    "CD": 95,
}
"""By type, percent of the answerable questions there whose clues lie in one session."""
_REAL_ALL: Final = 94.0


class Counted(NamedTuple):
    """What the tables need of one conversation."""

    images: list[int]
    together: list[tuple[str, bool]]


def _count(bundle: Bundle) -> Counted:
    shown = [
        sum(len(turn.attachments) for each in one.rounds for turn in each.turns)
        for one in bundle.conversation.sessions
    ]
    cited = [item for item in bundle.questions if item.evidence.canonical]
    return Counted(shown, [(str(item.benchmark_type), _is_together(item)) for item in cited])


def _is_together(item: QAItem) -> bool:
    return len({place.partition(":")[0] for place in item.evidence.canonical}) == 1


def _show(counts: Sequence[Counted]) -> list[Figure]:
    return [
        Figure("Figure 7: sessions by images", _sessions(counts)),
        Figure("Questions whose clues lie in one session", _together(counts)),
    ]


MEM_GALLERY_FIGURES: Final = PathFigures(_count, _show)


def _sessions(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = Counter(min(images, _MANY) for one in counts for images in one.images)
    return [
        {
            "images": f"{images} or more" if images == _MANY else str(images),
            "sessions": found[images],
            "%": _percent(found[images], found.total()),
            "12 real scenarios, %": _percent(real, sum(_REAL_SESSIONS.values())),
        }
        for images, real in _REAL_SESSIONS.items()
    ]


def _together(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    asked = [each for one in counts for each in one.together]
    rows: list[dict[str, Cell]] = []
    for code in TYPES:
        own = [together for other, together in asked if other == code]
        if own:
            real = float(_REAL_TOGETHER[code]) if code in _REAL_TOGETHER else None
            share = _percent(sum(own), len(own))
            rows.append({"type": code, "questions": len(own), "%": share, "real, %": real})
    every = [together for _, together in asked]
    share = _percent(sum(every), len(every))
    return [*rows, {"type": "all", "questions": len(every), "%": share, "real, %": _REAL_ALL}]


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 1) if whole else None
