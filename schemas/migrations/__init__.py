"""Record migrations: a document of an older shape becomes one of the current shape.

Each step raises the version of one kind by one. A step is added whenever `SCHEMA_VERSION` is
raised, together with a golden release of the version it starts from.
"""

from collections.abc import Callable
from typing import Any, Final

from memassay.schemas.base import SCHEMA_VERSION
from memassay.schemas.errors import MigrationError

Document = dict[str, Any]
STEPS: Final[dict[tuple[str, int], Callable[[Document], Document]]] = {}
"""By (kind, version it starts from); a kind without a step kept its shape."""


def migrate(kind: str, document: Any) -> Any:
    """The document in the current shape; what is no record at all is returned as it is.

    Raises:
        MigrationError: Its schema version is newer than ours, or no version at all.
    """
    if not isinstance(document, dict):
        return document
    version = document.get("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise MigrationError(
            f"{kind}.schema_version: expected a whole number from 1, got {version!r}"
        )
    if version > SCHEMA_VERSION:
        raise MigrationError(
            f"{kind}.schema_version: expected at most {SCHEMA_VERSION}, got {version}; "
            "install a newer memassay to read it"
        )
    for step in range(version, SCHEMA_VERSION):
        change = STEPS.get((kind, step))
        document = {**(change(document) if change else document), "schema_version": step + 1}
    return document
