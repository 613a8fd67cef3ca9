"""Stories of the path mem-gallery from recipe to release: nine types, one image a round."""

import json
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently

from memassay.exports.release.reader import open_release
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import release_stats
from memassay.flows.services.runs import run_recipe
from memassay.schemas.benchmarks.mem_gallery import TYPES
from memassay.schemas.errors import RecipeError
from memassay.schemas.records.bundle import Bundle
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.personas import Personas

RECIPE = """
path: mem-gallery
from: stories
seed: 7
stories:
  personas: [lily-cooking-newbie]
  sizes: {sessions: 8, rounds: 12, images: 6, documents: 0}
  lessons: {count: 1, questions: 4}
  questions: {FR: 4, VS: 4, TR: 3, VR: 3, MR: 3, KR: 1, CD: 2, AR: 3}
  question_images: {VS: 1, VR: 1}
release: {name: stories-small, version: 0.1.0, licence: CC-BY-4.0, formats: [mem-gallery]}
"""


def _run(folder: Path, recipe: str) -> Path:
    (folder / "recipe.yaml").write_text(recipe)
    run_recipe(folder / "recipe.yaml", folder / "workspace", SilentProgress(), runner="plain")
    (release,) = (folder / "workspace" / "releases").glob("*")
    return release


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one story."""
    return _run(tmp_path_factory.mktemp("stories"), RECIPE)


@pytest.fixture(scope="module")
def story(released: Path) -> Bundle:
    """Its conversation."""
    (bundle,) = open_release(released).bundles()
    return bundle


def test_a_release_validates_without_findings(released: Path) -> None:
    """Every question is proven, and the release agrees with itself."""
    found = validate_path(released)
    assert [one.message for one in found.findings if one.severity != "info"] == []
    lines = (released / "certificates.jsonl").read_text().splitlines()
    assert {json.loads(line)["verdict"] for line in lines} == {"proven"}


def test_all_nine_types_are_asked(story: Bundle) -> None:
    """As many of each as the recipe says."""
    asked = [item.benchmark_type for item in story.questions]
    assert set(asked) == set(TYPES)
    counts = {code: asked.count(code) for code in ("TTL", "VS", "VR")}
    assert counts == {"TTL": 4, "VS": 4, "VR": 3}


def test_questions_of_three_types_show_a_picture(story: Bundle) -> None:
    """As many as the recipe says."""
    pictured = [item.benchmark_type for item in story.questions if item.question.attachments]
    assert sorted(map(str, pictured)) == ["TTL"] * 4 + ["VR", "VS"]


def test_no_round_shows_two_images(story: Bundle) -> None:
    """Upstream's reader sees a round's first image alone."""
    for round_ in story.conversation.rounds():
        assert sum(len(turn.attachments) for turn in round_.turns) <= 1


def test_ttl_asks_of_a_picture_that_the_story_does_not_show(story: Bundle) -> None:
    """And cites the pictures that taught its class."""
    shown = {image.asset for _, image in story.conversation.attachments()}
    for item in story.questions:
        if item.benchmark_type == "TTL":
            (asked,) = item.question.attachments
            assert asked.asset not in shown
            assert len(item.evidence.canonical) >= 2


def test_the_strict_reader_reads_the_layout(released: Path, tmp_path: Path) -> None:
    """Nothing is lost unlisted."""
    assert lost_silently(released, tmp_path) == {}
    found = validate_path(released / "formats" / "mem-gallery", "mem-gallery")
    assert [one.message for one in found.findings if one.severity == "error"] == []


def test_stats_print_images_a_session_and_clues_of_one_session(released: Path) -> None:
    """Figure 7, and the share that is real for each type."""
    (stats,) = release_stats(released)
    titles = [figure["title"] for figure in stats["figures"]]
    assert "Figure 7: sessions by images" in titles
    assert "Questions whose clues lie in one session" in titles


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("cluster: {bridges: 1}", "cluster: expected none"),
        ("best_of: {roles: [user]}", "best_of: expected a language model"),
        ("mode: paper", "mode: expected ledger-first with the simulator"),
    ],
)
def test_what_does_not_go_with_stories_is_refused(more: str, message: str, tmp_path: Path) -> None:
    """Sections of clusters, several draws of a simulator, and stories without worlds."""
    with pytest.raises(RecipeError, match=message):
        _run(tmp_path, f"{RECIPE}{more}\n")


def test_a_world_takes_no_images_of_others(tmp_path: Path) -> None:
    """Nor a protagonist without a persona file: that is for models."""
    for name, given in (("profiles", "{ada: ''}"), ("sourcing", "{providers: [openverse]}")):
        recipe = RECIPE.replace("  lessons:", f"  {name}: {given}\n  lessons:")
        with pytest.raises(RecipeError, match=f"stories.{name}: expected none with a world"):
            _run(tmp_path, recipe)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("VS: 1", "VS: 5", "expected at most the 4 of questions.VS"),
        ("lessons: {count: 1, questions: 4}", "lessons: null", "expected lessons that teach"),
    ],
)
def test_pictures_of_questions_need_questions_and_lessons(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    """None is shown with a question that is not asked, or of what nobody taught."""
    with pytest.raises(RecipeError, match=message):
        _run(tmp_path, RECIPE.replace(old, new))


def test_a_dialogue_of_another_path_has_a_key_of_its_own() -> None:
    """A workspace that two paths share does not give one the other's conversations."""
    personas = Personas(["lily-cooking-newbie"], Path())
    one, other = (DialogueStage(path, personas) for path in ("m3exam", "mem-gallery"))
    assert one.config != other.config
