"""VS: all the images that fit, one or several (Mem-Gallery A.3)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.visual.labels import TOTAL, as_noun, is_noun
from memassay.synth.questions.visual.matching import find_matching
from memassay.synth.world.grammar import expand

_MOST: Final = 6
"""Most images that one question looks for (our choice)."""
_THINGS: Final = (
    "[Which images|Which pictures] show {label}?",
    "Find all the [images|pictures] with {label} in them.",
    "In which [images|pictures] can {label} be seen?",
    "Search for every [image|picture] that shows {label}.",
    "Where did {label} come up in a [picture|photo]? Give every image.",
)
_LINES: Final = (
    "Which [images|pictures] say something about the {label}?",
    "Find all the [images|pictures] that give the {label}.",
    "On which [images|pictures] can the {label} be read?",
    "Search for every [image|picture] with the {label} on it.",
    "I need all [images|pictures] that show the {label}.",
)


def search_images(history: History, random: Random) -> Iterator[Draft]:
    """VS: images by what they show together, and single ones as somebody remembers them."""
    single = [
        replace(draft, every=True, competitors=()) for draft in find_matching(history, random)
    ]
    yield from in_turn([list(_sets(history, random)), single])


def _sets(history: History, random: Random) -> Iterator[Draft]:
    """All pictures in which one kind of things, or one label, can be seen."""
    shown = history.things.gallery.by_id
    holders: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        for key in picture.cells:
            holders[key].append(picture)
    fit = [key for key, held in sorted(holders.items()) if 1 < len(held) <= _MOST]
    for key in random.sample(fit, len(fit)):
        held = holders[key]
        scene = all(one.image.kind == "scene" for one in held)
        pages = any(shown[one.attachment].page is not None for one in held)
        if pages or key == TOTAL or not (scene or is_noun(history, key, held[0].cells[key])):
            continue
        query: Query = {"op": "select", "where": {"attribute": key, "modality": "image"}}
        patterns = _THINGS if scene else _LINES
        label = key if scene else as_noun(key)
        text = expand(random.choice(patterns), random, {"label": label}).text
        about = tuple(one.attachment for one in held)
        yield Draft(
            text,
            get(query, "attachment"),
            AnswerFormat.IMAGE_ID,
            about,
            whole=True,
            every=True,
        )
