"""What a model is asked for when it mends turns or sums rounds up (M3Exam §2.2, A.4, E)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.conversation import Attachment
from memassay.synth.extraction.quoting import caption_fields


class UserTurn(BaseModel):
    """What the user writes."""

    text: str = Field(min_length=1, description="The message, as its writer would send it.")


class RoundSummary(BaseModel):
    """One line of the running memory."""

    summary: str = Field(min_length=1, description="The exchange in at most 40 words.")


@dataclass(frozen=True)
class RoundRepair:
    """The place of a turn that a model is to mend.

    Attributes:
        user_name: Name of the user.
        record: Id of its round, for messages.
        recent: The rounds around it, as they are.
        draw: Which try it is.
    """

    user_name: str
    record: str
    recent: Sequence[dict[str, str]]
    draw: int = 0


def turn_repair(
    repair: RoundRepair, speaker: str, text: str, problems: Sequence[str]
) -> Task[UserTurn]:
    """A better text of a turn: what is wrong with it is put right, everything else stays."""
    inputs = {
        "user_name": repair.user_name,
        "speaker": speaker,
        "turn": text,
        "problems": list(problems),
        "recent": list(repair.recent),
    }
    return Task("turn_repair", inputs, UserTurn, record=repair.record, draw=repair.draw)


def round_summary(
    user_name: str, record: str, user: str, assistant: str, shown: Sequence[Attachment]
) -> Task[RoundSummary]:
    """A short form of an exchange for the running memory (M3Exam E, Figure 20)."""
    inputs = {
        "user_name": user_name,
        "user_turn": user,
        "assistant_turn": assistant,
        "shown": [caption_fields(one) for one in shown],
    }
    return Task("round_summary", inputs, RoundSummary, record=record)
