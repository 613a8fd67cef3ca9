"""Cases in which the executor once gave something else than the page says."""

import pytest
from support.ledgers import fact, get, ledger_of, mention, run, select, why

from memassay.schemas.errors import AmbiguousError, NoResultError, QueryError
from memassay.schemas.queries.evidence import evidence_of


def test_a_link_leads_on_to_a_link_of_the_same_selection() -> None:
    """A leads to B and B to C: the second follows the first; no fact is joined to itself."""
    ledger = ledger_of(
        [
            (fact("F1", "a", "leads_to", "b"), "D1:1"),
            (fact("F2", "b", "leads_to", "c"), "D1:2"),
            (fact("F3", "d", "leads_to", "d"), "D1:3"),
        ]
    )
    links = select(attribute="leads_to")
    on = {"op": "follow", "of": links, "attribute": "leads_to"}
    found = run(get(on), ledger)
    assert (found.values, why(found)) == (["c"], ["F1", "F2", "F3"])
    beside = {**on, "from": "subject"}
    with pytest.raises(NoResultError):
        run(get(beside), ledger)


@pytest.mark.parametrize(
    "more", [{"status": "implied", "entailed_by": ["F1"]}, {"holder": "external"}]
)
def test_no_date_is_taken_from_what_is_told_later(more: dict[str, object]) -> None:
    """What is known by reasons or from outside is dated by its mentions until asking time."""
    ledger = ledger_of(
        [
            (fact("F1", "amy", "home", "x"), "D1:1"),
            (fact("F2", "amy", "country", "nl", **more), "D3:1"),
        ]
    )
    query = get(select(attribute="country", status=["asserted", "implied"]), "date")
    assert run(query, ledger).values == ["2024-03-04"]
    for field in ("date", "session"):
        with pytest.raises(NoResultError, match=f"a {field}"):
            run({**query, "field": field}, ledger, session="D2")


def test_a_session_of_the_ledger_is_not_known_before_it() -> None:
    """Also of a fact from outside that some session is said to teach."""
    ledger = ledger_of([(fact("F1", "a", "b", "c", holder="external", session="D3"), "")])
    assert run(get(select(session="D3"), "session"), ledger).values == ["D3"]
    with pytest.raises(NoResultError):
        run(get(select(session="D3")), ledger, session="D1")
    with pytest.raises(NoResultError):
        run(get(select(), "session"), ledger, session="D1")


def test_values_are_compared_only_where_the_order_is_open() -> None:
    """The later of two dates that cover each other is the one said last."""
    ledger = ledger_of(
        [
            (fact("F1", "amy", "when", "2024-02", kind="date"), "D1:1"),
            (fact("F2", "amy", "when", "2024-02-29", kind="date"), "D3:1"),
        ]
    )
    pick = {"op": "pick", "of": select(), "by": "said", "which": "last"}
    assert run(get(pick), ledger).values == ["2024-02-29"]
    with pytest.raises(AmbiguousError):
        run(get({**pick, "by": "value"}), ledger)


def test_a_zero_rests_on_places() -> None:
    """The question's own image and general knowledge are read nowhere in the conversation."""
    ledger = ledger_of(
        [
            (fact("F1", "Q:IMG_001", "concept", "rex", scope="question"), ""),
            (fact("F2", "boxer", "origin", "Germany", holder="external"), ""),
        ]
    )
    for of in (select(scope="question"), select(holder="external")):
        with pytest.raises(NoResultError, match="count"):
            run({"op": "count", "of": {"op": "follow", "of": of, "attribute": "pet"}}, ledger)
        assert run({"op": "count", "of": of}, ledger).values == ["1"]


def test_half_in_the_text_and_half_in_the_image_is_whole() -> None:
    """Two partial mentions of one round are needed together, and one round shows both."""
    half = mention("M1", "F1", "D1:1", form="partial")
    image = mention("M2", "F1", "D1:1", form="partial", modality="image", attachment="D1:IMG_001")
    ledger = ledger_of([(fact("F1", "amy", "home", "a"), "")], [half, image])
    assert evidence_of(run(get(select()), ledger), ledger).groups == [["D1:1"]]
    alone = ledger_of([(fact("F1", "amy", "home", "a"), "")], [half])
    with pytest.raises(QueryError, match="1 partial"):
        evidence_of(run(get(select()), alone), alone)
