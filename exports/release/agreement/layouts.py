"""The foreign layouts of a release, written again from its records and compared.

What the writer gives is a function of the records, so that any difference is one: a gold, a text,
a place of evidence, an image, a file too many. Decoded content is compared, not bytes.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from memassay.exports.release import rules
from memassay.exports.release.agreement.identity import WRITER, writer
from memassay.exports.release.agreement.json_differences import ABSENT, Difference, differences
from memassay.exports.release.agreement.marked import mark_bundle, record_at
from memassay.exports.release.blobs import MarkedBlobs, digest_of, is_same
from memassay.exports.release.layout import (
    FORMATS,
    UNFIT,
    file_content_hash,
    layout_version,
)
from memassay.exports.release.parts.layout_files import write_layout, write_whole
from memassay.exports.release.text_lines import strict_json
from memassay.schemas.contracts.protocols import (
    BlobStore,
    ForeignFormat,
    ImportFormat,
    StrictFormat,
    Unfit,
)
from memassay.schemas.contracts.rules import Rule, pointer
from memassay.schemas.errors import MemassayError
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle

SHOWN: Final = 20
"""Differences of one file that are told one by one."""
_REPAIR: Final = "write the release again from its records"


def layouts_agree(
    release: Path,
    recipe: Mapping[str, Any],
    bundles: Sequence[Bundle],
    blobs: BlobStore,
    formats: Mapping[str, ImportFormat],
) -> Iterator[Finding]:
    """Findings about the layouts beside the tables.

    Args:
        release: The release.
        recipe: What its manifest says was asked for, layouts among it, and who wrote it.
        bundles: Its records.
        blobs: The bytes of its assets.
        formats: The layouts; one that cannot be written is not compared.
    """
    below = release / FORMATS
    there = [path.name for path in below.iterdir() if path.is_dir()] if below.is_dir() else []
    # Another version may have written a layout otherwise: its reader decides.
    rule = rules.LAYOUT if recipe.get(WRITER) in (None, writer()) else rules.LAYOUT_OF_ANOTHER
    for name in sorted({*there, *_asked_formats(recipe)} & set(formats)):
        form, version = formats[name], layout_version(recipe, name)
        if not isinstance(form, ForeignFormat):
            continue
        known = version in (1, form.version if isinstance(form, StrictFormat) else 1)
        with tempfile.TemporaryDirectory(prefix="memassay-") as folder:
            layout = _Layout(
                below / name,
                Path(folder),
                bundles,
                blobs,
                form,
                rule if known else rules.LAYOUT_OF_ANOTHER,
                write_whole if version == 1 else write_layout,
            )
            yield from layout.findings()


def _asked_formats(recipe: Mapping[str, Any]) -> list[str]:
    section = recipe.get("release")
    stated = section.get("formats") if isinstance(section, dict) else None
    return [str(name) for name in stated] if isinstance(stated, list) else []


class _Layout:
    """One layout as it is in the release, and as its records give it."""

    def __init__(
        self,
        folder: Path,
        scratch: Path,
        bundles: Sequence[Bundle],
        blobs: BlobStore,
        form: ForeignFormat,
        rule: Rule,
        write: Callable[..., tuple[list[str], list[Unfit]]],
    ) -> None:
        self.folder, self.scratch = folder, scratch
        self.bundles, self.form, self.rule = bundles, form, rule
        self._ids = [bundle.id for bundle in bundles]
        # What is lost is a finding already, and the rest is compared.
        self.blobs = MarkedBlobs(blobs)
        self.write = write
        self.kept: set[str] = set()

    def _kept_bundles(self) -> Iterator[Bundle]:
        """The conversations with the questions that the layout has, one in memory at a time."""
        return (_only(bundle, self.kept) for bundle in self.bundles)

    def findings(self) -> Iterator[Finding]:
        """What differs, file by file."""
        try:
            again = self._target("again")
            kept, _ = self.write(self.form, self.bundles, self._ids, self.blobs, again)
        except MemassayError as error:
            yield self._finding(UNFIT, None, "", "a layout of the records", f"got: {error}")
            return
        self.kept = {*kept}
        theirs, ours = _files(self.folder), _files(again)
        for name in sorted({*theirs, *ours}):
            if name not in ours:
                got = "got one more"
                yield self._finding(name, None, "", "no file that the records do not give", got)
            elif name not in theirs:
                record = self._record(name, None)
                yield self._finding(name, record, "", "a file that the records give", "got none")
            elif not _same_bytes(self.folder / name, again / name):
                yield from self._compare(name, again / name)

    def _target(self, name: str) -> Path:
        target = self.scratch / name / self.form.name
        target.mkdir(parents=True)
        return target

    @cached_property
    def _marked(self) -> Path:
        """The layout with the names of records in their texts; only made if needed."""
        # The questions that are left out are left out already; marks could let others fail.
        target = self._target("marked")
        marked = map(mark_bundle, self._kept_bundles())
        write_whole(self.form, marked, self._ids, self.blobs, target)
        return target

    def _compare(self, name: str, again: Path) -> Iterator[Finding]:
        if again.suffix != ".json":
            if file_content_hash(self.folder / name) != file_content_hash(again):
                record = self._record(name, again)
                yield self._finding(name, record, "", "its picture or document", "got another")
            return
        try:
            got = strict_json((self.folder / name).read_bytes())
        except ValueError:
            yield self._finding(name, None, "", "JSON", "got something else")
            return
        every = differences(strict_json(again.read_bytes()), got)
        for found in islice(every, SHOWN):
            record = self._record_at(name, found, got)
            where, said = pointer(*found.place), f"got {_short(found.got)}"
            yield self._finding(name, record, where, _short(found.expected), said)
        if more := sum(1 for _ in every):
            yield self._finding(name, None, "", "what the records say", f"got {more} other places")

    def _record_at(self, name: str, found: Difference, got: Any) -> str | None:
        """The record that is at a place: the one that is named there, or by its marks."""
        if name != UNFIT:
            return record_at(strict_json((self._marked / name).read_bytes()), found.place)
        again = strict_json((self.scratch / "again" / self.form.name / UNFIT).read_bytes())
        listed, at = (got if found.expected is ABSENT else again), next(iter(found.place), None)
        return str(listed[at]["record"]) if isinstance(at, int) else None

    def _record(self, name: str, file: Path | None) -> str | None:
        """The asset whose bytes a file has, or else None."""
        file = file or next(iter(self.scratch.glob(f"again/*/{name}")), None)
        if file is None:
            return None
        wanted = digest_of(file.read_bytes())
        assets = (asset for bundle in self._kept_bundles() for asset in bundle.assets)
        return next((asset.id for asset in assets if asset.blob_sha256 == wanted), None)

    def _finding(
        self, name: str, record: str | None, where: str, expected: str, got: str
    ) -> Finding:
        path = f"{FORMATS}/{self.form.name}/{name}"
        source = f" as {record} says" if record else ""
        place = f"{path} {where}" if where else path
        said = f"{place}: expected {expected}{source}, {got}"
        # What belongs to no question, turn or picture is about the file.
        inside = record if record and "/" in record else path
        return self.rule.finding(inside, where, said, _REPAIR)


def _only(bundle: Bundle, kept: set[str]) -> Bundle:
    """A conversation with some of its questions."""
    left = [item for item in bundle.questions if item.id in kept]
    return bundle.model_copy(update={"questions": left})


def _files(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix() for path in found}


def _same_bytes(one: Path, other: Path) -> bool:
    return is_same(one.read_bytes(), other.read_bytes())


def _short(value: Any) -> str:
    text = "nothing" if value is ABSENT else repr(value)
    return text if len(text) <= 160 else f"{text[:157]}..."
