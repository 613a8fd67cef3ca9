"""What a model is asked for while a question bank is written: eight types (M3Exam A.3)."""

from collections.abc import Mapping, Sequence
from typing import Any

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import ShownImage
from memassay.synth.extraction.question_tasks import ItemDrafts


def questions(
    prompt: str,
    user_name: str,
    rounds: Sequence[Mapping[str, Any]],
    facts: Sequence[Mapping[str, str]],
    count: int,
    images: Sequence[ShownImage],
    record: str,
    draw: int,
) -> Task[ItemDrafts]:
    """Questions of a type about a window of rounds.

    Args:
        prompt: Name of the task for questions of the type.
        user_name: Who the history is of.
        rounds: The window as it is quoted.
        facts: Facts noted in it, with their ids.
        count: Most that are wanted.
        images: Images of the window, for types that look at them.
        record: Where the window is, for messages.
        draw: Which window of its type it is.
    """
    inputs = {
        "user_name": user_name,
        "rounds": [dict(one) for one in rounds],
        "facts": [dict(one) for one in facts],
        "count": str(count),
    }
    return Task(prompt, inputs, ItemDrafts, images=tuple(images), record=record, draw=draw)
