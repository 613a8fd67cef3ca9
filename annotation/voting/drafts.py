"""Drafts: what reviewers have written and not submitted; no page goes over another's unseen.

A draft is saved by a page, which sends its ticket and the revision of the draft that it shows. One
that another page of the same reviewer has saved since is not replaced: `DraftChanged` gives it, so
that the page can ask which of the two is to stay.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from memassay.annotation.voting import rows
from memassay.annotation.voting import statements as ask
from memassay.schemas.errors import UsageError

_OF_PAGE: Final = ("ticket", "seconds")
"""Fields of a draft that the page sends by itself."""
_BLIND: Final = "blind"
"""The answer that was given before the gold was shown; it stays whatever else is written."""


@dataclass(frozen=True)
class Draft:
    """What a reviewer has written about an item.

    Attributes:
        document: By field, what is in it; empty if there is no draft.
        revision: Of the words in it, the blind answer aside; empty if there are none.
    """

    document: dict[str, Any]
    revision: str


class DraftChanged(UsageError):
    """Another page of the same reviewer has saved a draft; `draft` is that one."""

    def __init__(self, item: str, draft: Draft) -> None:
        """Say of which item."""
        super().__init__(
            f"review item {item}: expected the draft that this page shows, got one that another "
            "page of yours has saved since; open the item again, or choose between the two"
        )
        self.draft = draft


def draft_of(connection: Connection, item: str, reviewer: str) -> Draft:
    """The draft of a reviewer."""
    return _draft(connection.execute(ask.DRAFT, rows.by(reviewer, item)).scalar())


def require_seen(item: str, current: Draft, document: Mapping[str, Any], seen: str | None) -> None:
    """See that who replaces a draft, or votes without it, knows it.

    Args:
        item: Id of the item.
        current: The draft that is kept.
        document: What would take its place.
        seen: Revision of the draft that the page shows; None for who has no page.

    Raises:
        DraftChanged: Another page has saved it since.
    """
    written = _filled_fields(current.document)
    # Nothing is lost of what is in both.
    known = seen in (None, current.revision) or written.items() <= document.items()
    own = document.get("ticket") and document["ticket"] == current.document.get("ticket")
    if current.revision and not known and not own:
        raise DraftChanged(item, current)


def keep_draft(
    connection: Connection,
    item: str,
    reviewer: str,
    document: Mapping[str, Any],
    *,
    seen: str | None,
    now: float,
) -> Draft:
    """Keep a draft in place of the one before.

    Args:
        connection: The transaction.
        item: Id of the item.
        reviewer: Whose draft it is.
        document: What is written.
        seen: Revision of the draft that the page shows; None to replace any.
        now: Seconds since 1970.

    Raises:
        DraftChanged: Another page has saved one since.
    """
    before = connection.execute(ask.DRAFT, rows.by(reviewer, item)).scalar()
    current = _draft(before)
    require_seen(item, current, document, seen)
    blind = {_BLIND: current.document[_BLIND]} if _BLIND in current.document else {}
    text = json.dumps({**blind, **document})
    row = {"item": item, "reviewer": reviewer, "document": text, "at": now, "of_before": before}
    keep = ask.keep_draft(connection.dialect.name)
    if connection.execute(keep, row).scalar() is None:
        # Of two at once on PostgreSQL, the second has waited for the first and finds another draft.
        return keep_draft(connection, item, reviewer, document, seen=seen, now=now)
    return _draft(text)


def _draft(text: str | None) -> Draft:
    document = {} if text is None else dict(json.loads(text))
    # By its words alone: a page that is closed sends its last draft once more.
    written = _filled_fields(document)
    if not written:
        return Draft(document, "")
    sorted_text = json.dumps(written, sort_keys=True)
    return Draft(document, hashlib.sha256(sorted_text.encode()).hexdigest()[:16])


def _filled_fields(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a person wrote, empty fields aside."""
    return {
        name: value
        for name, value in document.items()
        if value and name not in _OF_PAGE and name != _BLIND
    }
