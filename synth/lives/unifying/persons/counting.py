"""How many brothers, sisters, sons, daughters and children a sentence leaves room for."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.persons.facts import Fact, fact
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain

_MOST: Final = 15
_ONE: Final = {
    "brother": "brothers",
    "sister": "sisters",
    "sibling": "siblings",
    "twin": "siblings",
    "son": "sons",
    "boy": "sons",
    "daughter": "daughters",
    "girl": "daughters",
    "child": "children",
    "kid": "children",
}
_KINDS: Final = _ONE | {
    "brothers": "brothers",
    "sisters": "sisters",
    "siblings": "siblings",
    "sons": "sons",
    "boys": "sons",
    "daughters": "daughters",
    "girls": "daughters",
    "children": "children",
    "kids": "children",
}
_WIDER: Final = {
    "brothers": "siblings",
    "sisters": "siblings",
    "sons": "children",
    "daughters": "children",
}
_OTHER: Final = {
    "sons": "daughters",
    "daughters": "sons",
    "brothers": "sisters",
    "sisters": "brothers",
}
_MANY: Final = r"(?P<kind>brothers|sisters|siblings|sons|daughters|children|kids|boys|girls)"
_SINGLE: Final = r"(?P<kind>brother|sister|sibling|son|daughter|child|kid|boy|girl)"
_NOT_KIN: Final = (
    r"(?!-|'s (?:friend|team)| in (?:law|arms)| at heart| (?:room|clothes|team|"
    r"school|class|book)s?\b)"
)
_ADJECTIVE: Final = (
    r"(?:(?:little|big|older|younger|elder|grown|own|dear|lovely|teenage|small|"
    r"grown-up|wonderful|beautiful|adult|crazy|noisy) )*"
)
_EXACT: Final = (
    # All of them are counted.
    re.compile(
        rf"\b(?:all|each|every one) (?:of )?(?P<number>[2-9]|1\d) (?:of )?(?:my|our) "
        rf"{_ADJECTIVE}{_MANY}\b{_NOT_KIN}"
    ),
    re.compile(rf"\b(?:my|our) (?P<number>[2-9]|1\d) {_ADJECTIVE}{_MANY}\b{_NOT_KIN}"),
    re.compile(rf"\b(?:both) (?:of )?(?:my|our) {_ADJECTIVE}{_MANY}\b{_NOT_KIN}"),
    re.compile(
        rf"\b(?:i|we) have (?:just |only |got |exactly )*(?P<number>[2-9]|1\d) "
        rf"{_ADJECTIVE}{_MANY}\b{_NOT_KIN}(?! (?:in (?:my|the) class|under))"
    ),
    re.compile(rf"\b(?:1|one) of (?:my|our) (?P<number>[2-9]|1\d) {_ADJECTIVE}{_MANY}\b{_NOT_KIN}"),
)
_ALL_OWN: Final = (
    re.compile(
        rf"\b(?:mother|father|mum|mom|dad|parent) (?:of|to) (?P<number>[2-9]|1\d) "
        rf"{_ADJECTIVE}{_MANY}\b"
    ),
    re.compile(
        rf"\b(?:with|having|among|between) (?:my )?(?P<number>[2-9]|1\d) "
        rf"{_ADJECTIVE}(?P<kind>brothers|sisters|siblings)\b"
    ),
)
_THE_ONLY: Final = (
    re.compile(rf"\b(?:my|our) (?:1 and only|only|1) {_ADJECTIVE}{_SINGLE}\b{_NOT_KIN}"),
    re.compile(
        rf"\bthe (?:1|only|1 and only) {_ADJECTIVE}{_SINGLE} (?:that )?(?:i|we) (?:have|"
        rf"had|ever had)\b"
    ),
    re.compile(
        rf"\b(?:i|we) (?:only have (?:the )?(?:1|a single|an?)|have (?:just |only "
        rf")?(?:the )?(?:1|a single)) "
        rf"{_ADJECTIVE}{_SINGLE}\b{_NOT_KIN}"
    ),
)
_ONLY_THESE: Final = (
    re.compile(
        rf"\b(?:i|we) (?:only (?:have|had)|have only|had only|have nothing but) "
        rf"{_ADJECTIVE}{_MANY}\b"
    ),
    re.compile(rf"\bthe only {_MANY} (?:that )?(?:i|we) (?:have|had)\b"),
)
_ANAPHOR: Final = re.compile(
    r"\b(?:i|we) (?:only have|have (?:just|only)) (?:the )?(?P<number>1|2|3|4|5)\b"
    r"(?=[,.;!]|$| and\b)|\b(?:i|we) have (?P<the>1|2|3|4) of them\b|\b(?:he|she) is the only 1\b"
)
_NAMED: Final = re.compile(
    r"\b(?:my|our) (?:[\w-]+ ){0,2}?(?P<kind>sons?|daughters?|kids?|child|children|"
    r"boys?|girls?|brothers?|sisters?)\b"
)
_JUST_US: Final = re.compile(
    r"\bjust (?:the |us )?2(?: of us)? at home\b|\bthere (?:are|were|was|is|have "
    r"only ever been)(?: only| always)* just (?:the |us )?2 of us\b|"
    r"\b(?:there (?:are|were|is|was)|it (?:is|was))(?: always| only ever| only)* "
    r"(?:just |only )(?:my|me and my) (?P<a>brother|sister) and (?:me|i)\b|"
    r"\bjust (?:me and )?my (?P<b>brother|sister)(?: and (?:me|i))?(?=,? (?:no|and "
    r"no|never any|without) )|"
    r"\bmy (?P<c>brother|sister) and (?:me|i),? (?:and )?(?:no (?:other|more)|nobody "
    r"else|no one else)"
)
_WE_TWO: Final = re.compile(
    r"\bmy (?P<who>brother|sister)(?: \w+)? and (?:i|me) (?:were|are|was) (?:always "
    r")?(?:the )?only (?:1s|ones|"
    r"2|children|kids)\b"
)
_ONLY_CHILD: Final = re.compile(
    r"\b(?:i am|i was|as|being|grew up(?: as)?|like every)(?: \w+)? (?:an |the |my "
    r"parents' |their )only (?:child|kid|1)\b|"
    r"\b(?:my parents|they) (?:only had|only ever had|had only|had no other children|"
    r"never had another) (?:me|1|child)?|"
    r"\bi (?:have|had|never had|do not have|did not have|have never had|grew up "
    r"without)(?: any| no| a single)* (?:siblings?|brothers (?:or|and|nor) sisters|"
    r"brothers? (?:or|nor) (?:a )?sisters?|sisters? (?:or|nor) (?:a )?brothers?)\b"
)
_NONE: Final = re.compile(
    r"\bi (?:have no|never had (?:a|any)|do not have (?:a|any)|have never had (?:a|"
    r"any)|always wanted a|had no) (?P<kind>brother|sister)s?\b(?! (?:like|to))"
)
_NO_CHILDREN: Final = re.compile(
    rf"\b(?:i|we) (?:have no|never had(?: any| a)?|do not have (?:any|a)|have never "
    rf"had(?: any| a)?) {_MANY[:-1]}|son|daughter|child)\b(?! (?:in|who|menu))"
)
_PLACE: Final = re.compile(
    r"\b(?P<rank>youngest|eldest|oldest|middle|first|last|second|third|1|baby)"
    r"(?: child| one| kid| sibling| brother| sister| girl| boy)? of "
    r"(?:the |us )?(?P<number>[2-9]|1\d)\b"
    r"(?: (?P<kind>brothers and sisters|siblings|children|kids|sisters|brothers|boys|"
    r"girls|daughters|sons))?"
)
_WERE: Final = re.compile(
    r"\b(?:we were|there were|there are)(?: always)? (?P<number>[2-9]|1\d)(?: of "
    r"us)? (?:kids|children|siblings|"
    r"brothers and sisters)(?: at home| in (?:the|my|our) family)?\b|"
    r"\b(?:from|in) a family (?:of|with) (?P<kids>[2-9]|1\d) (?:kids|children|siblings)\b"
)
_AMONG: Final = re.compile(
    r"\b(?:the )?(?:only|1) (?P<sex>girl|boy|daughter|son|sister|brother) (?:among|"
    r"of|with|between|in a house(?:hold)? (?:of|with|full of)|in the family|at home|"
    r"of the family)(?: my| the)?(?: (?P<number>[2-9]))?(?: \w+)? "
    r"?(?P<others>brothers|sisters|boys|girls|kids|children|siblings)?"
)
_ME: Final = re.compile(r"\b(?:i am|i was|as|being|i grew up|me)\b")
_TWO_AT_LEAST: Final = re.compile(
    r"\b(?:my|our) (?:younger|older|little|big|eldest|oldest|youngest|middle|other|"
    r"second) (?P<kind>son|daughter|boy|girl)\b"
)
_HAS: Final = re.compile(
    rf"\b(?:my|our) (?!(?:half|step|host|soul|foster|ex|former|future|late|dream|"
    rf"neighbou?r's)\b)(?P<many>(?:(?!(?:and|or|but|is|was)\b)[\w-]+ "
    rf"){{0,2}}?){_SINGLE}\b(?!-|'s (?:sister|brother)| in law|hood| from another| of "
    rf"(?:the|a)| (?:scout|band|friend|sister|brother)|friend)"
)
_HAS_MANY: Final = re.compile(
    rf"\b(?:my|our) (?!(?:half|step|host|soul|foster)\b)(?:(?!(?:and|or|but|is|was|"
    rf"[2-9])\b)[\w-]+ ){{0,2}}?{_MANY}\b{_NOT_KIN}(?! and i)"
)
_PLURALS: Final = {
    "brothers": "brothers",
    "sisters": "sisters",
    "sons": "sons",
    "daughters": "daughters",
}


def counting_facts(told: Told, before: str = "") -> Iterator[Fact]:
    """Numbers of relatives that a sentence gives or leaves room for.

    Args:
        told: The sentence.
        before: Kind that the sentences before it are about: `I've just the two.`
    """
    text = own_part(told).lower()
    for kind, low, high in _numbers(text, plain(told.text).lower(), before):
        yield fact(told, f"number of {kind}", *map(str, range(low, min(high, _MOST) + 1)))
        wider = _WIDER.get(kind)
        if wider and low:
            yield fact(told, f"number of {wider}", *map(str, range(low, _MOST + 1)))
        if kind in _WIDER.values():
            for own, under in _WIDER.items():
                if under == kind:
                    yield fact(told, f"number of {own}", *map(str, range(min(high, _MOST) + 1)))


def named_kind(text: str, before: str) -> str:
    """The kind of relatives that a sentence names last, or that those before it do."""
    found = [one["kind"] for one in _NAMED.finditer(plain(text).lower())]
    return _KINDS[found[-1]] if found else before


def _numbers(text: str, whole: str, before: str) -> Iterator[tuple[str, int, int]]:
    exact = list(_exact(text, whole))
    yield from exact
    for pattern in _THE_ONLY:
        for found in pattern.finditer(whole):
            kind = _KINDS[found["kind"]]
            if not re.search(r"(?:an|the|my parents') only child", found.group()):
                yield kind, 1, 1
    numbers = {number for _, number, high in exact if number == high}
    for pattern in _ONLY_THESE:
        for found in pattern.finditer(text):
            if _KINDS[found["kind"]] in _WIDER.values() and len(numbers) == 1:
                yield _KINDS[found["kind"]], min(numbers), min(numbers)
            if (kind := _KINDS[found["kind"]]) in _OTHER:
                yield _OTHER[kind], 0, 0
    for found in _ANAPHOR.finditer(text):
        kind = named_kind(text[: found.start()], before)
        number = found["number"] or found["the"] or "1"
        if kind:
            yield kind, int(number), int(number)
    for found in _JUST_US.finditer(whole):
        who = found["a"] or found["b"] or found["c"]
        yield "siblings", 1, 1
        if who:
            yield f"{who}s", 1, 1
    for found in _WE_TWO.finditer(whole):
        yield "siblings", 1, 1
        yield f"{found['who']}s", 1, 1
    if _ONLY_CHILD.search(text):
        yield "siblings", 0, 0
    for found in _NONE.finditer(text):
        yield f"{found['kind']}s", 0, 0
    for found in _NO_CHILDREN.finditer(text):
        kind = _KINDS.get(found.groupdict().get("kind") or found.group().split()[-1], "children")
        yield kind, 0, 0
    for found in _PLACE.finditer(text):
        if (
            _ME.search(text[: found.start()])
            and " of" in found.group()
            and not re.search(r"\bof (?:my|our)\b", found.group())
        ):
            yield "siblings", int(found["number"]) - 1, int(found["number"]) - 1
    for found in _WERE.finditer(text):
        number = int(found["number"] or found["kids"]) - 1
        yield "siblings", number, number
    for found in _AMONG.finditer(text):
        if _ME.search(text[: found.start()]):
            own = "sisters" if found["sex"] in ("girl", "daughter", "sister") else "brothers"
            yield own, 0, 0
            if found["number"] and found["others"] in ("brothers", "sisters"):
                yield found["others"], int(found["number"]), int(found["number"])
    for found in _TWO_AT_LEAST.finditer(whole):
        yield _ONE[found["kind"]], 1, _MOST
        yield "children", 2, _MOST
    for found in _HAS.finditer(whole):
        if "only" in found.group().split() or re.search(
            r"\b(?:only|1|first|second)\b", found["many"]
        ):
            continue
        yield _ONE[found["kind"]], 1, _MOST
    for found in _HAS_MANY.finditer(whole):
        kind = _KINDS[found["kind"]]
        yield kind, 2, _MOST


def _exact(text: str, whole: str) -> Iterator[tuple[str, int, int]]:
    for patterns, words in ((_EXACT, whole), (_ALL_OWN, text)):
        for pattern in patterns:
            for found in pattern.finditer(words):
                number = int(found.groupdict().get("number") or 2)
                kind = _KINDS[found["kind"]]
                yield kind, number, number
                if kind in _WIDER and " of " in found.group() and patterns is _ALL_OWN:
                    yield _OTHER[kind], 0, 0
