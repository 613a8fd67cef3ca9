"""What audits did in a release, by kind of flaw: planted, found, repaired, left to people."""

from collections.abc import Iterable, Sequence
from typing import Final

from memassay.schemas.judgements.flaw import Flaw, FlawKind, Repair

HEADS: Final = ("flaw", "planted", "found", "by its own rule", "repaired", "in review", "missed")


def audit_rows(
    flaws: Sequence[Flaw], repairs: Iterable[Repair]
) -> list[dict[str, str | int | float | None]]:
    """One row a kind of flaw, then repairs of what nobody planted; none where nothing was done.

    A planted flaw is found when its part was flagged, by whatever rule; repaired when nothing
    flagged the part any more after it was made again; in review when something still did.
    """
    tries: dict[tuple[str, str], list[Repair]] = {}
    for repair in repairs:
        tries.setdefault((repair.stage, repair.target), []).append(repair)
    rows = [
        _row(str(kind), [tries.get(_part(flaw), []) for flaw in flaws if flaw.kind is kind])
        for kind in FlawKind
        if any(flaw.kind is kind for flaw in flaws)
    ]
    planted = {_part(flaw) for flaw in flaws}
    others = [own for part, own in sorted(tries.items()) if part not in planted]
    if others:
        rows.append({**_row("not planted", others), "planted": 0, "by its own rule": None})
    return rows


def _part(flaw: Flaw) -> tuple[str, str]:
    return flaw.stage, flaw.target


def _row(kind: str, tries: Sequence[Sequence[Repair]]) -> dict[str, str | int | float | None]:
    found = [own for own in tries if own]
    settled = sum(any(repair.settled for repair in own) for own in found)
    own_rule = sum(
        any(rule.partition(".")[2] == kind for repair in own for rule in repair.rules)
        for own in found
    )
    counts = (len(tries), len(found), own_rule, settled, len(found) - settled)
    return dict(zip(HEADS, (kind, *counts, len(tries) - len(found)), strict=True))
