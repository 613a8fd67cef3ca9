"""What the dials of the simulator move, counted from what a release holds."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.figures import Cell, Figure, sessions_of
from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import EventLine
from memassay.schemas.records.ledger import Fact, FactStatus

_FAR: Final = frozenset({"ms", "tr", "ii"})
_TITLE: Final = "Dials: distance, updates, likeness of distractors, visual facts"


def dial_figures(bundles: Sequence[Bundle]) -> list[Figure]:
    """One row per dial, by its name in the recipe; none without a ledger and its events."""
    told = [bundle for bundle in bundles if bundle.facts and bundle.events]
    if not told:
        return []
    gaps = [gap for bundle in told for gap in _update_gaps(bundle)]
    shown = [fact for bundle in told for fact in _visible_facts(bundle)]
    pixels = [fact for bundle in told for fact in _visible_facts(bundle, only_pixels=True)]
    said = len(shown) - len(pixels)
    updates = sum(bool(fact.supersedes) for fact in shown)
    rows: list[tuple[str, str, Cell]] = [
        (
            "evidence_distance",
            "sessions between evidence of ms, tr, ii",
            _distance(told),
        ),
        ("evidence_distance", "sessions from a fact to what replaces it", _mean(gaps)),
        ("updates", "facts said that replace another, %", _share(updates, said)),
        ("distractor_likeness", "pictures of side events like one of the core, %", _likeness(told)),
        ("visual_share", "facts seen only in pixels, %", _share(len(pixels), len(shown))),
    ]
    return [
        Figure(_TITLE, [{"dial": dial, "moves": what, "ours": ours} for dial, what, ours in rows])
    ]


def _distance(bundles: Iterable[Bundle]) -> Cell:
    places = [
        sessions_of(bundle, item)
        for bundle in bundles
        for item in bundle.questions
        if item.benchmark_type in _FAR
    ]
    return _mean([max(each) - min(each) for each in places if each])


def _rounds(bundle: Bundle) -> dict[str, list[str]]:
    """By fact, the rounds in which it can be seen."""
    found: dict[str, list[str]] = {}
    for mention in bundle.mentions:
        found.setdefault(mention.fact, []).append(mention.round)
    return found


def _update_gaps(bundle: Bundle) -> Iterator[int]:
    """Sessions from where a fact is first seen to where its replacement first is."""
    seen = {
        fact: min(_position(bundle, place) for place in places)
        for fact, places in _rounds(bundle).items()
    }
    for fact in bundle.facts:
        for old in fact.supersedes:
            if fact.id in seen and old in seen:
                yield seen[fact.id] - seen[old]


def _position(bundle: Bundle, place: str) -> int:
    parsed = parse_place(place)
    session = bundle.session_by_id.get(parsed.session) if parsed is not None else None
    return session.index if session is not None else 0


def _visible_facts(bundle: Bundle, *, only_pixels: bool = False) -> list[Fact]:
    """Facts that can be seen; those that no text states, if only pixels are asked for."""
    seen = _rounds(bundle)
    said = {mention.fact for mention in bundle.mentions if mention.modality is Modality.TEXT}
    return [
        fact
        for fact in bundle.facts
        if fact.id in seen
        and fact.status is not FactStatus.IMPLIED
        and not (only_pixels and fact.id in said)
    ]


def _likeness(bundles: Iterable[Bundle]) -> Cell:
    """Share of the pictures of side events with the kind and unit of a picture of the core."""
    alike = total = 0
    for bundle in bundles:
        looks = {line: _looks(bundle, line) for line in EventLine}
        core = {look for picture in looks[EventLine.CORE] for look in picture}
        alike += sum(bool(picture & core) for picture in looks[EventLine.SIDE])
        total += len(looks[EventLine.SIDE])
    return _share(alike, total)


def _looks(bundle: Bundle, line: EventLine) -> list[set[str]]:
    """For each picture of a line's events, its kind with the unit of each number it shows."""
    made = {fact for event in bundle.events if event.line is line for fact in event.facts.values()}
    units = {fact.id: fact.value.unit or "" for fact in bundle.facts if fact.value.unit}
    found: dict[str, set[str]] = {}
    for mention in bundle.mentions:
        shown = bundle.attachment_by_id.get(mention.attachment or "")
        if mention.fact in made and shown is not None:
            # A caption begins with what kind of picture it is: `Bar chart: ...`.
            kind = (shown[1].caption or "").partition(":")[0]
            looks = found.setdefault(shown[1].id, set())
            if mention.fact in units:
                looks.add(f"{kind} {units[mention.fact]}")
    return [looks for _, looks in sorted(found.items())]


def _mean(numbers: Sequence[int]) -> Cell:
    return round(fmean(numbers), 2) if numbers else None


def _share(part: int, whole: int) -> Cell:
    return round(100 * part / whole, 1) if whole else None
