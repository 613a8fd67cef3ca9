"""What a reader of an item is shown, and when its words count."""

from typing import Literal

import pytest
from support.fixtures import (
    Blobs,
    asset,
    attached,
    bundle,
    item,
    png,
    refusal,
    said,
    session,
    utterance,
)

from memassay.schemas.contracts.readings import DefectKind, ItemReading, ReadDefect
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AskedAt
from memassay.validators.reading.passages import Passages
from memassay.validators.reading.quotes import why_refused

SHOWN = {"D1:1": "Monday 2024-03-04 . Ann: I’ve kept TWO hives since May — yes!"}


def _places(whole: Bundle, rounds: int | Literal["all"] = 12) -> list[str]:
    shown = Passages(whole, rounds).of_items(whole.questions).inputs["rounds"]
    return [one["place"] for one in shown]


def test_evidence_its_neighbours_and_likely_rounds_are_shown_in_order_of_time() -> None:
    """What shares no word with question or gold is left out."""
    first = said("Hello there.", "I keep bees.", "Lovely weather.", "Bye.")
    second = said("The bees are gone, I keep wasps.", "So it goes.", "Good night.", number=2)
    whole = bundle(item(evidence=["D1:2"]), sessions=[first, second])
    assert _places(whole) == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]


def test_a_whole_history_is_shown_the_same_to_every_item() -> None:
    """What stands first in all requests can be kept by the endpoint."""
    sessions = [
        said("Hello.", "I keep bees.", "Bye."),
        said("So it goes.", "Good night.", number=2),
    ]
    other = item("What does Ann say?", ["hello"], evidence=["D1:1"]).model_copy(
        update={"id": "talk/Q002"}
    )
    whole = bundle(item(evidence=["D1:2"]), other, sessions=sessions)
    passages = Passages(whole, "all")
    first, second = (passages.of_items([one]).inputs for one in whole.questions)
    assert [one["place"] for one in first["rounds"]] == ["D1:1", "D1:2", "D1:3", "D2:1", "D2:2"]
    assert (first["rounds"], first["speakers"]) == (second["rounds"], second["speakers"])


def test_a_session_is_read_beside_all_others_or_its_neighbours() -> None:
    """As many as the file of the reader asks for; images are those of the session."""
    sessions = [said("Hello.", number=at) for at in (1, 2, 3)]
    whole = bundle(item(), sessions=sessions)
    first = whole.conversation.sessions[0]
    read = {rounds: Passages(whole, rounds).of_sessions([first]) for rounds in ("all", 0)}
    shown = {
        rounds: [one["place"] for one in passage.inputs["rounds"]]
        for rounds, passage in read.items()
    }
    assert shown == {"all": ["D1:1", "D2:1", "D3:1"], 0: ["D1:1", "D2:1"]}


def test_items_that_know_another_part_of_the_history_are_asked_about_apart() -> None:
    """None is shown what comes after its own asking; ten at most share a call."""
    sessions = [said("I keep bees."), said("I keep wasps now.", number=2)]
    early = [
        item(asked_at=AskedAt(session="D1")).model_copy(update={"id": f"talk/Q{at:03d}"})
        for at in range(12)
    ]
    late = item(asked_at=AskedAt(session="D2")).model_copy(update={"id": "talk/Q100"})
    first, *rest = early
    whole = bundle(first, late, *rest, sessions=sessions)
    batches = list(Passages(whole, "all").batches(whole.questions))
    assert [[one.id for one in own] for own in batches] == [
        [one.id for one in early[:10]],
        [one.id for one in early[10:]],
        ["talk/Q100"],
    ]


def test_nothing_is_shown_that_is_said_after_the_question() -> None:
    """A question is asked after a session, and its answer may change later."""
    sessions = [said("I keep bees."), said("I keep wasps now, no bees.", number=2)]
    asked = item(asked_at=AskedAt(session="D1"))
    for rounds in ("all", 12):
        assert _places(bundle(asked, sessions=sessions), rounds) == ["D1:1"]


def test_evidence_that_is_told_later_is_shown_neither_in_words_nor_as_an_image() -> None:
    """Other rules say that it is told too late."""
    later = session(2, utterance("D2:1", "Look.", attachments=[attached("D2:IMG_001", "A1")]))
    asked = item(values=["D2:IMG_001"], evidence=["D2:1"], asked_at=AskedAt(session="D1"))
    whole = bundle(asked, asset("A1", png(9)), sessions=[said("I keep bees."), later])
    for rounds in ("all", 12):
        passage = Passages(whole, rounds).of_items([asked])
        assert [one["place"] for one in passage.inputs["rounds"]] in (["D1:1"], [])
        assert passage.images == ()


def test_a_refusal_says_so_and_shows_more() -> None:
    """Where nothing is to answer, more places are looked through."""
    sessions = [said(*(f"My car number {at} is fast." for at in range(30)))]
    asked = refusal("What car does Ann drive?", traps=["a fast car"])
    passage = Passages(bundle(asked, sessions=sessions), 12).of_items([asked])
    assert len(passage.inputs["rounds"]) == 20
    assert "unanswerable" in passage.inputs["items"][0]["gold"]["held to be"]


def test_images_of_the_evidence_are_shown_where_there_are_bytes() -> None:
    """Others are there by their caption alone."""
    shown = [attached("D1:IMG_001", "A1"), attached("D1:IMG_002", "A2", caption="a hive")]
    whole = bundle(
        item(),
        asset("A1", png(9)),
        asset("A2"),
        sessions=[session(1, utterance("D1:1", "Look.", attachments=shown))],
    )
    passage = Passages(whole, 12).of_items(whole.questions)
    assert [one.label for one in passage.images] == ["D1:IMG_001"]
    assert passage.shown["D1:IMG_002"] == "a hive"
    assert "D1:IMG_002: a hive" in passage.inputs["rounds"][0]["images"]
    assert Blobs(png(9)).get(passage.images[0].sha256)


@pytest.mark.parametrize(
    ("place", "quote", "counts"),
    [
        ("D1:1", "I've kept two hives", True),
        ("[D1:1]", '"TWO hives ... yes"', True),
        ("D1:1", "Monday 2024-03-04", True),
        ("D1:1", "kept three hives", False),
        ("D1:1", "ive", False),
        ("D1:2", "two hives", False),
        ("D1:1", "", False),
    ],
)
def test_a_quote_counts_where_it_stands(place: str, quote: str, counts: bool) -> None:
    """Up to case, kinds of marks, and what three dots leave out."""
    defect = ReadDefect(kind=DefectKind.CONTRADICTED, place=place, quote=quote, why="")
    assert (why_refused(ItemReading("m", shown=SHOWN), defect) == "") is counts


def test_what_only_pixels_show_needs_no_quote() -> None:
    """The image must have been shown as an image."""
    defect = ReadDefect(kind=DefectKind.CONTRADICTED, place="D1:IMG_001", quote="", why="")
    shown = {"D1:IMG_001": "a hive"}
    assert why_refused(ItemReading("m", shown=shown), defect)
    assert not why_refused(ItemReading("m", shown=shown, seen=frozenset(shown)), defect)


def test_what_nothing_shows_needs_no_quote() -> None:
    """That no round says a gold cannot be quoted."""
    defect = ReadDefect(kind=DefectKind.NOT_SAID, place="", quote="", why="")
    assert not why_refused(ItemReading("m"), defect)
