"""What logs of a release name is there, and follows from the rest, whatever rules made it."""

from pathlib import Path

import pytest

from memassay.exports.release.agreement.certificates import certificates_agree, compare_certificates
from memassay.exports.release.agreement.files import files_agree
from memassay.exports.release.agreement.identity import WRITER, writer
from memassay.exports.release.agreement.known import Known, names_agree
from memassay.exports.release.agreement.ownership import files_are_owned, is_owned
from memassay.exports.release.check import ReleaseCheck
from memassay.flows.recipes.again.made_again import made_again
from memassay.flows.recipes.known_names import known_names
from memassay.schemas.judgements.certificate import Certificate, Check, Outcome, Verdict
from memassay.schemas.judgements.finding import Finding, Severity

KNOWN = Known(
    rules={"proof.query_present": Severity.WARNING, "proof.executes": Severity.ERROR},
    stages={"import"},
    checking={},
    asked={},
    missing="",
    same_rules=False,
)


def _finding(rule: str = "proof.query_present", severity: Severity = Severity.WARNING) -> Finding:
    return Finding.make(rule, severity, "a/q1", "/answer", "a/q1.answer: expected x, got y", "z")


def _named(*noted: Finding) -> list[str]:
    return [each.message for each in names_agree({"finding": noted}, KNOWN)]


def test_a_finding_follows_from_what_it_says() -> None:
    """Its id does; a rule there is not, or another message under the old id, is named."""
    one = _finding()
    assert _named(one) == []
    (said,) = _named(one.model_copy(update={"message": "a/q1.answer: expected x, got z"}))
    assert ".id: " in said
    (said,) = _named(_finding("proof.oracle"))
    assert "proof.oracle" in said


def test_a_finding_made_light_of_is_named() -> None:
    """Under other rules a severity may be another one, but not in one finding of several."""
    light = _finding(severity=Severity.INFO)
    other = Finding.make("proof.query_present", Severity.WARNING, "a/q2", "", "a/q2: expected", "z")
    assert _named(light) == []
    (said,) = _named(light, other)
    assert ".severity: expected warning, got 'info'" in said
    same = KNOWN._replace(same_rules=True)
    assert len(list(names_agree({"finding": [light]}, same))) == 1


def test_a_recipe_of_no_path_is_named_and_nothing_is_made_again() -> None:
    """A manifest may say what it likes; the rest of the release is checked all the same."""
    (said,) = (each.message for each in names_agree({}, KNOWN._replace(stages=None)))
    assert said.startswith("manifest.json.recipe: ")
    (said,) = (each.message for each in names_agree({}, KNOWN._replace(missing="nowhere")))
    assert said == "manifest.json.recipe.path: expected a path that is installed, got 'nowhere'"
    recipe = {WRITER: writer(), "path": "nowhere"}
    assert known_names(recipe).missing == "nowhere"
    assert known_names(recipe).stages is None
    assert made_again(ReleaseCheck([], [], [], {}, recipe)) == []


@pytest.mark.parametrize(
    ("name", "owned"),
    [
        ("README.md", True),
        ("bank.jsonl", True),
        ("data/assets/train-00001-of-00003.parquet", True),
        ("formats/m3exam/Ann/question.json", True),
        ("notes.txt", False),
        ("bank.jsonl.bak", False),
        ("data/extra/train-00000-of-00001.parquet", False),
        ("data/assets/train.parquet", False),
        ("formats/locomo/locomo.json", False),
        ("formats/notes.txt", False),
        (".DS_Store", False),
    ],
)
def test_every_file_of_a_release_is_owned(name: str, owned: bool) -> None:
    """A card, a log, a shard of a table, a layout that was asked for; nothing else."""
    assert is_owned(name, ["parquet", "m3exam"]) is owned


def test_a_file_of_nobody_is_found_though_a_manifest_lists_it(tmp_path: Path) -> None:
    """So is a folder that holds nothing."""
    (tmp_path / "notes.txt").write_text("see the first version", encoding="utf-8")
    (tmp_path / "data/tmp").mkdir(parents=True)
    assert [one.target for one in files_are_owned(tmp_path, {})] == ["data/tmp", "notes.txt"]


def test_files_of_the_hub_are_no_strays(tmp_path: Path) -> None:
    """Nor are those that its tools keep beside a folder that they fetched."""
    for name in (".gitattributes", ".cache/huggingface/download/a.metadata", ".git/config"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    (tmp_path / ".git/refs/tags").mkdir(parents=True)
    assert list(files_are_owned(tmp_path, {})) == []
    assert list(files_agree(tmp_path, [])) == list(files_agree(tmp_path / ".git/refs/tags", []))


def _certificate(number: int, *rules: str) -> Certificate:
    item = f"a/q{number:03d}"
    checks = [Check(rule=rule, outcome=Outcome.PASSED) for rule in rules]
    return Certificate(
        id=f"{item}.certificate",
        item=item,
        item_sha256="0" * 64,
        checks=[Check(rule=f"a.r{at}", outcome=Outcome.PASSED) for at in range(8)] + checks,
        verdict=Verdict.PROVEN,
    )


@pytest.mark.parametrize(("forged", "changed", "told"), [(1, True, 1), (1, False, 0), (9, True, 0)])
def test_other_rules_explain_what_differs_in_many(forged: int, changed: bool, told: int) -> None:
    """In a release that was changed, one certificate that differs alone was changed too."""
    again = [_certificate(number, "proof.executes") for number in range(20)]
    stated = [
        _certificate(number, *([] if number < forged else ["proof.executes"]))
        for number in range(20)
    ]
    compared = [compare_certificates(stated, again)]
    found = certificates_agree(compared, len(stated), ours=False, changed=changed)
    assert [each.target for each in found] == [f"a/q{number:03d}" for number in range(told)]
