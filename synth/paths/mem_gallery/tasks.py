"""What a model is asked for on the path of Mem-Gallery: stories and captions."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage


class OutlinedSession(BaseModel):
    """A session before it is written."""

    topic: str = Field(min_length=1)
    content: str = Field(min_length=1, description="Two to four sentences.")
    images: list[str] = Field(description="What the images show.")
    transition: str = Field(description="What leads here from the session before.")


class StoryOutline(BaseModel):
    """The sessions of a story, in the order of time."""

    sessions: list[OutlinedSession] = Field(min_length=1)


class WrittenRound(BaseModel):
    """One exchange."""

    user: str = Field(min_length=1)
    reply: str = Field(min_length=1)


class WrittenRounds(BaseModel):
    """Exchanges in the order of time."""

    rounds: list[WrittenRound] = Field(min_length=1)


class ImagePlace(BaseModel):
    """Where an image belongs."""

    image: str = Field(description="Id of the image.")
    round: str = Field(description="Id of the round.")
    reason: str


class ImagePlaces(BaseModel):
    """Where images belong; those that fit nowhere are left out."""

    places: list[ImagePlace]


class ImageKeywords(BaseModel):
    """What pictures would go with a text."""

    keywords: list[str] = Field(min_length=1)


class ImageCaption(BaseModel):
    """What an image is."""

    caption: str = Field(min_length=1)


def story_outline(
    profile: Mapping[str, Any], themes: Sequence[str], sessions: int, record: str = ""
) -> Task[StoryOutline]:
    """The outline of a story from a profile and themes."""
    inputs = {"profile": dict(profile), "themes": list(themes), "sessions": str(sessions)}
    return Task("story_outline", inputs, StoryOutline, record=record)


def story_dialogue(
    profile: Mapping[str, Any],
    session: OutlinedSession,
    before: Sequence[str],
    rounds: int,
    record: str = "",
) -> Task[WrittenRounds]:
    """One session written from its outline."""
    inputs = {
        "profile": dict(profile),
        "session": session.model_dump(),
        "before": list(before),
        "rounds": str(rounds),
    }
    return Task("story_dialogue", inputs, WrittenRounds, record=record)


def image_placement(
    rounds: Sequence[Mapping[str, Any]], images: Sequence[Mapping[str, Any]], record: str = ""
) -> Task[ImagePlaces]:
    """Where images belong among rounds."""
    inputs = {"rounds": [dict(one) for one in rounds], "images": [dict(one) for one in images]}
    return Task("image_placement", inputs, ImagePlaces, record=record)


def image_keywords(text: str, count: int, record: str = "") -> Task[ImageKeywords]:
    """Keywords of a text, for image search and for clustering."""
    return Task("image_keywords", {"text": text, "count": str(count)}, ImageKeywords, record=record)


def caption_image(image: ShownImage, known: str, record: str = "") -> Task[ImageCaption]:
    """The public caption of an image."""
    return Task("caption_image", {"known": known}, ImageCaption, images=(image,), record=record)
