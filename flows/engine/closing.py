"""Closes the gate after a stage: findings and decisions turn the stream into what may go on."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from memassay.annotation.voting.review_queue import ReviewRequest, VoidedVotes
from memassay.flows.engine.covers import covered_by, holding, is_place, round_states
from memassay.flows.engine.edit_rules import BASE_CHANGED
from memassay.flows.engine.gates import (
    GateCase,
    Standing,
    findings_by_record,
    judge,
)
from memassay.flows.store.places.address import workspace_option
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Header
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import WaitingError
from memassay.schemas.hashing import canonical_json, content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding, worst
from memassay.schemas.judgements.review import CoveredRecord, Decision, HeldOut
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.persona import persona_id
from memassay.schemas.values.keyed_random import keyed_random

_GATED = ("conversation", "question")
_KEPT: Final = 16
"""Conversations that are in memory while a gate is closed: decisions come in any order."""
_SEEN = ("conversation", "question", "asset", "persona", "event")


@dataclass(frozen=True)
class GateOutcome:
    """What a gate let through and what it held.

    Attributes:
        stage: Name of the stage.
        stream: What goes on: records that passed, findings, what people accepted, and why other
            records were held out.
        counts: Records by standing.
        blocks: Whether the run must wait for people.
        waiting: Id of one record that waits; empty if none does.
        option: What names the workspace in a command.
        decisions: The decisions that hold here.
        voided: Items that were voted on and whose decision or votes do not hold any more, now that
            the gate was closed.
    """

    stage: str
    stream: dict[str, Header]
    counts: dict[str, int]
    blocks: bool
    waiting: str = ""
    option: str = ""
    decisions: Sequence[Decision] = ()
    voided: Sequence[VoidedVotes] = ()

    def raise_if_blocked(self) -> None:
        """Stop the run if people must decide first.

        Raises:
            WaitingError: They must.
        """
        if self.blocks:
            waiting = self.counts[Standing.PENDING]
            records = "1 record waits" if waiting == 1 else f"{waiting} records wait"
            raise WaitingError(
                f"gate {self.stage}: {records} for review; `memassay review show {self.waiting}"
                f"{self.option}` shows one, `memassay review serve{self.option}` is where people "
                "decide; then run again"
            )


@dataclass(frozen=True)
class GatePlace:
    """Which gate of which run.

    Attributes:
        run: Name under which the workspace knows the run.
        seed: The run's seed.
        stage: Name of the stage.
        gate: What the recipe says about it.
        settled: Content hashes of records of a release that is extended: nobody is asked about them
            unless something is found.
    """

    run: str
    seed: int
    stage: str
    gate: GateSection
    settled: frozenset[str] = frozenset()


def close_gate(
    workspace: Workspace,
    place: GatePlace,
    stream: Mapping[str, Header],
    outputs: Sequence[Header],
    writers: Mapping[str, str] | None = None,
) -> GateOutcome:
    """Judge every record of the stream by the findings among a stage's outputs.

    Writers are the people who wrote a record themselves, by its id.
    """
    found = [header.sha256 for header in outputs if header.kind == "finding"]
    findings = [item for item in workspace.store.get_all(found) if isinstance(item, Finding)]
    gated = _gate_records(stream)
    bundles = _Bundles(workspace, stream)
    borne = _borne(bundles, findings)
    changed = {
        record
        for record, own in borne.items()
        if any(finding.rule == BASE_CHANGED.id for finding in own)
    }
    decisions = _decisions(workspace, place, bundles, borne, changed)
    new = {record: one for record, one in gated.items() if one.sha256 not in place.settled}
    cases = judge(
        place.gate,
        {record: borne[record] for record in borne if record in gated},
        _draw(place, new.values()),
        new,
        {record: decisions[record].ruling for record in decisions if record in gated},
    )
    # What waited before had its decision or votes voided by an earlier run, which said so.
    waited = {item.record for item in workspace.queue.items(place.stage) if item.run == place.run}
    voided = _ask(workspace, place, cases, bundles, gated, writers or {})
    outcome = _outcome(workspace, place, stream, cases, decisions, gated)
    if place.gate.policy != "auto":
        voided += _voided_votes(workspace, place, gated.keys() - decisions.keys() - waited)
    held = [decisions[record] for record in sorted(decisions, key=natural_key) if record in gated]
    return replace(outcome, decisions=held, voided=voided)


def _voided_votes(
    workspace: Workspace, place: GatePlace, records: Collection[str]
) -> list[VoidedVotes]:
    """The latest decisions of a run about records of which none holds any more."""
    latest = {
        item.record: item.decision
        for item in workspace.queue.decided_items(place.stage)
        if item.decision and item.run == place.run and item.record in records
    }
    return [
        VoidedVotes(record, 1, decision.reviewer.count(",") + 1)
        for record, decision in latest.items()
    ]


def _decisions(
    workspace: Workspace,
    place: GatePlace,
    bundles: "_Bundles",
    borne: Mapping[str, Sequence[Finding]],
    changed: Collection[str],
) -> dict[str, Decision]:
    """What people decided; where nobody is asked, only about edits whose base has changed."""
    if place.gate.policy == "auto" and not changed:
        return {}
    decided = workspace.queue.decided_items(place.stage)
    found = dict(holding(decided, bundles.state, place.gate, borne, bundles.covered_ids))
    if place.gate.policy != "auto":
        return found
    return {record: found[record] for record in found if record in changed}


def _gate_records(stream: Mapping[str, Header]) -> dict[str, Header]:
    """What a gate can hold: conversations, questions, the persona of a timeline without dialogue.

    Held, a persona takes its events and facts along, as a conversation takes its questions.
    """
    written = {header.id for header in stream.values() if header.kind == "conversation"}
    return {
        header.id: header
        for header in stream.values()
        if header.kind in _GATED
        or (header.kind == "persona" and header.conversation not in written)
    }


class _Bundles:
    """Bundles of the stream by conversation, read when they are needed; the last ones are kept."""

    def __init__(self, workspace: Workspace, stream: Mapping[str, Header]) -> None:
        self.workspace = workspace
        self.headers: dict[str, list[Header]] = {}
        for header in stream.values():
            if header.kind in DATA_KINDS:
                self.headers.setdefault(header.conversation, []).append(header)
        self.states = {h.id: h.sha256 for h in stream.values() if h.kind in _SEEN}
        self.read = lru_cache(_KEPT)(self._read)
        self._rounds: dict[str, dict[str, str]] = {}

    def state(self, covered: str) -> str | None:
        """Content hash of a record, or of a round of a conversation; None if it is not there."""
        if not is_place(covered):
            return self.states.get(covered)
        conversation = conversation_of(covered)
        if conversation not in self._rounds:
            bundle = self.get(conversation)
            self._rounds[conversation] = {} if bundle is None else round_states(bundle)
        return self._rounds[conversation].get(covered)

    def covered_ids(self, record: str) -> list[str]:
        """Ids of what a reviewer of a record sees: its evidence, or the events of a timeline."""
        conversation = conversation_of(record)
        bundle = self.get(conversation)
        if bundle is not None:
            return covered_by(bundle, record)
        events = [one.id for one in self.headers.get(conversation, ()) if one.kind == "event"]
        return [record, *sorted(events, key=natural_key)]

    def kinds(self, conversation: str) -> dict[str, str]:
        """The kinds of a conversation's records, by id."""
        return {header.id: header.kind for header in self.headers.get(conversation, ())}

    def get(self, conversation: str) -> Bundle | None:
        """The bundle of a conversation; None if it is no longer in the stream."""
        whole = "conversation" in self.kinds(conversation).values()
        return self.read(conversation) if whole else None

    def _read(self, conversation: str) -> Bundle:
        hashes = [header.sha256 for header in self.headers[conversation]]
        return Bundle.from_records(self.workspace.store.get_all(hashes))


def _borne(bundles: _Bundles, findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    by_conversation: dict[str, list[Finding]] = {}
    for finding in findings:
        by_conversation.setdefault(conversation_of(finding.target), []).append(finding)
    borne: dict[str, list[Finding]] = {}
    for conversation, own in by_conversation.items():
        kinds = bundles.kinds(conversation)
        if "conversation" in kinds.values():
            borne |= findings_by_record(conversation, own, kinds, bundles.read)
        else:
            # Before a word is written, the persona bears what is wrong with its timeline.
            borne[persona_id(conversation)] = own
    return borne


def _draw(place: GatePlace, gated: Iterable[Header]) -> list[str]:
    """Questions drawn for review; each draw depends on its own id alone."""
    return [
        header.id
        for header in gated
        if header.kind == "question"
        and keyed_random(str(place.seed), place.stage, header.id, "review").random()
        < place.gate.rate
    ]


def _ask(
    workspace: Workspace,
    place: GatePlace,
    cases: Iterable[GateCase],
    bundles: _Bundles,
    gated: Mapping[str, Header],
    writers: Mapping[str, str],
) -> list[VoidedVotes]:
    """Ask people about what is pending; gives the votes that this voids."""
    asked = [case for case in cases if case.reviewed]
    requests = [
        ReviewRequest(
            gate=place.stage,
            record=case.record,
            reason=case.reason,
            rules=tuple(sorted({finding.rule for finding in case.findings})),
            findings=tuple(content_hash(finding) for finding in case.findings),
            covers=_covers(bundles, case.record),
            history=bundles.state(conversation_of(case.record)) or "",
            kind=gated[case.record].kind,
            type=_type_of(bundles, case.record),
            severity=str(worst(list(case.findings)) or "none"),
            votes=place.gate.votes,
            writer=writers.get(case.record, ""),
        )
        for case in asked
        if case.standing is Standing.PENDING
    ]
    voided = workspace.queue.sync(place.run, place.stage, requests)
    shown = {conversation_of(case.record) for case in asked}
    shown |= workspace.queue.proposed_histories(place.run, place.stage) & bundles.headers.keys()
    contexts = {
        conversation: [header.sha256 for header in bundles.headers[conversation]]
        for conversation in sorted(shown, key=natural_key)
    }
    workspace.queue.remember(place.run, place.stage, contexts)
    return voided


def _type_of(bundles: _Bundles, record: str) -> str:
    """The type of a question; nothing for other records."""
    bundle = bundles.get(conversation_of(record))
    questions = bundle.questions if bundle else []
    return next((str(one.type) for one in questions if one.id == record), "")


def _covers(bundles: _Bundles, record: str) -> tuple[CoveredRecord, ...]:
    """What a decision about a record would cover, in its present states."""
    found = ((one, bundles.state(one)) for one in bundles.covered_ids(record))
    return tuple(CoveredRecord(id=one, sha256=sha256) for one, sha256 in found if sha256)


def _outcome(
    workspace: Workspace,
    place: GatePlace,
    stream: Mapping[str, Header],
    cases: Sequence[GateCase],
    decisions: Mapping[str, Decision],
    gated: Mapping[str, Header],
) -> GateOutcome:
    held = {
        conversation_of(case.record) if gated[case.record].kind == "persona" else case.record: case
        for case in cases
        if case.standing is not Standing.PASSED
    }
    kept: dict[str, Header] = {}
    lost: list[tuple[GateCase, Header]] = []
    for name, header in stream.items():
        case = held.get(header.conversation) or held.get(header.id)
        if case is None or header.kind not in DATA_KINDS:
            kept[name] = header
        elif header.id in gated:
            lost.append((case, header))
    records = workspace.store.get_all([header.sha256 for _, header in lost])
    held_out = [
        _held_out(place.stage, case, header, record, decisions.get(case.record))
        for (case, header), record in zip(lost, records, strict=True)
    ]
    # What people let pass goes along with it, so that the release can say who answers for it.
    passed = [case.record for case in cases if case.standing is Standing.PASSED]
    accepted = [decisions[record] for record in passed if record in decisions]
    hashes = workspace.store.put_all([*held_out, *accepted])
    kept |= {f"{h.kind} {h.id}": h for h in workspace.store.headers(hashes)}
    counts = {str(standing): 0 for standing in Standing}
    for case, _ in lost:
        counts[case.standing] += 1
    counts[Standing.PASSED] = sum(1 for header in kept.values() if gated.get(header.id) == header)
    blocks = place.gate.on_open == "block" and counts[Standing.PENDING] > 0
    pending = next((case.record for case, _ in lost if case.standing is Standing.PENDING), "")
    option = workspace_option(workspace.place)
    return GateOutcome(place.stage, kept, counts, blocks, pending, option)


def _held_out(
    stage: str, case: GateCase, header: Header, record: Record, decision: Decision | None
) -> HeldOut:
    reasons = sorted({finding.rule for finding in case.findings}) or [case.reason]
    if decision is not None:
        reasons = [str(decision.reason), *reasons]
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
