"""Rules on what a drawn image shows: its own attachment, the values of its mentions, its kind."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactValue, MentionForm, ValueType
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.schemas.values.civil_time import day_forms, is_when
from memassay.validators.histories.asset_rules import DRAWN
from memassay.validators.places import attachments, evidence_turns, seen_whole
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import says, words

_KIND: Final = re.compile(r"([A-Za-z]+(?: [a-z]+)?):|(Page) \d+ of\b")
_SPELLED: Final = frozenset({AnswerFormat.FREE, AnswerFormat.NUMBER, AnswerFormat.DATE})


@RULES.conversation("shown.kind", Severity.ERROR, "our choice, from attacks on releases")
def kind(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A caption that names a kind of picture names the kind that was drawn."""
    for parts, _, shown in attachments(bundle):
        asset = bundle.asset_by_id.get(shown.asset)
        origin = asset.origin if asset is not None else None
        named = _KIND.match(shown.caption or "")
        if origin is None or named is None or not origin.startswith(DRAWN):
            continue
        drawn = origin.removeprefix(DRAWN).replace("_", " ")
        if (named[1] or named[2]).lower() != drawn:
            yield problem(
                bundle.id,
                (*parts, "caption"),
                f"a caption of a {drawn}",
                shown.caption,
                "caption what the image shows, or mend its origin",
            )


@RULES.conversation("shown.asset", Severity.ERROR, "our choice, from attacks on releases")
def own_asset(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An attachment for which an image was drawn that nobody else shows, shows that image.

    Attachments get other numbers when people move or merge sessions; their images keep their ids.
    """
    anywhere = {shown.asset for _, _, shown in attachments(bundle)}
    for parts, _, shown in attachments(bundle):
        own = bundle.asset_by_id.get(record_id(bundle.id, shown.id))
        drawn = own is not None and (own.origin or "").startswith(DRAWN)
        if own is not None and drawn and own.id not in anywhere:
            yield problem(
                bundle.id, (*parts, "asset"), own.id, shown.asset, "show the image drawn for it"
            )


@RULES.conversation("shown.value", Severity.ERROR, "our choice, from attacks on releases")
def value(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What can be read in a drawn image holds the value of each fact that it mentions."""
    whole = seen_whole(bundle)
    facts = {fact.id: fact for fact in bundle.facts if fact.id not in whole}
    for mention in bundle.mentions:
        asset = bundle.asset_by_id.get(mention.asset or "")
        fact = facts.get(mention.fact)
        if asset is None or fact is None or mention.form is not MentionForm.FULL:
            continue
        read = asset.transcription
        if not read or not (asset.origin or "").startswith(DRAWN):
            continue
        if not any(_holds(read, form) for form in _forms(fact.value)):
            yield problem(
                asset.id,
                ("transcription",),
                f"{fact.value.text} of {fact.id}, which {mention.id} sees there",
                read,
                "mend the transcription, the mention or the fact",
            )


def _forms(told: FactValue) -> list[str]:
    dated = told.type is ValueType.DATE and is_when(told.text)
    return [told.text, *(day_forms(told.text) if dated else [])]


def _holds(read: str, form: str) -> bool:
    # A grade `A` has no content words, as it is an article elsewhere.
    return says(read, form) if words(form) else form in read


def _in_pixels_alone(item: QAItem) -> bool:
    return (
        item.origin is ItemOrigin.MACHINE
        and item.answerable
        and bool(item.modalities)
        and Modality.TEXT not in item.modalities
        and item.answer.format in _SPELLED
    )


@question_rule(
    "shown.caption_answers",
    Severity.ERROR,
    "M3Exam 3.2, answers that need the image",
    applies=_in_pixels_alone,
)
def caption_answers(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No caption of a drawn image gives the answer of a question that needs the image itself."""
    for turn in evidence_turns(bundle, item):
        for shown in turn.attachments:
            asset = bundle.asset_by_id.get(shown.asset)
            if asset is None or not (asset.origin or "").startswith(DRAWN):
                continue
            for at, gold in enumerate(item.answer.values):
                if says(shown.caption or "", gold) and not says(item.question.text, gold):
                    yield problem(
                        item.id,
                        ("answer", "values", at),
                        f"a gold that the caption of {shown.id} does not give away",
                        shown.caption,
                        "caption what the image is, not what can be read in it",
                    )
