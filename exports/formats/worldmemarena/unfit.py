"""What of records has no place in WorldMemArena's layout."""

from collections.abc import Iterator
from typing import Final

from memassay.exports.foreign.unfit import unfit_parts
from memassay.exports.formats.worldmemarena.naming import NAME, Names, is_image
from memassay.exports.formats.worldmemarena.writing import code_of
from memassay.schemas.benchmarks.registry import CROSSWALK
from memassay.schemas.judgements.layouts import Unfit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.question import AskedAt, QAItem

_HELD: Final = ("checkpoints", "arc and event type", "ledger of", "time of turn", "evidence.facts")
"""Words by which parts are known that this layout has and plainer ones do not."""


def unfit_of(bundle: Bundle, names: Names) -> list[Unfit]:
    """What is left out of a sample, each with its reason.

    Args:
        bundle: The conversation.
        names: Ids of its parts in the file; what is not among its points has no place.
    """
    plain = unfit_parts(bundle, NAME, ("options",))
    found = [each for each in plain if not any(word in each.what for word in _HELD)]
    asked = {item.id for item in bundle.questions if _is_placed(bundle, item)}
    found = [each for each in found if each.what != "asked_at" or each.record not in asked]
    lost = [*_of_conversation(bundle, names), *_of_questions(bundle)]
    return found + [Unfit(record, what, f"{NAME} {why}") for record, what, why in lost]


def _is_placed(bundle: Bundle, item: QAItem) -> bool:
    """Whether a checkpoint of a file says when a question is asked."""
    known = {each.id for each in bundle.conversation.checkpoints}
    return item.asked_at.checkpoint is None or item.asked_at.checkpoint in known


def _of_conversation(bundle: Bundle, names: Names) -> Iterator[tuple[str, str, str]]:
    talk = bundle.conversation
    sides = (SpeakerKind.HUMAN, SpeakerKind.ASSISTANT)
    user = next((each.id for each in talk.speakers if each.kind is SpeakerKind.HUMAN), None)
    for each in talk.speakers:
        if each.name and each.id != user and each.name.lower() not in ("user", "assistant"):
            yield talk.id, f"name of speaker {each.id}", "has a user and an assistant without"
        if each.kind not in sides:
            yield talk.id, f"kind of speaker {each.id}", "has a user and an assistant"
        if each.profile is not None:
            yield talk.id, f"profile of speaker {each.id}", "has no field for it"
    points = set(names.points)
    if rest := [fact for fact in bundle.facts if fact.id not in points]:
        yield talk.id, f"{len(rest)} facts that are no points", "has no field for them"
    exact = sum(each.span is not None or each.box is not None for each in bundle.mentions)
    if exact:
        yield talk.id, f"spans and boxes of {exact} mentions", "has turns and images as places"
    for _, shown in talk.attachments():
        if not is_image(shown):
            yield talk.id, f"document {shown.id}", "has images only"


def _of_questions(bundle: Bundle) -> Iterator[tuple[str, str, str]]:
    for item in bundle.questions:
        for image in item.question.attachments:
            yield item.id, f"attachment {image.id}", "has no images of questions"
        if item.format_prompt:
            yield item.id, "format_prompt", "has no field for it"
        code = code_of(item)
        if CROSSWALK[NAME][code] is not item.type:
            yield item.id, f"type {item.type}", f"has no such type; written as {code}"
        if item.asked_at == AskedAt() and bundle.conversation.checkpoints:
            yield item.id, "that it is asked at the end", "has checkpoints; one is made for it"
