"""M3Exam's own figures of a collection: Table 1's row and the distributions of A.1 to A.3."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m3exam import PRINTED as M3EXAM_PRINTED
from memassay.schemas.benchmarks.m3exam import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, sessions_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import start
from memassay.synth.paths.m3exam.stats.dials import dial_figures

CROSS_MODAL: Final = frozenset({"fm", "mr"})
"""What the paper calls cross-modal questions (§2.3)."""

_TICKS: Final = {"MR": "mr", "FM": "fm", "II": "ii", "TH": "th"}
_PIXELS: Final = frozenset({Modality.IMAGE, Modality.DOCUMENT})


def m3exam_figures(bundles: Sequence[Bundle]) -> list[Figure]:
    """Table 1's row, then A.1, A.2 and A.3, ours beside what the paper's text still prints."""
    return [
        Figure("Table 1: content and capabilities", _table_1(bundles)),
        Figure("A.1: sizes by persona", _sizes(bundles)),
        Figure("A.2: distances, lengths and gaps", _distributions(bundles)),
        Figure("A.3: composition by question type", _composition(bundles)),
        *dial_figures(bundles),
    ]


def _table_1(bundles: Sequence[Bundle]) -> list[dict[str, Cell]]:
    sessions = sum(len(bundle.conversation.sessions) for bundle in bundles)
    rounds = sum(len(bundle.conversation.rounds()) for bundle in bundles)
    files = sum(len(bundle.conversation.attachments()) for bundle in bundles)
    codes = {item.benchmark_type for bundle in bundles for item in bundle.questions}
    ours: dict[str, Cell] = {
        "benchmark": "ours",
        "A. Round": _ratio(rounds, sessions, 1),
        "A. File": _ratio(files, sessions, 1),
    }
    # SA and FR differ by no definition that the paper's text kept.
    heads = ("MR", "SA", "FM", "FR", "II", "TH")
    ours |= {
        head: ("yes" if _TICKS[head] in codes else "no") if head in _TICKS else None
        for head in heads
    }
    printed: dict[str, Cell] = {
        "benchmark": "M3Exam, printed",
        "A. Round": M3EXAM_PRINTED["rounds a session"],
        "A. File": M3EXAM_PRINTED["files a session"],
        **dict.fromkeys(heads, "yes"),
    }
    return [ours, printed]


def _sizes(bundles: Sequence[Bundle]) -> list[dict[str, Cell]]:
    """A row per persona, then those with and without documents, then all, then the paper."""
    paged = [bundle for bundle in bundles if _documents(bundle)]
    plain = [bundle for bundle in bundles if not _documents(bundle)]
    rows = [_size_row(bundle.id, [bundle]) for bundle in bundles]
    rows += [_size_row("with documents", paged), _size_row("without documents", plain)]
    printed: dict[str, Cell] = dict.fromkeys(rows[0])
    printed |= {
        "persona": "M3Exam, printed",
        "personas": M3EXAM_PRINTED["personas"],
        "sessions": M3EXAM_PRINTED["sessions"],
    }
    return [*rows, _size_row("all", bundles), printed]


def _size_row(name: str, bundles: Sequence[Bundle]) -> dict[str, Cell]:
    talks = [bundle.conversation for bundle in bundles]
    items = [item for bundle in bundles for item in bundle.questions]
    crossing = sum(item.benchmark_type in CROSS_MODAL for item in items)
    return {
        "persona": name,
        "personas": len(bundles),
        "sessions": sum(len(talk.sessions) for talk in talks),
        "rounds": sum(len(talk.rounds()) for talk in talks),
        "images and pages": sum(len(talk.attachments()) for talk in talks),
        "documents": sum(len(_documents(bundle)) for bundle in bundles),
        "questions": len(items),
        "cross-modal": crossing,
        "cross-modal %": _share(crossing, len(items)),
    }


def _documents(bundle: Bundle) -> set[str]:
    """The documents of which pages are shown."""
    shown = (bundle.asset_by_id.get(item.asset) for _, item in bundle.conversation.attachments())
    return {asset.parent for asset in shown if asset is not None and asset.parent}


def _distributions(bundles: Sequence[Bundle]) -> list[dict[str, Cell]]:
    positions = [
        sorted(found)
        for bundle in bundles
        for item in bundle.questions
        if len(found := sessions_of(bundle, item)) > 1
    ]
    apart = [found[-1] - found[0] for found in positions]
    words = {"user": _words(bundles, user=True), "assistant": _words(bundles, user=False)}
    days = [_days(bundle.conversation) for bundle in bundles]
    gaps = [later - earlier for each in days for earlier, later in pairwise(each)]
    spans = [each[-1] - each[0] for each in days if each]
    ours: dict[str, Cell] = {
        "questions whose evidence lies in several sessions": len(apart),
        "of these, at least 2 sessions apart, %": _share(_at_least(apart, 2), len(apart)),
        "of these, at least 5 sessions apart, %": _share(_at_least(apart, 5), len(apart)),
        "largest distance, sessions": max(apart, default=None),
    }
    for side, counts in words.items():
        ours[f"words of {side} turns, median"] = _round(median(counts)) if counts else None
        ours[f"words of {side} turns, mean"] = _round(fmean(counts)) if counts else None
        ours[f"words of {side} turns, max"] = max(counts, default=None)
    ours |= {
        "days between sessions, min": min(gaps, default=None),
        "days between sessions, median": _round(median(gaps)) if gaps else None,
        "days between sessions, max": max(gaps, default=None),
        "days from first to last session, min": min(spans, default=None),
        "days from first to last session, max": max(spans, default=None),
    }
    return [
        {"measure": name, "ours": value, "M3Exam, printed": M3EXAM_PRINTED.get(name)}
        for name, value in ours.items()
    ]


def _words(bundles: Sequence[Bundle], *, user: bool) -> list[int]:
    """Words (runs between white space) of every turn of one side that says something."""
    counts = []
    for bundle in bundles:
        humans = {each.id for each in bundle.conversation.speakers if each.kind == "human"}
        turns = bundle.conversation.turns()
        counts += [
            len(turn.text.split())
            for turn in turns
            if turn.text.strip() and (turn.speaker in humans) is user
        ]
    return counts


def _days(talk: Conversation) -> list[int]:
    """Days of the dated sessions, counted from year 1, in session order."""
    return [start(each.date).toordinal() for each in talk.sessions if each.date is not None]


def _composition(bundles: Sequence[Bundle]) -> list[dict[str, Cell]]:
    pairs = [(bundle, item) for bundle in bundles for item in bundle.questions]
    groups: dict[str, list[tuple[Bundle, QAItem]]] = {code: [] for code in TYPES}
    for bundle, item in pairs:
        groups.setdefault(item.benchmark_type, []).append((bundle, item))
    return [_type_row(code, found, len(pairs)) for code, found in groups.items()]


def _type_row(code: str, found: Sequence[tuple[Bundle, QAItem]], total: int) -> dict[str, Cell]:
    known = TYPES.get(code)
    loads = [len(item.evidence.canonical or item.evidence.groups) for _, item in found]
    places = [sessions_of(bundle, item) for bundle, item in found]
    spans = [len(each) for each in places]
    apart = [max(each) - min(each) for each in places if each]
    pixels = sum(not _PIXELS.isdisjoint(item.modalities) for _, item in found)
    return {
        "code": code,
        "name": known.name if known else "",
        "questions": len(found),
        "share %": _share(len(found), total),
        "mean facts": round(fmean(loads), 2) if loads else None,
        "mean sessions": round(fmean(spans), 2) if spans else None,
        "mean distance": round(fmean(apart), 2) if apart else None,
        "needs pixels %": _share(pixels, len(found)),
    }


def _at_least(numbers: Sequence[int], limit: int) -> int:
    return sum(number >= limit for number in numbers)


def _share(part: int, whole: int) -> float | None:
    return _ratio(100 * part, whole, 1)


def _ratio(part: int, whole: int, digits: int) -> float | None:
    return round(part / whole, digits) if whole else None


def _round(number: float) -> float:
    return round(number, 1)
