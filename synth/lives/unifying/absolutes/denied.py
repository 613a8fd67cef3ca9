"""What a sentence denies for good: never, not once, no, the first, from zero."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memassay.synth.lives.unifying.absolutes.lists import called, known, listed_verb
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem, stems

EVER: Final = "ever"
"""Not done before it is told."""
NOW: Final = "now"
"""Not done or owned at the time."""
UNABLE: Final = "unable"
"""Not able to, at any time."""
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


_I: Final = r"\b(?:I|[Ww]e|[Nn]obody (?:at home|in (?:my|our) (?:family|house)))"
_SOFT: Final = (
    r"(?: (?:also|just|still|really|honestly|actually|simply|even|personally|myself|both|ever|"
    r"once|yet|so|properly|so much as|far|in (?:all )?my life|in all (?:the|these|those|my) years|"
    r"\w+ly))*"
)
_REST: Final = r"(?P<rest>[^.;:!?–—]*)"
_VERB: Final = r"(?P<verb>[a-z]+)"
_NEVER: Final = re.compile(
    rf"{_I}(?: have| had| has| did| do| was| were| am| could| can)?{_SOFT}"
    rf"(?: never| not once| not even once| not ever){_SOFT} {_VERB}\b{_REST}"
)
_NOT: Final = re.compile(
    rf"{_I}{_SOFT} (?P<aid>have|had|did|do|could|can|am|was|were) not{_SOFT} {_VERB}\b{_REST}"
)
_SINCE: Final = re.compile(
    r"\b(?:since (?:I|my|we|(?:19|20)\d\d|childhood|school)|for (?:\d+ )?years|in (?:\d+ )?years)\b"
)
_ABLE: Final = re.compile(
    rf"{_I}{_SOFT} (?:(?:do|can|could) not{_SOFT}|(?:am|have been){_SOFT} unable to|never{_SOFT} "
    rf"(?:learned|learnt|"
    rf"managed|got round|got around|been taught|been able)(?: how)? to|(?:do not know|have no idea|"
    rf"have no clue) "
    rf"how to|(?:am|have been){_SOFT} not able to) (?P<verb>understand|speak|read|write|swim|drive|"
    rf"ride|ski|skate|"
    rf"dance|sing|cook|bake|sew|knit|play|program|code|draw|paint|smell|taste|sail|surf|type|touch|"
    rf"eat|drink|wear|"
    rf"smoke|own|use|watch|climb|fly)\b{_REST}"
)
_WANTED: Final = re.compile(
    rf"{_I} have always (?:wanted|longed|hoped|wished) to {_VERB}\b{_REST}|"
    rf"{_I} have (?:wanted|longed) to "
    rf"{_VERB.replace('verb', 'verb2')}\b{_REST.replace('rest', 'rest2')} (?:for (?:years|ages)|"
    rf"all my life)"
)
_ABSOLUTE: Final = re.compile(
    r"\b(?:single|any|anything|ever|once|yet|so far|at all|in my life|since|until|till|for (?:\d+|"
    r"many|several) (?:years|decades)|in (?:\d+ )?(?:years|decades|ages)|even|a word|1 (?!of)\w+|"
    r"still|before|either|anymore)\b"
)
_NO: Final = re.compile(
    rf"{_I}{_SOFT} (?:have|had|own|keep)(?: got)?{_SOFT} (?:no|zero|0|not a single|not 1)\b{_REST}|"
    rf"{_I}{_SOFT} (?:do|did|have) not{_SOFT} (?:have|own|keep|got)(?= (?:an?|any|"
    rf"1)\b)(?P<rest2>[^.;:!?–—]*)|"
    r"\b[Tt]here (?:(?:is|are|was|has been) (?:no|not|never)|has never been)(?: an?| any)?"
    r"(?P<rest3> [^.;:!?–—]*?)(?= (?:at home|in (?:my|our|this) (?:\w+ )?(?:home|house|flat|"
    r"kitchen|apartment|place|family)|here))|"
    rf"\b(?:[Mm]y|[Oo]ur) (?:home|house|flat|kitchen|apartment|place|cottage|studio) (?:has|had)"
    rf"{_SOFT} (?:no|never had)(?P<rest4>[^.;:!?–—]*)|"
    rf"{_I} (?:have |had )?(?:always |been |got |gotten )*(?:lived|living|managed|manage|live|by|"
    rf"done|do|"
    rf"cope|get by|been)(?: \w+)? without(?P<rest5>[^.;:!?–—]*)"
)
_TIME: Final = re.compile(
    rf"\b(?:first|1st) time{_SOFT}(?: that)?(?: I| we)(?: have| had| am| was)?{_SOFT} "
    rf"(?P<verb>(?!buying|seeing|using)[a-z]+)\b{_REST}|"
    rf"\b(?:my|our) (?:very )?first time{_SOFT} (?P<verb2>[a-z]+ing|in|at|"
    rf"on)\b(?P<rest2>[^.;:!?–—]*)"
)
_FOR_FIRST: Final = re.compile(
    rf"{_I}(?: have| had)?(?: just| finally| only)? {_VERB}{_REST}(?<=\w) for the (?:very )?first "
    r"time\b"
)
_FIRST_OF: Final = re.compile(
    r"\b(?:the|my|our) (?:very )?first(?: ever)? (?P<rest>(?!time|day|thing|step|place)(?:[\w-]+ "
    r"){0,3}?"
    rf"[\w-]+) (?:that )?(?:I|we)(?= (?:have|had|ever)\b)(?: have| had)?{_SOFT} {_VERB}\b|"
    r"\b(?:the|my) (?:very )?first(?: real| ever)? (?P<rest2>(?!time|day|thing|step|"
    r"place)(?:[\w-]+ "
    r"){0,2}?[\w-]+) (?:of my life|ever\b|in my life)|"
    r"\b(?:the|my) very first (?P<rest3>(?!time|day|thing|step|place)[\w-]+)"
)
_YET: Final = re.compile(rf"{_I}{_SOFT} (?:have|am)?{_SOFT} yet to {_VERB}\b{_REST}")
_ONLY_FROM: Final = re.compile(
    r"\b(?:I|[Ww]e)(?: have)?(?: only)?(?: ever)? (?:know|seen?|saw|knew)\b(?P<rest>[^.;:!?]*?) "
    r"only "
    r"(?:from|in|on|through|via)\b|"
    r"\b(?:I|[Ww]e)(?: have)? only(?: ever)? (?:know|seen?|saw|knew)\b(?P<rest2>[^.;:!?]*?) "
    r"(?:from|in|on|through|via) (?:pictures|photos|books|films|movies|tv|television|hearsay|"
    r"the (?:internet|news|screen|outside)|outside|postcards|his|her|videos|stories)\b"
)
_UNHEARD: Final = re.compile(
    rf"{_I}(?: have| had)?{_SOFT} (?:never{_SOFT} (?:heard|read)(?: anything| a word)? (?:of|"
    rf"about)|"
    r"(?:have |had )?no (?:idea|clue) (?:what|who|how)|(?:could|can|would) not(?: even)? (?:tell|"
    r"explain)"
    r"(?: to)?(?: you| anyone| anybody)? (?:what|who|how)|do not (?:even )?know (?:what|who|the "
    r"first "
    r"thing about|anything about|a thing about)|know (?:absolutely |next to )?nothing (?:at all "
    r")?about|"
    r"(?:have )?never (?:looked into|read up on|dealt with|concerned myself with|studied))"
    rf"{_REST}|"
    rf"{_I}(?: have)?(?: only| just)* (?:heard|learned|learnt|read)(?: of| about)?(?: the (?:word|"
    rf"term|"
    r"name))?(?P<rest2>[^.;:!?–—]*?) for the (?:very )?first time\b"
)
_BEGUN: Final = re.compile(
    rf"{_I} (?:am|was|are)(?: still)?(?: an?)?{_SOFT}(?: complete| total| absolute| bloody| real| "
    rf"utter| "
    rf"mere)? (?:new to|beginner (?:at|in|with)|novice (?:at|in|with)|newcomer to|newbie (?:at|in)|"
    rf"stranger to){_REST}|"
    rf"{_I}(?: have| am)?(?: only| just| recently| barely| literally)+ (?:started|begun|began|"
    rf"starting|"
    r"beginning|taken up|took up|taking up|picked up|signed up for|learning|discovered)(?: to "
    r"(?:learn|"
    r"study))?(?: learning| doing| with| how to)?(?P<rest2>[^.;:!?–—]*)|"
    rf"{_I} (?:started|began|took up|picked up)(?: learning| to learn)?(?P<rest3>[^.;:!?–—]*?) "
    rf"(?=last (?:week|"
    r"month)|this (?:week|month|spring|summer|autumn|fall|winter|year)|(?:a few|\d) (?:weeks|days|"
    r"months) ago|yesterday|recently)"
)
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
    r"\b(?:this (?:year|month|week|season|summer|winter|spring|autumn|fall|term|semester)|since|"
    r"in (?:years|ages|weeks|months|a (?:long )?(?:while|time)|decades)|for (?:years|weeks|"
    r"months))\b"
)
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
    text = own_part(told)
    whole = f"{before} {plain(told.text)}"
    for found in (*_NEVER.finditer(text), *_YET.finditer(text)):
        yield from _parts(found["verb"], found["rest"], EVER, told, _upto(whole, found))
    for found in _NOT.finditer(text):
        aid, rest = found["aid"], found["rest"]
        if aid in ("have", "had", "did", "was", "were") and not _ABSOLUTE.search(found.group()):
            continue
        if aid in ("do", "could", "can", "am"):
            continue
        when = NOW if aid == "have" and _SINCE.search(rest) else EVER
        yield from _parts(found["verb"], rest, when, told, _upto(whole, found))
    for found in _ABLE.finditer(text):
        yield from _parts(found["verb"], found["rest"], UNABLE, told, _upto(whole, found))
    for found in _WANTED.finditer(text):
        verb, rest = found["verb"] or found["verb2"], found["rest"] or found["rest2"] or ""
        yield from _parts(verb, rest, EVER, told, _upto(whole, found))
    for found in _NO.finditer(text):
        yield from _absolute("own", next(one for one in found.groups() if one), NOW, told, "")
    for found in _TIME.finditer(text):
        verb = found["verb"] or found["verb2"]
        rest = found["rest"] or found["rest2"] or ""
        yield from _parts("been" if len(verb) == 2 else verb, rest, EVER, told, "")
    for found in _FOR_FIRST.finditer(text):
        yield from _parts(found["verb"], found["rest"], EVER, told, "")
    for found in _FIRST_OF.finditer(text):
        rest = found["rest"] or found["rest2"] or found["rest3"]
        yield from _absolute(found["verb"] or "own", f" {rest}", EVER, told, "")
    for found in _ONLY_FROM.finditer(text):
        yield from _absolute("visit", found["rest"] or found["rest2"], EVER, told, text)
    for found in _UNHEARD.finditer(text):
        rest = found["rest"] or found["rest2"] or ""
        yield from _absolute(
            "know", rest.removesuffix(" is").removesuffix(" means"), UNKNOWN, told, ""
        )
    for found in _BEGUN.finditer(text):
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
    if _THERE.match(text):
        text = _meant_by(text, before)
    things = _things(text)
    about = _AS_FOR.search(told.text)
    if things and not _ABSTRACT.isdisjoint(things[-1]):
        return
    if things and about:
        things = (*_things(about[1])[-1:], *things)
    if things:
        early = bool(_EARLY.search(told.text))
        late = bool(_LATE.search(told.text)) and not _LIFELONG.search(told.text)
        yield Absolute(stem(verb), things, when, early, late, told)


def _meant_by(word: str, before: str) -> str:
    """The thing or place that `it`, `one` or `there` stands for."""
    named: list[str] = _NAMED.findall(before)
    named += [one for one in _SUBJECT.findall(before) if known(stem(one))]
    if named:
        return named[-1]
    nouns = [] if word == "there" else _NOUN.findall(before)
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
