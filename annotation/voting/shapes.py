"""What the desk takes and gives: leases, votes, what became of them."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import JudgedField, ReasonCode, Ruling


class LeaseExpired(UsageError):
    """A lease ran out and somebody else took the place; the draft is kept."""


@dataclass(frozen=True)
class Lease:
    """An item in a reviewer's hands.

    Attributes:
        item: Id of the item.
        until: When the lease runs out, in seconds since 1970.
    """

    item: str
    until: float


@dataclass(frozen=True)
class Change:
    """What a reviewer made of one record.

    Attributes:
        target: Id of the record.
        kind: Its kind.
        base_sha256: Content hash of the record they saw.
        after_sha256: Content hash of what they made of it.
        patch: RFC 6902 operations that lead from one to the other.
    """

    target: str
    kind: str
    base_sha256: str
    after_sha256: str
    patch: list[dict[str, Any]]


@dataclass(frozen=True)
class Vote:
    """What a reviewer says about an item.

    Attributes:
        ruling: Accept or reject.
        reason: Why.
        comment: In their words.
        edits: What they changed, in the record or in what is shown beside it.
        seconds: How long they looked at it.
        answer: To an assignment, what they answer.
        wrong_fields: Parts of a question that they call wrong.
    """

    ruling: Ruling
    reason: ReasonCode
    comment: str = ""
    edits: tuple[Change, ...] = ()
    seconds: float = 0.0
    answer: str = ""
    wrong_fields: tuple[JudgedField, ...] = ()

    @property
    def edited_fields(self) -> set[str]:
        """Parts of a question that an edit changes, which were wrong then."""
        edits = (change for change in self.edits if change.kind == "question")
        return {step["path"].split("/")[1] for change in edits for step in change.patch}

    @property
    def all_wrong_fields(self) -> tuple[JudgedField, ...]:
        """What they call wrong and what they edited, in the order in which it is shown."""
        wrong = {*self.wrong_fields, *self.edited_fields}
        return tuple(field for field in JudgedField if field in wrong)


@dataclass(frozen=True)
class Submitted:
    """What became of a vote.

    Attributes:
        item: Id of the item.
        state: `open` while votes are missing, `disputed`, or `decided`.
    """

    item: str
    state: str


def edits_text(edits: Iterable[Change]) -> str:
    """Changes as JSON text, in the order of their targets."""
    ordered = sorted(edits, key=lambda change: change.target)
    return json.dumps([asdict(change) for change in ordered], sort_keys=True)


def edits_of(text: str) -> tuple[Change, ...]:
    """Changes from JSON text."""
    return tuple(Change(**change) for change in json.loads(text))


def outcome_key(ruling: str, edits: str, answer: str = "") -> str:
    """What must be equal for two votes to agree: ruling, answer, and what the records become."""
    became = [[change.target, change.after_sha256] for change in edits_of(edits)]
    return json.dumps([ruling, became, answer])
