"""What a model that reads items and sessions replies, and what rules get to know of it.

Who answers items, and what of a history they are shown, is here too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel, Field

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.question import AnswerFormat, QAItem


class ReaderVerdict(StrEnum):
    """What a reader thinks of an item."""

    RIGHT = "right"
    WRONG = "wrong"
    UNSURE = "unsure"


class DefectKind(StrEnum):
    """What a reader finds wrong with an item."""

    CONTRADICTED = "gold contradicted"
    NOT_SAID = "gold not said"
    OTHER_PERSON = "gold of another person"
    OTHER_TIME = "gold of another time or occasion"
    INCOMPLETE = "gold incomplete"
    TOO_MUCH = "gold has too much"
    TOO_BROAD = "gold too broad"
    FORM = "wrong form"
    ASKS_ELSE = "question asks something else"
    PRESUPPOSES = "question presupposes what did not happen"
    SEVERAL = "several answers fit"
    UNSUPPORTED = "evidence does not hold it"
    SAID_OTHERWISE = "said otherwise elsewhere"
    TAKEN_BACK = "taken back later"
    ANSWERED = "answered though refused"
    CAPTION = "caption says otherwise"
    OTHER = "other"


class ReadDefect(BaseModel):
    """One thing that is wrong with an item."""

    kind: DefectKind
    place: str = Field(description="Place of the round or image that shows it; empty if none does.")
    quote: str = Field(description="Words of that place, copied; empty if none show it.")
    why: str = Field(description="In one or two sentences.")

    @property
    def other(self) -> str:
        """An item has one place that shows what is wrong."""
        return ""


class ReaderReply(BaseModel):
    """What a reader says of one item."""

    id: str = Field(description="Id of the item, as it is given.")
    steps: str = Field(description="Your own answer and how it follows, in a few sentences.")
    defects: list[ReadDefect] = Field(description="What is wrong; empty if nothing is.")
    better: str = Field(description="The answer that the rounds give; empty if they give none.")
    verdict: ReaderVerdict


class ToldDefectKind(StrEnum):
    """What a reader finds wrong with a round of a history."""

    MISPLACED = "does not fit its place"
    CONTRADICTS = "contradicts another round"
    SPEAKER = "said by the wrong person"
    PICTURE = "picture of something else"
    DATE = "wrong day or time"
    NEVER_TOLD = "refers to what was never told"
    REPEATED = "said twice"
    BROKEN = "broken text"
    OTHER = "other"


class ToldDefect(BaseModel):
    """One thing that is wrong with a round."""

    kind: ToldDefectKind
    place: str = Field(description="Place of the round, or of the image in it.")
    quote: str = Field(description="Words of that place, copied.")
    other: str = Field(description="Place of the round that it goes against; empty if none.")
    why: str = Field(description="In one or two sentences.")


class ToldReply(BaseModel):
    """What a reader says of one session."""

    id: str = Field(description="Id of the session, as it is given.")
    steps: str = Field(description="What happens in the session, in one or two sentences.")
    defects: list[ToldDefect] = Field(description="What is wrong; empty if nothing is.")


class ItemsReply(BaseModel):
    """What a reader says of several items of one history."""

    replies: list[ReaderReply] = Field(description="One for each item, in their order.")


class SessionsReply(BaseModel):
    """What a reader says of several sessions of one history."""

    replies: list[ToldReply] = Field(description="One for each session, in their order.")


Reply = TypeVar("Reply", bound=ReaderReply | ToldReply)


class Shown(Protocol):
    """What shows a defect: a place, words that stand there, and a place it goes against."""

    @property
    def place(self) -> str:
        """Of a round or an image; several with commas between them."""
        ...

    @property
    def quote(self) -> str:
        """Words that stand there."""
        ...

    @property
    def other(self) -> str:
        """What it goes against; empty if nothing."""
        ...


@dataclass(frozen=True)
class Reading(Generic[Reply]):
    """How the reading of an item or a session ended.

    Attributes:
        reader: Name of the model.
        reply: What it says; None where no reply could be used.
        shown: The text that it was shown, by the place of a round or an image, of every place
            that the reply names.
        seen: Places of the images that it was shown as images.
        problem: Why there is no reply.
    """

    reader: str
    reply: Reply | None = None
    shown: Mapping[str, str] = field(default_factory=dict)
    seen: frozenset[str] = frozenset()
    problem: str = ""


ItemReading = Reading[ReaderReply]
SessionReading = Reading[ToldReply]


def quoted_item(item: QAItem) -> dict[str, Any]:
    """An item as a reader is shown it, without its history."""
    asked = [quoted_image(one) for one in item.question.attachments]
    return {
        "id": item.id,
        "question": {"text": item.question.text, "images": asked},
        "form": _form(item),
        "gold": _gold(item),
    }


def quoted_image(attachment: Attachment) -> str:
    """Id and caption of an image, which a reader may not see."""
    return f"{attachment.id}: {attachment.caption or 'no caption'}"


def _gold(item: QAItem) -> dict[str, Any]:
    """The gold and what is said about it; an unanswerable item says so."""
    answer = item.answer
    refused = not item.answerable or answer.format is AnswerFormat.REFUSAL
    told: dict[str, Any] = {
        "answers": answer.values,
        "held to be": "unanswerable: the conversation does not say" if refused else "",
        "all needed": len(answer.values) > 1 and str(answer.relation) != "one",
        "as right": answer.equivalents,
        "less precise": answer.coarser,
        "wrong answers that the question invites": answer.traps,
        "candidates that must lose": answer.competitors,
        "evidence": item.evidence.canonical or [one[0] for one in item.evidence.groups],
    }
    return {name: value for name, value in told.items() if value}


def _form(item: QAItem) -> str:
    """What the answer is to look like; the options, where there are some."""
    options = "; ".join(f"{one.label}. {one.text}" for one in item.answer.options)
    kind = str(item.answer.format).replace("_", " ")
    # That a question is to be refused is said of the gold; it was not asked for.
    asked = "free" if item.answer.format is AnswerFormat.REFUSAL else kind
    return " | ".join(one for one in (asked, options, item.format_prompt or "") if one)


def session_reading_key(conversation: str, session: str) -> str:
    """The name of a session among readings, which no item can have."""
    return f"session {conversation}/{session}"


@dataclass(frozen=True)
class Condition:
    """What an answerer is shown of a history when it is asked an item.

    Attributes:
        name: E.g. `closed-book`, `evidence-only`.
        rounds: Ids of the rounds shown, in order; None where the history is not spoken of.
        images: Whether images are shown; else their captions alone.
    """

    name: str
    rounds: tuple[str, ...] | None
    images: bool = True


class Answerer(Protocol):
    """Who answers an item from what it is shown: a model, or a baseline."""

    name: str

    def answers(self, bundle: Bundle, item: QAItem, conditions: Sequence[Condition]) -> list[str]:
        """The answers to an item, one for each condition.

        Raises:
            MemassayError: It cannot answer.
        """
        ...
