"""VS: all the images that fit, one or several (Mem-Gallery A.3)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_event
from memassay.synth.questions.references.matters import events_of
from memassay.synth.questions.visual.labels import TOTAL, as_noun, is_noun
from memassay.synth.questions.visual.matching import find_matching
from memassay.synth.world.grammar import expand

_PAPERS: Final = frozenset({"receipt", "label", "ticket", "notice", "certificate", "whiteboard"})
"""Kinds whose labels people remember."""
_MOST: Final = 6
"""Most images that one question looks for (our choice)."""
_EVENTS: Final = (
    "Which [images|pictures] belong to {event}?",
    "Find all the [images|pictures] from {event}.",
    "Which [images|pictures] were [shown|shared] about {event}?",
    "Search for every [image|picture] of {event}.",
    "I need all [images|pictures] that have to do with {event}.",
)
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
    sets = [list(each(history, random)) for each in (_of_events, _of_labels)]
    yield from in_turn([*sets, single])


def _of_events(history: History, random: Random) -> Iterator[Draft]:
    """All pictures of one event."""
    shown = history.things.gallery.by_id
    by_event: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        by_event[events_of(history, picture.attachment)[0].id].append(picture)
    for event in random.sample(history.events, len(history.events)):
        held = by_event[event.id]
        if not held:
            continue
        reference = describe_event(history, event, random, plainly=True)
        pages = any(shown[one.attachment].page is not None for one in held)
        if reference is None or pages or not 1 < len(held) <= _MOST:
            continue
        where = {"subject": [one.subject for one in held], "attribute": "depicts"}
        query: Query = {"op": "select", "where": {**where, "modality": "image"}}
        slots = {"event": reference.phrase}
        yield Draft(
            expand(random.choice(_EVENTS), random, slots).text,
            get(query, "attachment"),
            AnswerFormat.IMAGE_ID,
            tuple(one.attachment for one in held),
            whole=True,
            every=True,
            references=(reference,),
        )


def _of_labels(history: History, random: Random) -> Iterator[Draft]:
    """All pictures in which one kind of things, or one label, can be seen."""
    shown = history.things.gallery.by_id
    holders: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        for key in picture.cells:
            holders[key].append(picture)
    fit = [key for key, held in sorted(holders.items()) if 1 < len(held) <= _MOST]
    for key in random.sample(fit, len(fit)):
        held = holders[key]
        kinds = {one.image.kind for one in held}
        scene = kinds == {"scene"}
        pages = any(shown[one.attachment].page is not None for one in held)
        # What one round shows twice is found as one picture is.
        together = len({one.round for one in held}) < len(held)
        spoken = scene or (kinds <= _PAPERS and is_noun(history, key, held[0].cells[key]))
        if pages or together or key == TOTAL or not spoken:
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
