"""Reading a release: as an evaluator does, with memassay and with `datasets`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.release_builder import content, png

from memassay.exports import Release, open_release
from memassay.exports.release.check import check_release
from memassay.exports.release.public.tables import TABLES
from memassay.exports.release.rows import record_of, row_of
from memassay.exports.release.writer import write_release
from memassay.schemas.contracts.protocols import BlobStore, ReleaseReader
from memassay.schemas.errors import BlobError, MigrationError, ReleaseError, UsageError
from memassay.schemas.hashing import sha256
from memassay.schemas.records.conversation import Conversation


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release that no test changes."""
    path = tmp_path_factory.mktemp("releases") / "tiny-0.1.0"
    write_release(path, content())
    return path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A release to be damaged."""
    write_release(tmp_path / "release", content())
    return tmp_path / "release"


def _edit_manifest(release: Path, **fields: Any) -> None:
    path = release / "manifest.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**document, **fields}), encoding="utf-8")


def test_bundles_come_back_as_they_were(folder: Path) -> None:
    """Every record is equal to the one written, conversations in natural order."""
    bo, alex = content().bundles
    assert list(open_release(folder).bundles()) == [alex, bo]


def test_sessions_come_in_time_order(folder: Path) -> None:
    """D10 comes after D9, not after D1."""
    for bundle in open_release(folder).bundles():
        dates = [session.date for session in bundle.conversation.sessions]
        assert [session.index for session in bundle.conversation.sessions] == list(range(1, 11))
        assert dates == sorted(dates, key=str)


def test_logs_come_back_as_they_were(folder: Path) -> None:
    """Findings, certificates, held-out records and provenance are equal to those written."""
    given_, release = content(), open_release(folder)
    assert list(release.findings()) == list(given_.findings)
    assert {item.id: item for item in release.certificates()} == {
        item.id: item for item in given_.certificates
    }
    assert list(release.held_out()) == list(given_.held_out)
    assert list(release.provenance()) == list(given_.provenance)


def test_questions_and_assets_can_be_read_alone(folder: Path) -> None:
    """They come in the order of their conversations, without the rest being read."""
    release = open_release(folder)
    assert [item.id for item in release.questions()][:5] == [
        *(f"alex/Q000{number}" for number in range(1, 5)),
        "bo/Q0001",
    ]
    assert [item.id for item in release.assets()][:2] == ["alex/D1_IMG_001", "alex/D10_IMG_001"]


def test_an_image_is_a_pil_image(folder: Path) -> None:
    """The pixels are those that went in."""
    image = open_release(folder).image("alex/D1_IMG_001")
    assert image.size == (6, 4)
    assert image.convert("RGB").getpixel((5, 3)) == (255, 0, 0)


def test_a_missing_image_is_an_error_of_its_own(folder: Path) -> None:
    """An asset without bytes is told from an id that does not exist."""
    release = open_release(folder)
    with pytest.raises(BlobError, match="alex/D10_IMG_001"):
        release.image("alex/D10_IMG_001")
    with pytest.raises(UsageError, match="alex/D1_IMG_01"):
        release.image("alex/D1_IMG_01")


def test_images_are_those_that_have_pixels(folder: Path) -> None:
    """By asset id, in the order of the release; an asset without bytes is not among them."""
    images = open_release(folder).images
    assert list(images) == ["alex/D1_IMG_001", "bo/D1_IMG_001"]
    assert images["alex/D1_IMG_001"].size == (6, 4)
    assert images.get("alex/D10_IMG_001") is None


def test_a_table_is_a_data_frame(folder: Path) -> None:
    """A row for each question, without what holds bytes; another name is refused."""
    release = open_release(folder)
    assert list(release.to_pandas().id) == [item.id for item in release.questions()]
    assert "image" not in release.to_pandas("assets").columns
    with pytest.raises(UsageError, match="expected one of the tables conversations, questions"):
        release.to_pandas("answers")


def test_conversations_can_be_read_alone(folder: Path) -> None:
    """As they stand in their bundles."""
    release = open_release(folder)
    assert list(release.conversations()) == [each.conversation for each in release.bundles()]


def test_blobs_are_a_closed_store(folder: Path) -> None:
    """Bytes can be had by hash; new ones are refused."""
    blobs = open_release(folder).blobs
    assert isinstance(blobs, BlobStore)
    assert blobs.get(sha256(png("red"))) == png("red")
    assert blobs.put(png("red")) == sha256(png("red"))
    with pytest.raises(BlobError, match="closed"):
        blobs.put(b"new")
    with pytest.raises(BlobError, match="got none"):
        blobs.get("0" * 64)


def test_many_images_are_read_group_by_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the row groups read last are kept, and every image is still found."""
    monkeypatch.setattr("memassay.exports.release.parts.table_files.GROUP_ROWS", 1)
    write_release(tmp_path / "release", content(shard_bytes=1))
    release = open_release(tmp_path / "release")
    for _ in range(2):
        assert release.image("alex/D1_IMG_001").size == release.image("bo/D1_IMG_001").size


def test_a_release_is_a_release_reader(folder: Path) -> None:
    """It keeps the promise of the protocol."""
    reader: ReleaseReader = open_release(folder)
    assert reader.manifest.name == "tiny"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """The message names the path."""
    with pytest.raises(UsageError, match="nowhere: expected a release folder, got none"):
        open_release(tmp_path / "nowhere")


def test_a_folder_without_manifest_is_no_release(tmp_path: Path) -> None:
    """The message names the manifest."""
    with pytest.raises(UsageError, match=r"got a folder without manifest\.json"):
        open_release(tmp_path)


@pytest.mark.parametrize("field", ["schema_version", "record_schema_version"])
@pytest.mark.parametrize("read", [open_release, check_release])
def test_a_newer_schema_version_is_told_as_such(
    copy: Path, field: str, read: Callable[[Path], object]
) -> None:
    """Whoever reads or checks it; the message says what to install."""
    _edit_manifest(copy, **{field: 99})
    with pytest.raises(MigrationError, match=rf"\.{field}: .* got 99: .* by a newer memassay"):
        read(copy)


def test_a_broken_manifest_is_told_as_such(copy: Path) -> None:
    """A manifest that is not JSON is damage, not a crash."""
    (copy / "manifest.json").write_text('{"name": NaN}', encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"manifest\.json: expected JSON"):
        open_release(copy)


def test_a_changed_file_is_named_with_both_hashes(copy: Path) -> None:
    """Checksums are compared on opening, unless that is put off."""
    (copy / "findings.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(ReleaseError, match=r"findings\.jsonl: expected SHA-256 \w{64}, got \w{64}"):
        open_release(copy)
    with pytest.raises(ReleaseError, match=r"findings\.jsonl"):
        open_release(copy, verify=False).verify()


def test_a_lost_file_is_named(copy: Path) -> None:
    """The message says which file is not there."""
    (copy / "README.md").unlink()
    with pytest.raises(ReleaseError, match=r"README\.md: expected a file"):
        open_release(copy)


def test_a_truncated_table_is_told_as_such(copy: Path) -> None:
    """Unverified, a table that is cut off is a release error and not pyarrow's."""
    path = copy / "data" / "questions" / "train-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ReleaseError, match="expected a Parquet file"):
        list(open_release(copy, verify=False).questions())


TEXTS = st.text(st.characters(exclude_categories=()), max_size=30)
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.slow
@given(TEXTS, st.dictionaries(st.just("locomo"), JSON_VALUES))
def test_any_text_and_any_extras_survive_a_row(title: str, extras: dict[str, Any]) -> None:
    """A record is rebuilt from its row exactly, whatever Unicode or JSON it holds."""
    base = content().bundles[0].conversation
    record = base.model_copy(update={"title": title, "extras": extras})
    rebuilt = record_of(row_of(record).columns, "conversation")
    assert isinstance(rebuilt, Conversation)
    assert rebuilt.title == title
    assert json.dumps(rebuilt.extras, sort_keys=True) == json.dumps(extras, sort_keys=True)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`datasets.load_dataset` with a cache of its own."""
    monkeypatch.setenv("HF_HOME", str(tmp_path / "huggingface"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()

    def load_table(path: Path, config: str | None = None) -> Any:
        cache = tmp_path / "cache"
        return datasets.load_dataset(str(path), config, split="test", cache_dir=str(cache))

    yield load_table
    datasets.enable_progress_bars()


@pytest.mark.parametrize("config", [*TABLES, "ledger", "assets"])
def test_datasets_loads_every_table(folder: Path, load: Any, config: str) -> None:
    """`load_dataset(FOLDER, CONFIG)` works offline and gives the records in order."""
    conversations = [row["id"].partition("/")[0] for row in load(folder, config)]
    assert list(dict.fromkeys(conversations)) == ["alex", "bo"]


def test_datasets_loads_the_questions_where_no_table_is_named(folder: Path, load: Any) -> None:
    """`load_dataset(FOLDER)` gives the questions."""
    assert load(folder)["id"] == load(folder, "default")["id"]


def test_the_default_is_a_table_that_has_rows(tmp_path: Path, load: Any) -> None:
    """Without questions, `load_dataset(FOLDER)` gives the conversations."""
    bare = [each.model_copy(update={"questions": []}) for each in content().bundles]
    write_release(tmp_path / "bare", content(bundles=bare, certificates=[]))
    assert load(tmp_path / "bare")["id"] == ["alex", "bo"]
    card = (tmp_path / "bare" / "README.md").read_text(encoding="utf-8")
    assert 'conversations = load_dataset("PATH", split="test")' in card
    assert "questions = " not in card


def test_a_release_without_a_record_offers_no_table(tmp_path: Path) -> None:
    """`datasets` loads no table without rows; the card says so and shows no command that fails."""
    write_release(tmp_path / "empty", content(bundles=[], certificates=[]))
    card = (tmp_path / "empty" / "README.md").read_text(encoding="utf-8")
    assert "there is no table that `load_dataset` can load" in card
    assert "load_dataset(" not in card


def test_datasets_decodes_the_images(folder: Path, load: Any) -> None:
    """The column `image` is a PIL image, or null where the bytes are missing."""
    first, second = (load(folder, "images")[position]["image"] for position in (0, 1))
    assert first.size == (6, 4)
    assert second is None


def test_datasets_gives_questions_with_gold_and_evidence(folder: Path, load: Any) -> None:
    """An evaluator who never opens `record_json` joins them by the id of the question."""
    asked = next(row for row in load(folder) if row["question"] == "What is the dog called?")
    row = next(row for row in load(folder, "gold") if row["id"] == asked["id"])
    assert (row["record"], row["answers"]) == ("alex/Q0001", ["Luna"])
    assert (row["evidence"], row["evidence_groups"]) == (["D1:1"], [["D1:1"]])
    assert (row["type"], row["benchmark_type"]) == ("fact_recall", "FR")


def test_datasets_gives_the_ledger_by_conversation(folder: Path, load: Any) -> None:
    """A row holds the facts of one conversation and where each can be seen."""
    row = load(folder, "ledger")[0]
    assert [(fact["value_text"], fact["value_unit"]) for fact in row["facts"]] == [("12", "kg")]
    assert [mention["turn"] for mention in row["mentions"]] == ["D10:1.1"]


def test_datasets_gives_conversations_as_sessions_rounds_turns(folder: Path, load: Any) -> None:
    """The history is nested as it was spoken."""
    first = load(folder, "conversations")[0]["sessions"][0]["rounds"][0]["turns"][0]
    assert first["text"] == "Meet my dog Luna."
    assert first["attachments"][0]["id"] == "D1:IMG_001"


@pytest.mark.parametrize("config", ["conversations", "default", "eval", "gold", "ledger"])
def test_datasets_loads_a_release_without_ledger_or_images(
    tmp_path: Path, load: Any, config: str
) -> None:
    """Columns that hold nothing but nulls and empty lists keep their types."""
    bare = [
        each.model_copy(update={"assets": [], "facts": [], "mentions": []})
        for each in content().bundles
    ]
    write_release(tmp_path / "bare", content(bundles=bare))
    write_release(tmp_path / "full", content())
    assert load(tmp_path / "bare", config).features == load(tmp_path / "full", config).features


def test_the_card_leaves_out_tables_without_rows(tmp_path: Path) -> None:
    """`datasets` cannot load a table that has no row, so it is not offered one."""
    import datasets

    bare = [each.model_copy(update={"assets": []}) for each in content().bundles]
    write_release(tmp_path / "bare", content(bundles=bare))
    names = datasets.get_dataset_config_names(str(tmp_path / "bare"))
    assert names == ["default", "conversations", "eval", "gold", "ledger"]


def test_the_reader_is_exported() -> None:
    """`memassay.exports.open_release` is the public name."""
    assert open_release.__module__ == Release.__module__
