"""The keys of the review pages: one registry, shown on the buttons and read by the script."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Key:
    """One key.

    Attributes:
        key: As the browser names it.
        shown: As it is on the button.
        does: What it does, in a few words; empty where another key's words say it.
    """

    key: str
    shown: str
    does: str


def _registry(*keys: tuple[str, str, str, str]) -> dict[str, Key]:
    """Keys by action.

    Raises:
        ValueError: Two actions have one key.
    """
    registry = {action: Key(key, shown, does) for action, key, shown, does in keys}
    taken: dict[str, str] = {}
    for action, key in registry.items():
        if key.key in taken:
            raise ValueError(f"key {key.shown}: {action} and {taken[key.key]} both have it")
        taken[key.key] = action
    return registry


KEYS: Final = _registry(
    ("accept", "a", "A", "accept, and on to the next"),
    ("reject", "r", "R", "reject, for the reason of the digit that follows"),
    ("next", "n", "N", "next item of the queue that waits for you"),
    ("previous", "p", "P", "previous item of the queue that waits for you"),
    ("jump", "o", "O", "go to an item, a record or a place by its id"),
    ("judged", "v", "V", "say what is wrong: space marks a part, Tab goes on"),
    ("sources", "l", "L", "show or hide source and licence of all pictures"),
    ("edit", "e", "E", "edit the question"),
    ("search", "/", "/", "search the history"),
    ("captions", "c", "C", "hide or show captions"),
    ("where", "w", "W", "show or hide where the evidence is"),
    ("gold", "g", "G", "show the gold answer"),
    ("skip", "s", "S", "skip"),
    ("escalate", "x", "X", "escalate to an adjudicator"),
    ("undo", "u", "U", "undo the last vote"),
    ("larger", "+", "+", "an open picture larger"),
    ("smaller", "-", "-", "an open picture smaller"),
    ("turn", "t", "T", "turn an open picture"),
    ("beside", "b", "B", "lay an open picture beside the next"),
    ("page_before", "[", "[", "page before"),
    ("page_after", "]", "]", "page after"),
    ("history", "h", "H", "edit the history"),
    ("back", "i", "I", "back to the item"),
    ("query", "q", "Q", "run the query of a new question, or go to its box"),
    ("fill", "f", "F", "fill gold and evidence from what the query gives"),
    ("next_card", "j", "J", "next cluster"),
    ("last_card", "k", "K", "cluster before"),
    ("help", "?", "?", "show all keys"),
    ("number_1", "1", "1 … 9", "choose that draft, or give that score"),
    ("number_0", "0", "0", "give the lowest score"),
    *((f"number_{digit}", str(digit), str(digit), "") for digit in range(2, 10)),
)
"""Keys by action; letters do nothing while somebody writes."""
