"""Proposed edits of histories, and what edits void: made as voted on, or asked again."""

from pathlib import Path

import pytest
from sqlalchemy import select
from support.history_bench import ALEX, STORY, Bench, copy_of, item_of

from memassay.annotation.storage.tables import LOG
from memassay.annotation.voting.desk import ReviewDesk, Vote
from memassay.flows.store.workspace import Workspace
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.review import ReasonCode, Ruling
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem


@pytest.fixture
def story(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Bench:
    """Two simulated histories."""
    return copy_of(STORY, tmp_path_factory.getbasetemp(), tmp_path)


def _accept(workspace: Workspace, who: str, kind: str = "history_edit") -> list[str]:
    """Accept every open item of a kind; gives their records."""
    desk, accepted = ReviewDesk(workspace.queue.engine), []
    for one in workspace.queue.items(states=["open"]):
        if one.kind == kind:
            desk.open_item(one.id, who)
            desk.submit(one.id, who, f"{one.id} {who}", Vote(Ruling.ACCEPT, ReasonCode.CORRECT))
            accepted.append(one.record)
    return accepted


def _silent_turns(bundle: Bundle) -> list[str]:
    """Turns that say no fact, in rounds that no question cites."""
    cited = {one.id for q in bundle.questions for p in _places(q) for one in bundle.rounds_of(p)}
    said = {one.turn for one in bundle.mentions}
    turns = [one.id for one in bundle.conversation.turns() if one.id not in said]
    return [one for one in sorted(turns, key=natural_key) if one.partition(".")[0] not in cited]


def _places(question: QAItem) -> list[str]:
    grouped = [place for group in question.evidence.groups for place in group]
    return [*question.evidence.canonical, *grouped, *question.answer.values]


@pytest.mark.slow
def test_proposals_of_other_places_are_both_made(story: Bench) -> None:
    """Each as its voters saw it; nothing is asked twice."""
    turns = _silent_turns(story.run()[ALEX])
    one, two = turns[0], next(turn for turn in turns if turn[:-2] != turns[0][:-2])
    with story.open() as (workspace, edits):
        item = item_of(workspace, ALEX)
        base = edits.history(item).base
        for turn, who in ((one, "ada"), (two, "eve")):
            edits.propose(item, {"op": "edit_turn", "turn": turn, "text": "Hm."}, base, who, "")
        assert len(edits.history(item).changes) == 0
        assert _accept(workspace, "bob") == [ALEX, ALEX]
    told = story.run()[ALEX]
    assert [told.turn_by_id[turn].text for turn in (one, two)] == ["Hm.", "Hm."]


@pytest.mark.slow
def test_of_two_proposals_for_one_place_the_second_is_asked_again(story: Bench) -> None:
    """Its votes were for another text; what cannot be done any more is said and not dropped."""
    turn = _silent_turns(story.run()[ALEX])[0]
    with story.open() as (workspace, edits):
        item = item_of(workspace, ALEX)
        base = edits.history(item).base
        for text, who in (("Hm.", "ada"), ("Ah.", "eve")):
            edits.propose(item, {"op": "edit_turn", "turn": turn, "text": text}, base, who, "")
        _accept(workspace, "bob")
        assert edits.history(item).bundle.turn_by_id[turn].text == "Hm."
        first, second, again = edits.history(item).proposals
        assert (first.state, second.state, again.state) == ("decided", "stale", "open")
        assert again.writer == "eve"
        _accept(workspace, "bob")
        assert edits.history(item).bundle.turn_by_id[turn].text == "Ah."
        merge = {"op": "merge_sessions", "session": "D3"}
        edit = {"op": "edit_turn", "turn": "D4:1.1", "text": "Hm."}
        for change, who in ((merge, "ada"), (edit, "eve")):
            edits.propose(item, change, edits.history(item).base, who, "")
        _accept(workspace, "bob")
        with workspace.engine.connect() as connection:
            assert edits.history(item).proposals[-1].state == "stale"
            lines = connection.execute(select(LOG.c.reason).where(LOG.c.action == "conflict"))
            assert "D4" in list(lines.scalars())[-1]


@pytest.mark.slow
def test_a_decision_holds_as_long_as_its_evidence_is_as_it_was(story: Bench) -> None:
    """An edit elsewhere voids nothing; one of the evidence voids what was listed, and is said."""
    with story.open() as (workspace, _):
        decided = [one for one in _accept(workspace, "bob", "question") if one.startswith(ALEX)]
    assert decided
    bundle = story.run()[ALEX]
    (applied,) = story.review.decisions
    assert (applied.gate, applied.reviewer, applied.rejected) == ("questions", "bob", 0)
    story.change(ALEX, op="edit_turn", turn=_silent_turns(bundle)[0], text="Hm.")
    story.run()
    assert story.review.voided == []
    assert [(one.record, one.reviewer) for one in story.review.edits] == [(ALEX, "ada")]
    assert story.review.made_again["questions"] == 1
    with story.open() as (workspace, edits):
        assert [one.record for one in workspace.queue.items() if one.record in decided] == []
        question = next(one for one in bundle.questions if one.id == decided[0])
        turn = bundle.rounds_of(question.evidence.canonical[0])[0].turns[0]
        change = {"op": "edit_turn", "turn": turn.id, "text": f"{turn.text} Really."}
        item = item_of(workspace, ALEX)
        voids = edits.preview(item, change).voids
        assert decided[0] in {one.record for one in voids}
        edits.propose(item, change, edits.history(item).base, "zoe", "", owner=True)
    story.run()
    assert {one.record for one in story.review.voided} == {one.record for one in voids}
    assert {(one.decisions, one.votes) for one in story.review.voided} == {(1, 1)}
    with story.open() as (workspace, _):
        asked = {one.record for one in workspace.queue.items() if one.record in decided}
    assert asked == {one.record for one in voids}
    story.run()
    assert story.review.voided == [], "said once, by the run that found it"
