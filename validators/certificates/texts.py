"""Histories with text that the simulator did not write and that nobody read beside the ledger.

A query over the ledger proves a gold only if nothing beside the ledger speaks against it. The
simulator says nothing that is not in its ledger; models, people and imported chats may.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection, Header
from memassay.schemas.contracts.rules import Problem
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import Decision, HeldOut, Ruling
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.cluster import Cluster
from memassay.validators.registry import LENT_TEXT, READ_WHOLE, problem, state_of

KINDS: Final = frozenset({"provenance", "cluster", "decision", "held_out", "finding"})
"""Kinds of records beside the data that say who wrote a history and who read it."""
_NO_HISTORY: Final = DATA_KINDS - {"conversation"}
_IMPORT: Final = "import"
_EDITS: Final = "-edits"
_FIX: Final = "Have a model read its sessions (`reader:`), or a person accept the conversation."


def unread_texts(collection: Collection) -> Iterator[Problem]:
    """The histories that a query alone does not prove anything about.

    Args:
        collection: Conversations with all that belongs to them, those without facts left out, and
            records of the kinds `KINDS`.
    """
    beside = _Beside.of(collection)
    for talk in collection.headers("conversation"):
        if not any(collection.headers("fact", conversation=talk.id)):
            continue
        writers = _History(collection, talk, beside).writers()
        if writers and not _is_read(collection, talk, beside):
            expected = "texts of the simulator, or somebody who read all of them"
            yield problem(talk.id, (), expected, f"texts of {', '.join(writers)}", _FIX)


@dataclass(frozen=True)
class _Beside:
    """What is not under the conversation that it speaks of.

    Attributes:
        accepted: Records that people accepted, each with the hash of the state that they saw.
        members: By conversation that was made of others, the others.
    """

    accepted: frozenset[tuple[str, str]]
    members: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, collection: Collection) -> "_Beside":
        """What a collection says of all its conversations."""
        accepted = frozenset(
            (one.decided, one.covers[0].sha256)
            for one in collection.of("decision")
            if isinstance(one, Decision) and one.ruling is Ruling.ACCEPT
        )
        members = {
            one.id: frozenset(conversation_of(each.dialogue) for each in one.members)
            for one in collection.of("cluster")
            if isinstance(one, Cluster)
        }
        return cls(accepted, members)


def _is_read(collection: Collection, talk: Header, beside: _Beside) -> bool:
    """Whether a model read this very state and found nothing, or a person accepted it."""
    if (talk.id, talk.sha256) in beside.accepted:
        return True
    state = state_of(talk.sha256)
    return any(
        one.rule == READ_WHOLE and one.target == talk.id and state in one.message
        for one in collection.of("finding", conversation=talk.id)
        if isinstance(one, Finding)
    )


class _History:
    """A history, and who wrote it."""

    def __init__(self, collection: Collection, talk: Header, beside: _Beside) -> None:
        self._collection = collection
        self._talk = talk
        self._owners = sorted({talk.id, *beside.members.get(talk.id, ())})
        self._made = [one for one in self._beside("provenance") if isinstance(one, Provenance)]

    def _beside(self, kind: str) -> Iterator[Record]:
        """Records of a kind about the conversation, and about those that it was made of."""
        for owner in self._owners:
            yield from self._collection.of(kind, conversation=owner)

    def writers(self) -> list[str]:
        """Who wrote text of it beside the simulator, by name."""
        imported = any(one.stage == _IMPORT for one in self._made)
        found = {"other people, imported"} if imported else set()
        found |= {"other people, lent"} if self._is_lent() else set()
        named = [one for one in self._made if one.author or one.request_keys or one.prompt_sha256]
        if named:
            known = self._beside_text()
            found |= {one.author or "a model" for one in named if not known.issuperset(one.made)}
        return sorted(found)

    def _is_lent(self) -> bool:
        findings = self._collection.of("finding", conversation=self._talk.id)
        return any(
            one.rule == LENT_TEXT and one.target == self._talk.id
            for one in findings
            if isinstance(one, Finding)
        )

    def _beside_text(self) -> set[str]:
        """Content hashes of all that is no history: facts, questions, what was held out of them.

        What is no longer there may have been a history, unless an edit of something else took
        its place.
        """
        data = self._collection.headers(*_NO_HISTORY, conversation=self._talk.id)
        known = {one.sha256 for one in data}
        known |= {
            _hash_of(one)
            for one in self._beside("held_out")
            if isinstance(one, HeldOut) and one.kind != "conversation"
        }
        for one in self._made:
            if _EDITS in one.id and known.issuperset(one.made):
                known |= {*one.parents}
        return known


def _hash_of(held: HeldOut) -> str:
    try:
        return content_hash(json.loads(held.content))
    except ValueError:
        return ""
