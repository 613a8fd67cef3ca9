"""Where a question about a picture looks: the event that it goes with, or the picture itself."""

from collections.abc import Collection, Sequence
from random import Random
from typing import Final, Protocol

from memassay.schemas.queries.asked.nouns import PAGE
from memassay.schemas.records.parts.reference import (
    EventDescription,
    PictureDescription,
    Reference,
)
from memassay.schemas.values.text import tokens
from memassay.synth.questions.history import History, Picture
from memassay.synth.questions.references.describing import describe_event, describe_picture
from memassay.synth.questions.references.matters import events_of
from memassay.synth.questions.visual import wordings
from memassay.synth.world.grammar import expand

_INSIDE: Final = frozenset(
    (
        "bar_chart",
        "line_chart",
        "scene",
        "cluttered_scene",
        "photo_pair",
        "double_chart",
        "table",
        "timetable",
        "calendar",
        "chat",
        "gauge",
    )
)
"""Kinds in which something is; it is on all others."""
SMALL: Final = frozenset({"a", "an", "the", "of", "for", "from", "on", "at", "to"})
"""Words that two texts share without speaking of the same."""
_TOLD: Final = 0.5
"""How far a picture goes back, of 1, where its round says of itself what event it is of."""
_BY_EVENT: Final = 0.7
"""How often what only one picture of an event has is asked for by the event alone (our choice)."""


def in_or_on(kind: str, noun: str = "") -> str:
    """What one says before a picture: in a chart, a photo or a table, else on; on a page."""
    return "in" if kind in _INSIDE and noun != PAGE else "on"


def measure_of(picture: Picture) -> str:
    """What the numbers of a chart or plan are."""
    return picture.image.measure or ("area" if picture.image.kind == "plan" else "value")


class AskOfPicture(Protocol):
    """Words a question about a picture in one way or another; see `ask_of_picture`."""

    def __call__(
        self,
        history: History,
        picture: Picture,
        cores: Sequence[str],
        slots: dict[str, str],
        random: Random,
        *,
        labels: Collection[str],
        alone: bool,
        ends: bool,
    ) -> tuple[str, tuple[Reference, ...]] | None:
        """The question and its references; None if nothing short tells the picture."""
        ...


def ask_of_picture(
    history: History,
    picture: Picture,
    cores: Sequence[str],
    slots: dict[str, str],
    random: Random,
    *,
    labels: Collection[str],
    alone: bool,
    ends: bool,
) -> tuple[str, tuple[Reference, ...]] | None:
    """A question about a picture, with the references of its text.

    Args:
        history: The written history.
        picture: What is asked about.
        cores: Patterns of what is asked, without where it is found.
        slots: What they hold.
        random: Draws the words.
        labels: What the question itself asks about, so that no description says it.
        alone: Whether no other picture of its events could answer it.
        ends: Whether it asks what is highest or lowest, which no description may say.

    Returns:
        None if nothing short tells the picture.
    """
    core = expand(f"of {random.choice(cores)}", random, slots).text.removeprefix("of ")
    page = history.things.gallery.by_id[picture.attachment].page
    if alone and page is None and random.random() < _BY_EVENT:
        event = describe_event(
            history, events_of(history, picture.attachment)[0], random, plainly=True
        )
        if event is not None:
            words = {"core": core, "event": event.phrase}
            return expand(random.choice(wordings.AT_EVENT), random, words).text, (event,)
    reference = describe_picture(
        history, picture.attachment, random, without=labels, looks=not ends
    )
    if reference is None:
        return None
    asked = reference.description
    noun = asked.noun if isinstance(asked, PictureDescription) else ""
    words = {"core": core, "ref": reference.phrase, "in": in_or_on(picture.image.kind, noun)}
    return expand(random.choice(wordings.IN_PICTURE), random, words).text, (reference,)


def beside(history: History, picture: Picture, pictures: Sequence[Picture]) -> list[Picture]:
    """The other pictures and pages that go with one of its events."""
    by_id = history.things.gallery.by_id
    own = by_id[picture.attachment].events
    return [one for one in pictures if one is not picture and own & by_id[one.attachment].events]


def mix(history: History, pictures: Sequence[Picture], random: Random) -> list[Picture]:
    """Pictures in a random order that prefers those whose own round says little of the event."""

    def order(picture: Picture) -> float:
        titles = [event.title for event in events_of(history, picture.attachment)]
        told = [history.things.rounds_telling(EventDescription(title=title)) for title in titles]
        beside = any(picture.round in group for groups in told for group in groups)
        round_ = history.bundle.round_by_id[picture.round]
        captions = [shown.caption or "" for turn in round_.turns for shown in turn.attachments]
        said = set(tokens(" ".join([*(turn.text for turn in round_.turns), *captions])))
        words = {word for title in titles for word in tokens(title)} - SMALL
        shared = len(words & said) / max(1, len(words))
        return random.random() + shared + (_TOLD if beside else 0)

    keys = {picture.attachment: order(picture) for picture in pictures}
    return sorted(pictures, key=lambda picture: keys[picture.attachment])
