"""Which words of a question or gold a history has heard of: as they are, inflected, misspelled."""

from difflib import SequenceMatcher
from typing import Final

from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.validators.items.answers.leakage_rules import hidden_text
from memassay.validators.texts.history import History
from memassay.validators.wording import STOP_WORDS

_SLIP: Final = 0.85
"""A word so like a name of the history is that name with a slip of the pen."""
_LONGEST_ENDING: Final = 3
"""Letters in which two forms of a name differ at the end, at most: Italy, Italian."""
KNOWN_WORDS: Final = frozenset(word.casefold() for word in (*MONTHS, *WEEKDAYS)) | {
    "once",
    "twice",
    "thrice",
    "yes",
    "not",
}
"""Names that need not be heard: months, weekdays, and words of counting."""
_LEAST: Final = 2
_OPENING: Final = 4


def is_unheard(history: History, name: str) -> bool:
    """Whether a name is nowhere in a history, not even as another form of the word."""
    word = name.casefold()
    if word in KNOWN_WORDS or word in STOP_WORDS:
        return False
    return not any(_is_form(word, each) for each in history.openings[word[:3]])


def is_strange(history: History, item: QAItem, name: str) -> bool:
    """Whether a name is unheard, no slip of the pen, and not what a search query says of a picture.

    Names that hidden metadata alone says are `leakage.hidden_words`.
    """
    if not is_unheard(history, name):
        return False
    word = name.casefold()
    alike = (
        each for start, some in history.openings.items() if start[:1] == word[:1] for each in some
    )
    if any(SequenceMatcher(None, word, each).ratio() >= _SLIP for each in alike):
        return False
    turns = [turn for each in history.evidence(item) for turn in each.turns]
    hidden = " ".join(hidden_text(history.bundle, turn) for turn in turns)
    return word not in hidden.casefold()


def _is_form(one: str, other: str) -> bool:
    """Whether two words differ in their ending alone."""
    short, long = sorted((one, other), key=len)
    shared = next((at for at, letter in enumerate(short) if long[at] != letter), len(short))
    enough = max(min(len(short), _OPENING), len(short) - _LEAST)
    return shared >= enough and len(long) - shared <= _LONGEST_ENDING
