"""Recipes: what is wrong is named by key, with the likely fix."""

from pathlib import Path

import pytest

from memassay.flows.recipes.loading import load_recipe
from memassay.schemas.errors import RecipeError

MODEL = "path: m3exam\npersonas: [wei-courier]\n"
SOURCES = "sources: [{format: locomo, path: x.json, licence: MIT}]\n"


def _write(folder: Path, text: str | bytes) -> Path:
    path = folder / "recipe.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def test_every_field_but_the_sources_has_a_default(tmp_path: Path) -> None:
    """The shortest recipe is a list of sources."""
    recipe = load_recipe(_write(tmp_path, SOURCES))
    assert (recipe.path, recipe.seed, recipe.gates, recipe.thresholds) == ("curate", 0, {}, {})
    assert recipe.release.version == "0.1.0"


@pytest.mark.parametrize("word", ["off", "'off'"])
def test_a_word_that_is_a_boolean_to_yaml_1_1_is_a_word(tmp_path: Path, word: str) -> None:
    """Where a word is meant; where a boolean is, every spelling of one does."""
    assert load_recipe(_write(tmp_path, f"{SOURCES}history_edits: {word}")).history_edits == "off"
    for text, meant in {"yes": True, "on": True, "true": True, "No": False, "FALSE": False}.items():
        recipe = load_recipe(_write(tmp_path, f"{SOURCES}strict: {text}"))
        assert recipe.model_dump()["strict"] is meant
    assert load_recipe(_write(tmp_path, f"{SOURCES}release: {{name: no}}")).release.name == "no"


LAUGHS = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 10)
)
"""Lists of ten aliases of such lists, nine deep: a billion values."""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(SOURCES + "sed: 7", "sed: unknown key; did you mean 'seed'?", id="misspelt"),
        pytest.param(SOURCES + "zzz: 7", "zzz: unknown key; known keys: ", id="unknown"),
        pytest.param(
            SOURCES + "gates: {import: {polciy: auto}}",
            "gates.import.polciy: unknown key; did you mean 'policy'?",
            id="misspelt-in-gate",
        ),
        pytest.param(
            "sources: [{format: locomo, pth: x, licence: MIT}]",
            "sources.0.pth: unknown key; did you mean 'path'?",
            id="misspelt-in-source",
        ),
        pytest.param(
            SOURCES + "release: {nmae: x}",
            "release.nmae: unknown key; did you mean 'name'?",
            id="misspelt-in-release",
        ),
        pytest.param(
            f"{MODEL}author: {{provider: openai, modle: x}}",
            "author.model.modle: unknown key; did you mean 'model'?",
            id="misspelt-in-author",
        ),
        pytest.param(
            f"{MODEL}author: {{default: {{provider: openai, model: x, tmeout: 3}}}}",
            "author.roles.default.tmeout: unknown key; did you mean 'timeout'?",
            id="misspelt-in-role",
        ),
        pytest.param(
            f"{MODEL}sourcing: {{providers: [local], per_evnt: 1}}",
            "sourcing.per_evnt: unknown key; did you mean 'per_event'?",
            id="misspelt-in-sourcing",
        ),
        pytest.param(SOURCES + "seed: 1\nseed: 2", "key 'seed' is given twice", id="twice"),
        pytest.param(
            SOURCES + "release: {name: a, name: b}", "key 'name' is given twice", id="twice-inside"
        ),
        pytest.param(SOURCES + "seed: many", "seed: expected a valid integer", id="type"),
        pytest.param(
            SOURCES + "seed: -1", "seed: expected greater than or equal to 0, got -1", id="negative"
        ),
        pytest.param(
            SOURCES + "gates: {import: {rate: 1.5}}", "gates.import.rate: expected less", id="range"
        ),
        pytest.param(
            SOURCES + "gates: {import: {policy: some}}",
            "gates.import.policy: expected 'auto'",
            id="choice",
        ),
        pytest.param(
            SOURCES + "release: {name: ../up}", "release.name: expected a text of", id="name"
        ),
        pytest.param("seed: 7", "sources: expected a value, got none", id="no-sources"),
        pytest.param("sources: []", "sources: expected a list with at least 1", id="empty-sources"),
        pytest.param("- a\n- b", "expected keys and values, got list", id="list"),
        pytest.param(LAUGHS, "expected at most 100,000 values, aliases", id="aliases"),
        pytest.param("a: &x [*x]", "expected no alias inside of what it names", id="endless"),
        pytest.param("a: " + "[" * 900 + "]" * 900, "at most 100 deep", id="deep"),
        pytest.param("a: " + "[" * 150 + "]" * 150, "at most 100 deep", id="rather-deep"),
        pytest.param("seed: " + "9" * 5000, "a number of at most 18 digits", id="long-number"),
        pytest.param("", "expected keys and values, got an empty file", id="empty"),
        pytest.param("a: [b", "expected YAML", id="not-yaml"),
        pytest.param("? {a: b}\n: c", "expected YAML", id="odd-key"),
        pytest.param("sources: !!python/object:os.system x", "expected YAML", id="tag"),
        pytest.param(b"\xff\xfe\x00", "expected UTF-8", id="encoding"),
    ],
)
def test_a_wrong_recipe_is_explained(tmp_path: Path, text: str | bytes, message: str) -> None:
    """One message: the file, the key, what was expected, what to do."""
    path = _write(tmp_path, text)
    with pytest.raises(RecipeError) as caught:
        load_recipe(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_recipe_that_is_not_there_is_named(tmp_path: Path) -> None:
    """No such file, or a folder in its place."""
    with pytest.raises(RecipeError, match="no such file"):
        load_recipe(tmp_path / "none.yaml")
    with pytest.raises(RecipeError, match="got a folder"):
        load_recipe(tmp_path)
