"""Remarks with which people take back what they said, or say that it no longer holds."""

import re
from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from memassay.schemas.records.conversation import Round
from memassay.validators.items.aligned.clauses import forms
from memassay.validators.items.unbacked.index import History, Words
from memassay.validators.wording import sentences

_GAP: Final = r"[^.!?]{0,45}?"
_SAID: Final = r"(?:said|told (?:you|everyone|everybody|them|y['’]?all)|mentioned|claimed|wrote)"
_IMAGINED: Final = re.compile(r"\b(?:next time|if|maybe|perhaps|could have|would have)\b")
"""What tells of nothing that was or is."""
_YOU: Final = re.compile(r"(?<!told )(?<!to )\byou(?:['’]\w+)?\b(?! know)")
"""What the other one does is not taken back."""
_REPORTED: Final = re.compile(r"\b(?:said|says|joked|thinks|believes)\b")
_ASIDE: Final = re.compile(r"(?:by the way|oh,? (?:and|by)|and|also|(?:s?he|they) also)\b")
"""With which somebody comes to something else."""
_REASON: Final = re.compile(r",? (?:so|because|since(?! then|,)|even though|although)\b(?! that)")
"""What splits what has become another from what follows from it."""


class Weight(IntEnum):
    """How plainly a remark takes something back."""

    WEAK = 0
    ANEW = 1
    PLAIN = 2


class Remark(NamedTuple):
    """A sentence that takes something back.

    Attributes:
        round: Where it is said.
        speaker: Who says it.
        weight: How plainly it does.
        text: The sentence.
        forms: What it says; in a plain one also what the sentences beside it say.
    """

    round: Round
    speaker: str
    weight: Weight
    text: str
    forms: Words


def remarks(history: History) -> list[Remark]:
    """The sentences of people in which something may be taken back, in order."""
    people = {each.id for each in history.humans}
    return [
        Remark(round_, turn.speaker, weight, part, forms(_about(parts, at, weight)))
        for round_ in history.rounds
        for turn in round_.turns
        if turn.speaker in people
        for parts in [sentences(turn.text)]
        for at, part in enumerate(parts)
        if (weight := _weight(part)) is not None
    ]


def takes_back(part: str) -> Weight | None:
    """How plainly a sentence takes back what stands right before it; None if it does not."""
    line = part.lower()
    if _ASIDE.match(line):
        return None
    if _cues("slip").search(line):
        return Weight.PLAIN
    weak = _cues("behind").search(line) or _weight(part) is Weight.PLAIN
    return Weight.WEAK if weak else None


def _about(parts: Sequence[str], at: int, weight: Weight) -> str:
    """What a remark takes back; a plain one may name it in the sentence before or behind."""
    if weight is Weight.PLAIN:
        return " . ".join(parts[max(0, at - 1) : at + 2])
    cues = _cues(weight.name.lower())
    return next((each for each in _REASON.split(parts[at]) if cues.search(each.lower())), parts[at])


def _weight(part: str) -> Weight | None:
    line = part.lower()
    if line.endswith("?") or _IMAGINED.search(line):
        return None
    if _cues("plain").search(line):
        return Weight.PLAIN
    if _YOU.search(line):
        return None
    kinds = (Weight.ANEW,) if _REPORTED.search(line) else (Weight.ANEW, Weight.WEAK)
    found = (each for each in kinds if _cues(each.name.lower()).search(line))
    return next(found, None)


@cache
def _cues(kind: str) -> re.Pattern[str]:
    """All patterns of a kind in one, for text in lower case: that is far quicker than any case."""
    lines = files(__package__).joinpath("cues.txt").read_text("utf-8").splitlines()
    found = [line.partition(": ")[2] for line in lines if line.startswith(f"{kind}: ")]
    pattern = "|".join(f"(?:{each})" for each in found)
    return re.compile(pattern.replace("{said}", _SAID).replace("{gap}", _GAP))
