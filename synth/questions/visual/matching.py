"""Drafts of questions that ask for an image: fm (M3Exam A.3), as somebody would remember it."""

from collections.abc import Iterator
from decimal import Decimal
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_event, describe_picture
from memassay.synth.questions.visual import wordings
from memassay.synth.questions.visual.joined import label_words, pairs_alike
from memassay.synth.world.grammar import expand

_RIVALS: Final = 3
"""Most images that must lose."""
_DEPICTS: Final = "depicts"
_ENDS: Final = (("max", "highest"), ("min", "lowest"))


def find_matching(history: History, random: Random) -> Iterator[Draft]:
    """fm: an image by what it was shown with, by what is in it, or by a comparison."""
    shown = history.things.gallery.by_id
    # A page is no image of its own; an image without others beside it is no search.
    pictures = [each for each in history.pictures(random) if shown[each.attachment].page is None]
    pictures = random.sample(pictures, len(pictures))
    yield from in_turn(
        [
            list(_descriptions(history, pictures, random)),
            list(_contrasts(history, pictures, random)),
            list(_contents(history, pictures, random)),
        ]
    )


def _select(attribute: str, *pictures: Picture) -> Query:
    subjects = [picture.subject for picture in pictures]
    subject = subjects if len(subjects) > 1 else subjects[0]
    where = {"subject": subject, "attribute": attribute, "modality": "image"}
    return {"op": "select", "where": where}


def _rivals(history: History, picture: Picture, random: Random) -> tuple[str, ...]:
    """Images that must lose: alike in kind and near it first."""
    shown = history.things.gallery.by_id
    own = shown[picture.attachment]
    others = [each for each in shown.values() if each.page is None and each is not own]
    mixed = random.sample(others, len(others))

    def order(each: object) -> tuple[bool, bool]:
        other = shown[getattr(each, "attachment", "")]
        return other.kind != own.kind, other.session != own.session

    return tuple(each.attachment for each in sorted(mixed, key=order)[:_RIVALS])


def _descriptions(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    for picture in pictures:
        reference = describe_picture(history, picture.attachment, random)
        if reference is not None:
            text = expand(random.choice(wordings.MATCH), random, {"ref": reference.phrase}).text
            yield Draft(
                text,
                get(_select(_DEPICTS, picture), "attachment"),
                AnswerFormat.IMAGE_ID,
                (picture.attachment,),
                competitors=_rivals(history, picture, random),
                references=(reference,),
            )


def _contents(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """By what only one picture of all has in it: a kind of things, an item, a line."""
    holders: dict[str, list[Picture]] = {}
    for picture in history.pictures(random):
        for label in {part for key in picture.cells for part in (key, *key.split("/"))}:
            holders.setdefault(label, []).append(picture)
    patterns = {"scene": wordings.MATCH_THINGS, "receipt": wordings.MATCH_PRICE}
    for picture in pictures:
        kind = picture.image.kind
        if kind not in patterns:
            continue
        own = [label for label in sorted(picture.cells) if len(holders[label]) == 1]
        for label in random.sample(own, min(1, len(own))):
            query: Query = {"op": "select", "where": {"attribute": label, "modality": "image"}}
            text = expand(random.choice(patterns[kind]), random, {"label": label}).text
            yield Draft(
                text,
                get(query, "attachment"),
                AnswerFormat.IMAGE_ID,
                (picture.attachment,),
                competitors=_rivals(history, picture, random),
            )


def _contrasts(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """The one of an event's pictures in which something is more, or less, than in the others."""
    for event in random.sample(history.events, len(history.events)):
        shown = [
            each
            for each in pictures
            if event.id in history.things.gallery.by_id[each.attachment].events
        ]
        reference = describe_event(history, event, random, plainly=True)
        if reference is None:
            continue
        for one, other, labels in pairs_alike(history, shown, random):
            label = random.choice(labels)
            compared = [
                each for each in shown if each.image.kind == one.image.kind and label in each.cells
            ]
            nouns = _common_noun(history, compared)
            if other not in compared or nouns is None:
                continue
            which, end = random.choice(_ENDS)
            facts = sorted(
                (each.cells[label] for each in compared), key=lambda fact: Decimal(fact.value.text)
            )
            best = facts[-1] if which == "max" else facts[0]
            picture = next(each for each in compared if each.cells[label] is best)
            of = _select(label, *compared)
            query: Query = {"op": "pick", "of": of, "by": "value", "which": which}
            patterns = wordings.MATCH_MOST if one.image.kind == "scene" else wordings.MATCH_HIGHER
            said = label if one.image.kind == "scene" else label_words(label)
            slots = {"nouns": f"{nouns}s", "event": reference.phrase, "label": said, "end": end}
            yield Draft(
                expand(random.choice(patterns), random, slots).text,
                get(query, "attachment"),
                AnswerFormat.IMAGE_ID,
                tuple(each.attachment for each in compared),
                competitors=tuple(each.attachment for each in compared if each is not picture),
                references=(reference,),
                whole=True,
            )


def _common_noun(history: History, pictures: list[Picture]) -> str | None:
    """A noun that fits all of them and is more than `picture`, if there is one."""
    nouns = [history.things.gallery.by_id[each.attachment].nouns for each in pictures]
    found = sorted(frozenset.intersection(*nouns) - {"picture", "image"})
    return found[0] if found else None
