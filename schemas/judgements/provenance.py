"""Where a record comes from, and what a release consists of."""

from typing import Annotated, ClassVar

from pydantic import Field, JsonValue

from memassay.schemas.base import Record, SchemaVersion, Shape
from memassay.schemas.records.asset import Sha256


class Provenance(Record):
    """How the records of one unit of work were made; keyed by content hash, never part of them.

    Under version 1 documents of two shapes were written: of one record (`content_sha256`), and of
    all records of a unit (`made`), which is version 2.
    """

    READABLE_SINCE: ClassVar[int] = 2
    schema_version: SchemaVersion = 2
    made: Annotated[list[Sha256], Field(description="Content hashes of the records made.")]
    stage: Annotated[str, Field(min_length=1, description="Stage that made it.")]
    stage_version: Annotated[str, Field(min_length=1, description="Version of the stage.")]
    config_sha256: Sha256
    author: Annotated[str | None, Field(description="Name of the author.")] = None
    model: Annotated[str | None, Field(description="Model the author used.")] = None
    prompt_sha256: Sha256 | None = None
    request_keys: Annotated[list[str], Field(description="Keys of the model requests.")] = []
    seed_path: Annotated[list[str], Field(description="What its random draws are keyed by.")] = []
    parents: Annotated[list[Sha256], Field(description="Content hashes of its inputs.")] = []


class ReleasePart(Record):
    """What a release will hold of one conversation; a workspace keeps it, and no release has it."""

    blob_sha256: Sha256
    licences: Annotated[
        list[str], Field(description="SPDX identifiers that files state which others made.")
    ] = []


class ReleaseFile(Shape):
    """One file of a release."""

    path: Annotated[str, Field(min_length=1, description="Relative to the release, with `/`.")]
    sha256: Sha256
    size: Annotated[int, Field(ge=0, description="Bytes.")]
    records: Annotated[int | None, Field(ge=0, description="Number of records in it.")] = None
    content_sha256: Sha256 | None = None


class Manifest(Record):
    """What a release holds and how it came to be; the only file not named in itself."""

    name: Annotated[str, Field(min_length=1, description="Name of the data set.")]
    version: Annotated[str, Field(min_length=1, description="Version of the release.")]
    licence: Annotated[str, Field(min_length=1, description="SPDX identifier.")]
    record_schema_version: Annotated[int, Field(ge=1, description="Version of record shapes.")]
    content_sha256: Sha256
    counts: Annotated[dict[str, int], Field(description="Records by kind.")]
    questions_by_type: Annotated[dict[str, int], Field(description="By our type.")] = {}
    verdicts: Annotated[dict[str, int], Field(description="Certificates by verdict.")] = {}
    findings: Annotated[dict[str, int], Field(description="Findings by rule id.")] = {}
    held_out: Annotated[dict[str, int], Field(description="Records held out, by status.")] = {}
    gates: Annotated[dict[str, JsonValue], Field(description="State of each gate.")] = {}
    recipe: Annotated[dict[str, JsonValue], Field(description="What was asked for.")] = {}
    files: Annotated[list[ReleaseFile], Field(description="By path.")]
