"""What an audit takes for drift and for invention, and what it lets pass."""

import pytest
from support.audit_cases import ANN, CASES, event, exchange, heat
from support.fixtures import asset, attached, mention, scene

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.validators.drift.audit_rules import reads_what_is_there, stays_on_its_line

STATEMENT = "for years she climbed rope ladders up the sides of freighters and took them to berths"


def _bundle(user: str, said: FactValue, span: tuple[int, int] | None) -> Bundle:
    """Ann's event, told in one round in which a fact is noted at a span of the user's turn."""
    mentions = [mention(turn="D1:1.1", span=list(span), speaker="ann")] if span else []
    facts = [heat(1, value=said), heat(2, "1260", attribute="second temperature")]
    told = [exchange(1, user)]
    (bundle,) = scene(ANN, event(1), *facts, sessions=told).bundles
    return bundle.model_copy(update={"mentions": mentions})


def _drifts(bundle: Bundle) -> bool:
    return bool([*stays_on_its_line(bundle, RuleContext())])


def test_a_round_that_says_its_facts_may_name_strangers() -> None:
    """A name of nobody in the history is drift only where the round's facts are not said."""
    text = "It reached 1240 degC, as hot as summers are in Vietnam, with plastic stools outside."
    heat = FactValue(type=ValueType.NUMBER, text="1240", unit="degC")
    assert not _drifts(_bundle(text, heat, (11, 20)))
    assert _drifts(_bundle(text.replace("1240 degC", "so much"), heat, None))


@pytest.mark.parametrize(
    ("text", "drifts"),
    [
        (STATEMENT, False),
        (
            "for the crew of the table, and up they went to get all of the pans",
            True,
        ),
    ],
)
def test_little_words_say_no_statement(text: str, drifts: bool) -> None:
    """A statement is said where half of its words stand, not where `for` and `the` do."""
    said = FactValue(type=ValueType.TEXT, text=STATEMENT)
    assert _drifts(_bundle(text, said, (0, len(text)))) is drifts


@pytest.mark.parametrize(("phrase", "drifts"), [("good", False), ("bad", True)])
def test_a_day_may_be_said_from_the_day_of_its_session(phrase: str, drifts: bool) -> None:
    """`two days ago` says the day on which something happened; `three days ago` another."""
    (bundle,) = getattr(CASES["time.phrase"], phrase)().bundles
    assert _drifts(bundle) is drifts


@pytest.mark.parametrize(("quoted", "invented"), [("Peak", False), ("Tuesday", True)])
def test_what_is_quoted_from_a_picture_stands_in_it(quoted: str, invented: bool) -> None:
    """That something was said long ago does not put it into the picture of this round."""
    shown = [attached("D2:IMG_001")]
    answer = f'At the bottom of the chart it says "{quoted}".'
    told = [exchange(1, "It was a Tuesday."), exchange(2, "Look.", answer, attachments=shown)]
    facts = [heat(1), heat(2, "1260", attribute="second temperature")]
    events = [event(1), event(2, title="the second firing")]
    (bundle,) = scene(ANN, *events, *facts, sessions=told).bundles
    talk = bundle.conversation
    speakers = [
        one.model_copy(update={"kind": "assistant"}) if one.id == "ben" else one
        for one in talk.speakers
    ]
    talk = talk.model_copy(update={"speakers": speakers})
    seen = asset(transcription="Kiln log. Peak 1240 degC.")
    bundle = bundle.model_copy(update={"conversation": talk, "assets": [seen]})
    assert bool([*reads_what_is_there(bundle, RuleContext())]) is invented


@pytest.mark.parametrize(("change", "invented"), [("30", False), ("40", True)])
def test_how_far_two_shown_values_lie_apart_is_read_off(change: str, invented: bool) -> None:
    """The difference of two numbers of a picture is there to be read, another number is not."""
    (bundle,) = CASES["audit.hallucination"].good().bundles
    talk = bundle.conversation
    (session,) = talk.sessions[:1]
    round_ = session.rounds[0]
    said = f"If I read the chart correctly, Tuesday is {change} below Monday."
    turns = [round_.turns[0], round_.turns[1].model_copy(update={"text": said})]
    told = session.model_copy(update={"rounds": [round_.model_copy(update={"turns": turns})]})
    seen = asset(transcription="Kiln log. Monday 1240. Tuesday 1210.")
    talk = talk.model_copy(update={"sessions": [told, *talk.sessions[1:]]})
    bundle = bundle.model_copy(update={"conversation": talk, "assets": [seen]})
    assert bool([*reads_what_is_there(bundle, RuleContext())]) is invented
