"""Files of a user, one by one: what is taken in, and which rule the others break."""

import io
import json
import os
import re
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from PIL import Image
from support import own_material

from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Record
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import LOCAL_PATTERN
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.licences import join_licences, spdx
from memassay.synth.material import folder as material_folder
from memassay.synth.material.folder import files_of
from memassay.synth.material.intake import Intake, Terms, local_name, readable_name
from memassay.synth.material.pdf import MAX_PAGES, pages_of


class Taken:
    """What taking a folder in gave."""

    def __init__(self, folder: Path) -> None:
        self.findings: list[Finding] = []
        blobs = BlobFolder(folder.parent / "blobs")
        intake = Intake("ada", Terms("MIT", "Ada"), blobs, self.findings.append)
        self.records: list[Record] = intake.take(files_of(folder))
        self.assets = [record for record in self.records if isinstance(record, Asset)]
        self.captions = [r.value.text for r in self.records if isinstance(r, Fact)]
        self.rules = {
            finding.target.removeprefix("material:"): finding.rule for finding in self.findings
        }

    def blob(self, folder: Path, position: int = 0) -> bytes:
        """The bytes kept of an asset."""
        return BlobFolder(folder.parent / "blobs").get(str(self.assets[position].blob_sha256))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder of material."""
    path = tmp_path / "files"
    path.mkdir()
    return path


@pytest.mark.parametrize(
    ("name", "data", "rule"),
    [
        ("empty.png", b"", "unreadable"),
        ("cut.png", own_material.png(3)[:200], "unreadable"),
        ("text.jpeg", b"words", "not_an_image"),
        ("icon.png", b"\x00\x00\x01\x00\x01\x00\x10\x10", "not_an_image"),
        ("manual.jpg", own_material.pdf, "not_an_image"),
        ("bomb.png", own_material.bomb, "too_large"),
        ("large.png", partial(own_material.bomb, 9_000, 8_000), "too_large"),
        ("words.pdf", b"words", "unreadable"),
        ("cut.pdf", b"%PDF-1.7\n1 0 obj", "unreadable"),
        ("locked.pdf", own_material.locked, "encrypted_pdf"),
        ("restricted.pdf", partial(own_material.locked, ""), "encrypted_pdf"),
        ("long.pdf", partial(own_material.pdf, MAX_PAGES + 1), "too_large"),
        ("song.mp3", b"ID3", "unknown_type"),
        ("noend", b"words", "unknown_type"),
        (".hidden.png", own_material.png(3), "unknown_type"),
        ("alone.txt", b"A caption", "sidecar"),
    ],
)
def test_a_bad_file_breaks_its_rule(
    name: str, data: bytes | Callable[[], bytes], rule: str, folder: Path
) -> None:
    """One finding that names the file and a fix, and no record."""
    (folder / name).write_bytes(data if isinstance(data, bytes) else data())
    taken = Taken(folder)
    assert taken.rules == {name: f"material.{rule}"}
    assert taken.findings[0].message.startswith(f"{name}: expected")
    assert taken.findings[0].fix
    assert taken.records == []


def test_a_bomb_costs_neither_time_nor_memory(folder: Path) -> None:
    """200 megapixels are refused by their header."""
    (folder / "bomb.png").write_bytes(own_material.bomb())
    tracemalloc.start()
    start = time.process_time()
    Taken(folder)
    seconds, peak = time.process_time() - start, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seconds < 2
    assert peak < 20_000_000


def test_a_file_of_too_many_bytes_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its size alone refuses it."""
    monkeypatch.setattr(material_folder, "MAX_BYTES", 10)
    (folder / "photo.png").write_bytes(own_material.png(3))
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("was read"))
    assert Taken(folder).rules == {"photo.png": "material.too_large"}


@pytest.mark.parametrize(
    ("sidecar", "data"),
    [
        ("photo.txt", b"caf\xe9"),
        ("photo.txt", b"\xff\xfec\x00"),
        ("photo.txt", b"  \n"),
        ("photo.txt", b"a\x00b"),
        ("photo.txt", b"word " * 100),
        ("photo.json", b"{"),
        ("photo.json", b"[]"),
        ("photo.json", b"[" * 100_000),
        ("photo.json", b'{"caption": 3}'),
        ("photo.json", b'{"caption": "\\ud83d"}'),
        ("photo.json", b'{"titel": "A door"}'),
        ("photo.json", b'{"licence": "free for all"}'),
        ("photo.json", b'{"caption": "' + b"x" * 100_000 + b'"}'),
    ],
)
def test_a_bad_sidecar_leaves_its_file_out(sidecar: str, data: bytes, folder: Path) -> None:
    """Nobody knows which terms it would have named, so nothing is taken in."""
    (folder / "photo.png").write_bytes(own_material.png(3))
    (folder / sidecar).write_bytes(data)
    taken = Taken(folder)
    assert taken.rules == {"photo.png": "material.sidecar"}
    assert taken.records == []


def test_two_sidecars_contradict_each_other(folder: Path) -> None:
    """A file has one sidecar, whichever way it is named."""
    (folder / "photo.png").write_bytes(own_material.png(3))
    (folder / "photo.txt").write_text("A door", "utf-8")
    (folder / "photo.png.json").write_text("{}", "utf-8")
    assert Taken(folder).rules == {"photo.png": "material.sidecar"}


def test_a_sidecar_of_two_files_is_of_neither(folder: Path) -> None:
    """`photo.txt` cannot speak of photo.png and photo.jpg; `photo.jpg.txt` can of one."""
    (folder / "photo.png").write_bytes(own_material.png(3))
    (folder / "photo.jpg").write_bytes(own_material.photograph(5))
    (folder / "photo.txt").write_text("A door", "utf-8")
    assert set(Taken(folder).rules) == {"photo.png", "photo.jpg"}
    (folder / "photo.txt").rename(folder / "photo.jpg.txt")
    taken = Taken(folder)
    assert taken.rules == {}
    assert taken.captions == ["A door"]


def test_a_sidecar_says_everything_it_may(folder: Path) -> None:
    """Caption on one line, transcription, credit and licence; a byte order mark is no text."""
    said = {
        "caption": " A door,\n open ",
        "transcription": "OUT\nOF ORDER",
        "attribution": "Grace",
        "licence": "cc0-1.0",
    }
    (folder / "photo.png").write_bytes(own_material.png(3))
    (folder / "photo.json").write_text(json.dumps(said), "utf-8-sig")
    taken = Taken(folder)
    asset = taken.assets[0]
    assert taken.captions == ["A door, open"]
    assert (asset.transcription, asset.attribution) == ("OUT\nOF ORDER", "Grace")
    assert asset.licence == "CC0-1.0"


def test_links_that_leave_the_folder_are_not_followed(folder: Path, tmp_path: Path) -> None:
    """A link to a file or folder elsewhere is a finding, one to nothing as well."""
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "photo.png").write_bytes(own_material.png(3))
    (folder / "leaving.png").symlink_to(tmp_path / "private" / "photo.png")
    (folder / "linked").symlink_to(tmp_path / "private")
    (folder / "lost.png").symlink_to(folder / "nothing.png")
    taken = Taken(folder)
    assert taken.rules == {
        "leaving.png": "material.outside_folder",
        "linked": "material.outside_folder",
        "lost.png": "material.unreadable",
    }
    assert taken.records == []


def test_a_sidecar_outside_the_folder_is_not_read(folder: Path, tmp_path: Path) -> None:
    """A link is refused as a sidecar too."""
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (folder / "photo.png").write_bytes(own_material.png(3))
    (folder / "photo.txt").symlink_to(tmp_path / "secret.txt")
    taken = Taken(folder)
    assert taken.rules == {"photo.txt": "material.outside_folder"}
    assert taken.captions == []


def test_a_pipe_does_not_hang_the_run(folder: Path) -> None:
    """What is no file is not opened."""
    os.mkfifo(folder / "pipe.png")
    assert Taken(folder).rules == {"pipe.png": "material.unreadable"}


def test_the_same_bytes_or_pixels_are_taken_once(folder: Path) -> None:
    """The later of two files in natural order is the duplicate."""
    (folder / "photo2.png").write_bytes(own_material.png(3))
    (folder / "photo10.png").write_bytes(own_material.png(3))
    bitmap = io.BytesIO()
    own_material.pixels(3).save(bitmap, "BMP")
    (folder / "photo11.bmp").write_bytes(bitmap.getvalue())
    taken = Taken(folder)
    assert taken.rules == dict.fromkeys(("photo10.png", "photo11.bmp"), "material.duplicate")
    assert [asset.uri for asset in taken.assets] == ["photo2.png"]


def test_nothing_but_pixels_is_kept_of_an_image(folder: Path) -> None:
    """Bytes behind the image go, also where no metadata is seen in it."""
    (folder / "photo.png").write_bytes(own_material.png(3) + b"behind" + own_material.photograph(3))
    taken = Taken(folder)
    kept = taken.blob(folder)
    assert not any(secret in kept for secret in (b"behind", *own_material.secrets()))
    image = Image.open(io.BytesIO(kept))
    assert image.tobytes() == own_material.pixels(3).tobytes()


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "TIFF", "BMP", "PNG", "JPEG"])
def test_every_kind_of_image_is_taken_in(kind: str, folder: Path) -> None:
    """What browsers show is kept: JPEG as JPEG, everything else as PNG."""
    buffer = io.BytesIO()
    own_material.pixels(3).save(buffer, kind)
    (folder / f"photo.{kind.lower()}").write_bytes(buffer.getvalue())
    taken = Taken(folder)
    assert taken.rules == {}
    assert taken.assets[0].media_type == ("image/jpeg" if kind == "JPEG" else "image/png")


def test_equal_pages_share_a_duplicate_group(folder: Path) -> None:
    """Pages of the same pixels belong to one document and are all kept."""
    (folder / "blank.pdf").write_bytes(_blank(2))
    pages = [asset for asset in Taken(folder).assets if asset.parent]
    assert len(pages) == 2
    assert len({page.duplicate_group for page in pages}) == 1
    assert pages[0].duplicate_group


def _blank(pages: int) -> bytes:
    buffer = io.BytesIO()
    sheet = Image.new("RGB", (85, 110), "white")
    sheet.save(buffer, "PDF", save_all=True, append_images=[sheet] * (pages - 1))
    return buffer.getvalue()


def test_a_pdf_is_rebuilt_from_its_pages() -> None:
    """The same bytes every time, as many pages, and nothing that cannot be seen."""
    data = own_material.pdf(2)
    assert sum(secret in data for secret in own_material.secrets()) >= 4
    first, second = pages_of(data), pages_of(data)
    assert first == second
    assert not any(secret in first.pdf for secret in own_material.secrets())
    assert len(pages_of(first.pdf).images) == 2


@pytest.mark.parametrize(
    "name",
    ["a.jpg", "trips/a.jpg", "a b.jpg", "ä.jpg", "x" * 200 + ".jpg", "日本.png", "-.png", "A.jpg"],
)
def test_local_names_are_ids(name: str) -> None:
    """Whatever a file is called, its id fits the grammar."""
    assert re.fullmatch(LOCAL_PATTERN, local_name(name))


def test_different_names_have_different_ids() -> None:
    """Names that look alike as ids keep apart."""
    names = ["a_b.jpg", "a b.jpg", "a/b.jpg", "a+b.jpg", "A_b.jpg"]
    assert len({local_name(name) for name in names}) == len(names)


def test_names_that_are_no_text_are_shown_all_the_same(folder: Path) -> None:
    """Bytes that are no UTF-8 are spelled out, so that the finding can be written."""
    name = os.fsencode(folder) + b"/caf\xe9.jpg"
    try:
        Path(os.fsdecode(name)).write_bytes(b"words")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert Taken(folder).rules == {"caf\\xe9.jpg": "material.not_an_image"}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("trips/harbour_view-2.jpg", "harbour view 2"),
        ("IMG_1234.JPG", "IMG 1234"),
        ("___.png", "a file without a name"),
    ],
)
def test_file_names_are_made_readable(name: str, words: str) -> None:
    """The stem of a name as words."""
    assert readable_name(name) == words


def test_an_empty_folder_is_refused(folder: Path) -> None:
    """A recipe that names a folder means to show something."""
    with pytest.raises(UsageError, match=r"material\.folder: expected images or PDFs"):
        files_of(folder)


def test_licences_are_joined_once() -> None:
    """Equal parts stand once, a choice keeps together."""
    assert join_licences(["CC-BY-4.0", "MIT AND CC-BY-4.0"]) == "CC-BY-4.0 AND MIT"
    assert join_licences(["MIT OR Apache-2.0", "CC0-1.0"]) == "(MIT OR Apache-2.0) AND CC0-1.0"
    assert join_licences(["MIT OR Apache-2.0"]) == "MIT OR Apache-2.0"
    assert spdx(join_licences(["MIT OR Apache-2.0", "LicenseRef-mine"]))
