"""Alterations: what was changed when single dialogues became one life (Mem-Gallery A.2.3)."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion
from memassay.schemas.ids import RecordId


class AlterationKind(StrEnum):
    """What was done to a dialogue, or beside it."""

    REWRITE = "rewrite"
    BRIDGE = "bridge"
    EXTENSION = "extension"
    PLANT = "plant"
    LEFT_OUT = "left_out"


class Alteration(Record):
    """One change that joining dialogues made, beside what was there before.

    Its id is `<conversation>/A0001`, in the order of the finished conversation.
    """

    READABLE_SINCE: ClassVar[int] = 3

    schema_version: SchemaVersion = 3
    kind: Annotated[
        AlterationKind,
        Field(
            description="rewrite: a turn says something else; bridge: a turn that leads from one "
            "session to the next; extension: a new session; plant: a turn that corrects, changes "
            "or contradicts on purpose; left_out: a dialogue that fits no life."
        ),
    ]
    place: Annotated[
        str,
        Field(
            min_length=1,
            description="Turn, round or session of the finished conversation: `D3:7.1`; of "
            "left_out the dialogue: `alex/D3`.",
        ),
    ]
    before: Annotated[str, Field(description="The text as it was; empty for what is new.")] = ""
    after: Annotated[str, Field(description="The text as it is; empty for what was taken out.")] = (
        ""
    )
    reason: Annotated[
        str, Field(min_length=1, description="Why, and what it agrees with or contradicts.")
    ]
    facts: Annotated[
        list[RecordId], Field(description="Facts that a plant or an extension brings.")
    ] = []
