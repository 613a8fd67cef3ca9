"""Errata: what is wrong in somebody's data set, where in their files, why, and what would mend it.

Not a record of a release: the document that `memassay audit` writes beside its report.
"""

from enum import StrEnum
from typing import Annotated

from pydantic import Field, JsonValue

from memassay.schemas.base import Shape
from memassay.schemas.judgements.finding import RuleId
from memassay.schemas.judgements.review import PatchStep


class Certainty(StrEnum):
    """How sure a defect is."""

    ERROR = "error"
    """It cannot be right as it is."""
    PROBABLE = "probable"
    """It looks wrong; a person should look at it."""
    POSSIBLE = "possible"
    """It may be wrong; who says so is often mistaken, or has not been read yet."""
    NOTE = "note"
    """Worth knowing; nothing need be mended."""


class FilePoint(Shape):
    """A place in a file of the data set."""

    file: Annotated[
        str | None, Field(description="Path from the top of what was audited; null: unknown.")
    ]
    pointer: Annotated[
        str, Field(description="JSON Pointer (RFC 6901) in the file; empty: all of it.")
    ] = ""


class Quotation(Shape):
    """What somebody says or shows in the history."""

    place: Annotated[str, Field(description="Id of the turn.")]
    speaker: Annotated[str, Field(description="Name of who speaks.")]
    date: Annotated[str | None, Field(description="When it was, `When`; null: undated.")] = None
    text: Annotated[str, Field(description="The words, long ones cut at `…`.")]
    images: Annotated[list[str], Field(description="What is shown with them: id and caption.")] = []
    cited: Annotated[bool, Field(description="Whether the evidence of the item names it.")]
    at: FilePoint


class ErratumStatement(Shape):
    """What one rule says, in one sentence each."""

    rule: RuleId
    certainty: Certainty
    demand: Annotated[str, Field(description="What holds of data that is right.")]
    source: Annotated[str, Field(description="Where the demand comes from.")]
    expected: Annotated[str, Field(description="What should stand there; empty: see `found`.")]
    found: Annotated[str, Field(description="What stands there.")]
    beside: Annotated[str, Field(description="What is said of it.")] = ""
    fix: Annotated[str, Field(description="What to do about it.")] = ""


class ErratumPlace(Shape):
    """One place that a defect shows at."""

    record: Annotated[str, Field(description="Public id of the item, or what else it is about.")]
    at: FilePoint
    question: Annotated[str | None, Field(description="The question, if it is one.")] = None
    gold: Annotated[list[str], Field(description="Its gold answer.")] = []
    traps: Annotated[list[str], Field(description="Answers that count as wrong.")] = []
    stands: Annotated[
        JsonValue, Field(description="The value in the file, where it is no question; cut.")
    ] = None
    statements: Annotated[list[ErratumStatement], Field(description="What is wrong there.")]


class FilePatch(Shape):
    """Changes of one file."""

    file: Annotated[str, Field(description="Path from the top of what was audited.")]
    operations: Annotated[
        list[PatchStep], Field(description="RFC 6902; every change tests the old value first.")
    ]


class Erratum(Shape):
    """One defect: a cause, with every place that it shows at."""

    id: Annotated[str, Field(description="Stays the same as long as the defect does.")]
    certainty: Certainty
    title: Annotated[str, Field(description="What it is about, in a few words.")]
    places: list[ErratumPlace]
    evidence: Annotated[list[Quotation], Field(description="What the history says of it.")] = []
    patch: Annotated[list[FilePatch], Field(description="What would mend it; empty: open.")] = []


class Errata(Shape):
    """All errata of a data set."""

    name: Annotated[str, Field(description="Name of the file or folder.")]
    format: Annotated[str, Field(description="The format it was read as.")]
    records: Annotated[dict[str, int], Field(description="By kind, how many records were read.")]
    verdicts: Annotated[dict[str, int], Field(description="By verdict, how many questions.")]
    errata: Annotated[
        list[Erratum], Field(description="Errors, probable ones, possible ones, notes.")
    ]
    patch: Annotated[list[FilePatch], Field(description="The changes of all errata together.")]
