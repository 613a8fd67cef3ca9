"""Blobs: whole or not there, verified on read, mended by storing again."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.flows.store.blob_folder import BlobFolder, write_durably
from memassay.flows.store.file_locks import lock_file
from memassay.schemas.errors import BlobError
from memassay.schemas.hashing import sha256


@given(st.binary(max_size=200))
def test_what_is_put_is_got(tmp_path: Path, data: bytes) -> None:
    """Any bytes come back by their hash, however often they are stored."""
    blobs = BlobFolder(tmp_path / "blobs")
    assert blobs.put(data) == blobs.put(data) == sha256(data)
    assert blobs.get(sha256(data)) == data
    assert sha256(data) in blobs


def test_nothing_but_blobs_is_left_in_the_folder(tmp_path: Path) -> None:
    """No temporary file survives a put."""
    blobs = BlobFolder(tmp_path)
    digest = blobs.put(b"x")
    files = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()]
    assert files == [f"{digest[:2]}/{digest}"]


def test_a_missing_blob_is_named(tmp_path: Path) -> None:
    """The message names the hash and what to do."""
    with pytest.raises(BlobError, match=r"blob 0{64}: expected a file .*run again"):
        BlobFolder(tmp_path).get("0" * 64)


@pytest.mark.parametrize("damage", [b"", b"other", b"x"], ids=["empty", "other", "one byte"])
def test_a_damaged_blob_is_never_handed_out(tmp_path: Path, damage: bytes) -> None:
    """Bytes that no longer match their hash are an error that names the file."""
    blobs = BlobFolder(tmp_path)
    digest = blobs.put(b"the bytes")
    blobs.path(digest).write_bytes(damage)
    with pytest.raises(BlobError, match=f"blob {digest}: expected bytes of this hash.*run again"):
        blobs.get(digest)


def test_storing_again_mends_a_damaged_blob(tmp_path: Path) -> None:
    """An import that brings the right bytes replaces the wrong ones."""
    blobs = BlobFolder(tmp_path)
    digest = blobs.put(b"the bytes")
    blobs.path(digest).write_bytes(b"the b")
    assert blobs.put(b"the bytes") == digest
    assert blobs.get(digest) == b"the bytes"


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full: the file is what it was, and no half of the new one stays."""
    path = tmp_path / "file"
    write_durably(path, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_durably(path, b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert path.read_bytes() == b"old"


def test_leftovers_of_the_dead_are_cleared_and_those_of_the_living_kept(tmp_path: Path) -> None:
    """A half-written file goes with the next run, unless another run is writing it."""
    blobs = BlobFolder(tmp_path)
    blobs.put(b"x")
    dead, alive = (tmp_path / "partial" / name for name in (".dead.tmp", ".alive.tmp"))
    dead.write_bytes(b"half")
    lock = lock_file(alive)
    blobs.clear_leftovers()
    assert [path.name for path in (tmp_path / "partial").iterdir()] == [".alive.tmp"]
    lock.release()
