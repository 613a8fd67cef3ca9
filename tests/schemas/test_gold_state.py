"""Everything that holds after a session, against a replay of the ledger by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.ledgers import DATES, bundle_of, fact, get, ledger_of, mention, run, select, why
from support.query_strategies import SESSIONS, worlds

from memassay.schemas.errors import MalformedQueryError, NoResultError
from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle

Document = dict[str, Any]


World = tuple[list[tuple[Document, str]], list[Document]]


@st.composite
def ending_worlds(draw: st.DrawFn) -> World:
    """Facts as other tests draw them, some with a last day, some denied in some round."""
    facts, denials = draw(worlds()), []
    for at, (each, _) in enumerate(facts):
        each["valid_to"] = draw(st.sampled_from([None, None, "2024-02-05", "2024-03-20"]))
        place = draw(st.none() | st.sampled_from(SESSIONS))
        if place is not None:
            denials.append(mention(f"M{at}", f"F{at}", f"{place}:4", form="denied"))
    return facts, denials


def _held(bundle: Bundle, session: str) -> list[str]:
    return [each.id.removeprefix("c/") for each in gold_state(bundle, session)]


class _Replay:
    """A memory that applies every operation as it is told; it shares nothing with the executor."""

    def __init__(self, world: World, session: str) -> None:
        self.facts = {each["id"]: each for each, _ in world[0]}
        self.now = DATES[SESSIONS.index(session)]
        self.first = {each["id"]: min(places.split(), default="")[:2] for each, places in world[0]}
        self.seen = {one for one, first in self.first.items() if first and first <= session}
        self.denied = {each["fact"] for each in world[1] if each["round"][:2] <= session}
        self.deniable = {each["fact"] for each in world[1]}

    def held(self) -> set[str]:
        """What is left in the end."""
        return {
            one
            for one in self.seen
            if self.facts[one]["status"] != "interference"
            and self.facts[one]["operation"] != "delete"
            and not self.waits(one)
            and not self.struck(one)
            and not self.taken_back(one)
            and not (self.facts[one]["valid_to"] or "9999") <= self.now
        }

    def heirs(self, one: str) -> list[str]:
        """What replaces or deletes it."""
        return [
            heir
            for heir, each in self.facts.items()
            if one in each["supersedes"] and each["status"] != "interference"
        ]

    def since(self, one: str) -> str:
        """From when on it holds."""
        day = DATES[SESSIONS.index(self.first[one])] if self.first[one] else "9999"
        return str(self.facts[one]["valid_from"] or day)

    def waits(self, one: str) -> bool:
        """Whether it is a change for later of something known that has begun."""
        begun = {old for old in self.seen if self.since(old) <= self.now}
        return self.since(one) > self.now and any(one in self.line(old) for old in begun)

    def line(self, one: str) -> set[str]:
        """What replaces it, and what replaces that."""
        heirs = set(self.heirs(one))
        return heirs.union(*(self.line(heir) for heir in heirs))

    def struck(self, one: str) -> bool:
        """Whether something told by now replaces it, or replaces what replaces it."""
        return any(
            (heir in self.seen and not self.waits(heir)) or self.struck(heir)
            for heir in self.heirs(one)
        )

    def taken_back(self, one: str) -> bool:
        """Whether it is marked as taken back, and was by now; if nothing tells when, always."""
        if self.facts[one]["status"] != "retracted":
            return False
        never = one not in self.deniable and not self.heirs(one)
        return never or one in self.denied or not self.seen.isdisjoint(self.line(one))


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(ending_worlds(), st.sampled_from(SESSIONS))
def test_the_state_is_what_a_replay_of_all_operations_leaves(world: World, session: str) -> None:
    """Told, replaced, deleted, denied, announced, over: after each session the same facts hold."""
    held = {name.removeprefix("c/") for name in _Replay(world, session).held()}
    assert set(_held(bundle_of(*world), session)) == held


@given(ending_worlds(), st.sampled_from(SESSIONS))
def test_the_state_is_what_as_of_gives(world: World, session: str) -> None:
    """`as_of` at a session, over everything but interference, gives the same facts."""
    every = select(status=["asserted", "retracted", "implied"])
    query = get({"op": "as_of", "of": every, "at": session}, "subject")
    try:
        held = why(run(query, ledger_of(*world), "all"))
    except NoResultError:
        held = []
    assert sorted(_held(bundle_of(*world), session)) == held


def test_the_state_is_ordered_by_place_and_leaves_out_what_is_no_memory() -> None:
    """Questions, jokes and what was taken out of the text are no state; an implied fact is."""
    bundle = bundle_of(
        [
            (fact("F1", "amy", "pet", "Rex"), "D2:1"),
            (fact("F2", "amy", "home", "flat", status="implied", entailed_by=["F1"]), ""),
            (fact("F3", "amy", "age", "9", status="interference"), "D1:1"),
            (fact("F4", "amy", "age", "8", status="unsaid"), "D1:1"),
            (fact("F5", "Q:IMG_001", "concept", "Rex", scope="question"), ""),
            (fact("F6", "amy", "car", "van"), "D1:2"),
            (fact("F7", "amy", "stay", "Rome", valid_to="2024-02-05"), "D1:1"),
            (fact("F8", "amy", "alibi", "cinema", status="retracted"), "D1:3"),
        ],
        [mention("M9", "F8", "D2:4", form="denied")],
    )
    assert _held(bundle, "D1") == ["F7", "F6", "F8"]
    assert _held(bundle, "D2") == ["F6", "F1", "F2"]


def test_a_session_that_does_not_exist_has_no_state() -> None:
    """The message names it."""
    with pytest.raises(MalformedQueryError, match="D9"):
        gold_state(bundle_of([]), "D9")
