"""WorldMemArena's own figures of a collection: the paper's prose, the data card, ours."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from memassay.schemas.benchmarks.worldmemarena import TYPES
from memassay.schemas.contracts.figures import Cell, Figure, PathFigures
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.ledger import Fact, FactOperation, FactStatus

_SIZES: Final = {
    "samples": ("Samples", "400", "461"),
    "sessions": ("Sessions", None, "8489"),
    "sessions_each": ("Sessions a sample", "18.4", "18.4"),
    "turns": ("Turns (utterances)", "59858", "59239"),
    "turns_each": ("Turns a session, lifelong", "15-20", None),
    "images": ("Images", "15595", "15595"),
    "images_each": ("Images a session, lifelong", "4", None),
    "points": ("Points", None, "40194"),
    "questions": ("Questions", "24258", "24258"),
    "checkpoints_each": ("Checkpoints a sample", "5", None),
    "questions_each": ("Questions a checkpoint", None, "10.5"),
}
"""What is counted, as the prose has it (§4.3, Table 1) and as the data card does. The 18.4 sessions
a sample of the prose are those of 461 samples; 10.5 follows from 461 samples of 5 checkpoints."""
_POINTS: Final = {
    "append": ("points that append", "10"),
    "update": ("updates", "3"),
    "interference": ("interference", "2"),
}
"""Points of a session (§4.3). They cannot be those of all 8,489 sessions: 40,194 points are 4.7 a
session."""


class Counted(NamedTuple):
    """What the tables need of one sample."""

    domain: str
    sessions: int
    main: int
    turns: int
    images: int
    checkpoints: int
    operations: Counter[str]
    interference: int
    types: Counter[str]
    evidence: Counter[int]


def _count(bundle: Bundle) -> Counted:
    talk = bundle.conversation
    points = [fact for fact in bundle.facts if fact.statement is not None]
    true = [fact for fact in points if fact.status is not FactStatus.INTERFERENCE]
    arcs = [session.arc for session in talk.sessions]
    return Counted(
        domain=talk.domain or "",
        sessions=len(talk.sessions),
        main=sum(arc is SessionArc.MAIN for arc in arcs),
        turns=len(talk.turns()),
        images=len(talk.attachments()),
        checkpoints=len(talk.checkpoints),
        operations=Counter(str(fact.operation) for fact in true),
        interference=len(points) - len(true),
        types=Counter(item.benchmark_type for item in bundle.questions),
        evidence=Counter(len(_points_of(item.evidence.facts, points)) for item in bundle.questions),
    )


def _points_of(names: Sequence[str], points: Sequence[Fact]) -> list[str]:
    known = {fact.id for fact in points}
    return [name for name in names if name in known]


def _show(counts: Sequence[Counted]) -> list[Figure]:
    return [
        Figure("Sizes: the prose of §4.3 and Table 1, the data card, ours", _sizes(counts)),
        Figure("§4.3: points a session, the first one apart", _points(counts)),
        Figure("Figure 4 b: what points do to the state", _operations(counts)),
        Figure("C.3: samples by domain", _domains(counts)),
        Figure("§4.3: points that a question rests on", _evidence(counts)),
        Figure("Table 4: types of questions", _types(counts)),
    ]


WORLDMEMARENA_FIGURES: Final = PathFigures(_count, _show)


def _sizes(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    sessions, samples = sum(one.sessions for one in counts), len(counts)
    points = sum(one.operations.total() + one.interference for one in counts)
    questions = sum(one.types.total() for one in counts)
    checkpoints = sum(one.checkpoints for one in counts)
    turns, images = sum(one.turns for one in counts), sum(one.images for one in counts)
    ours: dict[str, Cell] = {
        "samples": samples,
        "sessions": sessions,
        "sessions_each": _ratio(sessions, samples),
        "turns": turns,
        "turns_each": _ratio(turns, sessions),
        "images": images,
        "images_each": _ratio(images, sessions),
        "points": points,
        "questions": questions,
        "checkpoints_each": _ratio(checkpoints, samples),
        "questions_each": _ratio(questions, checkpoints),
    }
    return [
        {"what": said, "prose": prose, "card": card, "ours": ours[key]}
        for key, (said, prose, card) in _SIZES.items()
    ]


def _points(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    sessions = sum(one.sessions for one in counts)
    later = sessions - len(counts)
    append = sum(one.operations[FactOperation.APPEND] for one in counts)
    updates = sum(one.operations.total() for one in counts) - append
    ours = {
        "append": _ratio(append, sessions),
        "update": _ratio(updates, later),
        "interference": _ratio(sum(one.interference for one in counts), later),
    }
    return [
        {"points": said, "prose": prose, "ours": ours[key]}
        for key, (said, prose) in _POINTS.items()
    ]


def _operations(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = sum((one.operations for one in counts), Counter[str]())
    return [
        {
            "operation": str(one),
            "points": found[one],
            "%": _share(found[one], found.total()),
            "samples": sum(each.operations[one] > 0 for each in counts),
        }
        for one in FactOperation
    ]


def _domains(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    return [
        {
            "domain": domain,
            "samples": len(own),
            "sessions": sum(one.sessions for one in own),
            "on the main line": sum(one.main for one in own),
        }
        for domain in sorted({one.domain for one in counts})
        if (own := [one for one in counts if one.domain == domain])
    ]


def _evidence(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = sum((one.evidence for one in counts), Counter[int]())
    return [
        {"points": size, "questions": found[size], "%": _share(found[size], found.total())}
        for size in sorted(found)
    ]


def _types(counts: Sequence[Counted]) -> list[dict[str, Cell]]:
    found = sum((one.types for one in counts), Counter[str]())
    return [
        {
            "type": code,
            "name": TYPES[code].name,
            "questions": found[code],
            "%": _share(found[code], found.total()),
        }
        for code in TYPES
    ]


def _share(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 2) if whole else None
