"""A folder of a user's own files, good and bad, and the recipe of docs/own-material.md."""

import io
import re
import struct
import zlib
from pathlib import Path
from typing import Final

from PIL import Image
from reportlab import rl_config
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

RECIPE: Final = "bees.yaml"
PERSONA: Final = "ada-beekeeper"
MAKER: Final = "Hidden Camera Works"
AUTHOR: Final = "A. Hidden Author"
DAY: Final = "2019:07:31"
HARBOUR: Final = "The harbour at low tide, seen from the mole"
BAD: Final = {
    "bomb.png": "material.too_large",
    "cut.jpg": "material.unreadable",
    "locked.pdf": "material.encrypted_pdf",
    "notes.jpg": "material.not_an_image",
}
"""The rule that each bad file of the folder breaks."""

_SECONDS: Final = 12.34
_GPS: Final = 0x8825


def secrets() -> tuple[bytes, ...]:
    """What must be in no output: the EXIF header, the camera, the day and place of a photograph."""
    place = [struct.pack(order, 1234, 100) for order in (">II", "<II")]
    reduced = [struct.pack(order, 617, 50) for order in (">II", "<II")]
    texts = [text.encode("ascii") for text in (MAKER, AUTHOR, DAY, "GPSLatitude")]
    return (b"Exif\x00\x00", *place, *reduced, *texts)


def pixels(seed: int, size: tuple[int, int] = (96, 64)) -> Image.Image:
    """An image without symmetry, another for every seed."""
    image = Image.new("RGB", size)
    image.putdata(
        [
            ((x * seed) % 256, (y * seed * 3) % 256, (x * y + seed * 7) % 256)
            for y in range(size[1])
            for x in range(size[0])
        ]
    )
    return image


def photograph(seed: int, orientation: int = 1) -> bytes:
    """A JPEG with camera, day, place and orientation in its EXIF."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = orientation, MAKER
    exif.get_ifd(_GPS).update({1: "N", 2: (54.0, 19.0, _SECONDS), 29: DAY})
    buffer = io.BytesIO()
    pixels(seed).save(buffer, "JPEG", exif=exif, quality=95)
    return buffer.getvalue()


def png(seed: int) -> bytes:
    """A plain PNG."""
    buffer = io.BytesIO()
    pixels(seed).save(buffer, "PNG")
    return buffer.getvalue()


def bomb(width: int = 20_000, height: int = 10_000) -> bytes:
    """A valid PNG of 200 megapixels in some 24 kB."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    rows = zlib.compress(bytes((width // 8 + 1) * height), 9)
    signature = b"\x89PNG\r\n\x1a\n"
    return signature + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def pdf(pages: int = 1, encryption: StandardEncryption | None = None) -> bytes:
    """A PDF with an author, whose pages show a photograph that keeps its EXIF in the file."""
    buffer, picture = io.BytesIO(), ImageReader(io.BytesIO(photograph(3)))
    canvas = Canvas(buffer, encrypt=encryption, invariant=1)
    canvas.setAuthor(AUTHOR)
    usual, rl_config.useA85 = rl_config.useA85, 0  # the JPEG goes in byte for byte
    for number in range(1, pages + 1):
        canvas.drawString(72, 720, f"Page {number} of the manual")
        canvas.drawImage(picture, 72, 400, 200, 150)
        canvas.showPage()
    canvas.save()
    rl_config.useA85 = usual
    return buffer.getvalue()


def locked(user_password: str = "sesame") -> bytes:
    """A PDF that asks for a password, or, with an empty one, forbids to copy."""
    return pdf(1, StandardEncryption(user_password, ownerPassword="owner", canCopy=0))


def write_material(folder: Path) -> None:
    """The files of the acceptance: four bad ones, and three good ones with their sidecars."""
    data = {
        "harbour.jpg": photograph(3),
        "harbour.jpg.txt": HARBOUR.encode("utf-8"),
        "turned.jpg": photograph(5, orientation=6),
        "turned.json": b'{"caption": "A door.", "licence": "cc-by-sa-4.0", "transcription": "OUT"}',
        "manual.pdf": pdf(3),
        "manual.txt": b"The manual of my extractor",
        "cut.jpg": photograph(7)[:900],
        "notes.jpg": b"Remember to weigh the hive.",
        "bomb.png": bomb(),
        "locked.pdf": locked(),
    }
    folder.mkdir(parents=True)
    for name, content in data.items():
        (folder / name).write_bytes(content)


def documented(repository: Path) -> tuple[str, str]:
    """The recipe and the persona file that docs/own-material.md shows."""
    page = (repository / "docs" / "own-material.md").read_text(encoding="utf-8")
    recipe, persona, *_ = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    return recipe, persona


def write_recipe(folder: Path, repository: Path) -> Path:
    """The documented recipe and persona in a folder; gives the recipe's path."""
    recipe, persona = documented(repository)
    (folder / RECIPE).write_text(recipe, encoding="utf-8")
    (folder / f"{PERSONA}.yaml").write_text(persona, encoding="utf-8")
    return folder / RECIPE
