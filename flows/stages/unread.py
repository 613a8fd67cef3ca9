"""The rule on text of a history that nobody read, and how stages and checks apply it."""

from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.validators.certificates.texts import KINDS, unread_texts
from memassay.validators.registry import UNREAD_TEXT

UNREAD: Final = SYNTHESIS_RULES.declared(
    UNREAD_TEXT,
    Severity.INFO,
    "Every text of a history with a ledger is the simulator's, or somebody read it.",
    "memassay design, the assay: proven needs a history that was read",
)


def unread_findings(bundles: Sequence[Bundle], records: Sequence[Record]) -> Iterator[Finding]:
    """Findings about histories, by what the records beside them say of who wrote and read them."""
    beside = (one for one in records if kind_of(one) in KINDS)
    for problem in unread_texts(bundles, beside):
        yield UNREAD.finding(*problem)
