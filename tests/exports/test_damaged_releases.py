"""A release that was damaged since it was written: the next write makes it whole again."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.release_builder import content
from support.release_damage import repair_checksums, rewrite

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.check import check_release
from memassay.exports.release.layout import read_manifest
from memassay.exports.release.writer import write_release
from memassay.schemas.errors import UsageError

BRACKETS = b"[" * 100_000


def _one(folder: Path, pattern: str) -> Path:
    return next(iter(sorted(folder.glob(pattern))))


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a card that was changed": lambda folder: _one(folder, "README.md").write_text("changed"),
    "a manifest that is empty": lambda folder: _one(folder, "manifest.json").write_bytes(b""),
    "a manifest of brackets": lambda folder: _one(folder, "manifest.json").write_bytes(BRACKETS),
    "a manifest that is gone": lambda folder: _one(folder, "manifest.json").unlink(),
    "a manifest of other numbers": lambda folder: _rewrite(folder / "manifest.json"),
    "a table that is gone": lambda folder: _one(folder, "data/*/*.parquet").unlink(),
    "a byte of a table": lambda folder: _flip(_one(folder, "data/questions/*.parquet")),
}


def _rewrite(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    hashed = re.search(r'"content_sha256": ?"(.)', text)
    assert hashed is not None
    at = hashed.start(1)
    path.write_text(text[:at] + ("1" if text[at] == "0" else "0") + text[at + 1 :], "utf-8")


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_release_is_written_again(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It is the same release, byte for byte, and a line says what was wrong with it."""
    first = write_release(tmp_path / "release", content())
    whole = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    DAMAGES[damage](tmp_path / "release")
    assert write_release(tmp_path / "release", content()) == first
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == whole
    assert ["written again" in line for line in caplog.messages] == [True]


@pytest.mark.parametrize("read", [read_manifest, check_release])
def test_a_manifest_of_brackets_is_no_release(
    read: Callable[[Path], object], tmp_path: Path
) -> None:
    """Whoever reads it is told so in one line (exit 2)."""
    (tmp_path / "manifest.json").write_bytes(BRACKETS)
    with pytest.raises(UsageError, match="nested too deeply; fetch the release again") as caught:
        read(tmp_path)
    assert caught.value.exit_code == 2


def test_a_damaged_picture_is_one_finding_and_all_else_is_compared(tmp_path: Path) -> None:
    """A gold that was changed in a layout beside it is found too."""
    folder = tmp_path / "release"
    write_release(folder, content(foreign={"locomo": FORMATS["locomo"]}))
    assert check_release(folder, FORMATS).findings == []
    rewrite(folder, "images", _spoil_first)
    repair_checksums(folder)
    (damage,) = check_release(folder, FORMATS).findings
    assert damage.rule == "release.blob"
    layout = _one(folder, "formats/locomo/*.json")
    layout.write_text(layout.read_text("utf-8").replace('"Luna"', '"Atlantis"'), "utf-8")
    repair_checksums(folder)
    found = {one.rule for one in check_release(folder, FORMATS).findings}
    assert found == {"release.blob", "release.content_hash", "release.layout"}


def _spoil_first(rows: list[dict[str, Any]]) -> None:
    image = next(row["image"] for row in rows if row["image"])
    image["bytes"] = image["bytes"][:-1] + b"?"
