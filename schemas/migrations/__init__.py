"""Record migrations: a document of an older shape becomes one of the current shape.

A kind whose shape changes takes the next version of all shapes; versions in which it did not change
are left out of its count. Each change comes with a step here and with a golden release.
"""

from collections.abc import Callable
from typing import Any, Final

from memassay.schemas.errors import MigrationError
from memassay.schemas.kinds import version_of

Document = dict[str, Any]


def _fields_added(document: Document) -> Document:
    """Fields joined the shape, and each of them may be left out."""
    return document


def _provenance_of_units(document: Document) -> Document:
    """Provenance of one record becomes that of a unit which made one record.

    The shape had changed without a version: a document of version 1 may have either.
    """
    if "content_sha256" not in document or "made" in document:
        return document
    rest = {name: value for name, value in document.items() if name != "content_sha256"}
    return {**rest, "made": [document["content_sha256"]]}


def _checks_that_apply(document: Document) -> Document:
    """Rules that do not apply leave the list; one that could test nothing raised a doubt."""
    checks = document.get("checks")
    if not isinstance(checks, list):
        return document
    applying = [one for one in map(_with_doubt, checks) if one is not None]
    return {**document, "checks": applying}


def _with_doubt(check: Any) -> Any:
    """A check as version 3 writes it; None for a rule that does not apply."""
    if not isinstance(check, dict) or check.get("outcome") != "not_applicable":
        return check
    return {**check, "outcome": "doubtful"} if check.get("detail") else None


STEPS: Final[dict[tuple[str, int], Callable[[Document], Document]]] = {
    ("asset", 2): _fields_added,
    ("conversation", 1): _fields_added,
    ("fact", 1): _fields_added,
    ("question", 1): _fields_added,
    ("question", 2): _fields_added,
    ("provenance", 1): _provenance_of_units,
    ("certificate", 2): _checks_that_apply,
    ("decision", 2): _fields_added,
    ("event", 2): _fields_added,
}
"""By (kind, last version of the older shape): the document in the next shape of its kind."""


def migrate(kind: str, document: Any) -> Any:
    """The document in the current shape; what is no record at all is returned as it is.

    Raises:
        MigrationError: Its schema version is newer than ours, or no version at all.
    """
    if not isinstance(document, dict):
        return document
    current = version_of(kind)
    version = document.get("schema_version", current)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise MigrationError(
            f"{kind}.schema_version: expected a whole number from 1, got {version!r}"
        )
    if version > current:
        raise MigrationError(
            f"{kind}.schema_version: expected at most {current}, got {version}; "
            "install a newer memassay to read it"
        )
    if version == current:
        return document
    for step in sorted(last for name, last in STEPS if name == kind and last >= version):
        document = STEPS[kind, step](document)
    return {**document, "schema_version": current}
