"""Fixtures of the audits of timelines and dialogues: a potter's short history, flawed and sound."""

from typing import Any

from memassay.schemas.records.conversation import Round, RoundKind, Session
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.schemas.records.persona import Persona
from support.fixtures import (
    TALK,
    Case,
    Scene,
    asset,
    attached,
    fact,
    mention,
    scene,
    session,
    turn,
)

ANN = Persona(
    id=f"{TALK}/persona",
    conversation=TALK,
    name="Ann",
    profession="studio potter",
    summary="Ann throws pots in a shed and sells them at the market.",
    core_event="Ann buys a used kiln and fires her first porcelain in it.",
)


def event(number: int = 1, **more: Any) -> TimelineEvent:
    """An event of Ann's core line; the second is a week after the first."""
    fields: dict[str, Any] = {
        "id": f"{TALK}/E{number:03d}",
        "conversation": TALK,
        "position": number,
        "session": number,
        "date": f"2024-03-{4 + 7 * (number - 1):02d}T09:30",
        "line": EventLine.CORE,
        "title": "the firing of the kiln",
        "query": "Is the kiln hot enough?",
        "keyword": "kiln",
        "card": "kiln",
        "source_sha256": "0" * 64,
        "facts": {"heat": f"{TALK}/F{number}"},
    }
    return TimelineEvent(**{**fields, **more})


def heat(number: int = 1, degrees: str = "1240", **more: Any) -> Fact:
    """What the kiln reaches."""
    value = FactValue(type=ValueType.NUMBER, text=degrees, unit="degC")
    fields = {"subject": "user", "attribute": "kiln temperature", "value": value}
    return fact(f"F{number}", **{**fields, **more})


def exchange(number: int, user: str, assistant: str = "Good.", **more: Any) -> Session:
    """A session of one round in which Ann's event comes up."""
    place = f"D{number}:1"
    turns = [turn(f"{place}.1", user, **more), turn(f"{place}.2", assistant, "ben")]
    told = Round(id=place, kind=RoundKind.EXCHANGE, turns=turns, event=f"{TALK}/E{number:03d}")
    return session(number, told)


def _timeline(*events: TimelineEvent, **more: Any) -> Scene:
    return scene(ANN, *events, heat(1), heat(2, "1260", attribute="second temperature"), **more)


def _fired(phrase: str) -> Scene:
    """A firing of 2 March, named by a phrase on 4 March."""
    fired = event(stage="fired", happened="2024-03-02", facts={"date": f"{TALK}/F1"})
    day = FactValue(type=ValueType.DATE, text="2024-03-02")
    dated = fact("F1", subject=fired.title, attribute="date", value=day)
    seen = mention(round="D1:1", turn="D1:1.1", span=[0, len(phrase)])
    return scene(ANN, fired, dated, seen, sessions=[exchange(1, phrase)])


def _told(*sessions: Session) -> Scene:
    """Ann's two events, told in sessions; what Ben says, the assistant of these fixtures says."""
    return _timeline(event(1), event(2, title="the second firing"), sessions=list(sessions))


def _said(user: str, assistant: str = "Good.") -> Scene:
    return _told(exchange(1, user, assistant))


def _assistant(text: str) -> Scene:
    """The assistant says it about a picture that shows 1240 degC."""
    shown = [attached("D1:IMG_001")]
    of = _told(exchange(1, "Look at the chart.", text, attachments=shown))
    seen = asset(transcription="Kiln log. Peak 1240 degC.")
    (bundle,) = of.bundles
    talk = bundle.conversation
    speakers = [
        one.model_copy(update={"kind": "assistant"}) if one.id == "ben" else one
        for one in talk.speakers
    ]
    talk = talk.model_copy(update={"speakers": speakers})
    return Scene([bundle.model_copy(update={"conversation": talk, "assets": [seen]})])


def _noted(text: str) -> Scene:
    """A turn in which the kiln's temperature is noted at the end of its first sentence."""
    (bundle,) = _said(text).bundles
    at = len("It reached ")
    noted = mention(turn="D1:1.1", span=[at, at + 9], speaker="ann")
    return Scene([bundle.model_copy(update={"mentions": [noted]})])


CASES = {
    "timeline.persona": Case(
        bad=lambda: _timeline(event(query="As a dentist, is the kiln hot enough?")),
        good=lambda: _timeline(event(query="As a potter, is the kiln hot enough?")),
    ),
    "timeline.drift": Case(
        bad=lambda: _timeline(event(title="the ferry to the island", query="Does it sail?")),
        good=lambda: _timeline(event()),
    ),
    "timeline.contradiction": Case(
        bad=lambda: scene(ANN, event(1), event(2), heat(1), heat(2, "1180")),
        good=lambda: scene(
            ANN, event(1), event(2), heat(1), heat(2, "1180", supersedes=["talk/F1"])
        ),
    ),
    "timeline.date_order": Case(
        bad=lambda: _timeline(event(1), event(2, date="2024-03-04T09:30")),
        good=lambda: _timeline(event(1), event(2, date="2024-03-04T09:31")),
    ),
    "time.told": Case(
        bad=lambda: _timeline(event(stage="fired", happened="2024-03-05")),
        good=lambda: _timeline(event(stage="fired", happened="2024-03-02")),
    ),
    "time.phrase": Case(bad=lambda: _fired("three days ago"), good=lambda: _fired("two days ago")),
    "timeline.offensive": Case(
        bad=lambda: _timeline(event(query="Which idiot built this kiln?")),
        good=lambda: _timeline(event(query="Which idiom suits this kiln?")),
    ),
    "audit.persona": Case(
        bad=lambda: _said("I work as a dentist, so the kiln is a hobby."),
        good=lambda: _said("I work as a potter, so the kiln is my living."),
    ),
    "audit.drift": Case(
        bad=lambda: _noted("The ferry sails at dawn."),
        good=lambda: _noted("It reached 1240 degC at dawn."),
    ),
    "audit.contradiction": Case(
        bad=lambda: _said("As I said, my kiln temperature was 1180 degC."),
        good=lambda: _said("As I said, my kiln temperature was 1240 degC."),
    ),
    "audit.hallucination": Case(
        bad=lambda: _assistant("The chart shows 1190 at the end."),
        good=lambda: _assistant("The chart shows 1240 at the end."),
    ),
    "audit.date_order": Case(
        bad=lambda: _said("Today is 9 March 2024, a fine day."),
        good=lambda: _said("Today is 4 March 2024, a fine day."),
    ),
    "audit.offensive": Case(
        bad=lambda: _said("What a load of bullshit about kilns."),
        good=lambda: _said("What a load of bulls and bricks about kilns."),
    ),
}
