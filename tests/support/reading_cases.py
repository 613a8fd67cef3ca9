"""Fixtures of the family reading: what a reader says of the usual item."""

from memassay.schemas.contracts.readings import (
    DefectKind,
    ItemReading,
    ReadDefect,
    ReaderReply,
    ReaderVerdict,
    SessionReading,
    ToldDefect,
    ToldDefectKind,
    ToldReply,
    session_reading_key,
)
from memassay.schemas.contracts.rules import RuleContext
from support.fixtures import Case, Scene, bundle, item

QUOTE = "I keep bees behind the shed"


def _scene(reading: ItemReading) -> Scene:
    asked = item()
    return Scene([bundle(asked)], RuleContext(readings={asked.id: reading}))


def _read(verdict: ReaderVerdict, *defects: ReadDefect) -> Scene:
    reply = ReaderReply(
        id="talk/Q001", steps="Who?", defects=list(defects), better="wasps", verdict=verdict
    )
    return _scene(ItemReading("m", reply, {"D1:1": f"Ann: {QUOTE}."}))


def _defect(kind: DefectKind, quote: str = QUOTE) -> ReadDefect:
    return ReadDefect(kind=kind, place="D1:1", quote=quote, why="Wasps, not bees.")


def _named(kind: DefectKind) -> Case:
    """A defect that is shown, and the same where the reader is not sure of it."""
    return Case(
        lambda: _read(ReaderVerdict.WRONG, _defect(kind)),
        lambda: _read(ReaderVerdict.UNSURE, _defect(kind)),
    )


def _round(quote: str) -> Scene:
    """What a reader says of the first session of the usual history."""
    whole = bundle(item())
    defect = ToldDefect(
        kind=ToldDefectKind.CONTRADICTS, place="D1:1", quote=quote, other="", why="Wasps."
    )
    reading = SessionReading(
        "m", ToldReply(id="D1", steps="Bees.", defects=[defect]), {"D1:1": f"Ann: {QUOTE}."}
    )
    key = session_reading_key(whole.conversation.id, "D1")
    return Scene([whole], RuleContext(readings={key: reading}))


def _read_whole(quote: str) -> Scene:
    """All sessions of the usual history read, with one defect, which may be made up."""
    whole = _round(quote)
    ((_, first),) = whole.context.readings.items()
    readings = {
        session_reading_key(one.conversation.id, session.id): first
        for one in whole.bundles
        for session in one.conversation.sessions
    }
    return Scene(whole.bundles, RuleContext(readings=readings))


CASES = {
    "reading.gold": _named(DefectKind.CONTRADICTED),
    "reading.question": _named(DefectKind.SEVERAL),
    "reading.evidence": _named(DefectKind.UNSUPPORTED),
    "reading.elsewhere": _named(DefectKind.SAID_OTHERWISE),
    "reading.form": _named(DefectKind.FORM),
    "reading.other": _named(DefectKind.OTHER),
    "reading.unsure": Case(lambda: _read(ReaderVerdict.UNSURE), lambda: _read(ReaderVerdict.RIGHT)),
    "reading.refused": Case(
        lambda: _read(ReaderVerdict.WRONG, _defect(DefectKind.FORM, "I keep wasps")),
        lambda: _read(ReaderVerdict.WRONG, _defect(DefectKind.FORM)),
    ),
    "reading.round": Case(lambda: _round(QUOTE), lambda: _round("I keep wasps")),
    "reading.whole": Case(lambda: _read_whole("I keep wasps"), lambda: _read_whole(QUOTE)),
    "reading.round_refused": Case(lambda: _round("I keep wasps"), lambda: _round(QUOTE)),
    "reading.unread": Case(
        lambda: _scene(ItemReading("m", problem="no reply")), lambda: _read(ReaderVerdict.RIGHT)
    ),
}
