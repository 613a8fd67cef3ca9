"""Rules on order: first and last, before and after, in question, gold and evidence."""

import re
from collections.abc import Iterator
from itertools import permutations
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
    openings,
    recalls_words,
    roots,
    said_in,
    session_of,
    unbacked_rule,
    weighs_statement,
    yes_or_no_gold,
)
from memassay.validators.registry import problem
from memassay.validators.wording import sentences

_SOURCE: Final = "LoCoMo and Mem-Gallery data, golds read by hand"
_ORDER: Final = re.compile(r"\b(before or after|before|after)\b", re.IGNORECASE)
_EVER: Final = re.compile(r"\b(?:ever|den(?:y|ied|ies))\b", re.IGNORECASE)
_CLEARLY: Final = 1.4
"""By so much one order must fit the words of two places better than the other."""
_TELLS: Final = re.compile(
    r"\b(?:describ|mention|ask|discuss|express|rais|talk|shar|show|tell|appear|bring|brought)\w*",
    re.IGNORECASE,
)
"""Verbs for what is done by the talk itself, whose order is that of the talk."""
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
_TURNED: Final = {
    each: other
    for one, two in (
        ("more", "less"),
        ("most", "least"),
        ("higher", "lower"),
        ("highest", "lowest"),
        ("larger", "smaller"),
        ("bigger", "smaller"),
        ("longer", "shorter"),
        ("older", "younger"),
        ("earlier", "later"),
        ("cheaper", "dearer"),
    )
    for each, other in ((one, two), (two, one))
}
_SIDE: Final = ("before", "after")
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


_End = tuple["re.Pattern[str]", "re.Pattern[str]", "re.Pattern[str]"]
_OWNER: Final = r"(?:the|her|his|their|its|[\w]+['’]s)(?: very)?"
_SPAN: Final = (
    r"(?! (?:few|couple|two|three|week|weekend|month|year|night|time|day|summer|winter)s?\b)"
)


def _end(asks: str, gives: str, when: str) -> _End:
    """How a question asks for one end of an order, how a gold is of it, and when that end is."""
    asked = rf"\b{_OWNER} (?:{asks})\b{_SPAN}"
    return (
        re.compile(asked, re.IGNORECASE),
        re.compile(rf"\b(?:{gives})\b", re.IGNORECASE),
        re.compile(rf"\b(?:{when})\b", re.IGNORECASE),
    )


_FIRST: Final = _end(
    "first|initial|earliest|original",
    "first|initial|initially|earliest|originally|start(?:s|ed)? (?:by|with|out)|beg[ai]ns?",
    "at the (?:very )?(?:beginning|start|outset)|at first|initially|to begin with",
)
_LAST: Final = _end(
    "last|final|latest|most recent",
    "last|final|finally|latest|lastly|ultimately|eventually|in the end|ended up",
    "at the (?:very )?end|in the end|at last|finally|ultimately|eventually",
)
_ENDS: Final = ((_FIRST, _LAST), (_LAST, _FIRST))
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")
_MOMENT: Final = re.compile(
    r"(?<!before or )(?<!or )\b(?P<side>before|after) (?P<what>(?!or\b)[^,?.0-9]+)", re.IGNORECASE
)
_NAME: Final = re.compile(r"\b[A-Z][\w'’-]{2,}\b")
_GOES_BACK: Final = re.compile(
    r"\b(?:before|beforehand|earlier|prior|previously|until|by then|used to|had|ago|back then)\b",
    re.I,
)
_STAGES: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        r"propos(?:al|ed|ing)|engage(?:d|ment)|fianc[eé]e?",
        r"wedding|marr(?:y|ied|iage|ying)",
        r"honeymoon\w*",
        r"divorc\w*",
    )
)
"""Stages of a life in their order."""


def _of_moment(item: QAItem) -> bool:
    return recalls_words(item) and not weighs_statement(item.question.text)


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
        return first[0] if first and first[0] in _SIDE else None
    gold = yes_or_no_gold(item)
    return None if gold is None else word if gold == "yes" else _OTHER[word]


@unbacked_rule("claims.sequence", Severity.WARNING, _SOURCE, applies=_of_order)
def sequence(history: History, item: QAItem) -> Iterator[Problem]:
    """Of two things in a question the one that comes first is told first in the evidence."""
    told, found = _order_told(item), _ORDER.search(item.question.text)
    if told is None or found is None:
        return
    text = item.question.text
    left, right = roots(text[: found.start()]), roots(text[found.end() :])
    cited = sorted(history.cited(item), key=history.position)
    found_there = _in_order(history, cited, left - right, right - left, _TELLS.search(text) is None)
    if found_there is None:
        return
    seen, one, other = found_there
    if seen != told:
        yield problem(
            item.id,
            ("answer", "values", 0),
            f"{seen}, as {one.id} and {other.id} tell the two",
            item.answer.values[0],
            "correct the gold, or cite the places that are meant",
        )


def _in_order(
    history: History, cited: list[Round], left: Words, right: Words, apart: bool
) -> tuple[str, Round, Round] | None:
    """Whether some words are told before or after others, with the two rounds; None if unclear.

    Args:
        history: Index of the history.
        cited: Rounds by position.
        left: Words of the first thing.
        right: Words of the other.
        apart: Whether two places of one session show no order: things may be told in any.
    """
    best: dict[str, tuple[float, Round, Round]] = {}
    for one, two in permutations(cited, 2):
        if apart and session_of(one) == session_of(two):
            continue
        said, also = (_said(history, some, each) for some, each in ((left, one), (right, two)))
        way = "before" if history.position(one) < history.position(two) else "after"
        if said + also > best.get(way, (0.0,))[0]:
            best[way] = (said + also, one, two)
    ranked = sorted(best.items(), key=lambda each: -each[1][0])
    clear = ranked and (len(ranked) == 1 or ranked[0][1][0] >= _CLEARLY * ranked[1][1][0])
    return (ranked[0][0], *ranked[0][1][1:]) if clear else None


def _said(history: History, some: Words, each: Round) -> float:
    there = openings(history.words[each.id])
    return history.weight(said_in(some, there))


@unbacked_rule("claims.order", Severity.WARNING, _SOURCE, applies=recalls_words)
def order(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question puts before or after something is not the other way round in evidence."""
    gold = openings(history.gold(item))
    answering = [
        part
        for each in history.cited(item)
        for part in sentences(history.shown[each.id])
        if gold and 2 * len(gold & openings(roots(part))) >= len(gold)
    ]
    for side, asked in _sided(item.question.text):
        # The sentence that says the gold counts more than what stands beside it.
        turned = _turned(side, asked, history.text(item)) or _turned(
            side, asked, " . ".join(answering)
        )
        if turned:
            yield problem(
                item.id,
                ("question", "text"),
                f"{_OTHER[side]}, as the evidence says of the same",
                f"{side} … {', '.join(sorted(turned))}",
                "exchange the two, or cite the place that is meant",
            )
            return


def _turned(side: str, asked: Words, text: str) -> Words:
    """The words that a text has on the other side, where it has none of them on this one."""
    there = _sided(text)
    if any(side == each and asked & said for each, said in there):
        return frozenset()
    return next((asked & said for each, said in there if each == _OTHER[side]), frozenset())


def _sided(text: str) -> list[tuple[str, Words]]:
    """Each word of an order in a text, such as "before", with the stems that follow it closely."""
    found = _SIDES.findall(text.casefold())
    return [(side, roots(rest) - _SPANS) for side, rest in found]


@unbacked_rule("claims.compared", Severity.WARNING, _SOURCE)
def compared(_history: History, item: QAItem) -> Iterator[Problem]:
    """A gold compares in the direction in which the question does, and gives the end asked for."""
    text = item.question.text
    asked = set(tokens(text))
    inside = next((part for part in _SENTENCE.split(text) if _both_ends(part)), None)
    if inside:
        fix = "ask for one of the two ends"
        yield problem(item.id, ("question", "text"), "one end of an order", inside, fix)
    for at, value in enumerate(item.answer.values):
        turned = [
            word for word in tokens(value) if _TURNED.get(word) in asked and word not in asked
        ]
        end = next((mine for mine, other in _ENDS if _is_at(mine, other, text, value)), None)
        if turned or end:
            wanted = _TURNED[turned[0]] if turned else "at the end that is asked for"
            yield problem(
                item.id,
                ("answer", "values", at),
                f"an answer to what is {wanted}",
                value,
                "exchange the two words in the question or in the gold",
            )


def _both_ends(sentence: str) -> bool:
    """Whether a sentence asks for the last thing at the beginning, or the first one at the end."""
    return any(
        asks.search(sentence) and other_time.search(sentence)
        for (asks, _, _), (_, _, other_time) in _ENDS
    )


def _is_at(mine: _End, other: _End, text: str, value: str) -> bool:
    """Whether a question asks for one end, and a gold says that it is of the other one."""
    asks, gives, _ = mine
    wrong = asks.search(text) and not other[0].search(text) and other[1].search(value)
    return bool(wrong) and gives.search(value) is None


@unbacked_rule("claims.moment", Severity.WARNING, _SOURCE, applies=_of_moment)
def moment(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question puts before or after an event is told on that side of it."""
    found, cited = _MOMENT.search(item.question.text), history.cited(item)
    if found is None or not cited:
        return
    side, places = found["side"].casefold(), [history.position(each) for each in cited]
    against = None
    if side == "after" and (name := _named_later(history, found["what"], max(places))):
        against = f"before, for the evidence comes before {name} is first named"
    elif side == "before" and (told := _told_just_before(history, item, found["what"], places)):
        against = f"after, for {told.id} tells of it in front of the evidence"
    elif _is_other_stage(side, found["what"], " ".join(item.answer.values)):
        against = f"{_OTHER[side]}, as the gold comes in life"
    if against:
        fix = "exchange the word, or cite the place that is meant"
        yield problem(item.id, ("question", "text"), against, found.group(), fix)


def _named_later(history: History, what: str, last: int) -> str | None:
    """A name in some words that nobody says up to a position, but somebody does later."""
    people = {word for each in history.bundle.conversation.speakers for word in each.name.split()}
    for name in _NAME.findall(what):
        first = next(
            (at for at, each in enumerate(history.rounds) if name in history.shown[each.id]), None
        )
        if name not in people and first is not None and first > last:
            return str(name)
    return None


def _told_just_before(history: History, item: QAItem, what: str, places: list[int]) -> Round | None:
    """The only round that tells of an event, if it stands in front of the evidence in its session.

    None where the evidence itself goes back: "beforehand", "had been".
    """
    about = openings(roots(what) - history.names)
    told = [each for each in history.rounds if about <= openings(history.words[each.id])]
    sessions = {session_of(each) for each in history.cited(item)}
    alone = bool(about) and len(told) == 1 and sessions == {session_of(told[0])}
    back = _GOES_BACK.search(history.text(item)) is not None
    return told[0] if alone and history.position(told[0]) < min(places) and not back else None


def _is_other_stage(side: str, what: str, gold: str) -> bool:
    """Whether a gold is of a stage of life on the other side of the one a question names."""
    of, named = _stages(what), _stages(gold)
    if not of or not named:
        return False
    return min(named) > max(of) if side == "before" else max(named) < min(of)


def _stages(text: str) -> list[int]:
    return [at for at, stage in enumerate(_STAGES) if stage.search(text)]
