"""Claims about a family: whom one is married to, children, brothers and sisters, parents."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Said, Told, said
from memassay.synth.lives.unifying.reading.wording import (
    ADJECTIVES,
    AFTERWARDS,
    MY,
    NAME,
    NUMBER,
    PAST,
    SEVERAL,
    count,
)

_PARTNER: Final = r"(?P<who>husband|wife|boyfriend|girlfriend|fiancée?|fiancee?)"
_MY_PARTNER: Final = re.compile(rf"{MY}{ADJECTIVES} {_PARTNER}\b(?!'s ex)")
_PARTNER_NAMES: Final = (
    re.compile(rf"{MY}{ADJECTIVES} {_PARTNER},? (?:named |called )?(?P<name>{NAME})\b"),
    re.compile(rf"{MY}{ADJECTIVES} {_PARTNER}(?:'s name is| is called| is named) (?P<name>{NAME})"),
    re.compile(rf"\b(?P<name>{NAME}),? (?:is )?(?:my|our) {_PARTNER}\b"),
)
_ALONE: Final = re.compile(
    r"\bI(?:'m| am)(?: still| currently| happily)? (?:single(?!-| handed)|unmarried|not married)\b|"
    r"\b(?:[Aa]s|I'm|I am|[Bb]eing) a single (?:man|woman|guy|person|mom|mum|dad|mother|"
    r"father|parent)\b|"
    r"\bI(?:'ve| have)? never (?:been |got |gotten )?married\b|\bI(?:'m| am) a bachelor\b|"
    r"\bI(?:'ve| have) always been single\b|\bI never (?:had|have had) a (?:husband|wife)\b|"
    r"\bI (?:don't|do not) have a (?:husband|wife|spouse)\b|"
    r"\b(?:[Aa]s|I'm|I am|[Bb]eing) an? (?:\w+ )?(?:widow|widower|bachelor|divorcee)\b(?! of)|"
    r"\b(?:[Mm]y )?[Ll]ife as a bachelor\b|\bI(?:'ve| have)? been (?:divorced|widowed) for\b|"
    r"\bI(?:'m| am) (?:divorced|widowed)\b"
)
_MARRIED: Final = re.compile(
    r"\bI(?:'m| am)(?: happily)? married\b|\b(?:I|we)(?:'ve| have) been (?:happily )?married\b|"
    r"\b(?:I|[Ww]e) got married in (?:19|20)\d\d|\bmy marriage\b"
)
_WEDDING: Final = re.compile(
    r"\b(?:(?:I|[Ww]e|and I) (?:got )?married|[Oo]ur wedding(?: was)?|[Mm]y wedding(?: was)?|"
    r"(?:I'm|I am|we are|we're|been) married since|tied the knot)"
    r"(?: back)?(?: \w+ \w+)? ?(?:in |on )?(?:\w+ )?(?P<year>(?:19|20)\d\d)\b"
)
_CHILD: Final = r"(?P<who>child|kid|son|daughter|boy|girl)"
_NAMED: Final = rf",? (?:is named |is |'s name is |is called |named |called )?(?P<name>{NAME})\b"
_ONLY: Final = re.compile(rf"{MY} only {_CHILD}\b(?:{_NAMED})?")
_RANKED: Final = re.compile(
    rf"{MY} (?P<rank>eldest|oldest|youngest|firstborn|first-born)(?: {_CHILD})?{_NAMED}"
)
_RANK: Final = {"oldest": "eldest", "firstborn": "eldest", "first-born": "eldest"}
_MY_CHILD: Final = re.compile(
    rf"(?<!is )(?<!are )(?<!like ){MY}{ADJECTIVES} (?:child|kid|son|daughter)\b(?! (?:of|"
    rf"at heart|in law|brother|sister))(?!-)(?:{_NAMED})?"
)
_MY_CHILD_NAMED: Final = re.compile(rf"{MY}{ADJECTIVES} {_CHILD}\b(?!-){_NAMED}")
_ONE_OF: Final = re.compile(
    rf"{MY} (?:younger|older|other|middle|eldest|oldest|youngest) (?:son|daughter|child|"
    rf"kid|boy|girl)\b"
)
_PARENT: Final = re.compile(
    r"\b(?:I'm|I am|[Aa]s|[Bb]eing) an? (?!(?:dog|cat|plant|fur|pet|bird|soon)\b)(?:[\w-]+ )?"
    r"(?:dad|mom|mum|father|mother|parent)\b(?!-)"
)
_IS_ONLY: Final = re.compile(
    rf"\b(?P<name>{NAME})\b(?:,? is|[^.;,]{{0,30}},) (?:my|our) (?:only (?:child|one|kid)|one "
    rf"and only)\b"
)
_MY_CHILDREN: Final = re.compile(rf"{MY}{ADJECTIVES} (?:children|kids|sons|daughters)\b")
_CHILDREN: Final = re.compile(
    rf"\b(?:I|[Ww]e)(?: only| just)?(?:'ve| have)(?: got)?(?: just| only)? "
    rf"(?P<a>{NUMBER})(?: \w+)? "
    rf"(?:kids|children|child|kid)\b|"
    rf"\b(?:mother|father|mom|dad|mum|mama|parent)(?:-|\s)of(?:-|\s)(?P<b>{NUMBER})\b|"
    rf"{MY} (?P<c>{NUMBER})(?: \w+)? (?:kids|children)\b|"
    rf"\b(?:[Ww]ith|[Hh]aving|raising|raise|parenting) (?P<e>{NUMBER})(?: \w+)? (?:kids|children)\b"
    rf"(?= (?:of (?:my|our) own|at home|in the house|to feed)|, (?:I|we|my|our|laundry|there)\b)|"
    rf"\bmarried with (?P<f>{NUMBER}) (?:kids|children)\b|"
    rf"\ball (?P<d>{NUMBER})(?: of)? (?:my|our) (?:kids|children)\b"
)
_RAISED: Final = re.compile(
    rf"\b(?:I|[Ww]e) (?:raise|look after|bring up) (?P<a>{NUMBER})(?: \w+)? (?:kids|children)\b"
)
_SONS: Final = re.compile(
    rf"(?:\b(?:I|[Ww]e)(?:'ve| have)(?: got)?|{MY}) (?P<a>{NUMBER})(?: \w+)? "
    r"(?P<who>sons?|daughters?|boys|girls)\b"
)
_NO_CHILDREN: Final = re.compile(
    r"\b(?:I|[Ww]e)(?:'ve)? (?:don't have|do not have|never had|have never had|have|had|got)"
    r"(?P<no> any| no)? (?:children|kids)(?: of (?:my|our) own)?\b|"
    r"\b(?:I|[Ww]e)(?:'ve| have)? (?:decided|chose|chosen)(?: (?:against|not|never))+ "
    r"(?:to have|having) "
    r"(?:kids|children)|\b(?:I'm|I am|[Ww]e're|[Ww]e are) (?P<less>child-?(?:less|free))\b|"
    r"\b(?:[Kk]ids|[Cc]hildren|[Pp]arenthood) never (?:came|happened)\b(?=[^.;]*\b(?:us|me)\b)"
)
_ONLY_CHILD: Final = re.compile(
    r"\b(?:I'm|I am|I was|[Aa]s|[Bb]eing|[Gg]rew up(?: as)?|[Ll]ike every) (?:an |the "
    r")only (?:child|kid)\b|"
    r"\bI (?:have|had|'ve got|don't have|do not have|never had|grew up without|grew up with no)"
    r"(?: any| no)? (?:siblings|brothers (?:or|and) sisters|brothers or any sisters|"
    r"(?:brothers?|sisters?),? (?:or|nor|and) (?:any )?(?:brothers?|sisters?))\b|"
    r"\b[Ww]ith(?:out| no)(?: any)? (?:siblings|(?:brothers|sisters) (?:or|and) "
    r"(?:brothers|sisters))\b(?=[^.;]*\b(?:I|my)\b)"
)
_SIBLING: Final = re.compile(
    rf"{MY}(?! (?:half|step|host))(?P<adjective>{ADJECTIVES}) "
    r"(?P<who>brother|sister|twin|sibling)(?P<many>s)?\b"
    r"(?!-in| in law| from another| in arms|hood| company| city| school| site)"
)
_SIBLINGS: Final = re.compile(
    rf"(?:\bI(?:'ve| have)(?: got)?|{MY}) (?P<number>{NUMBER}|no)(?: (?:older|younger|big|"
    rf"little))? "
    r"(?P<who>brother|sister|sibling)s?\b(?!-in)"
)
_NO_SIBLING: Final = re.compile(
    r"\b(?:and|but|or) no (?P<who>brother|sister)s\b|\bI (?:don't|do not) have (?:a|any) "
    r"(?P<other>brother|sister)s?\b"
)
_MY_ONLY_SIBLING: Final = re.compile(rf"{MY} only (?P<who>brother|sister|sibling)(?:{_NAMED})?")
_OTHER_SIBLING: Final = re.compile(rf"{MY} (?:other|second) (?P<who>brother|sister)\b(?!-)")


def family_claims(told: Told) -> Iterator[Said]:
    """What a sentence says of its speaker's family."""
    text = told.text
    yield from _partners(text)
    yield from _children(text)
    yield from _siblings(text)


def _partners(text: str) -> Iterator[Said]:
    past = PAST.search(text)
    for found in _MY_PARTNER.finditer(text) if not past else ():
        who = found["who"].replace("é", "e")
        yield said("marriage", "marriage", "fiance" if who.startswith("fian") else who)
    for pattern in _PARTNER_NAMES:
        for found in pattern.finditer(text):
            yield said(f"name of {found['who']}", "marriage", found["name"].lower())
    if _ALONE.search(text):
        yield said("marriage", "marriage", "single")
    if _MARRIED.search(text):
        yield said("marriage", "marriage", "husband", "wife")
    for found in _WEDDING.finditer(text):
        yield said("year of the wedding", "marriage", found["year"])
        yield said("marriage", "marriage", "husband", "wife")


def _children(text: str) -> Iterator[Said]:
    for found in _ONLY.finditer(text):
        who = {"kid": "child", "boy": "son", "girl": "daughter"}.get(found["who"], found["who"])
        if who == "child":
            yield said("children", "children", "1")
        else:
            yield said(f"{who}s", "children", "1")
        if found["name"]:
            others = ("child", "son", "daughter") if who == "child" else (who,)
            yield from (said(f"only {one}", "children", found["name"].lower()) for one in others)
    for found in _RANKED.finditer(text):
        rank = _RANK.get(found["rank"], found["rank"])
        yield said(f"{rank} {found['who'] or 'child'}", "children", found["name"].lower())
    for found in _MY_CHILD_NAMED.finditer(text):
        if " only " not in found.group():
            who = {"kid": "child", "boy": "son", "girl": "daughter"}.get(found["who"], found["who"])
            for one in {who, "child"}:
                yield said(f"only {one}", "children", found["name"].lower(), weak=True)
    if _MY_CHILD.search(text):
        yield said("children", "children", *AFTERWARDS)
    if _ONE_OF.search(text):
        yield said("children", "children", *SEVERAL)
    if _PARENT.search(text):
        yield said("children", "children", *AFTERWARDS)
    for found in _IS_ONLY.finditer(text):
        yield said("children", "children", "1")
        for one in ("child", "son", "daughter"):
            yield said(f"only {one}", "children", found["name"].lower())
    if _MY_CHILDREN.search(text):
        yield said("children", "children", *SEVERAL)
    for found in _CHILDREN.finditer(text):
        yield said("children", "children", *(count(one) for one in found.groups() if one))
    for found in _SONS.finditer(text):
        who = {"boy": "son", "girl": "daughter"}.get(one := found["who"].removesuffix("s"), one)
        number = count(found["a"])
        yield said(f"{who}s", "children", number)
        yield said("children", "children", *map(str, range(int(number), 10)))
    for found in _RAISED.finditer(text):
        yield said("children", "children", count(found["a"]), weak=True)
    if any(_none(found) for found in _NO_CHILDREN.finditer(text)):
        yield said("children", "children", "0")


def _none(found: re.Match[str]) -> bool:
    words = found.group()
    return bool(re.search(r"n't|not|never|\bno\b|child-?(?:less|free)", words))


def _siblings(text: str) -> Iterator[Said]:
    if any(
        re.search("only (?:child|kid)", one.group())
        or _none(one)
        or "without" in one.group().lower()
        for one in _ONLY_CHILD.finditer(text)
    ):
        for who in ("siblings", "brothers", "sisters"):
            yield said(who, "siblings", "0")
    for found in _SIBLING.finditer(text):
        who = {"twin": "sibling"}.get(found["who"], found["who"])
        for topic in {f"{who}s", "siblings"}:
            yield said(topic, "siblings", *(SEVERAL if found["many"] else AFTERWARDS))
    for found in _SIBLINGS.finditer(text):
        number = "0" if found["number"] == "no" else count(found["number"])
        yield said(f"{found['who']}s", "siblings", number)
        if number != "0":
            least = int(number)
            yield said("siblings", "siblings", *map(str, range(least, 10)))
    for found in _OTHER_SIBLING.finditer(text):
        yield said(f"{found['who']}s", "siblings", *SEVERAL)
    for found in _NO_SIBLING.finditer(text):
        if "have" in found.group() or re.search(r"\bI(?:'ve| have)\b.*(?:sister|brother)", text):
            yield said(f"{found['who'] or found['other']}s", "siblings", "0")
    for found in _MY_ONLY_SIBLING.finditer(text):
        yield said(f"{found['who']}s", "siblings", "1")
        if found["name"]:
            yield said(f"only {found['who']}", "siblings", found["name"].lower())
