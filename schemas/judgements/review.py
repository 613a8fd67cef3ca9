"""What people decide about records, and the edits they put over them."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from memassay.schemas.base import Record, SchemaVersion, Shape, new_field
from memassay.schemas.judgements.rulings import JudgedField as JudgedField
from memassay.schemas.judgements.rulings import ReasonCode as ReasonCode
from memassay.schemas.judgements.rulings import Ruling as Ruling
from memassay.schemas.records.asset import Sha256


class CoveredRecord(Shape):
    """A record in the state in which a reviewer saw it."""

    id: Annotated[str, Field(min_length=1, description="Id of the record.")]
    sha256: Sha256


class Decision(Record):
    """A reviewer's decision; it holds for exactly the contents it covers."""

    schema_version: SchemaVersion = 3
    covers: Annotated[
        list[CoveredRecord],
        Field(min_length=1, description="The record decided on, then what was seen beside it."),
    ]
    gate: Annotated[str, Field(min_length=1, description="Stage whose gate asked.")]
    reviewer: Annotated[str, Field(min_length=1, description="Pseudonym of the reviewer.")]
    ruling: Annotated[Ruling, Field(description="Accept or reject.")]
    reason: Annotated[ReasonCode, Field(description="Why, from a closed list.")]
    comment: Annotated[str, Field(description="In the reviewer's words.")] = ""
    answer: Annotated[
        str, Field(description="To an assignment: the key chosen, the score, or the text written.")
    ] = ""

    wrong_fields: Annotated[
        list[JudgedField],
        new_field(3, "Parts of a question that were wrong as seen: edited, or why it is rejected."),
    ] = []

    @property
    def decided(self) -> str:
        """Id of the record decided on; what else is covered was seen beside it."""
        return self.covers[0].id


class PatchOperation(StrEnum):
    """Operations of RFC 6902."""

    ADD = "add"
    REMOVE = "remove"
    REPLACE = "replace"
    MOVE = "move"
    COPY = "copy"
    TEST = "test"


class PatchStep(Shape):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Annotated[PatchOperation, Field(description="The operation.")]
    path: Annotated[str, Field(description="JSON Pointer to the target.")]
    value: Annotated[JsonValue, Field(description="For add, replace, test.")] = None
    from_: Annotated[
        str | None, Field(alias="from", description="JSON Pointer for move and copy.")
    ] = None

    model_config = {**Shape.model_config, "populate_by_name": True, "serialize_by_alias": True}


class Edit(Record):
    """A change laid over one record in one state; a changed base queues it again.

    Over nothing (the hash of `null`), it is a whole record that a person wrote; a patch that
    leaves `null` takes the record away.
    """

    target: Annotated[str, Field(min_length=1, description="Id of the record.")]
    kind: Annotated[str, Field(description="Kind of the record, e.g. `question`.")]
    base_sha256: Sha256
    patch: Annotated[list[PatchStep], Field(min_length=1, description="RFC 6902 operations.")]
    reviewer: Annotated[str, Field(min_length=1, description="Pseudonym of the reviewer.")]
    gate: Annotated[str, Field(min_length=1, description="Stage at whose gate it was made.")]
    covers: Annotated[
        list[CoveredRecord], Field(description="What was seen beside the record.")
    ] = []
    comment: Annotated[str, Field(description="In the reviewer's words.")] = ""
    change_set: Annotated[
        str | None,
        Field(description="Edits of one set are laid together, or not at all."),
    ] = None


class HeldOut(Record):
    """Something kept out of a release, with the reasons; nothing is dropped without one."""

    record: Annotated[
        str, Field(min_length=1, description="Id of the record, or place of the raw source.")
    ]
    kind: Annotated[
        str, Field(min_length=1, description="Kind of the record, or `raw` if none could be made.")
    ]
    stage: Annotated[str, Field(min_length=1, description="Stage that held it out.")]
    status: Annotated[
        str, Field(description="`quarantined` (findings), `rejected` (people), `pending` (review).")
    ]
    reasons: Annotated[list[str], Field(min_length=1, description="Rule ids or reason codes.")]
    messages: Annotated[list[str], Field(description="What the findings said.")] = []
    content: Annotated[str, Field(description="The record, or the raw source, as JSON text.")] = ""
