"""Edits of people: what they changed of a record in one state, and what they wrote themselves."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import Connection, Engine, func, insert, select, update

from memassay.annotation.storage.tables import EDITS, ITEMS, LOG
from memassay.annotation.storage.turns import take_turn
from memassay.annotation.voting.shapes import Vote
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.review import CoveredRecord, Edit, PatchStep

NOTHING: Final = content_hash(None)
"""Base of a record that a person wrote: there was none before."""

_LOCK: Final = 7_143_207


def edit_id(*parts: Any) -> str:
    """Id of an edit: the same for the same change of the same state."""
    return f"E{content_hash(list(parts))[:12]}"


def edits_made(
    gate: str, reviewers: str, vote: Vote, covers: Iterable[CoveredRecord]
) -> Iterator[Edit]:
    """The edits of a vote that decides an item; covers say what was seen."""
    seen = list(covers)
    for change in vote.edits:
        yield Edit(
            id=edit_id(change.target, change.base_sha256, change.patch),
            target=change.target,
            kind=change.kind,
            base_sha256=change.base_sha256,
            patch=[PatchStep.model_validate(step) for step in change.patch],
            reviewer=reviewers,
            comment=vote.comment,
            gate=gate,
            covers=[one for one in seen if one.id != change.target],
        )


def withdraw_edits(connection: Connection, item: str) -> None:
    """Take back the edits made at an item."""
    connection.execute(update(EDITS).where(EDITS.c.item == item).values(active=False))


def require_latest(connection: Connection, item: str) -> None:
    """See that no later change of a history goes on from one that was made at an item.

    Raises:
        UsageError: One does.
    """
    made = select(EDITS.c.document).where(EDITS.c.item == item, EDITS.c.active.is_(True)).limit(1)
    document = connection.execute(made).scalar()
    edit = None if document is None else Edit.model_validate_json(document)
    if edit is None or edit.change_set is None:
        return
    _alone(connection)
    if list(_sets(connection, conversation_of(edit.target)))[-1] != edit.change_set:
        raise UsageError(
            f"review item {item}: later changes of the history go on from this one; an owner "
            "takes them back first"
        )


class EditLog:
    """The edits in a database that is passed in."""

    def __init__(self, engine: Engine) -> None:
        """Use a database that has the tables."""
        self.engine = engine

    def active(self) -> list[tuple[str, Edit]]:
        """Every edit that is valid, oldest first, each with the run it was made for."""
        query = select(EDITS.c.run, EDITS.c.document).where(EDITS.c.active.is_(True))
        with self.engine.connect().execution_options(reading=True) as connection:
            rows = connection.execute(query.order_by(EDITS.c.number)).all()
        return [(row.run, Edit.model_validate_json(row.document)) for row in rows]

    def contribute(self, run: str, edit: Edit, at: float) -> None:
        """Keep a record that a person wrote; written again, it is kept once."""
        with self.engine.begin() as connection:
            take_turn(connection)
            known = select(EDITS.c.id).where(
                EDITS.c.id == edit.id, EDITS.c.run == run, EDITS.c.active.is_(True)
            )
            if connection.execute(known).scalar() is not None:
                return
            values = {"id": edit.id, "item": "", "run": run, "active": True}
            connection.execute(insert(EDITS).values(document=edit.model_dump_json(), **values))
            self._note(connection, edit, "contribute", at)

    def change_sets(self, conversation: str) -> dict[str, list[Edit]]:
        """Sets of edits of a conversation that stand, oldest first, by name."""
        with self.engine.connect().execution_options(reading=True) as connection:
            return _sets(connection, conversation)

    def withdrawn_sets(self, conversation: str) -> dict[str, list[Edit]]:
        """Sets of edits of a conversation that were taken back and not made again, oldest first."""
        with self.engine.connect().execution_options(reading=True) as connection:
            standing = _sets(connection, conversation)
            gone = _sets(connection, conversation, active=False)
        return {name: edits for name, edits in gone.items() if name not in standing}

    def keep_set(
        self, run: str, item: str, edits: Sequence[Edit], known: Iterable[str], at: float
    ) -> None:
        """Keep the edits of an accepted proposal; kept again, they are kept once.

        Args:
            run: Name of the run they are for.
            item: The item that the proposal was decided as; undone meanwhile, nothing is kept.
            edits: Edits of one set, of one conversation.
            known: Names of the sets that it goes on from.
            at: Seconds since 1970.

        Raises:
            UsageError: Somebody kept or took back another one meanwhile.
        """
        first, name = edits[0], str(edits[0].change_set)
        with self.engine.begin() as connection:
            # Items before histories, as everywhere, so that nobody waits in a circle.
            state = select(ITEMS.c.state).where(ITEMS.c.id == item).with_for_update()
            decided = connection.execute(state).scalar() == "decided"
            _alone(connection)
            standing = list(_sets(connection, conversation_of(first.target)))
            if name in standing or not decided:
                return
            if standing != list(known):
                raise UsageError(
                    f"{first.target}: expected the history as you saw it, but somebody changed it "
                    "meanwhile; look at it again and repeat the change"
                )
            values = {"item": item, "run": run, "active": True}
            rows = [{"id": one.id, "document": one.model_dump_json(), **values} for one in edits]
            connection.execute(insert(EDITS), rows)
            self._note(connection, first, "restructure", at)

    def withdraw_set(self, edits: Sequence[Edit], reviewer: str, at: float) -> None:
        """Take back a set of edits; its proposal is no longer to be made.

        Raises:
            UsageError: It is not the latest of its conversation that is valid.
        """
        name = str(edits[0].change_set)
        own = EDITS.c.id.in_([edit.id for edit in edits])
        with self.engine.begin() as connection:
            made_at = select(EDITS.c.item).where(own, EDITS.c.item != "")
            gone = update(ITEMS).where(ITEMS.c.id.in_(made_at)).values(state="stale")
            connection.execute(gone)
            _alone(connection)
            if [name] != list(_sets(connection, conversation_of(edits[0].target)))[-1:]:
                raise UsageError(
                    f"{name}: expected the latest change of the history, got another one"
                )
            connection.execute(update(EDITS).where(own).values(active=False))
            taken_back = edits[0].model_copy(update={"reviewer": reviewer})
            self._note(connection, taken_back, "withdraw", at)

    def withdraw(self, edit: Edit, at: float) -> None:
        """Take back a record that a person wrote, or an edit of one."""
        with self.engine.begin() as connection:
            own = EDITS.c.id == edit.id
            connection.execute(update(EDITS).where(own).values(active=False))
            self._note(connection, edit, "withdraw", at)

    def contributions(self, reviewer: str | None = None) -> list[Edit]:
        """Records that people wrote and that stand, oldest first; one person's or all."""
        return [
            edit
            for _, edit in self.active()
            if edit.base_sha256 == NOTHING
            and edit.change_set is None
            and reviewer in (None, edit.reviewer)
        ]

    def _note(self, connection: Connection, edit: Edit, action: str, at: float) -> None:
        connection.execute(
            insert(LOG).values(
                at=at,
                reviewer=edit.reviewer,
                action=action,
                item=edit.id,
                record=edit.target,
                before=None,
                after=content_hash(edit.patch[0].value),
                reason=edit.comment[:200],
                seconds=None,
            )
        )


def _alone(connection: Connection) -> None:
    """Wait for who else changes a history; SQLite lets nobody else write anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def _sets(
    connection: Connection, conversation: str, *, active: bool = True
) -> dict[str, list[Edit]]:
    query = select(EDITS.c.document).where(EDITS.c.active.is_(active))
    found: dict[str, list[Edit]] = {}
    for document in connection.execute(query.order_by(EDITS.c.number)).scalars():
        edit = Edit.model_validate_json(document)
        if edit.change_set is not None and conversation_of(edit.target) == conversation:
            found.setdefault(edit.change_set, []).append(edit)
    return found


def contribution(
    gate: str,
    kind: str,
    document: dict[str, Any],
    covers: Sequence[CoveredRecord],
    reviewer: str,
    comment: str,
) -> Edit:
    """The edit that makes a record out of nothing."""
    name = str(document["id"])
    return Edit(
        id=edit_id(name, NOTHING, document),
        target=name,
        kind=kind,
        base_sha256=NOTHING,
        patch=[PatchStep.model_validate({"op": "add", "path": "", "value": document})],
        reviewer=reviewer,
        comment=comment,
        gate=gate,
        covers=list(covers),
    )
