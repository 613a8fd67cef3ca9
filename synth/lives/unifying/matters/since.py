"""Claims about when something began or happened, and what that says of somebody's age."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memassay.schemas.values.professions import fields, profession
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import PROFILE, Said, Told, said
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem
from memassay.synth.lives.unifying.reading.wording import NAME, word_groups

_FIRST_YEAR: Final = 1915
_NOW: Final = 2027
"""A year after every dialogue."""
_UNDATED: Final = 2021
"""The year of a dialogue without a date, four more or less."""
_ABOUT: Final = (
    r"(?:(?:about|almost|nearly|roughly|around|well over|over|more than|the last|the past|past|"
    r"last|"
    r"a good|some|only|just|exactly|maybe|like|at least|close to|going on) )*"
)
_SPAN: Final = rf"(?P<about>{_ABOUT})(?P<span>\d+) (?P<unit>years?|months?|weeks?)\b"
_YEAR: Final = r"(?P<year>(?:19[2-9]|20[0-2])\d)\b"
_EVENTS: Final = (
    ("the wedding", r"\b(?:married|wedding|tied the knot|our vows|wed)\b"),
    ("the divorce", r"\bdivorced?\b"),
    (
        "graduation",
        r"\b(?:graduat\w+|finished (?:college|university|uni|my degree)|got my degree)\b",
    ),
    (
        "meeting",
        r"\b(?:I|we) (?:first )?met (?=(?:my|our) (?:husband|wife|partner))|\bwe (?:first )?met\b",
    ),
    ("retirement", r"\bretire[dm]\w*\b"),
    ("smoking", r"\b(?:quit|gave up|stopped) (?:smoking|cigarettes)\b"),
    (
        "buying the home",
        r"\bbought (?:this|our|my|the) (?:\w+ )?(?:house|flat|apartment|home|place|condo)\b",
    ),
    (
        "moving in",
        r"\b(?:moved in(?:to)? (?:this|our|my|here)|lived? (?:here|in this (?:house|flat|"
        r"apartment))|"
        r"living (?:here|in this (?:house|flat|apartment)))\b",
    ),
    ("moving abroad", r"\b(?:emigrated|immigrated)\b"),
    ("driving", r"\b(?:passed my (?:driving )?test|got my (?:driver's |driving )?licen[cs]e)\b"),
    ("sobriety", r"\b(?:sober|last drink|stopped drinking|quit drinking)\b"),
)
_EVENT: Final = tuple((name, re.compile(pattern)) for name, pattern in _EVENTS)
_LASTING: Final = (
    re.compile(rf"\b(?:I|[Ww]e) have (?:now )?been (?P<state>[^.;,]{{3,60}}?) for {_SPAN}"),
    re.compile(
        rf"\b(?:I|[Ww]e) have (?P<state>(?:work|liv|teach|taught|play|serv|run|danc|"
        rf"paint)\w*[^.;,]{{0,60}}?) for {_SPAN}"
    ),
    re.compile(rf"\b[Mm]y {_SPAN} (?P<state>(?:as|in|of|at) [^.;,]{{3,50}})"),
    re.compile(rf"\b[Aa]fter {_SPAN} (?P<state>(?:as|in|of|at|with) [^.;,]{{3,50}})"),
    re.compile(rf"\b(?:I|[Ww]e) have (?:now )?been (?P<state>[^.;,]{{3,60}}?) since {_YEAR}"),
    re.compile(rf"\b(?:I|[Ww]e) (?P<state>(?:work|live|teach)\w*[^.;,]{{0,40}}?) since {_YEAR}"),
    re.compile(rf"\b{_SPAN}(?: and counting)? (?P<state>as an? [^.;,]{{3,40}})"),
    re.compile(rf"\b(?:I|[Ww]e) have (?P<state>had [^.;,]{{3,40}}?) for {_SPAN}"),
    re.compile(rf"\b(?:I|[Ww]e) have (?P<state>had [^.;,]{{3,40}}?) since {_YEAR}"),
)
_AGO: Final = re.compile(
    rf"\b(?:I|[Ww]e) (?:have )?(?:first |only |just )?(?P<state>(?:start|began|begun|took up|"
    rf"picked up|join|bought|"
    rf"moved|adopted|got|learned|learnt|became|founded|opened|quit|met|came|graduat|retir|divorc|"
    rf"finish|sold|"
    rf"passed|emigrat|immigrat|gave up|married)\w*[^.;,]{{0,60}}?) "
    rf"(?:(?:back )?in {_YEAR}|{_SPAN} ago)"
)
_AGED: Final = (
    re.compile(
        rf"\b(?:I|me) (?:\w+ )?turned (?P<age>\d\d)(?: back| way back)? in (?:the \w+ of "
        rf")?(?:\w+ (?:of )?)?{_YEAR}"
    ),
    re.compile(rf"\b[Ii]n (?:the \w+ of )?{_YEAR},? (?:when )?I (?:was|turned) (?P<age>\d\d?)\b"),
    re.compile(rf"\bI was (?P<age>\d\d?)(?: years old)?(?: back)? in {_YEAR}"),
    re.compile(rf"\b[Mm]y (?P<age>\d\d)(?:th|st|nd|rd) birthday (?:was |back )?in {_YEAR}"),
    re.compile(rf"\b(?:aged?|at(?: age)?) (?P<age>\d\d),? (?:back )?in {_YEAR}"),
)
_DID: Final = re.compile(
    rf"\b(?:I|[Ww]e)(?: first| finally)? (?!was born|were born)(?:was|were|got|had|went|\w+ed|"
    rf"met|bought|"
    rf"began|taught|drove|left|became|won|ran|saw|did)\b[^.;]{{0,60}}?\b(?:back |way back )?in "
    rf"{_YEAR}"
)
_LONG_SPAN: Final = 8
_LONG_AGO: Final = re.compile(
    rf"\b(?:I|[Ww]e) (?!(?:read|heard|learned that|saw)\b)(?:[\w-]+ ){{1,7}}?{_SPAN} ago\b"
)
_DECADE: Final = re.compile(
    r"\b(?:I|[Ww]e) (?:was|were|had|used to|did|went|\w+ed|bought|drove|wore|spent|lived) "
    r"(?:[\w'-]+ ){0,6}?"
    r"in the (?:early |mid |late |mid-)?(?:19)?(?:(?P<decade>[5-9]0)s|(?P<word>fifties|sixties|"
    r"seventies|eighties|nineties))\b(?! (?:style|fashion|look|"
    r"section))"
)
_DECADES: Final = {"fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90}
_ADULT: Final = re.compile(
    r"\b(?:graduat|married|wedding|divorc|bought (?:a|the|my|our) (?:house|flat|car)|job|career|"
    r"hired|university|college|degree|PhD|licen[cs]e|mortgage|army|retire|my (?:son|daughter|kids|"
    r"husband|wife)|as an?|teaching|nursing|profession|profess|working|practice|patients|clients|"
    r"office)"
)


def since_claims(told: Told) -> Iterator[Said]:
    """When a sentence says that something of its speaker's life began or happened."""
    text = plain(told.text)
    if not any(one.isdigit() for one in text) and not _stage().search(text):
        return
    now = int(told.day[:4]) if told.day else _UNDATED
    slack = 0 if told.day else 4
    for pattern in _LASTING:
        for found in pattern.finditer(text):
            years = _years(found, now, slack)
            yield from _begun(found["state"], years)
            yield from _old_enough(max(years), 16 if _ADULT.search(found.group()) else 0)
    for found in _AGO.finditer(text):
        years = _years(found, now, slack)
        yield from _begun(found["state"], years)
    for pattern in _AGED:
        for found in pattern.finditer(text):
            born = int(found["year"]) - int(found["age"])
            yield said("year of birth", "birth", str(born), str(born - 1))
    for found in _LONG_AGO.finditer(text):
        span = int(found["span"])
        if span >= _LONG_SPAN:
            yield from _old_enough(now - span + 2 + slack, 14 if _ADULT.search(text) else 3)
    for found in _DECADE.finditer(text):
        decade = int(found["decade"] or _DECADES[found["word"]])
        year = decade + (1900 if decade > 20 else 2000) + 9
        yield from _old_enough(year, 15 if _ADULT.search(text) else 3)
    for found in _DID.finditer(text):
        yield from _old_enough(int(found["year"]), 15 if _ADULT.search(found.group()) else 3)
    for found in _WHEN_WED.finditer(own := own_part(told)):
        wed = [one for one in found.groups() if one]
        yield said("year of the wedding", "marriage", *wed)
    if (
        _MINE.search(own)
        and not _BEFORE_ME.search(own)
        and _ADULT.search(own)
        and _DEED.search(own)
    ):
        for found in _BARE_YEAR.finditer(own):
            yield from _old_enough(int(found["year"]), 15)
    for found in _ANNIVERSARY.finditer(text):
        years = range(
            now - int(found["number"]) - 1 - slack, now - int(found["number"]) + 1 + slack
        )
        yield said("year of the wedding", "marriage", *map(str, years))
    if told.turn != PROFILE or "tudent" not in text:
        yield from _staged(text, now, slack)


_WHEN_WED: Final = re.compile(
    r"\b(?:my|our)(?: own)? wedding(?: day| night| party)?\b[^.;]{0,30}?\b((?:19|20)\d\d)\b|"
    r"\b(?:as |for |got )?(?:a|our|my) wedding (?:present|gift)s?\b[^.;]{0,30}?\b((?:19|20)\d\d)\b|"
    r"\b(?:I|we) (?:\w+ )?(?:married|wed|said yes|said I do)\b[^.;]{0,30}?\b(?:in|of) ((?:19|"
    r"20)\d\d)\b"
)
_MINE: Final = re.compile(r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur)\b")
_BARE_YEAR: Final = re.compile(rf"\b(?:in|since|was|of|from|until|before|back in) {_YEAR}(?!s)")
_BEFORE_ME: Final = re.compile(
    r"\b(?:built|founded|made|painted|written|designed|published|released|opened|established|"
    r"dates?|"
    r"dating|century|war|born|before I|read|saw|exhibition|style|era|history|movement|model|"
    r"version)\b"
)
_DEED: Final = re.compile(
    r"\b(?:was|were|had|got|did|\w+ed|bought|left|became|began|went|met|since)\b"
)
_ANNIVERSARY: Final = re.compile(
    r"\b(?:my|our) (?:wedding )?(?P<number>\d\d?)(?:th|st|nd|rd) (?:wedding )?anniversary\b"
)


def _years(found: re.Match[str], now: int, slack: int) -> range:
    groups = found.groupdict()
    if groups.get("year"):
        return range(int(groups["year"]), int(groups["year"]) + 1)
    span = int(groups["span"]) if groups["unit"].startswith("year") else 0
    loose = max(1, span // 6 if span % 5 else span // 4)
    if re.search(r"over|more|at least", groups["about"] or ""):
        loose += span // 2
    return range(now - span - loose - slack, now - span + loose + slack + 1)


def _begun(state: str, years: range) -> Iterator[Said]:
    for topic in _topics(state):
        if topic == "year of the wedding":
            yield said(topic, "marriage", *map(str, years))
        else:
            yield said(f"when it began: {topic}", "begun", *map(str, years))


_AS: Final = re.compile(
    r"\b(?:as|an?) (?:[\w-]+ ){0,3}?(?P<noun>[\w-]+)(?= (?:in|at|for|with|on|here|to|I|and|now|"
    r"already)\b|$)"
)
_DOING: Final = re.compile(
    r"^(?:\w+ly )?(?:start\w* |began |took up |picked up |learn\w* (?:to |how to )?)?"
    r"(?P<verb>teaching|nursing|painting|playing|running|climbing|cycling|sailing|baking|cooking|"
    r"gardening|dancing|singing|knitting|sewing|surfing|skiing|swimming|writing|driving|riding|"
    r"practising|practicing|studying|photographing|diving|boxing|rowing|fencing|volunteering|"
    r"weaving|"
    r"play|paint|dance|sing|bake|ski|surf|knit|sew|drive|swim|ride|cook)\b"
    r"(?: (?:the |my |a )?(?P<thing>[a-z]+))?"
)
_HAD: Final = re.compile(
    rf"\b(?:had|adopted|got|bought) (?:my |our |the |this )?(?:[\w-]+ )?(?P<name>{NAME}|dog|cat|"
    rf"house|flat|car|bike|piano|shop)\b"
)
_HERE: Final = re.compile(
    rf"\b(?:liv\w+|moved|came) (?:here )?(?:in|to) (?P<place>{NAME}(?: {NAME})?)"
)


def _topics(state: str) -> Iterator[str]:
    """What a state of a life is, under a name that others of the same kind share."""
    for name, pattern in _EVENT:
        if pattern.search(state):
            yield "year of the wedding" if name == "the wedding" else name
            return
    for found in _AS.finditer(state):
        if job := profession(found["noun"].lower()):
            yield f"as {min(fields()[job])}"
            return
    if here := _HERE.search(state):
        yield f"living in {here['place']}"
    elif had := _HAD.search(state):
        yield f"having {had['name']}"
    elif doing := _DOING.search(state):
        thing = doing["thing"] or ""
        thing = (
            ""
            if thing in ("in", "at", "for", "with", "on", "every", "here", "as", "and")
            else thing
        )
        yield f"{stem(doing['verb'])} {stem(thing)}".strip()


def _old_enough(year: int, age: int) -> Iterator[Said]:
    """Who did something in a year was born before it."""
    yield said("year of birth", "birth", *map(str, range(_FIRST_YEAR, year - age + 1)))


@cache
def _stages() -> dict[str, tuple[int, int]]:
    return {
        phrase.replace("_", " "): (int(low), int(high))
        for span, phrases in word_groups("stages").items()
        for low, high in [span.split("-")]
        for phrase in phrases
    }


@cache
def _stage() -> re.Pattern[str]:
    words = "|".join(sorted(map(re.escape, _stages()), key=len, reverse=True))
    return re.compile(
        rf"\b(?:I am|[Aa]s|[Mm]y|[Oo]ur|I am now|[Bb]eing)(?: (?:a|an|the|my|our|still|only|"
        rf"happily|"
        rf"eldest|oldest|youngest|little|first|two|three|\d+))*? (?P<phrase>{words})\b(?!')|"
        rf"\b(?P<bare>my pension|my retirement|my bus pass)\b"
    )


def _staged(text: str, now: int, slack: int) -> Iterator[Said]:
    for found in _stage().finditer(text):
        phrase = (found["phrase"] or found["bare"]).lower()
        if re.match(r"[Mm]y|[Oo]ur", found.group()) and phrase.startswith(("grandm", "grandf")):
            continue
        low, high = _stages()[phrase]
        born = range(now - high - slack - 1, now - low + slack + 1)
        yield said("year of birth", "birth", *map(str, born))
