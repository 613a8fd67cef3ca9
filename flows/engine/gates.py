"""Gates: what findings, draws and decisions say together about every record that comes there."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memassay.flows.engine.edit_rules import BASE_CHANGED
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding, Severity, worst
from memassay.schemas.judgements.review import Ruling
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.persona import persona_id

_PARTS: Final = DATA_KINDS - {"conversation", "question", "asset"}
"""Kinds of data that cannot leave their conversation, and that every question may rest on."""


class Standing(StrEnum):
    """Where a record is at a gate."""

    PASSED = "passed"
    PENDING = "pending"
    QUARANTINED = "quarantined"
    REJECTED = "rejected"


@dataclass(frozen=True)
class GateCase:
    """One record that did not simply pass.

    Attributes:
        record: Id of the record.
        standing: Where it is now.
        reviewed: Whether people are, or were, asked about it.
        reason: `error`, `edit`, `warning`, `drawn`, `policy` or `decided`.
        findings: What was found about it.
    """

    record: str
    standing: Standing
    reviewed: bool
    reason: str
    findings: tuple[Finding, ...]


def findings_by_record(
    conversation: str,
    findings: Iterable[Finding],
    kinds: Mapping[str, str],
    bundle: Callable[[str], Bundle],
) -> dict[str, list[Finding]]:
    """Findings about a conversation by the record that must bear them.

    A conversation or question bears its own. An asset cannot leave its conversation, so what
    is wrong with it is borne by the questions that show it, cite it or answer with it. A fact,
    mention or event cannot leave it either, and every question may rest on it: the conversation
    bears it.

    Args:
        conversation: Its id.
        findings: What was found.
        kinds: The kind of each of its records, by id.
        bundle: Reads it; called only where a finding is about an asset.
    """
    borne: dict[str, list[Finding]] = {}
    for finding in findings:
        kind = kinds.get(finding.target)
        if kind in _PARTS:
            bearers = [conversation]
        elif kind == "asset":
            bearers = _showing(bundle(conversation), finding.target)
        else:
            bearers = [finding.target]
        for record in bearers:
            borne.setdefault(record, []).append(finding)
    return borne


def _showing(bundle: Bundle, target: str) -> list[str]:
    """The questions that show an asset, cite it or answer with it."""
    shown_at = {item.id for _, item in bundle.conversation.attachments() if item.asset == target}
    return [
        question.id
        for question in bundle.questions
        if any(item.asset == target for item in question.question.attachments)
        or shown_at & {*question.evidence.canonical, *question.answer.values}
    ]


def assets_seen(bundle: Bundle, record: str) -> list[str]:
    """Assets that a reviewer of a record looks at, in natural order of their ids.

    For a conversation all of its history, for a question those it shows and those of the rounds
    it cites or answers with.
    """
    if record == bundle.id:
        seen = {item.asset for _, item in bundle.conversation.attachments()}
        return sorted(seen, key=natural_key)
    seen = set()
    for question in bundle.questions:
        if question.id == record:
            seen |= {item.asset for item in question.question.attachments}
            grouped = (place for group in question.evidence.groups for place in group)
            for place in (*question.evidence.canonical, *grouped, *question.answer.values):
                for round_ in bundle.rounds_of(place):
                    seen |= {item.asset for turn in round_.turns for item in turn.attachments}
    return sorted(seen, key=natural_key)


def judge(
    gate: GateSection,
    borne: Mapping[str, Sequence[Finding]],
    drawn: Iterable[str],
    everything: Iterable[str],
    rulings: Mapping[str, Ruling],
) -> list[GateCase]:
    """The cases of a gate, by record id; a record that is not among them passed untouched.

    A warning about a conversation is reported and holds nothing back: held, it would take all
    of its questions along. Errors, draws and the policy `all` hold conversations as they hold
    questions.

    Args:
        gate: What the recipe says.
        borne: Findings by record.
        drawn: Records drawn at the gate's rate.
        everything: All records the gate can ask about.
        rulings: What people decided about records in their present state.
    """
    reasons: dict[str, str] = {}
    if gate.policy == "all":
        reasons |= dict.fromkeys(everything, "policy")
    if gate.policy != "auto":
        reasons |= dict.fromkeys(drawn, "drawn")
    for record, findings in borne.items():
        severity = worst(list(findings))
        if severity is Severity.ERROR:
            reasons[record] = "error"
        elif any(finding.rule == BASE_CHANGED.id for finding in findings):
            # Somebody's work is at stake: that is asked whatever the policy.
            reasons[record] = "edit"
        elif severity is Severity.WARNING and _asks_about_warnings(gate, record):
            reasons[record] = "warning"
    for record, ruling in rulings.items():
        if ruling is Ruling.REJECT:
            # Rejected once, in this state: that holds when nothing asks for it any more.
            reasons.setdefault(record, "decided")
    return [
        _case(gate, record, reasons[record], tuple(borne.get(record, ())), rulings.get(record))
        for record in sorted(reasons, key=natural_key)
    ]


def asks_about(gate: GateSection, record: str, finding: Finding) -> bool:
    """Whether a finding about a record is a reason to ask people, or to hold the record."""
    if finding.severity is Severity.WARNING:
        return finding.rule == BASE_CHANGED.id or _asks_about_warnings(gate, record)
    return finding.severity is Severity.ERROR


def _asks_about_warnings(gate: GateSection, record: str) -> bool:
    conversation = conversation_of(record)
    is_conversation = record in (conversation, persona_id(conversation))
    return gate.policy != "auto" and gate.on_warning == "review" and not is_conversation


def _case(
    gate: GateSection,
    record: str,
    reason: str,
    findings: tuple[Finding, ...],
    ruling: Ruling | None,
) -> GateCase:
    edited = any(finding.rule == BASE_CHANGED.id for finding in findings)
    reviewed = edited or reason != "error" or (gate.policy != "auto" and gate.on_error == "review")
    if ruling is Ruling.ACCEPT:
        standing = Standing.PASSED
    elif ruling is Ruling.REJECT:
        standing = Standing.REJECTED
    else:
        standing = Standing.PENDING if reviewed else Standing.QUARANTINED
    return GateCase(record, standing, reviewed, reason, findings)
