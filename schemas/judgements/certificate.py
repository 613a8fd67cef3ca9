"""Certificates: the checks and probes that show an item's gold is right."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memassay.schemas.base import Record, SchemaVersion, Shape, new_field
from memassay.schemas.ids import RecordId
from memassay.schemas.judgements.finding import RuleId
from memassay.schemas.records.asset import Sha256


class Outcome(StrEnum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    DOUBTFUL = "doubtful"


class Verdict(StrEnum):
    """What the checks and probes say together.

    `proven`: a query over the ledger gives the gold, nothing failed or raised doubt, and the
    simulator wrote every text of the history, or somebody read it. `supported`: nothing failed or
    raised doubt, but there is no ledger, or text beside the ledger that nobody read. `doubtful`: a
    check raised doubt. `refuted`: a check failed.
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
    """Checks, probes and verdict of one item, bound to the content they saw.

    Under version 1 it also listed every rule that did not apply, and named no rule set.
    """

    schema_version: SchemaVersion = 3
    item: RecordId
    item_sha256: Sha256
    rules_sha256: Annotated[
        Sha256 | None, new_field(3, "Hash of the rule set: ids, severities, what each demands.")
    ] = None
    checks: Annotated[list[Check], Field(description="Of the rules that apply, by rule id.")]
    probes: Annotated[list[Probe], Field(description="By name and answerer.")] = []
    verdict: Annotated[Verdict, Field(description="Proven, supported, doubtful or refuted.")]
