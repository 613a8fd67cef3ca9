"""References: how a question speaks of a picture, an event or somebody without naming it.

A reference holds the words, what they describe, and the one thing that they mean. A description
says nothing that the records do not: it is resolved over a conversation and its ledger.
"""

from typing import Annotated, Literal

from pydantic import Field

from memassay.schemas.base import Shape
from memassay.schemas.values.civil_time import When


class Place(Shape):
    """A place in time among all that the rest of a description fits: `the second`, `the last`."""

    n: Annotated[int, Field(ge=1, description="1-based position.")]
    from_end: Annotated[bool, Field(description="Whether it is counted from the last one.")] = False
    among: Annotated[
        int | None,
        Field(ge=2, description="How many there are, where the words name all: `the two tickets`."),
    ] = None


class StatedFact(Shape):
    """A fact by what it states: enough to know it by."""

    subject: Annotated[str, Field(min_length=1, description="What it is about.")]
    attribute: Annotated[str, Field(min_length=1, description="Which property it states.")]


class Looks(Shape):
    """What everybody sees in a picture with numbers or things: `more mugs than boxes`."""

    label: Annotated[str, Field(min_length=1, description="Row, line or kind of things.")]
    relation: Annotated[
        Literal["above", "highest", "lowest"], Field(description="How it compares.")
    ]
    other: Annotated[
        str | None, Field(description="For `above`: the label that it is compared with.")
    ] = None


class EventDescription(Shape):
    """What tells an event from all others that have been told."""

    thing: Annotated[Literal["event"], Field(description="What is described.")] = "event"
    title: Annotated[str | None, Field(description="What happened, as a noun phrase.")] = None
    on: Annotated[When | None, Field(description="The day or month in which it happened.")] = None
    led_by: Annotated[str | None, Field(description="Title of the event that led to it.")] = None
    states: Annotated[
        StatedFact | None, Field(description="A fact that its telling states in words.")
    ] = None
    place: Annotated[Place | None, Field(description="Which of them, in order of time.")] = None


class PictureDescription(Shape):
    """What tells a picture or page from all others that have been shown."""

    thing: Annotated[Literal["picture"], Field(description="What is described.")] = "picture"
    noun: Annotated[str, Field(min_length=1, description="What kind of thing: `receipt`.")]
    speaker: Annotated[str | None, Field(description="Id of the speaker who sent it.")] = None
    event: Annotated[
        EventDescription | None, Field(description="The event with which it was shown.")
    ] = None
    after: Annotated[
        EventDescription | None, Field(description="An event it was shown after the telling of.")
    ] = None
    before: Annotated[
        EventDescription | None, Field(description="An event it was shown before the telling of.")
    ] = None
    on: Annotated[When | None, Field(description="The day or month in which it was shown.")] = None
    page: Annotated[int | None, Field(ge=1, description="Its page in a document.")] = None
    said: Annotated[
        StatedFact | None, Field(description="A fact that the words of its round state.")
    ] = None
    looks: Annotated[Looks | None, Field(description="What is to be seen in it.")] = None
    place: Annotated[Place | None, Field(description="Which of them, in order of time.")] = None


class SubjectDescription(Shape):
    """What tells a person, an animal or a thing with a name from all others: a fact of it."""

    thing: Annotated[Literal["subject"], Field(description="What is described.")] = "subject"
    attribute: Annotated[str, Field(min_length=1, description="Property that it has.")]
    value: Annotated[str, Field(min_length=1, description="Text of the value it has for it.")]


Description = Annotated[
    EventDescription | PictureDescription | SubjectDescription, Field(discriminator="thing")
]


class Reference(Shape):
    """A phrase of a question that means one thing by describing it."""

    phrase: Annotated[str, Field(min_length=1, description="The words, as the question has them.")]
    description: Annotated[Description, Field(description="What the words say of it.")]
    means: Annotated[
        str,
        Field(min_length=1, description="Id of the attachment or event, or name of the subject."),
    ]
