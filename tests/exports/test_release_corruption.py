"""Every kind of damage to an exported release is found, however well it is covered up."""

import shutil
from pathlib import Path

import pytest
from support.release_builder import content
from support.release_cases import CASES, QUESTION, VALID, set_fields
from support.release_damage import edit_record, repair_checksums, repair_everything, rewrite

from memassay.exports.release.check import check_release
from memassay.exports.release.checking.spill import SpilledBundles
from memassay.exports.release.rules import RELEASE_RULES
from memassay.exports.release.writer import write_release
from memassay.flows.services.checks import validate_path
from memassay.flows.workers.pool import Pool
from memassay.schemas.judgements.finding import Finding, Severity


def validate(release: Path) -> list[Finding]:
    """What `memassay validate RELEASE` reports: release rules, then the ordinary ones."""
    return validate_path(release).findings


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release as it is written."""
    folder = tmp_path_factory.mktemp("intact") / "release"
    write_release(folder, content())
    return folder


@pytest.fixture
def release(intact: Path, tmp_path: Path) -> Path:
    """A copy of it to be damaged."""
    return shutil.copytree(intact, tmp_path / "release")


UNPROVEN = {"refusals.unproven"}
"""What is true of the release: its refusals have no query."""


def _errors(findings: list[Finding]) -> set[str]:
    found = {finding.rule for finding in findings if finding.severity is not Severity.INFO}
    return found - UNPROVEN


def _check(release: Path, expected: str) -> None:
    findings = validate(release)
    rules = _errors(findings)
    assert rules == set() if expected == VALID else expected in rules
    assert all(finding.message and finding.fix for finding in findings)


def test_an_intact_release_has_no_findings(release: Path) -> None:
    """Neither the release rules nor the ordinary ones object to what was written."""
    assert _errors(validate(release)) == set()


@pytest.mark.parametrize("name", CASES)
def test_damage_is_found(release: Path, name: str) -> None:
    """Damage that nobody covered up is found, and the rest of the release is still checked."""
    damage, expected, _, _ = CASES[name]
    damage(release)
    _check(release, expected)


@pytest.mark.slow(seconds=0.1)
@pytest.mark.parametrize("name", CASES)
def test_damage_under_repaired_checksums_is_found(release: Path, name: str) -> None:
    """With every file hash put right, a deeper rule finds the damage."""
    damage, _, expected, _ = CASES[name]
    damage(release)
    repair_checksums(release)
    _check(release, expected)


@pytest.mark.slow(seconds=0.1)
@pytest.mark.parametrize("name", CASES)
def test_damage_under_a_new_manifest_is_found(release: Path, name: str) -> None:
    """With counts, content hashes and certificates put right too, what is wrong is still wrong."""
    damage, _, _, expected = CASES[name]
    damage(release)
    repair_everything(release)
    _check(release, expected)


def test_images_of_a_damaged_release_are_still_measured(release: Path) -> None:
    """One finding does not hide what else is wrong with the pixels."""
    edit_record("assets", "alex/D1_IMG_001", set_fields(width=60))(release)
    (release / "README.md").unlink()
    assert {"release.file_present", "assets.pixels"} <= _errors(validate(release))


def test_what_is_readable_is_still_given(release: Path) -> None:
    """A broken question costs that question and nothing else."""
    edit_record("questions", QUESTION, set_fields(type="no such type"))(release)
    found = check_release(release)
    assert [len(bundle.questions) for bundle in found.bundles] == [3, 4]
    assert QUESTION in {finding.target for finding in found.findings}


def test_the_same_damage_gives_the_same_findings(release: Path) -> None:
    """Findings are in a stable order and each is said once."""
    for config in ("questions", "assets"):
        rewrite(release, config, lambda rows: rows[::-1])
    first, second = check_release(release), check_release(release)
    assert first.findings == second.findings
    assert len({finding.id for finding in first.findings}) == len(first.findings)


def test_two_processes_find_what_one_finds(release: Path) -> None:
    """In the same order; records are the same, whoever read them."""
    rewrite(release, "questions", lambda rows: rows[::-1])
    edit_record("assets", "alex/D1_IMG_001", set_fields(width=60))(release)
    alone = check_release(release)
    with Pool(2) as pool:
        shared = check_release(release, mapper=pool)
        assert shared.findings == alone.findings
        assert list(shared.bundles) == list(alone.bundles)
    assert validate_path(release, workers=2) == validate_path(release)


def test_records_of_a_release_go_with_what_was_read_of_it(release: Path) -> None:
    """They are on the disk while somebody has them, and no longer."""
    found = check_release(release)
    assert isinstance(found.bundles, SpilledBundles)
    folder = found.bundles.spill.folder
    assert list(folder.iterdir())
    del found
    assert not folder.exists()


def test_every_rule_of_a_release_says_what_and_where_from() -> None:
    """`memassay rules` can list them beside the ordinary ones."""
    for rule in RELEASE_RULES:
        assert rule.id.startswith("release.")
        assert rule.what.endswith(".")
        assert rule.source
