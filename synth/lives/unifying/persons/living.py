"""Until when relatives of somebody lived, and when they did something after all."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.synth.lives.unifying.people.roles import KINDS
from memassay.synth.lives.unifying.persons.facts import END, Fact, fact, month_of
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.wording import NAME, PAST

_GROUPS: Final = {
    "parents": ("mother", "father"),
    "folks": ("mother", "father"),
    "grandparents": ("grandmother", "grandfather"),
    "grandmothers": ("grandmother",),
    "grandmas": ("grandmother",),
    "grandfathers": ("grandfather",),
    "grandpas": ("grandfather",),
}
_ROLES: Final = (
    "mother",
    *("father", "husband", "wife", "sister", "brother", "twin", "son", "daughter", "grandmother"),
    *("grandfather", "aunt", "uncle", "mother-in-law", "father-in-law", "boyfriend", "girlfriend"),
    *("dog", "cat", "horse", "rabbit", "parrot", "hamster"),
)
_WORDS: Final = {word: (role,) for word, role in KINDS.items() if role in _ROLES} | _GROUPS
_AMONG: Final = "|".join(sorted(_WORDS, key=len, reverse=True))
_KIN: Final = (
    r"(?P<kin>(?:(?:[Bb]oth|[Aa]ll|[Aa]ll (?:4|four|3|2))(?: of)? )?\b(?:[Mm]y|[Oo]ur)"
    r"(?P<before>(?: (?:both|own|dear|beloved|poor|old|big|little|elder|older|younger|only|twin|"
    r"eldest|youngest|late|lovely|sweet|two|2|4|four|\d+-year-old|paternal|maternal)){0,3}) "
    rf"(?P<role>{_AMONG})\b(?!-|board| in law| figure|land|hood| tongue| nature| company| ship"
    rf"|'s (?:father|mother|side|friend|boss|parents|brother|sister|husband|wife|cousin))"
    rf"(?:,? (?P<name>{NAME}))?)"
)
_LONG_WORDS: Final = (
    r"(?:(?!(?:who|and|but|when|after|since|because|before|if|would|almost|"
    r"nearly)\b)[\w'-]+ ){0,4}?"
)
_DIED: Final = (
    r"(?:died|dies|passed away|passed on|passed(?= (?:in|last|when|before|on|two|\d+|several|many|"
    r"a few)\b|[,.;!]|$)|(?:is|are|was|were|has been|have been) (?:already |both |all |long )*"
    r"(?:dead|gone(?! (?:for|to|on|out|away|all))|buried|deceased|killed)|(?:is|are) no longer "
    r"(?:alive|with us|here|around)|(?:is|are) not (?:alive|with us) any ?more|"
    r"drowned|lost (?:his|her|their|my \w+'s) (?:life|battle|fight)|did not live to|lies? in the "
    r"(?:cemetery|churchyard|graveyard)|(?:was|were) (?:put down|put to sleep|laid to rest)|"
    r"crossed the rainbow)"
)
_DEAD: Final = (
    re.compile(rf"{_KIN}(?:,[^,]{{1,40}},)? {_LONG_WORDS}{_DIED}"),
    re.compile(
        rf"\b(?:lost|losing|lose|buried|burying|mourn(?:ing)?|mourned|griev(?:ing|ed) for|outlived)"
        rf"(?: both| all)? {_KIN}(?!'s|,? (?:at (?:chess|cards)|in the (?:crowd|mall|"
        rf"super\w+)|for a))"
    ),
    re.compile(
        rf"{_KIN}'s? (?:\w+ )?(?:death|funeral|grave|ashes|passing|tomb\w*|headstone|obituary|"
        r"memorial|wake|burial)\b"
    ),
    re.compile(rf"\b(?:death|loss|funeral|grave|memory|passing|tomb) of {_KIN}"),
    re.compile(rf"\b(?:after|since|before|when|until) {_KIN} (?:\w+ )?(?:died|passed|was gone)\b"),
)
_LATE: Final = re.compile(rf"\b(?:[Mm]y|[Oo]ur) (?:dear |beloved )?late (?P<role>{_AMONG})\b")
_LEFT_ALONE: Final = (
    (
        ("husband", "wife"),
        re.compile(
            r"\bI (?:am|have been|was left|became) (?:\w+ ){0,3}?(?:widow(?:ed|er)?)\b|"
            r"\b[Aa]s a (?:young )?widow(?:er)?\b|\b(?:since|after) I was widowed\b"
        ),
    ),
    (
        ("mother", "father"),
        re.compile(
            r"\bI (?:am|was|became|grew up)(?: as)? (?:an )?orphan(?:ed)?\b|\b[Aa]s an orphan\b|"
            r"\bI (?:grew up|was raised) in an orphanage\b"
        ),
    ),
)
_AGO: Final = re.compile(
    r"\b(?P<number>\d+|a few|several|many|some) (?P<unit>years?|months?|weeks?|decades?) "
    r"(?:ago|now|before)\b|\bfor (?P<for>\d+|many|several) (?P<fors>years|months|decades)\b"
)
_YEAR: Final = re.compile(
    r"\b(?:in|since|of|from|until|back in)(?: \w+){0,2} (?P<year>(?:19|20)\d\d)\b"
)
_EARLY: Final = re.compile(
    r"\bwhen I (?:was|turned|had|started|could)\b|\bbefore I (?:was|could|had|even|"
    r"turned|started)\b"
    r"|\bas (?:a|an) (?:\w+ )?(?:child|kid|baby|girl|boy|teen\w*|toddler|infant)\b|\bat birth\b|"
    r"\b(?:long ago|decades ago|years ago|all my childhood|grew up|raised)\b"
)
_UNKNOWN: Final = re.compile(
    r"\bbefore I (?:was born|could (?:walk|talk|speak|remember)|was (?:1|2|3|4|even|in (?:primary |"
    r"elementary )?school|old enough))\b|\b(?:giving birth to me|when I was (?:born|"
    r"a baby|an infant|a "
    r"toddler|a few (?:months|weeks) old|1|2|3|two|three))\b|\bnever (?:met|knew|got to know)\b"
)
_BY_HAND: Final = re.compile(
    r"\b(?:taught|raised|told|showed|read to|sang to|took|used to (?:take|tell|bring|"
    r"read|give|cook|bake|let|"
    r"sing)|gave|brought|let|sent|visited|hugged|scolded|walked|drove|made) (?:me|"
    r"us)\b|\bI (?:\w+ )?"
    r"(?:stood|sat|lived|stayed|baked|cooked|worked|helped|visited|watched|spent|"
    r"grew up|walked|played|"
    r"learned|learnt|listened)\b[^.;]{0,30} (?:with|beside|from|at|next to|to) (?:my|our)\b|"
    r"\band I (?:used to|would|always)\b"
)
_LAST: Final = re.compile(r"\blast (?:year|winter|spring|summer|autumn|fall|christmas|Christmas)\b")
_GRAVE: Final = re.compile(
    r"\b(?:grave|ashes|late|tomb\w*|headstone|widow\w*|memory of|ago|after)\b"
)
_FEW: Final = {"a few": 3, "several": 3, "many": 6, "some": 3}
_REMEMBERED: Final = re.compile(
    r"\b(?:used to|would|could have|remember\w*|memor\w+|miss|missed|misses|late|photos?|pictures?|"
    r"portrait|grave|ashes|funeral|urn|died|passed|dead|gone|lost|loss|years ago|old "
    r"days|inherited|"
    r"always (?:said|told|made|had|wore|took|called)|taught|dream\w*|recipe|once|"
    r"back then|in those "
    r"days|childhood|as a (?:child|kid|girl|boy)|heirloom|in heaven|if (?:he|she|they))\b",
    re.IGNORECASE,
)
_OFTEN: Final = (
    r"(?:just|still|always|really|also|usually|never|already|both|often|sometimes|now|even|finally|"
    r"only|probably|kindly|currently|actually|all|together)"
)
_PRESENT: Final = re.compile(
    rf"{_KIN}(?:,[^,]{{1,40}},)?(?: {_OFTEN})*(?: (?:is|are|has|have|does|do|will|can|can not|"
    r"live|want|love|think|come|say|keep|call|work|pay|own|run|need|like|enjoy|plan|know|hate|"
    r"(?!was\b)[a-z]{2,}(?<!s)s)\b|'s (?:a|an|the|always|so|been|got|coming|\w+ing)\b)"
    r"(?! (?:dead|gone|buried|no longer|deceased|long gone|not alive|the reason|why|called))"
)
_CAME: Final = (
    r"(?:came|joined|called|rang|phoned|texted|wrote|messaged|sent|emailed|visited|dropped|popped|"
    r"stopped|arrived|brought|packed|laughed|joked|asked|said|told|offered|promised|"
    r"wanted|insisted|"
    r"agreed|reminded|noticed|picked|stayed|sat|helped|lent|ate|tried|finished|complained|turned|"
    r"gave|took|drove|cooked|baked|made|loved|liked|thought|suggested|smiled|cried|met|walked|"
    r"went|got|had|saw|watched|spent|moved|bought|paid|booked|surprised|invited|hugged|showed)"
)
_DID: Final = re.compile(rf"{_KIN}(?:,[^,]{{1,40}},)?(?: and I| {_OFTEN})* {_CAME}\b")
_SOON: Final = (
    r"\b(?:yesterday|today|tonight|tomorrow|this (?:morning|week|afternoon|evening|weekend|month)|"
    r"last (?:night|week|weekend|month|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday)|"
    r"right now|at the moment|just now|on (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    r"next (?:week|weekend|month|year|Sunday|Saturday)|the other day|at breakfast|over (?:dinner|"
    r"lunch|breakfast|coffee|the phone)|an hour ago|all (?:day|afternoon|evening|morning)|"
    r"I have just|(?:two|three|2|3|few) days ago|weeks? ago|came along|came too|came "
    r"with us|joined us)\b"
)
_RECENT: Final = re.compile(_SOON)
_WITH: Final = re.compile(
    rf"\b(?:with|and|met|meeting|visit|visiting|visited|call|called|calling|phoned|see|seeing|saw|"
    rf"asked|told|texted|hugged|helped|helping|rang|for|from|to|at|let|took|taking|"
    rf"invited|picking up"
    rf"|beside|like|thank) {_KIN}"
)
_THEIRS: Final = re.compile(
    rf"{_KIN}'s? (?:\w+ )?(?:birthday|surgery|operation|appointment|wedding|party|visit)\b"
)


def living_facts(told: Told) -> Iterator[Fact]:
    """Whether a sentence tells that a relative is dead, or of what they do."""
    text = plain(told.text)
    dead = list(dict.fromkeys(_dead(text)))
    now = month_of(told)
    for key in dead:
        yield fact(told, f"life of {key}", "no", first=_died(text, now), last=END)
        if _UNKNOWN.search(text):
            yield fact(told, f"time with {key}", "no")
    if dead or "?" in text:
        return
    if _BY_HAND.search(text):
        for found in re.finditer(_KIN, text):
            for key in _keys(found):
                yield fact(told, f"time with {key}", "yes")
    for key in dict.fromkeys(_alive(text)):
        yield fact(told, f"life of {key}", "yes", first=now, last=now)


def _dead(text: str) -> Iterator[str]:
    for pattern in _DEAD:
        for found in pattern.finditer(text):
            yield from _keys(found)
    for found in _LATE.finditer(text):
        yield from _WORDS[found["role"]]
    for roles, alone in _LEFT_ALONE:
        if alone.search(text):
            yield from roles


def _keys(found: re.Match[str]) -> Iterator[str]:
    if found["before"] and re.search(r"paternal|maternal", found["before"]):
        return
    for role in _WORDS[found["role"]]:
        yield role
        if found["name"]:
            yield found["name"]


def _died(text: str, now: int) -> int:
    """The month after the one in which somebody had died at the latest."""
    if found := _YEAR.search(text):
        return min(now + 1, int(found["year"]) * 12 + 12)
    if _EARLY.search(text) and not _AGO.search(text):
        return now - 5 * 12
    if found := _AGO.search(text):
        number = found["number"] or found["for"]
        span = int(number) if number.isdigit() else _FEW.get(number, 3)
        unit = found["unit"] or found["fors"]
        months = 12 if unit.startswith("year") else 120 if unit.startswith("decade") else 1
        return now - max(0, span * months - 1) if not unit.startswith("week") else now + 1
    return now - 2 if _LAST.search(text) or _GRAVE.search(text) else now + 1


def _alive(text: str) -> Iterator[str]:
    recent = _RECENT.search(text)
    if _REMEMBERED.search(text) or (PAST.search(text) and not recent):
        return
    for pattern in (_PRESENT, *((_DID,) if recent else ()), *((_WITH, _THEIRS) if recent else ())):
        for found in pattern.finditer(text):
            yield from _keys(found)
