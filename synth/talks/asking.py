"""Drafts of questions about talks: several facts, times, general knowledge, single facts."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, FactHolder, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.recall import answer_format
from memassay.synth.talks.beats import Talks, ToldDate, ToldFact
from memassay.synth.talks.telling import FAMILY
from memassay.synth.talks.world import Happening, Subject, World
from memassay.synth.world.grammar import expand


def external_facts(world: World, talks: Talks) -> list[Fact]:
    """General knowledge about what the pictures show, which no turn says."""
    made: dict[tuple[str, str], Fact] = {}
    for one in world.subjects:
        for attribute, (answer, _) in talks.knowledge.get(one.family, {}).items():
            made[one.family, attribute] = Fact(
                id=record_id(world.conversation, f"X-{one.family}-{attribute}"),
                subject=one.family,
                attribute=attribute,
                value=FactValue(type=ValueType.TEXT, text=answer),
                holder=FactHolder.EXTERNAL,
                citation="general knowledge",
            )
    return list(made.values())


class TalkQuestions:
    """Drafts of the four kinds of question that LoCoMo and M2A ask (M2A C, step 3)."""

    def __init__(self, world: World, talks: Talks, random: Random) -> None:
        """Take what happened."""
        self.world, self.talks, self.random = world, talks, random
        self.told = [
            (one, spec, one.facts[slot])
            for one in world.happenings
            for slot, spec in one.beat.facts.items()
        ]
        self.revised = {old for _, _, fact in self.told for old in fact.supersedes}

    def single(self) -> Iterator[Draft]:
        """One fact of one turn; of what was revised, what holds now."""
        for one, spec, fact in self.told:
            asked = self._asked(one, spec, fact)
            if asked and fact.id not in self.revised:
                text = self._filled(asked, one.subject)
                yield Draft(text, _now(select(fact), fact), answer_format(fact), (fact.id,))

    def times(self) -> Iterator[Draft]:
        """Days that were told, and days between two of them."""
        dated = [(one, one.beat.dated) for one in self.world.happenings if one.beat.dated]
        for one, spec in dated:
            fact = one.facts["when"]
            text = self._filled(spec.ask, one.subject)
            yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))
        for first, second in combinations(dated, 2):
            yield self._between(first, second)

    def several(self) -> Iterator[Draft]:
        """Something about the subject that another fact names."""
        for one, spec, fact in self.told:
            if not spec.that or fact.id in self.revised:
                continue
            phrase = self._filled(spec.that, one.subject, value=fact.value.text)
            for other, asked, wanted in self.told:
                text = self._asked(other, asked, wanted)
                same = other.subject == one.subject and other is not one
                if not same or not text or wanted.id in self.revised:
                    continue
                yield Draft(
                    self._filled(text, one.subject, c=phrase),
                    _now(_followed(fact, wanted), wanted),
                    answer_format(wanted),
                    (fact.id, wanted.id),
                )

    def known(self) -> Iterator[Draft]:
        """General knowledge about what the pictures of a subject show."""
        for one in self.world.subjects:
            for attribute, (_, ask) in self.talks.knowledge.get(one.family, {}).items():
                of = {"op": "select", "where": {"subject": one.name, "attribute": FAMILY}}
                yield Draft(
                    self._filled(ask, one),
                    get({"op": "follow", "of": of, "attribute": attribute}),
                    AnswerFormat.FREE,
                    (one.name, attribute),
                    modalities=(Modality.IMAGE,),
                )

    def _filled(self, pattern: str, subject: Subject, **more: str) -> str:
        values = {"c": subject.said, "owner": subject.owner.name, "friend": subject.friend.name}
        return expand(pattern, self.random, {**values, **more}).text

    def _asked(self, one: Happening, spec: ToldFact, fact: Fact) -> str:
        """The question for a fact; empty if there is none for it."""
        if not fact.supersedes:
            return spec.ask
        return next(
            other.beat.facts[spec.revises].ask_now
            for other in self.world.happenings
            if other.subject == one.subject and spec.revises in other.beat.facts
        )

    def _between(self, *both: tuple[Happening, ToldDate]) -> Draft:
        first, second = (one.facts["when"] for one, _ in both)
        nouns = [self._filled(spec.noun, one.subject) for one, spec in both]
        query = {"op": "diff", "a": get(select(second)), "b": get(select(first)), "unit": "day"}
        text = f"How many days lay between {nouns[0]} and {nouns[1]}?"
        return Draft(text, query, AnswerFormat.NUMBER, (first.id, second.id))


def _followed(fact: Fact, wanted: Fact) -> dict[str, Any]:
    """A property of the one of which a fact says something; whose that is, is not given away."""
    named = {"op": "select", "where": {"attribute": fact.attribute, "value": fact.value.text}}
    return {"op": "follow", "of": named, "attribute": wanted.attribute, "from": "subject"}


def _now(of: dict[str, Any], fact: Fact) -> dict[str, Any]:
    """The value of facts; of what was revised, that which holds at the end."""
    return get({"op": "as_of", "of": of, "at": "end"} if fact.supersedes else of)


def chosen(drafts: Sequence[Draft], number: int) -> list[Draft]:
    """So many drafts, those about facts that no other is about first."""
    used: dict[str, int] = {}
    taken: list[Draft] = []
    left = list({one.text: one for one in reversed(drafts)}.values())[::-1]
    while left and len(taken) < number:
        best = min(left, key=lambda one: sum(used.get(fact, 0) for fact in one.about))
        left.remove(best)
        taken.append(best)
        for fact in best.about:
            used[fact] = used.get(fact, 0) + 1
    return taken
