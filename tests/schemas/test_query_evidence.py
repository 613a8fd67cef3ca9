"""From why to where: groups of alternatives, visible by asking time in an allowed modality."""

from typing import Any

import pytest
from support.ledgers import fact, get, ledger_of, mention, run, select

from memassay.schemas.base import Modality
from memassay.schemas.errors import NoResultError, NotVisibleError, QueryError
from memassay.schemas.queries.evidence import decoy_places, evidence_of
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.question import AskedAt, Evidence

Document = dict[str, Any]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Facts told once, twice, in pictures, in halves, in a session; entailed and external ones."""
    return ledger_of(
        [
            (fact("F1", "amy", "pet", "Rex"), "D1:1 D3:1"),
            (fact("F2", "Rex", "breed", "Boxer"), "D1:1"),
            (fact("F3", "Boxer", "origin", "Germany", holder="external"), ""),
            (fact("F4", "van", "colour", "red"), "D2:1"),
            (fact("F5", "amy", "owner", "yes", status="implied", entailed_by=["F1", "F4"]), ""),
            (fact("F6", "amy", "keeper", "yes", status="implied", entailed_by=["F5"]), ""),
            (fact("F7", "gate", "code", "4-7"), ""),
            (fact("F8", "hint", "code", "dark"), ""),
            (fact("F9", "amy", "moved", "2024-02-05", kind="date"), ""),
            (fact("F10", "team", "rule", "no meetings", session="D3"), ""),
            (fact("F11", "Q:IMG_001", "breed", "Boxer", scope="question"), ""),
            (fact("F12", "radio", "says", "rain", status="interference"), "D2:2"),
        ],
        [
            mention("F4_M9", "F4", "D1:4", modality="image", attachment="D1:IMG_001"),
            mention("F7_M1", "F7", "D1:2", form="partial"),
            mention("F7_M2", "F7", "D3:2", form="partial"),
            mention("F8_M1", "F8", "D1:2", form="partial"),
            mention("F9_M1", "F9", "D2:3", form="partial"),
            mention("F2_M9", "F2", "D2:4", form="partial"),
        ],
    )


def _evidence(ledger: Ledger, query: Document, *modalities: str, **asked_at: str) -> Evidence:
    at = AskedAt.model_validate(asked_at)
    looked = [Modality(modality) for modality in modalities]
    return evidence_of(run(query, ledger, "all", **asked_at), ledger, at, looked)


def test_any_full_mention_will_do(ledger: Ledger) -> None:
    """Rounds of one fact are alternatives; the canonical one is the earliest."""
    found = _evidence(ledger, get(select(attribute="pet")))
    assert found.groups == [["D1:1", "D3:1"]]
    assert found.canonical == ["D1:1"]
    assert found.facts == ["c/F1"]


def test_a_group_that_another_one_implies_is_dropped(ledger: Ledger) -> None:
    """Whoever reads D1:1 for the breed has read of the pet there."""
    query = get({"op": "follow", "of": select(attribute="pet"), "attribute": "breed"})
    assert _evidence(ledger, query).groups == [["D1:1"]]


def test_only_mentions_by_asking_time_count(ledger: Ledger) -> None:
    """The second mention of the pet is yet to come."""
    assert _evidence(ledger, get(select(attribute="pet")), checkpoint="C1").groups == [["D1:1"]]


def test_only_allowed_modalities_count(ledger: Ledger) -> None:
    """Text tells of the colour in D2:1, the picture in D1:4."""
    query = get(select(attribute="colour"))
    assert _evidence(ledger, query).groups == [["D1:4", "D2:1"]]
    assert _evidence(ledger, query, "text").groups == [["D2:1"]]
    assert _evidence(ledger, query, "image").groups == [["D1:4"]]
    with pytest.raises(NotVisibleError, match=r"c/F4.*document"):
        _evidence(ledger, query, "document")


def test_external_facts_and_the_question_itself_need_no_place(ledger: Ledger) -> None:
    """They are named among the facts, and that is all."""
    query = get({"op": "follow", "of": select(attribute="breed"), "attribute": "origin"})
    found = _evidence(ledger, query)
    assert (found.groups, found.facts) == ([["D1:1"]], ["c/F2", "c/F3"])
    own = get(select(scope="question", attribute="breed"))
    assert _evidence(ledger, own).groups == []


def test_implied_facts_rest_on_what_entails_them(ledger: Ledger) -> None:
    """Through as many steps as it takes."""
    found = _evidence(ledger, get(select(attribute="keeper", status="implied")), "text")
    assert found.groups == [["D1:1", "D3:1"], ["D2:1"]]
    assert found.facts == ["c/F1", "c/F4", "c/F5", "c/F6"]


def test_partial_mentions_are_needed_together(ledger: Ledger) -> None:
    """Two halves make a code, half of one does not."""
    found = _evidence(ledger, get(select(subject="gate", attribute="code")))
    assert found.groups == [["D1:2"], ["D3:2"]]
    with pytest.raises(NotVisibleError, match="c/F8"):
        _evidence(ledger, get(select(subject="hint")))
    with pytest.raises(NotVisibleError, match="c/F7"):
        _evidence(ledger, get(select(subject="gate")), session="D1")


def test_a_partial_mention_is_no_alternative_to_a_full_one(ledger: Ledger) -> None:
    """The breed is given away in D1:1 only."""
    assert _evidence(ledger, get(select(attribute="breed"))).groups == [["D1:1"]]


def test_the_date_of_a_session_completes_a_mention_of_today(ledger: Ledger) -> None:
    """Readers see when a session was."""
    assert _evidence(ledger, get(select(attribute="moved"), "date")).groups == [["D2:3"]]


def test_a_fact_without_a_round_rests_on_its_session(ledger: Ledger) -> None:
    """Imported memory points say no more than that."""
    assert _evidence(ledger, get(select(attribute="rule"))).groups == [["D3"]]
    with pytest.raises(NoResultError):
        _evidence(ledger, get(select(attribute="rule")), session="D2")


def test_interference_supports_nothing(ledger: Ledger) -> None:
    """It can be selected, not leant on."""
    with pytest.raises(NotVisibleError, match="interference"):
        _evidence(ledger, get(select(status="interference")))


def test_superseded_facts_are_no_evidence() -> None:
    """Only what won is required."""
    changed = ledger_of(
        [
            (fact("F1", "amy", "car", "van"), "D1:1"),
            (fact("F2", "amy", "car", "bus", operation="revise", supersedes=["F1"]), "D2:1"),
        ]
    )
    query = get({"op": "as_of", "of": select(attribute="car"), "at": "end"})
    assert _evidence(changed, query).groups == [["D2:1"]]


def test_facts_that_entail_each_other_are_refused() -> None:
    """A circle proves nothing."""
    circle = ledger_of(
        [
            (fact("F1", "a", "is", "b", status="implied", entailed_by=["F2"]), "D1:1"),
            (fact("F2", "b", "is", "a", status="implied", entailed_by=["F1"]), "D1:1"),
        ]
    )
    with pytest.raises(QueryError, match="chain back"):
        _evidence(circle, get(select(subject="a", status="implied")))


def test_decoys_are_where_near_misses_were_first_told(ledger: Ledger) -> None:
    """Amy's pet stands near the question of Amy's van, the van near that of its owner."""
    absent = {"op": "absent", "of": select(subject="amy", attribute="colour")}
    assert decoy_places(run(absent, ledger), ledger) == ["D1:1", "D1:4", "D2:3"]


def test_evidence_of_an_absence_is_empty(ledger: Ledger) -> None:
    """Nothing can be shown where nothing is."""
    absent = {"op": "absent", "of": select(attribute="unicorn")}
    assert _evidence(ledger, absent) == Evidence()


def test_a_mention_of_what_does_not_exist_is_refused() -> None:
    """A ledger that does not hang together is no ledger."""
    with pytest.raises(QueryError, match="'D9:9'"):
        ledger_of([(fact("F1", "a", "b", "c"), "D9:9")])
