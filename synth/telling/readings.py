"""Readings in words: what the assistant says of a picture, and how the user puts it right."""

import re
from collections.abc import Container, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Final

from pydantic import BaseModel, ConfigDict

from memassay.schemas.ids import natural_key
from memassay.schemas.records.ledger import Fact, MentionForm
from memassay.schemas.values.text import in_person
from memassay.schemas.yaml_text import decode_yaml
from memassay.synth.world.cells.late import LATE, LATE_RIGHT, LATE_TITLE, LATE_WRONG
from memassay.synth.world.cells.readings import MISREAD, Reading, reading_in
from memassay.synth.world.grammar import NOTHING, Expansion, Randoms, expand
from memassay.synth.world.persona_file import CardSpec
from memassay.synth.world.values import number_value, spoken_value

_SENTENCES: Final = Path(__file__).parent / "readings.yaml"
_CHANGES: Final = ("up", "down")
_LEADS: Final = 0.6
"""Share of readings that open a reply; the others close it (our choice)."""
_SHORT: Final = 20
"""Words of a reply that only takes a picture in: a reading comes after it (our choice)."""
_MORE: Final = re.compile(r",| (?:of|from|on|by|at|in|for|to|with|before|after|under|inside) ")
_WHOSE: Final = frozenset({"the", "my", "your"})
PART: Final = "part:"
"""Begins the slot of a fact of which a part is said."""
_ByVoice = dict[str, list[str]]


class ReadingFile(BaseModel):
    """Sentences of readings.

    Attributes:
        voices: Voices of the assistant, one of which a conversation has.
        groups: Group of sentences by kind of picture.
        names: What a picture of a group is called.
        own_names: What a picture of a kind is called, if not like its group.
        sentences: By group, form and voice.
        correction: What the user says to put a misreading right.
        late: What the user says to put one of an earlier session right.
        thanks: What the assistant says then, by voice.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    voices: list[str]
    groups: dict[str, str]
    names: dict[str, str]
    own_names: dict[str, str]
    sentences: dict[str, dict[str, _ByVoice]]
    correction: list[str]
    late: list[str]
    thanks: _ByVoice


@lru_cache(maxsize=1)
def reading_file() -> ReadingFile:
    """The sentences that ship."""
    return ReadingFile.model_validate(
        decode_yaml(_SENTENCES, _SENTENCES.read_text(encoding="utf-8"), large=True)
    )


def short_name(about: str) -> str | None:
    """What a picture is called for short: `the split chart` of `the split chart of the trial`.

    None for one that says no more than its kind, or names several things.
    """
    head = _MORE.split(about, maxsplit=1)[0]
    words = head.split()
    return head if words[0] in _WHOSE and 2 < len(words) < 6 and head[-1] != "s" else None


def form_of(slot: str, speaker: str) -> MentionForm:
    """How a slot that was said gives its fact away: what the user puts right is denied."""
    if slot.startswith(PART):
        return MentionForm.PARTIAL
    denied = slot.startswith((MISREAD, LATE)) and speaker == "user"
    return MentionForm.DENIED if denied and slot != LATE_RIGHT else MentionForm.FULL


def _with_slots(said: Expansion, slots: Mapping[str, str]) -> Expansion:
    """A text whose spans have the slots of facts; others are left out."""
    spans = (replace(one, slot=slots[one.slot]) for one in said.spans if one.slot in slots)
    return Expansion(said.text, tuple(spans))


class Readings:
    """Words readings in the voice of a conversation's assistant.

    Their words have generators of their own: a round that is written again keeps its reading.
    """

    def __init__(self, randoms: Randoms) -> None:
        """Draw the voice of the assistant."""
        self.randoms = randoms
        self.file = reading_file()
        self.voice = randoms("assistant voice").choice(self.file.voices)

    def around(
        self,
        card: CardSpec,
        position: int,
        facts: Mapping[str, Fact],
        own: Container[str],
        values: Mapping[str, str],
        reply: Expansion,
    ) -> list[Expansion]:
        """The parts of a reply, with what the assistant reads off the pictures of its round.

        Args:
            card: The card.
            position: 0-based position of the round.
            facts: Facts by slot, those of earlier events among them.
            own: Slots of the event.
            values: What every slot says.
            reply: What the card says.
        """
        random = self.randoms("reading words", card.key, str(position))
        parts = [reply]
        if f"{MISREAD}{position - 1}" in facts or (LATE_WRONG in own and not position):
            parts.insert(0, expand(random.choice(self.file.thanks[self.voice]), random, {}))
        reading = reading_in(facts, position)
        if reading is not None:
            group = self.file.groups[card.images[reading.image].kind]
            pattern = random.choice(self.file.sentences[group][reading.form][self.voice])
            wrong = [f"{MISREAD}{position}", f"{LATE}{position}"]
            slot = next((one for one in wrong if one in own), reading.cell)
            name = self._name(card, reading, facts, values, "your")
            said = self._say(pattern, name, card, reading, facts, {"value": slot}, random)
            leads = random.random() < _LEADS and len(reply.text.split()) > _SHORT
            parts.insert(0 if leads else len(parts), said)
        return parts

    def correction(
        self,
        card: CardSpec,
        position: int,
        facts: Mapping[str, Fact],
        own: Container[str],
        values: Mapping[str, str],
    ) -> Expansion:
        """What the user says of a misreading, in the round before or an earlier session."""
        if LATE_WRONG in own and not position:
            random = self.randoms("late correction", card.key)
            wrong_fact, right = facts[LATE_WRONG], facts[LATE_RIGHT]
            said = {LATE_WRONG: wrong_fact, LATE_RIGHT: right}
            slots = {"wrong": LATE_WRONG, "value": LATE_RIGHT}
            late = {name: spoken_value(said[slot].value) for name, slot in slots.items()}
            late["place"] = right.attribute.replace("/", ", ")
            late["title"] = facts[LATE_TITLE].value.text
            return _with_slots(expand(random.choice(self.file.late), random, late), slots)
        wrong, reading = f"{MISREAD}{position - 1}", reading_in(facts, position - 1)
        if reading is None or wrong not in facts:
            return NOTHING
        random = self.randoms("correction", card.key, str(position))
        slots = {"value": reading.cell, "wrong": wrong}
        name = self._name(card, reading, facts, values, "my")
        pattern = random.choice(self.file.correction)
        return self._say(pattern, name, card, reading, facts, slots, random)

    def _say(
        self,
        pattern: str,
        picture: str,
        card: CardSpec,
        reading: Reading,
        facts: Mapping[str, Fact],
        slots: Mapping[str, str],
        random: Random,
    ) -> Expansion:
        """A sentence whose values have the slots of their facts, so that mentions note them."""
        row, _, column = reading.key.partition("/")
        values = {name: spoken_value(facts[slot].value) for name, slot in slots.items()}
        values |= {"picture": picture, "row": row, "column": column}
        values["place"] = f"{row}, {column}" if column else row
        slots = dict(slots)
        if reading.form in _CHANGES:
            values |= self._change(card, reading, facts)
            slots["change"] = f"{PART}{reading.cell}"
        elif reading.form == "missing":
            slots["row"] = f"{PART}{reading.cell}"
        return _with_slots(expand(pattern, random, values), slots)

    def _change(
        self, card: CardSpec, reading: Reading, facts: Mapping[str, Fact]
    ) -> dict[str, str]:
        """How far the last row is from the one before, and what that is called."""
        prefix = f"image:{reading.image}:"
        cells = [fact for slot, fact in facts.items() if slot.startswith(prefix)]
        cells = [fact for fact in cells if fact is not facts[f"{prefix}title"]]
        cells.sort(key=lambda fact: natural_key(fact.id))
        before, last = cells[-2:]
        spec = card.images[reading.image].value
        assert spec is not None
        apart = abs(Decimal(last.value.text) - Decimal(before.value.text))
        return {"change": spoken_value(number_value(spec, apart)), "before": before.attribute}

    def _name(
        self,
        card: CardSpec,
        reading: Reading,
        facts: Mapping[str, Fact],
        values: Mapping[str, str],
        whose: str,
    ) -> str:
        """What a picture is called; one among several of its round by its title."""
        image = card.images[reading.image]
        name = self.file.own_names.get(image.kind, self.file.names[self.file.groups[image.kind]])
        if len(card.rounds[reading.position].shows) == 1:
            about = expand(image.about, Random(0), values).text
            return short_name(in_person(about, values["user"], whose) or about) or name
        title = facts[f"image:{reading.image}:title"].value.text
        return f'{name} "{title}"'
