"""What a model is asked for on the path of Mem-Gallery: stories, images, questions."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.ids import record_id
from memassay.schemas.records.persona import Persona
from memassay.synth.drafting.bank import Request
from memassay.synth.extraction.question_tasks import ItemDrafts
from memassay.synth.extraction.quoting import seeds
from memassay.synth.questions.kinds import QuestionKind

_MEANINGS: Final = {
    "FR": "A fact that one round states, or several of which each states a part.",
    "VS": "All images that show something: what they show is described, and `steps` lists the ids "
    "of all that fit and of no others.",
    "TR": "When something happened, how long something took, which of several things came first, "
    "or in which order they came.",
    "VR": "Something that follows from what one or more images show and that no text says: a "
    "count, a comparison, a likeness, what changed from one to another.",
    "MR": "Something that puts together what is said of several people, animals, things or places.",
    "KR": "Something that was corrected or that changed, as it is in the end. The evidence is the "
    "round with the latest word and the one before.",
    "CD": "A claim about something that the rounds say, stated in the question; the gold is `Yes.` "
    "if it conflicts with them and `No.` if it does not. About half of the claims conflict.",
    "AR": "Something near what is said, but never said or shown: of somebody or something else, or "
    "one detail more. The gold is `Not mentioned.`, and there is no evidence.",
}
"""What a question of each type asks (Mem-Gallery A.3)."""


def _name(text: str) -> str:
    """A name: prompts use it beside their own words."""
    if not "".join(sign for sign in text if sign not in " -.'’").isalnum():
        raise ValueError(f"expected a name, got {text[:40]!r}")
    return text


Name = Annotated[str, AfterValidator(_name)]


class StoryProfile(BaseModel):
    """Who a story is about, and its themes."""

    name: Name = Field(min_length=1, max_length=40, description="What everybody calls them.")
    profession: str = Field(min_length=1, description="In a few words.")
    summary: str = Field(min_length=1, description="A short biography.")
    traits: list[str] = Field(description="Character, one word or phrase each.")
    style: str = Field(description="How they write, in one sentence.")
    story: str = Field(min_length=1, description="What they pursue over time, one paragraph.")
    themes: list[str] = Field(min_length=1, description="What the conversation is about.")


class OutlinedSession(BaseModel):
    """A session before it is written."""

    topic: str = Field(min_length=1, description="A noun phrase.")
    content: str = Field(min_length=1, description="Two to four sentences.")
    images: list[str] = Field(description="What each shows, two to five words to search for.")
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


def story_profile(about: str, name: str) -> Task[StoryProfile]:
    """Profile and themes of a protagonist.

    Args:
        about: What a recipe says of them; empty where it leaves that to the model.
        name: Id of the conversation.
    """
    return Task("story_profile", {"about": about, "label": name}, StoryProfile, record=name)


def story_outline(persona: Persona, days: Sequence[str], images: int) -> Task[StoryOutline]:
    """The outline of a story, a session for each of some days.

    Args:
        persona: The protagonist, with the themes.
        days: When the sessions are, in the order of time.
        images: How many images a session needs.
    """
    inputs = {"profile": seeds(persona), "days": list(days), "images": str(images)}
    return Task("story_outline", inputs, StoryOutline, record=persona.conversation)


def story_dialogue(
    persona: Persona, session: Mapping[str, Any], every: Sequence[Mapping[str, Any]], rounds: int
) -> Task[WrittenRounds]:
    """One session written from its outline.

    Args:
        persona: The protagonist.
        session: The outline of the session, with its images.
        every: The outlines of all sessions.
        rounds: How many rounds are wanted.
    """
    inputs = {
        "profile": seeds(persona),
        "outline": [dict(one) for one in every],
        "session": dict(session),
        "rounds": str(rounds),
    }
    where = record_id(persona.conversation, session["session"])
    return Task("story_dialogue", inputs, WrittenRounds, record=where)


def image_placement(
    rounds: Sequence[Mapping[str, Any]],
    images: Sequence[Mapping[str, Any]],
    shown: Sequence[ShownImage],
    record: str,
) -> Task[ImagePlaces]:
    """Where images belong among the rounds of a session.

    Args:
        rounds: As they are quoted.
        images: Ids and captions.
        shown: The images themselves, under their ids.
        record: The session.
    """
    inputs = {"rounds": [dict(one) for one in rounds], "images": [dict(one) for one in images]}
    return Task("image_placement", inputs, ImagePlaces, images=tuple(shown), record=record)


def story_questions(kind: QuestionKind, request: Request) -> Task[ItemDrafts]:
    """Questions of a type about a window of rounds."""
    inputs = {
        "meaning": _MEANINGS[kind.code],
        "rounds": request.rounds,
        "facts": request.facts,
        "count": str(request.count),
        "user_name": request.user_name,
    }
    return Task(
        "story_questions",
        inputs,
        ItemDrafts,
        images=request.images,
        record=request.record,
        draw=request.draw,
    )
