"""`exists`, `ended`, and `absent` over what was there and has ended."""

from typing import Any

import pytest
from hypothesis import given
from support.ledgers import (
    bundle_of,
    context,
    fact,
    ledger_of,
    mention,
    run,
    select,
    why,
)
from support.query_strategies import worlds

from memassay.schemas.errors import EndedError, NoResultError, NotVisibleError
from memassay.schemas.queries.evidence import decoy_places, evidence_of
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]
REVISE = {"operation": "revise"}


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """A party called off, a van sold for a car, an alibi denied, a stay that is over, a dog."""
    return ledger_of(
        [
            (fact("F1", "party", "date", "2024-05-04", kind="date"), "D1:1"),
            (fact("F2", "party", "date", "none", operation="delete", supersedes=["F1"]), "D3:1"),
            (fact("F3", "amy", "vehicle", "van"), "D1:2"),
            (fact("F4", "amy", "vehicle", "estate", supersedes=["F3"]) | REVISE, "D2:2"),
            (fact("F5", "ben", "alibi", "cinema", status="retracted"), "D1:3"),
            (fact("F6", "eva", "stay", "Rome", valid_to="2024-03-01"), "D1:4"),
            (fact("F7", "amy", "dog", "Rex"), "D2:1"),
            (fact("F8", "amy", "snake", "Kraken", status="interference"), "D4:2"),
            (fact("F9", "eva", "snake", "Nagini"), "D1:3"),
            (fact("F10", "amy", "cat", "Tom"), "D2:4"),
            (fact("F11", "club", "day", "Monday", valid_from="2023-01-01"), "D1:4"),
            (
                fact("F12", "club", "day", "Friday", valid_from="2024-06-01", supersedes=["F11"])
                | REVISE,
                "D3:4",
            ),
            (fact("F13", "rent", "contract", "gone", operation="delete"), "D3:3"),
        ],
        [mention("F5_M9", "F5", "D3:2", form="denied")],
    )


def _ended(of: Document) -> Document:
    return {"op": "ended", "of": of}


def _as_of(of: Document, at: str) -> Document:
    return {"op": "as_of", "of": of, "at": at}


@pytest.mark.parametrize(
    ("where", "told_by", "rounds"),
    [
        ({"subject": "party"}, ["F2"], [["D3:1"]]),
        ({"value": "van"}, ["F4"], [["D2:2"]]),
        ({"attribute": "alibi"}, ["F5"], [["D3:2"]]),
        ({"attribute": "stay"}, ["F6"], [["D1:4"]]),
        ({"attribute": ["alibi", "stay"]}, ["F5", "F6"], [["D1:4"], ["D3:2"]]),
        ({"attribute": "contract"}, ["F13"], [["D3:3"]]),
    ],
)
def test_an_end_is_read_where_it_is_told(
    ledger: Ledger, where: Document, told_by: list[str], rounds: list[list[str]]
) -> None:
    """In the deletion, in what replaces it, in the denial, in the fact that names its last day."""
    found = run(_ended(select(**where)), ledger)
    assert (found.values, why(found)) == (["true"], told_by)
    assert evidence_of(found, ledger).groups == rounds


def test_what_still_holds_has_not_ended(ledger: Ledger) -> None:
    """One car of two is enough; it is the evidence, and the other is context."""
    found = run(_ended(select(attribute="vehicle")), ledger)
    assert (found.values, why(found), context(found)) == (["false"], ["F4"], ["F3"])


def test_what_is_announced_has_not_ended_and_ends_nothing(ledger: Ledger) -> None:
    """In April the club meets on Mondays still, and Friday is yet to come."""
    for day in ("Monday", "Friday"):
        assert run(_ended(select(value=day)), ledger).values == ["false"]


def test_before_the_end_is_told_nothing_has_ended(ledger: Ledger) -> None:
    """After the second session the party is on and the alibi stands."""
    for where in ({"subject": "party"}, {"attribute": "alibi"}):
        assert run(_ended(select(**where)), ledger, session="D2").values == ["false"]
        exists = {"op": "exists", "of": select(**where)}
        assert run(exists, ledger, session="D2").values == ["true"]


def test_what_never_was_cannot_have_ended(ledger: Ledger) -> None:
    """Nor what is yet to be told."""
    with pytest.raises(NoResultError, match="ended: expected facts, got none"):
        run(_ended(select(subject="zoe")), ledger)
    with pytest.raises(NotVisibleError):
        run(_ended(select(attribute="dog")), ledger, session="D1")


def test_what_held_then_may_have_ended_since(ledger: Ledger) -> None:
    """The van of January is gone by now, and was there in January."""
    then = _as_of(select(attribute="vehicle"), "D1")
    assert run(_ended(then), ledger).values == ["true"]
    found = run({"op": "exists", "of": then}, ledger)
    assert (found.values, why(found)) == (["true"], ["F3"])


@pytest.mark.parametrize("op", ["absent", "exists"])
@pytest.mark.parametrize(
    ("of", "told"),
    [
        (select(subject="party"), "c/F1 .*which was deleted by c/F2"),
        (_as_of(select(subject="party"), "end"), "c/F1 .*which was deleted by c/F2"),
        (_as_of(select(subject="party"), "2024-05-05"), "c/F1 .*which was deleted by c/F2"),
        (select(value="van"), "c/F3 .*which was replaced by c/F4"),
        (_as_of(select(value="van"), "D3"), "c/F3 .*which was replaced by c/F4"),
        (select(attribute="alibi"), "c/F5 .*which was taken back"),
        (select(attribute="stay"), "c/F6 .*which was over on 2024-03-01"),
        (_as_of(select(attribute="stay"), "2024-03-20"), "c/F6 .*which was over on 2024-03-01"),
        (select(attribute="contract"), "c/F13 .*which was deleted"),
        ({"op": "union", "of": [select(value="van"), select(attribute="stay")]}, "c/F3"),
        (
            {"op": "minus", "a": _as_of(select(value="van"), "end"), "b": select(subject="eva")},
            "c/F3",
        ),
    ],
)
def test_what_ended_is_neither_absent_nor_there(
    ledger: Ledger, op: str, of: Document, told: str
) -> None:
    """The error names the fact and how it ended, and names `ended`."""
    with pytest.raises(EndedError, match=rf"{op}: .*{told}.*; ask for `ended`"):
        run({"op": op, "of": of}, ledger)


def test_what_never_was_is_absent_and_does_not_exist(ledger: Ledger) -> None:
    """A dog without a breed, a person nobody knows, a city before anybody was there."""
    breed = {"op": "follow", "of": select(attribute="dog"), "attribute": "breed"}
    before = _as_of(select(attribute="dog"), "2023-01-01")
    for of in (select(subject="zoe"), select(subject="amy", attribute="snake"), breed, before):
        assert run({"op": "absent", "of": of}, ledger).values == ["true"]
        found = run({"op": "exists", "of": of}, ledger)
        assert (found.values, why(found)) == (["false"], [])


def test_what_is_there_exists_and_rests_on_itself(ledger: Ledger) -> None:
    """As does what several filters find, of which one has ended."""
    found = run({"op": "exists", "of": select(attribute="dog")}, ledger)
    assert (found.values, why(found), found.decoys) == (["true"], ["F7"], ())
    both = run({"op": "exists", "of": select(attribute="vehicle")}, ledger)
    assert why(both) == ["F3", "F4"]


@pytest.mark.parametrize("op", ["absent", "exists"])
def test_the_joke_is_the_nearest_miss(ledger: Ledger, op: str) -> None:
    """Interference about the very thing comes first, though it was told last."""
    found = run({"op": op, "of": select(subject="amy", attribute="snake")}, ledger)
    assert [name.removeprefix("c/") for name in found.decoys] == [
        "F8",
        "F3",
        "F9",
        "F7",
        "F4",
        "F10",
    ]
    assert decoy_places(found, ledger) == ["D4:2", "D1:2", "D1:3", "D2:1", "D2:2", "D2:4"]


def test_a_denial_out_of_sight_proves_nothing(ledger: Ledger) -> None:
    """Asked of the pictures alone, a denial in words cannot be read."""
    found = run(_ended(select(attribute="alibi")), ledger)
    with pytest.raises(NotVisibleError, match="c/F5: expected a denial"):
        evidence_of(found, ledger, modalities=["image"])


def test_what_was_taken_back_from_the_start_is_its_own_evidence() -> None:
    """Where no word says when, the statement itself is all there is to read."""
    ledger = ledger_of([(fact("F1", "ben", "alibi", "cinema", status="retracted"), "D1:1")])
    found = run(_ended(select(attribute="alibi")), ledger)
    assert (found.values, evidence_of(found, ledger).groups) == (["true"], [["D1:1"]])


def test_what_replaced_and_was_taken_back_is_read_twice() -> None:
    """Its statement ends what it replaced, its denial ends itself."""
    moves = [
        (fact("F1", "amy", "home", "Ulm"), "D1:1"),
        (fact("F2", "amy", "home", "Bonn", status="retracted", supersedes=["F1"]), "D2:1"),
    ]
    ledger = ledger_of(moves, [mention("F2_M9", "F2", "D3:1", form="denied")])
    both = run(_ended(select(attribute="home")), ledger)
    assert evidence_of(both, ledger).groups == [["D2:1"], ["D3:1"]]
    later = run(_ended(select(value="Bonn")), ledger)
    assert evidence_of(later, ledger).groups == [["D3:1"]]


@given(worlds())
def test_a_thing_is_absent_there_or_ended(world: list[tuple[Document, str]]) -> None:
    """Exactly one of the three, and `ended` agrees with what `absent` says."""
    ledger = Ledger(bundle_of(world))
    of = select(subject="amy")
    try:
        absent = run({"op": "absent", "of": of}, ledger).values
    except EndedError:
        assert run(_ended(of), ledger).values == ["true"]
        return
    exists = run({"op": "exists", "of": of}, ledger).values
    assert {*absent, *exists} == {"true", "false"}
    if exists == ["true"]:
        assert run(_ended(of), ledger).values == ["false"]
