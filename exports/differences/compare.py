"""Two releases compared: what was added, what was removed, and what says something else."""

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from memassay.exports.differences.entries import Aspect, Entry, Key, entries
from memassay.exports.release.reader import Release
from memassay.schemas.base import Shape
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.erratum import ErratumFix
from memassay.schemas.judgements.provenance import Manifest

Change = Literal["added", "removed", "changed"]


class Side(Shape):
    """One of the two releases."""

    name: str
    version: str
    content_sha256: str


class Difference(Shape):
    """One thing that differs."""

    aspect: Aspect
    id: Annotated[str, Field(description="Record id, or conversation and place: `alex/D1:2.1`.")]
    change: Change
    before: Annotated[str | None, Field(description="What it says; null if it was added.")]
    after: Annotated[str | None, Field(description="What it says; null if it was removed.")]


class ReleaseDiff(Shape):
    """All that differs between two releases.

    What came or went as a whole, a conversation or a session, is here once, without its parts;
    items stand here each for itself.
    """

    before: Side
    after: Side
    counts: Annotated[
        dict[Aspect, dict[Change, int]], Field(description="Differences by aspect and change.")
    ]
    differences: Annotated[list[Difference], Field(description="By aspect, change and id.")]
    withdrawn: Annotated[
        int,
        Field(description="Of the items removed, those that an erratum of the newer one names."),
    ] = 0

    def of(self, aspect: Aspect, change: Change) -> int:
        """How many there are of one kind."""
        return self.counts.get(aspect, {}).get(change, 0)

    def count_touched(self, *aspects: Aspect) -> int:
        """How many of some aspects were removed or changed."""
        return sum(self.of(one, "removed") + self.of(one, "changed") for one in aspects)


def compare(before: Release, after: Release) -> ReleaseDiff:
    """What differs between two releases.

    Raises:
        RecordError: A record does not fit its schema.
        ReleaseError: A file cannot be read.
    """
    found = list(_differences(entries(before), entries(after)))
    gone = {one.id for one in found if (one.aspect, one.change) == (Aspect.ITEM, "removed")}
    withdrawn = {one.item for one in after.errata() if one.fix is ErratumFix.WITHDRAWN}
    counts = Counter((one.aspect, one.change) for one in found)
    by_aspect: dict[Aspect, dict[Change, int]] = {}
    for (aspect, change), number in counts.items():
        by_aspect.setdefault(aspect, {})[change] = number
    return ReleaseDiff(
        before=_side(before.manifest),
        after=_side(after.manifest),
        counts=by_aspect,
        differences=found,
        withdrawn=len(gone & withdrawn),
    )


def _side(manifest: Manifest) -> Side:
    return Side(
        name=manifest.name, version=manifest.version, content_sha256=manifest.content_sha256
    )


def _differences(old: Mapping[Key, Entry], new: Mapping[Key, Entry]) -> list[Difference]:
    order = {aspect: at for at, aspect in enumerate(Aspect)}
    keys = sorted(old.keys() | new.keys(), key=lambda key: (order[key[0]], natural_key(key[1])))
    found = []
    for key in keys:
        before, after = old.get(key), new.get(key)
        if before is not None and after is not None:
            if before.sha256 != after.sha256:
                found.append(_difference(key, "changed", before, after))
        elif before is not None:
            if before.within is None or before.within in new:
                found.append(_difference(key, "removed", before, None))
        elif after is not None and (after.within is None or after.within in old):
            found.append(_difference(key, "added", None, after))
    return sorted(found, key=lambda one: (order[one.aspect], one.change))


def _difference(key: Key, change: Change, before: Entry | None, after: Entry | None) -> Difference:
    return Difference(
        aspect=key[0],
        id=key[1],
        change=change,
        before=before.words if before else None,
        after=after.words if after else None,
    )
