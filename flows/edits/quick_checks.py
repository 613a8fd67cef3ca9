"""What the rules say of an edit, fast enough for somebody who is typing.

Rules are asked again only about what they look at: those about one question for the questions that
changed, those about a timeline or about pixels when those did.
"""

from collections.abc import Callable, Iterable
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.rules import LooksAt, RuleContext
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import RULES, check_conversation

_KEPT: Final = 8
"""Histories whose findings are kept."""
_FIELDS: Final[dict[LooksAt, tuple[str, ...]]] = {
    LooksAt.TIMELINE: ("personas", "events", "facts"),
    LooksAt.PIXELS: ("assets",),
    LooksAt.HISTORY: ("conversation", "personas", "events", "assets", "facts", "mentions"),
}
"""What a rule sees of a conversation; any other sees its questions too."""


class QuickChecks:
    """Rules over histories that are asked about again and again, each a little changed."""

    def __init__(self, blobs: BlobStore) -> None:
        """Use the bytes of a workspace."""
        self.context = RuleContext(blobs=blobs)
        self._known: dict[str, list[Finding]] = {}

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
        changed = _changed(before.questions, after.questions)
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


def _changed(before: Iterable[Record], after: Iterable[Record]) -> set[str]:
    known = {one.id: one for one in before}
    now = {one.id: one for one in after}
    return {name for name in known.keys() | now.keys() if known.get(name) != now.get(name)}
