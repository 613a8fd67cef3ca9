"""Template and slots of a machine-worded question, derived from its text, query and names."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from support.fixtures import bundle, fact, item, mention, said

from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import fill_slots, wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.question import Wording

QUERY: dict[str, Any] = {
    "op": "count",
    "of": {
        "op": "select",
        "where": {
            "subject": "Ann",
            "attribute": "weight",
            "number": {"above": "2.5", "unit": "kg"},
        },
    },
}
HISTORY = bundle(fact(), mention(), sessions=[said("I keep bees.")])
NAMES = Names(HISTORY, Ledger(HISTORY))


def _wording(text: str) -> Wording | None:
    return wording_of(item(text, query=QUERY), parse_query(QUERY), NAMES)


def test_parts_of_the_query_become_slots() -> None:
    """Subject, attribute, bound and unit, each called after what it is."""
    wording = _wording("How often was Ann's weight above 2.5 kg?")
    assert wording is not None
    assert wording.template == "How often was {subject}'s {attribute} above {bound} {unit}?"
    assert wording.slots == {"subject": "Ann", "attribute": "weight", "bound": "2.5", "unit": "kg"}


def test_what_the_query_does_not_hold_stays_in_the_template() -> None:
    """A name or a number put in the place of another is no slot."""
    wording = _wording("How often was Ben's weight above 12.5 kg?")
    assert wording is not None
    assert wording.template == "How often was {speaker}'s {attribute} above 12.5 {unit}?"


@given(words=st.lists(st.sampled_from(["Ann", "weight", "2.5", "kg", "s", " ", "{x}", "?", "'"])))
def test_template_and_slots_give_the_text(words: list[str]) -> None:
    """Whatever the text, they realise it, unless it has braces of its own."""
    text = f"Q{''.join(words)}"
    wording = _wording(text)
    assert (wording is None) == ("{" in text or "}" in text)
    assert wording is None or fill_slots(wording) == text
