"""Sentences that several conversations of a release say, values of the ledger left out."""

import re
from collections import Counter
from typing import Final

from memassay.schemas.hashing import content_hash
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.text import tokens

LONG: Final = 6
"""Words from which on a sentence counts: shorter ones everybody says (our choice)."""
_END: Final = re.compile(r"(?<=[.!?])\s+")
_VALUE: Final = " value "
_DIGEST: Final = 16
"""Hexadecimal digits that tell sentences apart."""


def sentence_counts(bundle: Bundle) -> Counter[str]:
    """The long sentences of a conversation by a digest, each once."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for mention in bundle.mentions:
        if mention.turn and mention.span and mention.attachment is None:
            spans.setdefault(mention.turn, []).append((mention.span[0], mention.span[1]))
    found = set()
    for turn in bundle.conversation.turns():
        text = turn.text
        for start, end in sorted(spans.get(turn.id, ()), reverse=True):
            text = f"{text[:start]}{_VALUE}{text[end:]}"
        for sentence in _END.split(text):
            words = tokens(sentence)
            if len(words) >= LONG:
                found.add(content_hash(list(words))[:_DIGEST])
    return Counter(sorted(found))
