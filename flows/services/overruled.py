"""Findings that people overruled: they accepted the record in the very state it is in."""

from collections.abc import Iterable, Iterator, Mapping

from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import Decision, Ruling
from memassay.schemas.records.bundle import Bundle


def overruled(
    findings: Iterable[Finding], decisions: Iterable[Decision], bundles: Iterable[Bundle]
) -> list[Finding]:
    """The findings, those about records that somebody accepted as info that says who.

    A decision speaks for the record it is about and for the assets or events seen with it, each
    in the state it covers. The conversation was seen too, but only a decision about it accepts it.
    """
    states = _states(bundles)
    accepted: dict[str, Decision] = {}
    for decision in decisions:
        if decision.ruling is Ruling.ACCEPT:
            accepted |= dict.fromkeys(_accepted_by(decision, states), decision)
    return [
        _as_info(finding, accepted[finding.target])
        if finding.target in accepted and finding.severity is not Severity.INFO
        else finding
        for finding in findings
    ]


def _states(bundles: Iterable[Bundle]) -> dict[str, str]:
    return {
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
