"""M3Exam's own figures of a collection: Table 1's row and the distributions of A.1 to A.3."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Final

from memassay.schemas.benchmarks.m3exam import PRINTED as M3EXAM_PRINTED
from memassay.schemas.benchmarks.m3exam import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, PathFigures
from memassay.synth.paths.m3exam.stats.counts import ItemCounts, PersonaCounts, count_persona
from memassay.synth.paths.m3exam.stats.dials import dial_figures

CROSS_MODAL: Final = frozenset({"fm", "mr"})
"""What the paper calls cross-modal questions (§2.3)."""

_TICKS: Final = {"MR": "mr", "FM": "fm", "II": "ii", "TH": "th"}


def _show(counts: Sequence[PersonaCounts]) -> list[Figure]:
    """Table 1's row, then A.1, A.2 and A.3, ours beside what the paper's text still prints."""
    return [
        Figure("Table 1: content and capabilities", _table_1(counts)),
        Figure("A.1: sizes by persona", _sizes(counts)),
        Figure("A.2: distances, lengths and gaps", _distributions(counts)),
        Figure("A.3: composition by question type", _composition(counts)),
        *dial_figures(one.dials for one in counts),
    ]


M3EXAM_FIGURES: Final = PathFigures(count_persona, _show)


def _table_1(counts: Sequence[PersonaCounts]) -> list[dict[str, Cell]]:
    sessions = sum(one.sessions for one in counts)
    codes = {code for one in counts for code in one.types}
    ours: dict[str, Cell] = {
        "benchmark": "ours",
        "A. Round": _ratio(sum(one.rounds for one in counts), sessions, 1),
        "A. File": _ratio(sum(one.files for one in counts), sessions, 1),
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


def _sizes(counts: Sequence[PersonaCounts]) -> list[dict[str, Cell]]:
    """A row per persona, then those with and without documents, then all, then the paper."""
    paged = [one for one in counts if one.documents]
    plain = [one for one in counts if not one.documents]
    rows = [_size_row(one.id, [one]) for one in counts]
    rows += [_size_row("with documents", paged), _size_row("without documents", plain)]
    printed: dict[str, Cell] = dict.fromkeys(rows[0])
    printed |= {
        "persona": "M3Exam, printed",
        "personas": M3EXAM_PRINTED["personas"],
        "sessions": M3EXAM_PRINTED["sessions"],
    }
    return [*rows, _size_row("all", counts), printed]


def _size_row(name: str, counts: Sequence[PersonaCounts]) -> dict[str, Cell]:
    types = [each for one in counts for each in one.types.items()]
    questions = sum(len(own) for _, own in types)
    crossing = sum(len(own) for code, own in types if code in CROSS_MODAL)
    return {
        "persona": name,
        "personas": len(counts),
        "sessions": sum(one.sessions for one in counts),
        "rounds": sum(one.rounds for one in counts),
        "images and pages": sum(one.files for one in counts),
        "documents": sum(one.documents for one in counts),
        "questions": questions,
        "cross-modal": crossing,
        "cross-modal %": _share(crossing, questions),
    }


def _distributions(counts: Sequence[PersonaCounts]) -> list[dict[str, Cell]]:
    items = [item for one in counts for own in one.types.values() for item in own]
    apart = [item.distance for item in items if item.distance is not None and item.sessions > 1]
    words = {
        "user": [number for one in counts for number in one.user_words],
        "assistant": [number for one in counts for number in one.assistant_words],
    }
    days = [one.days for one in counts]
    gaps = [later - earlier for each in days for earlier, later in pairwise(each)]
    spans = [each[-1] - each[0] for each in days if each]
    ours: dict[str, Cell] = {
        "questions whose evidence lies in several sessions": len(apart),
        "of these, at least 2 sessions apart, %": _share(_at_least(apart, 2), len(apart)),
        "of these, at least 5 sessions apart, %": _share(_at_least(apart, 5), len(apart)),
        "largest distance, sessions": max(apart, default=None),
    }
    for side, numbers in words.items():
        ours[f"words of {side} turns, median"] = _round(median(numbers)) if numbers else None
        ours[f"words of {side} turns, mean"] = _round(fmean(numbers)) if numbers else None
        ours[f"words of {side} turns, max"] = max(numbers, default=None)
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


def _composition(counts: Sequence[PersonaCounts]) -> list[dict[str, Cell]]:
    groups: dict[str, list[ItemCounts]] = {code: [] for code in TYPES}
    for one in counts:
        for code, own in one.types.items():
            groups.setdefault(code, []).extend(own)
    total = sum(map(len, groups.values()))
    return [_type_row(code, found, total) for code, found in groups.items()]


def _type_row(code: str, found: Sequence[ItemCounts], total: int) -> dict[str, Cell]:
    known = TYPES.get(code)
    apart = [item.distance for item in found if item.distance is not None]
    return {
        "code": code,
        "name": known.name if known else "",
        "questions": len(found),
        "share %": _share(len(found), total),
        "mean facts": round(fmean(item.facts for item in found), 2) if found else None,
        "mean sessions": round(fmean(item.sessions for item in found), 2) if found else None,
        "mean distance": round(fmean(apart), 2) if apart else None,
        "needs pixels %": _share(sum(item.needs_pixels for item in found), len(found)),
    }


def _at_least(numbers: Sequence[int], limit: int) -> int:
    return sum(number >= limit for number in numbers)


def _share(part: int, whole: int) -> float | None:
    return _ratio(100 * part, whole, 1)


def _ratio(part: int, whole: int, digits: int) -> float | None:
    return round(part / whole, digits) if whole else None


def _round(number: float) -> float:
    return round(number, 1)
