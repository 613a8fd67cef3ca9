"""How a user's files come up in a conversation, and what may be asked about them."""

from functools import partial
from pathlib import Path

import pytest
from support import own_material

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas
from memassay.synth.histories.question_stage import QuestionStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.material.intake import Terms
from memassay.synth.material.rounds import Shown, show_material
from memassay.synth.material.stage import SourcesStage
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.world.sizes import Sizes


def _stage(folder: Path) -> SourcesStage:
    return SourcesStage(["ada"], folder, Terms("MIT"))


def _taken(folder: Path) -> tuple[list[Asset], list[Fact]]:
    stage = _stage(folder)
    context = UnitContext(7, stage.name, "ada", BlobFolder(folder.parent / "blobs"))
    records = list(stage.run([], context))
    assets = [record for record in records if isinstance(record, Asset)]
    return assets, [record for record in records if isinstance(record, Fact)]


def _session(number: int) -> Session:
    place = f"D{number}:1"
    shown = Attachment(id=f"D{number}:IMG_004", asset="ada/other")
    turn = Turn(id=f"{place}.1", speaker="user", text="Hello.", attachments=[shown])
    round_ = Round(id=place, kind=RoundKind.EXCHANGE, turns=[turn], event="ada/E001")
    return Session(id=f"D{number}", index=number, rounds=[round_])


def _shown(folder: Path, seed: int = 7) -> Shown:
    conversation = Conversation(
        id="ada",
        collection="m3exam",
        path="m3exam",
        speakers=[
            Speaker(id="user", name="Ada", kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=[_session(number) for number in (1, 2, 3)],
    )
    assets, facts = _taken(folder)
    return show_material(conversation, assets, facts, partial(keyed_random, str(seed)))


def _images(folder: Path, captions: dict[str, str]) -> Path:
    folder.mkdir()
    for number, (name, caption) in enumerate(captions.items(), start=3):
        (folder / f"{name}.png").write_bytes(own_material.png(number))
        if caption:
            (folder / f"{name}.txt").write_text(caption, "utf-8")
    return folder


def test_files_are_dealt_out_over_the_sessions(tmp_path: Path) -> None:
    """Six files come up twice in each of three sessions."""
    files = _images(tmp_path / "files", {f"photo{n}": f"Photo number {n}" for n in range(6)})
    sessions = _shown(files).conversation.sessions
    assert [len(session.rounds) for session in sessions] == [3, 3, 3]


def test_places_follow_from_seed_and_file(tmp_path: Path) -> None:
    """The same seed deals alike, another one does not."""
    files = _images(tmp_path / "files", {f"photo{n}": f"Photo number {n}" for n in range(6)})
    assert _shown(files) == _shown(files)
    assert _shown(files) != _shown(files, seed=8)


def test_attachments_go_on_counting(tmp_path: Path) -> None:
    """A session that shows IMG_004 already goes on with IMG_005."""
    files = _images(tmp_path / "files", {"photo": "A door"})
    shown = _shown(files).conversation.attachments()
    first = next(item.id for _, item in shown if item.asset != "ada/other")
    assert first.endswith("IMG_005")


def test_what_nobody_described_goes_by_its_file_name(tmp_path: Path) -> None:
    """Its caption is marked, and it is no fact of the ledger."""
    files = _images(tmp_path / "files", {"old_door": ""})
    shown = _shown(files)
    (item,) = [item for _, item in shown.conversation.attachments() if item.asset != "ada/other"]
    assert item.caption == "old door"
    assert item.extras == {"material": {"note": "caption from file name"}}
    assert shown.mentions == []
    assert _taken(files)[1] == []


def test_a_caption_with_braces_is_said_as_it_is(tmp_path: Path) -> None:
    """What a user writes is no pattern of ours, and ends with one full stop."""
    files = _images(tmp_path / "files", {"photo": "A {user} [door|gate], shut."})
    turns = [turn.text for turn in _shown(files).conversation.turns()]
    assert sum(text.endswith("A {user} [door|gate], shut.") for text in turns) == 2


@pytest.mark.slow
def test_no_two_rounds_of_files_say_the_same(tmp_path: Path) -> None:
    """Twenty files and a document of seven pages make no utterance twice."""
    files = _images(tmp_path / "files", {f"photo{n}": f"Photo number {n}" for n in range(20)})
    (files / "manual.pdf").write_bytes(own_material.pdf(7))
    texts = [turn.text for turn in _shown(files).conversation.turns() if turn.text != "Hello."]
    assert len(texts) == len(set(texts)) == 2 * (20 + 4)


def test_a_changed_file_changes_the_shard(tmp_path: Path) -> None:
    """Every byte and every name that taking in depends on is in the key."""
    files = _images(tmp_path / "files", {"photo": "A door"})
    keys = [_stage(files).shards()]
    (files / "photo.txt").write_text("A gate", "utf-8")
    keys.append(_stage(files).shards())
    (files / "photo.txt").rename(files / "photo.png.txt")
    keys.append(_stage(files).shards())
    (files / "song.mp3").write_bytes(b"ID3")
    keys.append(_stage(files).shards())
    assert len({str(key) for key in keys}) == 4


def _questions(files: Path, repository: Path) -> list[QAItem]:
    own_material.write_recipe(files.parent, repository)
    personas = Personas([f"{own_material.PERSONA}.yaml"], files.parent)
    sizes = Sizes(sessions=2, rounds=8, images=2, documents=0)
    stages: list[Stage] = [
        SourcesStage(personas.by_id, files, Terms("MIT")),
        TimelineStage(personas, sizes),
        DialogueStage("m3exam", personas),
        QuestionStage(KINDS, personas, {"fm": 8}),
    ]
    records: list[Record] = []
    for stage in stages:
        blobs = BlobFolder(files.parent / "blobs")
        context = UnitContext(7, stage.name, own_material.PERSONA, blobs)
        records += list(stage.run(records, context))
    return Bundle.from_records(records).questions


def test_captions_are_asked_about_only_where_one_image_fits(
    tmp_path: Path, repository: Path
) -> None:
    """A caption that another caption holds, or that stands twice, is not asked about."""
    captions = {"a": "A door", "b": "A red door", "c": "A gate", "d": "a gate.", "e": ""}
    texts = [
        item.question.text for item in _questions(_images(tmp_path / "files", captions), repository)
    ]
    asked = [text for text in texts if "door" in text or "gate" in text]
    assert len(asked) == 1
    assert "A red door" in asked[0]
