"""What the rules say of an edit, fast enough for somebody who is typing.

Rules are asked again only about what they look at: those about one question for the questions that
changed, those about a timeline or about pixels when those did.
"""

from collections.abc import Callable, Iterable
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.hashing import combined_hash, content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.validators.check import RULES, check_conversation

_KEPT: Final = 8
"""Histories whose findings are kept."""
_PIXELS: Final = "assets.pixels"
_STORY: Final = ("timeline",)
_TOLD: Final = ("timeline", "audit")
"""Families of rules that look at no question."""
_ALONE: Final = ("proof", "type")
"""Families of slow rules that look at questions one by one."""
_TWINS: Final = "proof.refusal"
"""Of these families the one rule that looks at a second question."""


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
        kept = [one for one in known if _is_unmoved(one.rule, same)]
        asked = [rule for rule in RULES if not _is_unmoved(rule.id, same)]
        if not same("conversation", "assets", "facts", "mentions"):
            return [*kept, *check_conversation(after, self.context, asked)]
        changed = _changed(before.questions, after.questions)
        alone = {rule.id for rule in asked if _looks_at_one(rule.id)}
        kept += [one for one in known if one.rule in alone and one.target not in changed]
        now = [one for one in after.questions if one.id in changed]
        own = after.model_copy(update={"questions": now})
        rest = [rule for rule in asked if rule.id not in alone]
        return [
            *kept,
            *check_conversation(own, self.context, [rule for rule in asked if rule.id in alone]),
            *check_conversation(after, self.context, rest),
        ]


def _looks_at_one(rule: str) -> bool:
    return rule.partition(".")[0] in _ALONE and rule != _TWINS


def _same(before: Bundle, after: Bundle) -> Callable[..., bool]:
    return lambda *fields: all(getattr(before, one) == getattr(after, one) for one in fields)


def _is_unmoved(rule: str, same: Callable[..., bool]) -> bool:
    """Whether a rule sees no difference between two histories."""
    family = rule.partition(".")[0]
    if rule == _PIXELS:
        return same("assets")
    story = ("personas", "events", "facts")
    if family in _STORY:
        return same(*story)
    return family in _TOLD and same(*story, "conversation", "mentions", "assets")


def _changed(before: Iterable[Record], after: Iterable[Record]) -> set[str]:
    known = {one.id: one for one in before}
    now = {one.id: one for one in after}
    return {name for name in known.keys() | now.keys() if known.get(name) != now.get(name)}
