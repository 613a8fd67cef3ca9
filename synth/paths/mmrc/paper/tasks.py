"""What models are asked for in paper mode: messages, replies, and questions of an ability."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.schemas.records.conversation import Attachment
from memassay.synth.extraction.question_tasks import ItemDrafts
from memassay.synth.extraction.quoting import caption_fields
from memassay.synth.extraction.repair_tasks import UserTurn
from memassay.synth.paths.mmrc.deck import Form
from memassay.synth.paths.mmrc.tasks import AssistantTurn

_FORMS: Final[Mapping[Form, str]] = {
    "open": "The questions are open: the gold is a value, a short phrase, or a list.",
    "choice": "The questions are choices: four options, one of them right; the gold is the text of "
    "the right one.",
    "true_false": "The questions are statements to be judged: the gold is True or False.",
}
_MEANINGS: Final = {
    "IE": "All things of one kind that the user named or showed, asked for as a list.",
    "CR": "Facts of two or more rounds are put together: compared, added up, or weighed for a "
    "recommendation.",
    "IU": "Something that changed in the course of the chat, as it is in the end. The evidence is "
    "the round with the latest word.",
    "IM": "Which pictures show something, or a detail that can be seen in one of them. Where the "
    "gold is pictures, it is their ids; `steps` lists them.",
    "MR": "A detail that was said once, in one round.",
    "AR": "Something near what was said, but never said or shown, asked for as if it had been. The "
    "gold is `Not mentioned.`, and there is no evidence.",
}


@dataclass(frozen=True)
class Chat:
    """Where a message is in its chat.

    Attributes:
        record: Id of its round, for messages.
        ordinal: Number of the dialogue, which tells it from others of the same topic.
        so_far: The rounds before it.
        shown: Pictures that come with it.
        images: Their bytes.
    """

    record: str
    ordinal: int
    so_far: Sequence[dict[str, Any]]
    shown: Sequence[Attachment]
    images: Sequence[ShownImage]


def aim_user_turn(chat: Chat, aim: Mapping[str, Any], rounds_left: int) -> Task[UserTurn]:
    """The next message of somebody who has an aim and no plan."""
    inputs = {
        "aim": dict(aim),
        "so_far": list(chat.so_far),
        "shown": [caption_fields(one) for one in chat.shown],
        "scene_setting": not chat.so_far,
        "rounds_left": str(rounds_left),
    }
    return Task(
        "aim_user_turn",
        inputs,
        UserTurn,
        images=tuple(chat.images),
        record=chat.record,
        draw=chat.ordinal,
    )


def aim_assistant_turn(chat: Chat, asked: str, images: Sequence[ShownImage]) -> Task[AssistantTurn]:
    """The reply to a message, over all pictures so far."""
    inputs = {
        "so_far": list(chat.so_far),
        "user_turn": asked,
        "shown": [caption_fields(one) for one in chat.shown],
    }
    return Task(
        "aim_assistant_turn",
        inputs,
        AssistantTurn,
        images=tuple(images),
        record=chat.record,
        draw=chat.ordinal,
    )


def ability_questions(
    ability: tuple[str, str, Form],
    rounds: Sequence[Mapping[str, Any]],
    facts: Sequence[Mapping[str, str]],
    count: int,
    images: Sequence[ShownImage],
    record: str,
) -> Task[ItemDrafts]:
    """Questions of one ability about a whole dialogue.

    Args:
        ability: Code, name and form.
        rounds: The dialogue as it is quoted.
        facts: What was noted in it.
        count: How many are wanted.
        images: Its pictures, for abilities that look at them.
        record: Id of the dialogue, for messages.
    """
    code, name, form = ability
    inputs = {
        "ability": name,
        "meaning": _MEANINGS[code],
        "form": _FORMS[form],
        "rounds": [dict(one) for one in rounds],
        "facts": [dict(one) for one in facts],
        "count": str(count),
    }
    return Task("ability_questions", inputs, ItemDrafts, images=tuple(images), record=record)
