"""The boundary after a stage: findings and decisions turn the stream into what may go on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memassay.annotation.review_queue import ReviewRequest
from memassay.flows.context import keyed_random
from memassay.flows.gates import GateCase, Standing, findings_by_record, judge
from memassay.flows.recipes import GateSection
from memassay.flows.store import Header
from memassay.flows.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.bundle import Bundle
from memassay.schemas.errors import WaitingError
from memassay.schemas.finding import Finding
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.review import CoveredRecord, HeldOut, Ruling

_GATED = ("conversation", "question")
_BUNDLED = frozenset({"conversation", "asset", "fact", "mention", "question"})


@dataclass(frozen=True)
class Boundary:
    """What a gate let through and what it held.

    Attributes:
        stage: Name of the stage.
        stream: What goes on: records that passed, findings, and why others were held out.
        counts: Records by standing.
        blocks: Whether the run must wait for people.
    """

    stage: str
    stream: dict[str, Header]
    counts: dict[str, int]
    blocks: bool

    def raise_if_blocked(self) -> None:
        """Stop the run if people must decide first.

        Raises:
            WaitingError: They must.
        """
        if self.blocks:
            raise WaitingError(
                f"gate {self.stage}: {self.counts[Standing.PENDING]} records wait for review; "
                "`memassay review list` shows them, `memassay review decide` decides, "
                "then run again"
            )


def close_gate(
    workspace: Workspace,
    seed: int,
    stage: str,
    gate: GateSection,
    stream: Mapping[str, Header],
    outputs: Sequence[Header],
) -> Boundary:
    """Judge every record of the stream by the findings among a stage's outputs."""
    found = [header.sha256 for header in outputs if header.kind == "finding"]
    findings = [item for item in workspace.store.get_all(found) if isinstance(item, Finding)]
    gated = {h.id: h for h in stream.values() if h.kind in _GATED}
    borne = _borne(workspace, stream, findings)
    current = {h.id: h.sha256 for h in stream.values()}
    cases = judge(
        gate,
        {record: borne[record] for record in borne if record in gated},
        _drawn(seed, stage, gate, gated.values()),
        gated,
        workspace.queue.rulings(stage, current) if gate.policy != "auto" else {},
    )
    _ask(workspace, stage, cases, gated)
    return _outcome(workspace, stage, gate, stream, cases)


def _borne(
    workspace: Workspace, stream: Mapping[str, Header], findings: Iterable[Finding]
) -> dict[str, list[Finding]]:
    by_conversation: dict[str, list[Finding]] = {}
    for finding in findings:
        by_conversation.setdefault(finding.target.partition("/")[0], []).append(finding)
    borne: dict[str, list[Finding]] = {}
    for conversation, own in by_conversation.items():
        hashes = [
            header.sha256
            for header in stream.values()
            if header.conversation == conversation and header.kind in _BUNDLED
        ]
        if f"conversation {conversation}" in stream:
            bundle = Bundle.from_records(workspace.store.get_all(hashes))
            borne |= findings_by_record(bundle, own)
    return borne


def _drawn(seed: int, stage: str, gate: GateSection, gated: Iterable[Header]) -> list[str]:
    """Questions drawn for review; each draw depends on its own id alone."""
    return [
        header.id
        for header in gated
        if header.kind == "question"
        and keyed_random(str(seed), stage, header.id, "review").random() < gate.rate
    ]


def _ask(
    workspace: Workspace, stage: str, cases: Iterable[GateCase], gated: Mapping[str, Header]
) -> None:
    workspace.queue.sync(
        stage,
        [
            ReviewRequest(
                gate=stage,
                record=case.record,
                reason=case.reason,
                rules=tuple(sorted({finding.rule for finding in case.findings})),
                findings=tuple(content_hash(finding) for finding in case.findings),
                covers=_covers(gated, case.record),
            )
            for case in cases
            if case.reviewed
        ],
    )


def _covers(gated: Mapping[str, Header], record: str) -> tuple[CoveredRecord, ...]:
    """A record in its present state, a question together with its conversation."""
    seen = dict.fromkeys([record, gated[record].conversation])
    return tuple(CoveredRecord(id=one, sha256=gated[one].sha256) for one in seen if one in gated)


def _outcome(
    workspace: Workspace,
    stage: str,
    gate: GateSection,
    stream: Mapping[str, Header],
    cases: Sequence[GateCase],
) -> Boundary:
    held = {case.record: case for case in cases if case.standing is not Standing.PASSED}
    kept: dict[str, Header] = {}
    lost: list[tuple[GateCase, Header]] = []
    for name, header in stream.items():
        case = held.get(header.conversation) or held.get(header.id)
        if case is None or header.kind not in _BUNDLED:
            kept[name] = header
        elif header.kind in _GATED:
            lost.append((case, header))
    records = workspace.store.get_all([header.sha256 for _, header in lost])
    held_out = [
        _held_out(stage, case, header, record)
        for (case, header), record in zip(lost, records, strict=True)
    ]
    hashes = workspace.store.put_all(held_out)
    kept |= {f"{h.kind} {h.id}": h for h in workspace.store.headers(hashes)}
    counts = {str(standing): 0 for standing in Standing}
    for case, _ in lost:
        counts[case.standing] += 1
    counts[Standing.PASSED] = sum(1 for header in kept.values() if header.kind in _GATED)
    blocks = gate.on_open == "block" and counts[Standing.PENDING] > 0
    return Boundary(stage, kept, counts, blocks)


def _held_out(stage: str, case: GateCase, header: Header, record: Record) -> HeldOut:
    reasons = sorted({finding.rule for finding in case.findings}) or [case.reason]
    if case.standing is Standing.REJECTED:
        reasons = [str(Ruling.REJECT), *reasons]
    return HeldOut(
        id=f"held-{stage}-{header.kind}-{header.id}",
        record=header.id,
        kind=header.kind,
        stage=stage,
        status=str(case.standing),
        reasons=reasons,
        messages=[finding.message for finding in case.findings],
        content=canonical_json(record),
    )
