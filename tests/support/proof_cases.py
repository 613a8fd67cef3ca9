"""Fixtures of the family proof."""

from typing import Any, Final

from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.records.parts.reference import Reference, SubjectDescription
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem, Wording
from support.fixtures import TALK, Case, Scene, fact, item, mention, said, scene

QUERY: dict[str, Any] = {
    "op": "get",
    "of": {"op": "select", "where": {"subject": "Ann", "attribute": "keeps"}},
    "field": "value",
}
BEES = "I keep bees behind the shed."


def proven(values: list[str] | None = None, **more: Any) -> QAItem:
    """A machine-made question whose query asks what Ann keeps."""
    return item(values=values, **{"query": QUERY, "origin": ItemOrigin.MACHINE, **more})


def _scene(of: QAItem, *texts: str) -> Scene:
    return scene(fact(), mention(span=[7, 11]), of, sessions=[said(*(texts or (BEES,)))])


FIRST: dict[str, Any] = {
    **QUERY,
    "of": {"op": "pick", "of": QUERY["of"], "by": "date", "which": "first"},
}


def _asked(text: str, query: dict[str, Any] = QUERY) -> Scene:
    return _scene(proven(text=text, query=query))


def _worded(template: str, **slots: str) -> Scene:
    return _scene(proven(wording=Wording(template=template, slots=slots)))


def _both(text: str, other: str, **more: Any) -> Scene:
    second = proven(text=other, id=f"{TALK}/Q002", **more)
    return scene(fact(), mention(span=[7, 11]), proven(text=text), second, sessions=[said(BEES)])


def _fee(later: str) -> Scene:
    """The user's course costs 40 EUR, as a query proves; then somebody says something of it."""
    where = {"subject": "user", "attribute": "fee of my course"}
    forty = FactValue(type=ValueType.NUMBER, text="40", unit="EUR")
    query = {"op": "get", "of": {"op": "select", "where": where}, "field": "value"}
    asked = proven(["40 EUR"], format=AnswerFormat.NUMBER, query=query)
    told = said("The fee of my course is 40 EUR.", later)
    return scene(fact(**where, value=forty), mention(), asked, sessions=[told])


RED_HAT: Final = Reference(
    phrase="the one with the red hat",
    description=SubjectDescription(attribute="hat", value="red"),
    means="Mira",
)


def red_hats(*wearers: str, reference: Reference = RED_HAT, text: str | None = None) -> Scene:
    """Mira keeps bees; a question calls her by her hat, which others may wear, too."""
    asked = text or f"What does {RED_HAT.phrase} keep?"
    where = {"subject": "Mira", "attribute": "keeps"}
    query = {"op": "get", "of": {"op": "select", "where": where}, "field": "value"}
    hats = [
        record
        for at, wearer in enumerate(wearers, start=2)
        for record in (
            fact(f"F{at}", "red", subject=wearer, attribute="hat"),
            mention(f"M{at}", f"F{at}"),
        )
    ]
    told = said("Mira keeps bees, and I love her red hat.")
    item_ = proven(text=asked, query=query, references=[reference])
    return scene(fact(subject="Mira"), mention(), *hats, item_, sessions=[told])


CASES = {
    "proof.executes": Case(
        bad=lambda: _scene(proven(["wasps"])),
        good=lambda: _scene(proven()),
    ),
    "proof.evidence": Case(
        bad=lambda: _scene(proven(evidence=["D1:2"]), BEES, "Lovely weather."),
        good=lambda: _scene(proven(), BEES, "Lovely weather."),
    ),
    "rival.contradicted": Case(
        bad=lambda: _fee("No, the fee of my course is 55 EUR."),
        good=lambda: _fee("No, the fee of my course is 40 EUR."),
    ),
    "proof.query_present": Case(
        bad=lambda: _scene(proven(query=None)),
        good=lambda: _scene(proven()),
    ),
    "question.asks": Case(
        bad=lambda: _asked("What does Ann not keep?"),
        good=lambda: _asked("What does Ann keep?"),
    ),
    "question.asks_likely": Case(
        bad=lambda: _asked("What does Ann keep?", FIRST),
        good=lambda: _asked("What does Ann keep first?", FIRST),
    ),
    "question.reference": Case(
        bad=lambda: red_hats("Mira", "Lou"),
        good=lambda: red_hats("Mira"),
    ),
    "question.wording": Case(
        bad=lambda: _worded("What does {subject} keep?", subject="Ben"),
        good=lambda: _worded("What does {subject} keep?", subject="Ann"),
    ),
    "pairs.one_query": Case(
        bad=lambda: _both("What does Ann keep?", "Which animals does Ann keep?"),
        good=lambda: _both("What does Ann keep?", "What does Ann keep?"),
    ),
    "pairs.two_queries": Case(
        bad=lambda: _both("What does Ann keep?", "What does Ann keep?", query=FIRST),
        good=lambda: _both("What does Ann keep?", "What does Ann keep first?", query=FIRST),
    ),
    "pairs.twin": Case(
        bad=lambda: _both("What does Ann keep?", "What does Ann drive?", twin_of=f"{TALK}/Q009"),
        good=lambda: _both("What does Ann keep?", "What does Ann drive?", twin_of=f"{TALK}/Q001"),
    ),
}
