"""Sentences in which somebody does what they deny elsewhere."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from memassay.synth.lives.unifying.denying.deeds import doing, evidence
from memassay.synth.lives.unifying.denying.denials import EVER, NOW, UNABLE, Denial, denials_of
from memassay.synth.lives.unifying.reading.claims import Claim, Told
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.stems import stem, stems
from memassay.synth.lives.unifying.reading.wording import LONG

_CLAUSE: Final = re.compile(r"[.;:!?—–]|,? (?:but|because|although|though|whereas|unless)\b")
_OWN: Final = re.compile(r"\b(?:I|me|[Ww]e|us|[Mm]y|[Oo]ur|mine)\b")
_SUBJECT: Final = frozenset({"i", "we"})
_NOT: Final = frozenset(
    stems(
        "not never no without nor hardly barely rarely cannot nobody neither avoid instead stop "
        "quit "
        "would could might may should shall wish want hope plan think wonder imagine consider "
        "tempt "
        "like if whether someday ask suggest recommend refuse hate fear afraid allergic "
        "sorry he she they his her their him friend neighbour neighbor"
    )
)
"""Words before a deed that leave it undone, or somebody else's."""
_TO: Final = frozenset(stems("love use get got learn teach go manage grow able start begin"))
"""Before `to` and a deed, which is done then."""
_MIND: Final = frozenset(stems("my our"))
NOT_MINE: Final = frozenset(
    stems(
        "dream future next ideal imaginary friend friend's neighbour's neighbor's sister's "
        "brother's "
        "mother's father's husband's wife's mom's dad's old childhood former son's daughter's "
        "parents'"
        " toy model stuffed rental rented virtual favourite favorite boss's aunt's uncle's "
        "partner's "
        "cousin's roommate's vegan veggie vegetarian soy oat almond coconut plant-based decaf "
        "alcohol-free non-alcoholic mock faux fake free"
    )
)
SUBSTITUTES: Final = re.compile(
    r"\b(?:vegan|vegetarian|veggie|plant-based|oat|soy|almond|coconut|cashew|rice|decaf\w*|"
    r"alcohol-free|non-alcoholic|mock|faux|fake|dairy-free|gluten-free|lactose-free|nut-free|"
    r"\w+-free|peanut butter cup|root beer|ginger (?:ale|beer))\b",
    re.IGNORECASE,
)
PAST: Final = re.compile(
    r"\b(?:used to|years? ago|decades? ago|as a (?:kid|child|boy|girl|teen\w*|student|teenager)|"
    r"when I was|growing up|back in|back when|childhood|in (?:19|20)[012]\d|in (?:college|"
    r"university|high school|my (?:teens|20s|twenties))|no longer|anymore|before (?:that|then)|"
    r"for once|formerly|once had|"
    r"former|ex)\b"
)
AHEAD: Final = re.compile(
    r"\b(?:tomorrow|next (?:week|month|year|summer|spring|winter)|is on \w+day|upcoming|for once)\b"
)
CHANGE: Final = re.compile(
    r"\b(?:learn(?:ing|ed|t)?|lessons?|classes|start(?:ed|ing)?|began|begun|beginning|took up|"
    r"taking up|take up|quit|gave up|giving up|stopped|no longer|anymore|used to|bought|buying|got|"
    r"getting|adopt\w*|new|finally|first|try to|trying|became|become|switched|sold|instead of|"
    r"broke down|decided to|signed up)\b"
)
_NEAR: Final = 7
"""Words behind a verb among which its thing stands."""
_NEXT: Final = 2
_LIKED: Final = frozenset(map(stem, ("love", "like", "adore", "enjoy", "crave")))
"""What is liked stands next to the verb: `I love squirrels with peanuts`."""
_VISITED: Final = re.compile(
    r"\b(?:[Bb]ack from|(?:trip|flight|journey|move|visit) to|(?:weeks?|weekend|days?|months?|"
    r"years?|"
    r"honeymoon|holidays?|vacation|semester|summer|winter|spring|autumn|stay|time|conference|"
    r"internship|wedding|childhood) in|return(?:ing|ed)? from|home from|[Ff]lying to)\b"
)


def denied_claims(told: Sequence[Sequence[Told]]) -> Iterator[tuple[int, Claim]]:
    """Claims that a deed is not done, each with those that it is; by the member that makes them.

    Args:
        told: The sentences of each member.
    """
    denials = [(at, one) for at, own in enumerate(told) for each in own for one in denials_of(each)]
    for number, (at, denial) in enumerate(denials):
        topic = f"{denial.verb} {' '.join(sorted(denial.things)[:3])} {number}".strip()
        found = list(_affirmed(denial, at, told))
        if found and not any(other == at for other, _ in found) and not _excused(denial, told):
            yield at, Claim(topic, frozenset({"no"}), denial.told, "deeds")
            for other, one in found:
                yield other, Claim(topic, frozenset({"yes"}), one, "deeds")


def _affirmed(
    denial: Denial, at: int, told: Sequence[Sequence[Told]]
) -> Iterator[tuple[int, Told]]:
    for other, own in enumerate(told):
        for one in own:
            if (
                one.person == denial.told.person
                and one is not denial.told
                and (other != at or one.turn != denial.told.turn)
                and affirms(one, denial)
            ):
                yield other, one


def affirms(one: Told, denial: Denial) -> bool:
    """Whether a sentence says that what is denied is done, at a time for which it is denied."""
    roots = stems(one.text)
    words = denial.things or doing(denial.verb) | evidence(denial.verb)
    if words.isdisjoint(roots) or not _OWN.search(one.text) or "?" in one.text:
        return False
    text = plain(one.text)
    if AHEAD.search(text):
        return False
    if not _in_time(text, one, denial) or SUBSTITUTES.search(text):
        return False
    return any(
        _done(clause, denial) or _owned(clause, denial) or _visited(clause, denial)
        for clause in clauses(text)
    )


@lru_cache(maxsize=1 << 12)
def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a sentence."""
    return tuple(one for one in _CLAUSE.split(text) if one and one.strip())


def _in_time(text: str, one: Told, denial: Denial) -> bool:
    if denial.when == NOW:
        return not PAST.search(text)
    if denial.when == UNABLE or not one.day or not denial.told.day:
        return True
    return one.day[:10] < denial.told.day[:10] or bool(LONG.search(text))


def _done(clause: str, denial: Denial) -> bool:
    """`I ... VERB ... THING`, with nothing before the verb that leaves it undone."""
    roots = stems(clause)
    verbs, things = doing(denial.verb), denial.things
    subjects = [at for at, one in enumerate(roots) if one in _SUBJECT]
    for at, root in enumerate(roots):
        if root not in verbs or not subjects or subjects[0] > at:
            continue
        start = max(one for one in subjects if one < at) if subjects[0] < at else at
        before = roots[start:at]
        if not _NOT.isdisjoint(before) or at - start > 9:
            continue
        if "to" in before and before[-1] == "to" and (len(before) < 2 or before[-2] not in _TO):
            continue
        behind = roots[at + 1 : at + 1 + (_NEXT if root in _LIKED else _NEAR)]
        if not things:
            return True
        if not things.isdisjoint(behind) and _whole(behind, denial):
            return _NOT.isdisjoint(behind[: min(behind.index(one) for one in things & set(behind))])
    return False


def _whole(words: Sequence[str], denial: Denial) -> bool:
    return denial.beside <= set(words)


def _owned(clause: str, denial: Denial) -> bool:
    """`my THING`: who has it does with it what one does."""
    if denial.verb in _NOT_BY_HAVING:
        return False
    roots = stems(clause)
    things = denial.things or evidence(denial.verb)
    for at, root in enumerate(roots):
        if root in things:
            near = roots[max(0, at - 3) : at]
            mine = [n for n, one in enumerate(near) if one in _MIND]
            start = at - len(near) + mine[-1] if mine else 0
            if (
                mine
                and roots[max(0, start - 1)] not in ("be", "like")
                and NOT_MINE.isdisjoint(near[mine[-1] :])
                and denial.beside <= set(near)
            ):
                before = roots[max(0, at - 8) : at]
                return not {"not", "never", "no", "without", "would", "if"} & set(before)
    return False


_NOT_BY_HAVING: Final = frozenset(map(stem, ("visit", "see", "meet", "leave", "break", "like")))


def _visited(clause: str, denial: Denial) -> bool:
    """`back from THING`, `our honeymoon in THING`."""
    if denial.verb not in ("visit", "travel", "go", "leav", "see"):
        return False
    found = _VISITED.search(clause)
    return found is not None and not denial.things.isdisjoint(stems(clause[found.end() :])[:5])


def _excused(denial: Denial, told: Sequence[Sequence[Told]]) -> bool:
    """Whether the life tells that what is denied became so, or ended."""
    if denial.when == EVER:
        return False
    words = denial.things or doing(denial.verb) | evidence(denial.verb)
    return any(
        one.person == denial.told.person
        and not words.isdisjoint(stems(one.text))
        and bool(CHANGE.search(one.text))
        and not PAST.search(one.text)
        and not any(True for _ in denials_of(one))
        for own in told
        for one in own
    )
