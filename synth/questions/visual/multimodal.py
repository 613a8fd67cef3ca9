"""mr: what an image or page shows and no text says, of one picture or joined (M3Exam A.3)."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Final

from memassay.schemas.records.parts.reference import PictureDescription
from memassay.synth.questions.drafts import Draft, in_turn, interleave
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.visual.gathered import gather
from memassay.synth.questions.visual.joined import join_evidence
from memassay.synth.questions.visual.placing import mix
from memassay.synth.questions.visual.single import drafts_of

_SINGLE: Final = 1
"""Drafts of one picture for each that joins several pieces of evidence (our choice)."""
_IMAGES: Final = 2
"""Drafts of images for each of a page of a document (our choice)."""


def multimodal(history: History, random: Random) -> Iterator[Draft]:
    """Drafts in which pages of documents, pictures, and joined evidence take turns."""
    pictures = history.pictures(random)
    shown = history.things.gallery.by_id
    pages = [each for each in pictures if shown[each.attachment].page is not None]
    images = [each for each in pictures if shown[each.attachment].page is None]
    of_images, of_pages = (
        _in_rounds(history, mix(history, each, random), pictures, random)
        for each in (images, pages)
    )
    single = interleave(of_images, of_pages, _IMAGES)
    joined = [list(gather(history, random)), list(join_evidence(history, images, random))]
    yield from interleave(single, list(in_turn(joined)), _SINGLE)


def _in_rounds(
    history: History, pictures: Sequence[Picture], others: Sequence[Picture], random: Random
) -> list[Draft]:
    """The first draft of every picture, then the second of every one, and so on.

    Those that have to count pictures of an event come last: few people remember which was second.
    """
    drawn = []
    for picture in pictures:
        found = list(drafts_of(history, picture, others, random))
        drawn.append(random.sample(found, len(found)))
    mixed = [draft for turn in zip_longest(*drawn) for draft in turn if draft is not None]
    return sorted(mixed, key=_counts)


def _counts(draft: Draft) -> bool:
    """Whether it calls its picture the first or last of several."""
    described = (reference.description for reference in draft.references)
    return any(one.place is not None for one in described if isinstance(one, PictureDescription))
