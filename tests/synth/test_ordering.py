"""Members of one life are put in order: what must come first, then what reads well."""

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.lives.ordering.arranging import arrange, constraints, positions
from memassay.synth.lives.ordering.cues import Cue
from memassay.synth.lives.ordering.placing import Placed, order_members

USER = Speaker(id="u", name="Ana", kind=SpeakerKind.HUMAN)
OTHER = Speaker(id="o", name="Ben", kind=SpeakerKind.HUMAN)
ASSISTANT = Speaker(id="a", name="Assistant", kind=SpeakerKind.ASSISTANT)


def member(
    name: str,
    *told: str,
    date: str | None = None,
    facts: tuple[Fact, ...] = (),
    people: bool = False,
) -> Bundle:
    """A single dialogue with an assistant, or of two people whose utterances are rounds."""
    session = Session(
        id="D1",
        index=1,
        date=date,
        rounds=[_round(at, text, people) for at, text in enumerate(told, start=1)],
    )
    conversation = Conversation(
        id=name,
        collection="test",
        path="curate",
        speakers=[USER, OTHER if people else ASSISTANT],
        sessions=[session],
    )
    return Bundle(conversation=conversation, facts=list(facts))


def _round(at: int, text: str, people: bool) -> Round:
    place = f"D1:{at}"
    if people:
        turns = [Turn(id=f"{place}.1", speaker="uo"[(at - 1) % 2], text=text)]
        return Round(id=place, kind=RoundKind.UTTERANCE, turns=turns)
    turns = [
        Turn(id=f"{place}.1", speaker="u", text=text),
        Turn(id=f"{place}.2", speaker="a", text="I see."),
    ]
    return Round(id=place, kind=RoundKind.EXCHANGE, turns=turns)


def fact(name: str, value: str, since: str | None = None, *supersedes: str) -> Fact:
    """A fact of somebody's home."""
    text = FactValue(type=ValueType.TEXT, text=value)
    return Fact(
        id=name,
        subject="user",
        attribute="home",
        value=text,
        valid_from=since,
        supersedes=list(supersedes),
    )


def names(placed: list[Placed]) -> list[str]:
    """Ids in the order found."""
    return [one.bundle.id for one in placed]


def test_dates_of_sessions_decide() -> None:
    """A later date stands later, whatever else is said, and the reason names it."""
    found = order_members(
        [member("a", "Hello.", date="2024-05-02"), member("b", "Hi.", date="2024-05")]
    )
    assert names(found) == ["a", "b"]
    found = order_members(
        [member("a", "Hello.", date="2024-05-02"), member("b", "Hi.", date="2024-05-01")]
    )
    assert names(found) == ["b", "a"]
    assert found[1].why == "is of 2024-05-02, after b/D1 of 2024-05-01"


def test_what_is_replaced_was_there_before() -> None:
    """A fact that supersedes another stands after it; the date that says otherwise is set aside."""
    found = order_members(
        [
            member("a", "Hello.", date="2024-01-01", facts=(fact("x/f2", "Oslo", None, "x/f1"),)),
            member("b", "Hello.", date="2024-06-01", facts=(fact("x/f1", "Bergen"),)),
        ]
    )
    assert names(found) == ["b", "a"]
    assert found[1].why == "changes user home of b/D1"
    assert found[0].why == "set aside: is of 2024-06-01, after a/D1 of 2024-01-01"


def test_days_from_which_facts_hold_decide_without_dates() -> None:
    """A ledger knows when its facts were."""
    found = order_members(
        [
            member("a", "Hello.", facts=(fact("x/f2", "Oslo", "2024-03-01"),)),
            member("b", "Hello.", facts=(fact("x/f1", "Bergen", "2024-02-01"),)),
        ]
    )
    assert names(found) == ["b", "a"]


@pytest.mark.parametrize(
    ("late", "early"),
    [
        ("I gave Pip a bath.", "I want to tell you that I have a puppy, Pip."),
        ("I gave Pip a bath.", "We named him Pip."),
        ("I gave Pip a bath.", "It was raining. Meet Pip!"),
        ("I gave Pip a bath.", "We have a dog called Pip."),
        ("I gave Pip a bath.", "This is my dog Pip."),
        ("My old bicycle squeaks.", "My new bicycle is so light."),
        ("Today was my third lesson.", "Today was my first lesson."),
        ("Merry Christmas!", "It's October already."),
        ("We are back in March.", "Snow lay all over the place in January."),
    ],
)
@pytest.mark.parametrize("people", [False, True])
def test_what_is_said_decides(early: str, late: str, people: bool) -> None:
    """Introductions, new and old, first and third, months and feasts, of people and assistants."""
    found = order_members([member("a", late, people=people), member("b", early, people=people)])
    assert names(found) == ["b", "a"]
    assert "b/D1" in found[1].why


def test_who_is_called_on_the_telephone_is_not_introduced() -> None:
    """Nor is somebody that one meets."""
    found = order_members(
        [member("a", "I called Maria. We meet Maria."), member("b", "Maria sang.")]
    )
    assert not any("introduces" in one.why for one in found)


def test_a_word_that_is_no_name_introduces_nobody() -> None:
    """A title begins with a word that others write small."""
    said = "My cat is called The Tide.", "The cat was long.", "I liked the tide."
    found = order_members([member("a", said[1]), member("b", said[0]), member("c", said[2])])
    assert not any("introduces" in one.why for one in found)


def test_an_opening_goes_back_to_what_it_names() -> None:
    """What was talked of stands before the talk that goes on with it."""
    found = order_members(
        [
            member("a", "Thanks for your tips on the kiln glaze!", "It works."),
            member("b", "My tent leaks in the rain.", "Which tent keeps dry?"),
            member("c", "The kiln ruins my glaze.", "Which glaze suits a kiln?"),
        ]
    )
    assert names(found).index("c") < names(found).index("a")
    assert "its opening goes back to c/D1" in next(one.why for one in found if one.bundle.id == "a")


def test_a_plan_comes_before_its_outcome() -> None:
    """What one is going to do stands before how it was."""
    found = order_members(
        [
            member("a", "The ferry to the island was cancelled, so I'm back from nowhere."),
            member("b", "My tent leaks.", "Rain is coming."),
            member("c", "I read a book.", "Next week we'll take the ferry to the island."),
        ]
    )
    assert names(found).index("c") < names(found).index("a")


def test_one_asks_before_one_tells_and_looks_back() -> None:
    """Without any other reason, the manner of a member decides."""
    found = order_members(
        [
            member("a", "I finally finished it.", "Looking back, it was hard and I loved it."),
            member("b", "Which one should I buy?", "Can you recommend a cheap one?"),
        ]
    )
    assert names(found) == ["b", "a"]
    assert found[0].why == "sounds early: people ask and plan in it more than they tell"
    assert found[1].why == "sounds late: people tell and look back in it more than they ask"


def test_of_many_dates_the_nearest_is_named() -> None:
    """A reason is read by people, who need no list of every earlier session."""
    found = order_members([member(f"m{at}", "Hello.", date=f"2024-05-0{at}") for at in range(1, 6)])
    assert found[0].why == "reads well here"
    assert found[4].why == "is of 2024-05-05, after m4/D1 of 2024-05-04"


def test_the_order_does_not_depend_on_the_order_that_members_come_in() -> None:
    """Every permutation gives the same."""
    members = [
        member("a", "Thanks for the tips on glaze.", "It works."),
        member("b", "Which glaze should I buy?"),
        member("c", "I met Pip, the dog of my aunt."),
        member("d", "We named our dog Pip."),
    ]
    found = {tuple(names(order_members(each))) for each in permutations(members)}
    assert len(found) == 1


def test_members_that_say_nothing_keep_the_order_of_their_ids() -> None:
    """D2 before D10, and no member is lost; nothing is ordered of nothing."""
    assert names(order_members([member(f"m{at}", "") for at in (10, 2, 1)])) == ["m1", "m2", "m10"]
    assert order_members([]) == []


def test_a_bundle_of_two_sessions_is_refused() -> None:
    """As are two members of one id."""
    one = member("a", "Hello.")
    twice = one.conversation.model_copy(update={"sessions": one.conversation.sessions * 2})
    with pytest.raises(ValueError, match="a: expected 1 session, got 2"):
        order_members([one.model_copy(update={"conversation": twice})])
    with pytest.raises(ValueError, match="dialogue a/D1: expected a unique id"):
        order_members([one, one])


def test_of_a_cycle_the_weakest_gives_way() -> None:
    """The two heavier reasons hold, the third is named as given up."""
    cues = [Cue(0, 1, 3, "x"), Cue(1, 2, 2, "y"), Cue(2, 0, 1, "z")]
    found = constraints(3, cues)
    assert ([one.why for one in found.kept], [one.why for one in found.given_up]) == (
        ["x", "y"],
        ["z"],
    )
    assert found.before[0, 2]


def test_positions_add_up_along_a_chain() -> None:
    """Three members of a chain stand in a row, by leaning where no cue says anything."""
    place = positions([Cue(0, 1, 1, ""), Cue(1, 2, 1, "")], [0, 0, 0])
    assert place[0] < place[1] < place[2]
    assert list(np.argsort(positions([], [3.0, 1.0, 2.0]))) == [1, 2, 0]


@given(
    st.integers(1, 7).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.lists(
                st.tuples(st.integers(0, size - 1), st.integers(0, size - 1), st.integers(1, 3)),
                max_size=12,
            ),
            st.lists(st.integers(-3, 3), min_size=size, max_size=size),
            st.lists(st.integers(0, 3), min_size=size * size, max_size=size * size),
        )
    )
)
def test_an_order_holds_each_once_and_keeps_every_constraint(
    drawn: tuple[int, list[tuple[int, int, int]], list[int], list[int]],
) -> None:
    """Whatever must come first does, and what gave way contradicts what is kept."""
    size, edges, place, fluent = drawn
    found = constraints(size, [Cue(a, b, weight, "") for a, b, weight in edges])
    next_to = np.array(fluent, dtype=float).reshape(size, size)
    order = arrange(found.before, np.array(place, dtype=float), next_to)
    assert sorted(order) == list(range(size))
    at = {each: number for number, each in enumerate(order)}
    assert all(at[one.before] < at[one.after] for one in found.kept)
    assert all(at[one.before] >= at[one.after] for one in found.given_up)


def test_what_leads_on_is_put_next() -> None:
    """Between equals, each follows the one whose end it begins with."""
    next_to = np.zeros((4, 4))
    for one, other in pairwise([2, 0, 3, 1]):
        next_to[one, other] = 1
    assert arrange(np.zeros((4, 4), dtype=bool), np.zeros(4), next_to) == [2, 0, 3, 1]
