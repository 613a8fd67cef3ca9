"""Which version the next release of a data set must have, from what it changes of the last one."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from packaging.version import InvalidVersion, Version

from memassay.flows.store.status import DraftChanges
from memassay.schemas.errors import UsageError


class Bump(StrEnum):
    """The part of a version that a change is due."""

    MAJOR = "major"
    MINOR = "minor"
    PATCH = "patch"


_PART: Final = {Bump.MAJOR: 0, Bump.MINOR: 1, Bump.PATCH: 2}


def tag_of(version: str) -> str:
    """The tag of a version, e.g. `v0.1.0`."""
    return f"v{version}"


def version_of(text: str) -> Version:
    """A version as three numbers.

    Raises:
        UsageError: It is none.
    """
    try:
        return Version(text)
    except InvalidVersion as error:
        raise UsageError(
            f"release.version: expected numbers such as 0.2.0, got {text!r}; correct the recipe"
        ) from error


def newest(tags: Iterable[str]) -> str | None:
    """The tag of the highest version; tags of another form are somebody else's."""
    versions: dict[Version, str] = {}
    for tag in tags:
        try:
            versions[Version(tag.removeprefix("v"))] = tag
        except InvalidVersion:
            continue
    return versions[max(versions)] if versions else None


def due(changes: DraftChanges) -> Bump:
    """Golds changed, or items gone without an erratum: major; a card: patch; all else: minor.

    Scores without an item that an erratum names can still be compared, `eval --errata` gives them.
    """
    if changes.gold or changes.removed > changes.withdrawn:
        return Bump.MAJOR
    asked = changes.added + changes.changed + changes.removed
    history = changes.conversations + changes.sessions + changes.rounds + changes.images
    return Bump.MINOR if asked + history else Bump.PATCH


def next_version(version: Version, bump: Bump) -> str:
    """The next version of a kind, e.g. 0.2.0 after 0.1.3 for a minor change."""
    numbers = [*version.release, 0, 0][:3]
    at = _PART[bump]
    return ".".join(map(str, [*numbers[:at], numbers[at] + 1, *[0] * (2 - at)]))
