"""What changes in a life: events after which another home, job or pet is no contradiction."""

import re
from collections.abc import Iterable
from typing import Final

from memassay.synth.lives.unifying.claims import Told

_EVENTS: Final = {
    "home": (
        r"\b(?:I|[Ww]e|I've|[Ww]e've|I'm|[Ww]e're|and I)\b[^.;]{0,40}\bmov(?:ed|ing)(?= "
        r"(?:to|in|into|"
        r"out|here|from|away|back|last|house|next|over|again|across)\b|[.,!?]|$)|\b[Rr]elocat\w+|"
        r"\b(?:[Mm]y|[Oo]ur|a|the) new (?:\w+ )?(?:home|house|apartment|flat|place|city|town|"
        r"neighbou?rhood)\b|\b(?:the|our|my) (?:big )?move\b|\bmoving (?:day|boxes|truck|van)\b"
    ),
    "job": (
        r"\b(?:new|first|dream) (?:job|role|position|career|gig|boss)\b|\bcareer change\b|"
        r"\b(?:quit|left|leaving|lost|quitting) (?:my|the|that) (?:\w+ )?job\b|\bgot "
        r"(?:hired|the job)\b|"
        r"\b(?:start|started|starting)(?: \w+)? (?:working )?as an?\b|\bhired as\b|"
        r"\bpromot(?:ed|ion)\b|"
        r"\b(?:became|become|becoming|training to be) an?\b|\blaid off\b|\bgraduated?\b|"
        r"\bre-?trained\b|"
        r"\bswitched (?:jobs|careers)\b|\bI(?:'m| am)? retir(?:ed|ing)(?: last| this| in "
        r"(?:spring|June))"
    ),
    "pets": (
        r"\b(?:adopt\w*|rescued|foster\w*|second|another|newest|both|two|three|new) (?:\w+ ){0,3}"
        r"(?:dogs?|cats?|puppy|puppies|kittens?|pets?|pups?)\b|\b(?:adopt(?:ed|ing|ion)|"
        r"foster(?:ed|ing)?)\b"
        r"|\b(?:[Mm]y|[Oo]ur|the) (?:\w+ )?(?:dogs|cats|pups|puppies|kittens|pets|horses|"
        r"parrots)\b|"
        r"\b(?:got|getting|bought|brought home) (?:a|an|the|my|our|her|him)(?: \w+){0,2} "
        r"(?:dog|cat|puppy|kitten|pet|pup|hamster|rabbit|parrot|bird|fish|turtle)\b"
    ),
    "marriage": (
        r"\b(?:got|getting|just|newly) (?:married|engaged|divorced)\b|\bpropos(?:ed|al)\b|"
        r"\b(?:divorce|separat(?:ed|ion)|broke up|break-?up|remarried|widow\w*|honeymoon|"
        r"newlyweds?)\b|"
        r"\b(?:my|our) (?:\w+ )?(?:wedding|engagement)\b|\b(?:I|we) split up\b|\bmy ex\b|"
        r"\bmy ex-\w+"
    ),
    "children": (
        r"\b(?:pregnan\w+|gave birth|giving birth|newborn|new baby|expecting a|was born|were born|"
        r"due date|baby shower|adopt(?:ed|ing) a (?:child|baby|boy|girl)|stepson|"
        r"stepdaughter|stepkids)\b"
    ),
    "diet": (
        r"\b(?:went|going|turned|became|become|becoming|try being|trying|switched to|"
        r"thinking of going) "
        r"(?:a )?(?:\w+ )?(?:vegan|vegetarian|pescatarian|sober)\b|\bgave up (?:meat|"
        r"dairy|alcohol|coffee)\b|"
        r"\b(?:started|began|back to) (?:eating|drinking)\b|\bno longer (?:vegan|"
        r"vegetarian|eat|drink)\b|"
        r"\b(?:stopped|quit|cut out|cutting) (?:being|eating|drinking|out|back)\b"
    ),
    "things": (
        r"\b(?:bought|buying|purchased|got|getting|ordered|inherited|sold|picked up|"
        r"installed|built|planted) "
        r"(?:a|an|my|our|the|myself)\b(?: \w+){0,3}|\bmy (?:brand-?)?new \w+|\bfinally "
        r"(?:have|own)\b"
    ),
    "household": (
        r"\bmoved? (?:in|out|into|back)\b|\bmoving (?:in|out|into)\b|\bnew (?:room|flat|"
        r"house)mate\b|"
        r"\bgot married\b|\bdivorce\b"
    ),
    "learning": (
        r"\b(?:learn(?:ed|ing|t|s)?|lessons?|class(?:es)?|course|practi[cs]\w+|licen[cs]e test)\b"
    ),
    "habits": r"\b(?:quit|gave up|stopped|started) smoking\b",
}
_PATTERNS: Final = {family: re.compile(pattern) for family, pattern in _EVENTS.items()}
_LONG_AGO: Final = re.compile(
    r"\b(?:in|since|back in) (?:19|20)\d\d\b|\b(?:\w+ )?(?:years|decades) ago\b|\bwhen I was\b|"
    r"\bas a (?:kid|child|student|teen\w*)\b|\bnever\b"
)
FOR_GOOD: Final = re.compile(
    r"\b(?:years? ago|last year|months ago|when I was|in (?:19|20)\d\d|late|since|long "
    r"ago|long gone|"
    r"ashes|grave|still miss\w*|back in|as a (?:child|kid)|decades?)\b"
)
"""What puts a death before everything that a life tells."""


def changed(told: Iterable[Told]) -> frozenset[str]:
    """Families of topics in which some sentence tells of a change of the time that is told."""
    return frozenset(
        family
        for one in told
        if not _LONG_AGO.search(one.text)
        for family, pattern in _PATTERNS.items()
        if pattern.search(one.text)
    )
