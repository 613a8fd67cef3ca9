"""What a sentence denies for good: never, not once, no, the first, from zero."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memassay.synth.lives.unifying.absolutes.lists import called, known, listed_verb
from memassay.synth.lives.unifying.absolutes.wording import (
    ABLE,
    ABSOLUTE,
    FIRST_OF,
    FOR_FIRST,
    LATELY,
    NEVER,
    NO,
    NOT,
    ONLY_FROM,
    SINCE,
    TIME,
    UNHEARD,
    WANTED,
    YET,
)
from memassay.synth.lives.unifying.denying.denials import EVER, NOW, UNABLE
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem, stems

BEGUN: Final = "begun"
"""Begun or learnt only lately."""
UNKNOWN: Final = "unknown"
"""Not even known."""


@dataclass(frozen=True)
class Absolute:
    """What a person denies without exception.

    Attributes:
        verb: Stem of what is not done.
        things: For each word of what it is not done to, the stems that stand for it; the last is
            the thing itself.
        when: `EVER`, `NOW`, `UNABLE`, `BEGUN` or `UNKNOWN`.
        early: Holds only up to a time before that of telling, as `until I was twenty`.
        late: Holds only for a time up to that of telling, as `this year` or `since June`.
        told: The sentence.
    """

    verb: str
    things: tuple[frozenset[str], ...]
    when: str
    early: bool
    late: bool
    told: Told


_PLUNGE: Final = re.compile(
    r"^(?:dare|bother|manag|get|got|need|try|tri|have|had|care|be|abl|been|happen|come|begin|start|"
    r"think|attempt|find|found|learn|know)$"
)
"""Stems of verbs before `to` and the deed that is meant."""
_NOT_DEEDS: Final = frozenset(
    stems(
        "know think realize realise feel want mind understand stop imagine expect guess believe "
        "notice tire fail cease forget regret mean find hope consider suspect doubt could would "
        "will can let really quite not so such give trust lose miss look seem happen able sure "
        "tell "
        "say ask intend plan appreciate question worry struggle change remember matter pay thank "
        "talk apart wait help decide thought seem agree care end get got need like enjoy love be "
        "to in on the a an at with for as of by from into onto my our a go would've dream stray "
        "complain disappoint argue finish set lock ever far sleep"
    )
)
_STOP: Final = frozenset(
    re.findall(
        r"\w+",
        "a an the any single one my our his her their its this that these those of kind sort type "
        "real proper whole entire many more most at all ever in life to before even just myself "
        "actual own some anything something else such with properly once enough very lot bit word "
        "lick glass cup piece slice drop sip bite pair set first 1 up out off down away back "
        "there here anywhere somewhere else into onto inside on abroad it them him me us you your "
        "and or new big small "
        "little old good great nice decent first-ever tiny note minute time times way much few "
        "full long short yet far so still also either both only",
    )
)
_ABSTRACT: Final = frozenset(
    stems(
        "problem success successful trouble idea chance time plan issue reason luck experience "
        "comparison clue complaint break room fight energy money way choice doubt interest "
        "patience "
        "need thing one anybody anyone everyone something term score each other "
        "question opportunity expectation excuse regret use point sign limit control care wish "
        "motivation confidence courage feeling thought moment day week year life part place hurry "
        "child kid son daughter brother sister sibling cousin aunt uncle husband wife nephew niece "
        "access option answer answer preference objection worry fun right end start help support"
    )
)
"""What is denied of these says nothing about deeds."""
_BREAK: Final = re.compile(
    r",|\(|\b(?:but|because|so|since|until|till|when|while|though|although|which|who|that|and (?:I|"
    r"we|there|that|"
    r"the|my|it|have|had|am|was)|before|unless|if|after|except|apart|without|like|as|than|where|"
    r"with|"
    r"from|for|by|in (?:my|our|all|the|years|ages|\d+|this|these|those|decades)|on (?:my|our|the|"
    r"any|"
    r"earth|this)|at (?:home|all|school|work|night)|yesterday|last|this (?:week|month|year|"
    r"summer|morning)|anymore|any more|again|today|either|not even)\b"
)
_PREPOSITION: Final = re.compile(
    r"^ (?:(?:to|in|on|inside|into|near|at|aboard|of|about|behind|through|around|across|up|down|"
    r"out|off|foot|over|under|with|any|a|an|the|my|our|her|his|its|their) )*"
)
_THERE: Final = re.compile(r"^ ?(?:there|it|one|that|them|1|so|this|any|him|her)?$")
_NAMED: Final = re.compile(
    r"(?<=\b(?:of|to|in) )(?!I\b)[A-Z][\w'-]+(?: [A-Z][\w'-]+)*(?!['-]| [a-z]+(?:tion|tive|ing)\b)"
)
_SUBJECT: Final = re.compile(
    r"(?:^|(?<=[.!] ))[A-Z][a-z]+(?= (?:must|is|has|would|may|might|could)\b)"
)
_NOUN: Final = re.compile(
    r"\b(?:an?|the|my|our|any|free of|without|of|called|some) ((?!lot|bit|few|while|kind|sort|way|"
    r"same|one|"
    r"first|other|only|most|idea|time|day|year|moment|thing)[a-z]+(?: (?!is|was|are|were|and|or|"
    r"but|in|on|at|"
    r"to|of|for|with|that|which|who|has|had|have|today|here|there|so|as|from|by)[a-z]+)?)\b"
)
_AS_FOR: Final = re.compile(
    r"\b(?:[Aa]s for|[Ww]hen it comes to|[Ss]peaking of) (?:the |our |my )?([\w -]+?),"
)
_EARLY: Final = re.compile(
    r"\b(?:until|till|before) (?!(?-i:[A-Z])|now\b|today\b|this\b|yesterday\b|last\b|breakfast\b|"
    r"that\b|the "
    r"(?:course|class|trip))|\b[Uu]ntil (?:this|last) (?:past )?(?:year|month|week|summer)|\bby "
    r"then\b"
)
_LATE: Final = re.compile(
    r"(?<!before )\b(?:this (?:year|month|week|season|summer|winter|spring|autumn|fall|term|"
    r"semester)|since|"
    r"in (?:years|ages|weeks|months|a (?:long )?(?:while|time)|decades)|for (?:years|weeks|"
    r"months))\b"
)
_CLAUSED: Final = re.compile(
    r"\b(?:it|they|he|she|we|I|you|this|that|these|those|to|do|does|would|is|are|was|were|much|"
    r"many|long)\b"
)
"""What makes the words behind `no idea what` more than the name of a thing."""
_WHOLE: Final = frozenset(
    stems("swim ski skate surf dive fly smoke drive cycle sail knit sew vote")
)
"""Deeds that are whole without a thing."""
_GOES_ON: Final = re.compile(
    r"(\b(?:I|we)\b[^.;!?]*?) and ((?:(?:was|have|had|am|were|could|did) )?(?:never|not)\b)"
)
_UNITS: Final = frozenset(
    stems("stitch step note stroke lap metre mile anything word bite meal dish")
)
"""What counts a deed and is no thing of its own."""
_LIFELONG: Final = re.compile(r"\b(?:in my (?:\w+ )?life|ever|since I was|never|born|childhood)\b")
_COMPARED: Final = re.compile(
    r"\b(?:such|like (?:this|that|it)|more|better|as \w+ as|quite|this (?!year|month|week|project)|"
    r"these|those|enough|again|than|too|them|him|her|you|alone|today|right now|lately|so \w+)\b"
)
"""What makes a thing one of a comparison, or one that was named before."""


def absolutes_of(told: Told, before: str = "") -> Iterator[Absolute]:
    """What a sentence denies without exception of its speaker.

    Args:
        told: The sentence.
        before: What was said before it.
    """
    text = _GOES_ON.sub(r"\1 and I \2", own_part(told))
    whole = f"{before} {plain(told.text)}"
    for found in (*NEVER.finditer(text), *YET.finditer(text)):
        yield from _parts(found["verb"], found["rest"], EVER, told, _upto(whole, found))
    for found in NOT.finditer(text):
        aid, rest = found["aid"], found["rest"]
        if aid in ("have", "had", "did", "was", "were") and not ABSOLUTE.search(found.group()):
            continue
        if aid in ("do", "could", "can", "am"):
            continue
        when = NOW if aid == "have" and SINCE.search(rest) else EVER
        yield from _parts(found["verb"], rest, when, told, _upto(whole, found))
    for found in ABLE.finditer(text):
        yield from _parts(found["verb"], found["rest"], UNABLE, told, _upto(whole, found))
    for found in WANTED.finditer(text):
        verb, rest = found["verb"] or found["verb2"], found["rest"] or found["rest2"] or ""
        yield from _parts(verb, rest, EVER, told, _upto(whole, found))
    for found in NO.finditer(text):
        yield from _absolute("own", next(one for one in found.groups() if one), NOW, told, "")
    for found in TIME.finditer(text):
        verb = found["verb"] or found["verb2"]
        rest = found["rest"] or found["rest2"] or ""
        yield from _parts("been" if len(verb) == 2 else verb, rest, EVER, told, "")
    for found in FOR_FIRST.finditer(text):
        yield from _parts(found["verb"], found["rest"], EVER, told, "")
    for found in FIRST_OF.finditer(text):
        rest = found["rest"] or found["rest2"] or found["rest3"]
        yield from _absolute(found["verb"] or "own", f" {rest}", EVER, told, "")
    for found in ONLY_FROM.finditer(text):
        yield from _absolute("visit", found["rest"] or found["rest2"], EVER, told, text)
    for found in UNHEARD.finditer(text):
        rest = found["rest"] or found["rest2"] or ""
        if _CLAUSED.search(rest.removesuffix(" is").removesuffix(" are")):
            continue
        yield from _absolute(
            "know", rest.removesuffix(" is").removesuffix(" means"), UNKNOWN, told, ""
        )
    for found in LATELY.finditer(text):
        rest = next((one for one in found.groups() if one), "")
        yield from _absolute("learn", rest, BEGUN, told, "")


def _upto(whole: str, found: re.Match[str]) -> str:
    """What comes before the words that deny."""
    return whole.rpartition(found.group()[:24])[0] or whole


def _parts(verb: str, rest: str, when: str, told: Told, before: str) -> Iterator[Absolute]:
    """`been to A nor seen B` denies two deeds."""
    first, *others = re.split(r",? (?:nor|or)\b(?: (?:have I|had I|did I|ever|even))*", rest)
    yield from _absolute(verb, first, when, told, before)
    for one in others:
        words = one.split()
        if len(words) > 1 and (words[0] == "been" or listed_verb(stem(words[0]))):
            yield from _absolute(words[0], f" {' '.join(words[1:])}", when, told, before)
        else:
            yield from _absolute(verb, one, when, told, before)


def _absolute(verb: str, rest: str, when: str, told: Told, before: str) -> Iterator[Absolute]:
    verb, rest = _meant(verb, rest)
    if (
        not verb
        or (when in (EVER, NOW) and stem(verb) in _NOT_DEEDS)
        or _COMPARED.search(_BREAK.split(_PREPOSITION.sub(" ", rest))[0])
    ):
        return
    text = _BREAK.split(_PREPOSITION.sub(" ", f" {rest.strip()} "), maxsplit=1)[0].strip(" '")
    if stem(verb) in ("understand", "speak", "read", "write"):
        text = text.partition(" in ")[0]
    if not text and stem(verb) in _WHOLE:
        text = verb
    if _THERE.match(text):
        text = _meant_by(before)
    things = _things(text)
    about = _AS_FOR.search(told.text)
    if stem(verb) == "employ" and text in ("anyone", "anybody", "a single person"):
        things = (called("employe"),)
    if things and things[-1] & _UNITS:
        things = (frozenset({stem(verb)}),)
    if things and not _ABSTRACT.isdisjoint(things[-1]):
        return
    if things and about:
        things = (*_things(about[1])[-1:], *things)
    if things:
        early = bool(_EARLY.search(told.text))
        late = bool(_LATE.search(told.text)) and not _LIFELONG.search(told.text)
        yield Absolute(stem(verb), things, when, early, late, told)


def _meant_by(before: str) -> str:
    """The thing or place that `it`, `one` or `there` stands for."""
    named: list[str] = _NAMED.findall(before)
    named += [one for one in _SUBJECT.findall(before) if known(stem(one))]
    if named:
        return named[-1]
    nouns = _NOUN.findall(before)
    return next((one for one in reversed(nouns) if known(stem(one.split()[-1]))), "")


def _meant(verb: str, rest: str) -> tuple[str, str]:
    """The deed that `been to`, `managed to see` and `had` are about."""
    if able := re.match(r" able to ([a-z]+)\b(.*)", rest):
        verb, rest = able[1], able[2]
    while _PLUNGE.match(stem(verb)) and (found := re.match(r" to ([a-z]+)\b(.*)", rest)):
        if stem(verb) == "be" and not re.match(r"[a-z]+$", found[1]):
            break
        if verb in ("been", "be", "gotten"):
            return "visit", f" {found[1]}{found[2]}"
        verb, rest = found[1], found[2]
    if verb in ("been", "be", "gone", "was", "were"):
        if gerund := re.match(r" ([a-z]+ing|[a-z]+ed)\b(.*)", rest):
            return gerund[1], gerund[2]
        return "visit", rest
    return ("own" if verb in ("had", "have", "has", "got") else verb), rest


def _things(text: str) -> tuple[frozenset[str], ...]:
    words = [one.strip("'") for one in re.split(r"[ -]| of ", text) if one]
    roots = [
        stem(one) for one in words if one.lower() not in _STOP and re.fullmatch(r"[\w']+", one)
    ]
    roots = [one for one in roots if not one.isdigit() or len(one) == 4]
    if not roots or len(roots) > 5:
        return ()
    pair = " ".join(roots[-2:])
    if len(roots) > 1 and known(pair):
        return (*map(called, roots[:-2]), called(pair))
    return tuple(map(called, roots))
