"""What keeps a release from being published, besides errors that its validation finds."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.exports.release.public.tables import TABLES, licence_of
from memassay.exports.release.reader import Release
from memassay.schemas.base import Record
from memassay.schemas.records.asset import Availability

_EMAIL: Final = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
UNSTATED: Final = frozenset({None, "", "NOASSERTION", "NONE", "LicenseRef-unstated"})
"""What an asset or a release says of its licence if nobody said anything."""


class Refusal(NamedTuple):
    """One thing that must not be published as it is."""

    where: str
    problem: str
    fix: str


def refusals(release: Release) -> Iterator[Refusal]:
    """Assets that nobody may pass on, and words that say who a reviewer is.

    Raises:
        RecordError: A record of the release does not fit its schema.
    """
    if not (release.folder / TABLES["default"]).is_dir():
        problem = "expected tables for systems under evaluation, got a release of before them"
        yield Refusal("release", problem, "run its recipe again with this memassay")
    if release.manifest.licence in UNSTATED:
        yield Refusal("release", "expected a licence, got none", "say it in `release.licence`")
    for bundle in release.bundles():
        for asset in bundle.assets:
            licence = licence_of(asset, bundle)
            if asset.availability is Availability.PRESENT and licence in UNSTATED:
                fix = "say `licence` of its source in the recipe, or leave the source out"
                yield Refusal(asset.id, f"expected a licence, got {licence}", fix)
    said: list[tuple[Record, tuple[str, ...]]] = [
        (one, ("reviewer", "comment")) for one in release.decisions()
    ]
    said += [(one, ("reporter", "problem", "decided_by", "comment")) for one in release.errata()]
    for record, names in said:
        for name in names:
            if _EMAIL.search(getattr(record, name)):
                fix = "give the person a pseudonym, or shorten the comment, and run again"
                yield Refusal(f"{record.id}.{name}", "expected no e-mail address, got one", fix)
