"""How far a text lies from what its history is about: words, names, numbers, facts noted."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Mention, MentionForm, ValueType
from memassay.schemas.records.persona import Persona
from memassay.schemas.values.civil_time import start
from memassay.schemas.values.relative_dates import DayRange, relative_dates
from memassay.schemas.values.text import tokens
from memassay.validators.drift.sentences import content_words, known_names, numbers, word_list

# A capital inside a sentence: after a word or a comma, never at its start or after a quote.
_NAME: Final = re.compile(r"(?<=[a-z0-9,;] )[A-Z][a-zß-öø-ÿ]+(?:-[A-Z]?[a-zß-öø-ÿ]+)?\b")


@dataclass(frozen=True)
class Strayed:
    """What in a turn has no place in its history.

    Attributes:
        names: Names of nobody and nothing in the history.
        numbers: Numbers that neither the ledger nor a picture holds.
        unsaid: Facts noted in the turn that it does not say.
        settled: Whether facts are noted in its round, and each is stated where it is noted.
        kin: Share (0..1) of its content, weighted by rarity, that the rest of the history has.
    """

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    unsaid: int
    settled: bool
    kin: float


class Themes:
    """What a history is about, as far as its records say."""

    def __init__(self, bundle: Bundle, persona: Persona) -> None:
        """Take a history and the persona it is about."""
        self.bundle = bundle
        self.persona = persona
        self.facts = {fact.id: fact for fact in bundle.facts}
        self._rarities: dict[str, float] = {}

    @cached_property
    def of_persona(self) -> set[str]:
        """Words of the persona and of the core event."""
        one = self.persona
        texts = [one.profession, one.summary, one.core_event, *one.traits, *one.domains]
        return content_words(" ".join(texts))

    @cached_property
    def own(self) -> Mapping[str, set[str]]:
        """By event, the words of its names and facts: what it is about, whatever it says."""
        return {event.id: self._own(event) for event in self.bundle.events}

    def _own(self, event: TimelineEvent) -> set[str]:
        facts = [self.facts[fact] for fact in event.facts.values() if fact in self.facts]
        texts = [text for fact in facts for text in (fact.subject, fact.attribute, fact.value.text)]
        return content_words(" ".join([*event.names.values(), *texts]))

    @cached_property
    def _words(self) -> Mapping[str, set[str]]:
        """Content words by round and by event."""
        said = {
            round_.id: content_words(" ".join(turn.text for turn in round_.turns))
            for round_ in self.bundle.conversation.rounds()
        }
        return said | {
            event.id: content_words(f"{event.title} {event.query} {event.keyword}")
            for event in self.bundle.events
        }

    @cached_property
    def _frequency(self) -> Counter[str]:
        return Counter(word for words in self._words.values() for word in words)

    def weight(self, words: Iterable[str]) -> float:
        """Sum of the rarity (inverse document frequency) of words in this history."""
        return sum(map(self._rarity, words))

    def _rarity(self, word: str) -> float:
        known = self._rarities.get(word)
        if known is None:
            known = math.log((len(self._words) + 1) / (self._frequency[word] + 0.5))
            self._rarities[word] = known
        return known

    @cached_property
    def core(self) -> frozenset[str]:
        """Ids of the events of the core line."""
        return frozenset(one.id for one in self.bundle.events if one.line is EventLine.CORE)

    def kin_of_event(self, event: TimelineEvent) -> float:
        """How far an event's words are known to its facts and its line, from 0 to 2.5.

        The share of its title, weighted by rarity, that its own facts know; the share that they
        or the rest of the core line know; and half the share of its query that they know.
        """
        persona = content_words(self.persona.name)
        own = self.own[event.id] | persona
        line = set(self.of_persona)
        for one in self.core - {event.id}:
            line |= self.own[one] | self._words[one]
        title, query = content_words(event.title), content_words(event.query)
        title -= persona
        return (
            self._share(title, own) + self._share(title, own | line) + self._share(query, own) / 2
        )

    def _share(self, words: set[str], known: set[str]) -> float:
        return self.weight(words & known) / self.weight(words) if words else 1.0

    def strangers(self, event: TimelineEvent) -> list[str]:
        """Names in an event's title or query of nobody and nothing in the history."""
        known = known_names(self.bundle) | {self.persona.name}
        first = re.findall(r"^(?:[Tt]he )?([A-Z]\w+)'s\b", event.title)
        found = [*first, *_NAME.findall(event.title), *_NAME.findall(event.query)]
        plain = word_list("no-names")
        return [name for name in found if name not in known and name.lower() not in plain]

    # --- turns

    @cached_property
    def _names(self) -> frozenset[str]:
        events = " ".join(f"{one.title} {one.query}" for one in self.bundle.events)
        return known_names(self.bundle) | frozenset(re.findall(r"\b[A-Z][\w'-]*\w", events))

    @cached_property
    def _numbers(self) -> Mapping[str, set[str]]:
        """By round, the numbers that facts of its event and of earlier ones, or pictures, hold."""
        events = {event.id: event for event in self.bundle.events}
        owned = {fact for event in self.bundle.events for fact in event.facts.values()}
        known = {
            number
            for fact in self.bundle.facts
            if fact.id not in owned
            for number in _all_numbers(fact.value.text)
        }
        found: dict[str, set[str]] = {}
        for round_ in self.bundle.conversation.rounds():
            event = events.get(round_.event or "")
            if event is not None:
                own = [self.facts[one] for one in event.facts.values() if one in self.facts]
                texts = [fact.value.text for fact in own]
                texts += [event.title, event.query, event.day, *event.names.values()]
                known = known | {number for text in texts for number in _all_numbers(text)}
            for turn in round_.turns:
                for item in turn.attachments:
                    asset = self.bundle.asset_by_id.get(item.asset)
                    known = known | _all_numbers((asset and asset.transcription) or "")
            found[round_.id] = known
        return found

    @cached_property
    def _noted(self) -> Mapping[str, list[Mention]]:
        noted: dict[str, list[Mention]] = {}
        for mention in self.bundle.mentions:
            # What says only a part of a fact need not say its value.
            in_words = mention.span is not None and mention.form is not MentionForm.PARTIAL
            if in_words and mention.turn is not None:
                noted.setdefault(mention.turn, []).append(mention)
        return noted

    @cached_property
    def _parts(self) -> Mapping[str, list[Mention]]:
        """By turn, what says a part of a fact: a difference of two is a number of its own."""
        found: dict[str, list[Mention]] = {}
        for mention in self.bundle.mentions:
            if mention.form is MentionForm.PARTIAL and mention.turn is not None:
                found.setdefault(mention.turn, []).append(mention)
        return found

    @cached_property
    def _events_of(self) -> Mapping[str, set[str]]:
        """By capitalised word, the events in whose rounds it is spoken."""
        events: dict[str, set[str]] = {}
        for round_ in self.bundle.conversation.rounds():
            for turn in round_.turns:
                for word in re.findall(r"\b[A-Za-z][\w-]*\w", turn.text):
                    events.setdefault(word.lower(), set()).add(round_.event or "")
        return events

    def strays(self, round_: Round, turn: Turn) -> Strayed:
        """What in a turn has no place in its history."""
        noted = {one.id: self._noted.get(one.id, []) for one in round_.turns}
        spans = (one.span for one in self._parts.get(turn.id, []) if one.span is not None)
        computed = {number for start, end in spans for number in numbers(turn.text[start:end])}
        unsaid = {
            one.id: sum(not self._says(one.text, mention) for mention in noted[one.id])
            for one in round_.turns
        }
        return Strayed(
            names=tuple(sorted(self._unknown_names(turn.text))),
            numbers=tuple(sorted(numbers(turn.text) - self._numbers[round_.id] - computed)),
            unsaid=unsaid[turn.id],
            settled=any(noted.values()) and not any(unsaid.values()),
            kin=self._kin(round_, turn),
        )

    def _unknown_names(self, text: str) -> set[str]:
        found = set(_NAME.findall(text))
        no_names: Collection[str] = word_list("no-names")
        return {
            name
            for name in found
            if name not in self._names
            and name.lower() not in no_names
            and len(self._events_of.get(name.lower(), ())) <= 1
        }

    def _says(self, text: str, mention: Mention) -> bool:
        fact = self.facts.get(mention.fact)
        if fact is None or mention.span is None:
            return True
        span = text[mention.span[0] : mention.span[1]]
        if fact.value.type is ValueType.DATE and self._is_day(span, fact.value.text, mention):
            return True
        spanned = set(tokens(span))
        if fact.value.type is ValueType.TEXT:
            # Half of its words at least: long statements share little words with any text.
            words = set(tokens(fact.value.text))
            return 2 * len(spanned & words) >= len(words)
        year = fact.value.text[:4]
        return bool(spanned & {*tokens(fact.value.text), year})

    def _is_day(self, span: str, day: str, mention: Mention) -> bool:
        """Whether words such as "nine days ago", said in their session, name a day."""
        session = self.bundle.session_by_id[mention.round.partition(":")[0]]
        if session.date is None:
            return False
        meant = start(day).date()
        said = relative_dates(span, start(session.date).date())
        return any(DayRange(meant, meant) in one.readings for one in said)

    def _kin(self, round_: Round, turn: Turn) -> float:
        words = content_words(turn.text)
        if not words or round_.event is None or round_.event not in self.own:
            return 1.0
        own, line, here = self.own[round_.event], self._line_words, self._words[round_.id]
        known = {
            word
            for word in words
            if word in own or word in line or self._in_core[word] > (word in here)
        }
        return self.weight(known) / self.weight(words)

    @cached_property
    def _line_words(self) -> set[str]:
        """Words of the persona, and of the core line's events and facts."""
        return self.of_persona.union(*(self.own[one] | self._words[one] for one in self.core))

    @cached_property
    def _in_core(self) -> Counter[str]:
        """In how many rounds of the core line each word is spoken."""
        rounds = self.bundle.conversation.rounds()
        own = (self._words[round_.id] for round_ in rounds if round_.event in self.core)
        return Counter(word for words in own for word in words)


def _all_numbers(text: str) -> set[str]:
    """Numbers of a text, whole and part by part: of a date its year, its month and its day."""
    parts = re.findall(r"[0-9]+", text)
    return numbers(text) | set(parts) | {part.lstrip("0") for part in parts}
