"""Whether words around a claim set it aside: who says it, who is believed, what came of it.

The words of a language are few here on purpose: a claim without any of them is told as plain news.
"""

import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

_DOUBTS: Final = (
    "wrong joke joking jokes denied crossed-out threw-away turned-down rejected proposed "
    "declined corrected forget ignore teasing quoting against rumour mistake false "
    "refused struck-out cancelled withdrawn joked quote disregard dreamed wrongly quipped"
)
_AGAINST: Final = frozenset(_DOUBTS.split())
_LESSENS: Final = frozenset({"just", "only", "old"})
"""Words that set a claim aside later; in its own sentence they may be idle."""
_TRUSTS: Final = (
    "right real serious seriously ours decided confirmed accepted kept keep agree agreed true "
    "favour official approved final"
)
_FOR: Final = frozenset(_TRUSTS.split())
_NOT: Final = frozenset({"not", "never", "didn't", "wasn't", "isn't", "don't"})
_EMPTY: Final = frozenset({"nothing", "blank", "empty"})
_NAME: Final = r"(?:[A-Z]\w+|I|the [\w' -]+?|an? [\w' -]+?)"
_BELIEVED: Final = (
    re.compile(rf"\bI (?:(?:go|went) by|trust|believe) (?P<who>{_NAME})(?=[,;.]|$)"),
    re.compile(rf"\bonly (?P<who>{_NAME}) counts\b"),
    re.compile(rf"\b(?P<who>{_NAME}) (?:is|was) (?:right|serious)\b"),
    re.compile(rf"\bit is (?P<who>{_NAME}) who\b"),
    re.compile(rf"\b(?P<who>{_NAME}) (?:decides|has seen)\b"),
    re.compile(rf"\b(?:kept|went with) (?P<who>{_NAME})(?= and\b| that\b|[,;:.]|$)"),
)
"""Ways to say whom or what one believes."""
_MINE: Final = re.compile(r"\bI was (?:in (?P<for>favour)|(?P<against>against))")
_VOTE: Final = re.compile(r"(?P<who>(?:\w+,? (?:and )?)+?)said (?P<what>yes|no)\b")
_FROM_ME: Final = re.compile(
    r"(?P<not>\b(?:not|never) )?(?:from |in |by )?\b(?:the|an?|my|our) [\w' -]+, (?:which|that) I "
)
"""What one has it from oneself: `trust the second page, not the first, which I read to you`."""
_SETTLED: Final = re.compile(
    r"\bnot (?:(?P<for>just|only|as|an?|wrong)|(?:true|right|decided|seriously))\b"
)
"""What one claim is said not to be, in or behind its clause: `not just a rumour`, `not true`."""
_CLAUSE: Final = re.compile(r"[,;:]\s*(?:and )?|\s+and\s+|\s+but\s+")
_PAIR: Final = re.compile(r"\b(crossed|threw|turned|struck) (out|away|down)\b")
_WORD: Final = re.compile(r"[\w'’-]+")
_ARTICLE: Final = re.compile(r"\b(?:the|an?|my|our)\s*$", re.IGNORECASE)
_ACCORDING: Final = re.compile(r"\b[Aa]ccording to ([^,;:]+), [^,;:]*$")
_RELATIVE: Final = ("which ", "who ", "that says", "where ")


class Verdict(StrEnum):
    """What the words around a claim make of it."""

    HOLDS = "holds"
    ASIDE = "aside"
    PLAIN = "plain"


def verdict_around(head: str, tail: str) -> Verdict:
    """What is made of a claim by the words before and behind it.

    Args:
        head: The sentence up to the claim.
        tail: Its rest, and the sentence behind it if that is about nothing else.
    """
    head = _ARTICLE.sub("", head)
    by_people = _by_vote(tail) or _by_trust(head, tail)
    return by_people or _by_denial(head, tail) or _by_word(head, tail) or Verdict.PLAIN


def verdict_later(before: str, after: str) -> Verdict:
    """What a later sentence makes of a claim whose property it names.

    Args:
        before: The sentence up to that name.
        after: The rest of it.
    """
    mine = _FROM_ME.search(after)
    if mine is not None:
        return Verdict.ASIDE if mine["not"] else Verdict.HOLDS
    against = _AGAINST | _LESSENS
    near = _nearest(reversed(_words(_clauses(before)[-1])), against) if before.strip() else None
    return near or _nearest(iter(_words(after)), against) or Verdict.PLAIN


def claim_stretch(
    sentence: str, value: tuple[int, int] | None, names: Iterable[str]
) -> tuple[int, int]:
    """Where a sentence makes a claim: from the first to the last of a value and the names by it.

    Args:
        sentence: The sentence.
        value: Span of the value in it, if it has one.
        names: What the claim is about; of each the place nearest to the value counts.
    """
    places = [value] if value else []
    for name in names:
        found = [one.span() for one in re.finditer(re.escape(name), sentence, re.IGNORECASE)]
        near = places[0][0] if places else 0
        places += sorted(found, key=lambda span: abs(span[0] - near))[:1]
    return min((a for a, _ in places), default=0), max((b for _, b in places), default=0)


def _clauses(text: str) -> list[str]:
    return [part.strip() for part in _CLAUSE.split(text) if part and part.strip()] or [""]


def _words(text: str) -> list[str]:
    joined = _PAIR.sub(r"\1-\2", text.lower().replace("’", "'"))
    return _WORD.findall(joined)


def _nearest(words: Iterator[str], against: frozenset[str] = _AGAINST) -> Verdict | None:
    """The verdict of the first word that has one; `not` turns it round."""
    denied = False
    for word in words:
        if word in _NOT:
            denied = True
        elif word in against or word in _FOR:
            return Verdict.ASIDE if (word in against) is not denied else Verdict.HOLDS
    return None


def _by_vote(tail: str) -> Verdict | None:
    """Yes and no of several people, or of the same ones first and in the end; or my own side."""
    mine = _MINE.search(tail)
    if mine is not None and "my word" in tail:
        return Verdict.HOLDS if mine["for"] else Verdict.ASIDE
    votes = {"yes": 0, "no": 0}
    for found in _VOTE.finditer(tail):
        later = re.match(r" (?:at )?first and (yes|no) in the end", tail[found.end() :])
        if later is not None:
            return Verdict.HOLDS if later[1] == "yes" else Verdict.ASIDE
        people = re.findall(r"\b(?:[A-Z]\w*)\b", found["who"])
        votes[found["what"]] += len(people)
    if not any(votes.values()):
        return None
    return Verdict.HOLDS if votes["yes"] > votes["no"] else Verdict.ASIDE


def _by_trust(head: str, tail: str) -> Verdict | None:
    """Whether the one who says it is the one who is believed, if the words say who that is."""
    clauses = _clauses(head)
    if not clauses[-1]:
        return None
    teller, said = clauses[-1].lower(), _ACCORDING.search(head)
    if said is not None:
        teller = said[1].lower()
    elif teller.startswith(_RELATIVE) and len(clauses) > 1:
        teller = clauses[-2].lower()
    for pattern in _BELIEVED:
        found = [one["who"].lower() for one in pattern.finditer(f"{head} … {tail}")]
        people = [who for who in found if who.split()[-1] not in _FOR | _AGAINST]
        if people:
            told = any(re.search(rf"\b{re.escape(who)}\b", teller) for who in people)
            return Verdict.HOLDS if told else Verdict.ASIDE
    return None


def _by_denial(head: str, tail: str) -> Verdict | None:
    """What it is said not to be: a joke, or true."""
    found = _SETTLED.search(tail) or _SETTLED.search(head)
    if found is None:
        return None
    return Verdict.HOLDS if found["for"] else Verdict.ASIDE


def _by_word(head: str, tail: str) -> Verdict | None:
    """The word nearest before the claim, then behind it; then what another party does not say."""
    clauses = _clauses(head)
    near = _nearest(reversed(_words(clauses[-1]))) or _nearest(iter(_words(_clauses(tail)[0])))
    if near is not None:
        return near
    for clause in reversed(clauses[:-1]):
        words = _words(clause)
        if not _EMPTY.isdisjoint(words):
            return Verdict.HOLDS if _FOR.isdisjoint(words) else Verdict.ASIDE
    return None
