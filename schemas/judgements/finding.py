"""Findings: what a rule says about a record, where, and what would mend it."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record, matching
from memassay.schemas.hashing import content_hash

RuleId = Annotated[str, matching("[a-z0-9_]+(?:[.-][a-z0-9_]+)*", "Id of a rule: `family.rule`.")]


class Severity(StrEnum):
    """How bad a finding is; an error keeps its record out of a release."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Finding(Record):
    """What one rule says about one place of one record."""

    rule: RuleId
    severity: Annotated[Severity, Field(description="Error, warning or info.")]
    target: Annotated[
        str, Field(min_length=1, description="Id of the record (or name of the file) it is about.")
    ]
    pointer: Annotated[
        str, Field(description="JSON Pointer to the place inside the record; empty for all of it.")
    ] = ""
    message: Annotated[
        str, Field(min_length=1, description="`<record id>.<field>: expected X, got 'Y'`.")
    ]
    fix: Annotated[str, Field(description="What to do about it.")] = ""

    @classmethod
    def make(
        cls,
        rule: str,
        severity: Severity,
        target: str,
        pointer: str,
        message: str,
        fix: str,
    ) -> "Finding":
        """A finding whose id follows from what it says: said twice, it is one finding."""
        body = [rule, target, pointer, message]
        return cls(
            id=f"finding-{content_hash(body)[:16]}",
            rule=rule,
            severity=severity,
            target=target,
            pointer=pointer,
            message=message,
            fix=fix,
        )


def worst(findings: list[Finding]) -> Severity | None:
    """The worst severity among findings; None for none."""
    found = {finding.severity for finding in findings}
    return next((severity for severity in Severity if severity in found), None)
