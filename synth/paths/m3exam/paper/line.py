"""From planned events to a timeline: merged by date, renumbered, dated, cut into sessions."""

from collections.abc import Sequence
from datetime import date

from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.synth.extraction.quoting import seeds
from memassay.synth.paths.m3exam.tasks.timeline import PlannedEvent
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

_ROUNDS_AN_EVENT = 4
_SIDE_SHARE = 0.25
_MORNING, _EVENING = 7 * 60, 21 * 60
"""Sizes of a timeline that no paper gives (our choice)."""


def event_counts(sizes: Sizes) -> tuple[int, int]:
    """How many core and side events a history of some size has."""
    total = max(sizes.sessions, round(sizes.sessions * sizes.rounds / _ROUNDS_AN_EVENT))
    side = round(total * _SIDE_SHARE)
    return total - side, side


def merge_lines(
    persona: PersonaFile,
    core: Sequence[PlannedEvent],
    side: Sequence[PlannedEvent],
    sessions: int,
    randoms: Randoms,
) -> list[TimelineEvent]:
    """Both lines by date, numbered again, each strictly later than the one before it."""
    both = [(one.date, line, one) for line, some in _lines(core, side) for one in some]
    ordered = sorted(both, key=lambda item: item[0])
    days = [day for day, _, _ in ordered]
    places = sessions_of(days, sessions)
    return [
        TimelineEvent(
            id=record_id(persona.id, f"E{at + 1:03d}"),
            conversation=persona.id,
            position=at + 1,
            session=places[at],
            date=when,
            line=line,
            title=one.title,
            query=one.query,
            keyword=one.keyword,
            card="",
            source_sha256=content_hash(seeds(persona)),
        )
        for at, ((_, line, one), when) in enumerate(
            zip(ordered, _moments(days, randoms), strict=True)
        )
    ]


def _lines(
    core: Sequence[PlannedEvent], side: Sequence[PlannedEvent]
) -> list[tuple[EventLine, Sequence[PlannedEvent]]]:
    return [(EventLine.CORE, core), (EventLine.SIDE, side)]


def _moments(days: Sequence[str], randoms: Randoms) -> list[str]:
    """A minute of its day for each event, strictly increasing."""
    moments: list[str] = []
    for day in dict.fromkeys(days):
        count = days.count(day)
        minutes = sorted(randoms("times", day).sample(range(_MORNING, _EVENING), count))
        moments += [f"{day}T{minute // 60:02d}:{minute % 60:02d}" for minute in minutes]
    return moments


def sessions_of(days: Sequence[str], sessions: int) -> list[int]:
    """The 1-based session of each event: the line is cut at its largest gaps (M3Exam §2.2).

    Of equal gaps the one that cuts the longest run most evenly comes first. Events of one day
    stay together, so that there may be fewer sessions than asked for.
    """
    dates = [date.fromisoformat(day) for day in days]
    gaps = {at: (dates[at] - dates[at - 1]).days for at in range(1, len(dates))}
    free = {at for at, gap in gaps.items() if gap > 0}
    cuts: list[int] = []
    while free and len(cuts) < sessions - 1:
        edges = [0, *sorted(cuts), len(days)]
        best = min(free, key=lambda at: (-gaps[at], *_evenness(at, edges), at))
        cuts.append(best)
        free.discard(best)
    return [1 + sum(cut <= at for cut in cuts) for at in range(len(days))]


def _evenness(at: int, edges: Sequence[int]) -> tuple[int, int]:
    """How long the run is that a cut divides (longest first), and its longer half."""
    left = max(edge for edge in edges if edge <= at)
    right = min(edge for edge in edges if edge > at)
    return left - right, max(at - left, right - at)


def mended_event(events: Sequence[TimelineEvent], at: int, planned: PlannedEvent) -> TimelineEvent:
    """An event as a repair has it; a date that is not between its neighbours stays as it was."""
    event = events[at]
    before = events[at - 1].day if at else ""
    after = events[at + 1].day if at + 1 < len(events) else "9999"
    moves = planned.date != event.day and before < planned.date < after
    return event.model_copy(
        update={
            "title": planned.title,
            "query": planned.query,
            "keyword": planned.keyword,
            "date": f"{planned.date}T{event.date.partition('T')[2]}" if moves else event.date,
        }
    )
