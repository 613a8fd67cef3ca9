"""Rules on yes, no and not: what is denied is denied there, and what is said there is a yes."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    openings,
    recalls_words,
    roots,
    said_in,
    said_so,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
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
_WEIGHING: Final = re.compile(
    r"^.*\b(?:memory|detection|statement|claim|say|stated?)\b(?: \(.*?\))?"
    r"[^:‘']{0,40}?(?:that\s|:\s*|[‘'])(?=\S)"
    r"|\b(?:conflict|contradict)\w*(?: with)?(?: the)?(?: dialogue| conversation)?(?: memory)?\b",
    re.IGNORECASE | re.DOTALL,
)
_CORRECTS: Final = re.compile(
    r"\b(?:actually|wrong|mistake\w*|misspoke|sorry|correct\w*|changed? my mind|contrary)\b",
    re.IGNORECASE,
)
_PICTURE: Final = re.compile(r"\b(?:images?|pictures?|photos?)\b", re.IGNORECASE)
_MADE_UP: Final = re.compile(
    r"\b(?:following information|to (?:say|claim)|(?:the|a) (?:statement|claim)|detection:)", re.I
)
_ORDER: Final = re.compile(r"\b(before or after|before|after)\b", re.IGNORECASE)
_YES: Final = re.compile(r"(?:yes|yeah|yep|yup|absolutely|definitely|of course)\b[,!]? \w", re.I)
_NO: Final = re.compile(r"(?:no|nope|nah|not yet|never)\b[,!] \w", re.I)
_CLAUSE: Final = re.compile(r"[,;:]\s")
_BESIDE: Final = 5
_LEAST: Final = 2
_CLOSE: Final = 0.4
"""Share of a question's words in a sentence that answers it by yes or no."""
_OWN: Final = 0.2
"""The same in the words of the one who is asked about."""
_WHOLE: Final = 0.65
"""Share of a question's words in a sentence that says what is asked."""
_HARDLY: Final = 0.35
_MOSTLY: Final = 0.5
_SCARCELY: Final = 0.4
_SCARCELY_TOGETHER: Final = 0.38
"""Less of a statement in any one sentence is not that statement."""
_SURELY: Final = 0.75


@unbacked_rule("claims.negated", Severity.WARNING, _SOURCE)
def negated(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question or gold denies, a sentence of the evidence about it denies."""
    parts: list[tuple[Parts, str, Words]] = []
    if yes_or_no_gold(item) is None:
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
        said = bool(about & denied) and (asked or _denies_there(history, item, about))
        if not denied or (not said and (asked or _is_affirmed(history, item, about))):
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
    if found is None or re.search(r"\bbut\b", value[found.end() :].partition(",")[0]):
        return ""
    near = [*value[: found.start()].split()[-1:], *value[found.end() :].split()[:_BESIDE]]
    return " ".join(near)


def _denies_there(history: History, item: QAItem, about: Words) -> bool:
    """Whether a clause behind a denial, or one that answers "no", says some of what is denied."""
    least = min(_LEAST, len(about))
    for each in history.cited(item):
        for part in _parts(history, each):
            clauses = [clause for clause in _CLAUSE.split(part) if _NOT.search(clause)]
            if any(len(about & roots(clause)) >= least for clause in clauses):
                return True
            before = history.before(each)
            if _NO.match(part) and before and about & history.words[before.id]:
                return True
    return False


def _is_affirmed(history: History, item: QAItem, about: Words) -> bool:
    """Whether a sentence of the evidence that denies nothing says most of some words."""
    fewest = max(_LEAST, _MOSTLY * len(about))
    return any(
        len(about & roots(part)) >= fewest and not _NOT.search(part)
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
    )


def _denied(history: History, item: QAItem) -> Words:
    """The words of what evidence denies; "No, not really" denies what it answers."""
    said = [(each, part) for each in history.cited(item) for part in _parts(history, each)]
    denials = [(each, part) for each, part in said if _NOT.search(part)]
    answered = [history.before(each) for each, part in denials if _NO.match(part)]
    told = [history.words[one.id] for one in answered if one is not None]
    return frozenset[str]().union(*(roots(part) for _, part in denials), *told)


def _parts(history: History, round_: Round) -> tuple[str, ...]:
    return sentences(history.shown[round_.id])


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
    return is_unbacked(item) and any(said_so(value) for value in item.answer.values)


@unbacked_rule("claims.polarity", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def polarity(history: History, item: QAItem) -> Iterator[Problem]:
    """A yes or no is not the other one in the sentence of the evidence that answers."""
    asked, people = history.asked(item), {each.id for each in history.named(item.question.text)}
    if _ORDER.search(item.question.text):
        return
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        for part in sentences(turn.text):
            told = "yes" if _YES.match(part) else "no" if _NO.match(part) else None
            shared = asked & roots(part)
            own = turn.speaker in people
            close = history.weight(shared) >= (_OWN if own else _CLOSE) * history.weight(asked)
            close = close or len(shared) >= _LEAST
            gold = yes_or_no_gold(item)
            if told and close and gold and told != gold:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{told}, as {turn.id} says",
                    gold,
                    "correct the gold, or cite the place that is meant",
                )
                return


@unbacked_rule("claims.yes_or_no", Severity.WARNING, _SOURCE, applies=_is_yes_or_no)
def answered(history: History, item: QAItem) -> Iterator[Problem]:
    """Evidence that says all that is asked makes no "no", and what it hardly says no conflict."""
    gold, text = yes_or_no_gold(item), item.question.text
    denies = gold == "no" and weighs_statement(text) and _STRONG_NOT.search(text)
    if gold is None or _ORDER.search(text) or (item.question.attachments and not denies):
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
            if not people or turn.speaker in people or len(history.humans) < _LEAST
            for part in sentences(turn.text)
        )
        why = "yes, as the evidence says it" if told else None
        if gold == "yes" and any(
            _denies_most(history, asked, part)
            for each in history.cited(item)
            for turn in each.turns
            for part in sentences(turn.text)
        ):
            why = "no, as the evidence denies it"
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


def _denies_most(history: History, asked: Words, part: str) -> bool:
    """Whether a clause of a sentence denies most of what is asked."""
    return any(
        _STRONG_NOT.search(clause)
        and len(asked & roots(clause)) >= _LEAST
        and history.weight(asked & roots(clause)) >= _MOSTLY * history.weight(asked)
        for clause in part.split(", ")
        if not part.endswith("?")
    )


def _weighed(history: History, item: QAItem, gold: str) -> str | None:
    """What speaks against a gold on whether a statement, or the talk itself, is in conflict."""
    text, cited = item.question.text, history.cited(item)
    statement = _WEIGHING.sub(" ", text)
    about = roots(statement) - history.names
    said = about & history.said(cited)
    share = history.weight(said) / max(history.weight(about), 1.0)
    if not _MADE_UP.search(text):
        agrees = gold == "yes" and not _goes_against(history, cited) and not _PICTURE.search(text)
        return "no, for no cited place goes against another" if agrees else None
    best, sentence = max(
        (
            (_said_share(history, about, part), part)
            for each in cited
            for turn in each.turns
            for part in sentences(turn.text)
        ),
        default=(0.0, ""),
    )
    denied = _NOT.search(sentence) is not None
    if _STRONG_NOT.search(statement):
        if gold == "yes" and share < _HARDLY:
            return "no, for the evidence does not say what is denied"
        # A picture asked about may show anything; what is said of it, nobody denied.
        shown = item.question.attachments and _denied_of(history, cited, about)
        known = gold == "no" and not shown and not denied
        return "yes, for the evidence does not deny it" if known else None
    # Half of few words is much, however common they are.
    if gold == "no" and not item.question.attachments:
        little = max(share, len(said) / max(len(about), 1)) < _SCARCELY
        if little or best < _SCARCELY_TOGETHER:
            return "yes, for the evidence does not say the statement"
        if denied:
            return "yes, for the evidence denies the statement"
    if gold == "yes" and (share if denied else max(share, best)) >= _SURELY:
        return "no, for the evidence says the statement"
    return None


def _denied_of(history: History, cited: list[Round], about: Words) -> bool:
    """Whether a sentence with a denial says a word of a statement."""
    return any(
        _NOT.search(part) and openings(about) & openings(roots(part))
        for each in cited
        for part in sentences(history.shown[each.id])
    )


def _said_share(history: History, about: Words, part: str) -> float:
    there = openings(roots(part))
    said = said_in(about, there)
    return history.weight(said) / max(history.weight(about), 1.0)


def _goes_against(history: History, cited: list[Round]) -> bool:
    """Whether somebody corrects something, or one place denies what another one says."""
    parts = [
        (each.id, roots(part), _NOT.search(part) is not None)
        for each in cited
        for part in sentences(history.shown[each.id])
    ]
    return any(_CORRECTS.search(history.shown[each.id]) for each in cited) or any(
        denies and not also and one != two and len(said & other) >= _LEAST
        for one, said, denies in parts
        for two, other, also in parts
    )
