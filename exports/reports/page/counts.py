"""What the plots show, counted from the records; each as often as each value occurs."""

from collections import Counter
from collections.abc import Sequence
from datetime import date
from typing import Final

from memassay.schemas.contracts.figures import sessions_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import start

NO_CERTIFICATE: Final = "without certificate"
UNKNOWN: Final = "unknown"
"""Kind of a speaker whom the conversation does not name."""
_BINS: Final = 40
"""Columns of a histogram, at most."""


def distances(bundle: Bundle) -> Counter[int]:
    """Sessions between the first and the last evidence of a question; without evidence, none."""
    found = (sessions_of(bundle, item) for item in bundle.questions)
    return Counter(max(each) - min(each) for each in found if each)


def ages(bundle: Bundle) -> Counter[int]:
    """Sessions from the last evidence of a question to the last session seen when it is asked."""
    found: Counter[int] = Counter()
    for item in bundle.questions:
        if places := sessions_of(bundle, item):
            found[max(0, _asking_position(bundle, item) - max(places))] += 1
    return found


def _asking_position(bundle: Bundle, item: QAItem) -> int:
    """Position of the last session that is seen when a question is asked."""
    seen = [item.asked_at.session] if item.asked_at.session else []
    for checkpoint in bundle.conversation.checkpoints:
        if checkpoint.id == item.asked_at.checkpoint:
            seen += checkpoint.covered_sessions
    known = [bundle.session_by_id[name].index for name in seen if name in bundle.session_by_id]
    return max(known, default=len(bundle.conversation.sessions))


def images(bundle: Bundle) -> Counter[int]:
    """Images and pages that a session shows."""
    return Counter(
        sum(len(turn.attachments) for round_ in session.rounds for turn in round_.turns)
        for session in bundle.conversation.sessions
    )


def words(bundle: Bundle) -> dict[str, Counter[int]]:
    """Words (runs between white space) of each turn that says something, by kind of speaker."""
    found: dict[str, Counter[int]] = {}
    kinds = {each.id: each.kind.value for each in bundle.conversation.speakers}
    for turn in bundle.conversation.turns():
        if number := len(turn.text.split()):
            found.setdefault(kinds.get(turn.speaker, UNKNOWN), Counter())[number] += 1
    return found


def chains(bundle: Bundle) -> Counter[int]:
    """Facts one after another that replace each other, by how many there are; 1 was not changed."""
    before = {fact.id: [one for one in fact.supersedes if one] for fact in bundle.facts}
    replaced = {one for own in before.values() for one in own}
    return Counter(_length(name, before) for name in before if name not in replaced)


def _length(newest: str, before: dict[str, list[str]]) -> int:
    """Facts on the longest way back from the newest; a circle ends where it closes."""
    generation, seen, steps = [newest], {newest}, 0
    while generation:
        steps += 1
        older = (one for name in generation for one in before.get(name, []) if one in before)
        generation = [one for one in dict.fromkeys(older) if one not in seen]
        seen.update(generation)
    return steps


def session_days(bundle: Bundle) -> list[date]:
    """Days of the sessions that have one, in the order of time."""
    dates = (session.date for session in bundle.conversation.sessions)
    return sorted(start(when).date() for when in dates if when is not None)


def bin_counts(counts: Counter[int]) -> list[tuple[str, int]]:
    """A column for each value from the smallest to the largest, or for each span of values."""
    if not counts:
        return []
    first, last = min(counts), max(counts)
    wide = _width(last - first + 1)
    first -= first % wide
    spans = range(first, last + 1, wide)
    return [
        (
            str(at) if wide == 1 else f"{at}–{at + wide - 1}",
            sum(often for value, often in counts.items() if at <= value < at + wide),
        )
        for at in spans
    ]


def _width(values: int) -> int:
    """The smallest round width with which the values fit into the columns there are."""
    power = 1
    while True:
        for factor in (1, 2, 5):
            if values <= factor * power * _BINS:
                return factor * power
        power *= 10


def total(counted: Sequence[Counter[str]]) -> Counter[str]:
    """The sum of several counts."""
    whole: Counter[str] = Counter()
    for each in counted:
        whole.update(each)
    return whole
