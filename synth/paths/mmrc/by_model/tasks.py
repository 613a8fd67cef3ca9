"""What a model is asked for while a planned dialogue is worded, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.synth.extraction.quoting import caption_fields
from memassay.synth.extraction.repair_tasks import UserTurn
from memassay.synth.extraction.stating import statements
from memassay.synth.paths.mmrc.by_model.briefs import TurnBrief
from memassay.synth.paths.mmrc.tasks import AssistantTurn


@dataclass(frozen=True)
class Scene:
    """Where a turn is in its dialogue.

    Attributes:
        record: Id of its round, for messages.
        topic: Category and domain of the dialogue, people and things in it.
        so_far: The rounds before it.
        later: What nobody may speak of yet, or ever.
    """

    record: str
    topic: dict[str, Any]
    so_far: Sequence[dict[str, str]]
    later: Sequence[str]


def scene_user_turn(scene: Scene, brief: TurnBrief, images: Sequence[ShownImage]) -> Task[UserTurn]:
    """The user's message of a planned round."""
    inputs = {**_inputs(scene, brief), "shown": [*map(caption_fields, brief.turn.attachments)]}
    return Task("scene_user_turn", inputs, UserTurn, images=tuple(images), record=scene.record)


def scene_assistant_turn(
    scene: Scene, brief: TurnBrief, asked: str, images: Sequence[ShownImage]
) -> Task[AssistantTurn]:
    """The assistant's reply of a planned round, over all images so far."""
    inputs = {**_inputs(scene, brief), "user_turn": asked}
    return Task(
        "scene_assistant_turn", inputs, AssistantTurn, images=tuple(images), record=scene.record
    )


def _inputs(scene: Scene, brief: TurnBrief) -> dict[str, Any]:
    return {
        "topic": scene.topic,
        "so_far": list(scene.so_far),
        "later": list(scene.later),
        "gist": brief.turn.text,
        "must_say": statements(brief.must),
    }
