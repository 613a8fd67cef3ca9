"""Images of Mem-Gallery files: found, measured, stored, marked when missing, never outside."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.foreign_cases import (
    QUESTIONS,
    SESSIONS,
    alike,
    bundle_of,
    export_scenario,
    import_all,
    import_scenario,
    only,
    rules,
    scenario,
    write_scenario,
)
from support.release_builder import MemoryBlobs, png
from support.written_layouts import write

from memassay.exports.formats.mem_gallery.layout import MemGallery
from memassay.schemas.errors import SourceError
from memassay.schemas.records.asset import Availability

GALLERY = MemGallery()


def _round(raw: dict[str, Any], session: int = 0, at: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = raw[SESSIONS][session]["dialogues"][at]
    return found


def _put_image(folder: Path, name: str, data: bytes) -> Path:
    path = folder / "image" / "Boat" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("image_caption", "A red hull", "list of its characters"),
        ("image_id", "D1:IMG_001", "list of its characters"),
        ("input_image", "../image/Boat/D1_IMG_001.png", "list of its characters"),
    ],
)
def test_a_text_in_place_of_a_list_is_an_error_about_the_image(
    tmp_path: Path, key: str, value: str, said: str
) -> None:
    """Upstream shows the first character; we read the text, say so and give it back."""
    raw = scenario()
    _round(raw)[key] = value
    imported = import_scenario(tmp_path, raw)
    finding = only(imported, "import.shape")
    assert (finding.target, said in finding.fix) == ("Boat/D1_IMG_001", True)
    assert [each.caption for _, each in bundle_of(imported).conversation.attachments()] == [
        "A red hull"
    ]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_a_second_image_of_a_round_is_read_and_reported(tmp_path: Path) -> None:
    """Upstream uses the first image only; both are attachments here."""
    raw = scenario()
    _round(raw)["input_image"].append("../image/Boat/D1_IMG_002.png")
    _round(raw)["image_id"].append("D1:IMG_002")
    _round(raw)["image_caption"].append("A keel")
    imported = import_scenario(tmp_path, raw)
    assert only(imported, "import.images_several").target == "Boat/D1_IMG_002"
    unfit = write(GALLERY, [bundle_of(imported)], MemoryBlobs(), tmp_path / "out")
    assert [each.what for each in unfit] == ["image D1:IMG_002"]
    assert alike(json.loads((tmp_path / "out/dialog/Boat.json").read_text("utf-8")), raw)


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (["D1:IMG_1"], "import.id_malformed"),
        (["D2:IMG_001"], "import.id_malformed"),
        ([], "import.id_malformed"),
    ],
)
def test_an_image_without_a_usable_id_gets_a_free_one(
    tmp_path: Path, value: list[str], rule: str
) -> None:
    """The id given is one that the file claims nowhere."""
    raw = scenario()
    _round(raw, 0, 0)["image_id"] = value
    imported = import_scenario(tmp_path, raw)
    assert rule in rules(imported)
    assert list(bundle_of(imported).attachment_by_id) == ["D1:IMG_001"]
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_an_image_id_given_twice_is_reported(tmp_path: Path) -> None:
    """The second image gets an id of its own."""
    raw = scenario()
    images = {key: _round(raw)[key] for key in ("input_image", "image_id", "image_caption")}
    _round(raw, 0, 1).update(images)
    imported = import_scenario(tmp_path, raw)
    assert only(imported, "import.id_repeated").target == "Boat/D1_IMG_002"
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_images_are_found_measured_and_stored(tmp_path: Path) -> None:
    """Both path bases of upstream lead to the file they lead to there."""
    raw, blobs = scenario(), MemoryBlobs()
    _put_image(tmp_path, "D1_IMG_001.png", png("red"))
    _put_image(tmp_path, "QA_IMG_001.png", png("blue", (9, 5)))
    _round(raw)["input_image"] = ["image/Boat/D1_IMG_001.png"]
    raw[QUESTIONS][2]["question_image"] = "Boat/QA_IMG_001.png"
    imported = import_scenario(tmp_path, raw, blobs)
    assert rules(imported) == ["import.image_base", "import.image_base"]
    first, second = bundle_of(imported).assets
    assert (first.id, second.id) == ("Boat/D1_IMG_001", "Boat/QA_IMG_001")
    assert (second.availability, second.width, second.height) == (Availability.PRESENT, 9, 5)
    assert second.pixel_sha256 is not None
    assert blobs.get(first.blob_sha256 or "") == png("red")


def test_images_come_back_from_blobs(tmp_path: Path) -> None:
    """An export holds the image files, readable without the source."""
    raw, blobs = scenario(), MemoryBlobs()
    source = _put_image(tmp_path / "in", "D1_IMG_001.png", png("red"))
    imported = import_scenario(tmp_path / "in", raw, blobs)
    source.unlink()
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out", blobs), raw)
    assert (tmp_path / "out/image/Boat/D1_IMG_001.png").read_bytes() == png("red")
    (again,) = import_all("mem-gallery", tmp_path / "out", blobs)
    assert again.bundle == imported.bundle


@pytest.mark.parametrize(
    ("data", "caption", "rule"),
    [
        (None, "A mast", "import.image_caption_only"),
        (None, "", "import.image_missing"),
        (b"version https://git-lfs.github.com/spec/v1\n", "A mast", "import.image_caption_only"),
        (b"version https://git-lfs.github.com/spec/v1\n", "", "import.image_missing"),
        (b"no image", "A mast", "import.image_unreadable"),
        (png("red")[:40], "A mast", "import.image_unreadable"),
    ],
)
def test_an_image_that_is_not_there_is_marked(
    tmp_path: Path, data: bytes | None, caption: str, rule: str
) -> None:
    """A caption may stand in for a missing file, nothing stands in for a broken one."""
    raw = scenario()
    raw[QUESTIONS] = [{**raw[QUESTIONS][2], "image_caption": caption}]
    if data is not None:
        _put_image(tmp_path, "QA_IMG_001.png", data)
    imported = import_scenario(tmp_path, raw)
    found = {finding.rule for finding in imported.findings if "QA_IMG" in finding.target}
    assert found == {rule}
    asset = bundle_of(imported).asset_by_id["Boat/QA_IMG_001"]
    assert (asset.availability, asset.blob_sha256) == (Availability.MISSING, None)


@pytest.mark.parametrize("path", ["../../secret.png", "/etc/hostname", "../image/../../secret.png"])
def test_a_path_that_leaves_the_data_set_is_not_followed(tmp_path: Path, path: str) -> None:
    """Absolute paths and climbing ones are errors, even if a file is there."""
    (tmp_path / "secret.png").write_bytes(png("red"))
    raw = scenario()
    _round(raw)["input_image"] = [path]
    imported = import_scenario(tmp_path / "set", raw)
    assert only(imported, "import.image_outside").target == "Boat/D1_IMG_001"
    assert bundle_of(imported).assets[0].availability is Availability.MISSING
    exported = export_scenario(bundle_of(imported), tmp_path / "out")
    assert alike(exported, raw)


def test_an_image_link_out_of_the_data_set_is_refused(tmp_path: Path) -> None:
    """A symbolic link is refused by name, not followed."""
    outside = tmp_path / "secret.png"
    outside.write_bytes(png("red"))
    link = tmp_path / "set" / "image" / "Boat" / "D1_IMG_001.png"
    link.parent.mkdir(parents=True)
    link.symlink_to(outside)
    with pytest.raises(SourceError, match=r"D1_IMG_001\.png: expected a file inside"):
        import_scenario(tmp_path / "set", scenario())


def test_a_caption_list_in_a_question_is_an_error(tmp_path: Path) -> None:
    """Upstream fails inside recall and asks with no memory; the caption is read all the same."""
    raw = scenario()
    raw[QUESTIONS][2]["image_caption"] = ["A mast"]
    imported = import_scenario(tmp_path, raw)
    assert "no memory at all" in only(imported, "import.shape").fix
    assert bundle_of(imported).questions[2].question.attachments[0].caption == "A mast"
    assert alike(export_scenario(bundle_of(imported), tmp_path / "out"), raw)


def test_a_source_depends_on_its_image_files(tmp_path: Path) -> None:
    """A new or changed image makes the import stale."""
    path = write_scenario(tmp_path, scenario())
    image = _put_image(tmp_path, "D1_IMG_001.png", png("red"))
    assert GALLERY.sources(tmp_path)[0].files == (path, image)
