"""Planted defects: an untouched copy is the release itself, plants are what they say."""

import json
from pathlib import Path

import pytest
from defect_files import Copy
from defect_plants import Plant, all_kinds
from defect_scores import names
from defects import main, plant_all
from support.made_history import copy_made

from memassay.exports import open_release

_KINDS = (
    "query-of-other-question",
    "picture-size-wrong",
    "certificate-refuted-beside-released-item",
)


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The release of the made history that tests share."""
    folder = tmp_path_factory.mktemp("defects")
    copy_made(tmp_path_factory, folder)
    (manifest,) = (folder / "workspace").rglob("manifest.json")
    return manifest.parent


@pytest.mark.slow(seconds=2.5)
def test_a_copy_without_plants_has_what_the_release_has(release: Path, tmp_path: Path) -> None:
    """Rows, hashes and counts are written as the release has them."""
    Copy(release).write(tmp_path / "copy")
    copy, clean = open_release(tmp_path / "copy").manifest, open_release(release).manifest
    assert copy.content_sha256 == clean.content_sha256
    assert copy.counts == clean.counts
    # A copy has no tables or layouts that are made of records.
    written = {path.relative_to(tmp_path / "copy").as_posix() for path in _files(tmp_path / "copy")}
    hashes = {file.path: file.content_sha256 for file in clean.files if file.path in written}
    assert {file.path: file.content_sha256 for file in copy.files} == hashes
    assert {file.path.partition("/")[0] for file in copy.files} > {"data", "README.md"}


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.slow(seconds=0.3)
def test_a_plant_changes_its_record_and_all_checksums(release: Path, tmp_path: Path) -> None:
    """What a plant names differs from the clean release; every checksum of the copy fits."""
    kinds = [all_kinds()["equivalent-of-other-item"]]
    ((folder, plants),) = plant_all([release], tmp_path, kinds, 2, 13)[release].items()
    before = {item.id: item.answer for item in open_release(release).questions()}
    now = {item.id: item.answer for item in open_release(folder).questions()}
    changed = {name for name in before if before[name] != now[name]}
    assert changed == {plant.ids[0] for plant in plants}
    assert len(changed) == 2
    hashes = {one.item: one.item_sha256 for one in open_release(folder).certificates()}
    old = {one.item: one.item_sha256 for one in open_release(release).certificates()}
    assert {name for name in hashes if hashes[name] != old[name]} == changed


def test_a_finding_about_another_place_finds_nothing() -> None:
    """Records are compared whole; places inside a conversation by their pointer."""
    plant = Plant("x", ("a/Q1", "a/D1:1"), "", (("a", "/sessions/0/rounds/1"),))
    finding = {"rule": "r", "severity": "error", "target": "a", "message": "a: expected b"}
    assert names({**finding, "target": "a/Q1"}, plant)
    assert names({**finding, "pointer": "/sessions/0/rounds/1/turns/0/text"}, plant)
    assert not names({**finding, "pointer": "/sessions/0/rounds/10/turns/0/text"}, plant)
    assert not names({**finding, "target": "a/Q10"}, plant)
    assert names({**finding, "message": "a.sessions: expected D1:1 once"}, plant)
    assert not names({**finding, "message": "a.sessions: expected D1:10 once"}, plant)


@pytest.mark.ci
@pytest.mark.slow(seconds=8)
def test_what_validate_finds_is_counted(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plants in ledger, pictures and certificates are found as errors, in a table by kind."""
    options = ["--kinds", ",".join(_KINDS), "--each", "1", "--validate", "--json"]
    assert main([str(release), "--out", str(tmp_path), *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["failed"] == {}
    assert [row["planted"] for row in found["kinds"]] == [1, 1, 1]
    assert [row["error"] for row in found["kinds"]] == [1, 1, 1]
