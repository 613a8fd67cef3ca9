"""How hard the questions of a collection are, by type: what must be found, joined, told apart."""

from collections import defaultdict
from collections.abc import Sequence
from statistics import fmean

from memassay.schemas.contracts.figures import Cell, Figure
from memassay.schemas.ids import natural_key
from memassay.schemas.queries.hardness import Hardness, HardnessMeter
from memassay.schemas.records.bundle import Bundle

_ALL = "all"


class HardnessCounts:
    """The hardness of questions while their conversations pass by."""

    def __init__(self) -> None:
        """Count nothing yet."""
        self._found: defaultdict[str, list[Hardness]] = defaultdict(list)

    def add(self, bundle: Bundle) -> None:
        """Measure the questions of a conversation."""
        meter = HardnessMeter(bundle)
        for item in bundle.questions:
            self._found[item.benchmark_type].append(meter.measure(item))

    def figures(self) -> list[Figure]:
        """One row for each type and one for all; no table without questions."""
        if not self._found:
            return []
        rows = [_row(code, self._found[code]) for code in sorted(self._found, key=natural_key)]
        rows.append(_row(_ALL, [one for each in self._found.values() for one in each]))
        return [Figure("Hardness of the questions", rows)]


def _row(code: str, found: Sequence[Hardness]) -> dict[str, Cell]:
    distances = [one.evidence_distance for one in found if one.evidence_distance is not None]
    once = [one.said_once for one in found if one.said_once is not None]
    return {
        "code": code,
        "questions": len(found),
        "rounds needed": _mean([one.rounds_needed for one in found]),
        "two rounds or more": _mean([one.rounds_needed > 1 for one in found]),
        "sessions between": _mean(distances),
        "updated": _mean([one.updates > 0 for one in found]),
        "facts alike": _mean([one.likeness for one in found]),
        "in pixels only": _mean([one.visual_share for one in found]),
        "said once": _mean(once),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(fmean(values), 2) if values else None
