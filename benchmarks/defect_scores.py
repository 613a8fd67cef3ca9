"""Counts which plants the findings of a copy name, and prints it by kind."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from defect_plants import Kind, Plant

Found = dict[str, Any]
_COUNTED: Final = ("error", "warning")
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:/-]*[A-Za-z0-9]")


@dataclass
class Score:
    """What was planted, and how each plant was found.

    Attributes:
        rows: For each plant the release, the copy, the plant, the severity of what found it (or
            None) and the rules that named it.
        alarms: Findings of clean releases that count, by release.
        failed: Copies that `validate` could not judge, with what it wrote.
    """

    rows: list[tuple[str, str, Plant, str | None, tuple[str, ...]]] = field(default_factory=list)
    alarms: dict[str, int] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def of(self, kind: str, severity: str | None) -> int:
        """Plants of a kind that were found as this."""
        return sum(1 for row in self.rows if row[2].kind == kind and row[3] == severity)

    def all_found(self) -> bool:
        """Whether no plant was missed."""
        return all(severity for _, _, _, severity, _ in self.rows)

    def document(self, kinds: Sequence[Kind]) -> Found:
        """All of it as JSON."""
        return {
            "kinds": [
                {
                    "kind": kind.name,
                    "family": kind.family,
                    "planted": sum(1 for row in self.rows if row[2].kind == kind.name),
                    "error": self.of(kind.name, "error"),
                    "warning": self.of(kind.name, "warning"),
                    "missed": self.of(kind.name, None),
                }
                for kind in kinds
            ],
            "plants": [
                {
                    "kind": plant.kind,
                    "release": release,
                    "copy": copy,
                    "ids": plant.ids,
                    "what": plant.what,
                    "found": severity,
                    "rules": rules,
                }
                for release, copy, plant, severity, rules in self.rows
            ],
            "clean": self.alarms,
            "failed": self.failed,
        }


def findings_of(folder: Path) -> Found:
    """What `memassay validate` says of a release."""
    command = [str(Path(sys.executable).parent / "memassay"), "validate", str(folder), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return dict(json.loads(done.stdout))
    except ValueError:
        return {"failed": f"exit code {done.returncode}: {done.stderr[-400:]}", "findings": []}


def count(
    planted: Mapping[Path, Mapping[Path, Sequence[Plant]]], found: Mapping[Path, Found]
) -> Score:
    """Which plants were found; nothing was if no findings are given."""
    score = Score()
    for release, copies in planted.items():
        clean = _counted(found.get(release, {}))
        score.alarms[release.name] = len(clean)
        known = {_key(one) for one in clean}
        for copy, plants in copies.items():
            answer = found.get(copy, {})
            if "failed" in answer:
                score.failed[copy.name] = answer["failed"]
            new = [one for one in _counted(answer) if _key(one) not in known]
            for plant in plants:
                naming = [one for one in new if names(one, plant)]
                severities = {one["severity"] for one in naming}
                severity = next((one for one in _COUNTED if one in severities), None)
                if "failed" in answer and len(plants) == 1:
                    severity = "error"
                rules = tuple(sorted({one["rule"] for one in naming}))
                score.rows.append((release.name, copy.name, plant, severity, rules))
    return score


def _counted(answer: Found) -> list[Found]:
    return [one for one in answer.get("findings", []) if one["severity"] in _COUNTED]


def _key(finding: Found) -> tuple[str, str, str]:
    """What makes a finding the same one as in the clean release."""
    place = ""
    if "/" not in finding["target"]:
        # The record of a conversation or a collection has many places.
        place = f"{finding.get('pointer')} {finding['message'].partition(':')[0]}"
    return finding["rule"], finding["target"], place


def names(finding: Found, plant: Plant) -> bool:
    """Whether a finding is about a plant."""
    target, pointer = finding["target"], finding.get("pointer") or ""
    if target in plant.ids:
        return True
    for record, place in plant.pointers:
        if target == record and (pointer == place or pointer.startswith(f"{place}/")):
            return True
    owners = {one.partition("/")[0] for one in plant.ids}
    if target in owners or "." in target.rpartition("/")[2]:
        named = set(_NAME.findall(finding["message"]))
        return bool(named & (set(plant.ids) | _short(plant, target)))
    return False


def _short(plant: Plant, target: str) -> set[str]:
    """Places of a plant as a finding about their conversation calls them."""
    return {one.partition("/")[2] for one in plant.ids if one.startswith(f"{target}/")}


def table(score: Score, kinds: Sequence[Kind]) -> str:
    """The counts by kind, the totals, the clean releases."""
    lines = [f"{'kind':44} {'planted':>7} {'error':>6} {'warn':>6} {'missed':>6}"]
    family = ""
    for kind in sorted(kinds, key=lambda kind: kind.family):
        if kind.family != family:
            family = kind.family
            lines.append(f"-- {family}")
        numbers = [score.of(kind.name, severity) for severity in ("error", "warning", None)]
        lines.append(
            f"{kind.name:44} {sum(numbers):7} {numbers[0]:6} {numbers[1]:6} {numbers[2]:6}"
        )
    lines += ["", _total(score)]
    for release, alarms in score.alarms.items():
        lines.append(f"clean {release}: {alarms} errors and warnings")
    lines += [f"not judged {copy}: {text}" for copy, text in score.failed.items()]
    return "\n".join(lines)


def _total(score: Score) -> str:
    found = sum(1 for row in score.rows if row[3])
    share = 100 * found / len(score.rows) if score.rows else 0.0
    return f"{found} of {len(score.rows)} found ({share:.1f} %)"
