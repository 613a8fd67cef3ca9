"""Rules on what is read off pictures: it is what they show, or it is put right."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactStatus,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "memassay design, the assay: the picture shows it"
_OF_IMAGE: Final = "image:"
_READ: Final = "read:"
"""Begins the slot of what was read off an image; round, form and place follow."""
_RANKS: Final = {"highest": 0, "second": 1, "lowest": -1}
"""Place of a form among values, the greatest first."""


@RULES.conversation("reading.value", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def has_been_shown(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Whoever says a value of an image has been shown it before, in the round at the latest."""
    shown: dict[str, list[str]] = defaultdict(list)
    subjects = {fact.id: fact for fact in bundle.facts if fact.subject.startswith(_OF_IMAGE)}
    for mention in bundle.mentions:
        if mention.fact in subjects and mention.modality is not Modality.TEXT:
            shown[subjects[mention.fact].subject].append(mention.round)
    for mention, fact in _read_aloud(bundle, subjects):
        rounds = shown[fact.subject]
        if rounds and min(map(natural_key, rounds)) > natural_key(mention.round):
            expected = f"an image that shows {fact.attribute} by then"
            got = f"{fact.id} in {mention.round}"
            yield problem(mention.id, ("fact",), expected, got, "show it first, or do not say it")


@RULES.conversation("reading.corrected", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def is_put_right(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What somebody misreads off an image is denied later on."""
    wrong = {
        fact.id: fact
        for fact in bundle.facts
        if fact.subject.startswith(_OF_IMAGE)
        and fact.status is FactStatus.RETRACTED
        and fact.holder is FactHolder.SPEAKER
    }
    denied = {
        mention.fact: mention.round
        for mention in bundle.mentions
        if mention.form is MentionForm.DENIED
    }
    for mention, fact in _read_aloud(bundle, wrong):
        until = denied.get(fact.id)
        if until is None or natural_key(until) <= natural_key(mention.round):
            fix = "let somebody put it right in a later round"
            yield problem(fact.id, ("status",), "a denial in a later round", until or "none", fix)


@RULES.conversation("picture.unique", Severity.ERROR, _SOURCE, looks_at=LooksAt.HISTORY)
def is_one_alone(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What is said to be the highest, second or lowest of an image is so, and alone."""
    facts = {fact.id: fact for fact in bundle.facts}
    for event in bundle.events:
        for slot, name in event.facts.items():
            _, _, form, *place = slot.split(":", 3) if slot.startswith(_READ) else ("", "", "")
            if form not in _RANKS or name not in facts:
                continue
            numbers = _numbers(event, ":".join(place[0].split(":")[:2]), facts)
            ranked = sorted(numbers.values(), reverse=True)
            best = ranked[_RANKS[form]] if len(ranked) > 1 else None
            if [one for one, number in numbers.items() if number == best] != [name]:
                fix = "say what it is without a rank"
                expected = f"the one {form} value at {slot}"
                yield problem(event.id, ("facts", slot), expected, facts[name].value.text, fix)


def _read_aloud(bundle: Bundle, facts: dict[str, Fact]) -> Iterator[tuple[Mention, Fact]]:
    """Mentions by which some facts are said, and those facts."""
    for mention in bundle.mentions:
        said = mention.modality is Modality.TEXT and mention.form is MentionForm.FULL
        if said and mention.fact in facts:
            yield mention, facts[mention.fact]


def _numbers(event: TimelineEvent, image: str, facts: dict[str, Fact]) -> dict[str, Decimal]:
    """By fact, the numbers of an image of an event but for their total."""
    found: dict[str, Decimal] = {}
    for slot, name in event.facts.items():
        fact = facts.get(name)
        if fact is None or not slot.startswith(f"{image}:") or slot == f"{image}:Total":
            continue
        try:
            found |= {name: Decimal(fact.value.text)} if fact.value.type is ValueType.NUMBER else {}
        except InvalidOperation:
            continue
    return found
