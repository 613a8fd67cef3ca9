"""Mem-Gallery's code shows one image a round; an export splits rounds, and proofs go along."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.foreign_cases import bundle_of, import_all, rules
from support.release_builder import MemoryBlobs
from support.several_images import Album
from support.strict_cases import exported, spoiled

from memassay.exports.formats.mem_gallery.exported import exported_json
from memassay.exports.formats.mem_gallery.splitting import (
    FURTHER,
    REPLIES,
    with_one_image_a_round,
)
from memassay.exports.formats.mem_gallery.writing import QUESTIONS
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, SpeakerKind
from memassay.schemas.records.question import AnswerFormat, Evidence

ALBUMS = st.lists(st.lists(st.integers(0, 4), min_size=1, max_size=4), min_size=1, max_size=3)


def _clues(bundle: Bundle) -> dict[str, list[str]]:
    """Clues of an export by question."""
    raw, _ = exported_json(bundle)
    return {each["question"]: each["clue"] for each in raw[QUESTIONS]}


def _rounds(raw: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for session in raw["multi_session_dialogues"] for each in session["dialogues"]]


@given(sessions=ALBUMS)
def test_nothing_is_lost_and_the_order_is_kept(sessions: list[list[int]]) -> None:
    """Images and words are those of before, one image a round, rounds counted without a gap."""
    bundle = Album(MemoryBlobs()).bundle(sessions)
    split, unfit = with_one_image_a_round(bundle)
    before, after = bundle.conversation, split.conversation
    assert [each for _, each in after.attachments()] == [each for _, each in before.attachments()]
    for session in after.sessions:
        assert [each.id for each in session.rounds] == [
            f"{session.id}:{at}" for at in range(1, len(session.rounds) + 1)
        ]
        for each in session.rounds:
            assert sum(len(turn.attachments) for turn in each.turns) <= 1
            assert [turn.speaker for turn in each.turns] == ["user", "assistant"]
            assert [turn.id for turn in each.turns] == [f"{each.id}.1", f"{each.id}.2"]
    ours = {*FURTHER, *REPLIES}
    said = [turn.text for turn in after.turns() if turn.text not in ours]
    assert said == [turn.text for turn in before.turns()]
    assert len(unfit) == sum(images > 1 for rounds in sessions for images in rounds)


@given(sessions=ALBUMS)
def test_a_clue_is_the_round_that_proves(sessions: list[list[int]]) -> None:
    """Of words the round with them, of a picture that of the picture, of both both."""
    bundle = Album(MemoryBlobs()).bundle(sessions)
    split, _ = with_one_image_a_round(bundle)
    moved = {each.fact: each for each in split.mentions}
    for old, item in zip(bundle.questions, split.questions, strict=True):
        assert item.evidence.canonical == [place for (place,) in item.evidence.groups]
        places = {each.id for name in item.evidence.canonical for each in split.rounds_of(name)}
        assert places
        if item.evidence.facts:
            assert places == {moved[fact].round for fact in item.evidence.facts}
        texts = {turn.text for name in places for turn in split.round_by_id[name].turns}
        (whole,) = bundle.rounds_of(old.evidence.canonical[0])
        if item.question.text.startswith("unknown"):
            assert texts >= {turn.text for turn in whole.turns}
        if item.question.text.startswith(("reply", "turn")):
            assert whole.turns[1].text in texts


@given(sessions=ALBUMS)
def test_mentions_are_where_they_can_be_seen(sessions: list[list[int]]) -> None:
    """A turn with its words, or the picture."""
    bundle = Album(MemoryBlobs()).bundle(sessions)
    split, _ = with_one_image_a_round(bundle)
    for old, new in zip(bundle.mentions, split.mentions, strict=True):
        assert new.turn is not None
        turn = split.turn_by_id[new.turn]
        assert turn in split.round_by_id[new.round].turns
        if new.attachment is None:
            assert turn.text == bundle.turn_by_id[old.turn or ""].text
        else:
            assert [each.id for each in turn.attachments] == [new.attachment]


@settings(max_examples=15)
@given(sessions=ALBUMS)
def test_the_strict_reader_and_our_own_read_it(
    tmp_path_factory: pytest.TempPathFactory, sessions: list[list[int]]
) -> None:
    """Every question is kept, every image is shown, and the golds come back as they were."""
    folder, blobs = tmp_path_factory.mktemp("album"), MemoryBlobs()
    bundle = Album(blobs).bundle(sessions)
    kept, lost = exported("mem-gallery", bundle, blobs, folder / "first")
    assert (lost, kept.questions) == ([], bundle.questions)
    assert spoiled("mem-gallery", kept, folder / "first") == {}
    (imported,) = import_all("mem-gallery", folder / "first", blobs)
    assert rules(imported) == []
    again = bundle_of(imported)
    assert set(again.attachment_by_id) == set(bundle.attachment_by_id)
    assert [each.answer.values for each in again.questions] == [
        each.answer.values for each in bundle.questions
    ]
    second, more = exported("mem-gallery", again, blobs, folder / "second")
    assert (len(second.questions), more) == (len(bundle.questions), [])
    first, later = (folder / name / "dialog/album.json" for name in ("first", "second"))
    assert json.loads(later.read_text("utf-8")) == json.loads(first.read_text("utf-8"))


def test_a_round_of_three_images_reads_as_three() -> None:
    """The words are with the first image, the reply with the last."""
    raw, unfit = exported_json(Album(MemoryBlobs()).bundle([[0, 3, 1]]))
    assert [
        (each["round"], each["user"], each["assistant"], each.get("image_id", []))
        for each in _rounds(raw)
    ] == [
        ("D1:1", "user at D1:1", "reply at D1:1", []),
        ("D1:2", "user at D1:2", REPLIES[0], ["D1:IMG_001"]),
        ("D1:3", FURTHER[0], REPLIES[1], ["D1:IMG_002"]),
        ("D1:4", FURTHER[1], "reply at D1:2", ["D1:IMG_003"]),
        ("D1:5", "user at D1:3", "reply at D1:3", ["D1:IMG_004"]),
    ]
    assert [each.what for each in unfit if "image" in each.what] == ["several images of round D1:2"]


@pytest.mark.parametrize("place", ["D1:3", "D1:1.3", "D1:2.9", "D7:1", "D1:IMG_009"])
def test_what_led_nowhere_leads_nowhere(place: str) -> None:
    """No question comes to cite a round by chance, because others were split before it."""
    bundle = Album(MemoryBlobs()).bundle([[4, 0]])
    items = [
        each.model_copy(update={"evidence": Evidence.of([place])}) for each in bundle.questions
    ]
    split, _ = with_one_image_a_round(bundle.model_copy(update={"questions": items}))
    for item in split.questions:
        assert [split.rounds_of(each) for each in item.evidence.canonical] == [[]]


def test_alternatives_stay_alternatives() -> None:
    """Any of them is enough, though one is several rounds now."""
    bundle = Album(MemoryBlobs()).bundle([[2, 1]])
    evidence = Evidence(groups=[["D1:1", "D1:2"]], canonical=["D1:2"])
    item = bundle.questions[0].model_copy(update={"evidence": evidence})
    split, _ = with_one_image_a_round(bundle.model_copy(update={"questions": [item]}))
    assert split.questions[0].evidence.groups == [["D1:1", "D1:2", "D1:3"]]
    assert split.questions[0].evidence.canonical == ["D1:3"]


def test_an_image_that_the_question_names_is_cited_without_a_ledger() -> None:
    """Of a round without known facts, the part that shows what the gold names."""
    bundle = Album(MemoryBlobs()).bundle([[3]])
    plain = bundle.model_copy(
        update={
            "mentions": [],
            "questions": [
                each.model_copy(update={"evidence": Evidence.of(["D1:1"])})
                for each in bundle.questions
                if each.answer.format is AnswerFormat.IMAGE_ID
            ],
        }
    )
    assert list(_clues(plain).values()) == [["D1:1"], ["D1:2"], ["D1:3"]]


def test_people_who_talk_with_each_other_get_no_words_of_ours() -> None:
    """An utterance is cut, and nobody else is made to answer; documents stay with the words."""
    bundle = Album(MemoryBlobs()).bundle([[2]])
    talk = bundle.conversation
    (whole,) = talk.rounds()
    page = Attachment(id="D1:DOC_001", asset=bundle.assets[0].id, page=1)
    first = whole.turns[0]
    turn = first.model_copy(update={"attachments": [*first.attachments, page]})
    alone = whole.model_copy(update={"turns": [turn]})
    people = [each.model_copy(update={"kind": SpeakerKind.HUMAN}) for each in talk.speakers]
    session = talk.sessions[0].model_copy(update={"rounds": [alone]})
    talk = talk.model_copy(update={"speakers": people, "sessions": [session]})
    split, _ = with_one_image_a_round(bundle.model_copy(update={"conversation": talk}))
    assert [
        (turn.id, turn.text, [each.id for each in turn.attachments])
        for turn in split.conversation.turns()
    ] == [
        ("D1:1.1", "user at D1:1", ["D1:IMG_001", "D1:DOC_001"]),
        ("D1:2.1", FURTHER[0], ["D1:IMG_002"]),
    ]
