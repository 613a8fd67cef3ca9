"""The path worldmemarena from recipe to release: worlds, telling, checkpoints, figures."""

import json
from collections import Counter
from pathlib import Path

import pytest
from support.engine_builder import SilentProgress

from memassay.exports.release.reader import open_release
from memassay.flows.services.checks import validate_path
from memassay.flows.services.releases import release_stats
from memassay.flows.services.runs import run_recipe
from memassay.schemas.errors import RecipeError
from memassay.schemas.records.bundle import Bundle
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import LIBRARY
from memassay.synth.paths.worldmemarena.recipe import WorldMemArenaRecipe
from memassay.synth.paths.worldmemarena.samples import Samples
from memassay.synth.paths.worldmemarena.stages import QuestionStage, TellingStage

RECIPE = """
path: worldmemarena
seed: 7
projects: {{{project}: 1}}
lives: 1
sizes: {{sessions: 8, checkpoints: 2}}
release: {{name: worlds, version: 0.1.0, licence: CC-BY-4.0}}
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of a project and a life."""
    folder = tmp_path_factory.mktemp("worlds")
    (folder / "recipe.yaml").write_text(RECIPE.format(project="software"))
    run_recipe(folder / "recipe.yaml", folder / "workspace", SilentProgress(), runner="plain")
    (release,) = (folder / "workspace" / "releases").glob("*")
    return release


@pytest.fixture(scope="module")
def bundles(released: Path) -> list[Bundle]:
    """Its samples."""
    return list(open_release(released).bundles())


def test_every_question_is_proven(released: Path) -> None:
    """Rules find no error, and every certificate says proven."""
    found = validate_path(released).findings
    assert [one.message for one in found if one.severity == "error"] == []
    lines = (released / "certificates.jsonl").read_text().splitlines()
    assert {json.loads(line)["verdict"] for line in lines} == {"proven"}


def test_checkpoints_ask_about_ten_questions(bundles: list[Bundle]) -> None:
    """Each checkpoint asks ten or eleven, what cannot be asked replaced by what can."""
    for bundle in bundles:
        counts = Counter(item.asked_at.checkpoint for item in bundle.questions)
        assert set(counts) == {"C1", "C2"}
        assert all(9 <= count <= 12 for count in counts.values())


def test_points_have_what_a_memory_point_has(bundles: list[Bundle]) -> None:
    """Statement, type, source and importance; a session of a life is on the main line or beside."""
    points = [fact for bundle in bundles for fact in bundle.facts if fact.statement is not None]
    assert all(fact.extras["worldmemarena"] for fact in points)
    assert {"primary", "system", "interference"} <= {fact.source for fact in points}
    arcs = {str(session.arc) for session in bundles[0].conversation.sessions}
    assert arcs == {"setup", "main", "side"}


def test_figures_are_beside_the_prose_and_the_card(released: Path) -> None:
    """The table of points a session has the three numbers of the paper."""
    (stats,) = release_stats(released)
    tables = {figure["title"]: figure["rows"] for figure in stats["figures"]}
    rows = next(rows for title, rows in tables.items() if title.startswith("§4.3: points a"))
    assert [row["prose"] for row in rows] == ["10", "3", "2"]


def test_an_unknown_vertical_is_refused(tmp_path: Path) -> None:
    """The message names it."""
    (tmp_path / "recipe.yaml").write_text(RECIPE.format(project="astrology"))
    with pytest.raises(RecipeError, match="astrology"):
        run_recipe(tmp_path / "recipe.yaml", tmp_path / "work", SilentProgress(), runner="plain")


def test_what_is_told_depends_on_the_words_of_a_vertical(tmp_path: Path) -> None:
    """New words of a vertical change no fact, and still make new dialogues and questions."""
    vertical = (LIBRARY / "software.yaml").read_text("utf-8")
    recipe = WorldMemArenaRecipe.model_validate(
        {
            "path": "worldmemarena",
            "projects": {"software": 1},
            "verticals": ".",
            "release": {"name": "worlds", "version": "0.1.0"},
        }
    )

    def configs(words: str) -> list[object]:
        (tmp_path / "software.yaml").write_text(words, "utf-8")
        samples = Samples(recipe, tmp_path)
        return [stage(samples).config for stage in (TellingStage, QuestionStage)]

    before, after = configs(vertical), configs(vertical.replace("my job title", "my post"))
    assert all(old != new for old, new in zip(before, after, strict=True))
