"""Pictures that belong together: all of an event, or all that show a thing or give a label."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

from memassay.schemas.records.parts.reference import Reference
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, in_turn
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_event
from memassay.synth.questions.references.matters import events_of
from memassay.synth.questions.references.phrasing import says_name
from memassay.synth.questions.visual.gathered import series_of
from memassay.synth.questions.visual.labels import TOTAL, as_noun, is_noun
from memassay.synth.world.grammar import expand

_PAPERS: Final = frozenset({"label", "ticket", "notice", "certificate", "whiteboard"})
"""Kinds with labels that people remember."""
_MOST: Final = 6
"""Most images that one question looks for (our choice)."""
_TOGETHER: Final = (
    "How many {label} are there in all the photos, in total?",
    "In total, how many {label} can be counted in the photos?",
    "Altogether, how many {label} do the photos show?",
    "How many {label} do all of {user}'s photos show in total?",
    "If all the photos are taken together, how many {label} are there altogether?",
)
_Patterns = tuple[str, ...]


class _Words(NamedTuple):
    """How pictures of one sort are looked for and counted."""

    which: _Patterns
    how_many: _Patterns


_EVENTS: Final = _Words(
    (
        "Which of the [images|pictures] are about {event}?",
        "Find all the [images|pictures] that were shared about {event}.",
        "Please search for all [images|pictures] about {event}.",
        "Which [images|pictures] were [shown|shared] about {event}?",
        "I need all the [images|pictures] about {event} again.",
    ),
    (
        "How many [images|pictures] were [shown|shared] about {event}?",
        "How many [images|pictures] about {event} are there in the conversation?",
        "How many of the [images|pictures] are about {event}?",
        "In total, how many [images|pictures] were shared about {event}?",
    ),
)
_EVENTS_SHARED: Final = _Words(
    (
        "Which [images|pictures] did {user} share about {event}?",
        "Find all the [images|pictures] that {user} shared about {event}.",
        "Which of the [images|pictures] that {user} shared are about {event}?",
    ),
    (
        "How many [images|pictures] did {user} share about {event}?",
        "How many of the [images|pictures] that {user} shared are about {event}?",
        "How many [images|pictures] about {event} did {user} share in total?",
    ),
)
"""The same where the event does not name who shared them."""
_THINGS: Final = _Words(
    (
        "[Which images|Which pictures] show {label}?",
        "Find all the [images|pictures] with {label} in them.",
        "In which [images|pictures] can {label} be seen?",
        "Search for every [image|picture] that shows {label}.",
        "Which of the [images|pictures] have {label} in them?",
    ),
    (
        "How many [photos|of the photos] show {label}?",
        "In how many photos can {label} be seen?",
        "How many of the photos have {label} in them?",
        "How many photos with {label} did {user} share?",
        "How many photos that {user} shared show {label}?",
    ),
)
_LINES: Final = _Words(
    (
        "On which [images|pictures] is the {label} [given|noted]?",
        "Find all the [images|pictures] that give the {label}.",
        "Which [images|pictures] give the {label}?",
        "Search for every [image|picture] on which the {label} is given.",
    ),
    (
        "On how many [images|pictures] is the {label} [given|noted]?",
        "How many of the [images|pictures] give the {label}?",
        "How many [images|pictures] that {user} shared give the {label}?",
    ),
)
_ITEMS: Final = _Words(
    (
        'Which [images|pictures] show [a bill|a receipt] with "{label}" on it?',
        'On which bills can "{label}" be read? Name the images.',
        'Find all the [images|pictures] of bills that list "{label}".',
        'Which of the bills list "{label}"? Name the images.',
    ),
    (
        'How many of the bills list "{label}"?',
        'On how many bills can "{label}" be read?',
        'How many bills with "{label}" on them did {user} share?',
    ),
)


class PictureSet(NamedTuple):
    """Pictures that one phrase means, in the order in which they were shown.

    Attributes:
        pictures: All that fit.
        query: Their facts.
        slots: What fills the patterns.
        words: The patterns.
        references: What the slots describe.
    """

    pictures: list[Picture]
    query: Query
    slots: dict[str, str]
    words: _Words
    references: tuple[Reference, ...] = ()

    def draft(self, random: Random, *, counted: bool) -> Draft:
        """A question which they are, or how many."""
        patterns = self.words.how_many if counted else self.words.which
        count: Query = {"op": "count", "of": self.query, "distinct": "attachment"}
        return Draft(
            expand(random.choice(patterns), random, self.slots).text,
            count if counted else get(self.query, "attachment"),
            AnswerFormat.NUMBER if counted else AnswerFormat.IMAGE_ID,
            tuple(one.attachment for one in self.pictures),
            whole=True,
            every=not counted,
            references=self.references,
        )


def find_sets(history: History, random: Random) -> list[PictureSet]:
    """Sets of several pictures: two of a label, often of several sessions, then one of an event."""
    labels, events = (list(make(history, random)) for make in (_of_labels, _of_events))
    return list(in_turn([labels[::2], labels[1::2], events]))


def count_sets(history: History, random: Random) -> list[Draft]:
    """VR: how many pictures there are of an event, of a thing, of bills with an item."""
    sets = [one for one in find_sets(history, random) if one.words is not _LINES]
    # Sizes take turns, so that no answer is right too often.
    by_size: dict[int, list[PictureSet]] = defaultdict(list)
    for one in sets:
        by_size[len(one.pictures)].append(one)
    sizes = random.sample(sorted(by_size), len(by_size))
    return [one.draft(random, counted=True) for one in in_turn([by_size[size] for size in sizes])]


def sum_things(history: History, random: Random) -> Iterator[Draft]:
    """VR: how many things of a kind all photos show together."""
    series = [one for one in series_of(history, random) if one.kind == "scene"]
    # Those of many photos first: of two, people ask for the difference.
    mixed = random.sample(series, len(series))
    for one in sorted(mixed, key=lambda one: -len(one.facts)):
        total: Query = {"op": "fold", "of": one.query, "with": "sum"}
        slots = {"label": one.label, "user": history.persona.name}
        text = expand(random.choice(_TOGETHER), random, slots).text
        about = tuple(fact.id for fact in one.facts)
        yield Draft(text, total, AnswerFormat.NUMBER, about, whole=True)


def _of_events(history: History, random: Random) -> Iterator[PictureSet]:
    """All pictures of one event."""
    shown = history.things.gallery.by_id
    user = history.persona.name
    by_event: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        by_event[events_of(history, picture.attachment)[0].id].append(picture)
    for event in random.sample(history.events, len(history.events)):
        held = by_event[event.id]
        pages = any(shown[one.attachment].page is not None for one in held)
        if pages or not 1 < len(held) <= _MOST:
            continue
        reference = describe_event(history, event, random, plainly=True)
        if reference is None or " about " in reference.phrase:
            continue
        where = {"subject": [one.subject for one in held], "attribute": "depicts"}
        query: Query = {"op": "select", "where": {**where, "modality": "image"}}
        slots = {"event": reference.phrase, "user": user}
        words = _EVENTS if says_name(user, reference.phrase) else _EVENTS_SHARED
        yield PictureSet(held, query, slots, words, (reference,))


def _of_labels(history: History, random: Random) -> Iterator[PictureSet]:
    """All pictures in which one kind of things, or one label, can be seen."""
    shown = history.things.gallery.by_id
    holders: dict[str, list[Picture]] = defaultdict(list)
    for picture in history.pictures(random):
        for key in picture.cells:
            holders[key].append(picture)
    fit = [key for key, held in sorted(holders.items()) if 1 < len(held) <= _MOST]
    mixed = random.sample(fit, len(fit))
    # Those of several sessions first, as events are of one.
    for key in sorted(mixed, key=lambda key: len({_session(one) for one in holders[key]}) == 1):
        held = holders[key]
        pages = any(shown[one.attachment].page is not None for one in held)
        # What one round shows twice is found as one picture is.
        together = len({one.round for one in held}) < len(held)
        words = _words_of(history, key, held)
        if pages or together or key == TOTAL or words is None:
            continue
        query: Query = {"op": "select", "where": {"attribute": key, "modality": "image"}}
        label = as_noun(key) if words is _LINES else key
        yield PictureSet(held, query, {"label": label, "user": history.persona.name}, words)


def _session(picture: Picture) -> str:
    return picture.round.partition(":")[0]


def _words_of(history: History, key: str, held: Sequence[Picture]) -> _Words | None:
    """How one asks for what pictures have in common; None where it cannot be said."""
    kinds = {one.image.kind for one in held}
    if kinds == {"scene"}:
        return _THINGS
    if kinds == {"receipt"}:
        return _ITEMS
    # `The content` of what? Two words say more.
    told = " " in key and kinds <= _PAPERS and is_noun(history, key, held[0].cells[key])
    return _LINES if told else None
