"""Layouts of a release are compared with what the version wrote that the manifest names."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.release_builder import content

from memassay.exports.foreign.unfit import unfit_parts
from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.agreement.layouts import layouts_agree
from memassay.exports.release.layout import layout_versions
from memassay.exports.release.parts.layout_files import write_layout, write_whole
from memassay.exports.release.writer import write_release
from memassay.exports.reports.unfit_summary import parts_lost, questions_lost
from memassay.flows.services import releases
from memassay.flows.stages.import_stage import written_formats
from memassay.schemas.contracts.protocols import Lost, StrictFormat, Unfit
from memassay.schemas.judgements.layouts import Arrangement, Written
from memassay.schemas.records.question import Answer, AnswerFormat

CONTENT = content()
BUNDLES = sorted(CONTENT.bundles, key=lambda bundle: bundle.id)
IDS = [bundle.id for bundle in BUNDLES]
NOW = layout_versions(FORMATS)


def _differences(release: Path, recipe: dict[str, Any]) -> set[str]:
    found = layouts_agree(release, recipe, BUNDLES, CONTENT.blobs, FORMATS)
    return {each.rule for each in found}


@pytest.mark.parametrize("name", ["locomo", "m3exam", "mem-gallery"])
@pytest.mark.parametrize("version", [1, 2])
def test_a_layout_agrees_in_its_own_version_alone(tmp_path: Path, name: str, version: int) -> None:
    """Releases that are there already are not damaged, and nobody can pass one off as older."""
    write = write_whole if version == 1 else write_layout
    folder = tmp_path / "formats" / name
    folder.mkdir(parents=True)
    write(FORMATS[name], BUNDLES, IDS, CONTENT.blobs, folder)
    recipes: list[dict[str, Any]] = [{}, NOW]
    assert _differences(tmp_path, recipes[version - 1]) == set()
    assert _differences(tmp_path, recipes[2 - version]) == {"release.layout"}


def test_a_version_that_nobody_knows_is_compared_with_a_warning(tmp_path: Path) -> None:
    """A newer memassay may have written it otherwise."""
    folder = tmp_path / "formats" / "locomo"
    folder.mkdir(parents=True)
    write_whole(FORMATS["locomo"], BUNDLES, IDS, CONTENT.blobs, folder)
    assert _differences(tmp_path, {"layouts": {"locomo": 9}}) == {"release.layout_of_another"}


def test_a_manifest_names_the_versions_of_its_layouts(tmp_path: Path) -> None:
    """Whoever writes the release; a list of what is left out is part of what is compared."""
    manifest = write_release(tmp_path / "one", content(foreign={"locomo": FORMATS["locomo"]}))
    assert manifest.recipe["layouts"] == {"locomo": 3}
    assert _differences(tmp_path / "one", dict(manifest.recipe)) == set()
    (tmp_path / "one/formats/locomo/unfit.json").write_text("[]\n", encoding="utf-8")
    assert _differences(tmp_path / "one", dict(manifest.recipe)) == {"release.layout"}


def test_what_is_lost_is_counted_by_kind() -> None:
    """Questions by type and reason; parts without their ids, the most first."""
    lost = [
        Unfit(f"a/Q{at}", "pixels", "reads texts", Lost.IMAGE, "visual_search") for at in (1, 2)
    ]
    parts = [
        Unfit("a", what, "no field")
        for what in ("image D3:IMG_001", "image D10:IMG_002", "date of D4", "name of speaker bo")
    ]
    assert questions_lost([*lost, *parts]) == [("visual_search", 2, "image", "reads texts")]
    assert [row[:2] for row in parts_lost([*lost, *parts])] == [
        ("image …", 2),
        ("date of …", 1),
        ("name of speaker …", 1),
    ]


def test_a_wording_without_a_place_is_told() -> None:
    """Of several golds that are equally right, a layout with one answer has the first."""
    answer = Answer(format=AnswerFormat.FREE, values=["ash", "ash wood"])
    item = BUNDLES[0].questions[0].model_copy(update={"answer": answer})
    told = unfit_parts(BUNDLES[0].model_copy(update={"questions": [item]}), "x")
    assert "answer.values after the first" in {each.what for each in told}


def test_processes_write_what_one_process_does(tmp_path: Path) -> None:
    """Whoever lays out which conversation, the files are the same bytes."""
    write_release(tmp_path / "release", content())
    reports = [
        releases.export_release(tmp_path / "release", "mem-gallery", tmp_path / str(number), number)
        for number in (1, 2)
    ]
    files = [
        {path.relative_to(tmp_path / each): path.read_bytes() for path in _files(tmp_path / each)}
        for each in ("1", "2")
    ]
    assert files[0] == files[1] != {}
    assert reports[0].unfit == reports[1].unfit


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_layout_without_a_strict_reader_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every question is written, and the report says that none was tried."""
    plain = SimpleNamespace(write=lambda _: Written(), arrange=lambda _: Arrangement())
    monkeypatch.setattr(releases, "foreign_format", lambda _: plain)
    write_release(tmp_path / "release", content())
    report = releases.export_release(tmp_path / "release", "plain", tmp_path / "out")
    assert (report.strict, report.questions, report.of) == (False, 8, 8)
    assert all(isinstance(FORMATS[name], StrictFormat) for name in written_formats())
