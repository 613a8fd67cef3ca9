"""What a release says twice is the same: card, manifest, certificates, lists, layouts."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.planted_disagreements import KINDS
from support.planting_ways import certificate, layout
from support.release_forging import cover_up, manifest_of, question_file, write_manifest

from memassay.cli import main
from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.agreement.json_differences import ABSENT, differences
from memassay.exports.release.blobs import release_blobs
from memassay.exports.release.check import check_release
from memassay.flows.checking.assay_again import assayed_again
from memassay.flows.recipes.known_names import known_names
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.finding import Finding, Severity

pytestmark = pytest.mark.slow(seconds=0.25)

RECIPE = """
path: m3exam
seed: 7
personas: [alex-veterinarian]
sizes: {sessions: 4, rounds: 6, images: 2}
questions: {ss: 4, ms: 2, tr: 3, mr: 3, fm: 2, th: 1, fj: 4, ii: 1}
gates:
  questions: {policy: sample, rate: 0.1, on_warning: pass, on_open: continue}
release: {name: demo, version: 0.1.0, licence: CC-BY-4.0, formats: [parquet, m3exam]}
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release as the stages of a run write it, one question waiting for people."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "recipe.yaml").write_text(RECIPE, encoding="utf-8")
    call = ["run", str(folder / "recipe.yaml"), "--workspace", str(folder), "--runner", "plain"]
    assert CliRunner().invoke(main, call).exit_code == 0
    (release,) = (folder / "releases").iterdir()
    return release


@pytest.fixture
def release(made: Path, tmp_path: Path) -> Path:
    """A copy of it to be changed."""
    return shutil.copytree(made, tmp_path / made.name)


def _findings(release: Path) -> list[Finding]:
    found = check_release(release, FORMATS)
    context = RuleContext(blobs=release_blobs(release), draws=False)
    noted = [each for each in found.records.get("finding", ()) if isinstance(each, Finding)]
    again = assayed_again(found, noted, known_names(found.recipe), context)
    return [*found.findings, *again]


def test_nothing_is_found_before_anything_is_planted(release: Path) -> None:
    """What was written is what its records give again, and hashes stated again are the same."""
    assert _findings(release) == []
    cover_up(release, counts=True)
    assert _findings(release) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_disagreement_is_an_error_that_names_it(release: Path, kind: str) -> None:
    """Whatever is changed under right checksums is found, by the record or the file it is in."""
    name = KINDS[kind](release)
    cover_up(release, counts=not kind.startswith("manifest"))
    errors = [each for each in _findings(release) if each.severity is Severity.ERROR]
    assert [each for each in errors if name in f"{each.target} {each.message}"]


def test_another_encoding_of_a_layout_is_no_difference(release: Path) -> None:
    """Decoded content is compared: white space and the compression of pictures may differ."""
    from PIL import Image

    layout(question_file, lambda bank: bank)(release)
    picture = min(question_file(release).parent.glob("images/*.png"))
    with Image.open(picture) as image:
        image.save(picture, compress_level=1)
    cover_up(release, counts=True)
    assert _findings(release) == []


def test_a_release_of_another_version_may_have_other_sentences_and_rules(release: Path) -> None:
    """Its card is compared by its numbers, its certificates by what was found."""
    document = manifest_of(release)
    document["recipe"]["memassay"] = "0.0.1"
    write_manifest(release, document)
    certificate(lambda one: one["checks"].pop(2))(release)
    card = release / "README.md"
    card.write_text(card.read_text(encoding="utf-8").replace("checked", "tested"), "utf-8")
    cover_up(release, counts=True)
    assert _findings(release) == []
    certificate(lambda one: one.update(verdict="doubtful"))(release)
    layout(question_file, lambda bank: bank[2].update(answer=["a wrong gold"]))(release)
    cover_up(release, counts=False)
    found = {each.rule: each.severity for each in _findings(release)}
    assert found["release.verdict"] is Severity.ERROR
    assert found["release.layout_of_another"] is Severity.WARNING


def test_what_came_in_between_is_one_difference() -> None:
    """Not one of everything behind it; a number and a truth value are never equal."""
    assert list(differences([1, 2, 3], [1, 9, 2, 3])) == [((1,), ABSENT, 9)]
    assert list(differences([{"a": 1}, 2], [{"a": 5}, 2])) == [((0, "a"), 1, 5)]
    assert list(differences({"a": 1}, {"a": True})) == [(("a",), 1, True)]
    assert list(differences({"a": [1]}, {"a": [1]})) == []


def test_a_quick_check_looks_at_everything_but_drawn_pictures(release: Path) -> None:
    """Layouts and certificates are made again all the same."""
    certificate(lambda one: one.update(verdict="doubtful"))(release)
    layout(question_file, lambda bank: bank[2].update(label="a wrong gold"))(release)
    cover_up(release, counts=True)
    result = CliRunner().invoke(main, ["validate", str(release), "--quick", "--json"])
    assert result.exit_code == 1
    found = {each["rule"] for each in json.loads(result.stdout)["findings"]}
    assert {"release.verdict", "release.layout"} <= found
