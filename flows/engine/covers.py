"""What a decision covers: the record, the evidence that was seen, and which decisions hold."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memassay.flows.engine.gates import asks_about, assets_seen
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision, Ruling
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

if TYPE_CHECKING:
    from memassay.annotation.voting.review_queue import ReviewItem

State = Callable[[str], str | None]
"""Content hash of a record or place in its present state; None for one that is not there."""


def is_place(covered: str) -> bool:
    """Whether what is covered is no record: a round (`alex/D3:7`), or a proposed edit."""
    return ":" in covered


def round_states(bundle: Bundle) -> dict[str, str]:
    """Content hash of every round, with the date of its session, by its id as a covered place."""
    return {
        f"{bundle.id}/{one.id}": content_hash([session.date, one.model_dump(mode="json")])
        for session in bundle.conversation.sessions
        for one in session.rounds
    }


def covered_by(bundle: Bundle, record: str) -> list[str]:
    """What a reviewer of a record sees, as ids: the record first, then its evidence.

    Of a question the rounds that it cites or answers with, and the assets of these and its own;
    of one that cites nothing, as a refusal does, the whole conversation.
    """
    assets = assets_seen(bundle, record)
    question = next((one for one in bundle.questions if one.id == record), None)
    if question is None:
        return list(dict.fromkeys([record, bundle.id, *assets]))
    rounds = [f"{bundle.id}/{one}" for one in _rounds(bundle, question)]
    return [record, *(rounds or [bundle.id]), *assets]


def _rounds(bundle: Bundle, question: QAItem) -> list[str]:
    grouped = [place for group in question.evidence.groups for place in group]
    places = [*question.evidence.canonical, *grouped, *question.answer.values]
    found = {one.id for place in places for one in bundle.rounds_of(place)}
    return sorted(found, key=natural_key)


def shown_states(item: "ReviewItem") -> dict[str, str]:
    """Content hashes of the records that an item shows, by id: what it covers, and the history."""
    states = {one.id: one.sha256 for one in item.covers if not is_place(one.id)}
    return ({conversation_of(item.record): item.history} if item.history else {}) | states


def holding(
    items: Iterable["ReviewItem"],
    state: State,
    gate: GateSection,
    findings: Mapping[str, Sequence[Finding]],
    needed: Callable[[str], Iterable[str]],
) -> Iterator[tuple[str, Decision]]:
    """The decisions that hold, by record, the oldest first.

    All that one covers must be as it was seen. Where the rest of the history has changed since,
    an acceptance holds only if no rule says what it did not say then, and the record cites
    nothing that was not seen.

    Args:
        items: Decided items, oldest first.
        state: Present content hash of a record or place.
        gate: What the recipe says about the gate.
        findings: What rules say now, by record.
        needed: Ids of what a reviewer of a record would see now.
    """
    for item in items:
        decision = item.decision
        if decision is None or any(state(one.id) != one.sha256 for one in decision.covers):
            continue
        history = state(conversation_of(item.record)) or ""
        if decision.ruling is Ruling.ACCEPT and item.history != history:
            seen, found = {one.id for one in decision.covers}, findings.get(item.record, ())
            if not seen.issuperset(needed(item.record)) or any(
                asks_about(gate, item.record, one) and content_hash(one) not in item.findings
                for one in found
            ):
                continue
        yield item.record, decision
