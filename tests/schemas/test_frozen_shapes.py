"""The shape of a record changes only together with its version."""

import itertools

import pytest
from support.golden import shape_hash, shapes

from memassay.schemas.kinds import KINDS, SCHEMA_VERSION, version_of
from memassay.schemas.migrations import STEPS

VERSIONS = range(1, SCHEMA_VERSION + 1)


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
    hashes = [shapes(version).get(kind) for version in VERSIONS]
    same = list(itertools.takewhile(lambda each: each == hashes[-1], reversed(hashes)))
    assert version_of(kind) == SCHEMA_VERSION - len(same) + 1


@pytest.mark.parametrize("kind", KINDS)
def test_every_change_of_a_shape_has_its_migration(kind: str) -> None:
    """From each version of a kind to its next there is exactly one step."""
    known = [version for version in VERSIONS if kind in shapes(version)]
    changes = [
        before
        for before, after in itertools.pairwise(known)
        if shapes(before)[kind] != shapes(after)[kind]
    ]
    assert sorted(start for name, start in STEPS if name == kind) == changes
