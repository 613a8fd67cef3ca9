"""What the rules say of an edit of a question, an event or a history: the one way to check it.

It is fast enough for somebody who is typing, so that what is shown then is what decides at last.
Rules are asked again only about what they look at: those about one question for the questions that
changed, those about a timeline or about pixels when those did.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from memassay.flows.engine.audits import untold
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.rules import LooksAt, RuleContext
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.validators.check import RULES, check_conversation

_KEPT: Final = 8
"""Histories whose findings are kept."""
_FIELDS: Final[dict[LooksAt, tuple[str, ...]]] = {
    LooksAt.TIMELINE: ("personas", "events", "facts"),
    LooksAt.PIXELS: ("assets",),
    LooksAt.HISTORY: (
        *("conversation", "personas", "events", "assets"),
        *("facts", "mentions", "concepts"),
    ),
}
"""What a rule sees of a conversation; any other sees its questions too."""


class EditChecks:
    """Rules over histories that are asked about again and again, each a little changed."""

    def __init__(self, blobs: BlobStore) -> None:
        """Use the bytes of a workspace."""
        self.context = RuleContext(blobs=blobs)
        self._known: dict[str, list[Finding]] = {}

    def findings(
        self, before: Sequence[Record], after: Sequence[Record], edited: str | None = None
    ) -> list[Finding]:
        """What rules say after an edit and did not say before, and all of the edited record.

        Args:
            before: Data of one conversation, or of a timeline that has none yet.
            after: The same after the edit.
            edited: Id of the record that is edited; None for a history, whose places may have
                other ids after it, so that findings are counted by rule and record.
        """
        if any(isinstance(one, Conversation) for one in before):
            was = Bundle.from_records(before)
            old, new = self.before(was), self.after(was, Bundle.from_records(after))
        else:
            old, new = self._of_timeline(before), self._of_timeline(after)
        if edited is None:
            return _fresh(old, new)
        known = {finding.id for finding in old}
        return [one for one in new if one.target == edited or one.id not in known]

    def _of_timeline(self, records: Sequence[Record]) -> list[Finding]:
        """What the rules about timelines say of one that is not written yet."""
        rules = [rule for rule in RULES if rule.looks_at is LooksAt.TIMELINE]
        written = [*records, untold(conversation_of(records[0].id))]
        return check_conversation(Bundle.from_records(written), self.context, rules)

    def before(self, bundle: Bundle) -> list[Finding]:
        """What all rules say of a history; kept for the next who asks."""
        key = combined_hash(content_hash(one) for one in bundle.records())
        if key not in self._known:
            self._known[key] = check_conversation(bundle, self.context)
            for old in list(self._known)[:-_KEPT]:
                self._known.pop(old, None)
        return self._known[key]

    def after(self, before: Bundle, after: Bundle) -> list[Finding]:
        """What all rules say of a history, asked again only where it differs from another."""
        known = self.before(before)
        same = _same(before, after)
        unmoved = {
            rule.id for rule in RULES if (seen := _FIELDS.get(rule.looks_at)) and same(*seen)
        }
        kept = [one for one in known if one.rule in unmoved]
        asked = [rule for rule in RULES if rule.id not in unmoved]
        if not same(*_FIELDS[LooksAt.HISTORY]):
            return [*kept, *check_conversation(after, self.context, asked)]
        changed = _changed_names(before.questions, after.questions)
        alone = [rule for rule in asked if rule.looks_at is LooksAt.QUESTION]
        names = {rule.id for rule in alone}
        kept += [one for one in known if one.rule in names and one.target not in changed]
        now = [one for one in after.questions if one.id in changed]
        own = after.model_copy(update={"questions": now})
        rest = [rule for rule in asked if rule.id not in names]
        return [
            *kept,
            *check_conversation(own, self.context, alone),
            *check_conversation(after, self.context, rest),
        ]


def _same(before: Bundle, after: Bundle) -> Callable[..., bool]:
    return lambda *fields: all(getattr(before, one) == getattr(after, one) for one in fields)


def _changed_names(before: Iterable[Record], after: Iterable[Record]) -> set[str]:
    known = {one.id: one for one in before}
    now = {one.id: one for one in after}
    return {name for name in known.keys() | now.keys() if known.get(name) != now.get(name)}


def _fresh(before: Sequence[Finding], after: Sequence[Finding]) -> list[Finding]:
    """Findings that are new: places have other ids now, so they are counted by rule and record."""
    left: dict[tuple[str, str], int] = {}
    known = {one.id for one in before}
    for one in before:
        left[one.rule, one.target] = left.get((one.rule, one.target), 0) + 1
    for one in after:
        if one.id in known:
            left[one.rule, one.target] -= 1
    fresh = []
    for one in after:
        if one.id in known:
            continue
        left[one.rule, one.target] = left.get((one.rule, one.target), 0) - 1
        if left[one.rule, one.target] < 0:
            fresh.append(one)
    return fresh
