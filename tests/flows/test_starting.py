"""A recipe of one's own starts from one that ships, and is one that runs."""

from pathlib import Path

import pytest

from memassay.flows.recipes.loading import load_recipe
from memassay.flows.services.starting import Start, shipped_recipes, summary, write_recipe
from memassay.schemas.errors import UsageError

RECIPES = sorted(shipped_recipes())


def test_every_recipe_of_the_repository_ships(repository: Path) -> None:
    """What a checkout has, an installed package has."""
    assert sorted(path.stem for path in (repository / "recipes").glob("*.yaml")) == RECIPES


@pytest.mark.parametrize("name", RECIPES)
def test_a_copy_has_the_answers_and_nothing_else(name: str, tmp_path: Path) -> None:
    """Path, sizes, gates and comments are those of the recipe it starts from."""
    write_recipe(tmp_path / "mine.yaml", Start(recipe=name, name="mine", licence="MIT", seed=99))
    mine = load_recipe(tmp_path / "mine.yaml")
    assert (mine.release.name, mine.release.licence, mine.seed) == ("mine", "MIT", 99)
    theirs = load_recipe(shipped_recipes()[name])
    same = {"release": True, "seed": True, "sources": True, "inject": {"sources"}}
    assert mine.model_dump(exclude=same) == theirs.model_dump(exclude=same)
    assert mine.release.formats == theirs.release.formats


def test_samples_are_found_from_a_copy(tmp_path: Path) -> None:
    """They stand beside the recipe that ships."""
    answers = Start(recipe="curate-demo", name="mine", licence="MIT", seed=1)
    write_recipe(tmp_path / "mine.yaml", answers)
    sources = load_recipe(tmp_path / "mine.yaml").model_dump()["sources"]
    assert [Path(source["path"]).exists() for source in sources] == [True, True]


@pytest.mark.parametrize("name", RECIPES)
def test_each_says_what_it_is(name: str) -> None:
    """Who chooses among them sees a line for each."""
    assert 20 < len(summary(shipped_recipes()[name])) < 100


@pytest.mark.parametrize("wrong", ["a b", "a, version: 9.9.9", "..", "x}\nseed: 5"])
def test_an_answer_that_is_no_plain_word_is_refused(wrong: str, tmp_path: Path) -> None:
    """Nothing is left behind of it."""
    with pytest.raises(UsageError, match="expected"):
        write_recipe(
            tmp_path / "mine.yaml", Start(recipe="demo", name=wrong, licence="MIT", seed=1)
        )
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    """It may be somebody's work."""
    (tmp_path / "mine.yaml").write_text("path: m3exam\n", encoding="utf-8")
    with pytest.raises(UsageError, match="expected a new file"):
        write_recipe(
            tmp_path / "mine.yaml", Start(recipe="demo", name="mine", licence="MIT", seed=1)
        )
