"""Findings scored against verdicts of a reader."""

import json
from pathlib import Path

import pytest
from reading import main, marks, read_verdicts, report

VERDICTS = [
    {"conversation": "conv-1", "index": 0, "verdict": "wrong", "kind": "wrong_person"},
    {"conversation": "conv-1", "index": 1, "verdict": "wrong", "kind": "ambiguous"},
    {"conversation": "conv-1", "index": 2, "verdict": "doubtful", "kind": "ambiguous"},
    {"conversation": "conv-1", "index": 3, "verdict": "right", "kind": ""},
]


def finding(rule: str, severity: str, target: str) -> dict[str, str]:
    """What the scorer reads of a finding."""
    return {"rule": rule, "severity": severity, "target": target}


FINDINGS = [
    finding("speakers.mistaken", "error", "conv-1/Q0001"),
    finding("speakers.mistaken", "error", "conv-1/Q0003"),
    finding("evidence.elsewhere", "warning", "conv-1/Q0003"),
    finding("evidence.elsewhere", "warning", "conv-1/Q0004"),
    finding("evidence.elsewhere", "warning", "conv-1/Q0004"),
    finding("import.hint", "info", "conv-1/Q0002"),
    finding("speakers.mistaken", "error", "conv-2/Q0001"),
]


def test_recall_counts_wrong_items_by_kind() -> None:
    """One of two wrong items was marked; a hint of severity info marks nothing."""
    verdicts = read_verdicts(VERDICTS)
    measured = report(verdicts, marks(FINDINGS, verdicts))
    assert measured["recall"] == {"found": 1, "of": 2, "share": 0.5}
    assert measured["kinds"]["ambiguous"]["found"] == 0
    assert measured["missed"] == ["conv-1/Q0002"]


def test_a_doubtful_item_is_half_an_error_and_a_whole_warning() -> None:
    """Each rule is scored by the items it marked; an item that nobody read counts nowhere."""
    verdicts = read_verdicts(VERDICTS)
    measured = report(verdicts, marks(FINDINGS, verdicts))
    rules = measured["rules"]
    assert rules["speakers.mistaken (error)"]["precision"] == 0.75
    assert rules["evidence.elsewhere (warning)"]["precision"] == 0.5
    assert rules["evidence.elsewhere (warning)"]["false"] == ["conv-1/Q0004"]
    assert (measured["errors"]["marked"], measured["warnings"]["marked"]) == (2, 1)


def test_the_command_fails_below_its_bars(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It prints every rule, names what was missed on request, and gives exit code 1."""
    verdicts, findings = tmp_path / "verdicts.json", tmp_path / "findings.jsonl"
    verdicts.write_text(json.dumps(VERDICTS), encoding="utf-8")
    findings.write_text("\n".join(map(json.dumps, FINDINGS)), encoding="utf-8")
    assert main([str(verdicts), str(findings), "--missed"]) == 1
    printed = capsys.readouterr().out
    assert "speakers.mistaken (error)" in printed
    assert printed.endswith("missed\n  conv-1/Q0002\n")


def test_the_command_passes_at_its_bars(tmp_path: Path) -> None:
    """A document of `validate --json` that marks every wrong item and no other is good enough."""
    verdicts, findings = tmp_path / "verdicts.json", tmp_path / "findings.json"
    verdicts.write_text(json.dumps(VERDICTS), encoding="utf-8")
    found = [finding("speakers.mistaken", "error", f"conv-1/Q000{at}") for at in (1, 2)]
    findings.write_text(json.dumps({"findings": found}), encoding="utf-8")
    assert main([str(verdicts), str(findings)]) == 0
