"""Proposed edits of histories: kept until people decide, and the recipe's word on who does."""

import json
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update

from memassay.annotation.storage.tables import ITEMS, LOG, POLICIES, PROPOSALS
from memassay.annotation.storage.turns import take_turn
from memassay.annotation.voting.review_queue import ReviewQueue, ReviewRequest
from memassay.annotation.voting.rows import PROPOSAL, ask_again
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import CoveredRecord, Decision

REASON = "proposal"
"""Why a proposal is in the queue."""


@dataclass(frozen=True)
class HistoryPolicy:
    """Who decides edits of histories in a run.

    Attributes:
        history_edits: `propose` by votes or an owner, `owner` by an owner alone, or `off`.
        votes: Votes that accept a proposal.
    """

    history_edits: str = "propose"
    votes: int = 1

    @property
    def needed(self) -> int:
        """Votes that accept a proposal; 0 where nobody but an owner decides."""
        return self.votes if self.history_edits == "propose" else 0


@dataclass(frozen=True)
class Proposal:
    """A proposed edit of a history.

    Attributes:
        item: Id of the item that it is decided as.
        run: Name of the run it is for.
        gate: Stage whose gate it was proposed at.
        conversation: Id of the conversation.
        name: Its name; that of its edits, once it is accepted.
        operation: What is to be done.
        base: Hash of the history that it was made of.
        effect: Hash of what it changes there, before and after.
        comment: In the words of who proposed it.
        writer: Who proposed it.
        state: State of the item.
        decision: What people decided.
    """

    item: str
    run: str
    gate: str
    conversation: str
    name: str
    operation: dict[str, Any]
    base: str
    effect: str
    comment: str
    writer: str
    state: str
    decision: Decision | None


class Proposals:
    """The proposals in the database of a queue."""

    def __init__(self, queue: ReviewQueue) -> None:
        """Use the database of a queue."""
        self.queue = queue
        self.engine: Engine = queue.engine

    def set_policy(self, run: str, policy: HistoryPolicy) -> None:
        """Keep what a recipe says; it holds for proposals that wait, too."""
        values = {"history_edits": policy.history_edits, "votes": policy.votes}
        waiting = (ITEMS.c.run == run) & (ITEMS.c.kind == PROPOSAL) & (ITEMS.c.state == "open")
        with self.engine.begin() as connection:
            take_turn(connection)
            kept = select(POLICIES.c.history_edits, POLICIES.c.votes).where(POLICIES.c.run == run)
            if tuple(connection.execute(kept).one_or_none() or ()) == tuple(values.values()):
                return
            connection.execute(delete(POLICIES).where(POLICIES.c.run == run))
            connection.execute(insert(POLICIES).values(run=run, **values))
            change = update(ITEMS).where(waiting).values(votes_needed=policy.needed)
            for item in connection.execute(change.returning(ITEMS.c.id)).scalars().all():
                ask_again(connection, item)

    def policy(self, run: str) -> HistoryPolicy:
        """What the recipe of a run says; of an older run, votes as its items need them at most."""
        kept = select(POLICIES.c.history_edits, POLICIES.c.votes).where(POLICIES.c.run == run)
        most = select(func.max(ITEMS.c.votes_needed)).where(ITEMS.c.run == run)
        with self.engine.connect().execution_options(reading=True) as connection:
            row = connection.execute(kept).one_or_none()
            if row is not None:
                return HistoryPolicy(row.history_edits, row.votes)
            return HistoryPolicy(votes=connection.execute(most).scalar() or 1)

    def add(self, one: Proposal, policy: HistoryPolicy, history: str, now: float) -> str:
        """Queue a proposal; gives its item. Added again while it waits, it is there once.

        Args:
            one: The proposal; its item and state are not looked at.
            policy: Who decides it.
            history: Content hash of the conversation.
            now: Seconds since 1970.
        """
        request = ReviewRequest(
            gate=one.gate,
            record=one.conversation,
            reason=REASON,
            rules=(),
            findings=(),
            covers=(CoveredRecord(id=f"{one.conversation}/edit:{one.name}", sha256=one.effect),),
            kind=PROPOSAL,
            votes=policy.needed,
            writer=one.writer,
            history=history,
        )
        row = {
            "item": request.item,
            "conversation": one.conversation,
            "name": one.name,
            "operation": json.dumps(one.operation, sort_keys=True),
            "base": one.base,
            "effect": one.effect,
            "comment": one.comment,
        }
        # First, so that the item is never there without what it proposes.
        with self.engine.begin() as connection:
            take_turn(connection)
            known = select(PROPOSALS.c.item).where(PROPOSALS.c.item == request.item)
            if connection.execute(known).scalar() is None:
                connection.execute(insert(PROPOSALS).values(**row))
                _note(connection, request.item, one, "propose", now, one.comment)
        self.queue.propose(one.run, request)
        return request.item

    def of(self, conversation: str) -> list[Proposal]:
        """Every proposal about a conversation, oldest first."""
        return self._find(PROPOSALS.c.conversation == conversation)

    def one(self, item: str) -> Proposal:
        """The proposal that is decided as an item.

        Raises:
            UsageError: There is none.
        """
        found = self._find(PROPOSALS.c.item == item)
        if not found:
            raise UsageError(f"review item {item}: expected a proposed edit of a history")
        return found[0]

    def to_settle(self) -> list[str]:
        """Conversations with proposals that wait, or were accepted, in order."""
        query = (
            select(PROPOSALS.c.conversation)
            .join(ITEMS, ITEMS.c.id == PROPOSALS.c.item)
            .where(ITEMS.c.state != "stale")
            .distinct()
        )
        with self.engine.connect().execution_options(reading=True) as connection:
            return sorted(connection.execute(query).scalars())

    def retire(self, one: Proposal, by: str, action: str, why: str, now: float) -> None:
        """Take a proposal off the queue; what became of it stays in the log."""
        with self.engine.begin() as connection:
            waits = ITEMS.c.state.in_(("open", "disputed", "decided"))
            gone = update(ITEMS).where(ITEMS.c.id == one.item, waits).values(state="stale")
            if connection.execute(gone.returning(ITEMS.c.id)).scalar() is not None:
                _note(connection, one.item, one, action, now, why, by)

    def _find(self, where: Any) -> list[Proposal]:
        query = (
            select(PROPOSALS, ITEMS.c.run, ITEMS.c.gate, ITEMS.c.writer)
            .add_columns(ITEMS.c.state, ITEMS.c.decision)
            .join(ITEMS, ITEMS.c.id == PROPOSALS.c.item)
            .where(where)
            .order_by(ITEMS.c.position)
        )
        with self.engine.connect().execution_options(reading=True) as connection:
            return [_proposal(row._asdict()) for row in connection.execute(query)]


def _proposal(row: dict[str, Any]) -> Proposal:
    decision = row["decision"] and Decision.model_validate_json(row["decision"])
    operation = json.loads(row["operation"])
    return Proposal(**{**row, "operation": operation, "decision": decision})


def _note(
    connection: Connection,
    item: str,
    one: Proposal,
    action: str,
    now: float,
    why: str,
    by: str | None = None,
) -> None:
    line = {
        "at": now,
        "reviewer": by or one.writer,
        "action": action,
        "item": item,
        "record": one.conversation,
        "before": one.base,
        "after": one.effect,
        "reason": why[:200],
    }
    connection.execute(insert(LOG).values(**line))
