"""What owners and reviewers want to know: how much is done, how fast, and how far people agree."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Engine, func, select

from memassay.annotation.measures.agreement import Agreement, agreement
from memassay.annotation.storage.tables import CONTROLS, ITEMS, LOG, VOTES
from memassay.annotation.voting.rows import ADJUDICATION, ASSIGNMENT, CONTROL, JUDGE, REPEAT, VOTE
from memassay.annotation.voting.shapes import outcome_key
from memassay.schemas.judgements.review import JudgedField


@dataclass(frozen=True)
class ReviewerStats:
    """What one reviewer has done.

    Attributes:
        reviewer: Their name.
        votes: Votes that stand, adjudications among them.
        accepted: Share of the votes that accept.
        seconds: Median time a vote took; None without votes.
        hours: Time that all votes took together.
        controls: Items of known answer that they were shown.
        controls_right: Those that they ruled on as the known answer does.
        repeats: Items that they were shown twice.
        repeats_alike: Those that they ruled on as before.
    """

    reviewer: str
    votes: int
    accepted: float
    seconds: float | None
    hours: float
    controls: int
    controls_right: int
    repeats: int
    repeats_alike: int


@dataclass(frozen=True)
class Disagreement:
    """An item about which reviewers differ.

    Attributes:
        item: Its id.
        record: The record.
        state: `disputed`, or `decided` by an adjudicator.
        votes: By reviewer, what they voted.
    """

    item: str
    record: str
    state: str
    votes: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class ReviewStats:
    """How far review is.

    Attributes:
        states: Items by state.
        gates: By gate, items by state.
        reviewers: What each has done, by name.
        agreement: How far they agree on the ruling, the reason, what records become, and the answer
            to assignments (what is chosen and scored; no two people write one text).
        wrong_fields: By part of a question, how many votes call it wrong, and of how many items.
        disagreements: Items about which they differ, in the order of the queue.
    """

    states: dict[str, int]
    gates: dict[str, dict[str, int]]
    reviewers: list[ReviewerStats]
    agreement: dict[str, Agreement]
    wrong_fields: dict[str, dict[str, int]]
    disagreements: list[Disagreement]


def review_stats(engine: Engine) -> ReviewStats:
    """How far review is in a database."""
    with engine.connect().execution_options(reading=True) as connection:
        counted = select(ITEMS.c.gate, ITEMS.c.state, func.count())
        by_gate = connection.execute(counted.group_by(ITEMS.c.gate, ITEMS.c.state)).all()
        live = select(VOTES).where(VOTES.c.withdrawn.is_(False), VOTES.c.purpose != JUDGE)
        votes = connection.execute(live.order_by(VOTES.c.id)).all()
        decided = select(CONTROLS, ITEMS.c.decision).join(ITEMS, ITEMS.c.id == CONTROLS.c.item)
        known = {row.item: _control_answer(row) for row in connection.execute(decided)}
        closed = (ITEMS.c.kind == ASSIGNMENT) & ITEMS.c.type.in_(("choose", "score"))
        answered = set(connection.execute(select(ITEMS.c.id).where(closed)).scalars())
        found = connection.execute(
            select(ITEMS.c.id, ITEMS.c.record, ITEMS.c.state)
            .where(ITEMS.c.id.in_(_differing(votes)))
            .order_by(ITEMS.c.priority, ITEMS.c.position)
        ).all()
    gates: dict[str, dict[str, int]] = {}
    states: dict[str, int] = {}
    for gate, state, number in sorted(tuple(row) for row in by_gate):
        gates.setdefault(gate, {})[state] = number
        states[state] = states.get(state, 0) + number
    names = sorted({vote.reviewer for vote in votes})
    return ReviewStats(
        states=dict(sorted(states.items())),
        gates=gates,
        reviewers=[_reviewer(name, votes, known) for name in names],
        agreement={
            **{
                field: agreement(list(_units(votes, field).values()))
                for field in ("ruling", "reason", "edits", *_named_fields(votes))
            },
            **({"answer": agreement(_answers(votes, answered))} if answered else {}),
        },
        wrong_fields=_wrong_fields(votes),
        disagreements=[_disagreement(row, votes) for row in found],
    )


def audit_log(engine: Engine) -> list[dict[str, Any]]:
    """Every line of the log, oldest first."""
    with engine.connect().execution_options(reading=True) as connection:
        rows = connection.execute(select(LOG).order_by(LOG.c.id)).all()
    return [row._asdict() for row in rows]


def _units(votes: Iterable[Any], field: str) -> dict[str, dict[str, str]]:
    """By item, what each reviewer voted; adjudications and what measures people do not count."""
    units: dict[str, dict[str, str]] = {}
    for vote in votes:
        if vote.purpose == VOTE:
            unit = units.setdefault(vote.item, {})
            unit[vote.reviewer] = (
                outcome_key("", vote.edits) if field == "edits" else vote._mapping[field]
            )
    return units


def _answers(votes: Iterable[Any], items: set[str]) -> list[dict[str, str]]:
    """What each reviewer answered to some items; who could not answer is named with that."""
    own = [vote for vote in votes if vote.item in items]
    answers = _units(own, "answer")
    rulings = _units(own, "ruling")
    return [
        {name: answer or rulings[item][name] for name, answer in unit.items()}
        for item, unit in answers.items()
    ]


def _named_fields(votes: Iterable[Any]) -> tuple[str, ...]:
    """The column of wrong fields, once anybody has named one: nobody agrees on nothing."""
    return ("wrong_fields",) if any(vote.wrong_fields for vote in votes) else ()


def _wrong_fields(votes: Iterable[Any]) -> dict[str, dict[str, int]]:
    items: dict[str, list[str]] = {}
    for vote in votes:
        if vote.purpose in (VOTE, ADJUDICATION):
            for field in vote.wrong_fields.split():
                items.setdefault(field, []).append(vote.item)
    return {
        field: {"votes": len(items[field]), "items": len(set(items[field]))}
        for field in JudgedField
        if field in items
    }


def _control_answer(control: Any) -> tuple[str, str]:
    """Ruling and answer of a control."""
    return control.ruling, json.loads(control.decision or "{}").get("answer", "")


def _differing(votes: Iterable[Any]) -> list[str]:
    given: dict[str, set[str]] = {}
    for vote in votes:
        if vote.purpose == VOTE:
            given.setdefault(vote.item, set()).add(
                outcome_key(vote.ruling, vote.edits, vote.answer)
            )
    return sorted(item for item, sayings in given.items() if len(sayings) > 1)


def _disagreement(row: Any, votes: Iterable[Any]) -> Disagreement:
    own = [vote for vote in votes if vote.item == row.id and vote.purpose in (VOTE, ADJUDICATION)]
    return Disagreement(
        item=row.id,
        record=row.record,
        state=row.state,
        votes={
            vote.reviewer: {
                "purpose": vote.purpose,
                "ruling": vote.ruling,
                "reason": vote.reason,
                "comment": vote.comment,
                "edits": json.loads(vote.edits),
                "answer": vote.answer,
                "wrong_fields": vote.wrong_fields.split(),
            }
            for vote in own
        },
    )


def _reviewer(name: str, votes: Iterable[Any], known: dict[str, tuple[str, str]]) -> ReviewerStats:
    own = [vote for vote in votes if vote.reviewer == name]
    real = [vote for vote in own if vote.purpose in (VOTE, ADJUDICATION)]
    controls = [vote for vote in own if vote.purpose == CONTROL]
    repeats = [vote for vote in own if vote.purpose == REPEAT]
    first = {vote.item: (vote.ruling, vote.answer) for vote in own if vote.purpose == VOTE}
    return ReviewerStats(
        reviewer=name,
        votes=len(real),
        accepted=sum(vote.ruling == "accept" for vote in real) / len(real) if real else 0.0,
        seconds=median(vote.seconds for vote in real) if real else None,
        hours=sum(vote.seconds for vote in own) / 3600,
        controls=len(controls),
        controls_right=sum((vote.ruling, vote.answer) == known.get(vote.item) for vote in controls),
        repeats=len(repeats),
        repeats_alike=sum((vote.ruling, vote.answer) == first.get(vote.item) for vote in repeats),
    )
