"""The set of edits that turns one state of a history into another, and the stage they belong to."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from memassay.annotation.voting.edit_log import NOTHING, EditLog, edit_id
from memassay.flows.edits.history_patches import changes, patch_between
from memassay.flows.engine.edit_layers import Key, key_of
from memassay.flows.store.tables import RUNS, UNITS, reading
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import Edit
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin


@dataclass(frozen=True)
class Maker:
    """Where a conversation is made.

    Attributes:
        stage: Name of the stage that makes it.
        made: Records of it that are there by then; None if nobody knows.
    """

    stage: str
    made: frozenset[Key] | None


def edits_between(
    before: Bundle,
    after: Bundle,
    maker: Maker,
    written: Mapping[Key, str],
    *,
    name: str,
    reviewers: str,
    comment: str,
) -> list[Edit]:
    """The set of edits that turns one state of a history into another.

    Args:
        before: The history as it is.
        after: The history as it is to be.
        maker: Where the conversation is made.
        written: The gate of every record that a person wrote.
        name: Name of the set.
        reviewers: Who made it, and who accepted it.
        comment: In the words of who made it.
    """
    return [
        Edit(
            id=edit_id(name, *key),
            target=key[1],
            kind=key[0],
            base_sha256=NOTHING if old is None else content_hash(old),
            patch=patch_between(old, new),
            reviewer=reviewers,
            gate=written.get(key, maker.stage),
            comment=comment,
            change_set=name,
        )
        for key, old, new in changes(before, after)
        if key in written or is_ours(key, old, maker)
    ]


def written_by_people(log: EditLog) -> dict[Key, str]:
    """The gate of every record that a person wrote, by kind and id."""
    return {key_of(edit): edit.gate for edit in log.contributions()}


def maker_of(workspace: Workspace, run: str, conversation: str, gate: str) -> Maker:
    """The stage that makes a conversation, and what there is of it by then."""
    stages = select(RUNS.c.stage).where(RUNS.c.recipe == run).order_by(RUNS.c.position)
    made: set[Key] = set()
    with reading(workspace.engine) as connection:
        order = connection.execute(stages).scalars().all()
    for stage in order:
        made |= _made_by(workspace, stage, conversation)
        if ("conversation", conversation) in made:
            return Maker(stage, frozenset(made))
    return Maker(gate, None)


def _made_by(workspace: Workspace, stage: str, conversation: str) -> set[Key]:
    query = select(UNITS.c.outputs).where(
        UNITS.c.stage == stage, UNITS.c.shard == conversation, UNITS.c.outputs.is_not(None)
    )
    with reading(workspace.engine) as connection:
        outputs = connection.execute(query).scalars().all()
    hashes = [digest for text in outputs for digest in json.loads(text)]
    return {(one.kind, one.id) for one in workspace.store.headers(hashes)}


def without_made(bundle: Bundle, maker: Maker) -> Bundle:
    """A history without the questions that a later stage makes from it."""
    if maker.made is None:
        return bundle
    kept = [
        one
        for one in bundle.questions
        if ("question", one.id) in maker.made or one.origin is not ItemOrigin.MACHINE
    ]
    return bundle.model_copy(update={"questions": kept})


def is_ours(key: Key, before: Record | None, maker: Maker) -> bool:
    """Whether a record is there when a conversation is made; what is made later is made again."""
    if maker.made is None or key in maker.made:
        return True
    if key[0] == "asset" and before is None:
        return True  # brought by a person
    # A mention of an image that is shown once more is new; others of its kind are there.
    return key[0] == "mention" and any(kind == "mention" for kind, _ in maker.made)
