"""Plans a dialogue: scenes, order, asides, and what becomes known in which round."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.synth.packs.files.pack_file import Pack, read_in, slots_of, wordings_in
from memassay.synth.packs.files.pack_parts import JoinSpec, Referent
from memassay.synth.packs.plans.asides import Aside, Wanted, count_alone, insert_alone, lay_asides
from memassay.synth.packs.plans.choosing import Chooser, NoFitError
from memassay.synth.packs.plans.dealing import deal, deal_order, random_of
from memassay.synth.packs.plans.ordering import Arranger, images_repeat
from memassay.synth.packs.plans.plan import Card, Entry, EntryKind, Plan, Step
from memassay.synth.packs.plans.values import NoValueError, Values

_TRIES: Final = 1500
_PATIENCE: Final = 100
"""Tries after which one aside fewer is a round of its own: scenes have more room then."""
_IN_PICTURE: Final = 2
"""Pieces of a list that a picture of pieces shows."""


def plan_dialogue(
    pack: Pack, seed: str, ordinal: int, card: Card, used: Mapping[str, float]
) -> Plan:
    """The plan of one dialogue of a pack.

    Args:
        pack: The pack.
        seed: Seed of the data set.
        ordinal: Number of the dialogue among those of the pack, from 0.
        card: What it is to be like.
        used: By scene, the share of earlier dialogues that have it.

    Raises:
        UsageError: The pack has no dialogue of this kind.
    """
    why = ""
    for attempt in range(_TRIES):
        try:
            return _Planner(pack, seed, ordinal, card, used, attempt).plan()
        except (NoFitError, NoValueError) as error:
            why = str(error)
    raise UsageError(
        f"{pack.pack}: expected a dialogue of {card}, got none in {_TRIES} tries (last: {why}); "
        "add scenes, or pictures, of the phases that are short"
    )


class _Planner:
    """One try to plan a dialogue."""

    def __init__(
        self,
        pack: Pack,
        seed: str,
        ordinal: int,
        card: Card,
        used: Mapping[str, float],
        attempt: int,
    ) -> None:
        self.pack, self.seed, self.ordinal, self.card = pack, seed, ordinal, card
        self.used = used
        self.attempt = attempt
        self.cast = {role: self._those(role) for role in pack.roles}
        self.join = self._pick_join()
        self.changed = self._pick(self._changeable(), "change") if card.updates else ""
        self.listed = self._pick(list(pack.lists), "list") if card.pieces else ""

    def plan(self) -> Plan:
        """The plan.

        Raises:
            NoFitError: Nothing adds up this time.
            NoValueError: A fact has no value.
        """
        steps = self._steps()
        told = self._find_tellings(steps)
        self._require(told, steps)
        shown = self._count_pictured(steps)
        asides = lay_asides(
            self.pack,
            steps,
            Wanted(self.changed, self.card.updates, self.listed, self.card.pieces - shown),
            {fact: number for (fact, own), number in told.items() if not own},
            self._random("asides"),
        )
        entries, placed = self._entries(steps, told, asides)
        return Plan(
            self.pack,
            self.seed,
            self.ordinal,
            self.card,
            self.cast,
            tuple(self._add_asides(steps, placed)),
            tuple(entries),
            self.changed,
            self.listed,
            self.join,
        )

    def _random(self, *purpose: object) -> Random:
        return random_of(self.seed, self.pack.pack, self.ordinal, self.attempt, *purpose)

    def _changeable(self) -> list[str]:
        """Facts that can change so often: nobody changes an opinion again and again."""
        facts = self.pack.facts
        firm = [name for name in self.pack.changes if facts[name].number or facts[name].clock]
        return firm if self.card.updates > 1 else list(self.pack.changes)

    def _pick(self, names: list[str], purpose: str) -> str:
        """What is dealt to this dialogue; another one where that did not fit."""
        order = deal_order(names, self.ordinal, self.seed, self.pack.pack, purpose)
        return order[self.attempt // 4 % len(order)]

    def _those(self, role: str) -> tuple[Referent, ...]:
        spec = self.pack.roles[role]
        key = (self.seed, self.pack.pack, "role", role)
        if spec.many:
            return tuple(deal_order(spec.draw, self.ordinal, *key))
        return (deal(spec.draw, self.ordinal, *key),)

    def _pick_join(self) -> JoinSpec | None:
        if not self.card.join:
            return None
        order = deal_order(self.pack.joins, self.ordinal, self.seed, self.pack.pack, "join")
        return order[self.attempt % len(order)]

    def _steps(self) -> list[Step]:
        random = self._random("scenes")
        musts = list(self.join.of) if self.join else []
        musts += [self.changed] if self.changed else []
        alone = max(0, count_alone(self.card) - self.attempt // _PATIENCE)
        spoken = replace(self.card, rounds=self.card.rounds - alone)
        chooser = Chooser(self.pack, spoken, self.listed, self.used, random)
        uses = chooser.choose(musts)
        many = {role: list(self.cast[role]) for role, spec in self.pack.roles.items() if spec.many}
        steps = Arranger(self.pack, many, uses, self._random("order")).arrange()
        if images_repeat(steps, self.pack):
            raise NoFitError("a picture twice")
        return insert_alone(self.pack, steps, alone, self._random("alone"))

    def _find_tellings(self, steps: Sequence[Step]) -> dict[tuple[str, str], int]:
        """By fact and subject, the number of the round that tells it first."""
        told: dict[tuple[str, str], int] = {}
        for step in steps:
            own = step.bound.name if step.bound is not None else ""
            for fact in self._facts_in(step):
                subject = own if self.pack.facts[fact].of else ""
                told.setdefault((fact, subject), step.number)
        return told

    def _facts_in(self, step: Step) -> list[str]:
        """The facts that a round says or shows, in order."""
        shown = read_in(self.pack.images[step.image]) if step.image else []
        return list(dict.fromkeys([*self._facts_in_words(step), *shown]))

    def _facts_in_words(self, step: Step) -> list[str]:
        """The facts that the words of a round say."""
        said = self.pack.scene(step.scene).rounds[step.part]
        texts = [text for turn in (said.user, said.assistant) for text in wordings_in(turn)]
        return [slot for text in texts for slot in slots_of(text) if slot in self.pack.facts]

    def _require(self, told: Mapping[tuple[str, str], int], steps: Sequence[Step]) -> None:
        """Refuse a plan that lacks what is asked.

        Raises:
            NoFitError: A fact to be joined or changed is not told, or all in one round; or words
                tell nothing that stays as it is.
        """
        if all(fact == self.changed for step in steps for fact in self._facts_in_words(step)):
            raise NoFitError("a detail that stays")
        if self.changed and (self.changed, "") not in told:
            raise NoFitError(self.changed)
        if self.join is not None:
            rounds = {number for (fact, _), number in told.items() if fact in self.join.of}
            facts = {fact for fact, _ in told} & set(self.join.of)
            if len(rounds) < 2 or facts != set(self.join.of) or self.changed in facts:
                raise NoFitError("join")

    def _count_pictured(self, steps: Sequence[Step]) -> int:
        """How many pieces of the list are told by a picture alone."""
        pictured = any(
            step.image and self.pack.images[step.image].pieces == self.listed for step in steps
        )
        return min(_IN_PICTURE, self.card.pieces - 1) if pictured and self.listed else 0

    def _entries(
        self,
        steps: Sequence[Step],
        told: Mapping[tuple[str, str], int],
        asides: Sequence[Aside],
    ) -> tuple[list[Entry], dict[int, int]]:
        """What becomes known, in order, and by round the position of its aside."""
        values = Values(self.pack, self._random("values"))
        items = self._items()
        entries: list[Entry] = []
        placed: dict[int, int] = {}
        latest: dict[str, int] = {}
        bound: dict[str, list[str]] = {role: [] for role in self.pack.roles}
        by_round = {aside.round: aside for aside in asides}
        for step in steps:
            aside = by_round.get(step.number)
            if aside is not None:
                placed[step.number] = len(entries)
                if aside.update:
                    role = self.pack.facts[aside.name].pick
                    value = values.change(aside.name, bound[role] if role else ())
                    entry = Entry(
                        EntryKind.UPDATE,
                        aside.name,
                        "",
                        value,
                        step.number,
                        replaces=latest[aside.name],
                    )
                    latest[aside.name] = len(entries)
                else:
                    entry = self._piece(items.pop(0), step.number, entries)
                entries.append(entry)
            if step.bound is not None and step.begins:
                role = self.pack.scene(step.scene).binds
                if role:
                    bound[role].append(step.bound.name)
            for (fact, subject), number in told.items():
                if number == step.number:
                    role = self.pack.facts[fact].pick
                    value = values.of(fact, subject, bound[role] if role else ())
                    latest[fact] = len(entries)
                    entries.append(Entry(EntryKind.TELL, fact, subject, value, step.number))
            if step.image and self.listed and self.pack.images[step.image].pieces == self.listed:
                for _ in range(self._count_pictured(steps)):
                    entries.append(self._piece(items.pop(0), step.number, entries, step.image))
        self._refuse_ties(entries)
        return entries, placed

    def _items(self) -> list[str]:
        if not self.listed:
            return []
        items = self.pack.lists[self.listed].items
        return deal_order(items, self.ordinal, self.seed, self.pack.pack, "items", self.listed)

    def _piece(self, item: str, number: int, entries: Sequence[Entry], image: str = "") -> Entry:
        order = 1 + sum(entry.kind is EntryKind.PIECE for entry in entries)
        value = FactValue(type=ValueType.TEXT, text=item)
        return Entry(EntryKind.PIECE, self.listed, "", value, number, order=order, image=image)

    def _refuse_ties(self, entries: Sequence[Entry]) -> None:
        """Refuse equal numbers of which the larger one is asked."""
        if self.join is None or self.join.op == "total":
            return
        numbers = [entry.value.text for entry in entries if entry.name in self.join.of]
        if len(numbers) != len(set(numbers)):
            raise NoFitError("a tie")

    def _add_asides(self, steps: Sequence[Step], placed: Mapping[int, int]) -> list[Step]:
        return [replace(step, aside=placed.get(step.number)) for step in steps]
