"""Drafts of questions about talks: several facts, times, general knowledge, single facts."""

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, FactHolder, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.m2a.talks.beats import Talks, ToldDate, ToldFact
from memassay.synth.paths.m2a.talks.pictures import FAMILY
from memassay.synth.paths.m2a.talks.world import Happening, Subject, World
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.recall import answer_format
from memassay.synth.world.grammar import expand

_DAYS_BETWEEN: Final = (
    "How many days lay between {first} and {last}?",
    "How many days after {first} was {last}?",
    "How many days passed from {first} to {last}?",
    "After {first}, how many days was it until {last}?",
    "From {first}, how many days did it take until {last}?",
    "How many days before {last} was {first}?",
    "{last} came how many days after {first}?",
    "How many days went by between {first} and {last}?",
    "Counting from {first}, how many days later was {last}?",
    "How many days were there from {first} until {last}?",
)
_BACK_THEN: Final = (
    "As of {day}, {asked}",
    "As things were at the time of {day}, {asked}",
    "Go by what was known at the time of {day}: {asked}",
    "At the time of {day}, {asked}",
)
_DEARER: Final = (
    "How much more did {more} cost than {less}?",
    "By how much was {more} more expensive than {less}?",
    "{more} cost more than {less}. How much more?",
    "How much more was paid for {more} than for {less}?",
    "What is the difference in price between {more} and {less}?",
)
Told = tuple[Happening, ToldFact, Fact]
"""A fact that was told, with what the talks say of it, and where."""


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
    for _, spec, fact in told_facts(world):
        if spec.known is not None and fact.value.text in spec.known.of:
            local = re.sub(r"[^A-Za-z0-9-]", "", f"{fact.value.text}-{spec.known.attribute}")
            made[fact.value.text, spec.known.attribute] = Fact(
                id=record_id(world.conversation, f"X-{local}"),
                subject=fact.value.text,
                attribute=spec.known.attribute,
                value=FactValue(type=ValueType.TEXT, text=spec.known.of[fact.value.text]),
                holder=FactHolder.EXTERNAL,
                citation="general knowledge",
            )
    return list(made.values())


def told_facts(world: World) -> list[Told]:
    """Every fact that is told but days, in order, with what the talks say of it."""
    return [
        (one, spec, one.facts[slot])
        for one in world.happenings
        for slot, spec in one.beat.facts.items()
    ]


class TalkQuestions:
    """Drafts of the four kinds of question that LoCoMo and M2A ask (M2A C, step 3)."""

    def __init__(
        self,
        world: World,
        talks: Talks,
        random: Random,
        elsewhere: Collection[tuple[str, str]] = (),
    ) -> None:
        """Take what happened; attributes and values that others have describe nobody."""
        self.world, self.talks, self.random, self.elsewhere = world, talks, random, elsewhere
        self.told = told_facts(world)
        self.revised = {old for _, _, fact in self.told for old in fact.supersedes}

    def single(self) -> Iterator[Draft]:
        """One fact of one turn; of what was revised, what holds now."""
        for one, spec, fact in self.told:
            asked = self._question_for(one, spec, fact)
            if asked and fact.id not in self.revised:
                text = self._fill(asked, one.subject)
                yield Draft(text, now(select(fact), fact), answer_format(fact), (fact.id,))

    def times(self) -> Iterator[Draft]:
        """Days that were told, and days between two of them."""
        dated = [(one, one.beat.dated) for one in self.world.happenings if one.beat.dated]
        for one, spec in dated:
            fact = one.facts["when"]
            text = self._fill(spec.ask, one.subject)
            yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))
        for first, second in combinations(dated, 2):
            # Nobody counts the days from what one told to what the other did.
            if first[0].subject.owner == second[0].subject.owner:
                yield self._between(first, second)

    def several(self) -> Iterator[Draft]:
        """Two facts together: what names the subject of another, who has more, what adds up."""
        held = [told for told in self.told if told[2].id not in self.revised]
        for (one, spec, fact), (other, asked, wanted) in permutations(held, 2):
            text = self._question_for(other, asked, wanted)
            if (fact.attribute, fact.value.text) in self.elsewhere:
                continue
            if spec.that and text and other.subject == one.subject and other is not one:
                phrase = self._fill(spec.that, one.subject, value=spoken_value(fact.value))
                yield Draft(
                    self._fill(text, one.subject, c=phrase),
                    now(_follow_query(fact, wanted), wanted),
                    answer_format(wanted),
                    (fact.id, wanted.id),
                )
        yield from self._back_then()
        for first, second in combinations(held, 2):
            yield from self._more(first, second)
            yield from self._dearer(first, second)

    def _back_then(self) -> Iterator[Draft]:
        """What held, before it changed, when something else of the same person was told."""
        place = {
            fact.id: at
            for at, session in enumerate(self.world.sessions)
            for one in session
            for fact in one.facts.values()
        }
        days = [(one, one.beat.dated) for one in self.world.happenings if one.beat.dated]
        changed = {old: fact for _, _, fact in self.told for old in fact.supersedes}
        for one, spec, fact in self.told:
            new = changed.get(fact.id)
            for other, dated in days if new is not None and spec.ask else ():
                day = other.facts["when"]
                between = place[fact.id] < place[day.id] < place[new.id] if new else False
                if not between or other.subject.owner != one.subject.owner:
                    continue
                asked = self._fill(spec.ask, one.subject)
                slots = {"day": self._fill(dated.noun, other.subject)}
                slots["asked"] = f"{asked[0].lower()}{asked[1:]}"
                text = expand(self.random.choice(_BACK_THEN), self.random, slots).text
                at = get(select(day), "session")
                query = get({"op": "as_of", "of": select(fact), "at": at})
                yield Draft(text, query, answer_format(fact), (fact.id, day.id))

    def _more(self, *both: Told) -> Iterator[Draft]:
        """Who has more of what both told."""
        (one, spec, fact), (_, _, other) = both
        said = self._spec(one, spec).more
        if not said or fact.attribute != other.attribute or fact.subject == other.subject:
            return
        same = {"op": "select", "where": {"attribute": fact.attribute}}
        held = {"op": "as_of", "of": same, "at": "end"} if _any_revised(fact, other) else same
        query = get({"op": "pick", "of": held, "by": "value", "which": "last"}, "subject")
        yield Draft(self._fill(said, one.subject), query, AnswerFormat.FREE, (fact.id, other.id))

    def _dearer(self, *both: Told) -> Iterator[Draft]:
        """By how much one thing that was paid for cost more than another."""
        nouns = [self._spec(one, spec).paid for one, spec, _ in both]
        first, second = (fact for _, _, fact in both)
        alike = first.value.unit == second.value.unit and first.value.text != second.value.text
        if not all(nouns) or not alike:
            return
        said = [
            self._fill(noun, one.subject) for noun, (one, _, _) in zip(nouns, both, strict=True)
        ]
        pair = zip((first, second), said, strict=True)
        (less, cheap), (more, dear) = sorted(pair, key=lambda each: Decimal(each[0].value.text))
        query = {"op": "diff", "a": now(select(more), more), "b": now(select(less), less)}
        slots = {"more": dear, "less": cheap}
        text = expand(self.random.choice(_DEARER), self.random, slots).text
        yield Draft(text, query, AnswerFormat.NUMBER, (more.id, less.id))

    def general_knowledge(self) -> Iterator[Draft]:
        """General knowledge about what the pictures of a subject show, or about a value."""
        for one, spec, fact in self.told:
            if spec.known is not None and fact.value.text in spec.known.of:
                text = self._fill(spec.known.ask, one.subject)
                query = get({"op": "follow", "of": select(fact), "attribute": spec.known.attribute})
                yield Draft(text, query, AnswerFormat.FREE, (fact.id,))
        for subject in self.world.subjects:
            for attribute, (_, ask) in self.talks.knowledge.get(subject.family, {}).items():
                of = {
                    "op": "select",
                    "where": {"subject": subject.name, "attribute": subject.attribute(FAMILY)},
                }
                yield Draft(
                    self._fill(ask, subject),
                    get({"op": "follow", "of": of, "attribute": attribute}),
                    AnswerFormat.FREE,
                    (subject.name, attribute),
                    modalities=(Modality.IMAGE,),
                )

    def absent(self) -> Iterator[Draft]:
        """What one of the two told, asked of the other, who told nothing of the kind."""
        told = {(fact.subject, fact.attribute) for _, _, fact in self.told}
        for one, spec, fact in self.told:
            other = one.subject.friend.name
            changing = fact.supersedes or spec.ask_now
            if changing or not spec.ask or (other, fact.attribute) in told:
                continue
            of = {"op": "select", "where": {"subject": other, "attribute": fact.attribute}}
            text = self._fill(spec.ask, one.subject, owner=other)
            yield Draft(text, {"op": "absent", "of": of}, AnswerFormat.REFUSAL, (fact.id,))

    def asked_of(self, phrase: str) -> Iterator[tuple[Happening, str, Fact]]:
        """Single facts that hold, and days that were told, asked of subjects under a phrase."""
        for one, spec, fact in self.told:
            asked = self._question_for(one, spec, fact)
            if asked and fact.id not in self.revised:
                yield one, self._fill(asked, one.subject, c=phrase), fact
        for one in self.world.happenings:
            if one.beat.dated is not None:
                ask = self._fill(one.beat.dated.ask, one.subject, c=phrase)
                yield one, ask, one.facts["when"]

    def _fill(self, pattern: str, subject: Subject, **more: str) -> str:
        values = {"c": subject.said, "owner": subject.owner.name, "friend": subject.friend.name}
        return expand(pattern, self.random, {**values, **more}).text

    def _question_for(self, one: Happening, spec: ToldFact, fact: Fact) -> str:
        """The question for a fact; empty if there is none for it."""
        first = self._spec(one, spec)
        return first.ask_now if fact.supersedes else first.ask

    def _spec(self, one: Happening, spec: ToldFact) -> ToldFact:
        """What the talks say of a fact; of one that revises another, what they say of that."""
        if not spec.revises:
            return spec
        return next(
            other.beat.facts[spec.revises]
            for other in self.world.happenings
            if other.subject == one.subject and spec.revises in other.beat.facts
        )

    def _between(self, *both: tuple[Happening, ToldDate]) -> Draft:
        both = tuple(sorted(both, key=lambda told: told[0].facts["when"].value.text))
        first, second = (one.facts["when"] for one, _ in both)
        nouns = [self._fill(spec.noun, one.subject) for one, spec in both]
        query = {"op": "diff", "a": get(select(second)), "b": get(select(first)), "unit": "day"}
        slots = {"first": nouns[0], "last": nouns[1]}
        text = expand(self.random.choice(_DAYS_BETWEEN), self.random, slots).text
        return Draft(text, query, AnswerFormat.NUMBER, (first.id, second.id))


def _follow_query(fact: Fact, wanted: Fact) -> dict[str, Any]:
    """A property of the one of which a fact says something; whose that is, is not given away."""
    named = {"op": "select", "where": {"attribute": fact.attribute, "value": fact.value.text}}
    return {"op": "follow", "of": named, "attribute": wanted.attribute, "from": "subject"}


def _any_revised(*facts: Fact) -> bool:
    return any(fact.supersedes for fact in facts)


def now(of: dict[str, Any], fact: Fact) -> dict[str, Any]:
    """The value of facts; of what was revised, that which holds at the end."""
    return get({"op": "as_of", "of": of, "at": "end"} if fact.supersedes else of)


def chosen(drafts: Sequence[Draft], number: int) -> list[Draft]:
    """So many drafts, those about facts that no other is about first."""
    used: dict[str, int] = {}
    taken: list[Draft] = []
    left = list({one.key: one for one in reversed(drafts)}.values())[::-1]
    while left and len(taken) < number:
        best = min(left, key=lambda one: sum(used.get(fact, 0) for fact in one.about))
        left.remove(best)
        taken.append(best)
        for fact in best.about:
            used[fact] = used.get(fact, 0) + 1
    return taken
