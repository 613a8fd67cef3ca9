"""Rules on what is told again: with another value, taken back, or repeated wrongly in a reply."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, SpeakerKind, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import NUMBER_WORDS
from memassay.validators.places import evidence_rounds, turns
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import STOP_WORDS, key_words, sentences, words

_SOURCE: Final = "memassay design, the assay: rivals with another value"
_RUN: Final = 3
"""So many words in a row are what two tellings of one thing share."""
_LEAST: Final = 2
"""Runs that a sentence must share, at least."""
_SAME: Final = 0.75
"""Share of the runs of a sentence, without its value, that another telling repeats."""
_LONGEST: Final = 8
_POINTS: Final = frozenset({"this", "these", "first", "second", "third"})
"""Words of a sentence about what is shown, which may be said of one thing after the other."""
_TAKEN_BACK: Final = re.compile(
    r"\b(?:fib|lie|lied|lying|joke|joking|kidding|made (?:it|that|this) up|invented|imagined|dreamt"
    r"|(?:never|none of it|nothing of it) happened|not true|untrue|wrong|mistaken|mistake"
    r"|too (?:many|much|few|little|high|low|long|short|early|late)|off by|scratch|forget|nonsense"
    r"|(?:more|less|fewer) than (?:it was|there were)|exaggerat\w*|over(?:stated|counted)"
    r"|understated|miscounted|misremembered|mixed up|should have (?:been|said|written))\b",
    re.IGNORECASE,
)
_AS_TOLD: Final = re.compile(
    r"\b(?:as|like) i(?:['’]ve| have)?(?: already| just| once)? "
    r"(?:told|said|mentioned|wrote|explained|noted|described)"
    r"(?: to)?(?: you)?(?: before| earlier| already| last time| the other day| back then)?"
    r"\s?[:,–—-]\s*(?P<what>\S.*)",
    re.IGNORECASE,
)
"""How somebody repeats what they have said before."""
_RETOLD: Final = 0.8
"""Share of the words of what somebody repeats that the place had, our choice."""
_NUMBER: Final = re.compile(r"[0-9]+(?:\.[0-9]+)?")
Line = tuple[str, ...]


class _Told(NamedTuple):
    """A sentence with its place, its words and what is said right behind it."""

    round: Round
    turn: Turn
    text: str
    line: Line
    after: str


def _runs(line: Sequence[str]) -> list[Line]:
    return [tuple(line[at : at + _RUN]) for at in range(len(line) - _RUN + 1)]


def _measures(line: Line) -> Iterator[Line]:
    """What a line gives the measure of: the words in front of and behind a number, with `#`."""
    for before, number, unit in zip(line, line[1:], line[2:], strict=False):
        if _NUMBER.fullmatch(number) and before not in STOP_WORDS and before.isalpha():
            yield before, "#", unit


def _index(bundle: Bundle) -> dict[Line, list[_Told]]:
    """The sentences of a history by every run of words in them that two or more share."""
    found: dict[Line, list[_Told]] = defaultdict(list)
    for round_ in bundle.conversation.rounds():
        for turn in round_.turns:
            parts = sentences(turn.text)
            for text, after in pairwise((*parts, "")):
                told = _Told(round_, turn, text, words(text), after)
                for run in {*_runs(told.line), *_measures(told.line)}:
                    found[run].append(told)
    return {run: told for run, told in found.items() if len(told) > 1}


def _frames(bundle: Bundle, item: QAItem) -> Iterator[tuple[Turn, str, Line, list[Line]]]:
    """Sentences of the evidence that say a gold, and the runs of words on both sides of it."""
    for value in (words(each) for each in item.answer.values):
        for turn in (turn for each in evidence_rounds(bundle, item) for turn in each.turns):
            for text in sentences(turn.text):
                line = words(text)
                at = _place(line, value) if 0 < len(value) <= _LONGEST else None
                if at is not None and not _POINTS & set(line):
                    sides = line[:at], line[at + len(value) :]
                    runs = [run for side in sides for run in _runs(side)]
                    # A short sentence has no runs, but the words around its number.
                    few = (
                        runs
                        if len(runs) >= _LEAST
                        else list(_measures(line[max(0, at - 1) : at + _RUN]))
                    )
                    # What is neither is known by the words of its value too, if it is quoted.
                    yield turn, text, value, few or _runs(line)


def _place(line: Line, value: Line) -> int | None:
    places = range(len(line) - len(value) + 1)
    return next((at for at in places if line[at : at + len(value)] == value), None)


def _is_answerable(item: QAItem) -> bool:
    return item.answerable


@question_rule("retold.otherwise", Severity.WARNING, _SOURCE, _is_answerable)
def otherwise(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """A sentence that says a gold is nowhere told again with another value, or taken back."""
    index = context.once(_index, bundle)
    own = set(item.evidence.facts)
    asked = {each.attribute for each in bundle.facts if each.id in own} if own else set[str]()
    for turn, text, value, runs in _frames(bundle, item):
        shared: dict[tuple[str, str], int] = defaultdict(int)
        tellings: dict[tuple[str, str], _Told] = {}
        for run in set(runs):
            for told in index.get(run, ()):
                shared[told.turn.id, told.text] += 1
                tellings[told.turn.id, told.text] = told
        for key, count in shared.items():
            told = tellings[key]
            if key == (turn.id, text) or count < _SAME * len(set(runs)):
                continue
            same = _place(told.line, value) is not None
            denied = told.turn.id != turn.id and _is_taken_back(told, item)
            noted = context.once(_noted, bundle)[told.round.id]
            known = any(_place(told.line, one) is not None for _, one in noted if one)
            known = known or any(attribute in asked for attribute, _ in noted)
            if denied if same else not known:
                fix = "read both places; correct one, or note the change in the ledger"
                expected = f"what {turn.id} says, told again in {told.turn.id} the same"
                yield problem(item.id, ("answer", "values"), expected, told.text, fix)
                return


def _is_taken_back(told: _Told, item: QAItem) -> bool:
    """Whether a sentence that says a gold, or the words behind it, say that it is not so."""
    text = f"{told.text} {told.after}".casefold()
    for value in item.answer.values:
        text = text.replace(value.casefold(), "")
    return _TAKEN_BACK.search(text) is not None


@RULES.conversation("retold.as_told", Severity.WARNING, _SOURCE)
def as_told(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """What somebody says that they have told before, a turn of theirs before it tells."""
    spoken = list(turns(bundle))
    for at, (parts, turn) in enumerate(spoken):
        found = _AS_TOLD.search(turn.text)
        again = key_words(sentences(found["what"])[0]) if found else frozenset[str]()
        if found is None or not again:
            continue
        earlier = [one.text for _, one in spoken[:at] if one.speaker == turn.speaker]
        before = [*earlier, turn.text[: found.start()]]
        if not any(len(again & key_words(one)) >= _RETOLD * len(again) for one in before):
            expected = f"in {turn.id} what {turn.speaker} has told in an earlier turn"
            fix = "repeat it as it was told, or leave it out"
            yield problem(bundle.id, (*parts, "text"), expected, found[0], fix)


def _noted(bundle: Bundle) -> dict[str, list[tuple[str, Line]]]:
    """What the ledger knows of each round: attributes, and values as words."""
    told = {each.id: (each.attribute, words(each.value.text)) for each in bundle.facts}
    found: dict[str, list[tuple[str, Line]]] = defaultdict(list)
    for each in bundle.mentions:
        if each.fact in told:
            found[each.round].append(told[each.fact])
    return found


@question_rule("retold.echo", Severity.WARNING, _SOURCE, _is_answerable)
def echo(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """An assistant that repeats a number of the gold repeats the right one."""
    kinds = {each.id: each.kind for each in bundle.conversation.speakers}
    golds = {pair for value in item.answer.values for pair in _measured(value)}
    for round_ in evidence_rounds(bundle, item) if golds else ():
        said: set[tuple[str, str]] = set()
        for turn in round_.turns:
            here = _measured(turn.text)
            if kinds.get(turn.speaker) is not SpeakerKind.ASSISTANT:
                said |= here
                continue
            units = {unit for number, unit in golds & said} - {unit for _, unit in golds & here}
            other = sorted(f"{number} {unit}" for number, unit in here - said if unit in units)
            if other:
                fix = "have the assistant repeat what it was told"
                expected = f"{', '.join(item.answer.values)} repeated in {turn.id}"
                yield problem(item.id, ("answer", "values"), expected, ", ".join(other), fix)
                return


def _measured(text: str) -> set[tuple[str, str]]:
    """Numbers of a text with the word behind each."""
    return {
        (NUMBER_WORDS.get(number, number), unit)
        for number, unit in pairwise(words(text))
        if _NUMBER.fullmatch(number) and not _NUMBER.fullmatch(unit)
    }
