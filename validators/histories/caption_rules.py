"""Rules on captions: each describes the image that it stands under."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.validators.places import Parts, attachments
from memassay.validators.registry import RULES, problem
from memassay.validators.wording import key_words

LEAST_GAIN: Final = 0.4
"""Two captions are exchanged when each fits the other's image better, by so much together."""


@RULES.conversation("captions.exchanged", Severity.ERROR, "our choice, from attacks on releases")
def exchanged(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two images of known contents carry captions that each fit the other image better."""
    images = list(_images(bundle))
    captions = [key_words(shown.caption or "") for _, shown, _ in images]
    for left, right in combinations(range(len(images)), 2):
        pairs = ((left, right), (right, left))
        gains = [
            _share(captions[at], images[other][2]) - _share(captions[at], images[at][2])
            for at, other in pairs
        ]
        if min(gains) > 0 and sum(gains) >= LEAST_GAIN:
            for at, other in pairs:
                yield problem(
                    bundle.id,
                    (*images[at][0], "caption"),
                    f"words about what {images[at][1].asset} shows",
                    images[at][1].caption,
                    f"exchange it with the caption of {images[other][1].id}",
                )


def _images(bundle: Bundle) -> Iterator[tuple[Parts, Attachment, frozenset[str]]]:
    """Attachments of images whose contents are known, with the words that fit them."""
    titles = {event.id: event.title for event in bundle.events}
    events = {turn.id: each.event for each in bundle.conversation.rounds() for turn in each.turns}
    subjects: dict[str, set[str]] = defaultdict(set)
    facts = {fact.id: fact.subject for fact in bundle.facts}
    for mention in bundle.mentions:
        if mention.attachment is not None and mention.fact in facts:
            subjects[mention.attachment].add(facts[mention.fact])
    documents: dict[str | None, set[str]] = defaultdict(set)
    for page in bundle.assets:
        documents[page.parent].update(key_words(page.transcription or ""))
    for parts, turn, shown in attachments(bundle):
        asset = bundle.asset_by_id.get(shown.asset)
        if asset is None or not asset.transcription:
            continue
        title = titles.get(events[turn.id] or "", "")
        names = " ".join([asset.origin or "", *subjects[shown.id]])
        for mark in ":._-":
            names = names.replace(mark, " ")
        words = key_words(f"{asset.transcription} {title} {names}")
        if asset.parent is not None:
            # A page is captioned by its document and its number, which must not be any number.
            words = frozenset(
                each for each in words | documents[asset.parent] if not each.isdigit()
            )
            words |= key_words(f"page {shown.page}")
        yield parts, shown, words


def _share(caption: frozenset[str], words: frozenset[str]) -> float:
    """How much of a caption the words hold, from 0 to 1."""
    return len(caption & words) / len(caption) if caption else 0.0
