"""Claims about oneself: birth, age, birthday, hand, height, what one has never done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import figures, word_groups

_ADVERB: Final = r"(?: \w+ly| now| only| still| just| also| actually| almost| about)?"
_BORN: Final = re.compile(
    r"(?:\bI(?:'m| was| am)?|^|[Bb]eing|[Ss]ince I was|[Ss]omeone|[Ss]omebody|[Pp]erson|"
    r",) ?(?:actually |only )?[Bb]orn "
    r"(?:[^.,;]{0,40} )?(?:in|of) (?P<year>(?:19|20)\d\d)\b|"
    r"\bI(?:'m| am) an? (?P<baby>19\d\d|200\d) (?:baby|kid|child)\b|"
    r"\b[Mm]y [^.;]{0,30}\b(?P<paper>19\d\d|200\d)\b(?=[^.;]*\bmy (?:\w+ )?birth year)|"
    r"\b[Mm]y (?:birth certificate|passport) (?:says|reads|gives) (?P<says>19\d\d|20[01]\d)\b|"
    r"\b[Mm]y (?:birth year|year of birth) (?:is|was) (?P<own>(?:19|20)\d\d)\b|"
    r"\b[Mm]y birthday[^.;]{0,30}\b(?P<date>19\d\d|200\d)\b"
)
_AGE: Final = re.compile(
    rf"\bI(?:'m| am){_ADVERB} (?P<a>\d\d)(?= years? old| years? of age|[,.!;]| and\b| now\b|$)|"
    rf"(?:\bI(?:'ve| have)?{_ADVERB}|^[Jj]ust) turned (?P<b>\d\d)\b|"
    r"\bI(?:'ll|'m| will| am)?(?: (?:be|soon|about to|going to))* turn(?:ing)? (?P<g>\d\d)\b|"
    r"\b[Mm]y (?P<h>[2-9]\d)(?:st|nd|rd|th) birthday\b|"
    r"\b(?:[Aa]s|[Bb]eing|I'm|I am) an? (?:\w+ )?(?P<c>\d\d)-year-old\b|"
    r"\b[Aa]t (?:my age of |the age of )?(?P<d>\d\d),? I(?:'m| am| feel| still| can| "
    r"don't| have)\b|"
    r"\bI(?:'m| am) a (?:\w+ )?(?P<e>\d\d)-year-old\b|"
    r"\b[Mm]y age (?:is|of) (?P<f>\d\d)\b"
)
_DECADES: Final = {
    "twenties": 20,
    "thirties": 30,
    "forties": 40,
    "fifties": 50,
    "sixties": 60,
    "seventies": 70,
    "eighties": 80,
}
_DECADE: Final = re.compile(
    rf"\bI(?:'m| am)(?: \w+| an?(?: [\w-]+){{1,4}})? in my (?:(?P<part>early|mid|late)[ -])?"
    rf"(?:(?P<word>{'|'.join(_DECADES)})|(?P<digits>[2-8]0)s)\b"
)
_PARTS: Final = {"early": (0, 4), "mid": (3, 7), "late": (6, 10), None: (0, 10)}
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_MONTH: Final = rf"(?:{'|'.join(one.title() for one in _MONTHS)})"
_BIRTHDAY: Final = re.compile(
    r"(?:\b[Mm]y birthday(?:'s| is| falls| was)?(?: always| actually)?(?: on)?(?: the)?|"
    r"\bI was born on(?: the)?) "
    rf"(?:(?P<m1>{_MONTH}) (?P<d1>\d\d?)(?:st|nd|rd|th)?|(?P<d2>\d\d?)(?:st|nd|rd|th)?(?: "
    rf"of)? (?P<m2>{_MONTH}))\b"
)
_BIRTH_MONTH: Final = re.compile(rf"\b[Mm]y birthday is in (?P<month>{_MONTH})\b")
_HAND: Final = re.compile(
    r"\b(?:I'm|I am|I was born|[Aa]s an?|[Bb]eing)(?: \w+)? (?P<hand>left|right)[- "
    r"]?hand(?:ed|er)\b"
    r"|\b(?:I(?:'m| am)|[Aa]s|[Bb]eing) a (?P<er>left|right)y\b|\bI write with my "
    r"(?P<my>left|right) hand\b"
)
_HEIGHT: Final = re.compile(
    r"\bI(?:'m| am)(?: only| about)? (?:(?P<feet>[4-6])(?:'|′| feet | foot | ft )(?P<inch>\d\d?)?|"
    r"(?P<cm>1[3-9]\d|20\d) ?cm)"
)
_BLOOD: Final = re.compile(r"\b[Mm]y blood type is (?P<a>(?:AB|A|B|O)\b)")
_EYES: Final = re.compile(
    r"\b(?:[Mm]y eyes are|I have) (?:\w+ )?(?P<a>blue|brown|green|grey|gray|hazel)(?: eyes)?\b"
)
_TONGUE: Final = re.compile(
    r"\b[Mm]y (?:native language|mother tongue|first language) is (?P<a>[A-Z]\w+)|"
    r"\bI(?:'m| am) a native (?P<b>[A-Z]\w+) speaker"
)
_LEARNT_TONGUE: Final = re.compile(
    r"\bI(?:'m| am| was)(?: \w+){0,2} (?:bad|terrible|poor|weak) at (?P<a>[A-Z]\w+(?:ish|ese|ian|"
    r"an|ch|ic))\b|"
    r"\bI(?:'m| am) (?:learning|improving my) (?P<b>[A-Z]\w+(?:ish|ese|ian|an|ch|ic))\b"
)
_SKILLS: Final = (
    r"(?P<what>swim|drive|ride a bike|ski|play the piano|play the guitar|cook|read music)"
)
_CANNOT: Final = re.compile(
    rf"\bI (?:can't|cannot|never learned (?:how )?to|never learnt (?:how )?to|"
    rf"don't know how to|have no idea how to) {_SKILLS}\b"
)
_CANNOT_HAVE: Final = re.compile(
    r"\bI(?:'ve| have)? never learn(?:ed|t) (?:how )?to (?P<what>\w+)\b"
)
_CAN: Final = (
    ("swim", re.compile(r"\bI (?:swim|swam) (?:\w+ )*?(?:every|laps|competitively|daily|each)\b")),
    ("drive", re.compile(r"\bI (?:drive|drove) (?:my|our|to|home|the kids|every)\b")),
)
_HAPPENINGS: Final = {
    words.replace("_", " "): int(year)
    for year, found in word_groups("happenings").items()
    for words in found
}
_SEEN: Final = re.compile(
    r"\bI (?:still |can still |vividly |clearly )*remember "
    r"(?:watching|seeing|hearing (?:of|about)) (?:[a-z]+ ){0,3}?"
    rf"(?P<what>{'|'.join(_HAPPENINGS)})\b"
    r"(?![^.;]*\b(?:film|movie|documentary|youtube|museum|class|replay|footage|show|exhibit)\b)",
    re.IGNORECASE,
)
_OLDEST: Final = 110
_UNDATED: Final = range(2015, 2028)
"""Years in which a dialogue without a date may have been."""


def person_claims(told: Told) -> Iterator[Said]:
    """What a sentence says of its speaker's own person."""
    text = told.text
    for found in _BORN.finditer(text):
        yield said("year of birth", "birth", *_only(found))
    for found in _AGE.finditer(figures(text)):
        yield from of_age([int(_only(found)[0])], told)
    for found in _DECADE.finditer(text):
        first = _DECADES.get(found["word"] or "") or int(found["digits"])
        low, high = _PARTS[found["part"]]
        yield from of_age(range(first + low, first + high), told)
    for found in _SEEN.finditer(text):
        seen = _HAPPENINGS[found["what"].lower()]
        yield said("year of birth", "birth", *map(str, range(seen - _OLDEST, seen - 2)))
    yield from _birthdays(text)
    for found in _HAND.finditer(text):
        yield said("hand", "hand", *_only(found))
    for found in _HEIGHT.finditer(text):
        yield said("height", "height", *_heights(found))
    for found in _TONGUE.finditer(text):
        tongue = found["a"] or found["b"]
        yield said("first language", "first language", tongue)
        yield said(f"{tongue} as first language", "first language", "yes")
    for found in _LEARNT_TONGUE.finditer(text):
        tongue = found["a"] or found["b"]
        yield said(f"{tongue} as first language", "first language", "no")
    for topic, pattern in (("blood type", _BLOOD), ("eyes", _EYES)):
        for found in pattern.finditer(text):
            if topic != "eyes" or "eyes" in found.group():
                yield said(topic, topic, found["a"].replace("gray", "grey"))
    if re.search(r"\bI (?:don't|do not|can't) drive(?=[.,;!]|$)", text):
        yield said("can drive", "learning", "no")
    for found in (*_CANNOT.finditer(text), *_CANNOT_HAVE.finditer(text)):
        yield said(f"can {found['what']}", "learning", "no")
    for what, pattern in _CAN:
        if pattern.search(text):
            yield said(f"can {what}", "learning", "yes")


def of_age(ages: Sequence[int], told: Told) -> Iterator[Said]:
    """The years of birth of somebody who is of one of these ages when a sentence is told."""
    if told.day:
        # Ages are often rounded, and birthdays near: a year more on either side.
        born = {str(int(told.day[:4]) - age - late) for age in ages for late in (-1, 0, 1, 2)}
        yield said("year of birth", "birth", *born)
        return
    born = {str(year - age - late) for year in _UNDATED for age in ages for late in (0, 1)}
    yield said("year of birth", "birth", *born)
    # What one life tells does not go on for more than a few years.
    yield said("age", "birth", *(str(age + late) for age in ages for late in range(-2, 3)))


def _only(found: re.Match[str]) -> list[str]:
    return [one for one in found.groups() if one]


def _birthdays(text: str) -> Iterator[Said]:
    for found in _BIRTHDAY.finditer(text):
        month = (found["m1"] or found["m2"]).lower()
        yield said("birthday", "birth", f"{month} {int(found['d1'] or found['d2'])}")
    for found in _BIRTH_MONTH.finditer(text):
        month = found["month"].lower()
        yield said("birthday", "birth", *(f"{month} {day}" for day in range(1, 32)))


def _heights(found: re.Match[str]) -> Iterator[str]:
    """Heights in cm that a text may mean, two more and two less."""
    inches = int(found["feet"] or 0) * 12 + int(found["inch"] or 0)
    height = int(found["cm"]) if found["cm"] else round(inches * 2.54)
    return (str(one) for one in range(height - 3, height + 4))
