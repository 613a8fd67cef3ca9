"""Golden files: what was published stays as it was, readable by every later version."""

import hashlib
from pathlib import Path

import pytest
from support.golden import frozen, golden_releases, sums
from support.newer_fields import GOLDEN_CONTENT

from memassay.exports import open_release
from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.parts.layout_files import write_whole
from memassay.exports.release.writer import write_release
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import export_release
from memassay.schemas.base import Record
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.kinds import kind_of, version_of

CONTENT_SHA256 = {
    "release_v1": "0953c5fb46e33866b664443660f3e47f550cad324def1a60a19081db45ee8aa5",
    "release_v1_1": "0953c5fb46e33866b664443660f3e47f550cad324def1a60a19081db45ee8aa5",
    "release_v2": "d11eea9d9aaffe28704759d7caee5abca38f7b33db428c177ee4a67b3e73edd6",
    "release_v2_1": "d11eea9d9aaffe28704759d7caee5abca38f7b33db428c177ee4a67b3e73edd6",
    "release_v2_2": "d11eea9d9aaffe28704759d7caee5abca38f7b33db428c177ee4a67b3e73edd6",
}
RELEASES = golden_releases()


def _said(record: Record) -> dict[str, object]:
    """What a record says beyond the defaults of its shape."""
    return record.model_dump(mode="json", exclude_defaults=True)


def test_golden_files_are_frozen() -> None:
    """No golden file is changed or removed, and a new one is added to `SHA256SUMS`."""
    assert sums() == frozen()


def test_every_golden_release_has_its_content_hash_here() -> None:
    """A golden release without a published hash is none."""
    assert [path.name for path in RELEASES] == list(CONTENT_SHA256)


@pytest.mark.parametrize("folder", RELEASES, ids=lambda path: path.name)
def test_a_golden_release_opens(folder: Path) -> None:
    """Checksums hold, and the content hash is the published one."""
    release = open_release(folder)
    assert release.manifest.content_sha256 == CONTENT_SHA256[folder.name]


@pytest.mark.parametrize("folder", RELEASES, ids=lambda path: path.name)
def test_a_golden_release_gives_current_records(folder: Path) -> None:
    """Whatever version it was written in, it is read as records of today's shape."""
    bo, alex = GOLDEN_CONTENT[folder.name]().bundles
    for read, written in zip(open_release(folder).bundles(), (alex, bo), strict=True):
        assert [_said(one) for one in read.records()] == [_said(one) for one in written.records()]
    release = open_release(folder)
    logs = [*release.findings(), *release.certificates(), *release.held_out()]
    assert all(record.schema_version == version_of(kind_of(record)) for record in logs)
    assert release.image("alex/D1_IMG_001").size == (6, 4)


@pytest.mark.parametrize("folder", RELEASES, ids=lambda path: path.name)
def test_what_rules_say_of_a_golden_release_is_listed_beside_it(folder: Path) -> None:
    """A later rule may find more, in a list beside the release that says so; it mends nothing."""
    found = validate_path(folder).findings
    said = [f"{each.severity} {each.rule} {each.target}{each.pointer}" for each in found]
    listed = folder.with_name(f"{folder.name}.findings.txt").read_text(encoding="utf-8")
    assert said == listed.splitlines()


def test_the_layout_is_the_golden_one(tmp_path: Path) -> None:
    """Writing the golden content again gives the same files, and the same text in them."""
    write_release(tmp_path / "again", GOLDEN_CONTENT[RELEASES[-1].name]())

    def files(folder: Path) -> dict[str, str]:
        return {
            path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            # The bytes of Parquet and of the manifest that hashes them differ with the libraries.
            if path.suffix in (".md", ".jsonl")
            else ""
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }

    assert files(tmp_path / "again") == files(RELEASES[-1])


@pytest.mark.parametrize("folder", RELEASES, ids=lambda path: path.name)
def test_content_hashes_depend_neither_on_libraries_nor_on_the_version(
    tmp_path: Path, folder: Path
) -> None:
    """The golden content written today has the golden content hashes, whole and by table.

    What uses no field of a later version is written as before it.
    """
    golden = open_release(folder).manifest
    again = write_release(tmp_path / "again", GOLDEN_CONTENT[folder.name]())
    assert again.content_sha256 == golden.content_sha256
    assert _hashes(again, "data/") == _hashes(golden, "data/")
    if folder == RELEASES[-1]:
        assert _hashes(again) == _hashes(golden)


def _hashes(manifest: Manifest, below: str = "") -> dict[str, str | None]:
    """Content hashes of the files of a release whose paths begin so."""
    return {
        file.path: file.content_sha256 for file in manifest.files if file.path.startswith(below)
    }


@pytest.mark.parametrize(
    ("layout", "sha256"),
    [
        ("mem-gallery", "c90a735c5cc63b95a1e269de01b2b44b708cd1f082cd1e2378d0ac685af89ec7"),
        ("locomo", "2095b48e4730665be442f6ad330651679389c9e87b3d290033bb8876d4cba4b7"),
        ("m3exam", "c46f9af471c46589031179fcce7f717c0f922a5b5916987ffa61051950887a39"),
    ],
)
def test_the_first_golden_release_is_exported_as_by_version_1(
    tmp_path: Path, layout: str, sha256: str
) -> None:
    """Every JSON file of each layout, and what did not fit, as the first version wrote them."""
    opened = open_release(RELEASES[0])
    ids = [bundle.id for bundle in opened.bundles()]
    write_whole(FORMATS[layout], opened.bundles(), ids, opened.blobs, tmp_path)
    assert _sha256(tmp_path) == sha256


@pytest.mark.parametrize(
    ("layout", "sha256", "left_out"),
    [
        (
            "mem-gallery",
            "79f409d3173eb4b54329ee2dae18b406973b283b6d6591abc8320e148243f547",
            {"Q0004"},
        ),
        ("locomo", "7aa68b28a6453ef928dcd9b456e9451ceb5bbcfe4703df7b23c202816a3607aa", {"Q0002"}),
        (
            "m3exam",
            "cadd4bf2e7c78bd9f07c3e09b1a56e56d910ae6a08fd7947821a32d1798c0380",
            {"Q0002", "Q0003"},
        ),
    ],
)
def test_the_first_golden_release_is_exported_as_by_version_2(
    tmp_path: Path, layout: str, sha256: str, left_out: set[str]
) -> None:
    """The same without the questions that upstream's code cannot answer from the layout."""
    report = export_release(RELEASES[0], layout, tmp_path / "out")
    lost = {each["record"][-5:] for each in report.unfit if "reason" in each}
    assert (lost, _sha256(tmp_path / "out")) == (left_out, sha256)


def _sha256(folder: Path) -> str:
    """Hash of every JSON file of a folder."""
    files = sorted(folder.rglob("*.json"), key=lambda path: path.as_posix())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
