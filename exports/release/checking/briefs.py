"""What is kept in memory of a record whose content is on the disk."""

from typing import NamedTuple

from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.certificate import Certificate, Outcome, Verdict
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.question import ItemOrigin, QAItem


class Brief(NamedTuple):
    """Any record.

    Attributes:
        id: Its id.
        sha256: Content hash as released: that of an asset leaves out how its image is encoded.
        content_sha256: Content hash of the record itself.
    """

    id: str
    sha256: str
    content_sha256: str


class QuestionBrief(NamedTuple):
    """A question; beside what all have, what is counted of it."""

    id: str
    sha256: str
    content_sha256: str
    conversation: str
    benchmark_type: str
    is_persons: bool


class CertificateBrief(NamedTuple):
    """A certificate; beside what all have, what it is about and whether it refutes that."""

    id: str
    sha256: str
    content_sha256: str
    item: str
    item_sha256: str
    is_refuted: bool


AnyBrief = Brief | QuestionBrief | CertificateBrief


def brief_of(record: Record, sha256: str) -> AnyBrief:
    """What is kept of a record.

    Args:
        record: The record.
        sha256: Its content hash as released.
    """
    own = content_hash(record) if isinstance(record, Asset) else sha256
    if isinstance(record, QAItem):
        origin = record.origin is ItemOrigin.PERSON
        return QuestionBrief(
            record.id, sha256, own, record.conversation, record.benchmark_type, origin
        )
    if isinstance(record, Certificate):
        refuted = _is_refuted(record)
        return CertificateBrief(record.id, sha256, own, record.item, record.item_sha256, refuted)
    return Brief(record.id, sha256, own)


def _is_refuted(certificate: Certificate) -> bool:
    """By its verdict, or by a check of its own whatever the verdict says."""
    failed = any(check.outcome is Outcome.FAILED for check in certificate.checks)
    return failed or certificate.verdict is Verdict.REFUTED
