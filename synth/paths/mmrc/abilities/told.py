"""A written dialogue as its questions see it: what of the pack it holds, and where."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from memassay.schemas.base import Modality
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact
from memassay.synth.packs.files.pack_file import SLOT
from memassay.synth.packs.files.pack_parts import PackFact
from memassay.synth.packs.plans.plan import Plan
from memassay.synth.packs.words.naming import USER, definite
from memassay.synth.packs.words.records import DEPICTS, property_of


@dataclass(frozen=True)
class Picture:
    """A picture that a dialogue shows.

    Attributes:
        attachment: Its id.
        subject: Subject of the facts that are its own.
        name: Its name in the pack.
        what: What it shows; no other picture of the dialogue shows the same.
        group: What it has in common with others; None where it has nothing.
        cells: Facts that can be read in it and nowhere else.
    """

    attachment: str
    subject: str
    name: str
    what: str
    group: str | None
    cells: tuple[Fact, ...]


@dataclass(frozen=True)
class Told:
    """A dialogue without questions, and the plan that it was made from.

    Attributes:
        bundle: Its records.
        plan: What of the pack it tells.
    """

    bundle: Bundle
    plan: Plan

    @cached_property
    def ledger(self) -> Ledger:
        """Its facts and mentions."""
        return Ledger(self.bundle)

    def facts(self, name: str) -> list[Fact]:
        """The facts of a fact of the pack that were told, those that were replaced included."""
        spec = self.plan.pack.facts[name]
        return [
            fact
            for fact in self.bundle.facts
            if fact.attribute == property_of(spec.say)
            and (fact.subject == USER) is (spec.of is None)
            and not fact.subject.startswith("image:")
            and self.rounds(fact)
        ]

    def spec_of(self, fact: Fact) -> tuple[str, PackFact]:
        """The fact of the pack that a fact is one of."""
        return next(
            (name, spec)
            for name, spec in self.plan.pack.facts.items()
            if property_of(spec.say) == fact.attribute
        )

    def rounds(self, fact: Fact) -> set[str]:
        """The rounds where a fact can be seen."""
        return {mention.round for mention in self.ledger.mentions.get(fact.id, ())}

    def is_in_text(self, fact: Fact) -> bool:
        """Whether the text says a fact."""
        mentions = self.ledger.mentions.get(fact.id, ())
        return any(mention.modality is Modality.TEXT for mention in mentions)

    @cached_property
    def changed(self) -> list[Fact]:
        """The facts of what changes, the first value first."""
        return self.facts(self.plan.changed) if self.plan.changed else []

    @cached_property
    def pieces(self) -> list[Fact]:
        """The pieces of the list that is told, in order."""
        if not self.plan.listed:
            return []
        attribute = property_of(self.plan.pack.lists[self.plan.listed].say)
        found = [
            fact
            for fact in self.bundle.facts
            if fact.subject == USER and fact.attribute == attribute and self.rounds(fact)
        ]
        return sorted(found, key=lambda fact: fact.order or 0)

    @cached_property
    def held(self) -> list[Fact]:
        """Facts of the pack that were told and never changed, in order."""
        return [
            fact
            for name, spec in self.plan.pack.facts.items()
            if not spec.hidden and name != self.plan.changed
            for fact in self.facts(name)
        ]

    @cached_property
    def pictures(self) -> list[Picture]:
        """The pictures in the order shown."""
        shown = [each.id for _, each in self.bundle.conversation.attachments()]
        by_place: dict[str, list[Fact]] = {name: [] for name in shown}
        for fact in self.bundle.facts:
            if fact.subject.startswith("image:"):
                for mention in self.ledger.mentions.get(fact.id, ()):
                    by_place[mention.attachment or ""].append(fact)
        return [_picture(name, facts) for name, facts in by_place.items() if facts]

    def phrase(self, fact: Fact) -> str:
        """How a question speaks of a fact: what it is, and whose, where it is not the user's."""
        _, spec = self.spec_of(fact)
        if fact.subject == USER or spec.of is None:
            return spec.say
        return f"{spec.say} for {self._name(spec.of, fact.subject)}"

    def fill(self, text: str, subject: str = "") -> str:
        """A question of the pack with its roles named.

        Args:
            text: With slots such as `{@tutor}`.
            subject: The thing of a role with several that it is about.
        """
        return SLOT.sub(lambda slot: self._name(slot[1].removeprefix("@"), subject), text)

    def _name(self, role: str, subject: str) -> str:
        spec = self.plan.pack.roles[role]
        name = subject if spec.many and subject else self.plan.cast[role][0].name
        return definite(name) if spec.noun in ("count", "plural") else name

    def bound(self, role: str) -> list[str]:
        """Names of the things of a role that the dialogue was about."""
        names = [step.bound.name for step in self.plan.steps if step.bound is not None]
        own = {one.name for one in self.plan.cast[role]}
        return [name for name in dict.fromkeys(names) if name in own]


def _picture(attachment: str, facts: Sequence[Fact]) -> Picture:
    depicted = [fact.value.text for fact in facts if fact.attribute == DEPICTS]
    subject = facts[0].subject
    return Picture(
        attachment=attachment,
        subject=subject,
        name=subject.split(":")[1],
        what=depicted[0],
        group=depicted[1] if len(depicted) > 1 else None,
        cells=tuple(fact for fact in facts if fact.attribute != DEPICTS),
    )


def in_turn(texts: Sequence[str], number: int) -> Iterator[str]:
    """Texts from the one whose turn it is on, each once."""
    for at in range(len(texts)):
        yield texts[(number + at) % len(texts)]
