"""Writing a release: whole or not at all, the same bytes for the same content, immutable."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.places import TESTS
from support.release_builder import MemoryBlobs, bundle, content, png

from memassay.exports.release.check import check_release
from memassay.exports.release.parquet_tables import arrow_schema, read_rows, shards_of
from memassay.exports.release.reader import open_release
from memassay.exports.release.rows import CONFIGS
from memassay.exports.release.writer import ReleaseContent, write_release
from memassay.schemas.contracts.protocols import BlobStore, Imported, Source, Unfit
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import BlobError, RecordError, ReleaseError, SourceError, UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.layouts import Arrangement, Written
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling
from memassay.schemas.records.bundle import Bundle

LAYOUT = [
    "CITATION.cff",
    "README.md",
    "certificates.jsonl",
    "croissant.json",
    "data/assets/train-00000-of-00001.parquet",
    "data/conversations/train-00000-of-00001.parquet",
    "data/ledger/train-00000-of-00001.parquet",
    "data/questions/train-00000-of-00001.parquet",
    "example.png",
    "findings.jsonl",
    "gold/test-00000-of-00001.parquet",
    "held_out.jsonl",
    "manifest.json",
    "provenance.jsonl",
    "public/conversations/test-00000-of-00001.parquet",
    "public/default/test-00000-of-00001.parquet",
    "public/eval/test-00000-of-00001.parquet",
    "public/images/test-00000-of-00001.parquet",
]


def _bytes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _in_other_words(bundle_: Bundle) -> Bundle:
    first, *rest = bundle_.questions
    asked = first.question.model_copy(update={"text": "Which name does the dog have?"})
    return bundle_.model_copy(
        update={"questions": [first.model_copy(update={"question": asked}), *rest]}
    )


def _changed() -> ReleaseContent:
    return content(bundles=[_in_other_words(each) for each in content().bundles])


def test_the_layout_is_the_documented_one(tmp_path: Path) -> None:
    """A release is its card, its manifest, four tables and four logs."""
    write_release(tmp_path / "release", content())
    assert sorted(_bytes(tmp_path / "release")) == LAYOUT


def test_the_manifest_names_every_file_but_itself(tmp_path: Path) -> None:
    """Each file is listed once with its size and hash."""
    manifest = write_release(tmp_path / "release", content())
    found = _bytes(tmp_path / "release")
    del found["manifest.json"]
    assert {file.path: file.sha256 for file in manifest.files} == found


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    """Neither the order of the sequences nor the folder has an influence."""
    given = content()
    write_release(tmp_path / "one", given)
    mixed = replace(given, bundles=given.bundles[::-1], certificates=list(given.certificates)[::-1])
    write_release(tmp_path / "two", mixed)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "two")


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_the_process(tmp_path: Path, turkish: dict[str, str]) -> None:
    """Hash seed, time zone and locale have no influence."""
    write_release(tmp_path / "here", content())
    script = (
        "from pathlib import Path; from support.release_builder import content; "
        "from memassay.exports.release.writer import write_release; "
        f"write_release(Path({str(tmp_path / 'there')!r}), content())"
    )
    strange = {"PYTHONHASHSEED": "77", "TZ": "Asia/Kathmandu", **turkish}
    environment = {**os.environ, **strange, "PYTHONPATH": str(TESTS)}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)
    assert _bytes(tmp_path / "here") == _bytes(tmp_path / "there")


def test_writing_again_changes_nothing(tmp_path: Path) -> None:
    """The second write gives the first manifest and touches no file."""
    first = write_release(tmp_path / "release", content())
    stamp = (tmp_path / "release" / "manifest.json").stat().st_mtime_ns
    assert write_release(tmp_path / "release", content()) == first
    assert (tmp_path / "release" / "manifest.json").stat().st_mtime_ns == stamp
    assert [path.name for path in tmp_path.iterdir()] == ["release"]


def test_a_release_is_immutable(tmp_path: Path) -> None:
    """Another content under the same name and version is refused with the fix."""
    write_release(tmp_path / "release", content())
    with pytest.raises(ReleaseError, match="raise the version"):
        write_release(tmp_path / "release", _changed())


def test_another_version_needs_another_folder(tmp_path: Path) -> None:
    """A folder that holds one version is not taken for the next."""
    write_release(tmp_path / "release", content())
    with pytest.raises(ReleaseError, match=r"expected tiny 0\.2\.0, got tiny 0\.1\.0"):
        write_release(tmp_path / "release", content(version="0.2.0"))


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    """A folder that is no release is neither overwritten nor added to."""
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match="expected an empty or absent folder"):
        write_release(tmp_path, content())
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_an_empty_folder_is_written_to(tmp_path: Path) -> None:
    """An empty folder counts as none."""
    (tmp_path / "release").mkdir()
    write_release(tmp_path / "release", content())
    assert (tmp_path / "release" / "manifest.json").is_file()


KILLED = """
import os, signal, sys
from pathlib import Path
from support.release_builder import content
from memassay.exports.release import writer as release_writer
from memassay.exports.release.parts import merging

def die(*arguments):
    os.kill(os.getpid(), signal.SIGKILL)

setattr(merging if hasattr(merging, sys.argv[2]) else release_writer, sys.argv[2], die)
release_writer.write_release(Path(sys.argv[1]), content())
"""


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["described_files", "manifest_text", "sync_tree"])
def test_a_killed_write_leaves_no_release(tmp_path: Path, moment: str) -> None:
    """Killed at any moment, a write leaves nothing that looks like a release; the next cleans."""
    environment = {**os.environ, "PYTHONPATH": str(TESTS)}
    command = [sys.executable, "-c", KILLED, str(tmp_path / "release"), moment]
    killed = subprocess.run(command, env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [path.name.partition("-")[0] for path in tmp_path.iterdir()] == [".release.partial"]
    write_release(tmp_path / "release", content())
    assert [path.name for path in tmp_path.iterdir()] == ["release"]
    open_release(tmp_path / "release")


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    """An asset whose bytes are missing stops the write, and nothing stays behind."""
    with pytest.raises(BlobError):
        write_release(tmp_path / "release", content(blobs=MemoryBlobs()))
    assert list(tmp_path.iterdir()) == []


def test_a_write_in_progress_is_left_alone(tmp_path: Path) -> None:
    """The temporary folder of a living writer is locked and not removed."""
    import fcntl

    other = tmp_path / ".release.partial-other"
    other.mkdir()
    handle = os.open(other, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    write_release(tmp_path / "release", content())
    os.close(handle)
    assert other.is_dir()


def test_two_records_of_one_id_are_refused(tmp_path: Path) -> None:
    """An id names one record of a release."""
    given = content()
    with pytest.raises(ReleaseError, match="conversation alex: expected each id once"):
        write_release(tmp_path / "r", replace(given, bundles=[*given.bundles, given.bundles[1]]))


@pytest.mark.parametrize("name", ["name", "version", "licence"])
def test_a_release_is_named_versioned_and_licensed(tmp_path: Path, name: str) -> None:
    """An empty name, version or licence is refused before anything is written."""
    with pytest.raises(UsageError, match=rf"release\.{name}: expected a text"):
        write_release(tmp_path / "release", content(**{name: " "}))


def test_a_record_that_breaks_its_schema_is_refused(tmp_path: Path) -> None:
    """What crosses the boundary of a release is validated as JSON."""
    first, second = content().bundles
    broken = first.conversation.model_copy(update={"collection": ""})
    bundles = [first.model_copy(update={"conversation": broken}), second]
    with pytest.raises(RecordError, match="conversation bo/collection"):
        write_release(tmp_path / "release", content(bundles=bundles))


def test_large_tables_are_cut_into_shards(tmp_path: Path) -> None:
    """Shards are numbered over their total, each lists its records, and order is kept."""
    manifest = write_release(tmp_path / "release", content(shard_bytes=2000))
    shards = [file for file in manifest.files if file.path.startswith("data/questions/")]
    total = len(shards)
    assert total > 1
    assert [file.path for file in shards] == [
        f"data/questions/train-{position:05d}-of-{total:05d}.parquet" for position in range(total)
    ]
    assert sum(file.records or 0 for file in shards) == manifest.counts["question"]
    whole = write_release(tmp_path / "whole", content())
    assert whole.content_sha256 == manifest.content_sha256
    assert list(open_release(tmp_path / "release").questions()) == list(
        open_release(tmp_path / "whole").questions()
    )


@pytest.mark.parametrize("config", CONFIGS)
def test_the_schema_of_a_table_is_closed(tmp_path: Path, config: str) -> None:
    """An empty table has the same columns and types as a full one."""
    import pyarrow.parquet as pq

    write_release(tmp_path / "full", content())
    write_release(tmp_path / "empty", content(bundles=[], certificates=[]))
    for folder in ("full", "empty"):
        (shard,) = shards_of(tmp_path / folder, config)
        schema = pq.read_schema(shard)
        assert schema.equals(arrow_schema(config))
        assert b"pandas" not in (schema.metadata or {})


def test_content_hash_counts_pixels_not_bytes(tmp_path: Path) -> None:
    """Another encoding of the same pixels gives other bytes and the same content hash."""
    one, two = MemoryBlobs(), MemoryBlobs()
    first = bundle("alex", "Luna", "red", one)
    digest = two.put(png("red", compress_level=0))
    again, lost = first.assets
    second = first.model_copy(
        update={"assets": [again.model_copy(update={"blob_sha256": digest}), lost]}
    )
    options = {"certificates": [], "findings": []}
    left = write_release(tmp_path / "1", content(bundles=[first], blobs=one, **options))
    right = write_release(tmp_path / "2", content(bundles=[second], blobs=two, **options))
    assert left.content_sha256 == right.content_sha256
    assert left.files != right.files


def test_gates_recipe_and_provenance_are_no_content(tmp_path: Path) -> None:
    """They are in the manifest and the log, not in the content hash."""
    left = write_release(tmp_path / "1", content())
    right = write_release(tmp_path / "2", content(gates={}, recipe={}, provenance=[]))
    assert left.content_sha256 == right.content_sha256


def test_transcriptions_stand_in_one_column_alone(tmp_path: Path) -> None:
    """What can be read in an image is in `private_transcription` and nowhere else."""
    write_release(tmp_path / "release", content())
    for config in CONFIGS:
        for shard in shards_of(tmp_path / "release", config):
            for row in read_rows(shard):
                row.pop("private_transcription", None)
                assert "private alex" not in str(row)
    for path in (tmp_path / "release").glob("*.*"):
        assert b"private alex" not in path.read_bytes()


def test_a_lone_surrogate_survives(tmp_path: Path) -> None:
    """Half a character, as foreign JSON holds it, is read back as it was."""
    first, second = content().bundles
    odd = first.conversation.model_copy(update={"extras": {"locomo": {"text": "half \ud83d"}}})
    bundles = [first.model_copy(update={"conversation": odd}), second]
    write_release(tmp_path / "release", content(bundles=bundles))
    assert [each.conversation for each in open_release(tmp_path / "release").bundles()][1] == odd


class _Lines:
    """A foreign layout of one text file and one picture."""

    name = "lines"
    rules = RuleRegistry()

    def sources(self, path: Path) -> list[Source]:
        raise SourceError(f"{path}: not read here")

    def read(self, source: Source, blobs: BlobStore, licence: str) -> Imported:
        raise SourceError(f"{source.path}: not read here, {licence}, {blobs}")

    def write(self, bundle: Bundle) -> Written:
        unfit = [Unfit(f"{bundle.id}/Q0003", "decoys", "there is no place for them")]
        texts, files = {"names.txt": f"{bundle.id}\n"}, [("first.png", bundle.assets[0])]
        return Written(texts, {"data/ids.json": [bundle.id]}, files, unfit)

    def arrange(self, conversations: Sequence[str]) -> Arrangement:
        return Arrangement({name: f"of/{name}" for name in conversations}, ["data/ids.json"])


def test_foreign_layouts_lie_under_formats(tmp_path: Path) -> None:
    """Each has a folder with what did not fit, and every file is in the manifest."""
    manifest = write_release(tmp_path / "release", content(foreign={"lines": _Lines()}))
    folder = tmp_path / "release" / "formats" / "lines"
    assert (folder / "of/bo/names.txt").read_text(encoding="utf-8") == "bo\n"
    assert (folder / "data/ids.json").read_text(encoding="utf-8") == '[\n  "alex",\n  "bo"\n]\n'
    assert json.loads((folder / "unfit.json").read_text(encoding="utf-8")) == [
        {"record": f"{name}/Q0003", "what": "decoys", "why": "there is no place for them"}
        for name in ("alex", "bo")
    ]
    hashes = {file.path: file.content_sha256 for file in manifest.files}
    (shown,) = (asset for asset in content().bundles[1].assets if asset.pixel_sha256)
    assert hashes["formats/lines/of/alex/first.png"] == shown.pixel_sha256
    assert check_release(tmp_path / "release").findings == []
    assert manifest.content_sha256 == write_release(tmp_path / "bare", content()).content_sha256


def test_decisions_are_released_where_there_are_any(tmp_path: Path) -> None:
    """They are read back and verified; a release without any has no file for them."""
    item = content().bundles[1].questions[0]
    decision = Decision(
        id="decision-R1",
        covers=[CoveredRecord(id=item.id, sha256=content_hash(item))],
        gate="validate",
        reviewer="heron",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT,
    )
    bare = write_release(tmp_path / "bare", content())
    decided = write_release(tmp_path / "decided", content(decisions=[decision]))
    assert list(open_release(tmp_path / "bare").decisions()) == []
    assert "decision" not in bare.counts
    assert list(open_release(tmp_path / "decided").decisions()) == [decision]
    found = check_release(tmp_path / "decided")
    assert found.findings == []
    assert list(found.bundles) == list(open_release(tmp_path / "decided").bundles())
    assert found.decisions == [decision]
    assert bare.content_sha256 != decided.content_sha256
    (tmp_path / "decided" / "decisions.jsonl").unlink()
    lost = {finding.rule for finding in check_release(tmp_path / "decided").findings}
    assert "release.file_present" in lost


def _saying(text: str) -> ReleaseContent:
    """A release in which a question says something."""
    (first, *rest) = content().bundles
    item, *others = first.questions
    asked = item.question.model_copy(update={"text": text})
    changed = first.model_copy(
        update={"questions": [item.model_copy(update={"question": asked}), *others]}
    )
    return content(bundles=[changed, *rest])


def test_a_release_that_holds_a_secret_is_refused(tmp_path: Path) -> None:
    """No folder is left; the message names the place and not the key."""
    secret = "sk-proj-Abc123def456Ghi789jkl012"
    with pytest.raises(ReleaseError, match=r"data/questions row .*expected no secret") as caught:
        write_release(tmp_path / "release", _saying(f"Is it {secret}?"))
    assert secret not in str(caught.value)
    assert list(tmp_path.iterdir()) == []
    write_release(tmp_path / "release", _saying("Is it a task-oriented-approach-of-2024?"))
