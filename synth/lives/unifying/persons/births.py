"""Months in which somebody can have been born, by what is told of their age."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.persons.facts import month_of
from memassay.synth.lives.unifying.persons.times import MONTHS, event, ordinals
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain

_OFTEN: Final = (
    r"(?: (?:just|only|now|still|already|about|almost|nearly|barely|recently|finally|actually|"
    r"officially|going on|not even|\w+ly|have|a|the|whole|full|good|ripe old))*"
)
_MONTH_WORD: Final = "|".join(MONTHS)
_ENDS: Final = (
    r"(?=[,.;:!?)]|$| (?:and|but|so|now|already|today|this|though|when|while|as|"
    r"myself|years? old|years? of age|years? young|with|since|at|or)\b)"
)
_TURNED: Final = re.compile(
    rf"\bi{_OFTEN} turned (?P<age>\d\d?)\b(?! (?:of|percent|pages?|people|minutes|degrees|times))"
    r"(?P<rest>[^.;!?]*)"
)
_TURNS: Final = re.compile(
    rf"\bi(?: will| am| shall)?{_OFTEN}(?: about to| going to| due to)? (?:turn|"
    rf"turning|be|reach|hit) "
    rf"(?P<age>\d\d?)\b(?! (?:minutes?|years|weeks?|days?|hours?|percent|km|miles|of|"
    rf"people|degrees)\b)(?P<rest>[^.;!?]*)"
)
_BIRTHDAY: Final = re.compile(
    r"\bmy (?:very |big |own )*(?P<age>\d\d?)th birthday\b(?P<rest>[^.;!?]*)"
)
_IS: Final = re.compile(rf"\bi am{_OFTEN} (?P<age>\d\d?)(?P<unit> months? old| weeks? old)?{_ENDS}")
_AT: Final = re.compile(
    r"\b(?:at|being) (?P<age>[1-9]\d),? (?:i (?:am|feel|have|still|can|do|should|know)|my)\b|"
    r"\b(?:as|being|am) an? (?:\w+ )?(?P<c>\d\d?)-year-old\b|\b(?:woman|man|girl|boy|"
    r"guy|lady|person) (?:of|aged) (?P<b>\d\d)\b|"
    r"\bmy age (?:is|of) (?P<d>\d\d)\b|\bnow that i am (?P<e>\d\d)\b"
)
_BORN: Final = re.compile(
    r"\b(?:i|we|were|was|both|"
    r"am)\b[^.;!?]{0,15}?\bborn\b(?P<rest>[^.;!?]{0,60}?\b(?P<year>19[2-9]\d|"
    r"20[0-2]\d))\b|"
    r"\bmy (?:year of birth|birth year) (?:is |was )?(?P<b>(?:19|20)\d\d)\b|"
    r"^born (?P<also>[^.;!?]{0,40}?\b(?P<c>19[2-9]\d|20[0-2]\d))\b"
)
_REMEMBERED: Final = re.compile(
    r"\b(?:i (?:still |can still |vividly |clearly |well )*(?:remember|recall)|(?:my|"
    r"own|earliest|first|"
    r"childhood) memor(?:y|ies)|i was there when|i (?:stood|watched|cheered|danced|celebrated))\b"
    r"[^.;!?]*?\b(?P<year>19[3-9]\d|20[0-2]\d)\b(?!s)"
)
_NOT_OWN: Final = re.compile(
    r"\b(?:read|book|film|movie|painting|photo|told me|stories|museum|style|era|"
    r"history|exhibition|documentary)\b"
)
_STAGES: Final = (
    (
        re.compile(
            r"\b(?:start|starting|begin|enter)\w* (?:first|1th|1st) grade\b|\bstart(?:s|"
            r"ing)? (?:primary |elementary )?school\b"
        ),
        5,
        8,
    ),
    (
        re.compile(
            r"\bin (?:the )?(?P<grade>\d\d?)th grade\b|\b(?:start|attend|finish)\w* (?:the "
            r")?(?P<other>\d\d?)th grade\b"
        ),
        0,
        0,
    ),
    (
        re.compile(
            r"\b(?:go to|goes to|in|at|start|starts|finish) (?:kindergarten|preschool|"
            r"nursery school|daycare)\b"
        ),
        1,
        8,
    ),
    (
        re.compile(
            r"\bmy first steps\b|\b(?:learning|learned) to walk\b|\bteething\b|\bstill in "
            r"(?:diapers|nappies)\b"
        ),
        0,
        4,
    ),
    (re.compile(r"\bi am(?: \w+){0,3} (?:a|an) (?:\w+ )?(?:puppy|kitten|newborn)\b"), 0, 2),
    (re.compile(r"\bi am(?: \w+){0,3} (?:a|an) (?:\w+ )?(?:toddler)\b"), 0, 4),
    (re.compile(r"\bi am(?: \w+){0,3} (?:a|an) (?:\w+ )?(?:teenager|teen)\b"), 12, 20),
)
_LONG_LIVED: Final = 105 * 12


def births(told: Told) -> Iterator[tuple[int, int]]:
    """First and last month of birth that each statement of a sentence leaves for its speaker."""
    text = ordinals(plain(told.text).lower())
    now, slack = month_of(told), 0 if told.day else 30
    if (
        "if " in text
        or "by the time" in text
        or " like " in text
        or "not " in text.split(" i am")[0][-5:]
    ):
        return
    for low, high in _told(text, told, now):
        yield low - slack, high + slack


def _told(text: str, told: Told, now: int) -> Iterator[tuple[int, int]]:
    for pattern, ahead in ((_TURNED, False), (_TURNS, True), (_BIRTHDAY, False)):
        for found in pattern.finditer(text):
            age = int(found["age"]) * 12
            if pattern is _TURNED and _LONG_AGO.search(text[: found.start()]):
                continue
            if pattern is _TURNS and _AHEAD.search(text) is None and " be " in found.group():
                continue
            later = ahead or (pattern is _BIRTHDAY and not re.search(r"\b(?:was|last|ago)\b", text))
            low, high = event(found["rest"], told, ahead=later) or (now - 11, now + 11)
            yield low - age - 1, high - age + 1
    for found in _IS.finditer(text):
        age = int(found["age"])
        if found["unit"]:
            months = age if "month" in found["unit"] else age // 4
            yield now - months - 2, now - months + 2
        elif not re.search(r"\b(?:nearly|almost|about|going on|not even)\b", found.group()):
            yield _aged(age, now)
        else:
            yield now - 12 * age - 24, now - 12 * age + 24
    for found in _AT.finditer(text):
        age = next(int(one) for one in found.groups() if one)
        yield _aged(age, now)
    for found in _BORN.finditer(text):
        year = int(found["year"] or found["b"] or found["c"]) * 12
        yield year, year + 11
    if not _NOT_OWN.search(text):
        for found in _REMEMBERED.finditer(text):
            year = int(found["year"]) * 12
            yield year - _LONG_LIVED, year - 12
    for pattern, first, last in _STAGES if not _BEFORE.search(text) else ():
        for found in pattern.finditer(text):
            if not _SELF.search(text[: found.start() + 2]):
                continue
            low, high = first, last
            if "grade" in found.groupdict():
                low = int(found["grade"] or found["other"]) + 4
                high = low + 4
            yield now - 12 * high - 12, now - 12 * low + 6


_LONG_AGO: Final = re.compile(
    r"\b(?:when|before|until|since|after|once|as soon as|the (?:day|year|week|summer|"
    r"night)(?: that)?) $"
)
_AHEAD: Final = re.compile(
    rf"\b(?:next|on \w+day|tomorrow|this|soon|in (?:{_MONTH_WORD})|(?:{_MONTH_WORD}))\b"
)


_BEFORE: Final = re.compile(
    r"\b(?:was|were|had|when|since|until|back|used to|taught|remember|ago|teacher|teach|class)\b"
)
_SELF: Final = re.compile(r"\bi\b(?: [\w']+){0,4} ?$|\bmy?$")


def _aged(age: int, now: int) -> tuple[int, int]:
    return now - 12 * (age + 1) - 1, now - 12 * age + 1
