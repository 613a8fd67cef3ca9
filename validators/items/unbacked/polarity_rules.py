"""Rules on yes, no and not: what is denied is denied there, and what is said there is a yes."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import tokens
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    recalls_words,
    roots,
    session_of,
    unbacked_rule,
    weighs_statement,
)
from memassay.validators.places import Parts
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_NOT: Final = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|neither|nor|hardly|barely|unable|lack\w*"
    r"|fail\w*|refus\w*|avoid\w*|instead|rather|stop\w*|quit|difficult\w*|hard|struggl\w*|tough)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_STRONG_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_FAILED: Final = re.compile(
    r"\b(?:fail|refus|neglect|forg[eo]t|omit|declin)\w* to (?=[a-z])|\bavoid\w* (?=[a-z]+ing\b)"
)
"""What somebody did not do, by a verb."""
_TWICE: Final = re.compile(
    r"(?:n['’]t|\bnot|\bnever|\bcannot) (?:\w+ )?"
    r"(?:not|never|un(?:necessary|true|able|likely)|impossible)\b",
    re.IGNORECASE,
)
_SET_ASIDE: Final = re.compile(
    r"\b(?:besides|except|apart from|aside from|other than|if|unless)\b", re.IGNORECASE
)
"""What follows is known to who asks, or supposed, and not asked about."""
_CONTRAST: Final = re.compile(
    rf"{_NOT.pattern}|\b(?:but|however|actually|wrong|mistake\w*|misspoke|sorry|correct\w*|different"
    r"|changed?|although|though|yet)\b",
    re.IGNORECASE,
)
_WEIGHING: Final = re.compile(
    r"^.*\b(?:memory|detection|statement|claim|say|stated?)\b(?: \(.*?\))?"
    r"[^:‘']{0,40}?(?:that\s|:\s*|[‘'])(?=\S)"
    r"|\b(?:conflict|contradict)\w*(?: with)?(?: the)?(?: dialogue| conversation)?(?: memory)?\b",
    re.IGNORECASE | re.DOTALL,
)
_PICTURE: Final = re.compile(r"\b(?:images?|pictures?|photos?)\b", re.IGNORECASE)
_EVER: Final = re.compile(r"\b(?:ever|den(?:y|ied|ies))\b", re.IGNORECASE)
_MADE_UP: Final = re.compile(
    r"\b(?:following information|to (?:say|claim)|(?:the|a) (?:statement|claim)|detection:)", re.I
)
_ORDER: Final = re.compile(r"\b(before or after|before|after)\b", re.IGNORECASE)
_YES: Final = re.compile(r"(?:yes|yeah|yep|yup|absolutely|definitely|of course)\b[,!]? \w", re.I)
_NO: Final = re.compile(r"(?:no|nope|nah|not yet|never)\b[,!] \w", re.I)
_BESIDE: Final = 5
_LEAST: Final = 2
_CLOSE: Final = 0.4
"""Share of a question's words in a sentence that answers it by yes or no."""
_WHOLE: Final = 0.65
"""Share of a question's words in a sentence that says what is asked."""
_HARDLY: Final = 0.35
_MOSTLY: Final = 0.5
_SCARCELY: Final = 0.4
_SURELY: Final = 0.75


@unbacked_rule("claims.negated", Severity.WARNING, _SOURCE)
def negated(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question or gold denies, a sentence of the evidence about it denies."""
    parts: list[tuple[Parts, str, Words]] = []
    if _gold_of(item) is None:
        parts = [(("question", "text"), item.question.text, history.asked(item))]
    if recalls_words(item):
        parts += [
            (("answer", "values", at), value, roots(_denial(value)))
            for at, value in enumerate(item.answer.values)
        ]
    denied = None
    for where, text, about in parts:
        found = _STRONG_NOT.search(text)
        if not about or found is None or _SET_ASIDE.search(text, 0, found.start()):
            continue
        if denied is None:
            denied = _denied(history, item)
        asked = where[0] == "question"
        if not denied or (not about & denied and (asked or _is_affirmed(history, item, about))):
            yield problem(
                item.id,
                where,
                "nothing that the evidence does not deny",
                found.group(),
                "take out the negation, or cite the place that denies it",
            )


def _denial(value: str) -> str:
    """What a gold denies: the words beside the denial; none if it is set against what holds."""
    found = _STRONG_NOT.search(value)
    if found is None or re.search(r"\bbut\b", value[found.end() :]):
        return ""
    near = [*value[: found.start()].split()[-1:], *value[found.end() :].split()[:_BESIDE]]
    return " ".join(near)


def _is_affirmed(history: History, item: QAItem, about: Words) -> bool:
    """Whether a sentence of the evidence that denies nothing says most of some words."""
    fewest = max(_LEAST, _MOSTLY * len(about))
    return any(
        len(about & roots(part)) >= fewest and not _NOT.search(part)
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
    )


def _denied(history: History, item: QAItem) -> Words:
    """The words of the sentences of the evidence that deny something."""
    return frozenset[str]().union(
        *(
            roots(part)
            for each in history.cited(item)
            for part in sentences(history.shown[each.id])
            if _NOT.search(part)
        )
    )


@unbacked_rule("claims.not_done", Severity.WARNING, _SOURCE)
def not_done(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question says somebody failed or refused to do, the evidence says was not done."""
    found = _FAILED.search(item.question.text)
    about = history.asked(item) - roots(found.group()) if found else frozenset[str]()
    least = _HARDLY * history.weight(about)
    if about and not any(
        _NOT.search(part) and history.weight(about & roots(part)) >= least
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
    ):
        yield problem(
            item.id,
            ("question", "text"),
            "nothing that the evidence does not deny",
            found.group() if found else "",
            "ask for what was done, or cite the place that denies it",
        )


@unbacked_rule("claims.negated_twice", Severity.WARNING, _SOURCE)
def negated_twice(_history: History, item: QAItem) -> Iterator[Problem]:
    """No question denies one thing twice."""
    found = _TWICE.search(item.question.text)
    if found:
        yield problem(
            item.id, ("question", "text"), "one denial", found.group(), "take out one of the two"
        )


def _is_yes_or_no(item: QAItem) -> bool:
    return is_unbacked(item) and any(_said_so(value) for value in item.answer.values)


def _said_so(value: str) -> str | None:
    first = tokens(value)[:1]
    return first[0] if first and first[0] in {"yes", "no"} else None


@unbacked_rule("claims.polarity", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def polarity(history: History, item: QAItem) -> Iterator[Problem]:
    """A yes or no is not the other one in the sentence of the evidence that answers."""
    asked = history.asked(item)
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        for part in sentences(turn.text):
            told = "yes" if _YES.match(part) else "no" if _NO.match(part) else None
            close = history.weight(asked & roots(part)) >= _CLOSE * history.weight(asked)
            gold = _gold_of(item)
            if told and close and gold and told != gold:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{told}, as {turn.id} says",
                    gold,
                    "correct the gold, or cite the place that is meant",
                )
                return


def _gold_of(item: QAItem) -> str | None:
    """`yes` or `no` if the first gold begins with it."""
    return _said_so(item.answer.values[0]) if item.answer.values else None


def _of_order(item: QAItem) -> bool:
    return is_unbacked(item) and _order_told(item) is not None


def _order_told(item: QAItem) -> str | None:
    """Whether the first half of a question comes `before` or `after` the other, by its gold."""
    found = _ORDER.search(item.question.text)
    text = item.question.text
    if found is None or weighs_statement(text) or _EVER.search(text) or not item.answer.values:
        return None
    word, first = found.group().casefold(), tokens(item.answer.values[0])[:1]
    if " " in word:
        return first[0] if first and first[0] in _OTHER else None
    gold = _gold_of(item)
    return None if gold is None else word if gold == "yes" else _OTHER[word]


_OTHER: Final = {"before": "after", "after": "before"}


@unbacked_rule("claims.sequence", Severity.WARNING, _SOURCE, applies=_of_order)
def sequence(history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things in a question the one that comes first is told first in the evidence."""
    told, found = _order_told(item), _ORDER.search(item.question.text)
    if told is None or found is None:
        return
    text = item.question.text
    left, right = roots(text[: found.start()]), roots(text[found.end() :])
    cited = history.cited(item)
    one, other = _teller(history, cited, left - right), _teller(history, cited, right - left)
    if len(cited) == len(_OTHER) and (one is None) is not (other is None):
        # Where one of two places tells of one thing, the other place tells of the other.
        rest = next(each for each in cited if each not in (one, other))
        one, other = one or rest, other or rest
    # In one session things may be told in any order.
    if one is None or other is None or session_of(one) == session_of(other):
        return
    seen = "before" if history.position(one) < history.position(other) else "after"
    if seen != told:
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"{seen}, as {one.id} and {other.id} tell the two",
            item.answer.values[0],
            "correct the gold, or cite the places that are meant",
        )


def _teller(history: History, cited: list[Round], some: Words) -> Round | None:
    """The round that says most of some words; none if it says none, or two as much."""
    ranked = sorted(
        ((history.weight(some & history.words[each.id]), each) for each in cited),
        key=lambda pair: -pair[0],
    )
    if not ranked or not ranked[0][0]:
        return None
    tied = len(ranked) > 1 and ranked[1][0] == ranked[0][0]
    return None if tied else ranked[0][1]


@unbacked_rule("claims.yes_or_no", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def answered(history: History, item: QAItem) -> Iterator[Problem]:
    """Evidence that says all that is asked makes no "no", and what it hardly says no conflict."""
    gold, text = _gold_of(item), item.question.text
    if gold is None or item.question.attachments or _ORDER.search(text):
        return
    if weighs_statement(text):
        why = _weighed(history, item, gold)
    else:
        people = {each.id for each in history.named(text)}
        asked = history.asked(item)
        told = gold == "no" and any(
            _says_whole(history, asked, part)
            for each in history.cited(item)
            for turn in each.turns
            if not people or turn.speaker in people or len(history.humans) < len(_OTHER)
            for part in sentences(turn.text)
        )
        why = "yes, as the evidence says it" if told else None
    if why:
        yield problem(
            item.id,
            ("answer", "values", 0),
            why,
            item.answer.values[0],
            "correct the gold, or cite the place that is meant",
        )


def _says_whole(history: History, asked: Words, part: str) -> bool:
    """Whether a sentence says what is asked, and neither denies nor asks it."""
    whole = history.weight(asked & roots(part)) >= _WHOLE * history.weight(asked)
    return bool(asked) and whole and not _NOT.search(part) and not part.endswith("?")


def _weighed(history: History, item: QAItem, gold: str) -> str | None:
    """What speaks against a gold on whether a statement, or the talk itself, is in conflict."""
    text, cited = item.question.text, history.cited(item)
    statement = _WEIGHING.sub(" ", text)
    about = roots(statement) - history.names
    said = about & history.said(cited)
    share = history.weight(said) / max(history.weight(about), 1.0)
    if not _MADE_UP.search(text):
        contrast = any(_CONTRAST.search(history.shown[each.id]) for each in cited)
        agrees = gold == "yes" and not contrast and not _PICTURE.search(text)
        return "no, for no cited place goes against another" if agrees else None
    if _STRONG_NOT.search(statement):
        denies = gold == "yes" and share < _HARDLY
        return "no, for the evidence does not say what is denied" if denies else None
    # Half of few words is much, however common they are.
    if gold == "no" and max(share, len(said) / max(len(about), 1)) < _SCARCELY:
        return "yes, for the evidence does not say the statement"
    if gold == "yes" and share >= _SURELY:
        return "no, for the evidence says the statement"
    return None
