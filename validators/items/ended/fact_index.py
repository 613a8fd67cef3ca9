"""The facts of a conversation by the words they are asked for, and how each has ended."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import log
from typing import Final

from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.states import Ending, States
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactScope,
    FactStatus,
    Mention,
    ValueType,
)
from memassay.validators.items.ended.asked_words import Vocabulary, kinds_of
from memassay.validators.items.ended.fact_words import bare_name, deletes, plain, words_of_kind
from memassay.validators.wording import sentences

_NEVER_SO: Final = frozenset({FactStatus.INTERFERENCE, FactStatus.UNSAID})
_NAMING: Final = frozenset({"depicts", "name", "called", "title"})
_USER: Final = "user"
_ROLE: Final = frozenset(
    {"role", "profession", "occupation", "job", "relation", "position", "species", "kind", "type"}
)
"""Attributes whose value is what a subject may be called."""
OBJECT: Final = re.compile(r"[ _](?:of|for|in|at|on|to|from|with)[ _]")
"""What parts a thing from what it is of or for."""
STATED, TOLD, BESIDE, NEAR = 1.0, 0.7, 0.5, 0.3
"""How much of a word is covered by what a fact states, what tells of it, its event, its turn."""


class FactIndex:
    """The facts of a conversation, found by the words of a question."""

    def __init__(self, bundle: Bundle, ledger: Ledger) -> None:
        """Keep a bundle and its ledger."""
        self.ledger = ledger
        self._bundle, self._states = bundle, States(ledger)

    def ending(self, fact: Fact, moment: Moment) -> Ending | None:
        """How a fact has ended, what it replaced, or what it is part of."""
        ending = self._states.ending(fact, moment)
        if ending is not None:
            return ending
        # What replaces a fact is asked for by the same words, and an event by its details.
        beside = [name for name in fact.supersedes if name in self.ledger.facts]
        beside += [one.id for one in self._deleted.get(bare_name(fact.subject), ())]
        for name in beside:
            other = self.ledger.facts[name]
            if self.ledger.known(other, moment):
                ending = self._states.ending(other, moment)
                if ending is not None:
                    return ending
        return None

    def ending_of_whole(self, fact: Fact, moment: Moment) -> Ending | None:
        """The end of what a fact is a part of: of the choice of a voice, that of the choir."""
        own = plain([fact.attribute])
        for other in self._by_subject[fact.subject]:
            if plain([other.attribute]) < own and self.ledger.known(other, moment):
                ending = self._states.ending(other, moment)
                if ending is not None:
                    return ending
        return None

    @cached_property
    def _deleted(self) -> dict[str, list[Fact]]:
        """By the bare name of an event, the facts that delete something of it."""
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            if deletes(fact) and fact.subject.startswith("event"):
                found[bare_name(fact.subject)].append(fact)
        return found

    def shares(self, words: frozenset[str], moment: Moment) -> dict[str, dict[str, float]]:
        """By known fact, how much of each word of a question it covers."""
        covered: dict[str, dict[str, float]] = defaultdict(dict)
        for word in sorted(words):
            for alike in self._vocabulary.akin(word):
                for name, share in self._index[alike].items():
                    covered[name][word] = max(share, covered[name].get(word, 0.0))
        known = self.ledger.known
        facts = self.ledger.facts
        return {name: one for name, one in covered.items() if known(facts[name], moment)}

    def share(self, shares: Mapping[str, float], words: frozenset[str]) -> float:
        """How much of a question some words cover, by their weight."""
        said = sum(self._weight(word) * share for word, share in sorted(shares.items()))
        return round(said / sum(map(self._weight, sorted(words))), 6)

    def _weight(self, word: str) -> float:
        """How telling a word is: of many facts little, of few much."""
        among = sum(len(self._index[alike]) for alike in self._vocabulary.akin(word))
        return log(1 + len(self._facts) / (1 + among))

    @cached_property
    def may_end(self) -> bool:
        """Whether anything here can have ended."""
        return any(
            fact.id in self.ledger.superseders
            or fact.valid_to is not None
            or fact.status is FactStatus.RETRACTED
            or fact.operation is FactOperation.DELETE
            for fact in self._facts
        )

    @cached_property
    def _facts(self) -> list[Fact]:
        return [
            fact
            for fact in self.ledger.facts.values()
            if fact.status not in _NEVER_SO and fact.scope is FactScope.HISTORY
        ]

    @cached_property
    def _index(self) -> dict[str, dict[str, float]]:
        """By word, the facts that have it and how much that counts."""
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for fact in self._facts:
            for share, texts in self._texts(fact):
                for word in plain(texts):
                    found[word][fact.id] = max(share, found[word].get(fact.id, 0.0))
            for word in words_of_kind(fact) | kinds_of(plain([fact.attribute, fact.value.text])):
                found[word].setdefault(fact.id, TOLD)
        return dict(found)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._index)

    def _texts(self, fact: Fact) -> Iterator[tuple[float, Iterable[str]]]:
        """What is said of a fact, and how much a word of it counts."""
        yield STATED, (fact.subject, *self._called.get(fact.subject, ()))
        yield STATED, (fact.attribute, fact.value.text, fact.statement or "")
        event = fact.subject.startswith("event")
        yield STATED if event else BESIDE, self._titles.get(fact.id, ())
        ends = self.ledger.superseders.get(fact.id, ())
        tellers = {each.speaker for each in self.ledger.mentions.get(fact.id, ())}
        yield (
            TOLD,
            [name for one in sorted(filter(None, tellers)) for name in self._called.get(one, ())],
        )
        yield (
            TOLD,
            [
                text
                for one in (fact, *ends)
                for mention in self.ledger.mentions.get(one.id, ())
                for text in self._sentences(mention)
            ],
        )
        yield NEAR, [text for one in (fact, *ends) for text in self.turns(one)]

    def turns(self, fact: Fact) -> Iterator[str]:
        """All that is said where a fact is told, in answer to nobody."""
        for mention in self.ledger.mentions.get(fact.id, ()):
            if mention.turn is not None:
                yield self._bundle.turn_by_id[mention.turn].text

    def _sentences(self, mention: Mention) -> Iterator[str]:
        """The sentence that a mention marks, or all of its turn or round."""
        if mention.turn is None:
            yield from (turn.text for turn in self._bundle.round_by_id[mention.round].turns)
            return
        text = self._bundle.turn_by_id[mention.turn].text
        marked = text[slice(*mention.span)] if mention.span else ""
        yield from [one for one in sentences(text) if marked and marked in one] or [text]

    @cached_property
    def _titles(self) -> dict[str, list[str]]:
        """By fact, the titles of the events that make it true."""
        found: dict[str, list[str]] = defaultdict(list)
        for event in self._bundle.events:
            for name in event.facts.values():
                found[name].append(event.title)
        return found

    @cached_property
    def _called(self) -> dict[str, list[str]]:
        """What subjects are called: names of entities in events, titles of images."""
        found: dict[str, list[str]] = defaultdict(list)
        for event in self._bundle.events:
            for entity, name in event.names.items():
                found[entity].append(name)
        for fact in self._facts:
            if fact.attribute in _NAMING:
                found[fact.subject].append(fact.value.text)
            if fact.attribute in _ROLE:
                found[fact.subject].append(fact.value.text)
            if fact.value.type is ValueType.ENTITY:
                found[fact.value.text].append(fact.attribute)
        for each in self._bundle.conversation.speakers:
            found[each.id].append(each.name)
        return found

    @cached_property
    def _by_subject(self) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self._facts:
            found[fact.subject].append(fact)
        return found

    @cached_property
    def others(self) -> frozenset[str]:
        """Words of the names of whom and what the ledger has facts about, beside images."""
        return plain(map(bare_name, (one for one in self._by_subject if "image:" not in one)))

    @cached_property
    def roles(self) -> frozenset[str]:
        """What the only human may be called instead of by name: their work."""
        work = [OBJECT.split(f" {one.profession} ")[0] for one in self._bundle.personas]
        work += [fact.value.text for fact in self._by_subject[_USER] if fact.attribute in _ROLE]
        words = plain(work)
        return (
            words | frozenset(other for word in words for other in self._vocabulary.akin(word))
            if self.neutral
            else frozenset()
        )

    @cached_property
    def neutral(self) -> frozenset[str]:
        """Words of the name of the only human, who need not be named."""
        humans = [
            each.name
            for each in self._bundle.conversation.speakers
            if each.kind is SpeakerKind.HUMAN
        ]
        names = [*humans, *(each.name for each in self._bundle.personas)]
        return plain([*names, _USER]) if len(humans) == 1 else frozenset()
