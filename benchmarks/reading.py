"""Scores findings against what a reader found by hand: recall, and precision of every rule.

Run `python benchmarks/reading.py VERDICTS FINDINGS [FINDINGS ...] [--json] [--missed]`. VERDICTS is
a list of items, `{"conversation", "index", "verdict", "kind"}`: the place of an item in the list of
its conversation, from 0, and `right`, `doubtful` or `wrong`. FINDINGS are what `memassay validate
--json` printed, or `findings.jsonl` of a release. Only items with a verdict are looked at, and only
errors and warnings. An error is right on a wrong item, half right on a doubtful one; a warning is
right on both. Exit code 0 if recall and both precisions keep their bars, else 1.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

RECALL: Final = 0.80
ERROR_PRECISION: Final = 0.95
WARNING_PRECISION: Final = 0.70

_WORTH: Final = {
    "error": {"wrong": 1.0, "doubtful": 0.5, "right": 0.0},
    "warning": {"wrong": 1.0, "doubtful": 1.0, "right": 0.0},
}


class Verdict(NamedTuple):
    """What a reader said of an item."""

    verdict: str
    kind: str


class Score(NamedTuple):
    """Items that were marked, and how far that was right.

    Attributes:
        marked: Number of items.
        worth: What of it was right, from 0 to `marked`.
        false: Items that are right, by id.
    """

    marked: int
    worth: float
    false: tuple[str, ...]

    @property
    def precision(self) -> float:
        """Share of the marks that is right; 1 if nothing was marked."""
        return self.worth / self.marked if self.marked else 1.0


Verdicts = Mapping[str, Verdict]
Marks = dict[tuple[str, str], set[str]]
"""Ids of items by rule and severity."""


def read_verdicts(rows: Iterable[Mapping[str, Any]]) -> dict[str, Verdict]:
    """Verdicts by the id that our importers give an item."""
    return {
        f"{row['conversation']}/Q{int(row['index']) + 1:04d}": Verdict(
            str(row["verdict"]), str(row.get("kind") or "")
        )
        for row in rows
    }


def read_findings(path: Path) -> Iterator[Mapping[str, Any]]:
    """Findings of a document of `validate --json`, or of a file with one in each line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".jsonl":
        yield from (json.loads(line) for line in text.splitlines() if line)
    else:
        yield from json.loads(text)["findings"]


def marks(findings: Iterable[Mapping[str, Any]], verdicts: Verdicts) -> Marks:
    """What each rule marked among the items that were read."""
    found: Marks = defaultdict(set)
    for each in findings:
        if each["target"] in verdicts and each["severity"] in _WORTH:
            found[each["rule"], each["severity"]].add(each["target"])
    return found


def score(items: Collection[str], severity: str, verdicts: Verdicts) -> Score:
    """How right it is to mark some items with a severity."""
    worth = sum(_WORTH[severity][verdicts[item].verdict] for item in items)
    false = tuple(sorted(item for item in items if verdicts[item].verdict == "right"))
    return Score(len(items), worth, false)


def recall(marked: Collection[str], verdicts: Verdicts) -> dict[str, tuple[int, int]]:
    """Wrong items found, and all of them, by kind; under the empty kind those of all kinds."""
    counts: dict[str, tuple[int, int]] = {"": (0, 0)}
    for item, read in verdicts.items():
        if read.verdict == "wrong":
            for kind in {"", read.kind}:
                hits, of = counts.get(kind, (0, 0))
                counts[kind] = (hits + (item in marked), of + 1)
    return counts


def by_severity(found: Marks, severity: str) -> set[str]:
    """Items that any rule marked with a severity."""
    return set().union(*(items for (_, grade), items in found.items() if grade == severity))


def report(verdicts: Verdicts, found: Marks) -> dict[str, Any]:
    """Everything that is printed, as one document."""
    errors, warnings = by_severity(found, "error"), by_severity(found, "warning")
    scores = {
        "errors": score(errors, "error", verdicts),
        "warnings": score(warnings - errors, "warning", verdicts),
    }
    kinds = recall(errors | warnings, verdicts)
    return {
        "items": len(verdicts),
        "recall": _share(*kinds.pop("")),
        "kinds": {kind: _share(*kinds[kind]) for kind in sorted(kinds)},
        **{name: _document(each) for name, each in scores.items()},
        "rules": {
            f"{rule} ({severity})": _document(score(items, severity, verdicts))
            for (rule, severity), items in sorted(found.items())
        },
        "missed": sorted(
            item
            for item, read in verdicts.items()
            if read.verdict == "wrong" and item not in errors | warnings
        ),
    }


def _share(hits: int, of: int) -> dict[str, float]:
    return {"found": hits, "of": of, "share": round(hits / of, 3) if of else 1.0}


def _document(each: Score) -> dict[str, Any]:
    return {
        "marked": each.marked,
        "right": each.worth,
        "precision": round(each.precision, 3),
        "false": list(each.false),
    }


def passes(measured: Mapping[str, Any]) -> bool:
    """Whether recall and both precisions keep their bars."""
    return bool(
        measured["recall"]["share"] >= RECALL
        and measured["errors"]["precision"] >= ERROR_PRECISION
        and measured["warnings"]["precision"] >= WARNING_PRECISION
    )


def _lines(measured: Mapping[str, Any], *, missed: bool) -> Iterator[str]:
    total = measured["recall"]
    yield f"recall    {total['found']:>3} of {total['of']:>3}   {total['share']:.3f}"
    for kind, each in measured["kinds"].items():
        yield f"  {kind:<32} {each['found']:>3} of {each['of']:>3}   {each['share']:.3f}"
    rows = {name: measured[name] for name in ("errors", "warnings")} | measured["rules"]
    yield f"{'precision':<44} {'right':>6} {'of':>4}"
    for name, each in rows.items():
        figures = f"{each['right']:>6} {each['marked']:>4}   {each['precision']:.3f}"
        yield f"  {name:<42} {figures} {' '.join(each['false'])}".rstrip()
    if missed:
        yield from ("missed", *(f"  {item}" for item in measured["missed"]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("verdicts", type=Path)
    parser.add_argument("findings", type=Path, nargs="+")
    parser.add_argument("--json", action="store_true", help="print one document")
    parser.add_argument("--missed", action="store_true", help="name wrong items that are not found")
    given = parser.parse_args(arguments)
    verdicts = read_verdicts(json.loads(given.verdicts.read_text(encoding="utf-8")))
    found = marks((each for path in given.findings for each in read_findings(path)), verdicts)
    measured = report(verdicts, found)
    if given.json:
        text = json.dumps(measured, ensure_ascii=False, indent=2)
    else:
        text = "\n".join(_lines(measured, missed=given.missed))
    sys.stdout.write(text + "\n")
    return 0 if passes(measured) else 1


if __name__ == "__main__":
    sys.exit(main())
