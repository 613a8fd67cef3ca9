"""Where the mentions of a turn are after its text was changed, and which are gone."""

import re
from collections.abc import Iterable, Mapping

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import locate
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.ledger import Fact, Mention, MentionForm


def relocate(
    mentions: Iterable[Mention], before: Turn, after: Turn, facts: Mapping[str, Fact]
) -> dict[str, Mention | None]:
    """What becomes of the mentions of a turn whose text changes, by id; None for those gone.

    A mention whose words stayed moves with them. One whose words changed is looked for: its own
    words first, then the value of its fact in any form in which a text can say it.

    Args:
        mentions: Mentions of the conversation; those of other turns are left alone.
        before: The turn as it was.
        after: The turn as it is.
        facts: Facts by id.
    """
    return {
        mention.id: _relocate(mention, before.text, after.text, facts.get(mention.fact))
        for mention in mentions
        if mention.turn == before.id and mention.modality is Modality.TEXT
    }


def _relocate(mention: Mention, old: str, new: str, fact: Fact | None) -> Mention | None:
    if mention.span is None:
        # Without a span nobody knows what words it meant, unless the value itself was there.
        said = fact is not None and locate(old, fact.value) is not None
        lost = said and fact is not None and locate(new, fact.value) is None
        return None if lost or not new.strip() else mention
    span = _same_span(old, new, mention.span[0], mention.span[1])
    span = span or _only_span(new, old[mention.span[0] : mention.span[1]])
    if span is None and fact is not None and mention.form is MentionForm.FULL:
        span = locate(new, fact.value)
    return None if span is None else mention.model_copy(update={"span": list(span)})


def _same_span(old: str, new: str, start: int, end: int) -> tuple[int, int] | None:
    """A span of the old text in the new one, where the change lies wholly before or behind it."""
    head = _common(old, new)
    room = min(len(old), len(new)) - head
    tail = min(_common(old[::-1], new[::-1]), room)
    moved = len(new) - len(old)
    if end <= head:
        span = (start, end)
    elif start >= len(old) - tail:
        span = (start + moved, end + moved)
    else:
        return None
    edges = zip((start, end), span, strict=True)
    return span if all(_is_edge(new, at) or not _is_edge(old, was) for was, at in edges) else None


def _common(one: str, other: str) -> int:
    """Length of what two texts begin with."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _is_edge(text: str, at: int) -> bool:
    """Whether no word or number goes on across a place of a text."""
    return re.search(r"\w\Z", text[:at]) is None or re.match(r"\w|[.,]\d", text[at:]) is None


def _only_span(text: str, words: str) -> tuple[int, int] | None:
    if not words.strip():
        return None
    found = re.search(rf"(?<![\w]){re.escape(words)}(?![\w])", text)
    return None if found is None else found.span()
