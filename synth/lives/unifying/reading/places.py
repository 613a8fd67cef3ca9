"""Claims about where somebody lives and where they come from."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import PAST, word_groups

_WORD: Final = r"[A-Z][\w'.-]*\w"
_RUN: Final = rf"{_WORD}(?: (?:(?:of|de|la|del|am|upon) )?{_WORD})*"
_PLACE: Final = rf"(?P<place>(?:the )?{_RUN}(?:, {_WORD}(?: {_WORD})*)?)"
_IN: Final = (
    r"(?:[a-z-]+,? ){0,5}?(?:in|near|outside|outside of|outskirts of|suburbs of|part of|side of|"
    r"heart of|middle of|centre of|center of|from) (?:downtown |central |north |south |east |west |"
    r"northern |southern |eastern |western |rural |upstate )?"
)
_I: Final = (
    r"\b(?:I|[Ww]e)(?:'m|'re|'ve| am| are| have)?(?: [a-z]+ly| still| now| both| "
    r"all| just)?"
)
_LIVE: Final = r"(?:live|reside|dwell|based|settled|residing|rent a \w+|own a (?:house|flat|home))"
_HOME: Final = (
    r"(?:apartment|flat|house|home|condo|loft|townhouse|studio|place|rowhouse|cottage|"
    r"bungalow|farmhouse)"
)
_NOT_HOME: Final = (
    r"(?!(?:holiday|summer|vacation|second|winter|parents|old|former|childhood|new|first|next|"
    r"weekend|previous|beach|family|dream|rental|photo|art|design|yoga|dance|music|pottery)\b)"
)
_HOMES: Final = tuple(
    map(
        re.compile,
        (
            rf"{_I} {_LIVE} {_IN}{_PLACE}",
            rf"{_I} (?:living|based) {_IN}{_PLACE}",
            rf"{_I} (?:always )?(?:lived|been living) {_IN}{_PLACE}"
            r"(?=[^.]* (?:all (?:my|our) li|for most of|most of (?:my|our) li|for (?:\w+ "
            r"){1,3}(?:years|decades|now)|for years|since|"
            r"my whole|my entire|forever))",
            rf"{_I} always lived {_IN}{_PLACE}",
            rf"\b(?:[Mm]y|[Oo]ur)(?: {_NOT_HOME}[a-z-]+){{0,2}} {_NOT_HOME}{_HOME} "
            rf"(?:is |here |right |over |located )*{_IN}{_PLACE}",
            rf"\b(?:purchas|buy|decorat|furnish)\w*\b[^.;]{{0,40}} (?:my|our) (?:first |new )?"
            rf"(?:home|house|flat|apartment) {_IN}{_PLACE}",
            rf"\b[Hh]ere in {_PLACE},? (?:where )?(?:I|we) live\b",
            rf"\b[Hh]ome here in {_PLACE}",
            rf"\b[Mm]y commute (?:here )?in {_PLACE}",
            rf"\b(?:I|we) call (?P<call>{_WORD}(?: {_WORD})?) (?:my )?home\b",
            rf"\b[Ll]iving (?:here )?in {_PLACE},?(?: means)? (?:I|we|my|our)\b",
            rf"\bI(?:'ve| have) spent my (?:whole|entire) life {_IN}{_PLACE}",
            rf"\b(?:I'm|I am|[Aa]s|[Bb]eing) an? (?:\w+ )?(?:resident|inhabitant) of {_PLACE}",
            rf"\b(?:I'm|I am|[Aa]s|[Bb]eing) an? (?:longtime )?{_PLACE} resident\b",
            rf"\b[Mm]y (?:hometown|home town)(?: is| of|,)? {_PLACE}(?=[^.]* still live)",
        ),
    )
)
_ORIGINS: Final = tuple(
    map(
        re.compile,
        (
            rf"\bI(?:'m| am| was)? (?:born and (?:raised|bred)|raised|grew up) {_IN}{_PLACE}",
            rf"\b(?:I|[Ww]e) come from (?:the )?(?:middle of |heart of |depths of )?{_PLACE}",
            rf"\bI spent my (?:whole )?childhood {_IN}{_PLACE}",
            rf"\b(?:I'm|I am|I) (?:originally|come originally) (?:come )?from {_PLACE}",
            rf"\b[Gg]rowing up {_IN}{_PLACE}, I\b|\b[Mm]y childhood {_IN}(?P<child>{_WORD})",
            rf"\b[Mm]y (?:hometown|home town)(?: is| of|,)? {_PLACE}",
            rf"\b(?:I'm|I am|[Aa]s) an? {_PLACE} native\b|\bI(?:'m| am) a native of (?P<of>{_RUN})",
        ),
    )
)
_SINCE: Final = re.compile(
    rf"\b(?:I|[Ww]e)(?:'ve| have)? moved to {_PLACE}[^.;]*(?:ever since|never left|still live here)"
)
_RENTED: Final = re.compile(
    rf"{_I} (?:rented|been renting) (?:the same|a|this) (?:\w+ )?{_HOME} {_IN}{_PLACE}"
    r"(?=[^.;]* (?:for (?:\w+ )?(?:years|decades)|since)\b)"
)
_LET: Final = re.compile(
    r"\b(?:rented|rents|rental|rent out|Airbnb|holidays?|vacations?|tenants?)\b"
)
_BORN: Final = re.compile(rf"\bI was born {_IN}{_PLACE}")
_NO_PLACES: Final = frozenset(word_groups("lists")["times"])
_REGION: Final = "a region"


def place_claims(told: Told) -> Iterator[Said]:
    """Where a sentence says that its speaker lives or comes from."""
    text = told.text
    for found in (*_SINCE.finditer(text), *_RENTED.finditer(text)):
        yield from _claims("home", found["place"])
    for topic, patterns in (("home", _HOMES), ("origin", _ORIGINS), ("place of birth", (_BORN,))):
        if topic == "home" and (PAST.search(text) or _LET.search(text)):
            continue
        for pattern in patterns:
            for found in pattern.finditer(text):
                place = next(one for one in found.groups() if one)
                if place.split()[0].lower() not in _NO_PLACES:
                    yield from _claims(topic, place)


def _claims(topic: str, place: str) -> Iterator[Said]:
    parts = [part.strip().removeprefix("the ").lower() for part in place.split(",")]
    around = next((found for part in parts if (found := _known(part))), None)
    if around is not None:
        yield said(f"{topic}, the region", topic, *(around - {_REGION}))
    # Two towns are compared by name; one that the list does not have may lie in any region.
    if around is None or _REGION not in around:
        yield said(topic, topic, *(around or parts[:1]))


@cache
def _known(name: str) -> frozenset[str]:
    """What a name may stand for: a town and its parts, a region with all in it; else nothing."""
    word = name.replace(" ", "_")
    found: set[str] = set()
    for line, towns in word_groups("places").items():
        regions = line.split()
        if word in regions:
            # Regions of a line stand in each other, the widest first.
            found.update(regions[regions.index(word) :], towns, {_REGION})
        if word in towns:
            found.update({word}, *(part for part in _parts() if word in part))
    return frozenset(found)


@cache
def _parts() -> tuple[frozenset[str], ...]:
    """Towns and their parts or other names."""
    return tuple(frozenset(words) for words in word_groups("towns").values())
