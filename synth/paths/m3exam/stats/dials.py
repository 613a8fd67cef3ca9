"""What the dials of the simulator move, counted from what a release holds."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.figures import Cell, Figure, sessions_of
from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.event import EventLine
from memassay.schemas.records.ledger import Fact, FactStatus, MentionForm

_FAR: Final = frozenset({"ms", "tr", "ii"})
_TITLE: Final = "Dials: distance, updates, likeness of distractors, visual facts, readings"


@dataclass(frozen=True)
class DialCounts:
    """What the dials moved in one conversation.

    Attributes:
        distances: Sessions between the evidence of each question that needs several.
        gaps: Sessions from each fact to what replaces it.
        shown: Facts that can be seen.
        pixels: Those that no text states.
        updates: Those that replace another.
        side: Pictures of side events.
        alike: Those with the kind and unit of a picture of the core.
        pictured: Rounds with a picture.
        read: Those in which the assistant reads it.
        wrong: Those in which it reads it wrongly.
        corrected: Misreadings that were denied.
    """

    distances: list[int]
    gaps: list[int]
    shown: int
    pixels: int
    updates: int
    side: int
    alike: int
    pictured: int
    read: int
    wrong: int
    corrected: int


def count_dials(bundle: Bundle) -> DialCounts | None:
    """What the dials moved; None without a ledger and its events."""
    if not bundle.facts or not bundle.events:
        return None
    shown = _visible_facts(bundle)
    side, alike = _likeness(bundle)
    rounds, wrong, denied = _readings(bundle)
    return DialCounts(
        distances=_distances(bundle),
        gaps=list(_update_gaps(bundle)),
        shown=len(shown),
        pixels=len(_visible_facts(bundle, only_pixels=True)),
        updates=sum(bool(fact.supersedes) for fact in shown),
        side=side,
        alike=alike,
        pictured=len({m.round for m in bundle.mentions if m.modality is Modality.IMAGE}),
        read=len(rounds),
        wrong=len(wrong),
        corrected=len(wrong & denied),
    )


def dial_figures(counts: Iterable[DialCounts | None]) -> list[Figure]:
    """One row per dial, by its name in the recipe; none without a ledger and its events."""
    found = [one for one in counts if one is not None]
    if not found:
        return []
    distances = [apart for one in found for apart in one.distances]
    gaps = [gap for one in found for gap in one.gaps]
    shown, pixels = sum(one.shown for one in found), sum(one.pixels for one in found)
    updates = sum(one.updates for one in found)
    alike, side = sum(one.alike for one in found), sum(one.side for one in found)
    read, pictured = sum(one.read for one in found), sum(one.pictured for one in found)
    wrong, corrected = sum(one.wrong for one in found), sum(one.corrected for one in found)
    rows: list[tuple[str, str, Cell]] = [
        ("evidence_distance", "sessions between evidence of ms, tr, ii", _mean(distances)),
        ("evidence_distance", "sessions from a fact to what replaces it", _mean(gaps)),
        ("updates", "facts said that replace another, %", _share(updates, shown - pixels)),
        (
            "distractor_likeness",
            "pictures of side events like one of the core, %",
            _share(alike, side),
        ),
        ("visual_share", "facts seen only in pixels, %", _share(pixels, shown)),
        ("assistant_reads", "rounds with a picture that is read, %", _share(read, pictured)),
        ("assistant_reads", "readings that are wrong, %", _share(wrong, read)),
        ("assistant_reads", "wrong readings that are put right, %", _share(corrected, wrong)),
    ]
    return [
        Figure(_TITLE, [{"dial": dial, "moves": what, "ours": ours} for dial, what, ours in rows])
    ]


def _readings(bundle: Bundle) -> tuple[set[str], set[str], set[str]]:
    """Rounds in which the assistant reads a picture; facts misread there, and facts denied."""
    pictured = {fact.id: fact for fact in bundle.facts if fact.subject.startswith("image:")}
    spoken = {speaker.id: speaker.kind for speaker in bundle.conversation.speakers}
    said = [
        mention
        for mention in bundle.mentions
        if mention.fact in pictured and mention.modality is Modality.TEXT
    ]
    read = [one for one in said if spoken.get(one.speaker or "") is SpeakerKind.ASSISTANT]
    wrong = {one.fact for one in read if pictured[one.fact].status is FactStatus.RETRACTED}
    denied = {one.fact for one in said if one.form is MentionForm.DENIED}
    return {one.round for one in read}, wrong, denied


def _distances(bundle: Bundle) -> list[int]:
    places = [sessions_of(bundle, item) for item in bundle.questions if item.benchmark_type in _FAR]
    return [max(each) - min(each) for each in places if each]


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


def _likeness(bundle: Bundle) -> tuple[int, int]:
    """Pictures of side events; those with the kind and unit of a picture of the core."""
    looks = {line: _looks(bundle, line) for line in EventLine}
    core = {look for picture in looks[EventLine.CORE] for look in picture}
    side = looks[EventLine.SIDE]
    return len(side), sum(bool(picture & core) for picture in side)


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
