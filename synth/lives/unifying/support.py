"""How much speaks for a dialogue among the others, beside what it says of its user."""

import re
from collections.abc import Sequence
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.caches import text_cache
from memassay.synth.lives.unifying.names import NAME, is_name

_INSIDE: Final = re.compile(rf"(?<=[a-z,;] ){NAME}")
"""A capitalised word inside a sentence."""


def support(at: int, members: Sequence[Bundle]) -> tuple[int, int, int]:
    """What speaks for a member, the weightiest first.

    Dialogues that were one conversation are one user's; then names that others mention, too; then
    questions, which would be lost with it.

    Returns:
        Other members cut from the same conversation, other members that share a name with it,
        and its questions.
    """
    own = members[at]
    others = [one for number, one in enumerate(members) if number != at]
    names = _names(_text(own))
    return (
        sum(one.id == own.id for one in others),
        sum(not names.isdisjoint(_names(_text(one))) for one in others),
        len(own.questions),
    )


def _text(member: Bundle) -> str:
    return "\n".join(turn.text for turn in member.conversation.turns())


@text_cache(1 << 10)
def _names(text: str) -> frozenset[str]:
    return frozenset(filter(is_name, _INSIDE.findall(text)))
