"""One conversation in a foreign layout: what a release and an export write of it."""

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from memassay.exports.release.layout import content_hash_of_file, unfit_document
from memassay.exports.release.text_lines import indented_json, portable_json
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat, StrictFormat
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.layouts import Named, Unfit, Written
from memassay.schemas.records.bundle import Bundle


@dataclass(frozen=True)
class Text:
    """A file of one conversation.

    Attributes:
        text: What is in it.
        content_sha256: Hash of what that says.
    """

    text: str
    content_sha256: str


@dataclass(frozen=True)
class Copy:
    """A file that has the bytes of an asset.

    Attributes:
        asset: Id of the asset.
        sha256: Hash of the bytes.
        size: Their number.
        content_sha256: Hash of what they show.
    """

    asset: str
    sha256: str
    size: int
    content_sha256: str


@dataclass(frozen=True)
class Item:
    """An item of a list that conversations share.

    Attributes:
        text: JSON, indented.
        name: The name by which upstream finds it, if it does.
        second: What is reported if one of that name is there already.
    """

    text: str
    name: str | None = None
    second: Unfit | None = None


@dataclass(frozen=True)
class LayoutPart:
    """A conversation in a foreign layout; paths are below its folder of the layout.

    Attributes:
        texts: Files of its own, by path.
        items: What it adds to the lists that conversations share, by path.
        copies: Images and documents, by path.
        lost: Questions that are left out, in natural order of their ids.
        unfit: What else of it has no place.
    """

    texts: Mapping[str, Text] = field(default_factory=dict)
    items: Mapping[str, list[Item]] = field(default_factory=dict)
    copies: Mapping[str, Copy] = field(default_factory=dict)
    lost: list[Unfit] = field(default_factory=list)
    unfit: list[Unfit] = field(default_factory=list)


def lay_out(form: ForeignFormat, bundle: Bundle, blobs: BlobStore) -> tuple[Bundle, LayoutPart]:
    """A conversation in a layout, and what of it is there.

    Where the layout has a strict reader, only questions that it can read and answer are written.

    Raises:
        BlobError: The bytes of a present asset are missing or changed.
    """
    if not isinstance(form, StrictFormat):
        return bundle, _part(form.write(bundle), blobs)
    lost: list[Unfit] = []
    while True:
        written = form.export(bundle)
        found = _unanswerable(form, bundle, written, blobs)
        if not found:
            break
        lost += found
        out = {each.record for each in found}
        left = [item for item in bundle.questions if item.id not in out]
        bundle = bundle.model_copy(update={"questions": left})
    return bundle, _part(written, blobs, sorted(lost, key=lambda each: natural_key(each.record)))


def lay_out_whole(form: ForeignFormat, bundle: Bundle, blobs: BlobStore) -> LayoutPart:
    """The same as layouts were written at first: every question, answerable there or not."""
    part = _part(form.write(bundle), blobs)
    items = {path: [Item(one.text) for one in own] for path, own in part.items.items()}
    return replace(part, items=items)


def _unanswerable(
    form: StrictFormat, bundle: Bundle, written: Written, blobs: BlobStore
) -> list[Unfit]:
    """What the strict reader says of the conversation, alone in a folder."""
    with tempfile.TemporaryDirectory(prefix="memassay-") as name:
        folder = Path(name)
        for path, text in written.texts.items():
            _write(folder / path, text.encode("utf-8"))
        for path, items in written.items.items():
            plain = [one.item if isinstance(one, Named) else one for one in items]
            _write(folder / path, indented_json(plain).encode("utf-8"))
        for path, asset in written.files:
            if not (folder / path).exists():
                _write(folder / path, blobs.get(asset.blob_sha256 or ""))
        return form.unanswerable(bundle, folder)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _part(written: Written, blobs: BlobStore, lost: Iterable[Unfit] = ()) -> LayoutPart:
    unfit = list(written.unfit)
    copies: dict[str, Copy] = {}
    for path, asset in written.files:
        sha256 = asset.blob_sha256 or ""
        if path not in copies:
            data = blobs.get(sha256)
            content = content_hash_of_file(path, data)
            copies[path] = Copy(asset.id, sha256, len(data), content)
        elif copies[path].sha256 != sha256:
            unfit.append(taken_path(asset.id, path))
    return LayoutPart(
        texts={
            path: Text(text, content_hash_of_file(path, text.encode("utf-8")))
            for path, text in written.texts.items()
        },
        items={path: list(map(_item, items)) for path, items in written.items.items()},
        copies=copies,
        lost=list(lost),
        unfit=unfit,
    )


def _item(given: Any) -> Item:
    if isinstance(given, Named):
        return Item(indented_json(given.item), given.name, given.second)
    return Item(indented_json(given))


def taken_path(asset: str, path: str) -> Unfit:
    """That an asset's bytes are left out, since another file has their path."""
    return Unfit(asset, "bytes", f"another file has the path {path}")


def unfit_line(unfit: Unfit) -> str:
    """An entry of the list of what has no place, as it is in its file."""
    return portable_json(unfit_document(unfit))
