"""Rules on what a gold claims: its names, numbers and members stand in the places it cites."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.civil_time import MONTHS, WEEKDAYS
from memassay.schemas.values.text import NUMBER_WORDS, content_tokens, tokens
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    counts,
    is_unbacked,
    recalls,
    roots,
    unbacked_rule,
)
from memassay.validators.places import Parts
from memassay.validators.registry import problem
from memassay.validators.wording import STOP_WORDS, sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_AUXILIARY: Final = "did|does|do|has|have|had|is|are|was|were|will|would|could|can|should|might|may"
_SUBJECT: Final = re.compile(
    rf"\b(?:{_AUXILIARY}) (?P<who>[A-Z][a-z]{{2,}})\b|\b(?P<whose>[A-Z][a-z]{{2,}})['’`]s\b"
)
_NAME: Final = re.compile(r"(?<!['’])\b[A-Z][a-zà-ÿ]{2,}\b")
_INSIDE: Final = re.compile(r"(?<=[a-z] )[A-Z][a-zà-ÿ]{2,}\b(?! [0-9])")
_ORDER: Final = re.compile(r"[(?]|Please|Answer|Return|Use ")
_MEMBERS: Final = re.compile(r"\s*(?:[,;]\s*(?:and |or )?|\b(?:and|or)\b)\s*")
_LONGEST_MEMBER: Final = 4
_ASKS: Final = re.compile(
    rf"(?:what|which|who|whom|whose|when|where|why|how)\b.*\b(?:{_AUXILIARY})\b.*\?",
    re.IGNORECASE | re.DOTALL,
)
_DANGLING: Final = re.compile(r"\b(?:and|or|but|the|a|an|of|because|and the)\s*$", re.IGNORECASE)
_NOT: Final = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|neither|nor|hardly|barely|lack\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_STRONG_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_SET_ASIDE: Final = re.compile(r"\b(?:besides|except|apart from|aside from|other than)\b", re.I)
"""What follows is known to who asks, and not asked about."""
_KNOWN: Final = frozenset(word.casefold() for word in (*MONTHS, *WEEKDAYS)) | {
    "once",
    "twice",
    "thrice",
    "yes",
    "not",
}
_OTHER: Final = {
    "before": "after",
    "after": "before",
    "first": "last",
    "last": "first",
    "most": "least",
    "least": "most",
    "more": "less",
    "less": "more",
}
_SIDES: Final = re.compile(rf"\b({'|'.join(_OTHER)}) ((?:[\w'’-]+ ?){{1,4}})")
_SPANS: Final = frozenset(
    [
        "week",
        "weekend",
        "month",
        "year",
        "night",
        "time",
        "day",
        "summer",
        "winter",
        "fall",
        "spring",
    ]
)
_TITLED: Final = re.compile(r"\b([A-Z][\w'’]+) ([0-9]{1,3})\b")
_YES: Final = re.compile(r"(?:yes|yeah|yep|yup|absolutely|definitely|of course)\b[,!]? \w", re.I)
_NO: Final = re.compile(r"(?:no|nope|nah|not yet|never)\b[,!] \w", re.I)
_CLOSE: Final = 0.4
"""Share of a question's words in a sentence that answers it by yes or no."""
_LEAST: Final = 2
_OPENING: Final = 4
_NUMBER: Final = re.compile(r"[0-9]+")
_NUMBER_ONLY: Final = re.compile(r"\s*\w+\s*\.?\s*")
_HOW_MANY: Final = re.compile(r"\bhow many (?P<what>\w+)", re.IGNORECASE)


def _has_words(item: QAItem) -> bool:
    return recalls(item) and item.type is not QuestionType.TEMPORAL


def _text(history: History, item: QAItem) -> str:
    """All that the cited rounds say and show."""
    return " . ".join(history.shown[each.id] for each in history.cited(item))


@unbacked_rule("claims.exchanged", Severity.ERROR, _SOURCE)
def exchanged(_history: History, item: QAItem) -> Iterator[Problem]:
    """No gold is the question, and no question the gold."""
    text = item.question.text
    for at, value in enumerate(item.answer.values):
        asks = _ASKS.search(value) and value.strip(" \"'").endswith("?")
        if "?" not in text and asks:
            yield problem(
                item.id, ("answer", "values", at), "an answer", value, "exchange the two again"
            )


@unbacked_rule("claims.cut_off", Severity.ERROR, _SOURCE)
def cut_off(_history: History, item: QAItem) -> Iterator[Problem]:
    """No gold ends in the middle of a phrase."""
    for at, value in enumerate(item.answer.values):
        if len(tokens(value)) > _LEAST and _DANGLING.search(value):
            yield problem(
                item.id, ("answer", "values", at), "a whole answer", value, "write its end"
            )


@unbacked_rule("claims.unknown_person", Severity.ERROR, _SOURCE)
def unknown_person(history: History, item: QAItem) -> Iterator[Problem]:
    """Whom a question asks about is somebody of the history."""
    for found in _SUBJECT.finditer(item.question.text):
        name = found["who"] or found["whose"]
        if found.start() and _is_unheard(history, name):
            yield problem(
                item.id,
                ("question", "text"),
                "a person of the history",
                name,
                "name the one who is meant, or mark the item as not answerable",
            )


def _is_unheard(history: History, name: str) -> bool:
    """Whether a name stands nowhere in a history, not even as another form of the word."""
    word = name.casefold()
    if word in _KNOWN or word in STOP_WORDS:
        return False
    heard = history.openings
    return not any(word.startswith(each) or each.startswith(word) for each in heard[word[:3]])


@unbacked_rule("claims.unknown_name", Severity.WARNING, _SOURCE, applies=_has_words)
def unknown_name(history: History, item: QAItem) -> Iterator[Problem]:
    """A name in a question or gold stands in the history."""
    asked = _ORDER.split(item.question.text)[0]
    for name in () if counts(item) else _INSIDE.findall(asked):
        if _is_unheard(history, name):
            yield problem(
                item.id,
                ("question", "text"),
                "names that the history says or shows",
                name,
                "check the name, or mark the item as not answerable",
            )
            break
    if Modality.IMAGE in item.modalities and _shows(history, item):
        return
    for at, value in enumerate(item.answer.values):
        for found in _NAME.finditer(value):
            opens = found.start() == 0 and len(tokens(value)) > 1 and "," not in value
            if opens or not _is_unheard(history, found.group()):
                continue
            if found.group() not in item.question.text:
                yield problem(
                    item.id,
                    ("answer", "values", at),
                    "names that the history says or shows",
                    found.group(),
                    "check the name; cite what shows it",
                )
                break


def _shows(history: History, item: QAItem) -> bool:
    """Whether the evidence shows a picture, in which a name may stand."""
    cited = history.cited(item)
    return any(turn.attachments for each in cited for turn in each.turns)


@unbacked_rule("claims.member", Severity.WARNING, _SOURCE, applies=_has_words)
def member(history: History, item: QAItem) -> Iterator[Problem]:
    """Where the evidence says the other members of a list, it says some word of each."""
    said = _openings(history.said(history.cited(item)) | history.asked(item) | history.names)
    for at, value in enumerate(item.answer.values):
        parts = [part for part in _MEMBERS.split(value.strip(" .")) if roots(part)]
        # A member that denies something is `claims.negated`.
        affirmed = [part for part in parts if not _STRONG_NOT.search(part)]
        unsaid = [part for part in affirmed if not _openings(roots(part)) & said]
        listed = "," in value and all(len(tokens(part)) <= _LONGEST_MEMBER for part in parts)
        if listed and len(parts) >= _LEAST and len(unsaid) == 1:
            yield problem(
                item.id,
                ("answer", "values", at),
                "members that the evidence says",
                unsaid[0],
                "drop the member, or cite the place that says it",
            )


def _openings(some: Words) -> Words:
    return frozenset(word[:_OPENING] for word in some)


def _has_numbers(item: QAItem) -> bool:
    return _has_words(item) or (is_unbacked(item) and item.answer.format is AnswerFormat.NUMBER)


@unbacked_rule("claims.number", Severity.WARNING, _SOURCE, applies=_has_numbers)
def number(history: History, item: QAItem) -> Iterator[Problem]:
    """A number of a gold is the number that the evidence gives of the same thing."""
    said, several = _counted(_text(history, item)), len(history.cited(item)) > 1
    for at, value in enumerate(item.answer.values):
        alone = _NUMBER_ONLY.fullmatch(value) is not None
        if alone and several:
            continue  # Each place may tell of one of what is counted.
        text = f"{value} {_what_counted(item)}" if alone else value
        for count, thing in _counted(text):
            others = {other for other, what in said if what == thing}
            if others and count not in others:
                yield problem(
                    item.id,
                    ("answer", "values", at),
                    f"the number of the evidence ({', '.join(sorted(others))})",
                    value,
                    "correct the number, or cite the place that gives it",
                )
                break


def _what_counted(item: QAItem) -> str:
    found = _HOW_MANY.search(item.question.text)
    return found["what"] if found else ""


def _counted(text: str) -> set[tuple[str, str]]:
    """Numbers in a text with the stem of the word that follows each, or of a name before it."""
    found = content_tokens(text)
    titled = {(count, name.casefold()) for name, count in _TITLED.findall(text)}
    return titled | {
        (NUMBER_WORDS.get(count, count), root)
        for count, thing in pairwise(found)
        if _NUMBER.fullmatch(count)
        for root in roots(thing)
        if not root[0].isdigit()
    }


@unbacked_rule("claims.negated", Severity.WARNING, _SOURCE, applies=_has_words)
def negated(history: History, item: QAItem) -> Iterator[Problem]:
    """A question or gold denies something only if the evidence does."""
    if _NOT.search(_text(history, item)):
        return
    parts: list[tuple[Parts, str]] = [(("question", "text"), item.question.text)]
    parts += [(("answer", "values", at), value) for at, value in enumerate(item.answer.values)]
    for where, text in parts:
        found = _STRONG_NOT.search(text)
        if found and not _SET_ASIDE.search(text, 0, found.start()):
            yield problem(
                item.id,
                where,
                "nothing that the evidence does not deny",
                found.group(),
                "take out the negation, or cite the place that denies it",
            )


@unbacked_rule("claims.order", Severity.WARNING, _SOURCE, applies=_has_words)
def order(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question puts before or after something is not the other way round in evidence."""
    there = _sided(_text(history, item))
    for side, asked in _sided(item.question.text):
        same = any(side == each and asked & said for each, said in there)
        turned = [asked & said for each, said in there if each == _OTHER[side] and asked & said]
        if turned and not same:
            yield problem(
                item.id,
                ("question", "text"),
                f"{_OTHER[side]}, as the evidence says of the same",
                f"{side} … {', '.join(sorted(turned[0]))}",
                "exchange the two, or cite the place that is meant",
            )
            return


def _sided(text: str) -> list[tuple[str, Words]]:
    """Each word of an order in a text, such as "before", with the stems that follow it closely."""
    found = _SIDES.findall(text.casefold())
    return [(side, roots(rest) - _SPANS) for side, rest in found]


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
            gold = _said_so(item.answer.values[0])
            if told and close and gold and told != gold:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"{told}, as {turn.id} says",
                    gold,
                    "correct the gold, or cite the place that is meant",
                )
                return
