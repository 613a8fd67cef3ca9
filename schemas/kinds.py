"""Every kind of record by name; the order is the order in which a reader would want them."""

from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.judgements.assignment import Assignment
from memassay.schemas.judgements.bank import BankTally
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.judgements.provenance import Manifest, Provenance, ReleasePart
from memassay.schemas.judgements.review import Decision, Edit, HeldOut
from memassay.schemas.records.alteration import Alteration
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.concept import Concept
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem

KINDS: Final[dict[str, type[Record]]] = {
    "conversation": Conversation,
    "persona": Persona,
    "event": TimelineEvent,
    "asset": Asset,
    "fact": Fact,
    "mention": Mention,
    "concept": Concept,
    "question": QAItem,
    "cluster": Cluster,
    "alteration": Alteration,
    "finding": Finding,
    "certificate": Certificate,
    "repair": Repair,
    "flaw": Flaw,
    "bank": BankTally,
    "decision": Decision,
    "edit": Edit,
    "assignment": Assignment,
    "erratum": ReleasedErratum,
    "held_out": HeldOut,
    "provenance": Provenance,
    "manifest": Manifest,
}
"""Record class by kind."""

WORKSPACE_KINDS: Final[dict[str, type[Record]]] = {"part": ReleasePart}
"""Kinds of a workspace's own work: no release has them, and their shapes may change freely."""

DATA_KINDS: Final = frozenset(
    {"conversation", "persona", "event", "asset", "fact", "mention", "concept", "question"}
)
"""Kinds that are the data itself; the others say something about it."""


def version_of(kind: str) -> int:
    """Current version of the shape of a kind: the version of all shapes when it last changed."""
    version: int = class_of(kind).model_fields["schema_version"].default
    return version


def class_of(kind: str) -> type[Record]:
    """The class of the records of a kind."""
    return KINDS[kind] if kind in KINDS else WORKSPACE_KINDS[kind]


SCHEMA_VERSION: Final = max(version_of(kind) for kind in KINDS)
"""Version of all shapes together, as the manifest of a release states it."""

_KIND_OF: Final = {cls: kind for kind, cls in (KINDS | WORKSPACE_KINDS).items()}


def kind_of(record: Record) -> str:
    """The kind of a record, e.g. `question`."""
    return _KIND_OF[type(record)]
