"""Whether a sentence shows that what somebody denies is so all the same."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from memassay.synth.lives.unifying.absolutes.denied import BEGUN, UNKNOWN, Absolute
from memassay.synth.lives.unifying.absolutes.lists import deeds
from memassay.synth.lives.unifying.denying.affirming import (
    AHEAD,
    NOT_MINE,
    PAST,
    SUBSTITUTES,
    clauses,
)
from memassay.synth.lives.unifying.denying.denials import NOW, UNABLE
from memassay.synth.lives.unifying.matters.own import own_part
from memassay.synth.lives.unifying.reading.claims import Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stems
from memassay.synth.lives.unifying.reading.wording import LONG

_OWN: Final = frozenset({"i", "we", "my", "our", "me", "us", "mine", "ourselv", "myself"})
_MY: Final = frozenset({"my", "our"})
_UNDONE: Final = frozenset(
    stems(
        "not never no without nor hardly barely rarely cannot nobody neither avoid instead stop "
        "quit would could might may should shall will wish want hope plan think wonder imagine "
        "consider tempt if whether someday ask suggest recommend refuse hate fear afraid "
        "allergic almost nearly missed dream look search interested excited idea need"
    )
)
"""Words before a deed that leave it undone."""
_FROM: Final = frozenset(stems("in at to from inside around through across into of near on"))
_PLACED: Final = frozenset({"visit", "leav", "travel", "go", "see"})
_HAVING: Final = frozenset({"own", "keep", "have"})
_MADE: Final = frozenset(
    stems(
        "found write publish bring release launch sit take pass employ draw make try use found join"
    )
)
"""Who has a thing that one makes, sits or founds did it: `my first novel`."""
_KEPT: Final = frozenset(stems("have own get keep adopt buy feed walk raise inherit drive ride"))
_AT_HAND: Final = frozenset(stems("into in out preheat clean put park up open sweep tidy mow fix"))
"""Before `the THING` that somebody has at home."""
_GIVEN: Final = re.compile(
    r"\bmy (?!school|student|college|university|childhood|teenage)\w+ days\b|\bsince (?:January|"
    r"February|March|April|May|June|July|August|September|October|November|"
    r"December|then|the (?:summer|spring|autumn|winter|fall)|last|yesterday|this|we (?:met|started|"
    r"began)|I (?:met|started|began|moved|joined))\b"
)
"""A beginning that may be after the denial."""
_USUAL: Final = re.compile(
    r"\b(?:(?:all through|in|at) (?:an? |my |the )?(?:high |primary |middle )?(?:school|college)|"
    r"(?:years?|summers?|semester|months|term) (?:that )?(?:I|we) (?:spent|lived|worked|stayed)|"
    r"usual|usually|always|"
    r"as ever|again|my old|regularly|every time)\b"
)
_MASTERED: Final = re.compile(
    r"\b(?:for (?:over |almost |nearly |about )?(?:\d+|many|several|the (?:last|past) \d+) "
    r"(?:years|decades)|\d+ "
    r"years (?:of|ago)|since (?:I was|childhood|kindergarten|(?:high |primary )?school|(?:19|"
    r"20)\d\d|my "
    r"(?:childhood|teens))|fluent|native|mother tongue|second nature|all my life|as a (?:kid|child|"
    r"boy|"
    r"girl|teenager|teen)|growing up|grew up|when I was|expert|for years|years now|long-time|"
    r"since (?:the )?age|at (?:age )?(?:[5-9]|1\d)\b|in my sleep|by heart|always spoke)\b"
)


def shows(
    one: Told, absolute: Absolute, beside: Collection[str] = frozenset(), before: str = ""
) -> bool:
    """Whether a sentence shows what is denied, at a time for which it is denied.

    Args:
        one: A sentence of the same person.
        absolute: What they deny elsewhere.
        beside: Stems of what the assistant answers, and of captions, beside the sentence.
        before: The sentence before it in the same turn.
    """
    roots = stems(_told(plain(one.text)))
    if absolute.things[-1].isdisjoint(roots):
        return bool(before) and _goes_on(one, absolute, before)
    if absolute.when == UNKNOWN:
        return _earlier(one, absolute) and all(
            not each.isdisjoint(roots) for each in absolute.things
        )
    if "?" in one.text or _OWN.isdisjoint(roots) or AHEAD.search(one.text):
        return False
    text = _told(_NO_DENIAL.sub("", own_part(one)))
    if absolute.things[-1].isdisjoint(stems(text)):
        text = " ".join(_WHEN_WE.findall(plain(one.text)))
    if not _in_time(one, text, absolute) or SUBSTITUTES.search(text):
        return False
    return any(_shown(clause, absolute, beside) for clause in clauses(text))


@lru_cache(maxsize=1 << 13)
def _told(text: str) -> str:
    """A text with the plain words for its idioms."""
    for pattern, words in _IDIOMS:
        text = pattern.sub(words, text)
    return text


_WHEN_WE: Final = re.compile(r"\bwhen (?:I|we|our \w+|my \w+) [^.;,]*")
_CLOSE: Final = frozenset(
    stems(
        "photograph draw paint eat drink try taste ride climb cook bake read wear play listen sew"
    )
)
"""Deeds whose thing may be named in the sentence before."""


def _goes_on(one: Told, absolute: Absolute, before: str) -> bool:
    """`I really enjoy eating it`, after a sentence that names the thing."""
    named = stems(plain(before))
    if absolute.verb not in _CLOSE or absolute.things[-1].isdisjoint(named):
        return False
    roots = stems(plain(one.text))
    if "?" in one.text or {"i", "we"}.isdisjoint(roots) or AHEAD.search(one.text):
        return False
    if not _in_time(one, plain(one.text), absolute) or not _UNDONE.isdisjoint({*roots, *named}):
        return False
    return not deeds(absolute.verb).isdisjoint(roots)


def _earlier(one: Told, absolute: Absolute) -> bool:
    days = one.day, absolute.told.day
    return days[0] is None or days[1] is None or days[0][:10] < days[1][:10]


def _in_time(one: Told, text: str, absolute: Absolute) -> bool:
    long = bool(LONG.search(_GIVEN.sub("", text)) or _USUAL.search(text))
    if absolute.when == BEGUN:
        return bool(_MASTERED.search(text))
    if absolute.early:
        return long and not _GIVEN.search(text)
    if absolute.when == NOW:
        return not PAST.search(text)
    if absolute.when == UNABLE:
        return True
    if absolute.late:
        return not long and _earlier(one, absolute)
    return long or _earlier(one, absolute)


@lru_cache(maxsize=1 << 13)
def _roots(clause: str) -> tuple[str, ...]:
    return stems(clause)


_RELATIVE: Final = re.compile(r"\w,? (?:(?:which|that) )?(?:I|we) (?:have |had )?\w+")
_OTHERS: Final = NOT_MINE - {"old"}


def _shown(clause: str, absolute: Absolute, beside: Collection[str]) -> bool:
    roots = _roots(clause)
    head = absolute.things[-1]
    at = next((n for n, one in enumerate(roots) if one in head), None)
    if at is None or _OWN.isdisjoint(roots):
        return False
    others = absolute.things[:-1]
    near = {*roots, *beside}
    if sum(not each.isdisjoint(near) for each in others) * 2 < len(others):
        return False
    own = next((one for one in map(_roots, _parts(clause)) if not head.isdisjoint(one)), roots)
    start = next(n for n, one in enumerate(own) if one in head)
    mine = not _MY.isdisjoint(own[max(0, start - 3) : start])
    undone = own[max(0, start - 4) : start] if mine else own[:start]
    behind = roots[at + 1 : at + 8]
    if (
        {"i", "we"} & set(behind)
        and deeds(absolute.verb) & set(behind)
        and _RELATIVE.search(clause)
    ):
        return _UNDONE.isdisjoint(behind) and absolute.when != BEGUN
    if not _UNDONE.isdisjoint(undone) or not _OTHERS.isdisjoint(roots[max(0, at - 3) : at]):
        return False
    if absolute.when == BEGUN:
        return True
    return _did(roots, at, absolute.verb)


_NO_DENIAL: Final = re.compile(
    r"\b(?:will |can )?(?:never|not) (?:\w+ )?(?:forget|regret|wait|help|stop|believe|miss)\b|"
    r"\bnot only\b|\bno doubt\b|"
    r"\bno (?:wonder|problem|longer than)\b|\b(?:did|do|does) not (?:mind|bother)\b[^,.;]*|\bwould "
    r"not (?:start|stop|budge|"
    r"stay)\b|\bshould be used to\b|\bused to it\b"
)
"""Words of denial that deny no deed."""
_IDIOMS: Final = (
    (re.compile(r"\b(?:behind|at|took) the wheel\b(?: of)?"), "driving the car"),
    (re.compile(r"\bon (?:the|my|our) (?:road|drive) to\b"), "driving to"),
    (re.compile(r"\bon (?:horseback|a horse)\b"), "riding a horse"),
    (re.compile(r"\bon (?:my|our) bikes?\b"), "riding my bike"),
    (re.compile(r"\bcup of joe\b"), "coffee"),
    (re.compile(r"\bG&T\b"), "gin"),
)


def _parts(clause: str) -> list[str]:
    """Parts of a clause, each of which denies for itself."""
    return [one for one in _PART.split(clause) if one.strip()]


_PART: Final = re.compile(
    r", |\band (?=I\b|we\b|my\b|it\b|the\b)|\b(?=(?:where|when|which|who|that) (?:I|we)\b)"
)


def _did(roots: Sequence[str], at: int, verb: str) -> bool:
    mine = not _MY.isdisjoint(roots[max(0, at - 3) : at])
    if verb in _HAVING:
        before = roots[max(0, at - 5) : at]
        the = "the" in roots[max(0, at - 2) : at] and not _AT_HAND.isdisjoint(before)
        behind = roots[at + 1 : at + 5]
        had = not _KEPT.isdisjoint(behind) and not {"i", "we"}.isdisjoint(behind)
        return mine or the or had or not _KEPT.isdisjoint(before)
    if verb in _PLACED and not _FROM.isdisjoint(roots[max(0, at - 3) : at]):
        return True
    done = deeds(verb)
    if mine and verb in _MADE:
        return True
    return not done.isdisjoint(roots)
