"""What a system under evaluation may see says nothing of a gold; it is made of the records."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.release_builder import content, exchange, question
from support.release_damage import repair_everything

from memassay.exports import open_release
from memassay.exports.release.check import check_release
from memassay.exports.release.parquet_tables import offered_shards, read_rows, shards_of
from memassay.exports.release.public.asking import question_text
from memassay.exports.release.public.tables import (
    TABLES,
    offered_rows,
    offered_schema,
    public_ids,
    public_images,
)
from memassay.exports.release.writer import write_release
from memassay.schemas.base import Modality
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Profile, Session, SessionArc
from memassay.schemas.records.question import Answer, AnswerFormat, AnswerOption, Evidence, QAItem
from memassay.schemas.records.question_type import QuestionType

SHOWN = ("default", "conversations", "images")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release."""
    folder = tmp_path_factory.mktemp("public") / "release"
    write_release(folder, content())
    return folder


def _rows(release: Path, table: str) -> list[dict[str, Any]]:
    shards = offered_shards(release, TABLES[table])
    return [row for shard in shards for row in read_rows(shard, blobs=True)]


def _other_item(item: QAItem, at: int) -> QAItem:
    """The same question with everything exchanged that a system may not know."""
    return item.model_copy(
        update={
            "id": f"{item.conversation}/zz-{99 - at:04d}",
            "answer": Answer(format=AnswerFormat.DATE, values=[f"2024-01-{at + 1:02d}"]),
            "answerable": not item.answerable,
            "modalities": [Modality.DOCUMENT],
            "evidence": Evidence.of(["D9:1", "D8:1"]),
            "decoys": ["D7:1"],
            "type": QuestionType.TEMPORAL,
            "benchmark_type": "XX",
            "query": None,
            "format_prompt": "Answer with a date.",
            "public_id": f"X-{at:04d}",
            "extras": {"other": at},
        }
    )


def _other_session(session: Session) -> Session:
    rounds = [
        each.model_copy(update={"event": "alex/E001", "extras": {"gold": "x"}})
        for each in session.rounds
    ]
    changes = {"arc": SessionArc.SIDE, "event_type": "x", "extras": {"gold": "x"}}
    return session.model_copy(update={"rounds": rounds, **changes})


def _other(bundle: Bundle) -> Bundle:
    """A conversation of other golds, types, facts, transcriptions and notes; the same is shown."""
    conversation = bundle.conversation
    told = Profile(summary="knows all", traits=["gold"], style="x")
    speakers = [each.model_copy(update={"profile": told}) for each in conversation.speakers]
    changes = {
        "title": "Luna",
        "domain": "gold",
        "tags": ["gold"],
        "extras": {"gold": "x"},
        "speakers": speakers,
        "sessions": [_other_session(each) for each in conversation.sessions],
    }
    assets = [
        asset.model_copy(
            update={"transcription": "other", "origin": "rendered:x", "box": (0, 0, 1, 1)}
        )
        for asset in bundle.assets
    ]
    items = [_other_item(item, at) for at, item in enumerate(bundle.questions)]
    return bundle.model_copy(
        update={
            "conversation": conversation.model_copy(update=changes),
            "assets": assets,
            "questions": items,
            "facts": [],
            "mentions": [],
        }
    )


def test_exchanged_golds_leave_public_tables_as_they_are(release: Path, tmp_path: Path) -> None:
    """Other golds, types, facts, transcriptions, notes and ids: the same bytes."""
    others = [_other(bundle) for bundle in content().bundles]
    write_release(tmp_path / "other", content(bundles=others, certificates=[]))
    for table in SHOWN:
        was, now = (offered_shards(each, TABLES[table]) for each in (release, tmp_path / "other"))
        assert [path.read_bytes() for path in was] == [path.read_bytes() for path in now], table
    assert _rows(release, "gold") != _rows(tmp_path / "other", "gold")


def _columns(kind: Any) -> Iterator[str]:
    """Names of columns, and of those inside columns."""
    import pyarrow as pa

    if pa.types.is_list(kind):
        yield from _columns(kind.value_type)
    elif pa.types.is_struct(kind):
        for field in kind:
            yield field.name
            yield from _columns(field.type)


def test_what_a_system_may_see_is_a_closed_list() -> None:
    """A column joins it by a change of this test, after a look at what it could give away."""
    seen = {
        table: {*offered_schema(table).names}
        | {name for field in offered_schema(table) for name in _columns(field.type)}
        for table in SHOWN
    }
    attached = {"attachments", "id", "image", "caption", "page"}
    asked = {"conversation", "question", "asked_at_checkpoint", "asked_at_session"}
    spoken = {"speakers", "name", "kind", "sessions", "index", "date", "rounds", "turns"}
    spoken |= {"speaker", "text", "time", "action_json", "checkpoints", "covered_sessions"}
    pictured = {"id", "conversation", "image", "bytes", "path", "data", "caption", "availability"}
    pictured |= {"media_type", "width", "height", "blob_sha256", "uri", "licence", "attribution"}
    assert seen["default"] == attached | asked
    assert seen["conversations"] == attached | spoken
    assert seen["images"] == pictured


def test_golds_are_joined_by_the_id_of_the_question(release: Path) -> None:
    """Each question has its gold, in the same order, and the id of its record."""
    asked, golds = _rows(release, "default"), _rows(release, "gold")
    assert [row["id"] for row in asked] == [row["id"] for row in golds]
    items = {item.id: item for item in open_release(release).questions()}
    for row, gold in zip(asked, golds, strict=True):
        assert row["question"] == items[gold["record"]].question.text
        assert gold["answers"] == items[gold["record"]].answer.values


def test_questions_that_look_alike_have_ids_of_their_own() -> None:
    """Two that cannot be told apart are numbered; all else follows from what is asked."""
    bundle = content().bundles[0]
    first = bundle.questions[0]
    twice = bundle.model_copy(
        update={"questions": [*bundle.questions, first.model_copy(update={"id": "bo/Q0099"})]}
    )
    ids = public_ids(twice)
    assert len(set(ids.values())) == len(twice.questions)
    assert {name: ids[name] for name in public_ids(bundle)} == public_ids(bundle)


def test_ids_of_assets_are_not_shown() -> None:
    """`guest1-H02` would say whose picture a question shows; where it is shown says nothing."""
    bundle = content().bundles[0]
    first, *rest = bundle.questions
    asked = Attachment(id="Q:IMG_001", asset=f"{bundle.id}/guest1-H02")
    shown = first.question.model_copy(update={"attachments": [asked]})
    told = bundle.model_copy(
        update={"questions": [first.model_copy(update={"question": shown}), *rest]}
    )
    rows = [row for table in SHOWN for row in offered_rows(table, told)]
    assert "guest1" not in str(rows)
    assert all(asset.id not in str(rows) for asset in bundle.assets)
    ids = public_images(told)
    assert len(set(ids.values())) == len(ids)


def test_options_stand_in_the_question_once() -> None:
    """Below it where its text does not name them."""
    options = [AnswerOption(label="A", text="red"), AnswerOption(label="B", text="blue")]
    answer = Answer(format=AnswerFormat.CHOICE, values=["A"], options=options)
    plain = question("alex/Q9", "Which colour?", answer, ["D1:1"])
    listed = question("alex/Q9", "Which colour? A. red B. blue", answer, ["D1:1"])
    assert question_text(plain) == "Which colour?\nA. red\nB. blue"
    assert question_text(listed) == "Which colour? A. red B. blue"


def test_bytes_stand_once(release: Path) -> None:
    """What is shown has them in `images`, all else in `assets`."""
    pictures = {row["id"] for row in _rows(release, "images") if row["image"]}
    (shard,) = shards_of(release, "assets")
    others = {row["id"] for row in read_rows(shard, blobs=True) if row["image"]}
    assert (pictures, others) == ({"alex/D1:IMG_001", "bo/D1:IMG_001"}, set())


def test_what_nothing_shows_keeps_its_bytes(tmp_path: Path) -> None:
    """In `assets`, where the reader finds them; a system is not shown the row."""
    bundles = []
    for bundle in content().bundles:
        first, *rest = bundle.conversation.sessions
        bare = first.model_copy(update={"rounds": [exchange("D1:1", "Meet Luna.", "Lovely!")]})
        told = bundle.conversation.model_copy(update={"sessions": [bare, *rest]})
        bundles.append(bundle.model_copy(update={"conversation": told}))
    write_release(tmp_path / "release", content(bundles=bundles))
    assert open_release(tmp_path / "release").image("alex/D1_IMG_001").size == (6, 4)
    assert "alex/D1:IMG_001" not in {row["id"] for row in _rows(tmp_path / "release", "images")}


def _in_a_row(table: str, column: str, value: object) -> Callable[[Path], None]:
    def change(release: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        (path,) = offered_shards(release, TABLES[table])
        rows = list(read_rows(path, blobs=True))
        rows[0][column] = value
        pq.write_table(pa.Table.from_pylist(rows, offered_schema(table)), path)

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_in_a_row("default", "question", "Who is Luna?"), "question"),
        (_in_a_row("gold", "answers", ["another"]), "answers"),
        (_in_a_row("images", "caption", "the gold"), "caption"),
        (_in_a_row("conversations", "speakers", []), "speakers"),
        (lambda release: shutil.rmtree(release / "gold"), "gold"),
        (lambda release: (release / "example.png").unlink(), "example.png"),
    ],
    ids=["question", "gold", "caption", "speakers", "no golds", "no picture"],
)
def test_another_table_is_found(
    release: Path, tmp_path: Path, change: Callable[[Path], None], named: str
) -> None:
    """Under right checksums; the message names the row and the column."""
    copy = shutil.copytree(release, tmp_path / "copy")
    change(copy)
    repair_everything(copy)
    found = [each for each in check_release(copy).findings if each.rule == "release.public"]
    assert any(named in each.message for each in found)
