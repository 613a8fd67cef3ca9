"""Claims about oneself: birth, age, birthday, hand, height, what one has never done."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memassay.schemas.values.text import ORDINALS
from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import figures, word_groups

_ADVERB: Final = r"(?: \w+ly| now| only| still| just| also| actually| almost| about)?"
_BORN: Final = re.compile(
    r"(?:\bI(?:'m| was| am)?|^|[Bb]eing|[Ss]ince I was|[Ss]omeone|[Ss]omebody|[Pp]erson|"
    r",) ?(?:actually |only )?[Bb]orn,? "
    r"(?:[^.,;]{0,40} )?(?:in|of) (?P<year>(?:19|20)\d\d)\b|"
    r"\b(?P<the>(?:19|20)\d\d),? (?:was |is )?(?:also )?the (?:very )?year I was born\b|"
    r"\bthe (?:very )?year I was born,? (?:was |is |in )?(?P<was>(?:19|20)\d\d)\b|"
    r"\bI was born the (?:same )?year [^.;]{0,50}\b(?P<same>(?:19|20)\d\d)\b|"
    r"\bI(?:'m| am) an? (?P<baby>19\d\d|200\d) (?:baby|kid|child)\b|"
    r"\b[Mm]y [^.;]{0,30}\b(?P<paper>19\d\d|200\d)\b(?=[^.;]*\bmy (?:\w+ )?birth year)|"
    r"\b[Mm]y (?:birth certificate|passport) (?:says|reads|gives) (?P<says>19\d\d|20[01]\d)\b|"
    r"\b[Mm]y (?:birth year|year of birth) (?:is|was) (?P<own>(?:19|20)\d\d)\b|"
    r"\b[Mm]y birthday[^.;]{0,30}\b(?P<date>19\d\d|200\d)\b"
)
_AGE: Final = re.compile(
    rf"\b[Aa]t (?P<i>[1-9]\d),? (?:my|I)\b(?! (?:was|were|had|started|began|got|moved|left|could|"
    rf"went|"
    r"didn't|said|first|met|took|became|wanted|thought|lost|learned|won))|"
    r"\b[Nn]ow that I(?:'m| am) (?P<j>[2-9]\d)\b|\b[Mm]y (?P<k>[2-9]\d) years (?:on|of)\b|"
    rf"\bI(?:'m| am){_ADVERB} (?P<a>\d\d?)(?= years? old| years? of age|[,.!;]| and\b| now\b|$)|"
    rf"(?:(?<![Ww]hen )(?<![Bb]efore )(?<![Uu]ntil )(?<![Aa]fter )(?<![Ss]ince "
    rf")\bI(?:'ve| have)?{_ADVERB}|"
    r"^[Jj]ust) turned (?P<b>\d\d?)\b|"
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
_DAY: Final = rf"(?:\d\d?(?:st|nd|rd|th)?|{'|'.join(ORDINALS)})"
_FEASTS: Final = {
    "halloween": "october 31",
    "christmas eve": "december 24",
    "christmas day": "december 25",
    "christmas": "december 25",
    "boxing day": "december 26",
    "new year's eve": "december 31",
    "new year's day": "january 1",
    "valentine's day": "february 14",
    "valentine's": "february 14",
    "st patrick's day": "march 17",
    "april fools' day": "april 1",
    "april fools": "april 1",
    "leap day": "february 29",
    "the fourth of july": "july 4",
    "independence day": "july 4",
}
_SIGNS: Final = {
    "aries": ("march 21", "april 20"),
    "taurus": ("april 19", "may 21"),
    "gemini": ("may 20", "june 21"),
    "leo": ("july 22", "august 23"),
    "virgo": ("august 22", "september 23"),
    "libra": ("september 22", "october 23"),
    "scorpio": ("october 22", "november 22"),
    "sagittarius": ("november 21", "december 22"),
    "capricorn": ("december 21", "january 20"),
    "aquarius": ("january 19", "february 19"),
    "pisces": ("february 18", "march 21"),
}
_SEASONS: Final = {
    "winter": "december january february march",
    "spring": "march april may june",
    "summer": "june july august september",
    "autumn": "september october november december",
    "fall": "september october november december",
}
_BORN_ON: Final = (
    r"(?:\b[Mm]y (?:\w+ )?birthday(?:'s| is| falls| was| being|,)?(?: always| actually)?(?: "
    r"on)?(?: the)?|"
    r"\bI (?:was born|turn(?:ed)?(?: \d\d)?)(?: \w+){0,3}? on(?: the)?|^Born on(?: the)?)"
)
_BIRTHDAY: Final = re.compile(
    rf"{_BORN_ON} (?:(?P<m1>{_MONTH}) (?:the )?(?P<d1>{_DAY})|(?P<d2>{_DAY})(?: of)? "
    rf"(?P<m2>{_MONTH}))\b",
)
_FEAST: Final = re.compile(rf"{_BORN_ON} (?P<feast>{'|'.join(_FEASTS)})\b", re.IGNORECASE)
_BIRTH_MONTH: Final = re.compile(
    rf"\b[Mm]y (?:\w+ )?birthday(?:'s| is| was)? (?:\w+ )?in (?:\w+ )?(?P<month>{_MONTH})\b|"
    rf"\bI(?: was|'m| am)? (?:born|turn(?:ed|ing)?(?: \d\d)?) (?:\w+ )?in (?:\w+ "
    rf")?(?P<born>{_MONTH})\b|"
    rf"\bI(?:'m| am) an? (?P<baby>{_MONTH}) (?:baby|child|kid)\b|"
    rf"\b[Mm]y (?P<own>{_MONTH}) birthday\b"
)
_SIGN: Final = re.compile(
    rf"\b(?:I'm|I am|[Aa]s|[Bb]eing|[Tt]ypical|[Ll]ike any)(?: an?| such an?| the| your)?(?: "
    rf"typical| classic| "
    rf"true| real| total| stubborn)* (?P<sign>{'|'.join(_SIGNS)})\b",
    re.IGNORECASE,
)
_SEASON: Final = re.compile(
    r"\b(?:I was born|[Bb]eing born|me being born)(?: \w+){0,2} in (?:the |the \w+ of )?"
    r"(?:\w+ )?(?P<a>winter|spring|summer|autumn|fall)\b|"
    r"\bI(?:'m| am) an? (?P<b>winter|spring|summer|autumn|fall) (?:baby|child|kid)\b|"
    r"\b[Mm]y (?P<c>winter|summer|autumn|spring) birthday\b"
)
_HAND: Final = re.compile(
    r"\b(?:I'm|I am|I was born|[Aa]s an?|[Bb]eing)(?: \w+)? (?P<hand>left|right)[- "
    r"]?hand(?:ed|er)\b"
    r"|\b(?:I(?:'m| am)|[Aa]s|[Bb]eing) a (?P<er>left|right)y\b|\bI write with my "
    r"(?P<my>left|right) hand\b"
)
_TALL: Final = re.compile(
    r"\b(?:I'm|I am|I stand|[Bb]eing|[Aa]t|me at|[Mm]y height is|[Mm]y full)(?: only| about| "
    r"barely| just| all of|"
    r" exactly| nearly| almost| over)* (?P<feet>[4-6]) (?:foot|feet|ft)(?: (?:and "
    r")?(?P<inch>\d\d?))?\b|"
    r"\b(?:I'm|I am|[Bb]eing|[Aa]t|me at)(?: only| about| barely| just| all of)* "
    r"(?P<metre>[12])[.,](?P<rest>\d\d) ?"
    r"(?:m|metres?|meters?)\b|"
    r"\b(?:I'm|I am|I stand|[Bb]eing|[Aa]t|me at|[Mm]y)(?: only| about| barely| just| all of| "
    r"a)* (?P<cm>1[3-9]\d|20\d) ?"
    r"(?:cm|centimet)"
)
_FOR_NOW: Final = re.compile(
    r"\b(?:for now|at the moment|until|splint|broke|broken|cast|sling|sprain\w*)\b"
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
    r"\b[Mm]y (?:native (?:language|tongue)|mother tongue|first language)(?: is| was|,) "
    r"(?P<a>[A-Z]\w+)|"
    r"\b(?P<c>[A-Z]\w+) (?:is|was) (?:my|our) (?:native (?:language|tongue)|mother tongue|first "
    r"language)|"
    r"\b(?:only spoke|spoke only|spoke nothing but|only ever spoke) (?P<d>[A-Z]\w+) at home|"
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
    for found in _HAND.finditer(text) if not _FOR_NOW.search(text) else ():
        yield said("hand", "hand", *_only(found))
    for found in (*_HEIGHT.finditer(text), *_TALL.finditer(figures(text))):
        yield said("height", "height", *_heights(found))
    for found in _TONGUE.finditer(text):
        tongue = next(one for one in found.groups() if one)
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
        month, day = (found["m1"] or found["m2"]).lower(), found["d1"] or found["d2"]
        number = ORDINALS.get(day) or int(re.sub(r"\D", "", day))
        yield said("birthday", "for ever", f"{month} {number}")
    for found in _FEAST.finditer(text):
        yield said("birthday", "for ever", _FEASTS[found["feast"].lower()])
    for pattern in (_BIRTH_MONTH, _SEASON):
        for found in pattern.finditer(text):
            word = _only(found)[0].lower()
            yield said("birthday", "for ever", *_days(_SEASONS.get(word, word).split()))
    for found in _SIGN.finditer(text):
        first, last = (one.split() for one in _SIGNS[found["sign"].lower()])
        days = [f"{first[0]} {day}" for day in range(int(first[1]), 32)]
        days += [f"{last[0]} {day}" for day in range(1, int(last[1]) + 1)]
        yield said("birthday", "for ever", *days)


def _days(months: Sequence[str]) -> Iterator[str]:
    return (f"{month} {day}" for month in months for day in range(1, 32))


def _heights(found: re.Match[str]) -> Iterator[str]:
    """Heights in cm that a text may mean, two more and two less."""
    if found.groupdict().get("metre"):
        height = 100 * int(found["metre"]) + int(found["rest"])
        return (str(one) for one in range(height - 3, height + 4))
    inches = int(found["feet"] or 0) * 12 + int(found["inch"] or 0)
    height = int(found["cm"]) if found["cm"] else round(inches * 2.54)
    return (str(one) for one in range(height - 3, height + 4))
