"""What a history says or shows against a fact of its ledger is found, and nothing else."""

import pytest
from support.fixtures import asset, attached, fact, mention, said, scene, session, utterance

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.validators.drift.contradictions import contradictions

FEE = "The fee of my course is 40 EUR."
FORTY = FactValue(type=ValueType.NUMBER, text="40", unit="EUR")
OWNER = {"subject": "user", "attribute": "fee of my course", "value": FORTY}


def _history(*texts: str, **of_fact: object) -> Bundle:
    return scene(fact(**{**OWNER, **of_fact}), mention(), sessions=[said(*texts)]).bundles[0]


@pytest.mark.parametrize(
    "text",
    [
        "The fee of my course is 55 EUR.",
        "No, 55 EUR is the fee of my course.",
    ],
)
def test_words_against_a_fact_are_found(text: str) -> None:
    """Another value in any round."""
    assert [one.text for one in contradictions(_history(FEE, text))]


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


@pytest.mark.parametrize("caption", ["Bill, with 55 EUR noted as the fee of my course", "a bill"])
def test_captions_are_read_too(caption: str) -> None:
    """A caption may give another value."""
    shown = utterance("D1:2", "Look.", attachments=[attached("D1:IMG_001", caption=caption)])
    first = utterance("D1:1", FEE)
    history = scene(fact(**OWNER), mention(), asset(), sessions=[session(1, first, shown)]).bundles[
        0
    ]
    assert bool(contradictions(history)) == ("55" in caption)
