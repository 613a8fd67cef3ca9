"""A recipe with the user's own persona and files: records for the good, findings for the bad."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from support import own_material

from memassay.cli import main
from memassay.exports import open_release
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import RoundKind
from memassay.synth.world.persona_checks import persona_problems
from memassay.synth.world.persona_file import load_persona

pytestmark = pytest.mark.slow(seconds=0.4)


def _run(recipe: Path, workspace: Path) -> Result:
    arguments = ["run", str(recipe), "--workspace", str(workspace), "--runner", "plain", "--json"]
    return CliRunner().invoke(main, arguments)


def _report(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


@pytest.fixture(scope="module")
def recipe(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documented recipe beside a folder of good and bad files."""
    folder = tmp_path_factory.mktemp("own")
    own_material.write_material(folder / "my-files")
    return own_material.write_recipe(folder, repository)


@pytest.fixture(scope="module")
def report(recipe: Path) -> dict[str, Any]:
    """What running it says; a damaged file stops nothing."""
    return _report(_run(recipe, recipe.parent / "work"))


@pytest.fixture(scope="module")
def bundle(report: dict[str, Any]) -> Bundle:
    """The only conversation of the release."""
    (only,) = open_release(report["release"]).bundles()
    return only


@pytest.fixture(scope="module")
def own(bundle: Bundle) -> dict[str, Asset]:
    """The user's assets by local id."""
    assets = [asset for asset in bundle.assets if asset.origin == "user"]
    return {asset.id.partition("/")[2]: asset for asset in assets}


def test_the_documented_persona_has_no_problems(recipe: Path) -> None:
    """The example of the page is a persona file that its own checks find nothing wrong with."""
    persona = load_persona(recipe.parent / f"{own_material.PERSONA}.yaml")
    assert persona_problems(persona) == []


def test_every_bad_file_is_a_finding(report: dict[str, Any]) -> None:
    """Truncated, text as .jpg, 200 megapixels, encrypted: each breaks its rule, with a fix."""
    found = {
        finding["target"].removeprefix("material:"): finding
        for finding in report["findings"]
        if finding["rule"].startswith("material.")
    }
    assert {name: finding["rule"] for name, finding in found.items()} == own_material.BAD
    assert all(finding["fix"] for finding in found.values())


def test_findings_stay_with_the_release(report: dict[str, Any]) -> None:
    """What was left out is told by the release as well."""
    lines = (Path(report["release"]) / "findings.jsonl").read_text("utf-8").splitlines()
    rules = {json.loads(line)["rule"] for line in lines}
    assert set(own_material.BAD.values()) <= rules


def test_every_good_file_is_a_record(own: dict[str, Asset]) -> None:
    """Two photographs, a PDF and its three pages; nothing of the bad files."""
    pages = {f"MAT_manual.pdf.p{number}" for number in (1, 2, 3)}
    assert set(own) == {"MAT_harbour.jpg", "MAT_turned.jpg", "MAT_manual.pdf", *pages}


def test_pages_are_children_of_their_document(own: dict[str, Asset]) -> None:
    """A page names its document and its number."""
    pages = [asset for asset in own.values() if asset.parent is not None]
    parent = own["MAT_manual.pdf"].id
    assert sorted((page.parent, page.page) for page in pages) == [(parent, n) for n in (1, 2, 3)]


def test_orientation_is_normalised_once(own: dict[str, Asset]) -> None:
    """The rotated photograph stands upright: its width and height have changed places."""
    assert (own["MAT_harbour.jpg"].width, own["MAT_harbour.jpg"].height) == (96, 64)
    assert (own["MAT_turned.jpg"].width, own["MAT_turned.jpg"].height) == (64, 96)


def test_what_was_stripped_is_listed(own: dict[str, Asset]) -> None:
    """EXIF tags of a photograph and metadata of a PDF are named."""
    assert {"GPSInfo", "Make", "Orientation"} <= set(own["MAT_harbour.jpg"].exif_removed)
    assert "Author" in own["MAT_manual.pdf"].exif_removed


def test_terms_come_from_sidecar_or_recipe(own: dict[str, Asset]) -> None:
    """The recipe's licence and credit hold for all files, a sidecar's for its own."""
    assert own["MAT_harbour.jpg"].licence == "CC-BY-4.0"
    assert own["MAT_turned.jpg"].licence == "CC-BY-SA-4.0"
    assert own["MAT_turned.jpg"].attribution == "Ada Example, 2026"


def test_the_release_names_every_licence(report: dict[str, Any]) -> None:
    """A release is published under the terms of everything in it."""
    licence = open_release(report["release"]).manifest.licence
    assert licence == "CC-BY-4.0 AND CC-BY-SA-4.0"


def _contents(value: object) -> Iterator[bytes]:
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, str):
        yield value.encode("utf-8")
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _contents(part)


def test_no_place_and_no_exif_in_any_output(report: dict[str, Any], recipe: Path) -> None:
    """Neither files of release and workspace nor what Parquet holds compressed tell secrets."""
    given = {path.name: path.read_bytes() for path in (recipe.parent / "my-files").iterdir()}
    for name in ("harbour.jpg", "manual.pdf"):
        told = [secret for secret in own_material.secrets() if secret in given[name]]
        assert len(told) >= 4, f"{name} has nothing to hide"
    contents: list[bytes] = []
    for path in (recipe.parent / "work").rglob("*"):
        if path.is_file():
            contents.append(path.read_bytes())
        if path.suffix == ".parquet":
            contents.extend(_contents(pq.read_table(path).to_pylist()))
    assert Path(report["release"]).is_relative_to((recipe.parent / "work").resolve())
    assert [one for one in own_material.secrets() if any(one in data for data in contents)] == []


def test_files_come_up_at_the_ends_of_sessions(bundle: Bundle) -> None:
    """Rounds of the user's files belong to no event and follow all that do."""
    for session in bundle.conversation.sessions:
        added = [round_.event is None for round_ in session.rounds]
        assert added == sorted(added)
        assert any(added)


def test_a_pdf_comes_two_pages_a_round(bundle: Bundle) -> None:
    """Three pages need two document rounds."""
    shown = [
        [item.page for item in round_.turns[0].attachments]
        for round_ in bundle.conversation.rounds()
        if round_.event is None and round_.kind is RoundKind.DOCUMENT
    ]
    assert shown == [[1, 2], [3]]


def test_captions_are_said_and_mentioned(bundle: Bundle) -> None:
    """A sidecar's caption is a fact whose mentions are where both speakers say it."""
    (fact,) = [fact for fact in bundle.facts if fact.value.text == own_material.HARBOUR]
    assert (fact.subject, fact.attribute) == ("image:material.harbour.jpg", "caption")
    said = [mention for mention in bundle.mentions if mention.fact == fact.id]
    assert [mention.speaker for mention in said] == ["user", "assistant"]
    for mention in said:
        assert mention.span is not None
        start, end = mention.span
        assert bundle.turn_by_id[str(mention.turn)].text[start:end] == own_material.HARBOUR


def test_questions_about_own_images_are_proven(report: dict[str, Any], bundle: Bundle) -> None:
    """A caption asks for its image, and every certificate of the release says proven."""
    asked = [item for item in bundle.questions if own_material.HARBOUR in item.question.text]
    shown = {item.asset: item.id for _, item in bundle.conversation.attachments()}
    answers = [shown[f"{own_material.PERSONA}/MAT_harbour.jpg"]]
    assert [item.answer.values for item in asked] == [answers]
    assert set(report["verdicts"]) == {"proven"}


def test_transcriptions_stay_private(bundle: Bundle) -> None:
    """What a sidecar says can be read in the pixels is said by nobody."""
    assert bundle.asset_by_id[f"{own_material.PERSONA}/MAT_turned.jpg"].transcription == "OUT"
    assert not any("OUT" in turn.text for turn in bundle.conversation.turns())


def test_again_is_the_same_release(report: dict[str, Any], recipe: Path) -> None:
    """Another workspace gives the same records."""
    again = _report(_run(recipe, recipe.parent / "again"))
    assert Path(again["release"]).name == Path(report["release"]).name


def test_another_persona_leaves_the_first_untouched(
    bundle: Bundle, repository: Path, tmp_path: Path
) -> None:
    """With one more persona in the recipe, the records of the first are the same."""
    own_material.write_material(tmp_path / "my-files")
    recipe = own_material.write_recipe(tmp_path, repository)
    persona = (tmp_path / f"{own_material.PERSONA}.yaml").read_text("utf-8")
    other = persona.replace("id: ada-beekeeper", "id: eve-beekeeper")
    (tmp_path / "eve.yaml").write_text(other, "utf-8")
    text = recipe.read_text("utf-8").replace(
        "[ada-beekeeper.yaml]", "[eve.yaml, ada-beekeeper.yaml]"
    )
    recipe.write_text(text, "utf-8")
    release = _report(_run(recipe, tmp_path / "work"))["release"]
    both = {one.id: one for one in open_release(release).bundles()}
    assert set(both) == {"ada-beekeeper", "eve-beekeeper"}
    hashes = [
        [content_hash(record) for record in one.records()] for one in (bundle, both[bundle.id])
    ]
    assert hashes[0] == hashes[1]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "material.licence: expected the SPDX identifier"),
        ("  licence: CC-BY 4.0\n", "write e.g. `licence: CC-BY-4.0`"),
        ("  licence: MIT\n  persona: bob\n", "material.persona: expected one of ada-beekeeper"),
        ("  licence: MIT\n  licens: MIT\n", "did you mean 'licence'?"),
    ],
)
def test_a_recipe_that_cannot_be_released_is_refused(
    line: str, message: str, repository: Path, tmp_path: Path
) -> None:
    """Exit 2, with a message that names the key and the fix."""
    own_material.write_material(tmp_path / "my-files")
    recipe = own_material.write_recipe(tmp_path, repository)
    text = recipe.read_text("utf-8")
    start, end = text.index("  licence:"), text.index("sizes:")
    recipe.write_text(text[:start] + line + text[end:], "utf-8")
    result = _run(recipe, tmp_path / "work")
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_folder_that_is_not_there_is_refused(repository: Path, tmp_path: Path) -> None:
    """Exit 2 names the folder."""
    result = _run(own_material.write_recipe(tmp_path, repository), tmp_path / "work")
    assert result.exit_code == 2
    assert "material.folder" in result.stderr
