"""Two releases compared: what was added, what was removed, and what says something else."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from heapq import merge
from itertools import groupby, repeat
from typing import Annotated, Literal

from pydantic import Field

from memassay.exports.differences.entries import (
    Aspect,
    Entry,
    Key,
    bundle_entries,
    log_entries,
    manifest_entries,
)
from memassay.exports.release.reader import Release
from memassay.schemas.base import Shape
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.erratum import ErratumFix
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.bundle import Bundle

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
    found = _in_order(_differences(before, after))
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


def _in_order(found: Iterable[Difference]) -> list[Difference]:
    order = {aspect: at for at, aspect in enumerate(Aspect)}
    return sorted(found, key=lambda one: (order[one.aspect], one.change, natural_key(one.id)))


def _differences(before: Release, after: Release) -> Iterator[Difference]:
    """All differences in no order, conversation by conversation."""
    yield from _compare(manifest_entries(before.manifest), manifest_entries(after.manifest))
    # Verdicts, which are in a log, come and go with their items.
    items: tuple[set[Key], set[Key]] = (set(), set())
    for old, new in _pairs(before.bundles(), after.bundles()):
        for own, bundle in zip(items, (old, new), strict=True):
            own |= {(Aspect.ITEM, item.id) for item in bundle.questions} if bundle else set()
        if old != new:
            was, now = (bundle_entries(one) if one else () for one in (old, new))
            yield from _compare(was, now)
    yield from _compare(log_entries(before), log_entries(after), *items)


def _pairs(
    before: Iterable[Bundle], after: Iterable[Bundle]
) -> Iterator[tuple[Bundle | None, Bundle | None]]:
    """Conversations of two releases by id, in natural order; None where a side has none."""
    sides = (zip(repeat(side), own) for side, own in enumerate((before, after)))
    together = merge(*sides, key=lambda one: natural_key(one[1].id))
    for _, group in groupby(together, key=lambda one: one[1].id):
        found = dict(group)
        yield found.get(0), found.get(1)


def _compare(
    before: Iterable[Entry],
    after: Iterable[Entry],
    had: Collection[Key] = (),
    has: Collection[Key] = (),
) -> Iterator[Difference]:
    """What differs between two lists of entries.

    Args:
        before: Those of the older release.
        after: Those of the newer one.
        had: What the older release has besides that entries can be a part of.
        has: What the newer one has.
    """
    old, new = ({one.key: one for one in side} for side in (before, after))
    for key in old.keys() | new.keys():
        was, now = old.get(key), new.get(key)
        if was is not None and now is not None:
            if was.sha256 != now.sha256:
                yield _difference(key, "changed", was, now)
        elif was is not None:
            if was.within is None or was.within in new or was.within in has:
                yield _difference(key, "removed", was, None)
        elif now is not None and (now.within is None or now.within in old or now.within in had):
            yield _difference(key, "added", None, now)


def _difference(key: Key, change: Change, before: Entry | None, after: Entry | None) -> Difference:
    return Difference(
        aspect=key[0],
        id=key[1],
        change=change,
        before=before.words if before else None,
        after=after.words if after else None,
    )
