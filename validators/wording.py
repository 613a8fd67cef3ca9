"""How rules compare texts: cached tokens, content words, sentences, refusals, yes and no."""

import re
from collections.abc import Iterable
from typing import Final

from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import content_tokens, normalise

_STOP_WORDS: Final = (
    "a about according after all also am an and any are as at be because been before being "
    "between but by can could did do does doing done during each for from further get gets "
    "got had has have having he her hers him his how i if in into is it its itself just let "
    "many may me might more most much must my no nor not of off on once only or other our out "
    "over own shall she should so some such than that the their them then there these they "
    "this those through to too under until up upon us very was we were what when where "
    "which while who whom whose why will with would you your"
)
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())
"""Words that carry no content of their own."""

CONCLUDED: Final = frozenset(
    {
        QuestionType.EXTERNAL_KNOWLEDGE,
        QuestionType.IMPLICIT,
        QuestionType.JUDGEMENT,
        QuestionType.THEMATIC,
    }
)
"""Types whose gold is concluded from the history, which need not say its words."""

_REFUSAL: Final = re.compile(
    r"\b(?:not mentioned|not (?:been )?(?:stated|specified|provided|discussed|given|available)|"
    r"no (?:such )?information|unknown|unanswerable|cannot be (?:determined|answered|known)|"
    r"(?:do|does|did) not (?:say|mention|know)|(?:don|doesn|didn)'t (?:say|mention|know)|"
    r"never (?:mentioned|said))\b"
)
_LONGEST_REFUSAL: Final = 8
_NO_ANSWER: Final = frozenset({"n/a", "na", "not known", "not sure", "no idea", "no answer"})
_TRUTH: Final = {"yes": "yes", "true": "yes", "no": "no", "false": "no"}
_YOU_DID: Final = re.compile(
    r"\byou (?:were|did|had|won|got|went|made|took|found|finished)\b", re.IGNORECASE
)
_AGREES: Final = re.compile(
    r"\W*(?:sure|yes|yeah|yep|yay|ok|okay|definitely|absolutely|of course|good idea|great idea"
    r"|sounds (?:good|great)|deal|will do|i will|i'll)\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?])\s+|\n+|;\s+|\s[-–—]\s")


@text_cache(1 << 16)
def words(text: str) -> tuple[str, ...]:
    """Content tokens of a text: no articles, number words as digits."""
    return tuple(content_tokens(text))


@text_cache(1 << 16)
def _line(text: str) -> str:
    return f" {' '.join(words(text))} "


def says(text: str, value: str) -> bool:
    """Whether a text holds a value as a run of whole tokens; never for an empty value."""
    return bool(words(value)) and _line(value) in _line(text)


@text_cache(1 << 16)
def key_words(text: str) -> frozenset[str]:
    """Distinct content words of a text, without stop words, plural and verb endings cut."""
    return frozenset(_stem(word) for word in words(text) if word not in STOP_WORDS)


def _stem(word: str) -> str:
    # Only to compare texts with each other, so a crude cut that is the same everywhere is enough.
    for ending in ("ing", "ies", "ied", "ed", "es", "s", "ie", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


@text_cache(1 << 14)
def sentences(text: str) -> tuple[str, ...]:
    """Sentences and clauses of a text, blank ones left out."""
    return tuple(part.strip() for part in _SENTENCE_END.split(text) if part.strip())


def agrees(text: str) -> bool:
    """Whether a turn agrees to what was said just before, and need not say it again."""
    return _AGREES.match(text) is not None


def tells_of_other(text: str) -> bool:
    """Whether somebody says what the other one did: "while you were winning"."""
    return any(_YOU_DID.search(part) and not part.endswith("?") for part in sentences(text))


def refuses(text: str) -> bool:
    """Whether a text says that there is no answer."""
    return _REFUSAL.search(normalise(text)) is not None


def only_refuses(text: str) -> bool:
    """Whether the whole of a text is that there is no answer: a long one says more beside it."""
    plain = text.strip(" .!").casefold()
    return plain in _NO_ANSWER or (len(words(text)) <= _LONGEST_REFUSAL and refuses(text))


def yes_or_no(text: str) -> str | None:
    """`yes` or `no` if the whole text is that word, or true or false, else None."""
    found = words(text)
    return _TRUTH.get(found[0]) if len(found) == 1 else None


def whole_names(found: Iterable[str], text: str) -> str:
    """Names that were found in a text as people read them there.

    A part of a name is the whole of it (`McDonald's`, `Objective-C`), and names with nothing but a
    blank between them are one (`Los Angeles`).
    """
    spans = [
        place.span()
        for name in found
        if (place := re.search(rf"[\w'’-]*{re.escape(name)}(?:[\w'’#+-]*[\w#+])?", text))
    ]
    parts: list[tuple[int, int]] = []
    for first, end in sorted(set(spans)):
        if parts and first <= parts[-1][1] + 1 and not text[parts[-1][1] : first].strip():
            parts[-1] = parts[-1][0], max(end, parts[-1][1])
        else:
            parts.append((first, end))
    return ", ".join(text[first:end] for first, end in parts)
