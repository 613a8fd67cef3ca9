"""Questions about guest sessions: twenty at 4 : 6 : 2 : 8, each proven by its query (M2A C)."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

from memassay.schemas.base import Modality
from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, FactHolder, FactValue, ValueType
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.paths.m2a.guests.beats import Threads, ToldFact
from memassay.synth.paths.m2a.guests.telling import FAMILY
from memassay.synth.paths.m2a.guests.world import GuestWorld, Happening
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.recall import answer_format

RATIO: Final = {"6": 4, "7": 6, "8": 2, "9": 8}
"""Questions of each category among twenty: multi-hop, temporal, open-domain, single-hop."""


def shares(total: int) -> dict[str, int]:
    """So many questions by category in the ratio of the paper, largest remainders first."""
    exact = {code: total * part / 20 for code, part in RATIO.items()}
    made = {code: int(number) for code, number in exact.items()}
    left = sorted(exact, key=lambda code: (made[code] - exact[code], code))
    for code in left[: total - sum(made.values())]:
        made[code] += 1
    return made


def external_facts(world: GuestWorld, told: Threads) -> list[Fact]:
    """General knowledge about what the pictures show, which no turn says."""
    made: dict[tuple[str, str], Fact] = {}
    for one in world.group:
        family = one.concept.category or ""
        for attribute, (answer, _) in told.knowledge.get(family, {}).items():
            made[family, attribute] = Fact(
                id=record_id(world.conversation, f"X-{family}-{attribute}"),
                subject=family,
                attribute=attribute,
                value=FactValue(type=ValueType.TEXT, text=answer),
                holder=FactHolder.EXTERNAL,
                citation="general knowledge",
            )
    return list(made.values())


class GuestQuestions:
    """Drafts by category."""

    def __init__(self, world: GuestWorld, told: Threads, random: Random) -> None:
        """Take what happened."""
        self.world, self.told, self.random = world, told, random
        self.revised = {
            old
            for one in world.happenings
            for fact in one.facts.values()
            for old in fact.supersedes
        }

    def drafts(self) -> dict[str, list[Draft]]:
        """All drafts of each category, in random order."""
        makers = {"6": self._several, "7": self._times, "8": self._known, "9": self._single}
        made = {}
        for code, maker in makers.items():
            found = list(maker())
            self.random.shuffle(found)
            made[code] = found
        return made

    def _told(self) -> Iterator[tuple[Happening, ToldFact, Fact]]:
        for one in self.world.happenings:
            for slot, spec in one.beat.facts.items():
                yield one, spec, one.facts[slot]

    def _fill(self, pattern: str, concept: str, **more: str) -> str:
        text = pattern.replace("{c}", concept).replace("{owner}", self.world.owner)
        for name, value in more.items():
            text = text.replace(f"{{{name}}}", value)
        return text[:1].upper() + text[1:]

    def _single(self) -> Iterator[Draft]:
        """Category 9: one fact of one turn; of what was revised, what holds now."""
        for one, spec, fact in self._told():
            if fact.id in self.revised:
                continue
            asked = self._asked(one, spec, fact)
            if asked is not None:
                text, query = asked
                named = self._fill(text, f"<{one.concept}>")
                yield Draft(named, query, answer_format(fact), (fact.id,))

    def _asked(
        self, one: Happening, spec: ToldFact, fact: Fact
    ) -> tuple[str, dict[str, Any]] | None:
        """The question for a fact and its query; None if there is none for it."""
        if fact.supersedes:
            first = next(
                other.beat.facts[spec.revises]
                for other in self.world.happenings
                if other.concept == one.concept and spec.revises in other.beat.facts
            )
            query = get({"op": "as_of", "of": select(fact), "at": "end"})
            return (first.ask_now, query) if first.ask_now else None
        return (spec.ask, get(select(fact))) if spec.ask else None

    def _times(self) -> Iterator[Draft]:
        """Category 7: days that were told, and days between two of them."""
        dated = [one for one in self.world.happenings if one.beat.dated is not None]
        for one in dated:
            fact, spec = one.facts["when"], one.beat.dated
            assert spec is not None  # chosen above
            text = self._fill(spec.ask, f"<{one.concept}>")
            yield Draft(text, get(select(fact)), AnswerFormat.DATE, (fact.id,))
        for first, second in combinations(dated, 2):
            yield self._between(first, second)

    def _between(self, first: Happening, second: Happening) -> Draft:
        facts = first.facts["when"], second.facts["when"]
        nouns = [
            self._fill(one.beat.dated.noun, f"<{one.concept}>")
            for one in (first, second)
            if one.beat.dated is not None
        ]
        spoken = [noun[:1].lower() + noun[1:] if noun[0] != "<" else noun for noun in nouns]
        query = {
            "op": "diff",
            "a": get(select(facts[1])),
            "b": get(select(facts[0])),
            "unit": "day",
        }
        text = f"How many days lay between {spoken[0]} and {spoken[1]}?"
        return Draft(text, query, AnswerFormat.NUMBER, tuple(fact.id for fact in facts))

    def _several(self) -> Iterator[Draft]:
        """Category 6: something about the concept that another fact names."""
        told = list(self._told())
        for one, spec, fact in told:
            if not spec.that or fact.id in self.revised:
                continue
            for other, asked, wanted in told:
                if other.concept != one.concept or wanted.id in {fact.id, *self.revised}:
                    continue
                wording = self._asked(other, asked, wanted)
                if other is one or wording is None:
                    continue
                named = self._fill(spec.that, f"<{one.concept}>", value=fact.value.text)
                phrase = named[:1].lower() + named[1:]
                yield Draft(
                    self._fill(wording[0].replace("{c}", phrase), ""),
                    _followed(fact, wanted),
                    answer_format(wanted),
                    (fact.id, wanted.id),
                )

    def _known(self) -> Iterator[Draft]:
        """Category 8: general knowledge about what the pictures of a concept show."""
        for one in self.world.group:
            name, family = one.concept.name, one.concept.category or ""
            for attribute, (_, ask) in self.told.knowledge.get(family, {}).items():
                of = {"op": "select", "where": {"subject": name, "attribute": FAMILY}}
                query = get({"op": "follow", "of": of, "attribute": attribute})
                text = self._fill(ask, f"<{name}>")
                yield Draft(
                    text, query, AnswerFormat.FREE, (name, attribute), modalities=(Modality.IMAGE,)
                )


def _followed(fact: Fact, wanted: Fact) -> dict[str, Any]:
    """What holds of the one of which a fact says something; whose that is, is not given away."""
    named = {"op": "select", "where": {"attribute": fact.attribute, "value": fact.value.text}}
    found = {"op": "follow", "of": named, "attribute": wanted.attribute, "from": "subject"}
    return get({"op": "as_of", "of": found, "at": "end"} if wanted.supersedes else found)


def chosen(drafts: Sequence[Draft], number: int, made: Sequence[str]) -> list[Draft]:
    """So many drafts, those about facts that no other is about first."""
    used: dict[str, int] = {}
    taken: list[Draft] = []
    texts = set(made)
    while len(taken) < number:
        left = [one for one in drafts if one.text not in texts]
        if not left:
            break
        best = min(left, key=lambda one: sum(used.get(fact, 0) for fact in one.about))
        taken.append(best)
        texts.add(best.text)
        for fact in best.about:
            used[fact] = used.get(fact, 0) + 1
    return taken
