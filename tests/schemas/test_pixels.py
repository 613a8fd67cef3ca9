"""Images taken in: upright, without metadata, hashed by what can be seen."""

import io
import struct
import time
import zlib
from random import Random
from typing import Any

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from memassay.schemas.values import pixels
from memassay.schemas.values.pixels import (
    MAX_PIXELS,
    PixelError,
    difference_hash,
    hash_distance,
    measure,
    open_image,
    pixel_sha256,
    take_in,
)

ORIENTATION, MAKER, GPS = 0x0112, 0x010F, 0x8825


def _noise(mode: str = "RGB", size: tuple[int, int] = (24, 16), seed: int = 7) -> Image.Image:
    channels = len(Image.new(mode, (1, 1)).getbands())
    return Image.frombytes(mode, size, Random(seed).randbytes(size[0] * size[1] * channels))


def _bytes(image: Image.Image, file_format: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, file_format, **options)
    return buffer.getvalue()


def _exif(orientation: int = 1) -> Image.Exif:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    exif[MAKER] = "Fixture"
    exif.get_ifd(GPS)[2] = (52.0, 31.0, 12.0)
    return exif


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP"])
def test_an_image_is_set_upright(orientation: int, file_format: str) -> None:
    """Sides are swapped where the orientation says so, and no EXIF is left."""
    data = _bytes(_noise(), file_format, exif=_exif(orientation))
    taken = take_in(data)
    expected = (16, 24) if orientation >= 5 else (24, 16)
    assert (taken.width, taken.height) == expected
    assert set(taken.exif_removed) == {"GPSInfo", "Make", "Orientation"}
    assert dict(open_image(taken.data).getexif()) == {}
    assert b"Fixture" not in taken.data


def test_orientation_six_turns_the_pixels() -> None:
    """The pixel that is top left when upright was bottom left in the file."""
    image = Image.new("RGB", (3, 2), "black")
    image.putpixel((0, 1), (255, 0, 0))
    taken = take_in(_bytes(image, exif=_exif(6)))
    assert open_image(taken.data).convert("RGB").getpixel((0, 0)) == (255, 0, 0)


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP"])
@pytest.mark.parametrize("orientation", [None, 1, 6])
def test_what_is_stated_is_true_of_the_bytes_kept(
    file_format: str, orientation: int | None
) -> None:
    """Taking the kept bytes in again changes nothing and states the same."""
    takes_exif = file_format in {"PNG", "JPEG", "WEBP", "TIFF"}
    options = {"exif": _exif(orientation)} if orientation and takes_exif else {}
    taken = take_in(_bytes(_noise(), file_format, **options))
    again = take_in(taken.data)
    assert again.exif_removed == ()
    assert again.data == taken.data
    assert again.pixel_sha256 == taken.pixel_sha256 == pixel_sha256(open_image(taken.data))
    assert again.perceptual_hash == taken.perceptual_hash
    assert (again.media_type, again.width, again.height) == (
        taken.media_type,
        taken.width,
        taken.height,
    )


def test_clean_bytes_are_kept() -> None:
    """An image without metadata is stored as it came."""
    data = _bytes(_noise(), "JPEG")
    assert take_in(data).data == data
    assert take_in(data).media_type == "image/jpeg"


def test_further_metadata_goes_too() -> None:
    """XMP, comments and text chunks can hold a place or an answer; none is kept."""
    text = PngInfo()
    text.add_text("Description", "the answer is 12")
    taken = take_in(_bytes(_noise(), pnginfo=text))
    assert taken.exif_removed == ("Description",)
    assert b"answer" not in taken.data
    xmp = b"<x:xmpmeta><exif:GPSLatitude>52,31N</exif:GPSLatitude></x:xmpmeta>"
    taken = take_in(_bytes(_noise(), "JPEG", xmp=xmp, comment=b"mine"))
    assert taken.exif_removed == ("Comment", "XMP")
    assert b"GPSLatitude" not in taken.data
    assert b"mine" not in taken.data


def test_a_telephone_picture_of_two_frames_is_a_jpeg() -> None:
    """The MPO that telephones write is taken in as its first picture."""
    two = _bytes(_noise(), "MPO", save_all=True, append_images=[_noise(seed=8)])
    assert Image.open(io.BytesIO(two)).format == "MPO"
    taken = take_in(two)
    assert taken.media_type == "image/jpeg"
    assert taken.exif_removed == ("MultiPicture",)
    assert open_image(taken.data).format == "JPEG"


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_a_lossless_copy_has_the_same_pixel_hash(mode: str) -> None:
    """PNG at any compression, WebP without loss, TIFF: the pixels are the same."""
    image = _noise("RGBA" if mode in {"LA", "RGBA"} else "RGB").convert(mode)
    hashes = {
        pixel_sha256(image),
        take_in(_bytes(image)).pixel_sha256,
        take_in(_bytes(image, compress_level=0)).pixel_sha256,
        take_in(_bytes(image, optimize=True)).pixel_sha256,
        take_in(_bytes(image.convert("RGBA"), "WEBP", lossless=True)).pixel_sha256,
    }
    assert len(hashes) == 1


def test_a_palette_is_no_content() -> None:
    """The same picture with palette and without has one pixel hash."""
    few = _noise().quantize(16)
    assert take_in(_bytes(few)).pixel_sha256 == take_in(_bytes(few.convert("RGB"))).pixel_sha256


def test_the_colour_of_nothing_does_not_count() -> None:
    """Wholly transparent pixels are alike, whatever colour hides below."""
    red, blue = (Image.new("RGBA", (4, 4), (*colour, 0)) for colour in ((255, 0, 0), (0, 0, 255)))
    assert pixel_sha256(red) == pixel_sha256(blue)
    assert pixel_sha256(red) != pixel_sha256(Image.new("RGBA", (4, 4), (255, 0, 0, 1)))


def test_other_pixels_have_another_hash() -> None:
    """One pixel, the shape and the depth all count."""
    image = _noise()
    other = image.copy()
    other.putpixel((0, 0), (1, 2, 3))
    assert pixel_sha256(image) != pixel_sha256(other)
    wide, tall = Image.new("L", (8, 2)), Image.new("L", (2, 8))
    assert pixel_sha256(wide) != pixel_sha256(tall)
    deep = [Image.frombytes("I;16", (1, 1), struct.pack("<H", value)) for value in (300, 400)]
    assert pixel_sha256(deep[0]) != pixel_sha256(deep[1])


def test_perceptual_hashes_of_alike_pictures_are_near() -> None:
    """A smaller copy stays near, other noise does not."""
    image = _noise(size=(9, 8)).resize((180, 160))
    near = difference_hash(image.resize((90, 80)))
    assert hash_distance(difference_hash(image), near) <= 6
    other = difference_hash(_noise(size=(9, 8), seed=8).resize((180, 160)))
    assert hash_distance(difference_hash(image), other) > 12


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"just some words", "expected an image, got other bytes"),
        (b"", "expected an image, got other bytes"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0", "a Git LFS pointer"),
    ],
)
def test_text_named_as_an_image_is_refused(data: bytes, message: str) -> None:
    """Bytes are looked at, names are not."""
    with pytest.raises(PixelError, match=message):
        take_in(data)


def test_unreadable_exif_is_removed_and_the_picture_kept() -> None:
    """Damage in the metadata costs no picture."""
    data = _bytes(_noise(), "WEBP", exif=_exif())
    damaged = data.replace(b"MM\0*", b"XX\0*")
    assert damaged != data
    taken = take_in(damaged)
    assert taken.exif_removed == ("EXIF",)
    assert b"Fixture" not in taken.data
    assert taken.width == 24


@pytest.mark.filterwarnings("ignore::UserWarning:PIL")
@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"])
def test_broken_bytes_are_refused_or_whole(file_format: str) -> None:
    """An image cut or damaged anywhere gives a picture or a PixelError, nothing else."""
    options = {"exif": _exif(6)} if file_format in {"PNG", "JPEG", "WEBP", "TIFF"} else {}
    data = _bytes(_noise(), file_format, **options)
    random = Random(3)
    refused = 0
    for _ in range(150):
        broken = bytearray(data[: random.randrange(len(data))] if random.random() < 0.5 else data)
        for _ in range(random.randrange(4)):
            if broken:
                broken[random.randrange(len(broken))] = random.randrange(256)
        try:
            take_in(bytes(broken))
        except PixelError:
            refused += 1
    assert refused > 30


@pytest.mark.parametrize("file_format", ["PNG", "JPEG", "WEBP"])
def test_a_truncated_image_is_refused(file_format: str) -> None:
    """Half an image is no image."""
    data = _bytes(_noise(size=(200, 200)), file_format)
    with pytest.raises(PixelError, match=r"whole image|expected an image"):
        take_in(data[: len(data) // 2])


def _png_header(width: int, height: int) -> bytes:
    def chunk(name: bytes, body: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(name + body))
        return struct.pack(">I", len(body)) + name + body + checksum

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("side", [9_000, 50_000, 2**31 - 1])
def test_a_bomb_is_refused_before_it_is_decoded(side: int) -> None:
    """A few bytes that claim a huge image cost no time."""
    assert side * side > MAX_PIXELS
    begin = time.process_time()
    with pytest.raises(PixelError, match=r"pixels|whole image"):
        take_in(_png_header(side, side))
    assert time.process_time() - begin < 0.5


def test_an_unlisted_format_is_refused() -> None:
    """A format that browsers do not show is named in the refusal."""
    with pytest.raises(PixelError, match="got PPM"):
        take_in(_bytes(_noise(), "PPM"))


def test_an_image_that_was_taken_in_is_not_decoded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of the same run ask for facts of the same bytes."""
    picture = take_in(_bytes(_noise(seed=26)))

    def refuse(_data: bytes) -> None:
        raise AssertionError("decoded again")

    monkeypatch.setattr(pixels, "open_image", refuse)
    assert measure(picture.data).pixel_sha256 == picture.pixel_sha256
    with pytest.raises(AssertionError, match="decoded again"):
        measure(_bytes(_noise(seed=27)))
