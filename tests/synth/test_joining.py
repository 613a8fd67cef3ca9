"""Dialogues of several conversations as one: places, ledgers and questions afterwards."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixtures import TALK, fact, mention
from support.placed_history import placed_history

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Checkpoint
from memassay.schemas.records.question import AskedAt
from memassay.synth.lives.joining import JoinedLife, LifeName, join_dialogues
from memassay.synth.lives.life import Change
from memassay.synth.lives.members import cut_out, dialogue_id, sessions_of

SIZES = st.lists(st.integers(1, 3), min_size=2, max_size=6)
LIFE = LifeName("life", "mem-gallery", "mem-gallery")


def _named(bundle: Bundle, name: str) -> Bundle:
    text = bundle.model_dump_json().replace(f'"{TALK}', f'"{name}')
    return Bundle.model_validate_json(text.replace("It weighs", "It is"))


def _members(*sources: Bundle) -> list[Bundle]:
    return [cut_out(one, each.id) for one in sources for each in one.conversation.sessions]


def _joined(order: Sequence[Bundle], *sources: Bundle, **more: Any) -> JoinedLife:
    kept = {dialogue_id(one) for one in order}
    asked = {
        one.id: [item for item in one.questions if len(sessions_of(item)) != 1] for one in sources
    }
    assert kept
    return join_dialogues(LIFE, order, {one.id: one for one in sources}, asked, **more)


def _words(bundle: Bundle, places: Sequence[str]) -> list[list[str]]:
    return [
        [turn.text for turn in each.turns] for place in places for each in bundle.rounds_of(place)
    ]


@settings(max_examples=30, deadline=None)
@given(SIZES, SIZES, st.data())
def test_whatever_the_order_words_are_found_again(
    one: list[int], other: list[int], data: st.DataObject
) -> None:
    """Evidence, mentions and sessions of both are the same words at their new places."""
    sources = [placed_history(one), _named(placed_history(other), "other")]
    order = data.draw(st.permutations(_members(*sources)))
    found = _joined(order, *sources)
    life = found.life.bundle
    assert [each.origin for each in life.conversation.sessions] == [dialogue_id(m) for m in order]
    for source in sources:
        for session in source.conversation.sessions:
            now = found.sessions[source.id][session.id]
            assert _words(life, [now]) == _words(source, [session.id])
        questions = {each.id: each for each in life.questions}
        for item in source.questions:
            now_asked = questions[found.records[item.id]]
            assert sorted(_words(life, now_asked.evidence.canonical)) == sorted(
                _words(source, item.evidence.canonical)
            )
        mentions = {each.id: each for each in life.mentions}
        for old in source.mentions:
            assert _words(life, [mentions[found.records[old.id]].round]) == _words(
                source, [old.round]
            )


def test_places_that_stay_away_come_to_mean_nothing() -> None:
    """A question about a dialogue that is in no life has no evidence, not that of another one."""
    source = placed_history([2, 2, 2, 2])
    members = _members(source)
    found = _joined(members[:1], source)
    for item in source.questions:
        if len(sessions_of(item)) > 1 or item.id not in found.records:
            continue
        assert sessions_of(item) <= {"D1"}
    lost = [one for one in source.questions if len(sessions_of(one)) > 1]
    questions = {each.id: each for each in found.life.bundle.questions}
    for item in lost:
        assert questions[found.records[item.id]].evidence.canonical == []


def test_a_fact_of_two_dialogues_is_one_and_replaces_the_same_facts() -> None:
    """What was cut apart with two sessions of a conversation is put together again."""
    source = placed_history([2, 2])
    facts = [fact("F8", "red"), fact("F9", "blue", supersedes=[f"{TALK}/F8"])]
    told = [
        mention("M7", "F8", round="D1:1", turn="D1:1.1"),
        mention("M8", "F9", round="D2:1", turn="D2:1.1"),
        mention("M9", "F8", round="D2:1", turn="D2:1.1"),
    ]
    source = source.model_copy(
        update={"facts": [*source.facts, *facts], "mentions": [*source.mentions, *told]}
    )
    found = _joined(_members(source), source)
    new = {each.id: each for each in found.life.bundle.facts}
    assert len(new) == len(source.facts)
    assert new[found.records[f"{TALK}/F9"]].supersedes == [found.records[f"{TALK}/F8"]]


def test_questions_stay_when_no_dialogue_of_their_conversation_does() -> None:
    """They come along without evidence, so that they can be held out with a reason."""
    source, other = placed_history([2, 2]), _named(placed_history([1, 1]), "other")
    found = _joined(_members(source), source, other)
    lost = {each.id: each for each in found.life.bundle.questions}
    assert [lost[found.records[one.id]].evidence.groups for one in other.questions] == [[]]
    assert found.sessions["other"] == {}


def test_one_name_for_two_things_is_two_names() -> None:
    """A subject that another ledger has too is called by its conversation as well."""
    source = placed_history([2, 2])
    other = _named(source, "other")
    found = _joined(_members(source, other), source, other)
    subjects = {each.subject for each in source.facts}
    now = {each.subject for each in found.life.bundle.facts}
    assert now == subjects | {f"{one} ({TALK})" for one in subjects}


def test_questions_are_asked_after_what_was_seen_and_is_left() -> None:
    """A checkpoint becomes the last session that it covered and that is in the life."""
    source = placed_history([2, 2, 2])
    asked = AskedAt(checkpoint="CP1")
    talk = source.conversation.model_copy(
        update={"checkpoints": [Checkpoint(id="CP1", covered_sessions=["D1", "D2"])]}
    )
    questions = [one.model_copy(update={"asked_at": asked}) for one in source.questions]
    source = source.model_copy(update={"conversation": talk, "questions": questions})
    members = _members(source)
    found = _joined([members[2], members[0]], source)
    assert {one.asked_at.session for one in found.life.bundle.questions} == {"D2"}
    assert {one.asked_at.checkpoint for one in found.life.bundle.questions} == {None}


def test_changes_move_with_their_turns() -> None:
    """What was done to a dialogue is listed where the life has it; what is left out by its name."""
    source = placed_history([2, 2])
    first, second = _members(source)
    changes = [
        Change(AlterationKind.REWRITE, f"{TALK}/D2:1.1", "a", "b", "why"),
        Change(AlterationKind.LEFT_OUT, "other/D1", "", "", "why"),
    ]
    found = _joined([second, first], source, changes=changes)
    assert [one.place for one in found.life.alterations] == ["D1:1.1", "other/D1"]
