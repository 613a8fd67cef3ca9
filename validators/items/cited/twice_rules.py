"""Rules on questions that two places of a history answer, or no place as they are asked."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.schemas.values.text import content_tokens, tokens
from memassay.validators.items.dates.asked_dates import asked_date, asked_month
from memassay.validators.items.dates.durations import lengths
from memassay.validators.items.dates.gold_dates import GoldDate, gold_date, names_a_date
from memassay.validators.items.dates.spoken import Said, day_said, said_in_round
from memassay.validators.items.unbacked.index import (
    History,
    Words,
    is_unbacked,
    openings,
    recalls_words,
    roots,
    session_of,
    speakers_of,
    unbacked_rule,
)
from memassay.validators.places import evidence_places
from memassay.validators.registry import problem
from memassay.validators.wording import CONCLUDED, sentences

_SOURCE: Final = "LoCoMo data, golds read by hand"
_BEGINS: Final = re.compile(
    r"\b(?:start|beg[aiu]n|first|new|recent|since|took up|join|launch|sign|open|kick|set up)",
    re.IGNORECASE,
)
_OF_EVENTS: Final = (
    "activity event kind type thing new take took do share start begin happen occur part"
    " participate join attend attended"
)
_FEW_DAYS: Final = 20
_MONTH_DAYS: Final = 40
_ONE_OF_SEVERAL: Final = re.compile(
    r"\b(?:first|second|third|last|latest|another|again|next|recent(?:ly)?|start\w*|begin\w*|began)\b",
    re.IGNORECASE,
)
_LIGHT: Final = (
    "go going went get got do have take took visit attend made make"
    " spring summer autumn fall winter"
)
"""Words with which any event may be asked for."""
_MOST: Final = 0.8
"""Share of a question's words that a sentence about the same kind of event says."""
_DOER: Final = re.compile(r"\bI\b|\b[Ww]e\b")
_SHOWN: Final = re.compile(
    r"^(?:what|which)\b.*\bdid (?P<who>[A-Z]\w+) (?:share|show|send|post)\b", re.IGNORECASE
)
_OF_SHOWING: Final = (
    "share shared show shown photo photograph picture image pic kind type sort send sent post via"
)
_ORDINALS: Final = {
    word: at
    for at, word in enumerate(("second", "third", "fourth", "fifth", "sixth", "seventh"), start=2)
}
_TIMES: Final = re.compile(
    rf"\b(?:the|my|our|a) (?P<which>{'|'.join(_ORDINALS)})(?: one\b| time\b| \w+)", re.IGNORECASE
)
_HOW_MANY: Final = re.compile(r"\bhow many (?P<what>\w+)", re.IGNORECASE)
_MEMBERS: Final = re.compile(r"\s*(?:[,;]\s*(?:and |or )?|\band\b)\s*")
_NAME: Final = re.compile(r"(?<!['’])\b[A-Z][a-zà-ÿ]{3,}\b")
_PLANNED: Final = re.compile(
    r"\b(?:thinking (?:about|of)|thought (?:about|of)|planning (?:to|on)|plan to|hoping to|hope to"
    r"|considering|(?:would|'d) (?:like|love) to|want to|wanna)\b",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"\bdid \w+ (?:take up|start|begin|pick up|try|join|buy|adopt|visit|go|attend|make|build|write"
    r"|get)\b",
    re.IGNORECASE,
)
_ALTERNATIVES: Final = re.compile(r"\bor\b|\bwhich of\b|\bboth\b", re.IGNORECASE)
_LEAST: Final = 2
_OPEN: Final = frozenset({AnswerFormat.FREE})


def _date(item: QAItem) -> GoldDate | None:
    return gold_date(item.answer.values[0]) if len(item.answer.values) == 1 else None


def _people(history: History, item: QAItem) -> set[str]:
    return {each.id for each in history.named(item.question.text)}


def _asks_when(item: QAItem) -> bool:
    asked = re.match(r"when did\b", item.question.text, re.IGNORECASE) is not None
    one = _ONE_OF_SEVERAL.search(item.question.text) is None
    return asked and one and is_unbacked(item) and _date(item) is not None


@unbacked_rule("dates.twice", Severity.WARNING, _SOURCE, applies=_asks_when)
def twice(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question takes for one event is not told of two days by the one who did it."""
    gold, people = _date(item), _people(history, item)
    asked = history.asked(item) - roots(_LIGHT)
    known = {each.id for each in history.cited(item)}
    for each in history.rounds if gold and len(people) == 1 and asked else ():
        if each.id in known or not people & speakers_of(each):
            continue
        for said in said_in_round(history.bundle, each):
            whole = history.weight(asked & roots(said.text)) >= _MOST * history.weight(asked)
            if gold and whole and said.turn.speaker in people and _is_other_day(said, gold):
                yield problem(
                    item.id,
                    ("question", "text"),
                    f"one event, but {each.id} tells of another day ({said.dates[0].expression})",
                    item.answer.values[0],
                    "say which of the two is meant",
                )
                return


def _is_other_day(said: Said, gold: GoldDate) -> bool:
    """Whether somebody tells of what they did on days that have passed, none of them the gold."""
    if not _DOER.search(said.text):
        return False
    past = [each for each in said.dates if each.readings[0].first < said.day]
    return bool(past) and not any(
        reading.first <= gold.last and gold.first <= reading.last
        for each in past
        for reading in each.readings
    )


def _asks_start(item: QAItem) -> bool:
    asked = re.match(r"when did .*\b(?:start|begin)", item.question.text, re.IGNORECASE)
    return asked is not None and is_unbacked(item)


@unbacked_rule("dates.start_unsaid", Severity.WARNING, _SOURCE, applies=_asks_start)
def start_unsaid(history: History, item: QAItem) -> Iterator[Problem]:
    """Evidence of when something began speaks of a beginning, or of a time."""
    cited = history.cited(item)
    spoken = [said for each in cited for said in said_in_round(history.bundle, each)]
    dated = any(said.dates or names_a_date(said.text) or lengths(said.text) for said in spoken)
    begun = any(_BEGINS.search(history.shown[each.id]) for each in cited)
    if spoken and not dated and not begun:
        yield problem(
            item.id,
            ("evidence", "canonical"),
            "a place that tells of the beginning",
            evidence_places(item),
            "cite the place that tells when it began, or ask for what the evidence tells",
        )


def _asks_of_month(item: QAItem) -> bool:
    return _recalls_names(item) and _month(item) is not None


def _month(item: QAItem) -> tuple[int | None, int] | None:
    """The year, if it is named, and the month in which a question places what it asks for."""
    named, month = asked_date(item.question.text), asked_month(item.question.text)
    if named is not None and _FEW_DAYS < (named.span.last - named.span.first).days < _MONTH_DAYS:
        return named.span.first.year, named.span.first.month
    return (None, month) if month else None


@unbacked_rule("claims.month_twice", Severity.WARNING, _SOURCE, applies=_asks_of_month)
def month_twice(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question places in a month is told there in one session by the one asked about."""
    found, people, cited = _month(item), _people(history, item), history.cited(item)
    asked = history.asked(item) - roots(_OF_EVENTS) - roots(" ".join(MONTHS))
    core = frozenset(word for word in asked if not word[0].isdigit())
    gold, sessions = openings(history.gold(item)), {session_of(each) for each in cited}
    for each in history.rounds if found and len(people) == 1 and len(core) >= _LEAST else ():
        said, day = history.words[each.id], day_said(history.bundle, each)
        then = day and found and day.month == found[1] and found[0] in (None, day.year)
        told = core <= said and people & speakers_of(each) and session_of(each) not in sessions
        asks = history.shown[each.id].rstrip().endswith("?")
        if then and told and not asks and not gold & openings(said):
            yield problem(
                item.id,
                ("question", "text"),
                f"one thing of that month, but {each.id} tells of another",
                evidence_places(item),
                "say which of the two is meant",
            )
            return


def _asks_shown(item: QAItem) -> bool:
    return is_unbacked(item) and _SHOWN.search(item.question.text) is not None


@unbacked_rule("claims.shown_twice", Severity.WARNING, _SOURCE, applies=_asks_shown)
def shown_twice(history: History, item: QAItem) -> Iterator[Problem]:
    """What somebody showed of a kind, if it is asked for as one thing, was not shown twice."""
    found, cited = _SHOWN.search(item.question.text), history.cited(item)
    month = asked_month(item.question.text)
    who = {each.id for each in history.humans if found and each.name.startswith(found["who"])}
    asked = history.asked(item) - roots(_OF_SHOWING) - roots(" ".join(MONTHS)) - history.gold(item)
    gold, known = openings(history.gold(item)), {each.id for each in cited}
    day = re.search(r"[0-9]", item.question.text) is not None
    for each in history.rounds if asked and who and not day else ():
        said = history.words[each.id]
        when = day_said(history.bundle, each)
        other = asked <= said and not gold & openings(said) and each.id not in known
        if other and _shows(each, who) and (month is None or (when and when.month == month)):
            yield problem(
                item.id,
                ("question", "text"),
                f"one thing that was shown, but {each.id} shows another",
                evidence_places(item),
                "say which of the two is meant",
            )
            return


def _shows(each: Round, who: set[str]) -> bool:
    return any(turn.speaker in who and turn.attachments for turn in each.turns)


def _counts(item: QAItem) -> bool:
    return is_unbacked(item) and _HOW_MANY.search(item.question.text) is not None


@unbacked_rule("claims.counted_on", Severity.WARNING, _SOURCE, applies=_counts)
def counted_on(history: History, item: QAItem) -> Iterator[Problem]:
    """Near the evidence of a number nobody it is asked about speaks of one more than it."""
    value = item.answer.values[0] if len(item.answer.values) == 1 else ""
    numbers = [int(word) for word in content_tokens(value) if word.isdecimal()]
    people, cited = _people(history, item), history.cited(item)
    around = {one.id: one for each in cited for one in (each, *history.near(each))}
    for each in around.values() if len(numbers) == 1 else ():
        for turn in each.turns:
            told = _TIMES.search(turn.text) if turn.speaker in people else None
            if told and _ORDINALS[told["which"].casefold()] > numbers[0]:
                yield problem(
                    item.id,
                    ("answer", "values", 0),
                    f"a number that {turn.id} does not exceed ({told.group()})",
                    value,
                    "count again, or say until when",
                )
                return


@unbacked_rule("claims.repeated_member", Severity.WARNING, _SOURCE)
def repeated_member(_history: History, item: QAItem) -> Iterator[Problem]:
    """No list names one thing twice."""
    for at, value in enumerate(item.answer.values):
        parts = [" ".join(tokens(part)) for part in _MEMBERS.split(value) if tokens(part)]
        again = [part for index, part in enumerate(parts) if part in parts[:index]]
        if again and "," in value:
            yield problem(
                item.id,
                ("answer", "values", at),
                "different members",
                f"{again[0]} twice",
                "correct or drop one of the two",
            )


def _recalls_names(item: QAItem) -> bool:
    return is_unbacked(item) and item.type not in CONCLUDED and item.answer.format in _OPEN


@unbacked_rule("claims.of_other", Severity.WARNING, _SOURCE, applies=_recalls_names)
def of_other(history: History, item: QAItem) -> Iterator[Problem]:
    """A name in a list about somebody is one that they, or the evidence, ever say or show."""
    people = _people(history, item)
    own = history.said([each for each in history.rounds if people & speakers_of(each)])
    known = openings(own | history.said(history.cited(item)) | history.asked(item) | history.names)
    for at, value in enumerate(item.answer.values) if len(people) == 1 else ():
        listed = len(_MEMBERS.split(value)) >= _LEAST
        strange = [
            name
            for name in (_NAME.findall(value) if listed else ())
            if not openings(roots(name)) & known and _is_name(history, name)
        ]
        if strange:
            yield problem(
                item.id,
                ("answer", "values", at),
                "names that the one asked about says or shows",
                ", ".join(strange),
                "check whose it is; cite what shows it",
            )


def _is_name(history: History, word: str) -> bool:
    """Whether a history writes a word as a name inside a sentence."""
    inside = re.compile(rf"[a-z,] {re.escape(word)}\b")
    return any(inside.search(text) for text in history.shown.values())


def _asks_done(item: QAItem) -> bool:
    return _recalls_names(item) and _DONE.search(item.question.text) is not None


@unbacked_rule("claims.only_planned", Severity.WARNING, _SOURCE, applies=_asks_done)
def only_planned(history: History, item: QAItem) -> Iterator[Problem]:
    """What a question takes for done is not only thought of where its one place says the gold."""
    cited, gold = history.cited(item), history.gold(item)
    told = [part for turn in _turns(cited) for part in sentences(turn.text) if gold & roots(part)]
    wished = _PLANNED.search(item.question.text) or item.question.text.casefold().startswith("why")
    if len(cited) == 1 and told and not wished and all(_PLANNED.search(part) for part in told):
        yield problem(
            item.id,
            ("question", "text"),
            f"something that was done, not only thought of ({told[0]})",
            item.question.text,
            "ask what was planned, or cite the place that tells that it was done",
        )


def _turns(rounds: list[Round]) -> list[Turn]:
    return [turn for each in rounds for turn in each.turns]


@unbacked_rule("claims.gold_asked", Severity.WARNING, _SOURCE, applies=recalls_words)
def gold_asked(history: History, item: QAItem) -> Iterator[Problem]:
    """A gold of several words says one that the question does not say."""
    text = item.question.text
    asked: Words = roots(text)
    for at, value in enumerate(item.answer.values):
        own = roots(value) - history.names
        if len(own) >= _LEAST and own <= asked and not _ALTERNATIVES.search(text):
            yield problem(
                item.id,
                ("answer", "values", at),
                "a gold that the question does not say",
                value,
                "reword the question so that it does not give the answer away",
            )
