"""Constraints that define a question type, and the view of a history they look at.

A constraint looks at an item and at the history it asks about, and yields breaches. Banks drop
drafts that breach one, `validators` makes a rule of each: the two cannot drift apart.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import AskedAt, QAItem
from memassay.schemas.values.civil_time import day_forms, is_day, is_when, start
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.schemas.values.text import content_tokens

LETTERS: Final = ("A", "B", "C", "D")
"""Labels of the options of a choice."""

_DAY: Final = len("2024-03-02")


@dataclass(frozen=True)
class Breach:
    """How an item breaks the constraint of its type.

    Attributes:
        parts: Unescaped parts of the JSON Pointer to the place inside the item.
        expected: What the constraint demands.
        got: What is there instead.
        fix: What would mend it.
    """

    parts: tuple[str | int, ...]
    expected: str
    got: str
    fix: str


class SaidAndShown:
    """What one conversation says and shows, in the forms that constraints ask for."""

    def __init__(self, bundle: Bundle) -> None:
        """Look at a conversation; nothing is computed before it is asked for."""
        self.bundle = bundle
        self._streams: dict[tuple[str | None, str | None], str] = {}

    def rounds(self, places: list[str]) -> list[str]:
        """Ids of the rounds that places mean, each once, in order."""
        found = (round_.id for place in places for round_ in self.bundle.rounds_of(place))
        return list(dict.fromkeys(found))

    def sessions(self, places: list[str]) -> set[str]:
        """Ids of the sessions that places lie in."""
        return {parsed.session for place in places if (parsed := parse_place(place)) is not None}

    def says(self, value: str, asked_at: AskedAt) -> bool:
        """Whether any text of the history up to asking holds a value as whole words."""
        key = (asked_at.checkpoint, asked_at.session)
        if key not in self._streams:
            self._streams[key] = _stream(turn.text for turn in self._turns(asked_at))
        return _stream([value]) in self._streams[key] if content_tokens(value) else False

    def round_says(self, places: list[str], value: str) -> bool:
        """Whether a text of one of these places' rounds holds a value."""
        needle = _stream([value])
        return any(
            needle in _stream([turn.text])
            for place in places
            for round_ in self.bundle.rounds_of(place)
            for turn in round_.turns
        )

    def round_counts(self, places: list[str], day: str) -> bool:
        """Whether a text of one of these places' rounds names a day as counted from its session."""
        wanted = DayRange(start(day).date(), start(day).date())
        for place in places:
            for round_ in self.bundle.rounds_of(place):
                said = self.bundle.date_by_round.get(round_.id)
                if said is None or not is_when(said) or not is_day(said[:_DAY]):
                    continue
                spoken = start(said).date()
                found = (one for turn in round_.turns for one in relative_dates(turn.text, spoken))
                if any(one.readings == (wanted,) for one in found):
                    return True
        return False

    def _turns(self, asked_at: AskedAt) -> Iterator[Turn]:
        talk = self.bundle.conversation
        seen = [session.id for session in talk.sessions]
        points = {point.id: point.covered_sessions for point in talk.checkpoints}
        if asked_at.checkpoint in points:
            seen = [name for name in seen if name in points[asked_at.checkpoint]]
        elif asked_at.session in seen:
            seen = seen[: seen.index(asked_at.session) + 1]
        for session in talk.sessions:
            if session.id in seen:
                yield from (turn for round_ in session.rounds for turn in round_.turns)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word said, shown or known of: texts, captions, facts and names."""
        talk = self.bundle.conversation
        texts = [turn.text for turn in talk.turns()]
        texts += [image.caption or "" for _, image in talk.attachments()]
        texts += [speaker.name for speaker in talk.speakers]
        for fact in self.bundle.facts:
            texts += [fact.subject, fact.attribute, fact.value.text, fact.value.unit or ""]
            if fact.value.type is ValueType.DATE and is_day(fact.value.text):
                texts += day_forms(fact.value.text)
        for event in self.bundle.events:
            texts += [event.title, *event.names.values()]
        return frozenset(word for text in texts for word in content_tokens(text))

    @cached_property
    def days(self) -> dict[str, str]:
        """By id of each fact that is a day, the day."""
        return {
            fact.id: fact.value.text
            for fact in self.bundle.facts
            if fact.value.type is ValueType.DATE and is_day(fact.value.text)
        }

    @cached_property
    def pictured(self) -> dict[str, set[str]]:
        """By fact, the rounds in which an image or page shows it."""
        found: dict[str, set[str]] = {}
        for mention in self.bundle.mentions:
            if mention.attachment is not None and mention.modality != "text":
                found.setdefault(mention.fact, set()).add(mention.round)
        return found


def _stream(texts: Iterator[str] | list[str]) -> str:
    """Texts as one text of tokens, of which whole-word search is plain search."""
    return " " + " \n ".join(" ".join(content_tokens(text)) for text in texts) + " "


def cited_places(item: QAItem) -> list[str]:
    """Places that an item cites, those of its short evidence first."""
    places = [place for group in item.evidence.groups for place in group]
    return list(dict.fromkeys([*item.evidence.canonical, *places]))


Check = Callable[[SaidAndShown, QAItem], Iterator[Breach]]


@dataclass(frozen=True)
class Constraint:
    """One constraint.

    Attributes:
        id: Id of its rule, `type.<code>_<what>`.
        code: The benchmark's code of the type it belongs to.
        what: What it demands, in one sentence.
        check: Yields breaches.
        source: Where the demand comes from.
    """

    id: str
    code: str
    what: str
    check: Check
    source: str


def breaches(
    constraints: Iterable[Constraint], history: SaidAndShown, item: QAItem
) -> Iterator[tuple[Constraint, Breach]]:
    """What an item breaks of some constraints."""
    for constraint in constraints:
        for breach in constraint.check(history, item):
            yield constraint, breach
