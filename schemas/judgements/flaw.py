"""Flaws that were planted on purpose, and repairs of what an audit flagged."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record
from memassay.schemas.ids import ConversationId
from memassay.schemas.records.asset import Sha256


class FlawKind(StrEnum):
    """What an audit looks for (M3Exam §2.2, A.4, E)."""

    PERSONA = "persona"
    DRIFT = "drift"
    CONTRADICTION = "contradiction"
    HALLUCINATION = "hallucination"
    DATE_ORDER = "date_order"
    OFFENSIVE = "offensive"


class Flaw(Record):
    """A flaw that was planted into one part of a history, so that audits can be measured.

    No rule ever reads it; a release holds it beside its data.
    """

    conversation: ConversationId
    kind: Annotated[FlawKind, Field(description="What the audit should find.")]
    stage: Annotated[str, Field(min_length=1, description="Stage whose records it is in.")]
    target: Annotated[
        str,
        Field(min_length=1, description="Part it is in: id of an event, or `alex/D3_7` for D3:7."),
    ]
    form: Annotated[str, Field(min_length=1, description="Which wording or way it was planted.")]
    changed: Annotated[str, Field(description="What now stands there.")]
    clean_sha256: Sha256
    flawed_sha256: Sha256


class Repair(Record):
    """One attempt to mend one flagged part of a history; it keeps what the audit had said."""

    conversation: ConversationId
    stage: Annotated[str, Field(min_length=1, description="Stage that mended its own records.")]
    target: Annotated[str, Field(min_length=1, description="Part that was flagged and made anew.")]
    attempt: Annotated[int, Field(ge=1, description="Of at most three.")]
    rules: Annotated[list[str], Field(min_length=1, description="Rules that flagged it.")]
    messages: Annotated[list[str], Field(description="What they said, in the same order.")]
    before_sha256: Sha256
    after_sha256: Sha256
    settled: Annotated[bool, Field(description="Whether nothing flags the part any more.")]
