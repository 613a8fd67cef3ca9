"""Drafts of questions about talks: several facts, times, general knowledge, single facts."""

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.concepts.pictures import FAMILY
from memassay.synth.paths.m2a.talks.beats import Talks, ToldDate, ToldFact
from memassay.synth.paths.m2a.talks.knowledge import USE, usable_subjects
from memassay.synth.paths.m2a.talks.world import (
    Happening,
    Subject,
    Told,
    World,
    base_spec,
    told_facts,
)
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.recall import answer_format
from memassay.synth.world.grammar import expand

_DAYS_BETWEEN: Final = (
    "How many days lay between {first} and {last}?",
    "How many days after {since} was {last}?",
    "How many days passed from {first} to {last}?",
    "After {since}, how many days was it until {last}?",
    "From {first}, how many days did it take until {last}?",
    "How long, in days, was it from {first} to {last}?",
    "{last} came how many days after {since}?",
    "How many days went by between {first} and {last}?",
    "Counting from {first}, how many days later was {last}?",
    "How many days were there from {first} until {last}?",
)
_AT_FIRST: Final = (
    "{then} at first?",
    "at first, {then}?",
    "{then} originally?",
    "originally, {then}?",
    "{then} in the beginning?",
    "in the beginning, {then}?",
    "{then} to begin with?",
    "to begin with, {then}?",
    "{then} initially?",
    "initially, {then}?",
)
_BACK_THEN: Final = ("{when}, {then}?", "{then} {when}?")
_DAY: Final = re.compile(r"the (?:day|night) ")
"""How the phrase for a day begins that is followed by what happened on it."""
_DEARER: Final = (
    "How much more did {more} cost than {less}?",
    "By how much was {more} more expensive than {less}?",
    "{more} cost more than {less}. How much more?",
    "How much more was paid for {more} than for {less}?",
    "What is the difference in price between {more} and {less}?",
)


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
        """Days that were told, days between two of one subject, and which came first or last."""
        dated = [(one, one.beat.dated) for one in self.world.happenings if one.beat.dated]
        for one, spec in dated:
            fact = one.facts["when"]
            text = self._fill(spec.ask, one.subject)
            yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))
        for first, second in combinations(dated, 2):
            # Nobody counts the days from what happened to one thing to what happened to another.
            if first[0].subject == second[0].subject and (first[1].begins or second[1].begins):
                yield from self._between(first, second)
        for number in (2, 3):
            for several in combinations(dated, number):
                yield from self._ends(several)

    def several(self) -> Iterator[Draft]:
        """Two facts together: what names the subject of another, what held first, who has more."""
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
        yield from self._before_it_changed()
        for first, second in combinations(held, 2):
            yield from self._more(first, second)
            yield from self._dearer(first, second)

    def _before_it_changed(self) -> Iterator[Draft]:
        """What held at first, and what held when something else of the same subject happened."""
        place = {
            fact.id: at
            for at, session in enumerate(self.world.sessions)
            for one in session
            for fact in one.facts.values()
        }
        changed = {old: fact for _, _, fact in self.told for old in fact.supersedes}
        for one, spec, fact in self.told:
            new = changed.get(fact.id)
            if new is None or not spec.then:
                continue
            both = {"op": "pick", "of": select(fact), "by": "said", "which": "first"}
            text = self._then(_AT_FIRST, spec, one.subject)
            yield Draft(text, get(both), answer_format(fact), (fact.id, new.id))
            if spec.person:
                yield self._predecessor(spec, one.subject, fact, new)
            for other in self.world.happenings:
                day = other.facts.get("when")
                if day is None or other.beat.dated is None or other.subject != one.subject:
                    continue
                if place[fact.id] < place[day.id] < place[new.id]:
                    noun = other.beat.dated.noun
                    when = (
                        f"when {_DAY.sub('', noun)}"
                        if _DAY.match(noun)
                        else f"at the time of {noun}"
                    )
                    text = self._then(_BACK_THEN, spec, one.subject, when)
                    at = get(select(day), "session")
                    query = get({"op": "as_of", "of": select(fact), "at": at})
                    yield Draft(text, query, answer_format(fact), (fact.id, day.id))

    def _predecessor(self, spec: ToldFact, subject: Subject, fact: Fact, new: Fact) -> Draft:
        """Who it was before somebody else."""
        of = select(fact)
        later = {"op": "select", "where": {**of["where"], "value": new.value.text}}
        of["where"]["dated"] = {"before": get(later, "session")}
        text = f"{self._fill(spec.then, subject)} before {new.value.text}?"
        return Draft(text, get(of), answer_format(fact), (fact.id, new.id))

    def _then(
        self, wordings: Sequence[str], spec: ToldFact, subject: Subject, when: str = ""
    ) -> str:
        """A question for what held once, at the point that a wording or a clause says."""
        said = self._fill(spec.then, subject)
        slots = {"then": said[:1].lower() + said[1:], "when": self._fill(when, subject)}
        text = expand(self.random.choice(wordings), self.random, slots).text
        return text[:1].upper() + text[1:]

    def _more(self, *both: Told) -> Iterator[Draft]:
        """Who has more of what both told."""
        (one, spec, fact), (_, _, other) = both
        said = base_spec(self.world, one, spec).more
        if not said or fact.attribute != other.attribute or fact.subject == other.subject:
            return
        same = {"op": "select", "where": {"attribute": fact.attribute}}
        held = {"op": "as_of", "of": same, "at": "end"} if _any_revised(fact, other) else same
        query = get({"op": "pick", "of": held, "by": "value", "which": "last"}, "subject")
        yield Draft(self._fill(said, one.subject), query, AnswerFormat.FREE, (fact.id, other.id))

    def _dearer(self, *both: Told) -> Iterator[Draft]:
        """By how much one thing that was paid for cost more than another."""
        nouns = [base_spec(self.world, one, spec).paid for one, spec, _ in both]
        first, second = (fact for _, _, fact in both)
        # Nobody asks how much more a telescope cost than a season ticket.
        threads = [one.subject.thread for one, _, _ in both]
        alike = threads[0] is threads[1] and first.value.text != second.value.text
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
        """What everybody knows of a value, and for which use a pictured thing is there."""
        for one, spec, fact in self.told:
            of = select(fact)
            held = {"op": "as_of", "of": of, "at": "end"} if fact.supersedes else of
            for known in base_spec(self.world, one, spec).known:
                if fact.id not in self.revised and fact.value.text in known.of:
                    text = self._fill(known.ask, one.subject)
                    query = get({"op": "follow", "of": held, "attribute": known.attribute})
                    yield Draft(text, query, AnswerFormat.FREE, (fact.id,))
        shown = usable_subjects(self.world, self.talks)
        for subject in shown if len(shown) > 1 else ():
            use = self.talks.uses.of[subject.family]
            of = {"op": "select", "where": {"subject": use, "attribute": USE}}
            fit = {"op": "follow", "of": of, "attribute": FAMILY, "to": "value"}
            where = {"subject": [each.name for each in shown]}
            query = {"op": "select", "of": fit, "where": where}
            ask = self.random.choice(self.talks.uses.ask)
            text = self._fill(ask, subject, use=use, names=self._any_of(shown))
            about = (subject.name, USE)
            both = (Modality.TEXT, Modality.IMAGE)
            yield Draft(text, get(query, "subject"), AnswerFormat.FREE, about, modalities=both)

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

    def _any_of(self, subjects: Sequence[Subject]) -> str:
        """Some subjects to choose from, in an order that says nothing."""
        *names, last = (one.said for one in self.random.sample(subjects, len(subjects)))
        return f"{', '.join(names)} or {last}"

    def _fill(self, pattern: str, subject: Subject, **more: str) -> str:
        values = {"c": subject.said, "owner": subject.owner.name, "friend": subject.friend.name}
        values["noun"] = subject.thread.noun_of(subject.family)
        return expand(pattern, self.random, {**values, **more}).text

    def _question_for(self, one: Happening, spec: ToldFact, fact: Fact) -> str:
        """The question for a fact; empty if there is none for it."""
        first = base_spec(self.world, one, spec)
        return first.ask_now if fact.supersedes else first.ask

    def _between(self, *both: tuple[Happening, ToldDate]) -> Iterator[Draft]:
        both = tuple(sorted(both, key=lambda told: told[0].facts["when"].value.text))
        first, second = (one.facts["when"] for one, _ in both)
        if first.value.text == second.value.text:
            return
        nouns = [self._fill(spec.noun, one.subject) for one, spec in both]
        query = {"op": "diff", "a": get(select(second)), "b": get(select(first)), "unit": "day"}
        slots = {"first": nouns[0], "last": nouns[1], "since": _DAY.sub("", nouns[0])}
        text = expand(self.random.choice(_DAYS_BETWEEN), self.random, slots).text
        yield Draft(text, query, AnswerFormat.NUMBER, (first.id, second.id))

    def _ends(self, several: Sequence[tuple[Happening, ToldDate]]) -> Iterator[Draft]:
        """Which of several subjects something happened to first; of more than two, or last."""
        specs = {spec.order: one.subject for one, spec in several}
        facts = [one.facts["when"] for one, _ in several]
        if len(specs) > 1 or "" in specs or len({fact.subject for fact in facts}) < len(several):
            return
        [(ask, subject)] = specs.items()
        for which in ("first", "last") if len(several) > 2 else ("first",):
            attributes = sorted({one.attribute for one in facts})
            where = {"subject": [one.subject for one in facts], "attribute": attributes}
            of = {"op": "select", "where": where}
            query = get({"op": "pick", "of": of, "by": "date", "which": which}, "subject")
            text = self._fill(
                ask, subject, end=which, names=self._any_of([one.subject for one, _ in several])
            )
            yield Draft(text, query, AnswerFormat.FREE, tuple(fact.id for fact in facts))


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
