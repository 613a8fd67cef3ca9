"""Rules on the members of a list: as many as are asked for, all that are told, each one cited."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.demanded.golds import is_open
from memassay.validators.items.unbacked.index import (
    History,
    counts,
    openings,
    roots,
    session_of,
    unbacked_rule,
    yes_or_no_gold,
)
from memassay.validators.items.unbacked.list_rules import MEMBERS, asks_for_several
from memassay.validators.registry import problem
from memassay.validators.wording import CONCLUDED, sentences

_SOURCE: Final = "our choice: lists that lack a member, or evidence that lacks one"
_ADD: Final = "add the member, or ask for less"
_NUMBER: Final = "|".join(word for word in NUMBER_WORDS if word not in {"zero", "one"})
_SO_MANY: Final = re.compile(
    rf"(?:^|[,:.] )(?:(?:in|at|on|from|to|with|by) )?(?:what|which|name|list|give)(?: are| were|"
    rf" is)?"
    rf"(?: the| all| all the| \w+['’]s)? (?P<number>{_NUMBER}|[2-9])\b(?! (?:of|in|at|times?)\b)",
    re.IGNORECASE,
)
_AND: Final = re.compile(
    r"[,;&/+\n]|\b(?:and|or|as well as|plus|along with|while|with|both|vs)\b", re.I
)
_SHORT: Final = 4
_FEW: Final = 8
_MOST: Final = 4
_LEAST: Final = 2
_LEAST_LISTED: Final = 3
_LISTED: Final = re.compile(r"\s*,\s*(?:and |or |& )?|\s+(?:and|or|&)\s+")
_KIND_OF: Final = re.compile(r"\b(?:kind|type|sort)s? of ", re.IGNORECASE)
_NUMBERED: Final = re.compile(
    r"(?:^|\s)(?:[1-9][0-9]?[.)]|[-•*])\s+\**(?P<head>[^\n—–:(*]{3,60}?)\**\s*(?=[\n—–:(]|$)",
    re.MULTILINE,
)
_ALL: Final = re.compile(
    r"\b(?:all|every|each|list|full|complete)\b|\b(?:what|which)\b[^?]{0,40}[a-rt-z]s\b",
    re.IGNORECASE,
)


@unbacked_rule("claims.so_many", Severity.WARNING, _SOURCE, applies=is_open)
def so_many(_history: History, item: QAItem) -> Iterator[Problem]:
    """Who asks which two gets two, and who asks which three no pair."""
    found = _SO_MANY.search(item.question.text)
    value = " , ".join(item.answer.values)
    if found is None or counts(item) or yes_or_no_gold(item) is not None:
        return
    word = found["number"].casefold()
    wanted = int(NUMBER_WORDS.get(word, word))
    parts = [part for part in MEMBERS.split(value.strip(" .")) if roots(part)]
    alone = _AND.search(value) is None and len(tokens(value)) <= _FEW
    short = all(len(tokens(part)) <= _SHORT for part in parts)
    if alone or (short and len(parts) < wanted):
        expected = f"{wanted} members, as many as the question asks for"
        yield problem(item.id, ("answer", "values"), expected, item.answer.values, _ADD)


@unbacked_rule("claims.one_of_list", Severity.WARNING, _SOURCE, applies=is_open)
def one_of_list(history: History, item: QAItem) -> Iterator[Problem]:
    """Of "croissants, muffins and tarts" no gold is the croissants alone, if all are asked for."""
    value = item.answer.values[0].strip(" .") if len(item.answer.values) == 1 else ""
    lone = bool(value) and _AND.search(value) is None and len(tokens(value)) <= _SHORT
    gold = openings(roots(value))
    if not lone or not gold or counts(item) or item.question.attachments:
        return
    if not asks_for_several(_KIND_OF.sub("", item.question.text)):
        return
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        for sentence in sentences(turn.text):
            parts = [tokens(part) for part in _LISTED.split(sentence.strip(" .!"))]
            at = next((n for n, part in enumerate(parts) if _ends_with(part, value)), None)
            behind = parts[at + 1 :] if at is not None else []
            beside = behind if at == 0 else [*parts[1:at], *behind] if at else []
            short = [part for part in beside if 0 < len(part) <= _SHORT and roots(" ".join(part))]
            told = len(parts) >= _LEAST_LISTED and len(short) == len(beside) >= _LEAST
            if told and not sentence.endswith("?"):
                expected = f"all that {turn.id} lists ({sentence})"
                yield problem(item.id, ("answer", "values"), expected, value, _ADD)
                return


def _ends_with(part: list[str], value: str) -> bool:
    last = tokens(value)
    return part[-len(last) :] == last


@unbacked_rule("claims.numbered", Severity.WARNING, _SOURCE, applies=is_open)
def numbered(history: History, item: QAItem) -> Iterator[Problem]:
    """Where all are asked for, a gold has every point of the numbered list that it takes from."""
    gold = openings(roots(" . ".join(item.answer.values)))
    if not _ALL.search(item.question.text) or _SO_MANY.search(item.question.text):
        return
    for turn in (turn for each in history.cited(item) for turn in each.turns):
        heads = [found["head"].strip() for found in _NUMBERED.finditer(turn.text)]
        points = [(head, openings(roots(head))) for head in heads if roots(head)]
        whole = [head for head, words in points if words <= gold]
        said = frozenset[str]().union(*(words for head, words in points if head in whole))
        lacking = [head for head, words in points if (own := words - said) and not own & gold]
        if len(whole) >= _LEAST and len(points) >= _LEAST_LISTED and lacking:
            if len(whole) + len(lacking) == len(points):
                expected = f"{', '.join(lacking)}, which {turn.id} lists among them"
                yield problem(item.id, ("answer", "values"), expected, item.answer.values, _ADD)
            return


def _is_list(item: QAItem) -> bool:
    return is_open(item) and item.answer.format is AnswerFormat.FREE and item.type not in CONCLUDED


@unbacked_rule("claims.half_cited", Severity.WARNING, _SOURCE, applies=_is_list)
def half_cited(history: History, item: QAItem) -> Iterator[Problem]:
    """Where the evidence says all members of a gold but one, no place beside it says that one."""
    cited = history.cited(item)
    known = openings(history.asked(item) | history.names)
    there = openings(history.said(cited)) if cited else frozenset[str]()
    sessions, ids = {session_of(each) for each in cited}, {each.id for each in cited}
    asked = _SO_MANY.search(item.question.text) is not None
    for at, value in enumerate(item.answer.values if there else ()):
        parts = [part for part in MEMBERS.split(value.strip(" .")) if roots(part)]
        own = {part: openings(roots(part)) - known for part in parts}
        unsaid = [part for part, words in own.items() if words and not words & there]
        rest = all(openings(roots(part)) <= there | known for part in parts if part not in unsaid)
        if len(unsaid) != 1 or not _LEAST <= len(parts) <= _MOST or not rest:
            continue
        words = own[unsaid[0]]
        beside = [
            each.id
            for each in history.rounds
            if session_of(each) in sessions
            and each.id not in ids
            and words <= openings(history.words[each.id])
        ]
        if beside and (asked or len(words) >= _LEAST):
            expected = f"a place that says {unsaid[0]}, such as {beside[0]}"
            got = f"{', '.join(sorted(ids))} for {value} (answer {at})"
            fix = "cite the place that says it, or drop the member"
            yield problem(item.id, ("evidence", "canonical"), expected, got, fix)
            return
