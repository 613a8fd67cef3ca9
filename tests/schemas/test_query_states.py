"""What held when: supersession, retraction, deletion, announcements, validity, asking time."""

from typing import Any

import pytest
from support.ledgers import context, fact, get, ledger_of, mention, run, select, why

from memassay.schemas.errors import (
    AmbiguousError,
    EndedError,
    NoResultError,
    NotVisibleError,
    QueryError,
)
from memassay.schemas.queries.ledger import Ledger

Document = dict[str, Any]


def _as_of(at: Any, **where: Any) -> Document:
    return {"op": "as_of", "of": select(**where), "at": at}


@pytest.fixture(scope="module")
def ledger() -> Ledger:
    """A car changed twice, a guest list, a number taken back, a day announced, a stay that ends."""
    revise = {"operation": "revise"}
    return ledger_of(
        [
            (fact("F1", "amy", "car", "van", valid_from="2023-06"), "D1:1"),
            (
                fact("F2", "amy", "car", "saloon", valid_from="2024-02-01", supersedes=["F1"])
                | revise,
                "D2:1",
            ),
            (
                fact("F3", "amy", "car", "estate", valid_from="2024-03-10", supersedes=["F2"])
                | revise,
                "D4:1",
            ),
            (fact("F4", "party", "guest", "Ann", order=1), "D1:2"),
            (fact("F5", "party", "guest", "Bo", order=2), "D1:2"),
            (fact("F6", "party", "guest", "none", operation="delete", supersedes=["F5"]), "D3:1"),
            (fact("F7", "ben", "finds", "14", kind="number", status="retracted"), "D1:3"),
            (fact("F8", "ben", "finds", "16", kind="number", supersedes=["F7"]) | revise, "D3:2"),
            (fact("F9", "club", "day", "Monday", valid_from="2023-01-01"), "D1:4"),
            (
                fact("F10", "club", "day", "Friday", valid_from="2024-06-01", supersedes=["F9"])
                | revise,
                "D2:2",
            ),
            (fact("F11", "eva", "stay", "Rome", valid_to="2024-03-01"), "D1:4"),
            (fact("F12", "ben", "alibi", "cinema", status="retracted"), "D1:3"),
            (fact("F13", "trip", "date", "2024-03-05", kind="date"), "D3:3"),
            (fact("F14", "zoe", "city", "Bath", valid_from="2024-02"), "D2:3"),
        ],
        [mention("F12_M9", "F12", "D3:4", form="denied")],
    )


@pytest.mark.parametrize(
    ("at", "car"),
    [
        ("D1", "van"),
        ("D2", "saloon"),
        ("C1", "saloon"),
        ("D3", "saloon"),
        ("end", "estate"),
        ("C2", "estate"),
        ("2023-12-31", "van"),
        ("2024-02-01", "saloon"),
        ("2024-03-09T18:00", "saloon"),
        ("2024-03-10", "estate"),
        (get(select(subject="trip"), "date"), "saloon"),
        (get(select(subject="trip"), "session"), "saloon"),
    ],
)
def test_as_of_gives_what_held(ledger: Ledger, at: Any, car: str) -> None:
    """By what had been said at a session or checkpoint; by validity at a date."""
    assert run(get(_as_of(at, subject="amy", attribute="car")), ledger).values == [car]


def test_the_winner_is_required_and_the_superseded_are_context(ledger: Ledger) -> None:
    """Nobody needs to read about the van to know of the estate."""
    found = run(get(_as_of("end", subject="amy", attribute="car")), ledger)
    assert (why(found), context(found)) == (["F3"], ["F1", "F2"])


def test_a_point_that_is_looked_up_is_a_reason_too(ledger: Ledger) -> None:
    """Which car she had on the day of the trip rests on the day of the trip."""
    at = get(select(subject="trip"), "date")
    assert why(run(get(_as_of(at, subject="amy", attribute="car")), ledger)) == ["F13", "F2"]


def test_a_filter_cannot_hide_what_supersedes(ledger: Ledger) -> None:
    """The van is not the present car because its successor was filtered out."""
    with pytest.raises(NoResultError):
        run(get(_as_of("end", subject="amy", value="van")), ledger)


def test_states_are_not_mixed_without_as_of(ledger: Ledger) -> None:
    """A list of cars over time is a sequence; the car is an `as_of`."""
    cars = select(subject="amy", attribute="car")
    with pytest.raises(AmbiguousError, match="put as_of around"):
        run(get(cars), ledger, "all")
    with pytest.raises(AmbiguousError, match=r"F5 .*, which was deleted by c/F6"):
        run({"op": "count", "of": select(attribute="guest")}, ledger)
    first = {"op": "pick", "of": cars, "by": "date", "which": "first"}
    assert run(get(first), ledger).values == ["van"]
    all_cars = {"op": "sequence", "of": cars, "by": "date"}
    assert run(all_cars, ledger, "ordered").values == ["van", "saloon", "estate"]


def test_at_an_earlier_asking_time_there_is_one_state(ledger: Ledger) -> None:
    """After the first session the van is the only car anybody knows of."""
    assert run(get(select(subject="amy", attribute="car")), ledger, session="D1").values == ["van"]


def test_what_is_deleted_is_gone_and_its_deletion_is_no_value(ledger: Ledger) -> None:
    """Bo has cancelled."""
    guests = {"attribute": "guest"}
    assert run(get(_as_of("end", **guests)), ledger).values == ["Ann"]
    assert run(get(_as_of("D2", **guests)), ledger, "all").values == ["Ann", "Bo"]
    assert run({"op": "count", "of": _as_of("end", **guests)}, ledger).values == ["1"]


def test_what_is_taken_back_is_no_value_but_once_was_believed(ledger: Ledger) -> None:
    """Sixteen, not fourteen; at the first session it was fourteen."""
    finds = {"subject": "ben", "attribute": "finds"}
    found = run(get(select(**finds)), ledger)
    assert (found.values, context(found)) == (["16"], ["F7"])
    assert run(get(_as_of("D2", **finds)), ledger).values == ["14"]
    assert run(get(select(**finds)), ledger, session="D2").values == ["14"]
    assert run(get(select(**finds, status="retracted")), ledger).values == ["14"]


def test_a_denial_takes_back_from_when_it_is_said(ledger: Ledger) -> None:
    """The alibi stands until the third session."""
    alibi = get(select(attribute="alibi"))
    assert run(alibi, ledger, session="D2").values == ["cinema"]
    with pytest.raises(NoResultError):
        run(alibi, ledger)
    absent = {"op": "absent", "of": select(attribute="alibi")}
    with pytest.raises(EndedError, match=r"c/F12 .*'cinema'\), which was taken back"):
        run(absent, ledger)


def test_what_is_announced_does_not_yet_replace_what_holds(ledger: Ledger) -> None:
    """In April the club still meets on Mondays; from June it will be Fridays."""
    day = {"subject": "club", "attribute": "day"}
    assert run(get(_as_of("end", **day)), ledger).values == ["Monday"]
    assert run(get(_as_of("2024-06-03", **day)), ledger).values == ["Friday"]


def test_what_has_ended_no_longer_holds(ledger: Ledger) -> None:
    """Eva left Rome on the first of March."""
    stay = {"subject": "eva", "attribute": "stay"}
    assert run(get(_as_of("D2", **stay)), ledger).values == ["Rome"]
    with pytest.raises(NoResultError):
        run(get(_as_of("end", **stay)), ledger)
    with pytest.raises(NoResultError):
        run(get(_as_of("2024-03-01", **stay)), ledger)


@pytest.mark.parametrize(
    ("at", "error"), [("2024-02-10", AmbiguousError), ("2024", AmbiguousError)]
)
def test_dates_too_coarse_to_tell_are_an_error(
    ledger: Ledger, at: str, error: type[QueryError]
) -> None:
    """Zoe moved in February: on the tenth, and for the year as a whole, nobody can tell."""
    city = {"subject": "zoe", "attribute": "city"}
    assert run(get(_as_of("2024-03-01", **city)), ledger).values == ["Bath"]
    with pytest.raises(error):
        run(get(_as_of(at, **city)), ledger)


def test_as_of_cannot_look_beyond_asking_time(ledger: Ledger) -> None:
    """After the second session nobody can say what will be after the third."""
    with pytest.raises(NotVisibleError, match="no later than asking time"):
        run(get(_as_of("D3", subject="amy", attribute="car")), ledger, session="D2")


def test_a_conversation_without_dates_is_ordered_by_its_rounds() -> None:
    """First and last still mean something; a distance in days does not."""
    undated = ledger_of(
        [
            (fact("F1", "fair", "ride", "swing", order=1), "D1:2"),
            (fact("F2", "fair", "ride", "train", order=2), "D1:1"),
        ],
        dates=(None,),
    )
    ride = select(attribute="ride")
    first = {"op": "pick", "of": ride, "by": "date", "which": "first"}
    assert run(get(first), undated).values == ["train"]
    with pytest.raises(NoResultError, match="date"):
        run(get(ride, "date"), undated, "all")


def test_what_is_over_is_not_listed_or_counted_beside_what_holds() -> None:
    """A fact past its last day is of another state, as a replaced one is."""
    over = fact("F2", "ben", "home", "flat", valid_to="2024-01-20")
    ledger = ledger_of([(fact("F1", "amy", "home", "house"), "D1:1"), (over, "D1:1")])
    for query in (select(), {"op": "count", "of": select()}):
        with pytest.raises(AmbiguousError, match="which was over on 2024-01-20; put as_of around"):
            run(query, ledger, "all")


def test_what_is_to_be_replaced_later_is_listed_beside_others() -> None:
    """A change that is only announced makes no fact one of the past."""
    change = fact("F2", "amy", "home", "flat", valid_from="2025-01-01", supersedes=["F1"])
    ledger = ledger_of(
        [
            (fact("F1", "amy", "home", "house"), "D1:1"),
            (change, "D2:1"),
            (fact("F3", "ben", "home", "boat"), "D1:1"),
        ]
    )
    assert run(select(value=["house", "boat"]), ledger, "all").values == ["boat", "house"]


def test_time_passes_through_sessions_without_a_date() -> None:
    """What was over at an earlier session is over at a later one of which no day is known."""
    ledger = ledger_of(
        [(fact("F1", "amy", "home", "house", valid_to="2024-01-02"), "D1:1")],
        dates=("2024-03-10", None, None, None),
    )
    assert run({"op": "absent", "of": select(subject="ben")}, ledger).values == ["true"]
    with pytest.raises(NoResultError):
        run(_as_of("end"), ledger)


def test_of_two_announced_changes_neither_holds_yet() -> None:
    """A change of what is announced waits too, as long as something below them holds."""
    changes = [
        (fact("F2", "amy", "home", "flat", valid_from="2025", supersedes=["F1"]), "D2:1"),
        (fact("F3", "amy", "home", "boat", valid_from="2026", supersedes=["F2"]), "D2:2"),
    ]
    ledger = ledger_of([(fact("F1", "amy", "home", "house"), "D1:1"), *changes])
    assert run(_as_of("end"), ledger).values == ["house"]
    assert run(_as_of("2027"), ledger).values == ["boat"]


def test_what_was_told_in_a_session_without_a_date_holds_until_the_change() -> None:
    """It was told before the change, and so it has begun."""
    change = fact("F2", "amy", "home", "flat", valid_from="2025", supersedes=["F1"])
    ledger = ledger_of(
        [(fact("F1", "amy", "home", "house"), "D1:1"), (change, "D2:1")],
        dates=(None, "2024-02-05", None, "2024-04-01"),
    )
    assert run(_as_of("end"), ledger).values == ["house"]


def test_a_retraction_counts_from_any_later_link_of_the_chain_on() -> None:
    """What replaces the replacement, which nobody mentions, takes the fact back too."""
    ledger = ledger_of(
        [
            (fact("F1", "amy", "home", "house", status="retracted"), "D1:1"),
            (fact("F2", "amy", "home", "flat", supersedes=["F1"]), ""),
            (fact("F3", "amy", "home", "boat", supersedes=["F2"]), "D3:1"),
        ]
    )
    assert run(select(), ledger).values == ["boat"]
    assert run(select(), ledger, session="D2").values == ["house"]


def test_what_both_sides_set_aside_does_not_come_back() -> None:
    """Nothing is left of a selection minus itself, also at a time before a retraction."""
    ledger = ledger_of(
        [(fact("F1", "amy", "home", "house", status="retracted"), "D1:1")],
        [mention("M1", "F1", "D3:1", form="denied")],
    )
    nothing = {"op": "minus", "a": select(), "b": select()}
    with pytest.raises(NoResultError):
        run({"op": "as_of", "of": nothing, "at": "D1"}, ledger)
    with pytest.raises(NoResultError):
        run({"op": "ended", "of": nothing}, ledger)


def test_a_deletion_outside_of_the_bounds_ends_nothing_that_is_asked_for() -> None:
    """Of the weights above 12 there was none; one of 7 that was deleted is another matter."""
    ledger = ledger_of(
        [(fact("F1", "hive", "weight", "7", kind="number", unit="kg", operation="delete"), "D1:1")]
    )
    heavy = select(attribute="weight", number={"above": "12", "unit": "kg"})
    assert run({"op": "exists", "of": heavy}, ledger).values == ["false"]
    with pytest.raises(EndedError):
        run({"op": "exists", "of": select(attribute="weight")}, ledger)
    late = select(attribute="weight", during="2024-01-08T10:00")
    assert run({"op": "absent", "of": late}, ledger).values == ["true"]
