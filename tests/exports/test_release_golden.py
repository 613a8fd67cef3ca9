"""Golden releases: what was published under each schema version stays readable as it was."""

import hashlib
from pathlib import Path

import pytest
from support.places import GOLDEN
from support.release_builder import content

from memassay.exports import open_release
from memassay.exports.release.check import check_release
from memassay.exports.release.writer import write_release
from memassay.schemas.base import SCHEMA_VERSION, Record

VERSIONS = range(1, SCHEMA_VERSION + 1)
CONTENT_SHA256 = {1: "0953c5fb46e33866b664443660f3e47f550cad324def1a60a19081db45ee8aa5"}


def _folder(version: int) -> Path:
    return GOLDEN / f"release_v{version}"


def _said(record: Record) -> dict[str, object]:
    """What a record says beyond the defaults of its shape."""
    return record.model_dump(mode="json", exclude_defaults=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_golden_release_opens(version: int) -> None:
    """Checksums hold, and the content hash is the published one."""
    release = open_release(_folder(version))
    assert release.manifest.record_schema_version == version
    assert release.manifest.content_sha256 == CONTENT_SHA256[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_golden_release_gives_current_records(version: int) -> None:
    """Whatever version it was written in, it is read as records of today's shape."""
    bo, alex = content().bundles
    for read, written in zip(open_release(_folder(version)).bundles(), (alex, bo), strict=True):
        assert [_said(one) for one in read.records()] == [_said(one) for one in written.records()]
    release = open_release(_folder(version))
    logs = [*release.findings(), *release.certificates(), *release.held_out()]
    assert {record.schema_version for record in logs} == {SCHEMA_VERSION}
    assert release.image("alex/D1_IMG_001").size == (6, 4)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_golden_release_is_intact(version: int) -> None:
    """Content hashes and certificates hold for records as released, migrated or not."""
    assert check_release(_folder(version)).findings == []


def test_the_layout_is_the_golden_one(tmp_path: Path) -> None:
    """Writing the golden content again gives the same files, and the same text in them."""
    golden = _folder(SCHEMA_VERSION)
    write_release(tmp_path / "again", content())

    def files(folder: Path) -> dict[str, str]:
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            # The bytes of Parquet and of the manifest that hashes them differ with the libraries.
            if path.suffix in (".md", ".jsonl")
            else ""
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    assert files(tmp_path / "again") == files(golden)


def test_content_hashes_do_not_depend_on_the_libraries(tmp_path: Path) -> None:
    """The golden content written today has the golden content hashes, whole and by file."""
    golden = open_release(_folder(SCHEMA_VERSION)).manifest
    again = write_release(tmp_path / "again", content())
    assert again.content_sha256 == golden.content_sha256
    assert [(file.path, file.content_sha256) for file in again.files] == [
        (file.path, file.content_sha256) for file in golden.files
    ]
