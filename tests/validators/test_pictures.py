"""What is wrong with a picture, its bytes or its record is found."""

import io
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image, PngImagePlugin
from support.fixtures import Blobs, asset, png, scene

from memassay.validators.check import RULES, check

PICTURE, OTHER = png(10, slope=9), png(200, slope=-9)
PDF = b"%PDF-1.4\nnothing\n"


def _found(rule: str, *assets: Any, blobs: Blobs | None = None) -> list[tuple[str, str]]:
    of = scene(*assets, blobs=blobs)
    return [(each.target, each.pointer) for each in check(of.bundles, of.context, [RULES[rule]])]


def _encoded(image: Image.Image, form: str, **more: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **more)
    return buffer.getvalue()


def _with_text(key: str) -> bytes:
    notes = PngImagePlugin.PngInfo()
    notes.add_text(key, "the answer is 7")
    return _encoded(Image.open(io.BytesIO(PICTURE)), "PNG", pnginfo=notes)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("media_type", "image/gif"),
        ("perceptual_hash", "f" * 16),
        ("pixel_sha256", "0" * 64),
        ("height", 9),
    ],
)
def test_a_measure_that_is_not_of_the_bytes_is_found(field: str, value: Any) -> None:
    """Each is measured again, and named alone."""
    given = asset(data=PICTURE, **{field: value})
    assert _found("assets.pixels", given, blobs=Blobs(PICTURE)) == [("talk/A1", f"/{field}")]


def test_a_quick_check_leaves_out_the_perceptual_hash_alone() -> None:
    """It takes as long as everything else that is measured; the pixel hash is enough."""
    given = asset(data=PICTURE, perceptual_hash="f" * 16, pixel_sha256="0" * 64)
    of = scene(given, blobs=Blobs(PICTURE))
    quick = replace(of.context, draws=False)
    found = check(of.bundles, quick, [RULES["assets.pixels"]])
    assert [each.pointer for each in found] == ["/pixel_sha256"]


@pytest.mark.parametrize(
    ("media_type", "data", "wrong"),
    [("application/pdf", PDF, False), ("application/pdf", PICTURE, True), ("text/html", PDF, True)],
)
def test_a_document_is_of_the_type_it_claims(media_type: str, data: bytes, wrong: bool) -> None:
    """Bytes of a PDF are a PDF, and no other type's bytes are."""
    given = asset(data=PICTURE, media_type=media_type, blob_sha256=Blobs().put(data))
    assert bool(_found("assets.pixels", given, blobs=Blobs(data))) is wrong


@pytest.mark.parametrize(
    "data",
    [
        _with_text("Description"),
        _encoded(Image.open(io.BytesIO(OTHER)), "JPEG", comment=b"the answer is 7"),
    ],
    ids=["png-text", "jpeg-comment"],
)
def test_what_is_hidden_in_an_image_is_found(data: bytes) -> None:
    """Text that no pixel shows can give the gold away."""
    image = Image.open(io.BytesIO(data))
    clean = _encoded(image.copy(), image.format or "")
    given = asset(data=clean, blob_sha256=Blobs().put(data))
    assert ("talk/A1", "/blob_sha256") in _found("assets.pixels", given, blobs=Blobs(data))


@pytest.mark.parametrize(("data", "blank"), [(png(10), True), (PICTURE, False)])
@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "P", "I;16"])
def test_a_blank_picture_shows_nothing_to_read(data: bytes, blank: bool, mode: str) -> None:
    """One colour, in whatever way it is stored, has no transcription."""
    drawn = _encoded(Image.open(io.BytesIO(data)).convert(mode), "PNG")
    store = Blobs(drawn)
    told, silent = (asset(data=drawn, transcription=text) for text in ("7", None))
    assert _found("assets.pixels", told, blobs=store) == (
        [("talk/A1", "/transcription")] if blank else []
    )
    assert _found("assets.pixels", silent, blobs=store) == []


def test_a_group_of_duplicates_holds_no_other_pixels() -> None:
    """Nobody can call two pictures the same that are not."""
    pair = [asset("A1", PICTURE, duplicate_group="g"), asset("A2", OTHER, duplicate_group="g")]
    assert _found("assets.duplicate_group", *pair) == [("talk/A2", "/duplicate_group")]


@pytest.mark.parametrize(
    ("licence", "wrong"),
    [
        *(("CC-BY-4.0", False), ("LicenseRef-mine", False), ("CC0-1.0 AND MIT", False)),
        *(("CC", True), ("none", True), ("CC-BY-4.0 maybe", True), ("see website", True)),
    ],
)
def test_a_licence_is_an_spdx_expression(licence: str, wrong: bool) -> None:
    """Words that no tool can read are no licence."""
    assert bool(_found("assets.licence", asset(data=PICTURE, licence=licence))) is wrong


def test_a_large_image_of_one_colour_shows_nothing() -> None:
    """Whether words are noted of it or not; a small swatch may be of one colour."""
    for size, found in (((65, 64), [("talk/A1", "/blob_sha256")]), ((64, 64), [])):
        blank = png(200, size)
        assert _found("assets.pixels", asset(data=blank), blobs=Blobs(blank)) == found
