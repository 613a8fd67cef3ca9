"""What the desk reads and writes inside its transactions."""

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection, and_, exists, insert, or_, select, update

from memassay.annotation.desk_shapes import Vote, edits_of, edits_text, said
from memassay.annotation.edit_book import edits_made, withdraw_edits
from memassay.annotation.review_tables import (
    CONTROLS,
    EDITS,
    ITEMS,
    LEASES,
    LOG,
    ROOM,
    SKIPS,
    VOTES,
)
from memassay.schemas.errors import UsageError
from memassay.schemas.review import CoveredRecord, Decision, ReasonCode, Ruling

FILTERS: Final = ("run", "gate", "reason", "severity", "kind", "type", "conversation")
"""What items can be chosen by."""

PRIORITIES: Final = (0, 1, 2)
"""What comes first: errors and edits, then warnings, then all else."""

VOTE, ADJUDICATION, CONTROL, REPEAT = "vote", "adjudication", "control", "repeat"
JUDGE: Final = "judge"
"""Purposes of a vote; a judge is a model, and decides nothing."""

ASSIGNMENT: Final = "assignment"
"""Kind of the items that are accepted with an answer only."""


def matching(filters: Mapping[str, str]) -> list[Any]:
    """The conditions that filters stand for.

    Raises:
        UsageError: A filter is unknown.
    """
    unknown = sorted(set(filters) - set(FILTERS))
    if unknown:
        raise UsageError(f"filters: expected {', '.join(FILTERS)}, got {', '.join(unknown)}")
    return [ITEMS.c[name] == value for name, value in filters.items()]


def mine(table: Any, item: str, reviewer: str) -> Any:
    """The rows of a table that are of an item and a reviewer."""
    return and_(table.c.item == item, table.c.reviewer == reviewer)


def stands(item: Any, reviewer: str, *purposes: str) -> Any:
    """The votes of a reviewer on an item that were not withdrawn."""
    return and_(
        VOTES.c.item == item,
        VOTES.c.reviewer == reviewer,
        VOTES.c.purpose.in_(purposes or (VOTE,)),
        VOTES.c.withdrawn.is_(False),
    )


def has_voted(connection: Connection, item: str, reviewer: str) -> bool:
    """Whether a reviewer's vote on an item stands."""
    query = select(VOTES.c.id).where(stands(item, reviewer))
    return connection.execute(query).scalar() is not None


def held(connection: Connection, reviewer: str, wanted: list[Any]) -> str | None:
    """The first item that a reviewer holds already and may still decide."""
    live = or_(ITEMS.c.state == "open", LEASES.c.purpose != VOTE)
    query = (
        select(LEASES.c.item)
        .join(ITEMS, ITEMS.c.id == LEASES.c.item)
        .where(LEASES.c.reviewer == reviewer, live, *wanted)
        .order_by(LEASES.c.since)
        .limit(1)
    )
    return connection.execute(query).scalar()


def with_room(reviewer: str, wanted: list[Any], *, skipped_too: bool = False) -> Any:
    """The query for the first item in order that has room for a reviewer."""
    own = [
        ~exists().where(stands(ITEMS.c.id, reviewer)),
        ~exists().where(LEASES.c.item == ITEMS.c.id, LEASES.c.reviewer == reviewer),
        ITEMS.c.writer != reviewer,
    ]
    if not skipped_too:
        own.append(~exists().where(SKIPS.c.item == ITEMS.c.id, SKIPS.c.reviewer == reviewer))
    return (
        select(ITEMS.c.id, ITEMS.c.position)
        .where(ROOM, *wanted, *own)
        .order_by(ITEMS.c.priority, ITEMS.c.position)
        .limit(1)
        .with_for_update(skip_locked=True, of=ITEMS)
    )


def find_room(
    connection: Connection, reviewer: str, wanted: list[Any], seen: dict[int, int]
) -> str | None:
    """The first item that has room for a reviewer, sought behind those they were given before.

    Where items need several votes, those that a reviewer has done keep their room for others;
    passing over them all would take longer with every vote.

    Args:
        connection: The transaction.
        reviewer: Their name.
        wanted: Conditions on items.
        seen: By priority, the position of the latest item they were given; brought up to date.
    """
    for priority in PRIORITIES:
        behind = [ITEMS.c.priority == priority, ITEMS.c.position > seen.get(priority, 0)]
        found = connection.execute(with_room(reviewer, [*wanted, *behind])).one_or_none()
        if found is not None:
            seen[priority] = found.position
            return str(found.id)
    if not seen:
        return None
    # What was given back, or has changed its mind, lies further ahead.
    seen.clear()
    found = connection.execute(with_room(reviewer, wanted)).one_or_none()
    return None if found is None else str(found.id)


def to_measure(connection: Connection, reviewer: str, purpose: str) -> str | None:
    """An item that measures a reviewer: a control, or one of their own votes; None for none."""
    # Seen again at once, an item is remembered and not judged.
    fresh = ~exists().where(stands(ITEMS.c.id, reviewer, purpose))
    query = select(ITEMS.c.id).where(ITEMS.c.state == "decided", fresh, ITEMS.c.writer != reviewer)
    if purpose == CONTROL:
        unseen = ~exists().where(stands(ITEMS.c.id, reviewer, VOTE))
        query = query.join(CONTROLS, CONTROLS.c.item == ITEMS.c.id).where(unseen)
    else:
        query = query.where(exists().where(stands(ITEMS.c.id, reviewer, VOTE)))
    return connection.execute(query.order_by(ITEMS.c.position).limit(1)).scalar()


def item_row(connection: Connection, item: str) -> Any:
    """An item, locked until the transaction ends.

    Raises:
        UsageError: There is no such item.
    """
    query = select(ITEMS).where(ITEMS.c.id == item).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UsageError(f"review item {item}: not in the queue; `memassay review list` shows all")
    return row


def insert_vote(
    connection: Connection, item: str, reviewer: str, token: str, vote: Vote, now: float, why: str
) -> None:
    """Store a vote; `why` is its purpose."""
    connection.execute(
        insert(VOTES).values(
            item=item,
            reviewer=reviewer,
            token=token,
            purpose=why,
            ruling=str(vote.ruling),
            reason=str(vote.reason),
            comment=vote.comment,
            edits=edits_text(vote.edits),
            answer=vote.answer,
            seconds=vote.seconds,
            at=now,
            withdrawn=False,
        )
    )


def settle(connection: Connection, row: Any) -> str:
    """The state of a locked item after a vote: decided if all agree, disputed if they do not."""
    if row.state != "open":
        return str(row.state)
    query = (
        select(VOTES)
        .where(VOTES.c.item == row.id, VOTES.c.purpose == VOTE, VOTES.c.withdrawn.is_(False))
        .order_by(VOTES.c.id)
    )
    votes = connection.execute(query).all()
    if len(votes) < row.votes_needed:
        return "open"
    if len({said(vote.ruling, vote.edits, vote.answer) for vote in votes}) > 1:
        set_state(connection, row.id, "disputed")
        return "disputed"
    last = votes[-1]
    names = ", ".join(sorted(vote.reviewer for vote in votes))
    vote = Vote(
        Ruling(last.ruling),
        ReasonCode(last.reason),
        last.comment,
        edits_of(last.edits),
        answer=last.answer,
    )
    decide(connection, row, names, vote)
    return "decided"


def ask_again(connection: Connection, item: str) -> None:
    """Bring the state of an item in line with what was said about it before it was asked again."""
    row = item_row(connection, item)
    if row.state == "open" and _is_escalated(connection, item):
        set_state(connection, item, "disputed")
    else:
        settle(connection, row)


def _is_escalated(connection: Connection, item: str) -> bool:
    query = select(SKIPS.c.item).where(SKIPS.c.item == item, SKIPS.c.reason == "escalated")
    return connection.execute(query.limit(1)).scalar() is not None


def is_adjudicated(connection: Connection, item: str) -> bool:
    """Whether an adjudicator's vote on an item stands."""
    query = select(VOTES.c.id).where(
        VOTES.c.item == item, VOTES.c.purpose == ADJUDICATION, VOTES.c.withdrawn.is_(False)
    )
    return connection.execute(query).scalar() is not None


def set_state(connection: Connection, item: str, state: str) -> None:
    """Give an item another state; what is not decided has no decision and no edits."""
    values = {"state": state, "decision": None}
    connection.execute(update(ITEMS).where(ITEMS.c.id == item).values(**values))
    withdraw_edits(connection, item)


def decide(connection: Connection, row: Any, reviewers: str, vote: Vote) -> None:
    """Write the decision of an item that had none; it covers records as the reviewers left them."""
    after = {change.target: change.after_sha256 for change in vote.edits}
    covers = [CoveredRecord(**cover) for cover in json.loads(row.covers)]
    decision = Decision(
        id=f"decision-{row.id}",
        covers=[CoveredRecord(id=one.id, sha256=after.get(one.id, one.sha256)) for one in covers],
        gate=row.gate,
        reviewer=reviewers,
        ruling=vote.ruling,
        reason=vote.reason,
        comment=vote.comment,
        answer=vote.answer,
    )
    decided = {"state": "decided", "decision": decision.model_dump_json()}
    connection.execute(update(ITEMS).where(ITEMS.c.id == row.id).values(**decided))
    for edit in edits_made(row.gate, reviewers, vote, covers):
        values = {"id": edit.id, "item": row.id, "run": row.run, "active": True}
        connection.execute(insert(EDITS).values(document=edit.model_dump_json(), **values))


def note(
    connection: Connection,
    now: float,
    reviewer: str,
    action: str,
    row: Any,
    vote: Vote | None,
    comment: str = "",
) -> None:
    """Add a line about an item to the log."""
    covered = json.loads(row.covers)
    connection.execute(
        insert(LOG).values(
            at=now,
            reviewer=reviewer,
            action=action,
            item=row.id,
            record=row.record,
            before=covered[0]["sha256"] if covered else None,
            after=vote.edits[0].after_sha256 if vote and vote.edits else None,
            reason=_logged(vote) if vote else comment[:200],
            seconds=vote.seconds if vote else None,
        )
    )


def _logged(vote: Vote) -> str:
    answer = f" = {vote.answer}" if vote.answer else ""
    return f"{vote.ruling}: {vote.reason}{answer}"[:200]


def require_answer(row: Any, vote: Vote) -> None:
    """See that an assignment is accepted with an answer, and nothing else has one.

    Raises:
        UsageError: It is not so.
    """
    wanted = row.kind == ASSIGNMENT and vote.ruling is Ruling.ACCEPT
    if wanted != bool(vote.answer):
        expected = "an answer to an assignment" if wanted else "no answer here"
        raise UsageError(f"review item {row.id}: expected {expected}, got {vote.answer!r}")


def vote_shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """What others are shown of a vote."""
    names = ("reviewer", "purpose", "ruling", "reason", "comment", "answer", "seconds", "at")
    return {**{name: row[name] for name in names}, "edits": json.loads(row["edits"])}
