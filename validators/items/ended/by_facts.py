"""Which fact that has ended a question asks for, by its words: for items without a query.

A question asks for a fact if it names the thing (its subject, what that is called, or the event
it belongs to), asks for what the fact states, and has no word that speaks of something else.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.states import Ending, States
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.ledger import Fact, FactScope, FactStatus, Mention, ValueType
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.asked_words import Asked, asked_in, sets_apart, uncovered
from memassay.validators.wording import key_words, sentences

_NEVER_SO: Final = frozenset({FactStatus.INTERFERENCE, FactStatus.UNSAID})
_USER: Final = "user"
_NONE: Final[frozenset[str]] = frozenset()
_DATE_WORDS: Final = key_words("date day time start starts begin begins appointment deadline")
_PRICE_WORDS: Final = key_words("price")
_MOST_UNKNOWN: Final = 1 / 3
"""Share of a question's words that may be another wording for what nobody used (our choice)."""


@dataclass(frozen=True)
class _Words:
    """What is said of a fact.

    Attributes:
        thing: What it is about: its subject and all that is called so.
        stated: What it states of it: attribute, value, statement.
        told: The sentences that tell of it and of its end.
        people: Names of those who tell of it, or whom it is about.
        of_person: Whether its subject is one who speaks, whom a question need not name.
    """

    thing: frozenset[str]
    stated: frozenset[str]
    told: frozenset[str]
    people: frozenset[str]
    of_person: bool


class EndedFacts:
    """The facts of a conversation that end, and which of them a question asks for."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Keep a bundle and its ledger."""
        self._bundle, self._ledger, self._states = bundle, ledger, States(ledger)
        self._known: dict[str, _Words] = {}

    def asked_for(self, question: str, moment: Moment) -> Ending | None:
        """The end of a fact that a question asks for, the first by place; None if there is none."""
        asked = asked_in(question)
        for ending in self._by(moment):
            if self._asks(asked, ending):
                return ending
        return None

    def _by(self, moment: Moment) -> Iterator[Ending]:
        """What has ended by a moment, and has no successor that a question could ask for."""
        for fact in self._candidates:
            if self._ledger.known(fact, moment):
                ending = self._states.ending(fact, moment)
                if ending is not None:
                    yield ending

    @cached_property
    def _candidates(self) -> list[Fact]:
        """Facts that may end: superseded, denied or with a last day."""
        return self._ledger.ordered(
            fact
            for fact in self._ledger.facts.values()
            if fact.status not in _NEVER_SO
            and fact.scope is FactScope.HISTORY
            and (
                fact.id in self._ledger.superseders
                or fact.valid_to is not None
                or fact.status is FactStatus.RETRACTED
                or fact.operation == "delete"
            )
        )

    def _asks(self, asked: Asked, ending: Ending) -> bool:
        words = self._words(ending)
        if not asked.words or not _fits(asked, ending.fact):
            return False
        wanted = asked.words - words.people
        beyond_thing = uncovered(wanted, words.thing)
        about_thing = len(beyond_thing) < len(wanted) or words.of_person
        stated = len(uncovered(wanted, words.stated)) < len(wanted)
        # An event is asked for by its title alone; anything else by what is stated of it.
        if not about_thing or not (stated or not beyond_thing):
            return False
        rest = uncovered(wanted, words.thing, words.stated, words.told)
        if not rest:
            return True
        few = len(rest) <= _MOST_UNKNOWN * len(asked.words)
        return few and stated and not rest & asked.particular and not sets_apart(rest)

    def _words(self, ending: Ending) -> _Words:
        key = f"{ending.fact.id} {ending.by.id}"
        if key not in self._known:
            self._known[key] = self._read(ending)
        return self._known[key]

    def _read(self, ending: Ending) -> _Words:
        fact = ending.fact
        mentions = {
            each.id: each
            for one in (fact, ending.by)
            for each in self._ledger.mentions.get(one.id, ())
        }
        subject = normalise(fact.subject)
        tellers = {each.speaker for each in mentions.values() if each.speaker}
        about = self._people.get(subject, frozenset())
        return _Words(
            thing=_plain([fact.subject, *self._called.get(fact.subject, ()), *self._titles(fact)]),
            stated=_plain([fact.attribute, fact.value.text, fact.statement or ""]) | _of_kind(fact),
            told=_plain(text for each in mentions.values() for text in self._sentences(each)),
            people=about
            or frozenset().union(*(self._people.get(normalise(one), _NONE) for one in tellers)),
            of_person=subject in self._people,
        )

    def _sentences(self, mention: Mention) -> Iterator[str]:
        """The sentence that a mention marks, or all of its turn or round."""
        if mention.turn is None:
            yield from (turn.text for turn in self._bundle.round_by_id[mention.round].turns)
            return
        text = self._bundle.turn_by_id[mention.turn].text
        marked = text[slice(*mention.span)] if mention.span else ""
        yield from [one for one in sentences(text) if marked and marked in one] or [text]

    def _titles(self, fact: Fact) -> Iterator[str]:
        """Titles of the events that make a fact true."""
        return (event.title for event in self._bundle.events if fact.id in event.facts.values())

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """What subjects are called: names of entities in events, titles of images."""
        found: dict[str, list[str]] = {}
        for event in self._bundle.events:
            for entity, name in event.names.items():
                found.setdefault(entity, []).append(name)
        for fact in self._ledger.facts.values():
            if fact.attribute in {"depicts", "name", "called", "title"}:
                found.setdefault(fact.subject, []).append(fact.value.text)
        return found

    @cached_property
    def _people(self) -> dict[str, frozenset[str]]:
        """By id and by name of those who speak, the words of their names; `user` is the persona."""
        speakers = self._bundle.conversation.speakers
        humans = [each for each in speakers if each.kind is SpeakerKind.HUMAN]
        personas = [each.name for each in self._bundle.personas]
        found = {}
        for each in speakers:
            own = [each.name, *(personas if humans == [each] else [])]
            for name in (each.id, *own):
                found[normalise(name)] = _plain([each.id, *own])
        alone = _plain([*personas, *(each.name for each in humans)])
        return found if len(humans) != 1 else {**found, _USER: alone | {_USER}}


def _plain(texts: Iterable[str]) -> frozenset[str]:
    """Key words of texts; keys such as `meeting_day` are several words."""
    return frozenset().union(*(key_words(each.replace("_", " ")) for each in texts))


def _of_kind(fact: Fact) -> frozenset[str]:
    """Words by which a value of its kind is asked for."""
    if fact.value.type is ValueType.DATE:
        return _DATE_WORDS
    return _PRICE_WORDS if fact.value.unit in {"EUR", "USD", "GBP"} else frozenset()


def _fits(asked: Asked, fact: Fact) -> bool:
    """Whether a fact's value is of the kind that a question asks for; a why has no value."""
    kind = fact.value.type
    if asked.kind == "date":
        named = not uncovered(_DATE_WORDS & key_words("day time date"), _plain([fact.attribute]))
        return kind is ValueType.DATE or named or any(c.isdigit() for c in fact.value.text)
    if asked.kind == "number":
        return any(c.isdigit() for c in fact.value.text) or kind is ValueType.NUMBER
    if asked.kind in {"place", "person"}:
        return kind in {ValueType.TEXT, ValueType.ENTITY}
    return asked.kind != "why"
