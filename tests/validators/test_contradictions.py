"""What a history says or shows against a fact of its ledger is found, and nothing else."""

import pytest
from support.fixtures import asset, attached, fact, mention, said, scene, session, utterance

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactValue, MentionForm, ValueType
from memassay.validators.drift.contradictions import contradictions

FEE = "The fee of my course is 40 EUR."
FORTY = FactValue(type=ValueType.NUMBER, text="40", unit="EUR")
OWNER = {"subject": "user", "attribute": "fee of my course", "value": FORTY}
DAY = FactValue(type=ValueType.DATE, text="2024-04-01")


def _history(*texts: str, **of_fact: object) -> Bundle:
    return scene(fact(**{**OWNER, **of_fact}), mention(), sessions=[said(*texts)]).bundles[0]


@pytest.mark.parametrize(
    "text",
    [
        "The fee of my course is 55 EUR.",
        "The fee of my course is not 40 EUR after all.",
        "Nobody can confirm 40 EUR for the fee of my course.",
        "It was never 40 EUR, the fee of my course.",
        "40 EUR is not the fee of my course.",
    ],
)
def test_words_against_a_fact_are_found(text: str) -> None:
    """Another value, or the value taken back, in any round."""
    assert [one.text for one in contradictions(_history(FEE, text))]


@pytest.mark.parametrize(
    "text",
    ["Forget the 40 EUR, I made that up.", "Hm, it isn't 40 EUR, though.", "No, 40 EUR is wrong."],
)
def test_a_turn_may_not_take_back_what_it_states(text: str) -> None:
    """In the turn that states it, the value alone is enough."""
    assert contradictions(_history(f"{FEE} {text}"))


@pytest.mark.parametrize(
    "text",
    [
        "The fee of my course is 40 EUR, not 55 EUR.",
        "I paid 40 EUR, and that is not a joke.",
        "I took the wrong bus to it.",
        "Would 40 EUR be wrong of them?",
        "It is 40 EUR, and it is not 40 EUR for nothing.",
    ],
)
def test_words_for_it_are_none(text: str) -> None:
    """A value that is named and not denied speaks against nothing."""
    assert contradictions(_history(f"{FEE} {text}")) == []


def test_days_are_denied_in_words() -> None:
    """A date of the ledger is written as people write it."""
    history = _history("My visit is on 1 April 2024. No, wait, 1 April 2024 is wrong.", value=DAY)
    assert contradictions(history)


def test_what_the_ledger_denies_is_none() -> None:
    """A denial that is a mention is known."""
    denied = mention("M2", form=MentionForm.DENIED)
    text = f"{FEE} Forget the 40 EUR, I made that up."
    history = scene(fact(**OWNER), mention(), denied, sessions=[said(text)]).bundles[0]
    assert contradictions(history) == []


def test_a_changed_procedure_is_found() -> None:
    """One more step in the turn that tells the steps."""
    text = "First I rinse it. And before the last step I wait."
    assert contradictions(
        _history(text, value=FactValue(type=ValueType.TEXT, text="rinse it"), order=1)
    )


@pytest.mark.parametrize("caption", ["Bill, with 55 EUR noted as the fee of my course", "a bill"])
def test_captions_are_read_too(caption: str) -> None:
    """A caption may give another value."""
    shown = utterance("D1:2", "Look.", attachments=[attached("D1:IMG_001", caption=caption)])
    first = utterance("D1:1", FEE)
    history = scene(fact(**OWNER), mention(), asset(), sessions=[session(1, first, shown)]).bundles[
        0
    ]
    assert bool(contradictions(history)) == ("55" in caption)
