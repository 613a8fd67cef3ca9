"""Stories of the path mem-gallery from recipe to release: nine types, one image a round."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress
from support.every_layout import lost_silently

from memassay.exports.release.reader import open_release
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import release_stats
from memassay.flows.services.runs import run_recipe
from memassay.schemas.benchmarks.mem_gallery import TYPES
from memassay.schemas.errors import RecipeError, UsageError
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


MIXED = """
path: mem-gallery
from: [stories, clusters]
seed: 5
stories:
  scenarios:
    - {name: Bread and Butter, persona: lily-cooking-newbie, sessions: 6, rounds: 70, images: 22,
       questions: 14, question_images: 5}
    - {name: Two Wheels, persona: wei-courier, sessions: 9, rounds: 90, images: 26,
       questions: 14, question_images: 5, from: clusters}
  questions: {FR: 3, VS: 4, TTL: 8, TR: 2, VR: 1, KR: 2, CD: 6, AR: 2}
  question_images: {TTL: 7, VS: 2, CD: 1}
release: {name: stories-mixed, version: 0.1.0, licence: CC-BY-4.0, formats: [mem-gallery]}
"""


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of one story and of one cluster, with the sizes of a table."""
    return _run(tmp_path_factory.mktemp("mixed"), MIXED)


def test_rows_of_a_table_are_met(mixed: Path) -> None:
    """Sessions, rounds, images and questions of both, with lessons, bridges and new sessions."""
    (stats,) = release_stats(mixed)
    wanted = [(6, 70, 22, 14, 5), (9, 90, 26, 14, 5)]
    rows = [tuple(row["ours"].values()) for row in stats["conversations"]]
    assert rows[:2] == wanted


def test_numbers_of_types_are_met_over_all_rows(mixed: Path) -> None:
    """Also of those that new sessions bring along, and of names that are asked for in words."""
    items = [item for one in open_release(mixed).bundles() for item in one.questions]
    asked = Counter(str(item.benchmark_type) for item in items)
    wanted = {"FR": 3, "VS": 4, "TTL": 8, "TR": 2, "VR": 1, "KR": 2, "CD": 6, "AR": 2}
    assert asked == wanted
    shown = Counter(str(one.benchmark_type) for one in items if one.question.attachments)
    assert shown == {"TTL": 7, "VS": 2, "CD": 1}


def test_a_release_of_both_forms_agrees_with_itself(mixed: Path) -> None:
    """Tallies count what new sessions bring along, and all is made again from the manifest."""
    found = validate_path(mixed).findings
    assert [one.message for one in found if one.severity == "error"] == []


def test_what_was_cut_apart_is_one_life_with_new_sessions(mixed: Path) -> None:
    """The story goes on as it is; the sessions of the other say where they came from."""
    story, life = open_release(mixed).bundles()
    assert story.id == "Bread_and_Butter"
    origins = [one.origin or "" for one in life.conversation.sessions]
    assert {one.partition("/")[0] for one in origins if "/" in one} == {"Two_Wheels"}
    assert sum(one.startswith("extension") for one in origins) == 2


def test_the_layout_of_both_is_read_whole(mixed: Path, tmp_path: Path) -> None:
    """Nothing is lost unlisted."""
    assert lost_silently(mixed, tmp_path) == {}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("[stories, clusters]", "stories"), "stories.scenarios: expected some with"),
        (("VR: 1", "VR: 2"), "stories.questions: expected 28 of all types"),
        (("sessions: 6", "sessions: 3"), "expected room for a history in 'Bread and Butter'"),
        (
            ("name: Two Wheels", "name: Bread and Butter"),
            "expected conversations with names of their own",
        ),
        (
            ("images: 22", "images: 99"),
            "images for the history of 'Bread and Butter', one for each",
        ),
        (("persona: wei-courier", "persona: wei"), "persona wei: expected one of alex-"),
    ],
)
def test_tables_that_do_not_fit_are_refused(
    change: tuple[str, str], message: str, tmp_path: Path
) -> None:
    """Before anything is told."""
    with pytest.raises(UsageError, match=re.escape(message)):
        _run(tmp_path, MIXED.replace(*change))
