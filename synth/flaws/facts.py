"""False statements of true facts: another value of the same kind for a settled property."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, FactValue
from memassay.synth.world.grammar import expand
from memassay.synth.world.persona_file import PersonaFile, ValueRange
from memassay.synth.world.processes.parts import ToldCards
from memassay.synth.world.values import draw_value, spoken_value

_TRIES: Final = 20


@dataclass(frozen=True)
class Misstatement:
    """A settled fact, and a value that it does not have.

    Attributes:
        event: Id of the event that made it true.
        fact: The fact.
        owner: What its subject is called; None for the user.
        wrong: The false value, as it is said.
    """

    event: str
    fact: Fact
    owner: str | None
    wrong: str

    @property
    def right(self) -> str:
        """The true value, as it is said."""
        return spoken_value(self.fact.value)

    def label(self, speaker: str) -> str:
        """The property as its owner, or the assistant, says it: `my rent`, `Rufus's weight`."""
        if self.owner is None:
            return f"{'your' if speaker == 'assistant' else 'my'} {self.fact.attribute}"
        return f"{self.owner}'s {self.fact.attribute}"


def misstatements(
    persona: PersonaFile,
    events: Sequence[TimelineEvent],
    facts: Mapping[str, Fact],
    random: Random,
) -> list[Misstatement]:
    """One false value for every settled fact of a card whose value can be another."""
    cards = ToldCards(persona)
    replaced = {old for fact in facts.values() for old in fact.supersedes}
    found: list[Misstatement] = []
    for event in events:
        for slot, spec in cards.of(event).facts.items():
            fact = facts[event.facts[slot]]
            if fact.supersedes or fact.id in replaced or spec.value.text is not None:
                continue
            names = {"user": persona.name, **event.names}
            say = partial(_statement, random=random, names=names)
            day = date.fromisoformat(event.happened_on)
            wrong = _other_value(spec.value, fact.value, day, random, say)
            owner = None if spec.about == "user" else event.names.get(spec.about)
            if wrong is not None and (owner is not None or spec.about == "user"):
                found.append(Misstatement(event.id, fact, owner, spoken_value(wrong)))
    return found


def _statement(text: str, random: Random, names: Mapping[str, str]) -> str:
    return expand(text, random, names).text


def _other_value(
    spec: ValueRange, true: FactValue, day: date, random: Random, say: Callable[[str], str]
) -> FactValue | None:
    drawn = (draw_value(spec, random, day, say) for _ in range(_TRIES))
    return next((value for value in drawn if value != true), None)
