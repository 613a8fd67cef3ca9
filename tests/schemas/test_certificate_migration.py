"""Certificates of version 1, which listed rules that do not apply, as version 3 reads them."""

from typing import Any

from memassay.schemas.json_schemas import parse_record
from memassay.schemas.judgements.certificate import Certificate, Outcome
from memassay.schemas.migrations import migrate

NO_SHA: str = "0" * 64


def _old(*checks: tuple[str, str, str]) -> dict[str, Any]:
    """A certificate as version 1 wrote it."""
    return {
        "id": "talk/Q001.certificate",
        "schema_version": 1,
        "extras": {},
        "item": "talk/Q001",
        "item_sha256": NO_SHA,
        "checks": [
            {"rule": rule, "outcome": outcome, "detail": detail} for rule, outcome, detail in checks
        ],
        "probes": [],
        "verdict": "doubtful",
    }


def _read(document: dict[str, Any]) -> Certificate:
    record = parse_record("certificate", document)
    assert isinstance(record, Certificate)
    return record


def test_checks_that_do_not_apply_are_left_out() -> None:
    """The others stay as they were, and no rule set is named."""
    read = _read(_old(("a.a", "passed", ""), ("b.b", "not_applicable", ""), ("c.c", "failed", "x")))
    assert [(one.rule, one.outcome) for one in read.checks] == [
        ("a.a", Outcome.PASSED),
        ("c.c", Outcome.FAILED),
    ]
    assert read.rules_sha256 is None


def test_what_no_rule_could_test_stays_a_doubt() -> None:
    """Version 1 called it not applicable and said what it was."""
    (check,) = _read(_old(("tested.gold", "not_applicable", "got '9'"))).checks
    assert (check.outcome, check.detail) == (Outcome.DOUBTFUL, "got '9'")


def test_a_document_that_is_no_certificate_is_left_to_the_schema() -> None:
    """Nothing is guessed about checks of another shape."""
    odd = {"schema_version": 1, "checks": [3, {"outcome": "passed"}]}
    assert migrate("certificate", odd)["checks"] == odd["checks"]
    assert migrate("certificate", {"schema_version": 1, "checks": 3})["checks"] == 3
