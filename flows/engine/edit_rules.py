"""Rules about what people changed, and what is reported where one is broken."""

from typing import Final

from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.hashing import canonical_json
from memassay.schemas.judgements.erratum import ReleasedErratum
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Edit, HeldOut

EDIT_RULES: Final = RuleRegistry()
"""Rules about what people changed."""

BASE_CHANGED: Final = EDIT_RULES.declare(
    "edit.base_changed",
    Severity.WARNING,
    "A record that somebody edited is still as they saw it.",
    "design: a changed base queues an edit again",
)
TARGET_GONE: Final = EDIT_RULES.declare(
    "edit.target_gone",
    Severity.WARNING,
    "A record that somebody edited is still there.",
    "design: no edit is dropped silently",
)
ERRATUM_STANDS: Final = EDIT_RULES.declare(
    "errata.stands",
    Severity.ERROR,
    "An item is not what it was when an erratum about it was confirmed.",
    "design: errata are corrected or withdrawn in the next release",
)


def erratum_stands(erratum: ReleasedErratum) -> Finding:
    """The finding of an item that is still as a confirmed erratum found it."""
    return ERRATUM_STANDS.finding(
        erratum.item,
        "",
        f"{erratum.item}: expected another item than the one that {erratum.id} found wrong "
        f"({erratum.problem}), got the same",
        "edit it in review, or leave it held out; where it is right, reject the erratum",
    )


def base_changed(edit: Edit) -> Finding:
    """The finding of an edit whose record has changed since."""
    # By whom is in the log: who is asked now is not to know it before their own vote.
    steps = ", ".join(f"{step.op} {step.path}" for step in edit.patch[:3])
    return BASE_CHANGED.finding(
        edit.target,
        edit.patch[0].path,
        f"{edit.target}: expected the state that a reviewer edited ({steps}), got another one",
        "make the edit again, or accept the record as it is now",
    )


def target_gone(edit: Edit) -> Finding:
    """The finding of an edit whose record is no longer there."""
    return TARGET_GONE.finding(
        edit.target,
        "",
        f"{edit.target}: expected the {edit.kind} that a reviewer edited, got none",
        "nothing, if it is gone for good; what was edited is kept with what is held out",
    )


def kept_of_gone(stage: str, edit: Edit) -> HeldOut:
    """What is kept of such an edit: all of it."""
    return HeldOut(
        id=f"held-{stage}-edit-{edit.id}",
        record=edit.target,
        kind="edit",
        stage=stage,
        status="pending",
        reasons=[TARGET_GONE.id],
        messages=[target_gone(edit).message],
        content=canonical_json(edit),
    )
