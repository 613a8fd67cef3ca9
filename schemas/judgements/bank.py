"""What a question bank made of one type, and what it dropped on the way, with the reasons."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record, Shape
from memassay.schemas.ids import ConversationId, RecordId, record_id


class DropReason(StrEnum):
    """Why a draft is dropped, beside the constraints of its type (ids of `type.*` rules)."""

    UNPROVEN = "unproven"
    OUTSIDE_WINDOW = "outside_window"
    SEEN_ELSEWHERE = "seen_elsewhere"
    GOLD_IN_QUESTION = "gold_in_question"
    REPEATED = "repeated"
    MALFORMED = "malformed"
    ONE_SIDED = "one_sided"


class Dropped(Shape):
    """Drafts that were dropped for one reason."""

    reason: Annotated[
        str,
        Field(
            min_length=1,
            description="`unproven`, `outside_window`, `seen_elsewhere`, `gold_in_question`, "
            "`repeated`, `malformed`, `one_sided`, or the id of the rule it would break.",
        ),
    ]
    drafts: Annotated[int, Field(ge=1, description="How many.")]
    examples: Annotated[
        list[str], Field(max_length=3, description="The first of them, and what was wrong.")
    ] = []


class BankTally(Record):
    """The bank of one conversation and type: what was wanted, made and dropped (M3Exam A.4)."""

    id: RecordId
    conversation: ConversationId
    code: Annotated[str, Field(min_length=1, description="The paper's code of the type.")]
    wanted: Annotated[int, Field(ge=0, description="Items asked for.")]
    kept: Annotated[int, Field(ge=0, description="Items made.")]
    dropped: Annotated[list[Dropped], Field(description="By reason, in alphabetical order.")] = []


def tally_id(conversation: str, code: str) -> str:
    """Id of the tally of a conversation and type."""
    return record_id(conversation, f"bank-{code}")


def count_more(
    tallies: Iterable[BankTally], conversation: str, asked: Mapping[str, int]
) -> Iterator[BankTally]:
    """The tallies of a bank when others ask more of its conversation.

    Args:
        tallies: Those of the bank; without any, nobody tallies.
        conversation: Id of the conversation.
        asked: How many more questions there are, by type.
    """
    known = {one.code: one for one in tallies}
    for code, number in sorted(asked.items() if known else ()):
        before = known.get(code) or BankTally(
            id=tally_id(conversation, code), conversation=conversation, code=code, wanted=0, kept=0
        )
        more = {"wanted": before.wanted + number, "kept": before.kept + number}
        yield before.model_copy(update=more)
