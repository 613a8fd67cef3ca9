"""Findings that people let pass: they accepted the record in the very state it is in."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from memassay.flows.engine.covers import round_states
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Decision, Ruling
from memassay.schemas.records.bundle import Bundle


def mark_accepted(
    findings: Iterable[Finding], decisions: Iterable[Decision], bundles: Iterable[Bundle]
) -> list[Finding]:
    """The findings, those about records that somebody accepted as info that says who.

    A decision speaks for the record it is about and for the assets or events seen with it, each
    in the state it covers. Where a conversation is covered, only a decision about it accepts it.
    """
    decided = [one for one in decisions if one.ruling is Ruling.ACCEPT]
    if not decided:
        return list(findings)
    states = _states(list(bundles))
    accepted: dict[str, Decision] = {}
    for decision in decided:
        accepted |= dict.fromkeys(_accepted_by(decision, states), decision)
    return [
        _as_info(finding, accepted[finding.target])
        if finding.target in accepted and finding.severity is not Severity.INFO
        else finding
        for finding in findings
    ]


def _states(bundles: Sequence[Bundle]) -> dict[str, str]:
    records = {
        record.id: content_hash(record)
        for bundle in bundles
        for record in (
            bundle.conversation,
            *bundle.personas,
            *bundle.events,
            *bundle.assets,
            *bundle.questions,
        )
    }
    return records | {
        covered: state for bundle in bundles for covered, state in round_states(bundle).items()
    }


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
