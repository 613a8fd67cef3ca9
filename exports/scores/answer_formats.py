"""Scores of answers in a closed form: option letters, image ids, refusals.

Every metric takes the prediction and the alternative gold answers and returns a score in [0, 1].
"""

import re
from collections.abc import Sequence
from typing import Final

from memassay.schemas.errors import UsageError

_WHOLE_LETTER: Final = re.compile(r"\W*([A-Za-z])\W*")
_LEADING_LETTER: Final = re.compile(r"\s*(?:\(([A-Za-z])\)|([A-Za-z])[.):])(?:\s|$)")
_ANNOUNCED_LETTER: Final = re.compile(
    r"\b(?:answer|option|choice)(?:\s+is)?\s*:?\s*\(?([A-Za-z])(?:[).:,;]|\s*$)", re.IGNORECASE
)
_IMAGE_ID: Final = re.compile(
    r"(?<!\w)(?:(?:[a-z]{1,2}[0-9]+|qa?)[:_])?img_[0-9]+(?!\w)", re.IGNORECASE
)

LOCOMO_REFUSALS: Final = ("no information available", "not mentioned")
_REFUSALS: Final = re.compile(
    r"\bno (?:relevant |such )?information\b"
    r"|(?:\b(?:not|never)|n't) (?:been |explicitly |specifically )?"
    r"(?:mentioned|specified|stated|provided|discussed|available)\b"
    r"|\b(?:not enough|insufficient) (?:information|evidence|context)\b"
    r"|\b(?:can not|cannot|can't|could not|couldn't) be (?:determined|answered|inferred)\b"
    r"|\b(?:do not|don't|does not|doesn't) know\b"
    r"|\bunanswerable\b"
)


def needs_gold(golds: Sequence[str]) -> None:
    """Refuse to score against nothing.

    Raises:
        UsageError: There is no gold answer.
    """
    if not golds:
        raise UsageError(
            "answer.values: expected at least one gold answer, got none; "
            "exclude the item or score it with the refusal metric"
        )


def choice_letter(text: str) -> str | None:
    """The option letter a text answers with, in upper case, or None.

    Read are a letter alone (``b``, ``(B).``), a letter that leads its option (``B. Lisbon``,
    ``(B) Lisbon``) and an announced one (``The answer is B.``). A letter that is a word of a
    sentence (``A dog``) or one of several is not an answer.
    """
    if whole := _WHOLE_LETTER.fullmatch(text):
        return whole[1].upper()
    if leading := _LEADING_LETTER.match(text):
        return (leading[1] or leading[2]).upper()
    announced = {match.upper() for match in _ANNOUNCED_LETTER.findall(text)}
    return announced.pop() if len(announced) == 1 else None


def choice(prediction: str, golds: Sequence[str]) -> float:
    """1 when the prediction answers with the letter of a gold answer, else 0.

    Raises:
        UsageError: No gold answer is given, or one holds no option letter.
    """
    needs_gold(golds)
    letters = []
    for gold in golds:
        letter = choice_letter(gold)
        if letter is None:
            raise UsageError(f"answer.values: expected an option letter such as 'B', got '{gold}'")
        letters.append(letter)
    return float(choice_letter(prediction) in letters)


def image_ids_in(text: str) -> frozenset[str]:
    """The image ids a text names, whole and in lower case.

    An id is ``img_7`` or the same behind a place: ``D2:IMG_003``, ``S04_img_4``. A file name
    counts as the id before its extension. Digits are compared as written and ids never by prefix:
    ``img_1`` is neither ``img_10`` nor ``D2:IMG_1``.
    """
    return frozenset(match.lower() for match in _IMAGE_ID.findall(text))


def image_ids(prediction: str, golds: Sequence[str]) -> float:
    """1 when the prediction names exactly the image ids of one gold answer, else 0.

    A gold answer may hold several ids (``D2:IMG_003, D10:IMG_002``); order and the words around
    the ids do not count, an id too many does.

    Raises:
        UsageError: No gold answer is given, or one holds no image id.
    """
    needs_gold(golds)
    alternatives = []
    for gold in golds:
        wanted = image_ids_in(gold)
        if not wanted:
            raise UsageError(f"answer.values: expected image ids such as 'img_7', got '{gold}'")
        alternatives.append(wanted)
    return float(image_ids_in(prediction) in alternatives)


def is_refusal(text: str) -> bool:
    """Whether a text declines to answer for lack of information.

    The phrases are our choice and include Mem-Gallery's and WorldMemArena's expected refusals
    (``Not mentioned.``, ``Not mentioned in memory.``) and LoCoMo's two. An empty text is no
    refusal.
    """
    plain = " ".join(text.lower().replace("\u2019", "'").split())
    return _REFUSALS.search(plain) is not None


def refusal(prediction: str, golds: Sequence[str]) -> float:
    """1 when the prediction refuses exactly if the item calls for a refusal, else 0.

    An item calls for a refusal when it has no gold answer or one that is itself a refusal; on all
    other items the score is 0 for a needless refusal. An empty prediction scores 0.
    """
    if not prediction.strip():
        return 0.0
    wanted = not golds or any(is_refusal(gold) for gold in golds)
    return float(is_refusal(prediction) is wanted)


def locomo_refusal(prediction: str, golds: Sequence[str]) -> float:  # noqa: ARG001
    """LoCoMo's score of an adversarial item (category 5): 1 or 0.

    As its ``task_eval`` has it, the gold answer is not looked at: right is every output that
    holds ``no information available`` or ``not mentioned`` in any case of letters.
    """
    return float(any(phrase in prediction.lower() for phrase in LOCOMO_REFUSALS))
