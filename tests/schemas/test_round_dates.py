"""A round may have a day of its own inside a session, and what was stated in it is of that day."""

from support.fixtures import TALK, bundle, fact, item, mention, session, utterance

from memassay.schemas.changes.operations import MoveSession
from memassay.schemas.changes.restructure import restructure
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import AskedAt
from memassay.validators.check import check


def _round(place: str, text: str, date: str | None = None) -> Round:
    return utterance(place, text).model_copy(update={"date": date})


def _history(second: str = "2024-03-06", third: str = "2024-03-11") -> Bundle:
    first = session(
        1,
        _round("D1:1", "I keep bees behind the shed."),
        _round("D1:2", "The swarm left yesterday.", second),
        date="2024-03-04",
    )
    return bundle(
        fact("F1"),
        fact("F2", "the swarm left"),
        mention("M1", "F1"),
        mention("M2", "F2", round="D1:2", turn="D1:2.1"),
        sessions=[first, session(2, _round("D2:1", "They came back."), date=third)],
    )


def _rules(given: Bundle) -> set[str]:
    return {each.rule for each in check([given], RuleContext())}


def test_a_fact_was_stated_on_the_day_of_its_round() -> None:
    """The round's own date, else that of its session."""
    ledger = Ledger(_history())
    told = [
        ledger.told_on(ledger.facts[f"{TALK}/F{at}"], ledger.moment(AskedAt())) for at in (1, 2)
    ]
    assert told == ["2024-03-04", "2024-03-06"]


def test_a_session_ends_on_the_day_of_its_last_round() -> None:
    """What holds until the fifth no longer holds after a session that ends on the sixth."""
    ledger = Ledger(_history())
    assert ledger.moment(AskedAt(session="D1")).date == "2024-03-06"
    assert ledger.moment(AskedAt()).date == "2024-03-11"


def test_rounds_go_forward_as_sessions_do() -> None:
    """A round before its session, or a session before the last round, is out of order."""
    assert "time.session_order" not in _rules(_history())
    assert "time.session_order" in _rules(_history(second="2024-03-03"))
    assert "time.session_order" in _rules(_history(third="2024-03-05"))


def test_the_date_of_a_round_is_a_day_that_exists() -> None:
    """As that of a session."""
    assert "time.readable" in _rules(_history(second="2024-02-30"))


def test_relative_dates_count_from_the_day_of_the_round() -> None:
    """Yesterday of the sixth is the fifth; counted from the session it was an error."""
    given = _history()
    asked = item("When was it that the swarm left?", evidence=["D1:2"], values=["2024-03-05"])
    wrong = item("When was it that the swarm left?", evidence=["D1:2"], values=["2024-03-03"])
    assert "dates.contradicts" not in _rules(given.model_copy(update={"questions": [asked]}))
    assert "dates.contradicts" in _rules(given.model_copy(update={"questions": [wrong]}))


def test_a_moved_session_takes_the_days_of_its_rounds_along() -> None:
    """A week later for the session is a week later for the round."""
    moved = restructure(
        MoveSession(session="D1", position=1, date="2024-03-11"), _history(third="2024-03-30")
    )
    assert moved.bundle.conversation.sessions[0].rounds[1].date == "2024-03-13"
