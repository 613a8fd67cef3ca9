"""What changes in a life: events after which another home, job or pet is no contradiction."""

import re
from collections.abc import Iterable
from typing import Final

from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.wording import word_groups

_PET: Final = (
    r"(?:dogs?|cats?|puppy|puppies|kittens?|pets?|pups?|hamsters?|rabbits?|parrots?|birds?)"
)
_COMING: Final = (
    rf"\b(?:adopt\w*|rescued|foster\w*) (?:\w+ ){{0,3}}(?:{_PET}|her|him|another|one)\b|"
    rf"\b(?:second|another|newest|new) (?:\w+ )?{_PET}\b|"
    r"\b(?:got|getting|bought|brought home) (?:a|an|the|my|our|her|him)(?: \w+){0,2} "
    rf"{_PET}\b"
)
_EVENTS: Final = {
    "home": (
        r"\b(?:I|[Ww]e|I've|[Ww]e've|I'm|[Ww]e're|and I|been|about to|going to)\b[^.;,]{0,25}"
        r"\bmov(?:ed|ing|e) (?:to|in|into|out|here|from|away|back|last|house|over|across)\b|"
        r"\b(?:[Mm]y|[Oo]ur) new (?:\w+ )?(?:home|house|apartment|flat|place|city|town)\b|"
        r"\b(?:got|found|bought|rented|buying|signed for) (?:a|our|my) new (?:\w+ )?"
        r"(?:home|house|apartment|flat|place)\b(?![^.]* online)|"
        r"\brelocat\w+|\b(?:our|my) (?:big )?move to\b|"
        r"\bmoving (?:day|boxes|truck|van)\b"
    ),
    "job": (
        r"\b(?:my|a|the) (?:new|first|dream) (?:job|role|position|career|gig|boss)\b|"
        r"\bcareer change\b|\b(?:quit|left|leaving|lost|quitting) (?:my|the|that) (?:\w+ )?job\b|"
        r"\bI (?:just )?(?:got )?(?:hired|the job)\b|\bhired as\b|\bI (?:was|got|am) promoted\b|"
        r"\bI(?:'ve|'m| have| am)?(?: just| recently)? (?:start|started|starting)(?: \w+)? "
        r"(?:working )?as an?\b|\bI(?:'ve| have)? (?:just )?(?:became|become) an?\b|\blaid off\b|"
        r"\bI(?:'m| am)? (?:training|studying) to (?:be|become) an?\b|\bI(?: just)? graduated\b|"
        r"(?<!he )\b(?:switched|changed|switching|changing) (?:jobs|careers)\b|"
        r"\bI(?:'m| am)? retir(?:ed|ing)(?: last| this| next| soon)"
    ),
    "having pets": _COMING,
    "gained": (
        r"\b(?:rehomed|gave (?:him|her|it) (?:up|away)|passed away|[Ss]?he died|ran away|"
        r"sold (?:my|our|the)|broke down for good|scrapped)\b"
    ),
    "degree": r"\b(?:went back to|finished (?:my|a)|finally got my) (?:degree|studies|college)\b",
    "studies": (
        r"\b(?:switch\w*|chang\w+|transferr\w+|declar\w+|undecided)\b[^.;]{0,30}"
        r"\b(?:majors?|degrees?|courses?)\b|\bdouble major\b|\bsecond degree\b"
    ),
    "pets": (
        rf"{_COMING}|\b(?:both|two|three) (?:(?:of )?(?:my|our) )?(?:\w+ )?{_PET}\b|"
        r"\b(?:[Mm]y|[Oo]ur) (?:\w+ )?(?:dogs|cats|pups|puppies|kittens|pets|horses|parrots)\b"
    ),
    "marriage": (
        r"\b(?:got|getting|just|newly) (?:married|engaged|divorced)\b|\b(?:on|for|planning|"
        r"during) (?:our|my) honeymoon\b(?! in (?:19|20))|"
        r"\bproposed to (?:me|her|him)\b|\b(?:my|our|the) (?:divorce|separation|engagement)\b|"
        r"\bbroke up\b|\bremarried\b|\b(?:was|got) widowed\b|"
        r"\bnewlyweds?\b|\bsplit up\b|\bmy ex\b"
    ),
    "children": (
        r"\b(?:pregnan\w+|gave birth|giving birth|newborn|new baby|expecting a (?:baby|"
        r"child|boy|girl)|"
        r"(?<!I )was born|were born|due date|baby shower|adopt(?:ed|ing) a (?:child|baby|boy|girl)|"
        r"stepson|stepdaughter|stepkids)\b"
    ),
    "diet": (
        r"\b(?:went|going|turned|became|become|becoming|try being|trying|switched to) "
        r"(?:a )?(?:\w+ )?(?:vegan|vegetarian|pescatarian|sober)\b|"
        r"\bgave up (?:meat|dairy|alcohol|coffee)\b|\b(?:started|began|back to) (?:eating|"
        r"drinking) "
        r"(?:meat|fish|dairy|eggs|alcohol|coffee|it|them)\b|\bno longer (?:vegan|"
        r"vegetarian|eat|drink)\b|"
        r"\b(?:stopped|quit) (?:being|eating|drinking)\b"
    ),
    "things": (
        r"\b(?:bought|buying|purchased|got|getting|ordered|inherited|sold|picked up|"
        r"installed|built|planted) "
        r"(?:a|an|my|our|the|myself a) (?:\w+ ){0,2}"
        rf"(?:{'|'.join(word_groups('lists')['things'])})\b|\b(?:my|our) (?:brand-?)?new \w+"
    ),
    "household": (
        r"\bmoved (?:in with|out|back in)\b|\bmoving (?:in with|out)\b|\bnew (?:room|flat|"
        r"house)mate\b|"
        r"\bgot married\b|\bdivorce\b"
    ),
    "learning": (
        r"\b(?:learning to|learned to|learnt to|took lessons|lessons?|practi[cs]ing|"
        r"licen[cs]e test)\b"
    ),
    "habits": r"\b(?:quit|gave up|stopped|started) smoking\b",
}
_OWN: Final = re.compile(r"\b(?:I|[Ww]e|[Mm]y|[Oo]ur)\b")
_PATTERNS: Final = {family: re.compile(pattern) for family, pattern in _EVENTS.items()}
_LONG_AGO: Final = re.compile(
    r"\b(?:in|since|back in|in \w+) (?:19|20)\d\d\b|\bever since\b|\b(?:\w+ )?(?:years|decades) "
    r"ago\b|\bwhen I was\b|"
    r"\bas a (?:kid|child|student|teen\w*)\b|\bnever\b"
)
FOR_GOOD: Final = re.compile(
    r"\b(?:years? ago|both my parents|orphan|last year|months ago|last (?:spring|summer|"
    r"winter|fall|autumn|christmas|Christmas)|when I was|in (?:19|20)\d\d|late|since|long "
    r"ago|long gone|"
    r"ashes|grave|still miss\w*|back in|as a (?:child|kid)|decades?|"
    r"before I (?:could|was)|for (?:\w+ )?years|years now)\b"
)
"""What puts a death before everything that a life tells."""

IN_CHILDHOOD: Final = re.compile(
    r"\b(?:when I was|before I (?:could|was)|as a (?:child|kid)|for (?:\w+ )?years|years now|"
    r"decades?)\b"
)
"""What puts a death so early that nothing that is told of the dead as doing can be earlier."""


def changed(told: Iterable[Told]) -> frozenset[str]:
    """Families of topics in which some sentence tells of a change of the time that is told."""
    return frozenset(
        family
        for one in told
        if _OWN.search(one.text) and not _LONG_AGO.search(one.text)
        for family, pattern in _PATTERNS.items()
        if pattern.search(one.text)
    )
