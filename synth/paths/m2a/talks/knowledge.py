"""What everybody knows of what talks tell and show: facts from outside, which no turn says."""

import re
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.records.ledger import Fact, FactHolder, FactValue, ValueType
from memassay.synth.paths.m2a.talks.beats import Talks
from memassay.synth.paths.m2a.talks.world import Subject, World, base_spec, told_facts

USE: Final = "family for it"
"""Attribute of a use: the family of things that one needs for it."""


def external_facts(world: World, talks: Talks) -> list[Fact]:
    """General knowledge about values, and about the use of what the pictures show."""
    known: dict[tuple[str, str], str] = {}
    for one, spec, fact in told_facts(world):
        value = fact.value.text
        for knowledge in base_spec(world, one, spec).known:
            if value in knowledge.of:
                known[value, knowledge.attribute] = knowledge.of[value]
    for subject in usable_subjects(world, talks):
        known[talks.uses.of[subject.family], USE] = subject.family
    return [_external(world, *key, answer) for key, answer in known.items()]


def _external(world: World, subject: str, attribute: str, value: str) -> Fact:
    local = re.sub(r"[^A-Za-z0-9-]", "", f"{subject}-{attribute}")
    return Fact(
        id=record_id(world.conversation, f"X-{local}"),
        subject=subject,
        attribute=attribute,
        value=FactValue(type=ValueType.TEXT, text=value),
        holder=FactHolder.EXTERNAL,
        citation="general knowledge",
    )


def usable_subjects(world: World, talks: Talks) -> list[Subject]:
    """The subjects of which everybody who sees a picture knows what they are there for."""
    return [one for one in world.subjects if one.family in talks.uses.of]
