"""Rules on captions: each describes the image above it."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.validators.places import Parts, attachments
from memassay.validators.registry import RULES, problem
from memassay.validators.wording import key_words

LEAST_GAIN: Final = 0.4
"""Two captions are exchanged when each fits the other's image better, by so much together."""

_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth"),
    *("seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"),
)
_NTH: Final = {str(number): word for number, word in enumerate(_ORDINALS, start=1)}


class _Shown(NamedTuple):
    """An attachment of an image whose contents are known.

    Attributes:
        parts: Its place in the conversation.
        attachment: The attachment.
        caption: Words of its caption.
        words: Words that fit what the image shows.
        title: Words of the title of its event.
    """

    parts: Parts
    attachment: Attachment
    caption: frozenset[str]
    words: frozenset[str]
    title: frozenset[str]


@RULES.conversation("captions.exchanged", Severity.ERROR, "our choice, from attacks on releases")
def check_exchange(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """No two images of known contents carry captions that each fit the other image better."""
    for pair in combinations(_images(bundle), 2):
        # The second gain is only asked for where the first is one: of most pairs neither is.
        if (
            (gain := _gain(*pair)) > 0
            and (back := _gain(*pair[::-1])) > 0
            and (gain + back >= LEAST_GAIN)
        ):
            for one, other in (pair, pair[::-1]):
                yield problem(
                    bundle.id,
                    (*one.parts, "caption"),
                    f"words about what {one.attachment.asset} shows",
                    one.attachment.caption,
                    f"exchange it with the caption of {other.attachment.id}",
                )


def _gain(left: _Shown, right: _Shown) -> float:
    """How much better the caption of one image fits another than its own, from -1 to 1.

    What both captions say, and what the titles of both events do, tells two images of a series
    apart no more than two others, and is left out.
    """
    own = left.caption - right.caption
    here, there = left.words | (left.title - right.title), right.words | (right.title - left.title)
    return _share(own, there) - _share(own, here)


def _images(bundle: Bundle) -> Iterator[_Shown]:
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
        title = key_words(titles.get(events[turn.id] or "", ""))
        names = " ".join([asset.origin or "", *subjects[shown.id]])
        for mark in ":._-":
            names = names.replace(mark, " ")
        words = key_words(f"{asset.transcription} {names}")
        if asset.parent is not None:
            # A page is captioned by its document and its number, which must not be any number.
            words = frozenset(
                each for each in words | documents[asset.parent] if not each.isdigit()
            )
            words |= key_words(f"page {shown.page}")
        # `Week four` in an image is what `the fourth week` in its caption says.
        words |= {_NTH[word] for word in words if word in _NTH}
        yield _Shown(parts, shown, key_words(shown.caption or ""), words, title)


def _share(caption: frozenset[str], words: frozenset[str]) -> float:
    """How much of a caption the words hold, from 0 to 1."""
    return len(caption & words) / len(caption) if caption else 0.0
