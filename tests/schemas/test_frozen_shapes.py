"""The shape of a record changes only together with its version."""

import itertools

import pytest
from support.golden import shape_hash, shapes

from memassay.schemas.kinds import KINDS, SCHEMA_VERSION, version_of
from memassay.schemas.migrations import STEPS

VERSIONS = range(1, SCHEMA_VERSION + 1)
LATE = {("provenance", 2)}
"""Versions that name a shape which had come without one: version 1 was written with both."""
WIDER = {("conversation", 3)}
"""Shapes that allow more than before and keep their version, so that no content hash changes: the
path of a conversation is any name, no longer one of a list."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_is_that_of_its_version(kind: str) -> None:
    """A changed JSON Schema needs a raised version; descriptions may be improved freely."""
    assert shape_hash(kind) == shapes(SCHEMA_VERSION).get(kind), (
        f"the shape of {kind} is not that of version {SCHEMA_VERSION}; see CONTRIBUTING.md, "
        "'Add or change a record field'"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_the_version_of_a_kind_is_when_its_shape_last_changed(kind: str) -> None:
    """Neither a change without a new version nor a new version without a change."""
    assert version_of(kind) == max([first for first, _ in _changes(kind)])


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_shape_has_its_migration(kind: str) -> None:
    """From each version of a kind to its next there is exactly one step."""
    changes = [before for _, before in _changes(kind) if before is not None]
    assert sorted(start for name, start in STEPS if name == kind) == changes


def _changes(kind: str) -> list[tuple[int, int | None]]:
    """Versions that brought a shape of a kind, each with the last one of the shape before it."""
    known = [version for version in VERSIONS if kind in shapes(version)]
    pairs = itertools.pairwise([None, *known])
    return [
        (after, before)
        for before, after in pairs
        if after is not None
        and (kind, after) not in WIDER
        and (before is None or (kind, after) in LATE or shapes(before)[kind] != shapes(after)[kind])
    ]
