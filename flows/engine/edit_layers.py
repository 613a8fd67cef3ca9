"""Edits applied to records in the order in which people made them: one by one, or a set at once.

The edits of a set belong together: all of them are applied, or none is. Records that are not made
yet (only questions can be) follow when they are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from memassay.annotation.voting.edit_log import NOTHING
from memassay.schemas.errors import RecordError
from memassay.schemas.judgements.review import Edit, PatchStep

Key = tuple[str, str]
"""Kind and id of a record."""


def apply_patch(record: Any, patch: Iterable[PatchStep | Mapping[str, Any]]) -> Any:
    """A JSON document with a patch (RFC 6902) applied; the document stays as it is.

    Raises:
        RecordError: The patch does not apply.
    """
    import jsonpatch

    steps = [
        step.model_dump(mode="json", exclude_unset=True) if isinstance(step, PatchStep) else step
        for step in patch
    ]
    try:
        return jsonpatch.apply_patch(record, steps)
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException) as error:
        raise RecordError(f"patch: expected one that applies to the record: {error}") from error


class Sheet(Protocol):
    """Records in the states that edits so far have left them in."""

    def state(self, key: Key, *, before: bool = False) -> str:
        """Content hash of a record; that of `null` for one that is not there.

        Args:
            key: Kind and id of the record.
            before: Whether it may have been there before what edits are applied to now.
        """
        ...

    def lay(self, edit: Edit) -> None:
        """Put what an edit makes of its record in the record's place."""
        ...


def key_of(edit: Edit) -> Key:
    """Kind and id of the record that an edit is of."""
    return edit.kind, edit.target


def lay_in_order(edits: Sequence[Edit], sheet: Sheet) -> tuple[set[str], set[str]]:
    """Apply every edit that fits the state its record is in when its turn comes.

    Of several edits of one state by different people the last one holds.

    Args:
        edits: Edits that stand, oldest first; records that people wrote are none of them.
        sheet: What they are applied to.

    Returns:
        Ids of the edits that were applied, or gave way to a later one; names of the sets applied.
    """
    used: set[str] = set()
    sets: set[str] = set()
    last = {(key_of(edit), edit.base_sha256): edit.id for edit in edits if not edit.change_set}
    for group in _groups(edits):
        name, fitting = group[0].change_set, [one for one in group if _fits(one, sheet)]
        if name is not None:
            if not _holds(group, fitting, sheet):
                continue
            sets.add(name)
        for edit in fitting:
            used.add(edit.id)
            if name is not None or last[key_of(edit), edit.base_sha256] == edit.id:
                sheet.lay(edit)
    return used, sets


def _fits(edit: Edit, sheet: Sheet) -> bool:
    # What came before had its own edits applied already; only a set goes back to it.
    before = edit.change_set is not None and edit.kind != "conversation"
    return sheet.state(key_of(edit), before=before) == edit.base_sha256


def _holds(group: Sequence[Edit], fitting: Sequence[Edit], sheet: Sheet) -> bool:
    """Whether a set can be applied: its conversation is there, and all that is there fits."""
    return any(edit.kind == "conversation" for edit in fitting) and all(
        edit in fitting or (edit.kind == "question" and sheet.state(key_of(edit)) == NOTHING)
        for edit in group
    )


def _groups(edits: Iterable[Edit]) -> Iterator[list[Edit]]:
    """Sets and single edits, in the order of their first."""
    groups: dict[str, list[Edit]] = {}
    for at, edit in enumerate(edits):
        groups.setdefault(f"set {edit.change_set}" if edit.change_set else f"{at}", []).append(edit)
    yield from groups.values()
