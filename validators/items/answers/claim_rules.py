"""Rules on what a gold claims: its names, numbers and members stand in the places it cites."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import NUMBER_WORDS, content_tokens, tokens
from memassay.validators.items.answers.heard import KNOWN_WORDS, is_strange, is_unheard
from memassay.validators.places import evidence_places
from memassay.validators.registry import problem
from memassay.validators.texts.gold_dates import gold_date
from memassay.validators.texts.history import (
    CONCLUDED_PLACE,
    IMAGE_ID,
    History,
    asks_directly,
    counts,
    is_unbacked,
    recalls_or_dates,
    recalls_words,
    roots,
    unbacked_rule,
)
from memassay.validators.wording import CONCLUDED, sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_AUXILIARY: Final = "did|does|do|has|have|had|is|are|was|were|will|would|could|can|should|might|may"
_SUBJECT: Final = re.compile(
    rf"\b(?:(?i:{_AUXILIARY}) (?P<who>[A-Z][a-z]{{2,}})\b|(?P<whose>[A-Z][a-z]{{2,}})['’`]s\b)"
)
_NAME: Final = re.compile(r"(?<!['’])\b[A-Z][a-zà-ÿ]{2,}\b")
_COMPANY: Final = re.compile(r"\b(?:with|meet|met) ([A-Z][a-z]{2,})\b(?! [A-Z])")
_MADE_BY: Final = re.compile(
    r"\bby [A-Z][\w-]+(?: [A-Z][\w-]+)?|\b[A-Z]\w+['’]s (?=(?:The|A|An) [A-Z])"
)
"""Who made a known work is general knowledge."""
_INSIDE: Final = re.compile(
    r"(?<!\bto )(?<!\bin )(?<!\bfrom )(?<!\bvisit )(?<!\bvisited )"
    r"(?<=[a-z] )[A-Z][a-zà-ÿ]{2,}\b(?! [0-9])"
)
_OPENER: Final = re.compile(
    r"(?:^|(?<=[.!?] ))[A-Z][a-zà-ÿ]+(?= (?:\w+ed )?(?:with|for|of|to|from|in|on)\b)"
)
"""The first word of a phrase is written like a name and need be none: "Mongrel mixed with …"."""
_DOER: Final = re.compile(
    r"(?:^|(?<=[.!?] ))(?!\w+ly\b)[A-Z][a-z]{2,} "
    r"(?=(?:\w+ed|is|was|has|had|will|went|took) (?!by\b))"
)
"""Who does something at the beginning of a sentence: no picture shows a stranger by name there."""
_TELLING: Final = 15
"""Words of a caption that describes a picture and does not only name it (our choice)."""
_ORDER: Final = re.compile(r"[(?]|Please|Answer|Return|Use ")
_ASKS: Final = re.compile(
    rf"(?:what|which|who|whom|whose|when|where|why|how)\b.*\b(?:{_AUXILIARY})\b.*\?",
    re.IGNORECASE | re.DOTALL,
)
_DANGLING: Final = re.compile(
    r"\b(?:and|or|but|the|a|an|of|because|and the|their|my|our|your|who|which|than)\s*$",
    re.IGNORECASE,
)
_LIKES: Final = re.compile(
    r"\b(?:lov(?:e|es|ed|ing)|enjoy\w*|favou?rites?|fond of|fan of|adore\w*|passionate)\b", re.I
)
_DISLIKES: Final = re.compile(
    r"\b(?:hat(?:e|es|ed|ing)|dislik\w*|detest\w*|least|worst|can(?:no|['’])t stand|annoy\w*)\b",
    re.I,
)
_DENIES: Final = re.compile(r"\b(?:not|never|hardly|no longer|stopped)\b|n['’]t\b", re.I)
_NOT_DONE: Final = re.compile(
    r"\b(?:(?:was|were|is|are|been) not|(?:was|were|is|are)n['’]t) (?P<done>[a-z]+(?:ed|en))\b",
    re.I,
)
_TITLED: Final = re.compile(r"\b([A-Z][\w'’]+) ([0-9]{1,3})\b")
_LEAST: Final = 2
_OPENING: Final = 4
_NUMBER: Final = re.compile(r"[0-9]+")
_NUMBER_ONLY: Final = re.compile(r"\s*\w+\s*\.?\s*")
_ORDINALS: Final = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    "tenth",
)
_HOW_MANY: Final = re.compile(r"\bhow many (?P<what>\w+)", re.IGNORECASE)


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


@unbacked_rule("claims.unknown_person", Severity.ERROR, _SOURCE, applies=asks_directly)
def unknown_person(history: History, item: QAItem) -> Iterator[Problem]:
    """Whom a question asks about is somebody of the history."""
    for found in _SUBJECT.finditer(item.question.text):
        part = next(name for name in ("who", "whose") if found[name])
        if found.start(part) and is_unheard(history, found[part]):
            yield problem(
                item.id,
                ("question", "text"),
                "a person of the history",
                found[part],
                "name the one who is meant, or mark the item as not answerable",
            )
            return


def _names(item: QAItem) -> bool:
    return asks_directly(item) and item.type not in CONCLUDED


@unbacked_rule("claims.unknown_name", Severity.WARNING, _SOURCE, applies=_names)
def unknown_name(history: History, item: QAItem) -> Iterator[Problem]:
    """A name in a question or gold stands in the history."""
    asked = next(filter(str.strip, _ORDER.split(item.question.text)), "")
    concluded = counts(item) or CONCLUDED_PLACE.search(asked) is not None
    for name in () if concluded else _INSIDE.findall(asked):
        if is_strange(history, item, name):
            yield problem(
                item.id,
                ("question", "text"),
                "names that the history says or shows",
                name,
                "check the name, or mark the item as not answerable",
            )
            break
    concluded = CONCLUDED_PLACE.search(item.question.text) is not None
    shows = _may_show(history, item)
    for at, value in () if concluded else enumerate(item.answer.values):
        own = value if not shows else " ".join(_DOER.findall(value))
        strange = [
            name
            for name in _NAME.findall(_OPENER.sub("", _MADE_BY.sub("", own)))
            if name not in item.question.text and is_strange(history, item, name)
        ]
        if strange and gold_date(value) is None and not IMAGE_ID.search(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "names that the history says or shows",
                ", ".join(strange),
                "check the name; cite what shows it",
            )
            return


@unbacked_rule("claims.company", Severity.WARNING, _SOURCE, applies=recalls_or_dates)
def company(history: History, item: QAItem) -> Iterator[Problem]:
    """Who a question says was there, the evidence or a round near it names."""
    speakers = {each.name.split()[0] for each in history.bundle.conversation.speakers if each.name}
    cited = history.cited(item)
    around = [one for each in cited for one in (each, *history.near(each))]
    text = " . ".join(history.shown[each.id] for each in around)
    for name in _COMPANY.findall(item.question.text) if cited else ():
        of_talk = any(name.startswith(each[:3]) for each in speakers)
        if not of_talk and name.casefold() not in KNOWN_WORDS and name[:_OPENING] not in text:
            yield problem(
                item.id,
                ("evidence", "canonical"),
                f"a place that names {name}",
                evidence_places(item),
                "correct the name, or cite the place that names it",
            )
            return


@unbacked_rule("claims.affirmed", Severity.WARNING, _SOURCE)
def affirmed(_history: History, item: QAItem) -> Iterator[Problem]:
    """Where a question asks for what was not done, its gold does not say that it was."""
    denied = _NOT_DONE.search(item.question.text)
    for at, value in enumerate(item.answer.values if denied else ()):
        if denied and denied["done"] in tokens(value) and not _DENIES.search(value):
            where = ("answer", "values", at)
            fix = "take the denial out of the question, or give what it asks for"
            yield problem(item.id, where, f"what was not {denied['done']}", value, fix)


def _may_show(history: History, item: QAItem) -> bool:
    """Whether the evidence shows a picture of which a caption tells so little that a name is in it.

    A photograph of books has titles, and its caption says "a photo of books".
    """
    shown = [
        shown for each in history.cited(item) for turn in each.turns for shown in turn.attachments
    ]
    return any(len(tokens(each.caption or "")) < _TELLING for each in shown)


def _has_numbers(item: QAItem) -> bool:
    return recalls_words(item) or (is_unbacked(item) and item.answer.format is AnswerFormat.NUMBER)


@unbacked_rule("claims.number", Severity.WARNING, _SOURCE, applies=_has_numbers)
def number(history: History, item: QAItem) -> Iterator[Problem]:
    """A number of a gold is the number that the evidence gives of the same thing."""
    said = _counted(f"{history.text(item)} . {item.question.text}")
    several = len(history.cited(item)) > 1
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


@unbacked_rule("claims.count", Severity.WARNING, _SOURCE, applies=_has_numbers)
def count(history: History, item: QAItem) -> Iterator[Problem]:
    """A count that the evidence does not state is that of its places, or of its pictures."""
    cited = history.cited(item)
    value = item.answer.values[0] if len(item.answer.values) == 1 else ""
    found = [word for word in content_tokens(value) if _NUMBER.fullmatch(word)]
    shown = sum(len(turn.attachments) for each in cited for turn in each.turns)
    # Two places may tell of any number; two pictures are two.
    few = len(cited) < _LEAST or (len(cited) == _LEAST and shown != len(cited))
    if few or len(found) != 1 or not _NUMBER_ONLY.fullmatch(value):
        return
    counted = _HOW_MANY.search(item.question.text) is not None
    text = history.text(item)
    stated = found[0] in content_tokens(text) or _is_ordinal_said(int(found[0]), text)
    if counted and not stated and int(found[0]) not in (len(cited), shown):
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"the number of places or pictures of the evidence ({len(cited)}, {shown})",
            value,
            "count again, or cite all places",
        )


def _is_ordinal_said(number: int, text: str) -> bool:
    """Whether a text counts up to a number: "my third one"."""
    return number < len(_ORDINALS) and _ORDINALS[number] in tokens(text)


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


@unbacked_rule("claims.liking", Severity.WARNING, _SOURCE, applies=recalls_words)
def liking(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question says somebody dislikes, the evidence does not say they love; nor back."""
    text, gold = item.question.text, history.gold(item)
    disliked = _DISLIKES.search(text) is not None
    if not gold or (not disliked and not _LIKES.search(text)):
        return
    other, same = (_LIKES, _DISLIKES) if disliked else (_DISLIKES, _LIKES)
    told = [
        part
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
        if len(gold & roots(part)) * _LEAST >= len(gold)
    ]
    against = [each for each in told if other.search(each) and not _DENIES.search(each)]
    if against and not any(same.search(each) or _DENIES.search(each) for each in told):
        yield problem(
            item.id,
            ("question", "text"),
            "the liking that the evidence tells of",
            against[0],
            "ask for the other, or cite the place that is meant",
        )
