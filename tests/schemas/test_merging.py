"""Guests in a host: places, records and speakers of both after their sessions are merged."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixtures import TALK
from support.placed_history import placed_history

from memassay.schemas.changes.merging import Merged, Visit, merge_guest
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Checkpoint, SessionArc
from memassay.schemas.records.question import Evidence, QAItem

SIZES = st.lists(st.integers(1, 3), min_size=2, max_size=8)


def _named(bundle: Bundle, name: str) -> Bundle:
    """A bundle whose conversation and texts are another's."""
    text = bundle.model_dump_json().replace(f'"{TALK}', f'"{name}').replace("It weighs", "It is")
    return Bundle.model_validate_json(text)


def _visit(host: Bundle, guest: Bundle, after: int, **more: Any) -> Merged:
    dates = [f"2024-{after:02d}-{day:02d}" for day in range(10, 10 + len(guest.session_by_id))]
    wanted: dict[str, Any] = {"speakers": {}, **more}
    return merge_guest(host, guest, Visit("pets", after, dates, **wanted))


def _two(host: list[int], guest: list[int]) -> tuple[Bundle, Bundle]:
    return placed_history(host), _named(placed_history(guest), "guest")


def _words(bundle: Bundle, places: list[str]) -> list[list[str]]:
    return [[turn.text for turn in bundle.round_by_id[place].turns] for place in places]


def _question(bundle: Bundle, name: str) -> QAItem:
    return next(one for one in bundle.questions if one.id == name)


@settings(max_examples=40, deadline=None)
@given(SIZES, SIZES, st.data())
def test_every_place_keeps_its_words(
    host: list[int], guest: list[int], data: st.DataObject
) -> None:
    """Rounds of both have their texts at their new ids, each in its old order."""
    one, other = _two(host, guest)
    after = data.draw(st.integers(0, len(host)))
    found = _visit(one, other, max(after, 1))
    for before, places in ((one, found.host), (other, found.guest)):
        old = [round_.id for round_ in before.conversation.rounds()]
        new = [places.one(place) for place in old]
        assert _words(found.bundle, new) == _words(before, old)
        assert sorted(new, key=natural_key) == new
    assert len(found.bundle.conversation.rounds()) == sum(host) + sum(guest)


@settings(max_examples=40, deadline=None)
@given(SIZES, SIZES, st.data())
def test_evidence_and_mentions_follow(
    host: list[int], guest: list[int], data: st.DataObject
) -> None:
    """What a question cites and where a fact is told are the same words as before."""
    one, other = _two(host, guest)
    found = _visit(one, other, data.draw(st.integers(1, len(host))))
    for before, names in ((one, {}), (other, found.records)):
        for item in before.questions:
            now = _question(found.bundle, names.get(item.id, item.id))
            assert _words(found.bundle, now.evidence.canonical) == _words(
                before, item.evidence.canonical
            )
            assert now.evidence.facts == [names.get(fact, fact) for fact in item.evidence.facts]
        rounds = {mention.id: mention.round for mention in found.bundle.mentions}
        for mention in before.mentions:
            now_round = rounds[names.get(mention.id, mention.id)]
            assert _words(found.bundle, [now_round]) == _words(before, [mention.round])


def test_sessions_of_the_guest_say_where_they_came_from() -> None:
    """Date, arc and origin are the visit's; those of the host stay as they were."""
    found = _visit(*_two([1, 1], [1, 1]), after=1).bundle.conversation.sessions
    assert [one.origin for one in found] == [None, "pets", "pets", None]
    assert [one.date for one in found] == ["2024-01-01", "2024-01-10", "2024-01-11", "2024-02-01"]
    assert [one.arc for one in found][1:3] == [SessionArc.GUEST] * 2


def test_guests_speak_as_the_host_s_speakers() -> None:
    """Turns, mentions and facts of a guest are those of the host's speaker."""
    host, guest = _two([1], [1])
    guest = Bundle.model_validate_json(guest.model_dump_json().replace('"ann"', '"zoe"'))
    found = _visit(host, guest, after=1, speakers={"zoe": "ann"}).bundle
    assert [one.id for one in found.conversation.speakers] == [
        one.id for one in host.conversation.speakers
    ]
    assert {turn.speaker for turn in found.conversation.turns()} == {"ann"}
    assert {mention.speaker for mention in found.mentions} == {"ann"}


def test_speakers_whom_the_host_does_not_have_come_along() -> None:
    """A guest's speaker for whom nobody of the host stands is one of the conversation's then."""
    host, guest = _two([1], [1])
    guest = Bundle.model_validate_json(guest.model_dump_json().replace('"ann"', '"zoe"'))
    found = _visit(host, guest, after=1).bundle.conversation.speakers
    assert "zoe" in {one.id for one in found}


def test_records_of_the_guest_have_names_of_their_own() -> None:
    """Two groups with records of the same local names do not meet in one host."""
    found = _visit(*_two([1], [1]), after=1).bundle
    names = [one.id for one in found.records()]
    assert len(names) == len(set(names))
    assert {name.partition("/")[0] for name in names} == {TALK}


def test_evidence_that_named_no_place_names_none_afterwards() -> None:
    """`D3:1` of a host with two sessions does not come to mean a guest's round."""
    host, guest = _two([1, 1], [1, 1])
    lost = host.questions[0].model_copy(update={"evidence": Evidence.of(["D1:1", "D3:1"])})
    found = _visit(host.model_copy(update={"questions": [lost]}), guest, after=1).bundle
    assert _question(found, lost.id).evidence.canonical == ["D1:1", "D5:1"]
    assert "D5" not in found.session_by_id


def test_checkpoint_behind_the_guests_covers_them() -> None:
    """Who is asked after the last session of the host has seen its guests too."""
    host, guest = _two([1, 1], [1])
    points = [
        Checkpoint(id="early", covered_sessions=["D1"]),
        Checkpoint(id="late", covered_sessions=["D1", "D2"]),
    ]
    told = host.conversation.model_copy(update={"checkpoints": points})
    found = _visit(host.model_copy(update={"conversation": told}), guest, after=1).bundle
    covered = {one.id: one.covered_sessions for one in found.conversation.checkpoints}
    assert covered == {"early": ["D1"], "late": ["D1", "D2", "D3"]}


def test_each_session_needs_a_date() -> None:
    """A visit with fewer dates than sessions is refused."""
    host, guest = _two([1], [1, 1])
    with pytest.raises(ValueError, match="zip"):
        merge_guest(host, guest, Visit("pets", 1, ["2024-01-10"], {}))
