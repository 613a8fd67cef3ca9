"""Blobs and releases in an object store: verified, whole or absent, the manifest last."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem

from memassay.flows.store.places.objects import BlobObjects, ObjectStore, SharedReleases
from memassay.schemas.errors import BlobError, UsageError
from memassay.schemas.hashing import sha256


@pytest.fixture
def store() -> ObjectStore:
    """An empty place in a store that lives in memory."""
    return ObjectStore(f"memory://{uuid.uuid4().hex}/prefix")


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Something like a release: files, one of them a manifest."""
    folder = tmp_path / "demo-1"
    (folder / "data").mkdir(parents=True)
    for name in ("data/a.parquet", "manifest.json", "README.md"):
        (folder / name).write_text(name)
    return folder


def test_blobs_come_back_by_their_hash(store: ObjectStore) -> None:
    """As from a folder."""
    blobs = BlobObjects(store)
    digest = blobs.put(b"some bytes")
    assert digest == sha256(b"some bytes")
    assert blobs.get(digest) == b"some bytes"
    assert digest in blobs
    assert blobs.is_whole(digest)


def test_a_blob_that_is_missing_is_named(store: ObjectStore) -> None:
    """With the place where it was looked for."""
    blobs, digest = BlobObjects(store), sha256(b"never stored")
    assert digest not in blobs
    assert not blobs.is_whole(digest)
    with pytest.raises(BlobError, match=f"blob {digest}: expected it in memory://.*, got none"):
        blobs.get(digest)


def test_a_blob_that_is_damaged_is_mended(store: ObjectStore) -> None:
    """It is read by nobody, and stored again by whoever has it."""
    blobs = BlobObjects(store)
    digest = blobs.put(b"some bytes")
    store.write(f"blobs/{digest[:2]}/{digest}", b"some byte")
    assert not blobs.is_whole(digest)
    with pytest.raises(BlobError, match="expected bytes of this hash"):
        blobs.get(digest)
    blobs.put(b"some bytes")
    assert blobs.get(digest) == b"some bytes"


def test_a_release_comes_back_as_it_was(store: ObjectStore, release: Path, tmp_path: Path) -> None:
    """Every file of it, on any machine."""
    shared = SharedReleases(store)
    assert shared.names() == []
    assert shared.put(release) == f"{store.url}/releases/demo-1"
    assert shared.names() == ["demo-1"]
    shared.fetch("demo-1", tmp_path / "elsewhere")
    for path in release.rglob("*.*"):
        fetched = tmp_path / "elsewhere" / path.relative_to(release)
        assert fetched.read_bytes() == path.read_bytes()


def test_a_release_that_is_not_whole_is_none(
    store: ObjectStore, release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its manifest comes last; what was written before the end is not written again."""
    shared, written = SharedReleases(store), []
    pipe = MemoryFileSystem.pipe_file

    def end_early(files: MemoryFileSystem, path: str, *rest: Any, **more: Any) -> None:
        written.append(path.rpartition("/")[2])
        if path.endswith("manifest.json"):
            raise OSError("killed")
        pipe(files, path, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(MemoryFileSystem, "pipe_file", end_early)
        with pytest.raises(BlobError, match=r"manifest\.json: expected an object store.*killed"):
            shared.put(release)
    assert sorted(written[:-1]) == ["README.md", "a.parquet"]
    assert shared.names() == []
    with pytest.raises(BlobError, match="expected a release, got none"):
        shared.fetch("demo-1", tmp_path / "elsewhere")
    with monkeypatch.context() as patch:
        written.clear()
        patch.setattr(
            MemoryFileSystem,
            "pipe_file",
            lambda files, path, data: (written.append(path), pipe(files, path, data)),
        )
        shared.put(release)
    assert [path.rpartition("/")[2] for path in written] == ["manifest.json"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("gopher://ada:secret@host/x", "expected the URL of an object store such as s3://"),
        ("memory+x://ada:secret@host/x", "expected the URL of an object store such as s3://"),
    ],
)
def test_a_store_that_nobody_knows_is_refused_without_its_password(url: str, said: str) -> None:
    """In a line that says what is known."""
    with pytest.raises(UsageError, match=said) as raised:
        ObjectStore(url)
    assert "secret" not in str(raised.value)


def test_a_protocol_that_is_not_installed_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As every other extra is."""
    import fsspec.core

    def find(*_: object, **__: object) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", find)
    with pytest.raises(UsageError, match=r"s3://bucket: Install s3fs.*; install memassay\[s3\]"):
        ObjectStore("s3://bucket")
