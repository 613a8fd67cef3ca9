"""What each operator gives, and why; what is an error."""

from typing import Any

import pytest
from support.ledgers import context, get, household, run, select, why

from memassay.schemas.errors import (
    AmbiguousError,
    MalformedQueryError,
    NoResultError,
    NotVisibleError,
    QueryError,
    QueryTypeError,
)
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """Amy, her pets, a kiln, prices, steps, sources and a chart."""
    return household()


def _price(subject: str) -> Document:
    return get(select(subject=subject, attribute="price"))


def _both(attribute: str) -> Document:
    return select(subject=["kiln", "wheel"], attribute=attribute)


def test_select_and_get_give_a_value_and_the_fact_it_comes_from(ledger: Ledger) -> None:
    """One fact, one value, one reason."""
    found = run(_price("wheel"), ledger)
    assert (found.values, found.unit, why(found)) == (["640.50"], "EUR", ["F5"])


def test_a_filter_ignores_case_and_takes_any_member_of_a_list(ledger: Ledger) -> None:
    """`rex` finds Rex; a list of values finds the facts of all of them."""
    assert why(run(get(select(value="rex")), ledger)) == ["F1"]
    both = run(get(select(attribute="pet", value=["Rex", "TOM"])), ledger, "all")
    assert both.values == ["Rex", "Tom"]


@pytest.mark.parametrize(
    ("where", "facts"),
    [
        ({"modality": "image"}, ["F22", "F4"]),
        ({"attachment": "D4:IMG_001", "subject": "kiln"}, ["F4"]),
        ({"session": "D2"}, ["F2", "F4", "F6"]),
        ({"session": "D2", "modality": "image"}, None),
        ({"order": [1, 2], "attribute": "step"}, ["F10", "F8"]),
        ({"source": "contract"}, ["F12"]),
        ({"scope": "question"}, ["F18"]),
        ({"status": "implied"}, ["F19"]),
        ({"status": "interference"}, ["F20"]),
        ({"holder": "external"}, ["F17"]),
        ({"attribute": "bought", "during": "2024-01"}, ["F6"]),
        ({"speaker": "assistant"}, None),
    ],
)
def test_every_filter(ledger: Ledger, where: Document, facts: list[str] | None) -> None:
    """Filters on mentions hold of one mention; status and scope have quiet defaults."""
    query = get(select(**where), "subject")
    if facts is None:
        with pytest.raises(NoResultError):
            run(query, ledger, "all")
    else:
        assert why(run(query, ledger, "all")) == facts


def test_during_cannot_be_told_of_a_coarser_date(ledger: Ledger) -> None:
    """A month neither lies in one of its days nor outside it."""
    with pytest.raises(AmbiguousError, match=r"c/F15.*more precisely"):
        run(get(select(attribute="month", during="2024-03-08")), ledger)


def test_interference_implied_and_question_facts_are_left_out(ledger: Ledger) -> None:
    """Unless a filter asks, nobody sees the Kraken, the flat or the question's own picture."""
    pets = run(get(select(subject="amy", attribute="pet")), ledger, "all")
    assert pets.values == ["Rex", "Tom"]
    with pytest.raises(NoResultError):
        run(get(select(attribute=["home", "concept"])), ledger, "all")


def test_two_values_where_one_is_asked_are_an_error(ledger: Ledger) -> None:
    """Never a choice: the message shows both values."""
    with pytest.raises(AmbiguousError, match="'Rex', 'Tom'"):
        run(get(select(subject="amy", attribute="pet")), ledger)


def test_a_contradiction_is_an_error_even_where_all_are_asked(ledger: Ledger) -> None:
    """Two places of one fair without an order contradict each other."""
    with pytest.raises(AmbiguousError, match=r"F11.*F12|Aarhus.*Esbjerg"):
        run(get(select(subject="fair", attribute="place")), ledger, "all")


def test_follow_joins_value_to_subject_and_rests_on_both_sides(ledger: Ledger) -> None:
    """Amy's pet, its breed, and where the breed comes from."""
    breed = {
        "op": "follow",
        "of": select(subject="amy", attribute="pet", value="Rex"),
        "attribute": "breed",
    }
    assert why(run(get(breed), ledger)) == ["F1", "F3"]
    origin = run(get({"op": "follow", "of": breed, "attribute": "origin"}), ledger)
    assert (origin.values, why(origin)) == (["Germany"], ["F1", "F17", "F3"])


def test_follow_can_join_any_side(ledger: Ledger) -> None:
    """From the breed back to the owner, and from a source to its rank."""
    owner = {
        "op": "follow",
        "of": select(attribute="breed", value="Boxer"),
        "attribute": "pet",
        "from": "subject",
        "to": "value",
    }
    assert run(get(owner, "subject"), ledger).values == ["amy"]
    rank = {
        "op": "follow",
        "of": select(attribute="place", value="Esbjerg"),
        "attribute": "authority",
        "from": "source",
    }
    assert run(get(rank), ledger).values == ["2"]


def test_follow_from_the_picture_of_a_question(ledger: Ledger) -> None:
    """A fact of the question's own material leads into the history."""
    query = {
        "op": "follow",
        "of": select(subject="Q:IMG_001", scope="question"),
        "attribute": "breed",
    }
    assert run(get(query), ledger).values == ["Boxer"]


def test_union_and_minus_rest_on_all_their_parts(ledger: Ledger) -> None:
    """What was taken away had to be known."""
    every, some = select(attribute="step"), select(attribute="step", value=["wipe", "fire"])
    rest = run(get({"op": "minus", "a": every, "b": some}), ledger)
    assert (rest.values, why(rest)) == (["glaze"], ["F10", "F8", "F9"])
    both = run(get({"op": "union", "of": [some, every]}), ledger, "all")
    assert both.values == ["fire", "glaze", "wipe"]


@pytest.mark.parametrize(
    ("by", "which", "n", "value"),
    [
        ("order", "first", None, "wipe"),
        ("order", "last", None, "fire"),
        ("order", "nth", 2, "glaze"),
        ("said", "last", None, "glaze"),
    ],
)
def test_pick_compares_all_and_gives_one(
    ledger: Ledger, by: str, which: str, n: int | None, value: str
) -> None:
    """Why is every member: whoever names the first has seen the others."""
    query = {"op": "pick", "of": select(attribute="step"), "by": by, "which": which, "n": n}
    found = run(get(query), ledger)
    assert (found.values, why(found)) == ([value], ["F10", "F8", "F9"])


def test_pick_by_value_and_by_date(ledger: Ledger) -> None:
    """The dearest, and what was bought first."""
    dearest = {"op": "pick", "of": _both("price"), "by": "value", "which": "max"}
    assert run(get(dearest, "subject"), ledger).values == ["kiln"]
    first = {"op": "pick", "of": _both("bought"), "by": "date", "which": "first"}
    assert run(get(first, "subject"), ledger).values == ["kiln"]


def test_pick_by_authority_rests_on_the_ranks_too(ledger: Ledger) -> None:
    """The sentence that ranks the sources is evidence."""
    query = {"op": "pick", "of": select(attribute="place"), "by": "authority", "which": "last"}
    found = run(get(query), ledger)
    assert (found.values, why(found)) == (["Esbjerg"], ["F11", "F12", "F13", "F14"])


@pytest.mark.parametrize(
    ("of", "by", "error"),
    [
        (select(attribute="step", order=[1, 10]), "said", AmbiguousError),
        (select(attribute=["month", "bought"], subject=["trip", "wheel"]), "date", AmbiguousError),
        (select(attribute="pet"), "value", QueryTypeError),
        (select(attribute=["price", "weight"]), "value", QueryTypeError),
        (select(attribute="pet"), "order", NoResultError),
        (select(attribute="pet"), "authority", NoResultError),
        (select(attribute="unicorn"), "date", NoResultError),
    ],
)
def test_an_order_that_nobody_can_know_is_an_error(
    ledger: Ledger, of: Document, by: str, error: type[QueryError]
) -> None:
    """Ties, dates of which one holds the other, texts, mixed units, missing keys."""
    with pytest.raises(error):
        run(get({"op": "pick", "of": of, "by": by, "which": "first"}, "subject"), ledger)


def test_pick_beyond_the_end_is_an_error(ledger: Ledger) -> None:
    """There is no fourth step of three."""
    query = {"op": "pick", "of": select(attribute="step"), "by": "order", "which": "nth", "n": 4}
    with pytest.raises(NoResultError, match="at least 4"):
        run(get(query), ledger)


def test_sequence_keeps_its_order_and_repeats(ledger: Ledger) -> None:
    """Steps by number, not by text; a subject that comes twice is given twice."""
    steps = {"op": "sequence", "of": select(attribute="step"), "by": "order"}
    assert run(steps, ledger, "ordered").values == ["wipe", "glaze", "fire"]
    assert run(get(steps, "subject"), ledger, "ordered").values == ["plan"] * 3


def test_values_of_several_units_come_in_order_alone(ledger: Ledger) -> None:
    """Each says its own; as a set they are no answer."""
    prices = select(subject="wheel", attribute="price")
    both = {"op": "union", "of": [select(subject="amy", attribute="weight"), prices]}
    in_order = {"op": "sequence", "of": both, "by": "said"}
    assert sorted(run(get(in_order), ledger, "ordered").values) == ["61 kg", "640.50 EUR"]
    with pytest.raises(QueryTypeError, match="values of one unit"):
        run(get(both), ledger, "all")


def test_a_sequence_of_one_value_gives_it_once_when_one_is_asked(ledger: Ledger) -> None:
    """Said three times it is still one value."""
    steps = {"op": "sequence", "of": select(attribute="step"), "by": "order"}
    found = run(get(steps, "subject"), ledger)
    assert (found.values, len(found.why)) == (["plan"], 3)


@pytest.mark.parametrize(
    ("field", "value"),
    [("date", "2024-02-05"), ("session", "D2"), ("speaker", "user"), ("attachment", "D4:IMG_001")],
)
def test_fields_of_a_fact(ledger: Ledger, field: str, value: str) -> None:
    """A date falls back on the telling; session and speaker are of the first mention."""
    assert run(get(select(subject="kiln", attribute="price"), field), ledger).values == [value]


def test_a_field_that_a_fact_lacks_is_an_error(ledger: Ledger) -> None:
    """No picture shows the wheel's price."""
    with pytest.raises(NoResultError, match="c/F5"):
        run(get(select(subject="wheel", attribute="price"), "attachment"), ledger)


def test_what_is_said_later_plays_no_part(ledger: Ledger) -> None:
    """At C1 the wheel's price has not been said; the error says that it is there, unseen."""
    with pytest.raises(NotVisibleError, match="c/F5"):
        run(_price("wheel"), ledger, checkpoint="C1")
    pets = run(get(select(subject="amy", attribute="pet")), ledger, "all", session="D1")
    assert pets.values == ["Rex"]


def test_unknown_points_are_malformed(ledger: Ledger) -> None:
    """A checkpoint or session that does not exist is no asking time and no `as_of`."""
    with pytest.raises(MalformedQueryError, match="'C9'"):
        run(_price("kiln"), ledger, checkpoint="C9")
    with pytest.raises(MalformedQueryError, match="'D9'"):
        run(get({"op": "as_of", "of": select(attribute="price"), "at": "D9"}), ledger)


def test_as_of_passes_nothing_over_where_nothing_changed(ledger: Ledger) -> None:
    """A fact that nobody revised holds at the end."""
    query = {"op": "as_of", "of": select(subject="kiln", attribute="price"), "at": "end"}
    assert context(run(get(query), ledger)) == []
