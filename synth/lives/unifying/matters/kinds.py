"""Claims of what somebody is, of several things that exclude each other: introvert or extrovert."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memassay.synth.lives.unifying.reading.claims import PROFILE, Said, Told, said
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import PAST, word_groups

_AM: Final = (
    r"\b(?:I (?:am|was born|have (?:always )?been|have always been)|[Aa]s|[Bb]eing|[Ll]ike (?:any|"
    r"every|all))(?: (?:such|one of|always|just|a|an|the|total|totally|complete|completely|born|"
    r"lifelong|proud|typical|real|true|natural|natural-born|self-confessed|definite|definitely|"
    r"partially|red-green|fellow|lapsed|devout|practising|practicing|strict|new|young|old|busy|"
    r"working|single|married|grown|middle-aged|tall|short|\d+-year-old|only|very much|of|your|"
    r"quite|something|hopeless|classic|stay-at-home|first-time))*"
)
_NOT_SO: Final = re.compile(
    r"\b(?:like an?|kind of|sort of|almost|felt|feel|sounds?|not|never|of honou?r|to be|"
    r"son of a|oh|hey|man's|became|become|turned)\b"
)


@cache
def _table() -> tuple[tuple[re.Pattern[str], dict[str, tuple[str, str, bool]]], ...]:
    """Patterns, and what each phrase that they find says: matter, value, whether it is for ever."""
    framed: dict[str, tuple[str, str, bool]] = {}
    alone: dict[str, tuple[str, str, bool]] = {}
    for key, phrases in word_groups("kinds").items():
        matter, value = key.removeprefix("*").split("/")
        for phrase in phrases:
            words = phrase.removeprefix("+").replace("_", " ").lower()
            target = alone if phrase.startswith("+") else framed
            target[words] = (matter, value, key.startswith("*"))
    options = "|".join(sorted(map(re.escape, framed), key=len, reverse=True))
    bare = "|".join(sorted(map(re.escape, alone), key=len, reverse=True))
    after = (
        r"(?![-'])(?! (?:of a|in law|in arms|sitter|lover|whisperer|company|hand|friend|group|food|"
        r"cave|bun|figure)\b)"
    )
    return (
        (re.compile(rf"{_AM} (?P<phrase>{options})\b{after}", re.IGNORECASE), framed),
        (re.compile(rf"\b(?P<phrase>{bare})\b", re.IGNORECASE), alone),
    )


def kind_claims(told: Told) -> Iterator[Said]:
    """What a sentence says that its speaker is."""
    text = plain(told.text)
    for pattern, meaning in _table():
        for found in pattern.finditer(text):
            matter, value, ever = meaning[found["phrase"].lower()]
            if _NOT_SO.search(found.group()) and "not a" not in found["phrase"]:
                continue
            if not ever and PAST.search(text):
                continue
            yield said(matter, "for ever" if ever else matter, value)
    if told.turn == PROFILE:
        yield from _called(told.quote)


_CALLED: Final = (
    ("male", re.compile(r"\b(?:He|he|his|him|himself)\b")),
    ("female", re.compile(r"\b(?:She|she|her|herself)\b")),
)


def _called(words: str) -> Iterator[Said]:
    """What a profile calls somebody: `he` or `she`."""
    found = [sex for sex, pattern in _CALLED if pattern.search(words)]
    if len(found) == 1:
        yield said("sex", "for ever", *found)
