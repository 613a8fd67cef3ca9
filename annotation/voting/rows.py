"""What the desk reads and writes inside its transactions."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import Connection, insert, select

from memassay.annotation.storage.tables import EDITS, ITEMS, SKIPS, VOTES
from memassay.annotation.voting import statements as ask
from memassay.annotation.voting.edit_log import edits_made, withdraw_edits
from memassay.annotation.voting.shapes import Vote, edits_of, edits_text, outcome_key
from memassay.annotation.voting.statements import ADJUDICATION as ADJUDICATION
from memassay.annotation.voting.statements import CONTROL as CONTROL
from memassay.annotation.voting.statements import JUDGE as JUDGE
from memassay.annotation.voting.statements import PROPOSAL as PROPOSAL
from memassay.annotation.voting.statements import REPEAT as REPEAT
from memassay.annotation.voting.statements import VOTE as VOTE
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.review import (
    CoveredRecord,
    Decision,
    JudgedField,
    ReasonCode,
    Ruling,
)

FILTERS: Final = ("run", "gate", "reason", "severity", "kind", "type", "conversation")
"""What items can be chosen by."""

ASSIGNMENT: Final = "assignment"
"""Kind of the items that are accepted with an answer only."""

_TIMELINE: Final = ("persona", "event", "fact")
"""Kinds that a vote on a timeline may edit."""


def require_known(filters: Mapping[str, str]) -> None:
    """See that items can be chosen by all filters.

    Raises:
        UsageError: A filter is unknown.
    """
    unknown = sorted(set(filters) - set(FILTERS))
    if unknown:
        raise UsageError(f"filters: expected {', '.join(FILTERS)}, got {', '.join(unknown)}")


def by(reviewer: str, item: str | None = None) -> dict[str, Any]:
    """The parameters that a reviewer, and an item, are sought by."""
    return {"of_reviewer": reviewer, "of_item": item}


def votes_so_far(connection: Connection, item: str, token: str | None = None) -> Sequence[Any]:
    """The votes on a locked item that stand, oldest first; and the vote of a token, whatever on."""
    return connection.execute(ask.VOTES_SO_FAR, {"of_item": item, "token": token}).all()


def undoable(connection: Connection, reviewer: str, latest: int) -> Any:
    """The last valid vote among a reviewer's latest, locked; None if there is none."""
    theirs = select(VOTES.c.id).where(VOTES.c.reviewer == reviewer)
    query = (
        select(VOTES.c.id, VOTES.c.item, VOTES.c.purpose)
        .join(ITEMS, ITEMS.c.id == VOTES.c.item)
        .where(VOTES.c.id.in_(theirs.order_by(VOTES.c.id.desc()).limit(latest)))
        .where(VOTES.c.withdrawn.is_(False), ITEMS.c.state != "stale")
        .order_by(VOTES.c.id.desc())
        .limit(1)
        # Undone twice at once, two votes are undone, and none of them twice.
        .with_for_update(of=VOTES)
    )
    return connection.execute(query).one_or_none()


def take_room(
    connection: Connection, reviewer: str, filters: Mapping[str, str], seen: dict[int, int]
) -> str | None:
    """Take a place at the first item that has room, sought behind those they were given before.

    Where items need several votes, those that a reviewer has done keep their room for others;
    passing over them all would take longer with every vote.

    Args:
        connection: The transaction.
        reviewer: Their name.
        filters: What items are chosen by.
        seen: By priority, the position of the latest item they were given; brought up to date.
    """
    take = ask.take_room(tuple(sorted(filters)))
    found = connection.execute(take, _behind(reviewer, filters, seen)).one_or_none()
    if found is None and seen:
        # What was given back, or has changed its mind, lies further ahead.
        seen.clear()
        found = connection.execute(take, _behind(reviewer, filters, seen)).one_or_none()
    if found is None:
        return None
    seen[found.priority] = found.position
    return str(found.id)


def with_room(
    connection: Connection, reviewer: str, filters: Mapping[str, str], seen: Mapping[int, int]
) -> str | None:
    """The item that `take_room` would take a place at."""
    query = ask.with_room(tuple(sorted(filters)))
    for places in (seen, {}) if seen else ({},):
        found = connection.execute(query, _behind(reviewer, filters, places)).scalar()
        if found is not None:
            return str(found)
    return None


def _behind(
    reviewer: str, filters: Mapping[str, str], seen: Mapping[int, int]
) -> dict[str, str | int]:
    places = {f"behind_{priority}": seen.get(priority, 0) for priority in ask.PRIORITIES}
    return {"of_reviewer": reviewer, **ask.sought(filters), **places}


def item_row(connection: Connection, item: str, reviewer: str = "") -> Any:
    """An item, locked until the transaction ends; `drafted` if a reviewer has a draft of it.

    Raises:
        UsageError: There is no such item.
    """
    row = connection.execute(ask.ITEM, by(reviewer, item)).one_or_none()
    if row is None:
        raise UsageError(f"review item {item}: not in the queue, which shows all there are")
    return row


def insert_vote(
    connection: Connection, item: str, reviewer: str, token: str, vote: Vote, now: float, why: str
) -> None:
    """Store a vote; `why` is its purpose."""
    row = {
        "item": item,
        "reviewer": reviewer,
        "token": token,
        "purpose": why,
        "ruling": str(vote.ruling),
        "reason": str(vote.reason),
        "comment": vote.comment,
        "edits": edits_text(vote.edits),
        "answer": vote.answer,
        "wrong_fields": " ".join(vote.all_wrong_fields),
        "seconds": vote.seconds,
        "at": now,
        "withdrawn": False,
    }
    connection.execute(ask.ADD_VOTE, row)


def settle(connection: Connection, row: Any, cast: Sequence[tuple[str, Vote]]) -> str:
    """The state of a locked item after a vote: decided if all agree, disputed if they do not.

    What somebody handed to an adjudicator is disputed still when a vote is undone and cast again.

    Args:
        connection: The transaction.
        row: The item.
        cast: The votes that stand with who cast them, oldest first.
    """
    if row.state != "open":
        return str(row.state)
    if not cast or len(cast) < row.votes_needed:
        return "open"
    became = {outcome_key(vote.ruling, edits_text(vote.edits), vote.answer) for _, vote in cast}
    if len(became) > 1 or _is_escalated(connection, row.id):
        set_state(connection, row.id, "disputed")
        return "disputed"
    names = ", ".join(sorted(reviewer for reviewer, _ in cast))
    wrong = tuple(field for _, vote in cast for field in vote.all_wrong_fields)
    decide(connection, row, names, replace(cast[-1][1], wrong_fields=wrong))
    return "decided"


def cast_among(votes: Iterable[Any]) -> list[tuple[str, Vote]]:
    """Of votes as they are stored, those that decide an item, with who cast them."""
    return [(row.reviewer, _vote_of(row)) for row in votes if row.purpose == VOTE]


def _vote_of(row: Any) -> Vote:
    return Vote(
        Ruling(row.ruling),
        ReasonCode(row.reason),
        row.comment,
        edits_of(row.edits),
        answer=row.answer,
        wrong_fields=tuple(map(JudgedField, row.wrong_fields.split())),
    )


def ask_again(connection: Connection, item: str) -> None:
    """Bring the state of an item in line with the votes that it got before it was asked again."""
    row = item_row(connection, item)
    if row.state == "open" and _is_escalated(connection, item):
        set_state(connection, item, "disputed")
    else:
        settle(connection, row, cast_among(votes_so_far(connection, item)))


def _is_escalated(connection: Connection, item: str) -> bool:
    query = select(SKIPS.c.item).where(SKIPS.c.item == item, SKIPS.c.reason == "escalated")
    return connection.execute(query.limit(1)).scalar() is not None


def is_adjudicated(connection: Connection, item: str) -> bool:
    """Whether an adjudicator's vote on an item is valid."""
    return any(vote.purpose == ADJUDICATION for vote in votes_so_far(connection, item))


def set_state(connection: Connection, item: str, state: str) -> None:
    """Give an item another state; what is not decided has no decision and no edits."""
    connection.execute(ask.SET_STATE, {"of_item": item, "new_state": state, "new_decision": None})
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
        wrong_fields=list(vote.all_wrong_fields),
    )
    decided = {"new_state": "decided", "new_decision": decision.model_dump_json()}
    connection.execute(ask.SET_STATE, {"of_item": row.id, **decided})
    for edit in edits_made(row.gate, reviewers, vote, covers):
        values = {"id": edit.id, "item": row.id, "run": row.run, "active": True}
        connection.execute(insert(EDITS).values(document=edit.model_dump_json(), **values))


def drop_draft(connection: Connection, row: Any, reviewer: str) -> None:
    """Forget the draft of a reviewer whose vote on an item is in."""
    if row.drafted:
        connection.execute(ask.DROP_DRAFT, by(reviewer, row.id))


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
    line = {
        "at": now,
        "reviewer": reviewer,
        "action": action,
        "item": row.id,
        "record": row.record,
        "before": covered[0]["sha256"] if covered else None,
        "after": vote.edits[0].after_sha256 if vote and vote.edits else None,
        "reason": _log_text(vote) if vote else comment[:200],
        "seconds": vote.seconds if vote else None,
    }
    connection.execute(ask.ADD_LINE, line)


def _log_text(vote: Vote) -> str:
    answer = f" = {vote.answer}" if vote.answer else ""
    return f"{vote.ruling}: {vote.reason}{answer}"[:200]


def require_fit(row: Any, vote: Vote) -> None:
    """See that an assignment is accepted with an answer, nothing else has one, and all else fits.

    Raises:
        UsageError: It is not so, or an edit is of another record: a history is edited by proposals.
    """
    wanted = row.kind == ASSIGNMENT and vote.ruling is Ruling.ACCEPT
    if wanted != bool(vote.answer):
        expected = "an answer to an assignment" if wanted else "no answer here"
        raise UsageError(f"review item {row.id}: expected {expected}, got {vote.answer!r}")
    kept = [one for one in vote.wrong_fields if one not in vote.edited_fields]
    if kept and row.kind != "question":
        raise UsageError(f"wrong_{kept[0]}: expected a question, got a {row.kind}; say it in words")
    if kept and vote.ruling is Ruling.ACCEPT:
        raise UsageError(
            f"wrong_{kept[0]}: expected a rejection, or an edit of what is wrong, got an "
            f"acceptance without one; reject item {row.id}, or edit its {kept[0]}"
        )
    for change in vote.edits:
        own = change.target == row.record and row.kind not in ("conversation", PROPOSAL)
        if not own and not (row.kind == "persona" and change.kind in _TIMELINE):
            raise UsageError(
                f"review item {row.id}: expected an edit of {row.record}, got one of "
                f"{change.target}; an edit of a history is a proposal of its own"
            )


def vote_shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """What others are shown of a vote."""
    names = ("reviewer", "purpose", "ruling", "reason", "comment", "answer", "wrong_fields")
    times = ("seconds", "at")
    return {**{name: row[name] for name in (*names, *times)}, "edits": json.loads(row["edits"])}


def note_look(connection: Connection, now: float, item: str, reviewer: str) -> None:
    """Add to the log, once, that a reviewer has seen the votes of others on an item."""
    if connection.execute(ask.HAS_LOOKED, by(reviewer, item)).scalar() is None:
        note(connection, now, reviewer, "look", item_row(connection, item), None)


def require_unseen(connection: Connection, item: str, reviewer: str) -> None:
    """See that a vote is still blind.

    Raises:
        UsageError: The reviewer has seen the votes of others.
    """
    if connection.execute(ask.HAS_LOOKED, by(reviewer, item)).scalar() is not None:
        raise UsageError(
            f"review item {item}: you have seen the votes of others on it, so yours stays; "
            "an adjudicator can still change what becomes of it"
        )
