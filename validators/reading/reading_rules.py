"""Rules on what somebody who read an item says of it; without a reader they say nothing."""

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from memassay.schemas.contracts.readings import (
    DefectKind,
    ItemReading,
    ReadDefect,
    ReaderReply,
    ReaderVerdict,
    session_reading_key,
)
from memassay.schemas.contracts.rules import LooksAt, Problem, Rule, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.reading.quotes import why_refused
from memassay.validators.registry import RULES, problem

_SOURCE: Final = "memassay design, the assay: items without a ledger need somebody who reads"
_LONGEST: Final = 400
UNREAD: Final = "reading.unread"
"""The rule whose finding says that no reply about an item could be used."""


class _Group(NamedTuple):
    """Kinds of defects that one rule is about.

    Attributes:
        what: What the rule demands.
        expected: The same, in a message.
        parts: Where the finding points to.
        kinds: The kinds.
    """

    what: str
    expected: str
    parts: tuple[str, ...]
    kinds: tuple[DefectKind, ...]


_GROUPS: Final = {
    "reading.gold": _Group(
        "A gold is what a reader of the evidence would answer: its person, its time, all of it.",
        "the answer that the rounds give",
        ("answer", "values"),
        (
            DefectKind.CONTRADICTED,
            DefectKind.NOT_SAID,
            DefectKind.OTHER_PERSON,
            DefectKind.OTHER_TIME,
            DefectKind.INCOMPLETE,
            DefectKind.TOO_MUCH,
            DefectKind.TOO_BROAD,
            DefectKind.ANSWERED,
        ),
    ),
    "reading.question": _Group(
        "A question asks what its gold answers, of what did happen, and has one answer.",
        "a question that a reader of the rounds can answer in one way",
        ("question", "text"),
        (DefectKind.ASKS_ELSE, DefectKind.PRESUPPOSES, DefectKind.SEVERAL),
    ),
    "reading.evidence": _Group(
        "A reader of the evidence finds the gold in it.",
        "evidence in which a reader finds the gold",
        ("evidence", "canonical"),
        (DefectKind.UNSUPPORTED,),
    ),
    "reading.elsewhere": _Group(
        "A reader finds no other answer in another round, in a later one or in a caption.",
        "a gold that no other place goes against",
        ("answer", "values"),
        (DefectKind.SAID_OTHERWISE, DefectKind.TAKEN_BACK, DefectKind.CAPTION),
    ),
    "reading.form": _Group(
        "A gold has the form that is asked for.",
        "a gold of the form asked for",
        ("answer", "values"),
        (DefectKind.FORM,),
    ),
    "reading.other": _Group(
        "A reader has nothing else against an item.",
        "an item that a reader has nothing against",
        ("question", "text"),
        (DefectKind.OTHER,),
    ),
}


def _read(bundle: Bundle, context: RuleContext) -> Iterator[tuple[QAItem, ItemReading]]:
    """The items that were read."""
    for item in bundle.questions if context.readings else ():
        if (reading := context.readings.get(item.id)) is not None:
            yield item, reading


def _item_problems(group: _Group, bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What a reader who calls an item wrong shows to be wrong with it."""
    for item, reading in _read(bundle, context):
        reply = reading.reply
        if reply is None or reply.verdict is not ReaderVerdict.WRONG:
            continue
        for defect in reply.defects:
            if defect.kind in group.kinds and not why_refused(reading, defect):
                yield _problem(item, reading, reply, defect, group)


def _problem(
    item: QAItem, reading: ItemReading, reply: ReaderReply, defect: ReadDefect, group: _Group
) -> Problem:
    got = _got(item, group.parts)
    target, pointer, head, _ = problem(item.id, group.parts, group.expected, got, "")
    better = line_of(reply.better)
    message = f"{head}; {_reader_words(reading, defect)}" + (
        f"; better: '{better}'" if better else ""
    )
    where = f" at {line_of(defect.place)}" if defect.place.strip() else ""
    return target, pointer, message, f"Look{where}: a model read this and may be wrong."


def _got(item: QAItem, parts: tuple[str, ...]) -> object:
    if parts[0] == "question":
        return item.question.text
    return item.answer.values if parts[0] == "answer" else item.evidence.canonical


def _reader_words(reading: ItemReading, defect: ReadDefect) -> str:
    """What a reader says is wrong, and the words it shows for it."""
    place, quote = line_of(defect.place), line_of(defect.quote)
    shown = f" ({place}: '{quote}')" if quote else f" ({place})" if place else ""
    return f"{reading.reader} reads: {defect.kind}{shown}: {line_of(defect.why)}"


def line_of(text: str) -> str:
    """A text of a model in one line that can be printed."""
    plain = "".join(one if one.isprintable() else " " for one in text)
    # ", got" is where readers of messages look for what was found.
    words = " ".join(plain.split()).replace(", got ", " got ")
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


for _id, _group in _GROUPS.items():
    RULES.add(
        Rule(
            _id,
            Severity.WARNING,
            _group.what,
            _SOURCE,
            LooksAt.READER,
            conversation_check=partial(_item_problems, _group),
        )
    )


@RULES.conversation("reading.unsure", Severity.INFO, _SOURCE, looks_at=LooksAt.READER)
def unsure(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A reader is sure of an item, or names what is wrong with it."""
    for item, reading in _read(bundle, context):
        reply = reading.reply
        if reply is None or reply.verdict is ReaderVerdict.RIGHT:
            continue
        if reply.verdict is ReaderVerdict.WRONG and reply.defects:
            continue
        doubts = [
            _reader_words(reading, one) for one in reply.defects if not why_refused(reading, one)
        ]
        doubt = "; ".join(doubts) or f"{reading.reader} reads: {line_of(reply.steps)}"
        yield _note(item, "a reader who is sure", f"{reply.verdict}", doubt)


@RULES.conversation("reading.refused", Severity.INFO, _SOURCE, looks_at=LooksAt.READER)
def check_quotes(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """What a reader quotes is at the place that it names, which it was shown."""
    for item, reading in _read(bundle, context):
        reply = reading.reply
        if reply is None or reply.verdict is not ReaderVerdict.WRONG:
            continue
        for defect in reply.defects:
            if why := why_refused(reading, defect):
                expected = "a defect that is shown with words of a place"
                yield _note(item, expected, why, _reader_words(reading, defect))


@RULES.conversation(UNREAD, Severity.INFO, _SOURCE, looks_at=LooksAt.READER)
def unread(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
    """A reader replies in the form asked for."""
    name = bundle.conversation.id
    sessions = enumerate(bundle.conversation.sessions if context.readings else ())
    looked = [(item.id, item.id, "") for item in bundle.questions] + [
        (session_reading_key(name, one.id), name, f"/sessions/{at}") for at, one in sessions
    ]
    for key, record, pointer in looked:
        reading = context.readings.get(key)
        if reading is not None and reading.reply is None:
            expected = "a reply of the reader that can be used"
            fix = "Run again with --retry-failed, or name another model."
            _, _, head, _ = problem(key, (), expected, "none", fix)
            why = line_of(reading.problem.removeprefix(f"{key}: "))
            yield record, pointer, f"{head}: {why}", fix


def _note(item: QAItem, expected: str, got: str, told: str) -> Problem:
    parts = ("question", "text")
    target, pointer, head, _ = problem(item.id, parts, expected, got, "")
    return target, pointer, f"{head}; {told}", "Read it yourself if it matters."
