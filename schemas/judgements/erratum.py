"""Errata of our own releases: an item that somebody found wrong, and what became of it."""

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, matching
from memassay.schemas.ids import RecordId
from memassay.schemas.records.asset import Sha256

ERRATUM_PATTERN = "E[0-9]{4,9}"


class ErratumStatus(StrEnum):
    """Whether a reported error is one."""

    REPORTED = "reported"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


class ErratumFix(StrEnum):
    """What became of the item in the release that lists the erratum."""

    OPEN = "open"
    WITHDRAWN = "withdrawn"
    CHANGED = "changed"
    KEPT = "kept"


class ReleasedErratum(Record):
    """One item of a release that is wrong, or that somebody says is wrong."""

    READABLE_SINCE: ClassVar[int] = 3

    schema_version: SchemaVersion = 3
    id: Annotated[str, matching(ERRATUM_PATTERN, "`E0001`; never given to another erratum.")]
    release: Annotated[str, Field(min_length=1, description="Name of the data set.")]
    versions: Annotated[
        list[str], Field(min_length=1, description="Versions in which it was reported.")
    ]
    item: RecordId
    asked_as: Annotated[
        str, Field(min_length=1, description="Id of the item in the table `default`.")
    ]
    item_sha256: Sha256
    problem: Annotated[str, Field(min_length=1, description="What is wrong, in a sentence.")]
    reporter: Annotated[str, Field(min_length=1, description="Pseudonym of who reported it.")]
    status: Annotated[
        ErratumStatus,
        Field(description="reported, confirmed or rejected; releases list the second."),
    ] = ErratumStatus.REPORTED
    decided_by: Annotated[
        str, Field(description="Pseudonym of who decided; empty: nobody has.")
    ] = ""
    comment: Annotated[str, Field(description="Why it was decided so.")] = ""
    fix: Annotated[
        ErratumFix,
        Field(
            description="open: no release after it; withdrawn: the item is left out; changed: it "
            "says something else now; kept: people looked at it again and let it stand."
        ),
    ] = ErratumFix.OPEN

    def concerns(self, release: str, version: str, item_sha256: str | None = None) -> bool:
        """Whether it speaks of a version of a data set, or of the same item in another one.

        What was kept is right where it was not reported: something else was corrected.
        """
        same = item_sha256 == self.item_sha256 and self.fix is not ErratumFix.KEPT
        return self.release == release and (version in self.versions or same)
