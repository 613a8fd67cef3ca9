"""The small tables of a manifest and of the card, counted from the records."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memassay.exports.release.layout import LOGS
from memassay.exports.release.rows import CONFIGS
from memassay.schemas.base import Record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, FlawKind, Repair
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.question import QAItem

TALLIES = ("questions_by_type", "verdicts", "findings", "held_out")
"""Fields of a manifest that count records by something other than their kind."""

AUDIT_HEADS: Final = (
    "flaw",
    "planted",
    "found",
    "by its own rule",
    "repaired",
    "in review",
    "missed",
)
"""Columns of the table of what audits did, by kind of flaw."""


class Tally:
    """Counts records one by one; flaws and repairs are kept, for the table of audits.

    Attributes:
        kinds: Records by kind.
    """

    def __init__(self) -> None:
        """Begin with none."""
        self.kinds: Counter[str] = Counter()
        self._fields: dict[str, Counter[str]] = {name: Counter() for name in TALLIES}
        self._flaws: list[Flaw] = []
        self._repairs: list[Repair] = []

    def add(self, record: Record) -> None:
        """Count a record."""
        self.kinds[kind_of(record)] += 1
        if isinstance(record, QAItem):
            self.add_questions({record.type.value: 1})
        elif isinstance(record, Certificate):
            self._fields["verdicts"][record.verdict.value] += 1
        elif isinstance(record, Finding):
            self._fields["findings"][record.rule] += 1
        elif isinstance(record, HeldOut):
            self._fields["held_out"][record.status] += 1
        elif isinstance(record, Flaw):
            self._flaws.append(record)
        elif isinstance(record, Repair):
            self._repairs.append(record)

    def merge(self, other: "Tally") -> None:
        """Count what another one counted."""
        self.kinds.update(other.kinds)
        for name, found in other._fields.items():
            self._fields[name].update(found)
        self._flaws += other._flaws
        self._repairs += other._repairs

    def add_questions(self, types: Mapping[str, int]) -> None:
        """Count questions, which are counted as records already, by their type."""
        self._fields["questions_by_type"].update(types)

    def counts(self, logs: Iterable[str]) -> dict[str, int]:
        """Records by kind, as tables and logs hold them; zero where there are none.

        Args:
            logs: Stems of the logs that the release has.
        """
        kinds = [kind for kinds in CONFIGS.values() for kind in kinds]
        return {kind: self.kinds[kind] for kind in (*kinds, *(LOGS[stem] for stem in logs))}

    def fields(self) -> dict[str, dict[str, int]]:
        """Questions by type, certificates by verdict, findings by rule, held out by status.

        What does not occur is left out; names are in alphabetical order.
        """
        return {name: dict(sorted(found.items())) for name, found in self._fields.items()}

    def audits(self) -> list[dict[str, str | int | float | None]]:
        """What audits found in the making, as `audit_rows` gives it."""
        return audit_rows(self._flaws, self._repairs)


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
        _audit_row(str(kind), [tries.get(_part(flaw), []) for flaw in flaws if flaw.kind is kind])
        for kind in FlawKind
        if any(flaw.kind is kind for flaw in flaws)
    ]
    planted = {_part(flaw) for flaw in flaws}
    others = [own for part, own in sorted(tries.items()) if part not in planted]
    if others:
        rows.append({**_audit_row("not planted", others), "planted": 0, "by its own rule": None})
    return rows


def _part(flaw: Flaw) -> tuple[str, str]:
    return flaw.stage, flaw.target


def _audit_row(kind: str, tries: Sequence[Sequence[Repair]]) -> dict[str, str | int | float | None]:
    found = [own for own in tries if own]
    settled = sum(any(repair.settled for repair in own) for own in found)
    own_rule = sum(
        any(rule.partition(".")[2] == kind for repair in own for rule in repair.rules)
        for own in found
    )
    counts = (len(tries), len(found), own_rule, settled, len(found) - settled)
    return dict(zip(AUDIT_HEADS, (kind, *counts, len(tries) - len(found)), strict=True))
