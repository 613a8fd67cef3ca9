"""A good and a bad fixture for each rule on what pictures show and what is read off them."""

from typing import Any, Final

from memassay.schemas.records.drawn import DrawnFigure, DrawnRule, DrawnTurn
from memassay.schemas.records.ledger import FactHolder, FactStatus, Mention
from memassay.synth.pictures.drawing.again import drawn_figure
from support.audit_cases import event
from support.drawn_cases import FIGURE, SUBJECT, changed, receipt, shown
from support.fixtures import Case, Scene, fact, mention, session, utterance

PRICES: Final = {"image:bill:Frames": "talk/F2", "image:bill:Wax": "talk/F3"}


def figure(**laws: Any) -> Scene:
    """The receipt in a history, with laws."""
    return shown(noted={"figure": drawn_figure(FIGURE).model_copy(update=laws)})


def above(smaller: str, greater: str, by: str = "0") -> Scene:
    """The receipt with one rule."""
    return figure(rules=[DrawnRule(smaller=smaller, greater=greater, by=by)])


def turning(shape: str) -> Scene:
    """The receipt of three amounts, 31.50, 8.20 and 39.70, that turn."""
    return figure(turns=[DrawnTurn(shape=shape, cells=["Frames", "Wax", "Total"])])  # type: ignore[arg-type]


def dated(until: str) -> Scene:
    """The receipt as a picture whose last row is a day, in a session of 8 May 2023."""
    of = figure(until=until)
    (bundle,) = of.bundles
    talk = bundle.conversation
    sessions = [one.model_copy(update={"date": "2023-05-08"}) for one in talk.sessions]
    talk = talk.model_copy(update={"sessions": sessions})
    return Scene([bundle.model_copy(update={"conversation": talk})], of.context)


def ranked(form: str, place: str) -> Scene:
    """The receipt in a history whose event says that a price is the highest or lowest."""
    slots = {**PRICES, f"read:0:{form}:{place}": PRICES[place]}
    return changed(events=[event(facts=slots)])


def read(of: str, number: int, **more: Any) -> Mention:
    """A fact that is said in a round of the session."""
    where = {"round": f"D1:{number}", "turn": f"D1:{number}.1"}
    return mention(f"M{20 + number}", of, **{**where, **more})


def aloud(number: int) -> Scene:
    """Two rounds of which the second shows the receipt; one of them says what the wax costs."""
    of = changed(mentions=[*_later(), read("F3", number)])
    (bundle,) = of.bundles
    (first,) = bundle.conversation.sessions
    (looks,) = first.rounds
    talk = bundle.conversation.model_copy(
        update={"sessions": [session(1, utterance("D1:1", "8.20 EUR"), _second(looks))]}
    )
    return Scene([bundle.model_copy(update={"conversation": talk})], of.context)


def _second(round_: Any) -> Any:
    turns = [one.model_copy(update={"id": "D1:2.1"}) for one in round_.turns]
    return round_.model_copy(update={"id": "D1:2", "turns": turns})


def _later() -> list[Mention]:
    later = {"round": "D1:2", "turn": "D1:2.1"}
    return [one.model_copy(update=later) for one in receipt()[2]]


def misread(*mentions: Mention) -> Scene:
    """Somebody took the price of the wax for another."""
    held = {"holder": FactHolder.SPEAKER, "speaker": "ann", "status": FactStatus.RETRACTED}
    wrong = fact("F9", "8.02", subject=SUBJECT, attribute="Wax", **held)
    of = changed(mentions=[*receipt()[2], *mentions], facts=[*receipt()[1], wrong])
    (bundle,) = of.bundles
    (first,) = bundle.conversation.sessions
    rounds = [*first.rounds, utterance("D1:2", "8.20, not 8.02.")]
    sessions = [first.model_copy(update={"rounds": rounds})]
    talk = bundle.conversation.model_copy(update={"sessions": sessions})
    return Scene([bundle.model_copy(update={"conversation": talk})], of.context)


def claimed(text: str) -> Scene:
    """Somebody says a text beside a chart of 9, 4 and 7 jars."""
    bars = DrawnFigure(
        kind="bar_chart",
        title="Jars",
        measure="jars",
        unit="jars",
        rows=["May", "June", "July"],
        cells=[["9 jars"], ["4 jars"], ["7 jars"]],
    )
    of = shown(noted={"figure": bars})
    (bundle,) = of.bundles
    (first,) = bundle.conversation.sessions
    (looks,) = first.rounds
    turns = [one.model_copy(update={"text": text}) for one in looks.turns]
    rounds = [looks.model_copy(update={"turns": turns})]
    sessions = [first.model_copy(update={"rounds": rounds})]
    talk = bundle.conversation.model_copy(update={"sessions": sessions})
    return Scene([bundle.model_copy(update={"conversation": talk})], of.context)


CASES: Final = {
    "picture.claim": Case(
        bad=lambda: claimed("June is clearly the tallest. Good."),
        good=lambda: claimed("May is clearly the tallest, and June has the fewest."),
    ),
    "picture.law": Case(
        bad=lambda: above("Frames", "Wax", "1"), good=lambda: above("Wax", "Frames", "23.3")
    ),
    "picture.until": Case(bad=lambda: dated("2023-05-09"), good=lambda: dated("2023-05-08")),
    "picture.unique": Case(
        bad=lambda: ranked("highest", "image:bill:Wax"),
        good=lambda: ranked("lowest", "image:bill:Wax"),
    ),
    "reading.value": Case(bad=lambda: aloud(1), good=lambda: aloud(2)),
    "reading.corrected": Case(
        bad=lambda: misread(read("F9", 1)),
        good=lambda: misread(read("F9", 1), read("F9", 2, form="denied")),
    ),
}
