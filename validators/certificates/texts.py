"""Histories with text that the simulator did not write and that nobody read beside the ledger.

A query over the ledger proves a gold only if nothing beside the ledger speaks against it. The
simulator says nothing that is not in its ledger; models, people and imported chats may.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.rules import Problem
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.provenance import Provenance
from memassay.schemas.judgements.review import Decision, HeldOut, Ruling
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.validators.registry import LENT_TEXT, READ_WHOLE, problem, state_of

KINDS: Final = frozenset({"provenance", "cluster", "decision", "held_out", "finding"})
"""Kinds of records beside the data that say who wrote a history and who read it."""
_IMPORT: Final = "import"
_EDITS: Final = "-edits"
_FIX: Final = "Have a model read its sessions (`reader:`), or a person accept the conversation."


def unread_texts(bundles: Sequence[Bundle], beside: Iterable[Record]) -> Iterator[Problem]:
    """The histories that a query alone does not prove anything about.

    Args:
        bundles: Conversations with all that belongs to them; those without facts are left out.
        beside: Records of the kinds `KINDS`, of all conversations.
    """
    known = _Beside(beside)
    for bundle in bundles:
        writers = known.writers(bundle) if bundle.facts else []
        if writers and not known.is_read(bundle):
            expected = "texts of the simulator, or somebody who read all of them"
            yield problem(bundle.id, (), expected, f"texts of {', '.join(writers)}", _FIX)


class _Beside:
    """Who made, changed, read and accepted what."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.made: dict[str, list[Provenance]] = {}
        self.lent: set[str] = set()
        self.read: list[Finding] = []
        self.accepted: set[tuple[str, str]] = set()
        self.members: dict[str, set[str]] = {}
        self.held: dict[str, set[str]] = {}
        for one in records:
            self._take(one)

    def _take(self, one: Record) -> None:
        if isinstance(one, Provenance):
            self.made.setdefault(conversation_of(one.id), []).append(one)
        elif isinstance(one, Cluster):
            dialogues = {conversation_of(member.dialogue) for member in one.members}
            self.members[one.id] = dialogues
        elif isinstance(one, HeldOut):
            if one.kind != "conversation":
                self.held.setdefault(conversation_of(one.record), set()).add(_hash_of(one))
        elif isinstance(one, Decision):
            if one.ruling is Ruling.ACCEPT:
                self.accepted.add((one.decided, one.covers[0].sha256))
        elif isinstance(one, Finding):
            if one.rule == LENT_TEXT:
                self.lent.add(one.target)
            elif one.rule == READ_WHOLE:
                self.read.append(one)

    def is_read(self, bundle: Bundle) -> bool:
        """Whether a model read this very state and found nothing, or a person accepted it."""
        if (bundle.id, content_hash(bundle.conversation)) in self.accepted:
            return True
        state = state_of(bundle.conversation)
        return any(one.target == bundle.id and state in one.message for one in self.read)

    def writers(self, bundle: Bundle) -> list[str]:
        """Who wrote text of a history beside the simulator, by name."""
        owners = {bundle.id, *self.members.get(bundle.id, ())}
        made = [one for owner in sorted(owners) for one in self.made.get(owner, ())]
        found = {"other people, imported"} if any(one.stage == _IMPORT for one in made) else set()
        found |= {"other people, lent"} if bundle.id in self.lent else set()
        named = [one for one in made if one.author or one.request_keys or one.prompt_sha256]
        if named:
            known = self._beside_text(bundle, owners, made)
            found |= {one.author or "a model" for one in named if not known.issuperset(one.made)}
        return sorted(found)

    def _beside_text(
        self, bundle: Bundle, owners: Iterable[str], made: Sequence[Provenance]
    ) -> set[str]:
        """Content hashes of all that is no history: facts, questions, what was held out of them.

        What is no longer there may have been a history, unless an edit of something else took
        its place.
        """
        records = (one for one in bundle.records() if one is not bundle.conversation)
        known = {content_hash(one) for one in records}
        known |= {sha256 for owner in owners for sha256 in self.held.get(owner, ())}
        for one in made:
            if _EDITS in one.id and known.issuperset(one.made):
                known |= {*one.parents}
        return known


def _hash_of(held: HeldOut) -> str:
    try:
        return content_hash(json.loads(held.content))
    except ValueError:
        return ""
