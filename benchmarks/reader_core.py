"""What a question about a picture asks, without the words that say of which picture or event."""

import re
from typing import Final

_ASK: Final = re.compile(
    r"^(?:Can you tell me|Could you tell me|Do you still know|Remind me|Please look it up): "
)
_BEFORE: Final = re.compile(
    r"^(?:Thinking back to|Around|At the time of|Going by|According to|Judging by|Looking at) .+?, "
    r"(?=(?:(?:at|by|for|in|of|on) )?(?:how|what|which)\b|(?:at|for|in|on) [^,]+, (?:how|what)\b)"
)
_AFTER: Final = re.compile(
    r",? (?:going by|according to|around|at the time of|when) .*|,? (?:in|on) (?:the|page) .*"
)
_FROM_TO: Final = re.compile(r"\bfrom (?P<first>.+?) to (?P<last>.+)$")


def core_of(question: str) -> str:
    """What is asked: `what was the coma score` of `Around ..., what was the coma score?`."""
    asked = _BEFORE.sub("", _ASK.sub("", question.rstrip("?")))
    return _AFTER.sub("", asked)


def ends_of_stretch(core: str) -> tuple[str, str] | None:
    """The two rows between which something rose or fell."""
    match = _FROM_TO.search(core)
    return (match.group("first"), match.group("last")) if match else None
