"""Where, in what, with whom and since when somebody lives."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.persons.facts import BEGINNING, Fact, fact, month_of
from memassay.synth.lives.unifying.persons.times import ordinals
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import word_groups
from memassay.synth.lives.unifying.states.spans import lasted

_PLACE: Final = r"(?P<place>[A-Z][\w'-]+(?: (?:de |upon )?[A-Z][\w-]+)*)"
_NAMES: Final = re.compile(r"(?<=[a-z,] )[A-Z][\w-]+")
_LIVES: Final = re.compile(
    rf"\b(?:live|lived|living|reside|resided|home|stayed|been)(?: \w+)? (?:here )?(?:in|near|"
    rf"outside) (?:the )?{_PLACE}"
    rf"|\b[Hh]ere in {_PLACE.replace('<place', '<here')}, where (?:I|we) (?:have )?(?:\w+ )?live"
    rf"|\b(?:[Mm]y|[Oo]ur)(?: \w+)? (?:flat|apartment|house|home|place|studio|cottage|room|condo|"
    rf"loft) in (?:the )?{_PLACE.replace('<place', '<mine')}"
    rf"|{_PLACE.replace('<place', '<named')},? (?:where|the (?:city|town|village) (?:where|that|in "
    rf"which)) (?:I|we) (?:have |had )?(?:\w+ )?live"
)
_THEIRS: Final = re.compile(
    r"\b(?:parents|mother|father|sister|brother|friend|aunt|uncle|cousin|grandmother|"
    r"grandparents)(?:'s|s'|')? (?:\w+ )?$"
)
_ALL_LIFE: Final = re.compile(
    r"\b(?:(?:lived|living|live|stayed|been) (?:\w+ ){0,4}?(?:all (?:of )?(?:my|our) (?:life|"
    r"lives)|(?:my|our) (?:whole|entire) (?:life|lives)|ever since)|"
    r"all (?:of )?my life (?:\w+ ){0,3}?(?:here|in)|where i was born and (?:have )?(?:still "
    r")?(?:lived?|am)|never (?:\w+ )?(?:lived|moved|left)(?: away| anywhere| house| home| from)?"
    r"(?: else)?(?: than| but| in)?|"
    r"born (?:and (?:bred|raised)|here) and never (?:left|moved)|same (?:house|street|flat|village|"
    r"town|neighbou?rhood) (?:\w+ ){0,3}?(?:all my life|my whole life|since i was born|i was born "
    r"in))\b"
)
_ELSEWHERE: Final = re.compile(
    rf"\b(?:I|[Ww]e) (?:\w+ )?(?:lived|grew up|was raised|were raised|was living|spent (?:my|our) "
    rf"childhood|went to (?:primary |high |elementary )?school) "
    rf"(?:(?:as a \w+|abroad|overseas) )?(?:in|near|on) (?:the |a )?(?:\w+ (?:in|of|near) "
    rf")?{_PLACE}|"
    rf"\b(?:I|[Ww]e) (?:\w+ )?moved (?:here|over|back) (?:from "
    rf"{_PLACE.replace('<place', '<other')}|in (?:19|20)\d\d|when|\d+ years ago)|"
    rf"\b(?:[Mm]y|[Oo]ur) (?:years|childhood|time|old flat|old house|old apartment|home town|"
    rf"hometown) (?:in|is) {_PLACE.replace('<place', '<past')}|"
    rf"\b(?:when|while|where|before|until) (?:I|we) (?:still )?lived in "
    rf"{_PLACE.replace('<place', '<then')}"
)
_DWELLINGS: Final = {
    "house": r"cottage|bungalow|villa|townhouse|farmhouse|(?<!to )(?<!on the )house|cabin|chalet|"
    "semi",
    "flat": r"flat|apartment|condo|studio|loft|tower block|high-rise|(?:[3-9]|1\d|\d\d)th floor|"
    "penthouse|walk-up",
    "dorm": r"dorm|dorms|dormitory|dorm room|residence hall|halls of residence|student "
    "(?:residence|housing|hostel)",
    "boat": r"houseboat|narrowboat|barge",
    "van": r"camper van|caravan|motorhome|trailer park",
}
_DWELLING: Final = re.compile(
    r"\b(?:live|lived|living|been|moved|my|our|home|bought|inherited|rent|rented|share|sharing|own|"
    r"owned)\b[^.;!?]{0,45}?\b(?:"
    + "|".join(rf"(?P<{kind}>{words})" for kind, words in _DWELLINGS.items())
    + r")\b(?! (?:in law|next door|opposite|party|warming|plant|plants|keeper|cleaning|style))"
)
_ALONE: Final = re.compile(
    r"\b(?:liv\w+|been|place|home|flat|apartment|house|cottage)\b[^.;!?]{0,40}\b(?:alone|on my own|"
    r"by myself|all to myself|single-handedly)\b|"
    r"\b(?:place|flat|apartment|house|home|cottage|room) (?:all )?to myself\b|\bnever (?:\w+ "
    r")?(?:a |had a |any )?(?:single )?(?:room|flat|house)mates?\b|"
    r"\b(?:nobody|no one) else (?:lives|in the house|at home)\b|\bi am the only (?:1|person) "
    r"(?:living )?(?:here|in (?:the|this) (?:house|flat))\b"
)
_TOGETHER: Final = re.compile(
    r"\bmy (?:room|flat|house)mates?\b|\b(?:liv\w+|shar\w+|flat|apartment|house|"
    r"room)\b[^.;!?]{0,40}\bwith (?:my (?:wife|husband|partner|boyfriend|girlfriend|family|parents|"
    r"mother|father|kids|children|son|daughter|brother|sister|grand\w+)|\d other|\d (?:room|flat|"
    r"house)mates|(?:some |two |three )?(?:other )?(?:students|people|friends|roommates|"
    r"flatmates))\b|"
    r"\b(?:shared|sharing) (?:a|an|our|the) (?:flat|apartment|house|room|kitchen|bathroom)\b"
)
_FAMILY_AT_HOME: Final = re.compile(
    r"\b(?:my|our) (?:wife|husband|kids|children|toddler|baby|little 1s)\b(?! (?:died|left|passed|"
    r"is dead))|"
    r"\b(?:my|our) (?:son|daughter|children|kids)'s? (?:room|bedroom|toys|homework|school)\b"
)
_OWNED: Final = re.compile(
    r"\b(?:bought|purchased|inherited|own|owned|paid off|built) (?:this |our |my |the |a )?(?:own "
    r")?(?:\w+ )?(?:house|home|flat|apartment|cottage|condo|place)\b|"
    r"\b(?:my|our) mortgage\b|\bhomeowners?\b|\b(?:house|home|flat|apartment|cottage|place) (?:i|"
    r"we) (?:bought|inherited|own|built)\b"
)
_RENTED: Final = re.compile(
    r"\b(?:as|are|being|am|only) (?:a )?(?:tenants?|renters?)\b|\b(?:my|our|the) (?:landlord|"
    r"landlady|lease|rental agreement)\b|\b(?:i|we) (?:\w+ )?rent(?:ed)? (?:this|our|my|the|it|"
    r"here|a (?:flat|house|apartment))\b|"
    r"\b(?:my|our) rent(?:ed|al)?\b"
)
_BEGAN: Final = re.compile(
    r"\b(?:bought|purchased|inherited|built|moved|rent\w*|own\w*)\b[^.;!?]{0,40}?\b(?:in|since) "
    r"(?P<year>(?:19|20)\d\d)\b"
)
_ELSE: Final = re.compile(
    r"\b(?:shop|office|garage|hall|car|boat|storage|workshop|stall|allotment|holiday home|second "
    r"home)\b"
)
_GROUND: Final = re.compile(
    r"\b(?:ground floor|1th floor|bungalow|all on 1 (?:floor|level)|no (?:stairs|upstairs|upper "
    r"floor))\b"
)
_HIGH: Final = re.compile(
    r"\b(?:(?P<floor>\d+)th|top|upper) (?:floor|storey|story)\b|\btower block\b|\bhigh-rise\b|"
    r"\bpenthouse\b"
)
_LIVE: Final = re.compile(
    r"\b(?:live|lived|living|home|house|flat|apartment|moved|place|cottage|our|my|here|dorm)\b"
)


def home_facts(told: Told) -> Iterator[Fact]:
    """What a sentence says of the homes of its speaker."""
    whole = plain(told.text)
    text = ordinals(whole.lower())
    yield from _always_here(told, whole)
    yield from _birthplace(told, whole)
    yield from _childhood(told, text)
    yield from _distance(told, text)
    span = lasted(text, told)
    if span is None or not _LIVE.search(text):
        return
    lasting = span[0] < span[1]
    for found in _LIVES.finditer(whole):
        place = next(one for one in found.groups() if one)
        if _THEIRS.search(whole[: found.start()]) or (
            found["mine"] and _THEIRS.search(found.group())
        ):
            continue
        yield fact(
            told, "town of the home", *_places(place), first=span[0], last=span[1], weak=not lasting
        )
    for topic, value in _values(text):
        began = _BEGAN.search(text) if topic == "tenure of the home" else None
        if began and not lasting:
            start = int(began["year"]) * 12 + 12
            yield fact(told, topic, value, first=start, last=month_of(told))
            continue
        yield fact(told, topic, value, first=span[0], last=span[1], weak=not lasting)


def _values(text: str) -> Iterator[tuple[str, str]]:
    if re.search(
        r"\b(?:parents|friend|sister|brother|neighbou?r|aunt|uncle|grand\w+|landlady|colleague|"
        r"cousin)(?:'s|s'|'|s) (?:\w+ )?(?:house|flat|apartment|place|home)\b",
        text,
    ):
        return
    for found in _DWELLING.finditer(text):
        kinds = [kind for kind in _DWELLINGS if found[kind]]
        yield "kind of home", kinds[0]
    if _ALONE.search(text):
        yield "company at home", "none"
    elif _TOGETHER.search(text) or _FAMILY_AT_HOME.search(text):
        yield "company at home", "some"
    if _ELSE.search(text):
        return
    if _RENTED.search(text):
        yield "tenure of the home", "rented"
    elif _OWNED.search(text):
        yield "tenure of the home", "owned"
    if re.search(r"\b(?:live|lived|living|our|my) \b", text):
        if _GROUND.search(text):
            yield "floor of the home", "ground"
        elif _HIGH.search(text):
            yield "floor of the home", "high"


def _places(place: str) -> list[str]:
    name = place.lower()
    around = [
        region
        for regions, towns in word_groups("places").items()
        for region in regions.split()
        if name.split()[-1] in towns or name in towns
    ]
    inside = [
        town
        for regions, towns in word_groups("places").items()
        if name in regions.split()
        for town in towns
    ]
    return [name, *around, *inside]


def _always_here(told: Told, text: str) -> Iterator[Fact]:
    if (
        _ALL_LIFE.search(text.lower())
        and re.search(r"\b(?:I|[Ww]e)\b", text)
        and not re.search(r"\bnever (?:\w+ )?(?:left (?:my|the|her|a)|moved (?:my|the|it))\b", text)
    ):
        here = [name.lower() for name in re.findall(_NAMES, text)]
        now = month_of(told)
        yield fact(told, "having lived elsewhere", "no", *here, first=BEGINNING, last=now)
    for found in _ELSEWHERE.finditer(text):
        place = next((one for one in found.groups() if one), "elsewhere")
        if not re.search(rf"\bhere in {re.escape(place)}\b|all my life|whole life", text):
            yield fact(told, "having lived elsewhere", "yes", place.lower())


_BORN_IN: Final = re.compile(
    rf"\bI (?:was|am) (?:\w+ )?born (?:and (?:bred|raised) )?in (?:the )?{_PLACE}|"
    rf"\b{_PLACE.replace('<place', '<named')}(?:,? (?:the (?:city|town|village|place)|where)(?: "
    rf"that| where| in which)? "
    rf"I was born)|\b[Mm]y (?:birthplace|native (?:city|town|village))(?:,| is| was) "
    rf"{_PLACE.replace('<place', '<native')}|"
    rf"\b(?:I am|[Aa]s) a native of {_PLACE.replace('<place', '<of')}|\bcame into the world in "
    rf"{_PLACE.replace('<place', '<world')}"
)
_MONTHS: Final = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Spring|Summer)\b"
)


def _birthplace(told: Told, text: str) -> Iterator[Fact]:
    for found in _BORN_IN.finditer(text):
        place = next(one for one in found.groups() if one)
        if not _MONTHS.match(place):
            yield fact(told, "town of birth", *_places(place))


_YOUNG: Final = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:grew up|was raised|were raised|was brought up)\b|\b(?:all (?:of "
    r")?)?my (?:whole |entire )?childhood\b|"
    r"\bi (?:\w+ )?lived [^.;!?]{0,60}(?:until (?:college|school|university|i was|i left)|as a "
    r"child|from the day i was born)|"
    r"\bas a (?:child|kid|boy|girl)\b[^.;!?]{0,30}\b(?:lived|home)\b|\bmy childhood home\b"
)
_SURROUNDINGS: Final = {
    "country": re.compile(
        r"\b(?:farm|ranch|countryside|village|hamlet|farmhouse|lighthouse|forest|vineyard|middle "
        r"of nowhere)\b"
    ),
    "town": re.compile(
        r"\b(?:\d+th floor|tower block|high-rise|downtown|big city|city cent(?:re|er)|inner city|"
        r"skyscraper|middle of (?:the )?(?!nowhere)"
        r"(?:city|chicago|london|paris|berlin|new york|tokyo|beijing|shanghai|madrid|rome))\b"
    ),
}


def _childhood(told: Told, text: str) -> Iterator[Fact]:
    if _YOUNG.search(text):
        found = [kind for kind, words in _SURROUNDINGS.items() if words.search(text)]
        if len(found) == 1:
            yield fact(told, "where the childhood was", found[0])


_WORK: Final = (
    r"(?:it|work|my (?:work|job|office|school|desk|shop|lab)|the (?:office|library|school|lab|"
    r"hospital|shop|campus|"
    r"university|studio|store|bakery|factory|clinic|museum))"
)
_NEAR: Final = re.compile(
    rf"\b(?:lived?|living|flat|house|home|apartment|door|place)\b[^.;!?]{{0,40}}\b(?:across the "
    rf"(?:street|road) from|next door to|opposite|"
    rf"around the corner from|round the corner from|above|(?:\d|10|a few) (?:minutes?|steps|doors?|"
    rf"blocks?|metres|meters)(?:'s?| on foot)?(?: walk)? from) {_WORK}\b|"
    rf"\bwalk to {_WORK} in (?:\d|10) minutes\b"
)
_FAR: Final = re.compile(
    rf"\b(?:it is |it takes |takes )?(?:(?:[4-9]\d|1\d\d) minutes|(?:an|1|2|3|two) hours?(?: and a "
    rf"half)?) (?:each way|one way|1 way|by (?:train|bus|car)|on the (?:train|bus))[^.;!?]{{0,20}} "
    rf"?(?:to {_WORK})?|"
    rf"\b(?:commute|train ride|bus ride|drive|way) (?:to {_WORK} )?(?:is|takes|has taken|of) "
    rf"(?:about |over |almost )*(?:(?:[4-9]\d|1\d\d) minutes|(?:an|1|2|3) hours?)\b"
)


def _distance(told: Told, text: str) -> Iterator[Fact]:
    span = lasted(text, told)
    if span is None:
        return
    for value, pattern in (("near", _NEAR), ("far", _FAR)):
        if pattern.search(text) and re.search(r"\b(?:i|we|my|our|me)\b|each way", text):
            yield fact(
                told, "way to work", value, first=span[0], last=span[1], weak=span[0] == span[1]
            )
