"""Words of a picture with their places: Tesseract twice, and once more for what it left out.

Tesseract often leaves lone digits out. Dark regions of a letter's size that no word covers are
therefore cut out and read one by one; so are words with digits on which two passes disagree.
"""

import hashlib
import io
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from reader_pixels import Box, around, components

_SCALE: Final = 2
_DARK: Final = 150
"""Luminance below which a pixel may be ink."""
_SURE: Final = 70
"""Confidence from which a word counts without ink below it, and is not read again."""
_NARROW: Final = 0.85
"""Width of a lone letter, in heights, at most."""
_SPACE: Final = 0.42
"""Widest space between letters of a word, in heights."""
_SHORTEST: Final = 7
_TALLEST: Final = 34
_WIDEST: Final = 60


@dataclass(frozen=True)
class Word:
    """A word, its box in pixels of the picture, and how sure it is, up to 100."""

    text: str
    box: Box
    confidence: float = 100.0


def tesseract() -> str | None:
    """Path of the program; None if it is not installed."""
    return shutil.which("tesseract")


class Ocr:
    """Reads pictures, each once."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self._read: dict[str, list[Word]] = {}

    def words(self, data: bytes) -> list[Word]:
        """Words of an encoded picture, from the top down."""
        key = hashlib.sha256(data).hexdigest()
        if key not in self._read:
            self._read[key] = _words(Image.open(io.BytesIO(data)))
        return self._read[key]


def _words(picture: Image.Image) -> list[Word]:
    grey = picture.convert("L")
    ink = _ink(grey)
    sparse, block = (_pass(grey, ink, mode) for mode in ("11", "6"))
    words: list[Word] = []
    again: dict[Box, list[str]] = {}
    joined: list[tuple[Word, list[Box]]] = []
    for word in sparse:
        rivals = [one.text for one in block if one.box.shared(word.box) > 0.5 * one.box.area]
        parts = [box for box in ink if box.shared(word.box) > 0.5 * box.area]
        if not _doubtful(word, "".join(rivals), len(parts)):
            words.append(word)
        elif len(parts) > 1:
            joined.append((word, parts))
            again |= {box: [] for box in parts}
        else:
            again[parts[0] if parts else word.box] = [word.text, "".join(rivals)]
    words += [word for word in block if not any(one.box.shared(word.box) for one in sparse)]
    covered = [*(word.box for word in words), *again]
    again |= {box: [] for box in ink if not any(box.shared(other) for other in covered)}
    read = _settled(_read_again(grey, again), joined)
    # A region may hold two words of which one was sure: it was read with the other.
    alone = [
        word
        for word in words
        if not any(one.box.shared(word.box) > 0.8 * word.box.area for one in read)
    ]
    return sorted(alone + read, key=lambda word: (word.box.top, word.box.left))


def _settled(read: list[Word], joined: list[tuple[Word, list[Box]]]) -> list[Word]:
    """Words read in parts, unless the whole was a number with its unit and the parts differ."""
    for word, parts in joined:
        own = [one for one in read if one.box in parts]
        text = "".join(one.text for one in own)
        if re.fullmatch(r"[\d.,]+[^\W\d]+", word.text) and text != word.text:
            read = [one for one in read if one not in own] + [word]
    return read


def _doubtful(word: Word, rival: str, parts: int) -> bool:
    """Whether a word must be read again: digits without agreement, or two words in one."""
    digits = any(letter.isdigit() for letter in word.text + rival)
    squeezed = len(word.text) > 1 and word.box.width < _NARROW * word.box.height
    return (
        squeezed
        or word.confidence < _SURE
        or (digits and (rival not in ("", word.text) or parts > 1))
    )


def _read_again(grey: Image.Image, again: dict[Box, list[str]]) -> list[Word]:
    """Each region read by itself, as a line and if it is narrow as a letter; the most agree."""
    narrow = [box for box in again if box.width < _NARROW * box.height]
    votes = {box: list(earlier) for box, earlier in again.items()}
    for boxes, mode in ((narrow, "10"), (list(again), "7")):
        for word in _one_by_one(grey, boxes, mode):
            # What is read last counts most where nothing agrees.
            votes[word.box].insert(0, word.text)
    return [Word(max(texts, key=texts.count), box) for box, texts in votes.items() if any(texts)]


def _ink(grey: Image.Image) -> list[Box]:
    """Boxes of what may be words: dark regions of a letter's size, near ones joined."""
    mask = grey.point([1 if value < _DARK else 0 for value in range(256)])
    letters = [
        box
        for box, pixels in components(mask.tobytes(), grey.width)
        if box.height <= _TALLEST and box.width <= _WIDEST and pixels >= 3
    ]
    words: list[list[Box]] = []
    for box in sorted(letters, key=lambda box: (box.left, -box.height)):
        for word in words:
            whole = around(word)
            height = max(whole.height, box.height)
            close = box.left - whole.right < _SPACE * height
            # Points and dashes stand below or above the middle of their word.
            inside = min(box.bottom, whole.bottom) - max(box.top, whole.top)
            if close and inside > 0.5 * min(box.height, whole.height):
                word.append(box)
                break
        else:
            words.append([box])
    return [whole for word in words if (whole := around(word)).height >= _SHORTEST]


def _pass(grey: Image.Image, ink: list[Box], mode: str) -> list[Word]:
    large = grey.resize((grey.width * _SCALE, grey.height * _SCALE), Image.Resampling.LANCZOS)
    encoded = io.BytesIO()
    large.save(encoded, "PNG")
    rows = _run(["-", "-", "--psm", mode, "tsv"], encoded.getvalue())
    words = []
    for text, confidence, left, top, width, height, _ in rows:
        box = Box(*(round(v / _SCALE) for v in (left, top, left + width, top + height)))
        legible = any(letter.isalnum() or letter == "%" for letter in text)
        if box.area and legible and (_fits(box, ink) or confidence >= _SURE):
            words.append(Word(text, box, confidence))
    return words


def _fits(box: Box, ink: list[Box]) -> bool:
    """Whether a word lies on ink of about its size: what does not was read into a line or bar."""
    below = [one for one in ink if box.shared(one) > 0.3 * one.area]
    if not below:
        return False
    whole = around(below)
    return box.height <= 1.7 * whole.height and box.width <= 1.5 * whole.width + 6


def _one_by_one(grey: Image.Image, boxes: list[Box], mode: str) -> list[Word]:
    """Each box read by itself, as a letter or a line, all in one call."""
    if not boxes:
        return []
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, box in enumerate(boxes):
            part = grey.crop((box.left - 3, box.top - 3, box.right + 3, box.bottom + 3))
            scale = 48 / max(1, part.height)
            part = part.resize((max(1, round(part.width * scale)), 48), Image.Resampling.LANCZOS)
            page = Image.new("L", (part.width + 60, 108), 255)
            page.paste(part, (30, 30))
            paths.append(Path(folder) / f"{number:04d}.png")
            page.save(paths[-1])
        listed = Path(folder) / "pages.txt"
        listed.write_text("\n".join(map(str, paths)) + "\n", encoding="utf-8")
        rows = _run([str(listed), "-", "--psm", mode, "tsv"], b"")
    texts: dict[int, list[str]] = {}
    for text, _, _, _, _, _, page_number in rows:
        texts.setdefault(page_number - 1, []).append(text)
    read = [Word("".join(texts.get(at, [])), box) for at, box in enumerate(boxes)]
    return [word for word in read if any(letter.isalnum() for letter in word.text)]


def _run(arguments: list[str], data: bytes) -> list[tuple[str, float, int, int, int, int, int]]:
    """Text, confidence, left, top, width, height and page of each word."""
    done = subprocess.run(
        ["tesseract", *arguments],
        input=data,
        capture_output=True,
        check=True,
        env={**os.environ, "OMP_THREAD_LIMIT": "1"},
    )
    rows = [line.split("\t") for line in done.stdout.decode("utf-8").splitlines()[1:]]
    read = []
    for row in rows:
        if len(row) > 11 and row[11].strip():
            left, top, width, height = (int(row[at]) for at in (6, 7, 8, 9))
            read.append((row[11].strip(), float(row[10]), left, top, width, height, int(row[1])))
    return read
