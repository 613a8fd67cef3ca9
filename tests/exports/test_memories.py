"""Memories of one's own: what they are given, when they are asked, and what is refused."""

from pathlib import Path
from typing import Any

import pytest
from support.release_builder import content

from memassay.exports.lifecycle.evaluation import evaluate_memory
from memassay.exports.lifecycle.feeding import Asking, MemoryTrace, feed_memory
from memassay.exports.lifecycle.memories.host import check_memory
from memassay.exports.lifecycle.memories.named import open_memory
from memassay.exports.lifecycle.memories.shapes import (
    Captions,
    MemoryTurn,
    RetrievalItem,
    RetrievalRecord,
)
from memassay.exports.lifecycle.memories.turns import turns_of
from memassay.exports.release.reader import Release, open_release
from memassay.exports.release.writer import write_release
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Checkpoint
from memassay.schemas.records.question import AskedAt, QAItem, QuestionText


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The small release, opened."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return open_release(folder)


@pytest.fixture
def bundle() -> Bundle:
    """The conversation `alex`."""
    return content().bundles[1]


def _asked(bundle: Bundle, **asked: str) -> QAItem:
    return bundle.questions[0].model_copy(update={"asked_at": AskedAt(**asked)})


class First:
    """A memory that keeps the first turn, and what it was called for."""

    def reset(self) -> None:
        """Forget the turn and the calls."""
        self.calls: list[str] = []
        self.first: MemoryTurn | None = None

    def ingest_turn(self, turn: MemoryTurn) -> None:
        """Note the call; keep the first."""
        self.calls.append(turn.turn_id)
        self.first = self.first or turn

    def end_session(self, session_id: str) -> None:
        """Note the call."""
        self.calls.append(session_id)

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """The first turn."""
        place = self.first.turn_id if self.first else "nothing"
        return RetrievalRecord(query, top_k, [RetrievalItem(1, place, "", 1.0)])


def test_a_memory_of_ones_own_can_be_evaluated(release: Release) -> None:
    """Anything with the four methods is given each conversation and asked its questions."""
    report = evaluate_memory(release, First(), [1])
    assert report.system == "First"
    assert report.scores[0].hit.by_benchmark_type["VS"].mean == 1.0


def test_what_is_no_memory_is_refused() -> None:
    """`module:Class` names one without an entry point, and must have the methods."""
    with pytest.raises(UsageError, match=r"expected the methods .* got none called reset"):
        open_memory("fractions:Fraction")


class Foreign(First):
    """A memory whose finds have ids of its own."""

    def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
        """A note of its own."""
        return RetrievalRecord(query, top_k, [RetrievalItem(1, "note 7", "", 1.0)])


def test_finds_without_a_place_have_no_rounds(release: Release) -> None:
    """All scores of rounds would be 0, which says nothing of the memory; a line says so."""
    report = evaluate_memory(release, Foreign(), [1])
    assert report.scores == []
    assert "rounds: nothing that was found says which round it is from" in report.not_measured


def _fed(memory: Any, bundle: Bundle, *items: QAItem, **asking: Any) -> MemoryTrace:
    return feed_memory(memory, bundle, items, Asking(**{"top_k": 99, **asking}))


def _finds(bundle: Bundle, *items: QAItem) -> list[list[str]]:
    trace = _fed(open_memory("full-context"), bundle, *items)
    return [[found.ids[0] for found in trace.finds[item.id].items] for item in items]


def test_what_a_memory_does_wrong_is_its_own(release: Release) -> None:
    """No record, an error: a line for each conversation names what it was doing."""

    class Nothing(First):
        def retrieve(self, query: str, top_k: int) -> RetrievalRecord:  # noqa: ARG002
            return None  # type: ignore[return-value]

    class Broken(First):
        def end_session(self, session_id: str) -> None:
            raise ValueError(session_id)

    report = evaluate_memory(release, Nothing())
    assert "expected `retrieve` to give a RetrievalRecord" in report.failures[0]
    report = evaluate_memory(release, Broken())
    assert "alex, given session D1: ValueError: D1 (test_memories.py" in report.failures[0]
    assert report.stages["recall@10"].mean == 0.0
    with pytest.raises(UsageError, match=r"got its class; make one: First\(\)"):
        check_memory(First)


def test_only_rounds_seen_when_asked_are_searched(bundle: Bundle) -> None:
    """A question after a session sees that session and those before it."""
    late = bundle.questions[1]
    early, whole = _finds(bundle, _asked(bundle, session="D2"), late)
    assert early == ["D1:1", "D2:1"]
    assert len(whole) == 10


def test_a_history_is_ingested_once(bundle: Bundle) -> None:
    """Questions of several times are asked between its sessions, the earliest first."""
    memory = First()
    _fed(memory, bundle, bundle.questions[1], _asked(bundle, session="D2"))
    assert memory.calls[:5] == ["D1:1.1", "D1:1.2", "D1", "D2:1.1", "D2:1.2"]
    assert len(memory.calls) == len(set(memory.calls))


def test_a_checkpoint_shows_what_it_covers(bundle: Bundle) -> None:
    """The covered sessions are seen, in the order of time and none besides."""
    point = Checkpoint(id="c1", covered_sessions=["D3", "D1"])
    conversation = bundle.conversation.model_copy(update={"checkpoints": [point]})
    covered = bundle.model_copy(update={"conversation": conversation})
    asked = _asked(bundle, checkpoint="c1")
    assert [session.id for session in covered.sessions_before(asked)] == ["D1", "D3"]
    # What goes on otherwise than what was seen before is seen from its beginning.
    before = _asked(bundle, session="D2").model_copy(update={"id": "alex/Q0009"})
    assert _finds(covered, before, asked) == [["D1:1", "D2:1"], ["D1:1", "D3:1"]]


def test_turns_say_where_they_are_from(bundle: Bundle) -> None:
    """Role, place, time and pictures of a turn are those of the history."""
    first, second, *_ = turns_of(bundle, bundle.conversation.sessions[0])
    assert (first.role, first.turn_index, first.round_id) == ("user", 0, "D1:1")
    assert (second.role, second.turn_index, second.text) == ("assistant", 1, "What a lovely dog!")
    assert [each.image_id for each in first.attachments] == ["D1:IMG_001"]
    assert first.timestamp == bundle.conversation.sessions[0].date


@pytest.mark.parametrize(
    ("captions", "given"),
    [
        (Captions.NONE, ""),
        (Captions.PUBLIC, "A photo of Luna"),
        (Captions.ASSET, "A photo of Luna\nBEWARE OF THE DOG"),
    ],
)
def test_captions_are_those_asked_for(bundle: Bundle, captions: Captions, given: str) -> None:
    """Nothing, what the history says of a picture, or also what can be read in its pixels."""
    session = bundle.conversation.sessions[0]
    shown = session.rounds[0].turns[0].attachments[0]
    asset = bundle.asset_by_id[shown.asset].model_copy(
        update={"transcription": "BEWARE OF THE DOG"}
    )
    read = bundle.model_copy(
        update={"assets": [asset if one.id == asset.id else one for one in bundle.assets]}
    )
    first = next(iter(turns_of(read, session, captions=captions)))
    assert [each.caption for each in first.attachments] == [given]


def test_a_retriever_ranks_by_the_captions_it_is_given(bundle: Bundle) -> None:
    """A word that only a caption has finds its round, and none without captions."""
    item = bundle.questions[0].model_copy(
        update={"question": QuestionText(text="Which photo?"), "asked_at": AskedAt()}
    )
    found = {
        captions: _fed(open_memory("bm25"), bundle, item, captions=captions).finds[item.id]
        for captions in (Captions.NONE, Captions.PUBLIC)
    }
    first = found[Captions.PUBLIC].items[0]
    assert first.ids[0] == "D1:1"
    assert "[image: A photo of Luna]" in first.text
    assert "A photo" not in found[Captions.NONE].items[0].text


def test_the_type_of_a_question_is_told_on_request(release: Release) -> None:
    """Upstream tells it as `category`; we do so only where somebody asks for it."""

    class Curious(First):
        heard: list[str | None] = []  # noqa: RUF012

        def retrieve(self, query: str, top_k: int, category: str | None = None) -> RetrievalRecord:
            """Note the type."""
            self.heard.append(category)
            return super().retrieve(query, top_k)

    bundle = release.bundle("alex")
    _fed(Curious(), bundle, bundle.questions[0])
    _fed(Curious(), bundle, bundle.questions[0], tell_type=True)
    assert Curious.heard == [None, "FR"]


def test_a_text_names_its_images(bundle: Bundle) -> None:
    """A memory of texts alone knows id and caption, as upstream's loader writes them."""
    first = next(iter(turns_of(bundle, bundle.conversation.sessions[0])))
    assert first.text == (
        "Meet my dog Luna.\n\nimage:\nimage_id: D1:IMG_001\nimage_caption: A photo of Luna"
    )
    assert first.spoken == "Meet my dog Luna."


def test_a_find_may_be_a_picture_alone(release: Release) -> None:
    """The file of an image, as a turn named it, is evidence where the image is."""

    class Pictures(First):
        def ingest_turn(self, turn: MemoryTurn) -> None:
            """Keep the first picture."""
            super().ingest_turn(turn)
            paths = [each.file_path for each in turn.attachments if each.file_path]
            self.paths = [*getattr(self, "paths", []), *paths]

        def retrieve(self, query: str, top_k: int) -> RetrievalRecord:
            """The picture, under an id of its own."""
            item = RetrievalItem(1, "p7", "[image]", 1.0, image_path=self.paths[0])
            return RetrievalRecord(query, top_k, [item])

    report = evaluate_memory(release, Pictures(), [1])
    assert (report.stages["recall@1"].mean or 0) > 0


def test_pictures_are_files_when_looked_at(release: Release) -> None:
    """The path of a turn's picture leads to its bytes while a memory is evaluated."""

    class Looks(First):
        seen: list[bytes] = []  # noqa: RUF012

        def ingest_turn(self, turn: MemoryTurn) -> None:
            """Read what is shown."""
            super().ingest_turn(turn)
            paths = [each.file_path for each in turn.attachments]
            self.seen.extend(Path(path).read_bytes() for path in paths if path)

    evaluate_memory(release, Looks(), [1])
    assert Looks.seen
    assert all(data.startswith(b"\x89PNG") for data in Looks.seen)
