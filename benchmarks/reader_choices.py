"""Answers to multiple-choice questions: the question is answered, then the letter is chosen."""

import re
from collections.abc import Sequence
from itertools import permutations
from typing import Final

from reader_courses import days_of_events
from reader_release import ReadRound
from reader_said import beside, sentence_scores
from reader_text import Sentence, Weights, sentences
from reader_values import amount, clocks_in, days_in, kind_of, numbers_in

_OPTION: Final = re.compile(r" ([A-D])\. ")
_MOMENT: Final = re.compile(
    r"(?:Which|Of these|Looking back|In the order|If \S+ put these),? .*\b(?P<which>first|last)\b.*"
)
_STANDING: Final = re.compile(
    r"(?:.+\. )?(?:Which would you recommend|Which of these|What (?:should|would)"
    r"|Which is the best advice|Helping \S+ to prepare|If \S+ had to give|As things are now"
    r"|.+ if a reminder|If a reminder).*|.+ asks what to put down.*"
)
_NO_LONGER: Final = re.compile(
    r".*\b(?:no longer|out of date by now|not go by any more|which one does not)\b.*", re.IGNORECASE
)
_OLD: Final = re.compile(
    r"\b(?:from|was|were|of|than|not|old|before|after|instead of|rather than|used to be|no longer|"
    r"once|yesterday's|original|first)(?: the| a| my| its| his| her| your)?(?: [\w']+)? ?$",
    re.IGNORECASE,
)


def split_options(question: str) -> tuple[str, dict[str, str]]:
    """The question itself, and its options by letter."""
    stem, *rest = _OPTION.split(question)
    return stem, {letter: text.strip() for letter, text in zip(rest[::2], rest[1::2], strict=True)}


def chosen(question: str, rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The letter whose option the cited rounds support."""
    stem, options = split_options(question)
    if _NO_LONGER.fullmatch(stem) and all(": " in one for one in options.values()):
        return _replaced(options, rounds, weights)
    if moment := _MOMENT.fullmatch(stem):
        return _moment(moment["which"], options, rounds, weights)
    if _STANDING.match(stem) and (standing := _standing(stem, options, rounds, weights)):
        return standing
    said = sentences(rounds)
    scores = sentence_scores(stem, said, weights)
    found = []
    for letter, option in options.items():
        held = [at for at, sentence in enumerate(said) if holds(sentence, option)]
        if held:
            beside_it = [_beside(stem, said[at], option, weights) for at in held]
            best = max(scores[at] + fit for at, fit in zip(held, beside_it, strict=True))
            # A value once said to be a rate is one wherever it stands.
            found.append((best + min(0.0, *beside_it), letter))
    return max(found)[1] if found else None


def _beside(stem: str, sentence: Sentence, option: str, weights: Weights) -> float:
    """How well the words around a number in a sentence match; 0 for other values."""
    read = amount(option)
    if read is None:
        return 0.0
    numbers = numbers_in(sentence.text, read[1] or None)
    fits = [beside(stem, sentence.text, one, weights) for one in numbers if one.value == read[0]]
    return max(fits, default=0.0)


def holds(sentence: Sentence, value: str) -> bool:
    """Whether a sentence says a value, in whatever form its kind allows."""
    day = days_in(value)
    if day:
        return day[0].value in [one.value for one in days_in(sentence.text)]
    kind, read = kind_of(value), amount(value)
    if kind == "clock":
        return value in [one.value for one in clocks_in(sentence.text)]
    if read:
        numbers = numbers_in(sentence.text, read[1] or None)
        return read[0] in [one.value for one in numbers]
    return value.lower() in sentence.text.lower()


def _moment(
    which: str, options: dict[str, str], rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """The option of the earliest or latest day."""
    read = days_of_events(list(options.values()), rounds, weights)
    if read is None:
        return None
    days = read[1]
    return list(options)[days.index((min if which == "first" else max)(days))]


def _replaced(options: dict[str, str], rounds: Sequence[ReadRound], weights: Weights) -> str | None:
    """The option whose property a round gives anew: its own, or one that none of them needs."""
    parts = {letter: option.rpartition(": ") for letter, option in options.items()}
    own = _own_rounds([(label, value) for label, _, value in parts.values()], rounds, weights)
    left = [each for each in rounds if own and each not in own]
    if left:
        told = " ".join(" ".join(each.turns) for each in left)
        fits = {letter: weights.overlap(label, told) for letter, (label, _, _) in parts.items()}
        return max(fits, key=lambda letter: fits[letter])
    said = sentences(rounds)
    renewed = {
        letter: [
            2 * _is_old(one.text, value) + _gives_another(one.text, value)
            for one in said
            if holds(one, value)
        ]
        for letter, (_, _, value) in parts.items()
    }
    best = max(renewed, key=lambda letter: max(renewed[letter], default=0))
    return best if any(renewed[best]) else None


def _own_rounds(
    asked: Sequence[tuple[str, str]], rounds: Sequence[ReadRound], weights: Weights
) -> list[ReadRound]:
    """A round of its own for each property that says its value; none if there are too few."""
    best: tuple[float, list[ReadRound]] = (0.0, [])
    for taken in permutations(rounds, min(len(asked), len(rounds))):
        pairs = list(zip(asked, taken, strict=False))
        if len(pairs) == len(asked) and all(
            any(holds(one, value) for one in sentences([each])) for (_, value), each in pairs
        ):
            score = sum(weights.overlap(label, " ".join(each.turns)) for (label, _), each in pairs)
            best = max(best, (score, list(taken)), key=lambda one: one[0])
    return best[1]


def _gives_another(text: str, value: str) -> bool:
    """Whether a sentence gives a second value of the same kind and unit."""
    if days_in(value):
        return len(days_in(text)) > 1
    if kind_of(value) == "clock":
        return len(clocks_in(text)) > 1
    read = amount(value)
    return read is not None and len({one.value for one in numbers_in(text, read[1] or None)}) > 1


def _standing(
    stem: str, options: dict[str, str], rounds: Sequence[ReadRound], weights: Weights
) -> str | None:
    """The option that the latest cited round says without calling it an old one."""
    said = sentences(rounds[-1:])
    scores = sentence_scores(stem, said, weights)
    found = []
    for letter, option in options.items():
        held = [at for at, sentence in enumerate(said) if holds(sentence, option)]
        # What is called an old value once is one wherever it stands.
        old = any(_is_old(said[at].text, option) for at in held)
        found += [(scores[at] - (10.0 if old else 0.0), letter) for at in held]
    return max(found)[1] if found else None


def _is_old(text: str, option: str) -> bool:
    """Whether a sentence speaks of a value as of what was."""
    at = text.lower().find(option.lower())
    return at >= 0 and bool(_OLD.search(text[:at]))
