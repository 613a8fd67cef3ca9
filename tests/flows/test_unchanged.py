"""A session joins a host with a ledger only if every query gives its gold again over the whole."""

from typing import Any

import pytest
from support.fixtures import bundle, fact, item, mention, session, talk, utterance

from memassay.flows.stages.unchanged import Standing
from memassay.schemas.changes.lending import address_people, lent, roles
from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SessionArc
from memassay.schemas.records.question import QAItem

OWN = [
    session(1, utterance("D1:1", "I keep bees behind the shed."), date="2024-03-01"),
    session(2, utterance("D2:1", "The hive hums."), date="2024-04-01"),
]
ANN = {"op": "select", "where": {"subject": "Ann"}}
KEEPS = {"op": "select", "where": {"subject": "Ann", "attribute": "keeps"}}


def _item(values: list[str], query: dict[str, Any], **more: Any) -> QAItem:
    return item("What hums behind the shed?", values, query=query, **more)


def _host(*questions: QAItem) -> Bundle:
    known = mention(span=[7, 11])
    return bundle(fact(), known, *questions, sessions=OWN)


def _joined(host: Bundle, text: str, **stated: Any) -> Bundle:
    """The host with a session of another conversation that states a fact."""
    word = text.split()[-1].rstrip(".")
    start = text.index(word)
    said = session(1, utterance("D1:1", text), date="2024-01-01")
    guest = bundle(
        fact(text=word, **stated), mention(span=[start, start + len(word)]), sessions=[said]
    )
    guest = _named(guest, "other")
    to = roles(guest.conversation, "D1", host.conversation)
    assert to is not None
    own = address_people(lent(guest, "D1", ledger=True), to)
    speakers = {old: new.id for old, new in to.items()}
    visit = Visit("other.D1", 1, ["2024-03-15"], speakers, SessionArc.SIDE)
    return merge_guest(host, own, visit).bundle


def _named(guest: Bundle, name: str) -> Bundle:
    text = guest.model_dump_json().replace(f'"{guest.id}', f'"{name}')
    return Bundle.model_validate_json(text)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("My garden shed holds wasps.", {}),
        ("My garden shed holds wasps.", {"subject": "ANN"}),
    ],
)
def test_a_fact_about_what_the_host_has_facts_about_is_refused(
    text: str, stated: dict[str, Any]
) -> None:
    """Whatever the case of its subject is written in."""
    host = _host()
    _, why = Standing.of(host).with_more(_joined(host, text, **stated))
    assert "distractors.fact" in {one.rule for one in why}


def test_a_fact_of_another_property_that_a_query_counts_is_refused() -> None:
    """The query says so that is executed again, though no word of the question is said."""
    host = _host(_item(["1"], {"op": "count", "of": ANN}, format="number"))
    _, why = Standing.of(host).with_more(_joined(host, "Lately I paint owls.", attribute="paints"))
    assert {one.rule for one in why} >= {"proof.executes"}


def test_a_fact_that_answers_a_refusal_is_refused() -> None:
    """What was absent no longer is."""
    query = {
        "op": "absent",
        "of": {"op": "select", "where": {"subject": "Ann", "attribute": "paints"}},
    }
    host = _host(_item(["Not mentioned."], query, format="refusal", answerable=False, evidence=[]))
    standing = Standing.of(host)
    assert standing.given
    _, why = standing.with_more(_joined(host, "Lately I collect owls.", attribute="paints"))
    assert "proof.executes" in {one.rule for one in why}


def test_a_fact_about_something_else_changes_nothing() -> None:
    """The query gives its gold from the same facts, and the session may join."""
    host = _host(_item(["bees"], KEEPS))
    standing = Standing.of(host)
    assert standing.given
    now, why = standing.with_more(_joined(host, "The ferry carries cars.", subject="ferry"))
    assert why == []
    assert len(now.bundle.facts) == 2
    assert now.given.keys() == standing.given.keys()


def test_people_keep_their_roles_and_a_third_has_none() -> None:
    """A session in which more people speak than the host has cannot join."""
    three = talk(
        session(1, utterance("D1:1", "Hello.", "ann"), utterance("D1:2", "Hello.", "ben")),
    )
    alone = talk(*OWN)
    alone = alone.model_copy(update={"speakers": alone.speakers[:1]})
    assert roles(three, "D1", alone) is None
    assert roles(alone, "D1", three) is not None
