"""The small tables of a manifest, counted from the records."""

from collections import Counter
from collections.abc import Iterable

from memassay.exports.release.layout import LOGS
from memassay.exports.release.rows import CONFIGS
from memassay.schemas.base import Record
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.question import QAItem

TALLIES = ("questions_by_type", "verdicts", "findings", "held_out")
"""Fields of a manifest that count records by something other than their kind."""


def counts_of(records: Iterable[Record], logs: Iterable[str]) -> dict[str, int]:
    """Records by kind, as tables and logs hold them; zero where there are none.

    Args:
        records: The records.
        logs: Stems of the logs that the release has.
    """
    counted = Counter(kind_of(record) for record in records)
    kinds = [kind for kinds in CONFIGS.values() for kind in kinds]
    return {kind: counted[kind] for kind in (*kinds, *(LOGS[stem] for stem in logs))}


def tallies(records: Iterable[Record]) -> dict[str, dict[str, int]]:
    """Questions by type, certificates by verdict, findings by rule, held-out records by status.

    What does not occur is left out; names are in alphabetical order.
    """
    counted: dict[str, Counter[str]] = {name: Counter() for name in TALLIES}
    for record in records:
        if isinstance(record, QAItem):
            counted["questions_by_type"][record.type.value] += 1
        elif isinstance(record, Certificate):
            counted["verdicts"][record.verdict.value] += 1
        elif isinstance(record, Finding):
            counted["findings"][record.rule] += 1
        elif isinstance(record, HeldOut):
            counted["held_out"][record.status] += 1
    return {name: dict(sorted(found.items())) for name, found in counted.items()}
