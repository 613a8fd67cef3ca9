"""VS: all the images that fit, one or several (Mem-Gallery A.3)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn, interleave
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.visual.gathered import series_of
from memassay.synth.questions.visual.image_wordings import THINGS
from memassay.synth.questions.visual.matching import best_images
from memassay.synth.questions.visual.naming import name_of
from memassay.synth.questions.visual.placing import mix
from memassay.synth.questions.visual.sets import find_sets
from memassay.synth.world.grammar import expand

_SINGLE: Final = 3
"""Questions for one image for each that needs several (our choice: 1.91 clues, Table 6)."""
_SETS: Final = 2
"""Sets for each picture that is compared with others."""
_BEST: Final = frozenset({"scene", "ticket"})
"""Kinds of which one asks for the picture with most of something, or the cheapest."""
_NAMED: Final = (
    "Which [image|picture] is {name}?",
    "[I am looking for|Please find] {name}. Which image is it?",
    "I need {name} again. Which image is it?",
    "Somebody asked for {name}. Which image should I send?",
    "Do you [remember|recall] {name}? Which image was that?",
    "Please help me find {name}. Which image is it?",
)
_NAMED_PAPER: Final = (
    "Which [image|picture] shows {name}?",
    "[In which|On which] image can I see {name}?",
)
"""The same of what is no photo itself."""
_ITEMS: Final = (
    'Which [image|picture] shows [a bill|the bill] with "{label}" on it?',
    'On which bill is "{label}"? Name the image.',
    'Which of the bills lists "{label}"? Name the image.',
    'Please find the bill that lists "{label}". Which image is it?',
)


def search_images(history: History, random: Random) -> Iterator[Draft]:
    """VS: single images as somebody remembers them, and sets by what they show together."""
    pictures = mix(history, history.pictures(random), random)
    named, held = _by_names(history, pictures, random), _by_labels(history, pictures, random)
    best = [
        replace(draft, every=True, competitors=())
        for draft in best_images(
            history,
            pictures,
            [one for one in series_of(history, random) if one.kind in _BEST],
            random,
        )
    ]
    sets = [one.draft(random, counted=False) for one in find_sets(history, random)]
    single = list(in_turn([list(held), list(named)]))
    yield from interleave(single, interleave(sets, best, _SETS), _SINGLE)


def _by_names(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """Every picture by what its caption calls it."""
    for picture in pictures:
        name = name_of(history, picture.attachment)
        if name is None:
            continue
        where = {"subject": picture.subject, "attribute": "depicts", "modality": "image"}
        photo = "photo" in history.things.gallery.by_id[picture.attachment].nouns
        patterns = _NAMED if photo else (*_NAMED, *_NAMED_PAPER)
        yield _draft(patterns, {"name": name}, where, picture, random)


def _by_labels(history: History, pictures: list[Picture], random: Random) -> Iterator[Draft]:
    """By a kind of things, or an item of a bill, that only one picture of all has."""
    holders: dict[str, int] = defaultdict(int)
    for picture in history.pictures(random):
        for label in {part.casefold() for key in picture.cells for part in (key, *key.split("/"))}:
            holders[label] += 1
    wordings = {"scene": THINGS, "receipt": _ITEMS}
    for picture in pictures:
        own = [key for key in sorted(picture.cells) if holders[key.casefold()] == 1]
        for label in random.sample(own, min(1, len(own))):
            if picture.image.kind in wordings:
                where = {"attribute": label, "modality": "image"}
                patterns = wordings[picture.image.kind]
                yield _draft(patterns, {"label": label}, where, picture, random)


def _draft(
    patterns: tuple[str, ...],
    slots: dict[str, str],
    where: Query,
    picture: Picture,
    random: Random,
) -> Draft:
    text = expand(random.choice(patterns), random, slots).text
    query = get({"op": "select", "where": where}, "attachment")
    return Draft(text, query, AnswerFormat.IMAGE_ID, (picture.attachment,), every=True)
