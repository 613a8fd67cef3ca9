"""The data card, the citation and the Croissant description of a release, for those who find it."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from huggingface_hub import DatasetCard
from support.release_builder import content

from memassay.exports import open_release
from memassay.exports.publishing.croissant_check import check_croissant
from memassay.exports.publishing.refusals import refusals
from memassay.exports.release.public import facts
from memassay.exports.release.public.tables import TABLES, offered_rows, offered_schema
from memassay.exports.release.public.words import construction, ethics, limits, simulated_parts
from memassay.exports.release.writer import write_release
from memassay.schemas.errors import PublishError, UsageError
from memassay.schemas.judgements.provenance import Manifest
from memassay.schemas.records.asset import Availability
from memassay.schemas.records.bundle import Bundle


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release."""
    folder = tmp_path_factory.mktemp("described") / "release"
    write_release(folder, content())
    return folder


def _licensed(bundle: Bundle, licence: str, credit: str) -> Bundle:
    changes = {"licence": licence, "attribution": credit}
    assets = [asset.model_copy(update=changes) for asset in bundle.assets]
    return bundle.model_copy(update={"assets": assets})


def test_the_head_of_the_card_is_what_the_hub_reads(release: Path) -> None:
    """Licence, languages, tasks, sizes, configurations and splits."""
    head = DatasetCard.load(release / "README.md").data
    assert (head.license, head.language, head.pretty_name) == ("cc-by-4.0", ["en"], "tiny")
    assert head.task_categories == ["question-answering", "visual-question-answering"]
    assert head.size_categories == ["n<1K"]
    names = [one["config_name"] for one in head.configs]
    assert names == ["default", "conversations", "images", "eval", "gold", "ledger", "assets"]
    assert [one["config_name"] for one in head.configs if one.get("default")] == ["default"]
    splits = {one["config_name"]: one["splits"] for one in head.to_dict()["dataset_info"]}
    assert [(split["name"], split["num_examples"]) for split in splits["default"]] == [("test", 8)]


def test_the_card_shows_a_round_and_a_question_but_no_gold(release: Path) -> None:
    """With the picture that was shown, in a file of its own."""
    card = (release / "README.md").read_text(encoding="utf-8")
    example = card.partition("## An example")[2].partition("## ")[0]
    assert "> **Alex:** Meet my dog Luna." in example
    assert "(example.png)" in example
    assert (release / "example.png").read_bytes().startswith(b"\x89PNG")
    assert "The answer is in `gold`." in example


def test_a_text_cannot_change_the_card(tmp_path: Path) -> None:
    """Markup in a turn or a credit stays text."""
    bundles = [_licensed(each, "CC-BY-4.0", "<b>|Ann|</b>") for each in content().bundles]
    write_release(tmp_path / "release", content(bundles=bundles))
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    assert "| &lt;b&gt;\\|Ann\\|&lt;/b&gt; | 2 |" in card


def test_licences_of_images_are_counted(tmp_path: Path) -> None:
    """Those of images that are here, as their records state them."""
    bundles = [_licensed(each, "CC-BY-SA-4.0", "Ann") for each in content().bundles]
    write_release(tmp_path / "release", content(bundles=bundles))
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    assert "| CC-BY-SA-4.0 | 2 |" in card


def test_a_part_has_the_licence_and_the_credit_of_the_whole(tmp_path: Path) -> None:
    """In the card, in the table of images, and where publishing asks for a licence."""
    bundles = [_paged(each) for each in content().bundles]
    write_release(tmp_path / "release", content(bundles=bundles))
    card = (tmp_path / "release" / "README.md").read_text(encoding="utf-8")
    assert "| CC-BY-SA-4.0 | 1 |" in card
    assert "| Ann | 1 |" in card
    rows = [row for bundle in bundles for row in offered_rows("images", bundle)]
    assert ("CC-BY-SA-4.0", "Ann") in [(row["licence"], row["attribution"]) for row in rows]
    assert list(refusals(open_release(tmp_path / "release"))) == []


def _paged(bundle: Bundle) -> Bundle:
    """The picture of one conversation becomes a page, with no terms, of a missing document."""
    if bundle.id != "alex":
        return bundle
    page = next(each for each in bundle.assets if each.availability is Availability.PRESENT)
    whole = {"id": f"{bundle.id}/whole", "licence": "CC-BY-SA-4.0", "attribution": "Ann"}
    nothing = {"availability": Availability.MISSING, "blob_sha256": None, "pixel_sha256": None}
    parts = {"parent": f"{bundle.id}/whole", "licence": None, "attribution": None}
    assets = [page.model_copy(update=parts) if each is page else each for each in bundle.assets] + [
        page.model_copy(update={**whole, **nothing})
    ]
    return bundle.model_copy(update={"assets": assets})


IMPORTED = {"sources": [{"format": "locomo", "path": "x.json", "licence": "CC-BY-4.0"}]}


@pytest.mark.parametrize("changes", [IMPORTED, {"inject": {**IMPORTED, "sessions": 4}}])
def test_people_of_imported_dialogues_are_not_called_invented(changes: dict[str, Any]) -> None:
    """What the simulator adds to real dialogues makes nobody in them an invention."""
    manifest = _manifest({"path": "any", "author": "simulator", **changes})
    said = " ".join(
        each(manifest, _facts()) for each in (construction, simulated_parts, ethics, limits)
    )
    assert "invented" not in said
    assert "Imported from published files of the format locomo" in said
    assert "What was added to them was written by: memassay's simulator" in said


def test_who_wrote_what_is_extended_is_said() -> None:
    """A simulator that adds sessions to a model's histories did not write these."""
    before = {"path": "any", "author": {"provider": "openai", "model": "m"}}
    recipe = {"path": "any", "author": "simulator", "extends": {"recipe": before}}
    manifest = _manifest(recipe)
    said = (
        construction(manifest, facts.Facts())
        + simulated_parts(manifest, facts.Facts())
        + ethics(manifest, facts.Facts())
    )
    assert "Written by: memassay's simulator and the language model m" in said
    assert "invented" not in said


def test_what_was_joined_and_injected_is_counted() -> None:
    """A reader learns that sessions were not one history from the start."""
    recipe = {"path": "any", "author": "simulator", "inject": {"sessions": 4}}
    said = construction(_manifest(recipe, {"cluster": 4, "alteration": 80}), facts.Facts())
    assert "Joined from single dialogues: 4 conversations" in said
    assert "texts changed or added for that: 80" in said
    assert "as distractors: up to 4 in each" in said


def _facts() -> facts.Facts:
    """What a card says of the conversations of tests."""
    return facts.sum_of_facts(facts.facts_of(one, {}) for one in content().bundles)


def _manifest(recipe: dict[str, Any], counts: dict[str, int] | None = None) -> Manifest:
    return Manifest(
        id="tiny-0.1.0",
        schema_version=3,
        name="tiny",
        version="0.1.0",
        licence="CC-BY-4.0",
        record_schema_version=3,
        content_sha256="0" * 64,
        counts=counts or {},
        recipe=recipe,
        files=[],
    )


def test_rows_stated_are_rows_there_are(release: Path) -> None:
    """Every configuration of the card's head has its files, with so many rows."""
    import pyarrow.parquet as pq

    head = DatasetCard.load(release / "README.md").data.to_dict()
    files = {one["config_name"]: one["data_files"][0]["path"] for one in head["configs"]}
    for one in head["dataset_info"]:
        shards = release.glob(files[one["config_name"]])
        rows = sum(pq.read_metadata(shard).num_rows for shard in shards)
        assert [split["num_examples"] for split in one["splits"]] == [rows], one["config_name"]


def test_a_constant_answer_is_measured_with_its_interval() -> None:
    """Wilson's interval for two of four: 15.0 to 85.0 %."""
    found = {one.type: one for one in facts.shortcuts(_facts())}
    recall = found["fact_recall"]
    assert (recall.items, recall.share) == (4, 0.5)
    assert (round(recall.low, 3), round(recall.high, 3)) == (0.15, 0.85)


def test_a_citation_names_the_version_and_the_content(release: Path) -> None:
    """In the Citation File Format."""
    said = yaml.safe_load((release / "CITATION.cff").read_text(encoding="utf-8"))
    content_sha256 = json.loads((release / "manifest.json").read_bytes())["content_sha256"]
    assert (said["cff-version"], said["type"], said["version"]) == ("1.2.0", "dataset", "0.1.0")
    assert said["license"] == "CC-BY-4.0"
    assert said["identifiers"][0]["value"] == f"sha256:{content_sha256}"


SAID = {
    "authors": ["Lovelace, Ada", "Memory Lab"],
    "year": 2026,
    "url": "https://example.org/tiny",
}


def test_who_is_cited_is_said_by_the_recipe(tmp_path: Path) -> None:
    """Authors, year and page: in the card, its BibTeX, the citation and the Croissant."""
    release = tmp_path / "release"
    write_release(release, content(recipe={"path": "curate", "release": SAID}))
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "Its page: <https://example.org/tiny>" in card
    assert "author = {Lovelace, Ada and {Memory Lab}}" in card
    assert "year   = {2026}" in card
    cited = yaml.safe_load((release / "CITATION.cff").read_text(encoding="utf-8"))
    person = {"family-names": "Lovelace", "given-names": "Ada"}
    assert cited["authors"] == [person, {"name": "Memory Lab"}]
    assert (cited["url"], cited["preferred-citation"]["year"]) == (SAID["url"], 2026)
    said = json.loads((release / "croissant.json").read_bytes())
    assert [one["name"] for one in said["creator"]] == SAID["authors"]
    assert (said["publisher"], said["datePublished"]) == (said["creator"], "2026")


def test_the_card_says_how_pictures_are_loaded(release: Path) -> None:
    """And who made the items, in the words of the Hub."""
    card = (release / "README.md").read_text(encoding="utf-8")
    assert 'images = load_dataset("PATH", "images", split="test")' in card
    assert DatasetCard.load(release / "README.md").data.annotations_creators == ["found"]


def test_croissant_has_the_hashes_of_the_tables(release: Path) -> None:
    """Of every file that `datasets` loads for those who may see it, as the manifest has them."""
    said = json.loads((release / "croissant.json").read_bytes())
    stated = {one["contentUrl"]: one["sha256"] for one in said["distribution"] if "sha256" in one}
    files = {one.path: one.sha256 for one in open_release(release).manifest.files}
    places = tuple(f"{place}/" for place in TABLES.values())
    assert stated == {path: value for path, value in files.items() if path.startswith(places)}


def test_croissant_names_the_columns_there_are(release: Path) -> None:
    """And the fields of responsible AI, none of them empty."""
    said: dict[str, Any] = json.loads((release / "croissant.json").read_bytes())
    for table in said["recordSet"]:
        columns = {field["source"]["extract"]["column"] for field in table["field"]}
        assert columns <= set(offered_schema(table["name"]).names)
    assert {table["name"] for table in said["recordSet"]} == set(TABLES)
    assert all(text for name, text in said.items() if name.startswith("rai:"))


def test_croissant_is_read_by_its_own_library(release: Path) -> None:
    """Without a network; records come out of it too."""
    mlcroissant = pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    check_croissant(release)
    rows = mlcroissant.Dataset(jsonld=str(release / "croissant.json")).records("default")
    assert len(list(rows)) == 8


def test_croissant_that_is_not_valid_is_refused(tmp_path: Path) -> None:
    """The message says which file."""
    pytest.importorskip("mlcroissant", reason="mlcroissant is not installed")
    (tmp_path / "croissant.json").write_text("{}", encoding="utf-8")
    with pytest.raises(PublishError, match=r"croissant\.json: expected valid Croissant"):
        check_croissant(tmp_path)


def test_without_the_extra_the_error_says_what_to_install(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line."""
    monkeypatch.setitem(sys.modules, "mlcroissant", None)
    importlib.invalidate_caches()
    with pytest.raises(UsageError, match=r'pip install "memassay\[croissant\]"'):
        check_croissant(release)
