"""Operations on a history: what becomes of its places and of everything that cites them."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fixtures import TALK, item
from support.placed_history import WORDS, placed_history

from memassay.schemas.changes.operations import (
    EditTurn,
    MergeSessions,
    MoveImage,
    MoveRound,
    MoveSession,
    Operation,
    PlaceImage,
    Redact,
    RemoveImage,
    SplitSession,
    parse_operation,
)
from memassay.schemas.changes.restructure import Restructured, restructure
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Checkpoint
from memassay.schemas.records.ledger import FactStatus
from memassay.schemas.records.parts.reference import PictureDescription, Reference
from memassay.schemas.records.question import AskedAt, Evidence


@st.composite
def _moves(draw: st.DrawFn) -> tuple[Bundle, Operation]:
    rounds = draw(st.lists(st.integers(2, 4), min_size=2, max_size=4))
    places = [f"D{at}:{n}" for at, count in enumerate(rounds, 1) for n in range(1, count + 1)]
    chosen = draw(st.lists(st.sampled_from(places), unique=True, max_size=4))
    number = dict.fromkeys(range(1, 9), 0)
    images = {}
    for place in sorted(chosen, key=natural_key):
        at = int(place[1:].partition(":")[0])
        number[at] += draw(st.integers(1, 2))
        images[place] = number[at]
    at = draw(st.integers(2, len(rounds)))
    count = rounds[at - 1]
    operation = draw(
        st.sampled_from(
            [
                MergeSessions(session=f"D{at}"),
                SplitSession(round=f"D{at}:{count}"),
                MoveRound(round=f"D{at}:{count}", session="D1", position=1),
                MoveRound(round=f"D{at}:{count}", session=f"D{at}", position=1),
                MoveSession(session=f"D{at}", position=1, date="2023-12-24"),
            ]
        )
    )
    return placed_history(rounds, images), operation


def _texts(history: Bundle) -> dict[str, str]:
    return {turn.id: turn.text for turn in history.conversation.turns()}


@settings(max_examples=60, deadline=None)
@given(_moves())
def test_places_are_numbered_by_position_and_none_is_lost(given_: tuple[Bundle, Operation]) -> None:
    """Old rounds, turns and attachments and new ones correspond one to one, text for text."""
    before, operation = given_
    done = restructure(operation, before)
    after, talk = done.bundle, done.bundle.conversation
    assert [one.id for one in talk.sessions] == [f"D{at + 1}" for at in range(len(talk.sessions))]
    assert [one.index for one in talk.sessions] == [at + 1 for at in range(len(talk.sessions))]
    for each in talk.sessions:
        assert [one.id for one in each.rounds] == [
            f"{each.id}:{at + 1}" for at in range(len(each.rounds))
        ]
    old = {*before.round_by_id, *before.turn_by_id, *before.attachment_by_id}
    new = {*after.round_by_id, *after.turn_by_id, *after.attachment_by_id}
    assert set(done.places.others) == old
    assert sorted(done.places.others.values()) == sorted(new)
    said = _texts(after)
    assert all(said[done.places.one(name)] == text for name, text in _texts(before).items())
    assert all(a.date <= b.date for a, b in pairwise(talk.sessions) if a.date and b.date)


@settings(max_examples=60, deadline=None)
@given(_moves())
def test_everything_that_cites_a_place_cites_it_still(given_: tuple[Bundle, Operation]) -> None:
    """Mentions, evidence, decoys and the point of asking resolve, and say what they said."""
    before, operation = given_
    done = restructure(operation, before)
    after = done.bundle
    assert len(after.mentions) == len(before.mentions)
    for mention in after.mentions:
        turn = after.turn_by_id[str(mention.turn)]
        assert turn.id.startswith(f"{mention.round}.")
        if mention.attachment:
            assert mention.attachment in {one.id for one in turn.attachments}
        if mention.span:
            assert turn.text[mention.span[0] : mention.span[1]] == "12 kg"
    (question,), (asked,) = after.questions, before.questions
    assert question.asked_at.session in after.session_by_id
    cited = [after.round_by_id[place] for place in question.evidence.canonical]
    wanted = [before.round_by_id[place] for place in asked.evidence.canonical]
    assert {one.turns[0].text for one in cited} == {one.turns[0].text for one in wanted}
    assert after.facts == before.facts


@settings(max_examples=40, deadline=None)
@given(_moves())
def test_a_reference_means_its_picture_still(given_: tuple[Bundle, Operation]) -> None:
    """Under its new id, in the turn that shows it."""
    before, operation = given_
    shown = PictureDescription(noun="picture")
    references = [
        Reference(phrase="the picture", description=shown, means=one)
        for one in before.attachment_by_id
    ]
    asked = [one.model_copy(update={"references": references}) for one in before.questions]
    after = restructure(operation, before.model_copy(update={"questions": asked})).bundle
    (question,) = after.questions
    for old, new in zip(references, question.references, strict=True):
        was, now = before.attachment_by_id[old.means], after.attachment_by_id[new.means]
        assert now[0].text == was[0].text


@settings(max_examples=40, deadline=None)
@given(_moves(), st.integers(0, 50))
def test_a_session_split_and_merged_again_is_as_it_was(
    given_: tuple[Bundle, Operation], drawn: int
) -> None:
    """To the record, attachment numbers included."""
    before, _ = given_
    inner = [one.rounds[1:] for one in before.conversation.sessions]
    places = [one.id for own in inner for one in own]
    place = places[drawn % len(places)]
    split = restructure(SplitSession(round=place), before)
    second = split.places.one(place).partition(":")[0]
    again = restructure(MergeSessions(session=second), split.bundle).bundle
    assert again.conversation == before.conversation
    assert again.mentions == before.mentions
    kept = [one.model_copy(update={"asked_at": AskedAt()}) for one in again.questions]
    assert kept == [one.model_copy(update={"asked_at": AskedAt()}) for one in before.questions]


def _edited(text: str, history: Bundle | None = None) -> Restructured:
    return restructure(EditTurn(turn="D1:1.1", text=text), history or placed_history([2, 2]))


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("Truly, it weighs 12 kg on D1:1.", "12 kg"),
        ("It weighs 12 kg, as far as we know.", "12 kg"),
        ("We weighed it: 12kg.", "12kg"),
    ],
)
def test_a_mention_moves_with_its_words(text: str, span: str) -> None:
    """Before or behind the change, or anywhere in a form in which the value can be said."""
    (mention,) = [one for one in _edited(text).bundle.mentions if one.round == "D1:1"]
    assert mention.span is not None
    assert text[mention.span[0] : mention.span[1]] == span


@pytest.mark.parametrize(
    "text", ["It weighs 112 kg.", "It weighs 12.5 kg on D1:1.", "It is light."]
)
def test_a_value_that_is_no_longer_said_is_unsaid(text: str) -> None:
    """The mention is gone, the fact stays in the world, and a note counts what rests on it."""
    done = _edited(text)
    assert all(one.round != "D1:1" for one in done.bundle.mentions)
    assert done.bundle.facts[0].status is FactStatus.UNSAID
    assert done.notes == (
        f"weight of hive: 12 kg ({TALK}/F001) is no longer said here; "
        f"1 question rests on it: {TALK}/Q001",
    )


@settings(max_examples=80, deadline=None)
@given(st.text("ab 12.5kg", max_size=12), st.text("ab 12.5kg", max_size=12), st.integers(0, 24))
def test_a_mention_that_stays_says_its_value(head: str, tail: str, cut: int) -> None:
    """Whatever a turn is made to say; every mention that is left resolves."""
    before = WORDS.format(1, 1)
    text = f"{head}{before[cut:]}{tail}."
    if text == before:
        return
    done = _edited(text)
    for mention in done.bundle.mentions:
        turn = done.bundle.turn_by_id[str(mention.turn)]
        assert mention.span is not None
        assert turn.text[mention.span[0] : mention.span[1]].replace(" ", "") == "12kg"
    kept = {one.fact for one in done.bundle.mentions}
    for fact in done.bundle.facts:
        assert (fact.status is FactStatus.UNSAID) == (fact.id not in kept)


def test_evidence_that_led_nowhere_is_pointed_out_when_it_leads_somewhere() -> None:
    """A place that was none may become one when sessions are split."""
    history = placed_history([2, 2])
    lost = history.questions[0].model_copy(update={"evidence": Evidence.of(["D3:1"])})
    done = restructure(SplitSession(round="D2:2"), history.model_copy(update={"questions": [lost]}))
    assert done.notes == (
        f"{TALK}/Q001 cited a place that was none before and is one now; look at it",
    )
    assert done.bundle.questions[0].evidence.canonical == ["D3:1"]


def test_a_redaction_leaves_a_placeholder_and_names_what_is_left() -> None:
    """The same words elsewhere are pointed out, captions included."""
    history = placed_history([2, 1])
    done = restructure(Redact(turn="D1:2.1", start=3, end=15), history)
    assert _texts(done.bundle)["D1:2.1"] == "It [redacted] on D1:2."
    assert "the same words are still in D1:1.1, D2:1.1" in done.notes
    assert [one.round for one in done.bundle.mentions] == ["D1:1", "D2:1"]


def test_an_image_is_taken_away_with_what_it_shows() -> None:
    """And shown elsewhere it can be read there; a question that answered with it has no proof."""
    history = placed_history([2, 2], {"D1:2": 1})
    cited = item(evidence=["D1:1", "D1:IMG_001"], values=["D1:IMG_001"], format="image_id")
    history = history.model_copy(update={"questions": [cited]})
    moved = restructure(MoveImage(attachment="D1:IMG_001", turn="D2:1.1"), history).bundle
    assert [one.id for one in moved.turn_by_id["D2:1.1"].attachments] == ["D2:IMG_001"]
    assert moved.questions[0].answer.values == ["D2:IMG_001"]
    assert moved.questions[0].evidence.canonical == ["D1:1", "D2:IMG_001"]
    assert [one.round for one in moved.mentions if one.attachment] == ["D2:1"]
    again = restructure(PlaceImage(turn="D1:1.1", asset=f"{TALK}/A1", caption="x"), history)
    assert [one.attachment for one in again.bundle.mentions if one.attachment] == [
        "D1:IMG_001",
        "D1:IMG_002",
    ]
    gone = restructure(RemoveImage(attachment="D1:IMG_001"), history)
    assert gone.bundle.questions[0].evidence.canonical == []
    assert gone.bundle.questions[0].answer.values == []
    assert gone.notes[-1] == f"D1:IMG_001 is evidence or answer of {TALK}/Q001"


def test_checkpoints_and_queries_follow() -> None:
    """Covered sessions, and places that a query names."""
    history = placed_history([2, 2, 2])
    point = Checkpoint(id="C1", covered_sessions=["D1", "D2"])
    talk = history.conversation.model_copy(update={"checkpoints": [point]})
    query = {"op": "as_of", "of": {"op": "select", "where": {"session": "D3"}}, "at": "D3"}
    question = history.questions[0].model_copy(update={"query": query})
    history = history.model_copy(update={"conversation": talk, "questions": [question]})
    done = restructure(MergeSessions(session="D2"), history)
    assert done.bundle.conversation.checkpoints[0].covered_sessions == ["D1"]
    assert done.bundle.questions[0].query == {
        "op": "as_of",
        "of": {"op": "select", "where": {"session": "D2"}},
        "at": "D2",
    }
    assert done.notes == (f"asked between the two sessions, and now behind both: {TALK}/Q001",)


def test_sessions_that_bound_a_filter_follow() -> None:
    """Before and from a session that was split is its first part, after and until its last."""
    history = placed_history([2, 2, 2])
    dated = {"after": "D2", "before": "D2", "from": "D2", "until": "D2"}
    query = {
        "op": "follow",
        "of": {"op": "select", "where": {"dated": dated}},
        "attribute": "home",
        "from": "subject",
    }
    question = history.questions[0].model_copy(update={"query": query})
    history = history.model_copy(update={"questions": [question]})
    done = restructure(SplitSession(round="D2:2"), history)
    moved = {"after": "D3", "before": "D2", "from": "D2", "until": "D3"}
    assert done.bundle.questions[0].query == {
        **query,
        "of": {"op": "select", "where": {"dated": moved}},
    }


SESSION = {"op": "get", "of": {"op": "select", "where": {"subject": "x"}}, "field": "session"}
BUSIEST = {"op": "group", "of": SESSION["of"], "by": "session", "with": "count", "which": "max"}


@pytest.mark.parametrize(
    ("query", "moved"),
    [
        (
            {"op": "compare", "a": SESSION, "b": "D3", "with": "same"},
            {"op": "compare", "a": SESSION, "b": "D2", "with": "same"},
        ),
        (
            {"op": "compare", "a": "D3", "b": BUSIEST, "with": "same"},
            {"op": "compare", "a": "D2", "b": BUSIEST, "with": "same"},
        ),
        (
            {"op": "choose", "of": SESSION, "options": {"A": "D1", "B": "D3"}},
            {"op": "choose", "of": SESSION, "options": {"A": "D1", "B": "D2"}},
        ),
        (
            {"op": "compare", "a": {**SESSION, "field": "value"}, "b": "D3", "with": "same"},
            {"op": "compare", "a": {**SESSION, "field": "value"}, "b": "D3", "with": "same"},
        ),
    ],
)
def test_sessions_that_a_query_compares_with_follow(
    query: dict[str, Any], moved: dict[str, Any]
) -> None:
    """What is held against a session is one; what is held against a value only looks like one."""
    history = placed_history([2, 2, 2])
    question = history.questions[0].model_copy(update={"query": query})
    done = restructure(
        MergeSessions(session="D2"), history.model_copy(update={"questions": [question]})
    )
    assert done.bundle.questions[0].query == moved


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        (MoveSession(session="D2", position=1), "time.session_order"),
        (SplitSession(round="D1:2", date="2025-01-01"), "time.session_order"),
        (MergeSessions(session="D1"), "got the first"),
        (SplitSession(round="D1:1"), "got the first"),
        (SplitSession(round="D9:1"), "expected the session .D9. in its history"),
        (EditTurn(turn="D1:1.1", text="It weighs 12 kg on D1:1."), "expected a change"),
        (EditTurn(turn="D1:1.1", text=" "), "expected some words"),
        (EditTurn(turn="D1:9.1", text="x"), "expected the turn .D1:9.1. in"),
        (Redact(turn="D1:1.1", start=9, end=99), "expected a span inside 0 to 24"),
        (RemoveImage(attachment="D1:IMG_009"), "expected the attachment .D1:IMG_009. in"),
        (PlaceImage(turn="D1:1.1", asset=f"{TALK}/A9"), "expected the asset .* in its history"),
        (MoveSession(session="D2", position=4), "expected a position from 1 to 2"),
        (MoveRound(round="D1:1", session="D2", position=9), "expected a position from 1 to 3"),
    ],
)
def test_what_cannot_be_done_is_refused(operation: Operation, message: str) -> None:
    """With the place, what was expected, and the rule where there is one."""
    with pytest.raises(UsageError, match=message):
        restructure(operation, placed_history([2, 2]))


def test_a_document_that_is_no_operation_is_refused() -> None:
    """With the field that is wrong."""
    assert parse_operation({"op": "merge_sessions", "session": "D2"}) == MergeSessions(session="D2")
    for wrong in ({"op": "burn"}, {"op": "redact", "turn": "D1:1.1", "start": "x", "end": 2}):
        with pytest.raises(UsageError, match="expected a change of the history"):
            parse_operation(wrong)
