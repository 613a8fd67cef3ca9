"""Every kind of record by name; the order is the order in which a reader would want them."""

from typing import Final

from memassay.schemas.asset import Asset
from memassay.schemas.assignment import Assignment
from memassay.schemas.bank import BankTally
from memassay.schemas.base import Record
from memassay.schemas.certificate import Certificate
from memassay.schemas.conversation import Conversation
from memassay.schemas.event import TimelineEvent
from memassay.schemas.finding import Finding
from memassay.schemas.flaw import Flaw, Repair
from memassay.schemas.ledger import Fact, Mention
from memassay.schemas.persona import Persona
from memassay.schemas.provenance import Manifest, Provenance
from memassay.schemas.question import QAItem
from memassay.schemas.review import Decision, Edit, HeldOut

KINDS: Final[dict[str, type[Record]]] = {
    "conversation": Conversation,
    "persona": Persona,
    "event": TimelineEvent,
    "asset": Asset,
    "fact": Fact,
    "mention": Mention,
    "question": QAItem,
    "finding": Finding,
    "certificate": Certificate,
    "repair": Repair,
    "flaw": Flaw,
    "bank": BankTally,
    "decision": Decision,
    "edit": Edit,
    "assignment": Assignment,
    "held_out": HeldOut,
    "provenance": Provenance,
    "manifest": Manifest,
}
"""Record class by kind."""

DATA_KINDS: Final = frozenset(
    {"conversation", "persona", "event", "asset", "fact", "mention", "question"}
)
"""Kinds that are the data itself; the others say something about it."""

_KIND_OF: Final = {cls: kind for kind, cls in KINDS.items()}


def kind_of(record: Record) -> str:
    """The kind of a record, e.g. `question`."""
    return _KIND_OF[type(record)]
