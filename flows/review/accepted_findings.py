"""Findings that people let pass: they accepted the record in the very state it is in."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

from memassay.flows.engine.covers import round_states
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Decision, Ruling
from memassay.schemas.records.bundle import Bundle


def mark_accepted(
    findings: Sequence[Finding],
    decisions: Iterable[Decision],
    bundle_of: Callable[[str], Bundle | None],
) -> list[Finding]:
    """The findings, those about records that somebody accepted as info that says who.

    A decision speaks for the record it is about and for the assets or events seen with it, each
    in the state it covers. Where a conversation is covered, only a decision about it accepts it.

    Args:
        findings: What was found.
        decisions: What people decided.
        bundle_of: Gives a conversation by its id, None where there is none; asked only for those
            that an accepted record with a finding is of, one after the other.
    """
    targets = {one.target for one in findings if one.severity is not Severity.INFO}
    decided = [
        one
        for one in decisions
        if one.ruling is Ruling.ACCEPT and any(cover.id in targets for cover in one.covers)
    ]
    if not decided:
        return list(findings)
    states = _states({cover.id for one in decided for cover in one.covers}, bundle_of)
    accepted: dict[str, Decision] = {}
    for decision in decided:
        accepted |= dict.fromkeys(_accepted_by(decision, states), decision)
    return [
        _as_info(finding, accepted[finding.target])
        if finding.target in accepted and finding.severity is not Severity.INFO
        else finding
        for finding in findings
    ]


def _states(covered: Iterable[str], bundle_of: Callable[[str], Bundle | None]) -> dict[str, str]:
    """Content hashes of what is covered, as it is now."""
    wanted: dict[str, set[str]] = {}
    for name in covered:
        wanted.setdefault(conversation_of(name), set()).add(name)
    states: dict[str, str] = {}
    for conversation, names in wanted.items():
        bundle = bundle_of(conversation)
        if bundle is not None:
            states |= _states_in(bundle, names)
    return states


def _states_in(bundle: Bundle, names: Container[str]) -> dict[str, str]:
    seen = (
        bundle.conversation,
        *bundle.personas,
        *bundle.events,
        *bundle.assets,
        *bundle.questions,
    )
    states = {record.id: content_hash(record) for record in seen if record.id in names}
    return states | {name: state for name, state in round_states(bundle).items() if name in names}


def _accepted_by(decision: Decision, states: Mapping[str, str]) -> Iterator[str]:
    if any(states.get(cover.id) != cover.sha256 for cover in decision.covers):
        return
    for cover in decision.covers:
        is_conversation = "/" not in cover.id
        if cover.id == decision.decided or not is_conversation:
            yield cover.id


def _as_info(finding: Finding, decision: Decision) -> Finding:
    said = f"{finding.message} (accepted by {decision.reviewer}: {decision.reason})"
    return finding.model_copy(
        update={"severity": Severity.INFO, "message": said, "fix": "none; people decided"}
    )
