"""Migrations: old documents become current ones, newer ones are refused."""

from typing import Any

import pytest

from memassay.schemas import migrations
from memassay.schemas.errors import MigrationError, RecordError
from memassay.schemas.json_schemas import parse_record
from memassay.schemas.kinds import KINDS, version_of

FACT: dict[str, Any] = {
    "id": "a/F1",
    "subject": "rex",
    "attribute": "dose",
    "value": {"type": "number", "text": "12"},
}


def test_the_current_version_is_left_alone() -> None:
    """A document of our version, or of none, comes back as it is."""
    assert migrations.migrate("fact", FACT) is FACT
    current = {**FACT, "schema_version": version_of("fact")}
    assert migrations.migrate("fact", current) is current


def test_a_newer_version_is_refused() -> None:
    """A document of a later version says that a newer memassay is needed."""
    with pytest.raises(MigrationError, match="install a newer memassay"):
        parse_record("fact", {**FACT, "schema_version": version_of("fact") + 1})


@pytest.mark.parametrize("version", [True, False, 0, -1, "1", 1.0, None, [1]])
def test_what_is_no_version_is_refused(version: Any) -> None:
    """True is no version 1, and neither is a text or a fraction."""
    with pytest.raises(MigrationError, match="expected a whole number from 1"):
        parse_record("fact", {**FACT, "schema_version": version})


def test_a_refusal_is_a_record_error() -> None:
    """Callers catch one class for everything that is not the record it claims to be."""
    assert issubclass(MigrationError, RecordError)


def test_what_is_no_object_passes_through() -> None:
    """The schema, not the migration, says that a list is no record."""
    assert migrations.migrate("fact", [1]) == [1]


def test_registered_steps_are_applied_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step changes its kind only, whatever versions it left out, the given document stays."""
    monkeypatch.setattr(migrations, "version_of", lambda kind: 5 if kind == "fact" else 1)
    monkeypatch.setitem(
        migrations.STEPS, ("fact", 1), lambda old: {**old, "subject": old["subject"].title()}
    )
    monkeypatch.setitem(
        migrations.STEPS, ("fact", 3), lambda old: {**old, "attribute": old["subject"] + " dose"}
    )
    old = {**FACT, "schema_version": 1}
    migrated = migrations.migrate("fact", old)
    assert migrated["subject"] == "Rex"
    assert migrated["attribute"] == "Rex dose"
    assert migrated["schema_version"] == 5
    assert old["subject"] == "rex"
    assert migrations.migrate("fact", {**FACT, "schema_version": 4}) == {
        **FACT,
        "schema_version": 5,
    }
    other = {"id": "a/M1", "schema_version": 1}
    assert migrations.migrate("mention", other) == other


def test_every_registered_step_belongs_to_a_kind_and_a_past_version() -> None:
    """No step starts from a version that is not older than that of its kind."""
    assert all(kind in KINDS and 1 <= start < version_of(kind) for kind, start in migrations.STEPS)
