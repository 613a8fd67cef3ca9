"""Foreign layouts on a disk, written conversation by conversation."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from memassay.exports.release.layout import UNFIT
from memassay.exports.release.parts.layout_part import (
    LayoutPart,
    lay_out,
    lay_out_whole,
    taken_path,
    unfit_line,
)
from memassay.exports.release.text_lines import strict_json
from memassay.schemas.contracts.protocols import BlobStore, ForeignFormat
from memassay.schemas.hashing import canonical_json, combined_hash, file_sha256, sha256
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.layouts import Arrangement, Unfit
from memassay.schemas.judgements.provenance import ReleaseFile
from memassay.schemas.records.bundle import Bundle


class _ListFile:
    """A JSON list that is written item by item, as `indented_json` writes it whole."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self._number = path, 0
        self._names: set[str] = set()
        self._file = path.open("w", encoding="utf-8", newline="\n")
        self._content = hashlib.sha256()

    def has(self, name: str) -> bool:
        """Whether an item of a name is there; after this, one is."""
        found = name in self._names
        self._names.add(name)
        return found

    def add(self, text: str, *, indent: bool) -> None:
        """Write an item, which is JSON on one line or, if it is to be indented, on several."""
        self._file.write(",\n" if self._number else "[\n")
        body = text.strip()
        self._file.write("  " + body.replace("\n", "\n  ") if indent else body)
        canonical = canonical_json(strict_json(text)).encode("utf-8", "surrogatepass")
        self._content.update(b"," if self._number else b"[")
        self._content.update(canonical)
        self._number += 1

    def close(self) -> str:
        """End the list; gives the content hash of the file."""
        self._file.write("\n]\n" if self._number else "[]\n")
        self._file.close()
        self._content.update(b"]" if self._number else b"[]")
        return combined_hash([self._content.hexdigest()])


class LayoutFiles:
    """Writes a layout below a folder.

    Attributes:
        lost: Questions that are left out so far.
        unfit: What else has no place, in the order of conversations.
    """

    def __init__(self, folder: Path, arrangement: Arrangement, blobs: BlobStore) -> None:
        """Take an empty folder."""
        self.lost: list[Unfit] = []
        self.unfit: list[Unfit] = []
        self._folder, self._arrangement, self._blobs = folder, arrangement, blobs
        self._files: dict[str, ReleaseFile] = {}
        self._lists = {path: _ListFile(folder / path) for path in arrangement.lists}

    def add(self, conversation: str, part: LayoutPart) -> list[str]:
        """Write a conversation; gives the questions that another one's take the place of.

        Raises:
            BlobError: The bytes of an asset are missing or changed.
        """
        below = self._arrangement.folders.get(conversation, "")
        before = f"{below}/" if below else ""
        for path, text in part.texts.items():
            data = text.text.encode("utf-8")
            self._write(before + path, data, sha256(data), text.content_sha256)
        second = list(self._add_items(part))
        self.lost += [*part.lost, *second]
        self.unfit += part.unfit
        for path, copy in part.copies.items():
            there = self._files.get(before + path)
            if there is None:
                data = self._blobs.get(copy.sha256)
                self._write(before + path, data, copy.sha256, copy.content_sha256)
            elif there.sha256 != copy.sha256:
                self.unfit.append(taken_path(copy.asset, before + path))
        return [one.record for one in second]

    def _add_items(self, part: LayoutPart) -> Iterator[Unfit]:
        for path, items in part.items.items():
            for item in items:
                if item.second is not None and self._lists[path].has(item.name or ""):
                    yield item.second
                else:
                    self._lists[path].add(item.text, indent=True)

    def _write(self, name: str, data: bytes, sha256: str, content_sha256: str) -> None:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self._files[name] = ReleaseFile(
            # As the file system has it: a URL in a path has one slash there.
            path=path.relative_to(self._folder).as_posix(),
            sha256=sha256,
            size=len(data),
            records=None,
            content_sha256=content_sha256,
        )

    def close(self) -> list[ReleaseFile]:
        """End the lists and write what has no place; gives the files, in order of their paths."""
        self.lost.sort(key=lambda each: natural_key(each.record))
        self.unfit += self._arrangement.unfit
        lists = {**self._lists, UNFIT: _ListFile(self._folder / UNFIT)}
        for each in (*self.lost, *self.unfit):
            lists[UNFIT].add(unfit_line(each), indent=False)
        for name, file in lists.items():
            content = file.close()
            self._files[name] = ReleaseFile(
                path=name,
                sha256=file_sha256(file.path),
                size=file.path.stat().st_size,
                records=None,
                content_sha256=content,
            )
        return [self._files[name] for name in sorted(self._files)]


def write_layout(
    form: ForeignFormat, bundles: Iterable[Bundle], ids: Sequence[str], blobs: BlobStore, to: Path
) -> tuple[list[str], list[Unfit]]:
    """Write a foreign layout and its list of what has no place in it.

    Args:
        form: The layout.
        bundles: What to write, in natural order of their ids; one at a time is looked at.
        ids: Their ids.
        blobs: The bytes of their assets.
        to: An empty folder.

    Returns:
        Ids of the questions that were written; and what has no place: questions that were left
        out, then parts of others.
    """
    files, kept = LayoutFiles(to, form.arrange(ids), blobs), list[str]()
    for bundle in bundles:
        written, part = lay_out(form, bundle, blobs)
        second = files.add(bundle.id, part)
        kept += [item.id for item in written.questions if item.id not in second]
    files.close()
    return kept, [*files.lost, *files.unfit]


def write_whole(
    form: ForeignFormat, bundles: Iterable[Bundle], ids: Sequence[str], blobs: BlobStore, to: Path
) -> tuple[list[str], list[Unfit]]:
    """The same as layouts were written at first: every question, answerable there or not."""
    files, kept = LayoutFiles(to, form.arrange(ids), blobs), list[str]()
    for bundle in bundles:
        kept += [item.id for item in bundle.questions]
        files.add(bundle.id, lay_out_whole(form, bundle, blobs))
    files.close()
    return kept, list(files.unfit)
