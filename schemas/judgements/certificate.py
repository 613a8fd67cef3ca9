"""Certificates: the checks and probes that show an item's gold is right."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record, Shape
from memassay.schemas.ids import RecordId
from memassay.schemas.judgements.finding import RuleId
from memassay.schemas.records.asset import Sha256


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    DOUBTFUL = "doubtful"
    NOT_APPLICABLE = "not_applicable"


class Verdict(StrEnum):
    """What the checks and probes say together.

    `proven`: executed from a ledger and nothing failed. `supported`: no ledger, nothing failed
    or raised doubt. `doubtful`: a check raised doubt. `refuted`: a check failed.
    """

    PROVEN = "proven"
    SUPPORTED = "supported"
    DOUBTFUL = "doubtful"
    REFUTED = "refuted"


class Check(Shape):
    """One rule's outcome for one item."""

    rule: RuleId
    outcome: Annotated[Outcome, Field(description="How it ended.")]
    detail: Annotated[str, Field(description="What was seen.")] = ""


class Probe(Shape):
    """One answerer's attempt at the item under one condition."""

    name: Annotated[
        str, Field(min_length=1, description="Condition, e.g. `closed-book`, `evidence-only`.")
    ]
    answerer: Annotated[str, Field(min_length=1, description="Who answered.")]
    answer: Annotated[str, Field(description="What was answered.")]
    score: Annotated[float, Field(ge=0, le=1, description="From 0 to 1 against the gold.")]


class Certificate(Record):
    """Checks, probes and verdict of one item, bound to the content they saw."""

    item: RecordId
    item_sha256: Sha256
    checks: Annotated[list[Check], Field(description="By rule id.")]
    probes: Annotated[list[Probe], Field(description="By name and answerer.")] = []
    verdict: Annotated[Verdict, Field(description="Proven, supported, doubtful or refuted.")]
