"""docs/authors.md is generated where it lists, and its recipes are recipes.

`PYTHONPATH=tests python tests/project/test_authors_page.py` writes the generated parts again.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest
import yaml
from click.testing import CliRunner, Result
from pydantic import BaseModel
from support.model_servers.asked import by_schema
from support.model_servers.own_server import OwnServer
from support.model_servers.running import running
from support.places import REPOSITORY

from memassay.cli import main as main_command
from memassay.flows.recipes.loading import load_recipe
from memassay.flows.recipes.plans import CHECKED, make_plan
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.contracts.author_sections import (
    ROLES,
    BestOfSection,
    ModelSection,
    models_by_role,
)
from memassay.synth.models.prompt_files import known_prompts, load_prompt
from memassay.synth.paths.m3exam.path import PATH
from memassay.synth.paths.m3exam.recipe import M3ExamRecipe

PAGE = REPOSITORY / "docs" / "authors.md"
PART = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end of \2 -->)", re.DOTALL)
FENCE = re.compile(r"^```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)
WORDS = {str: "text", int: "whole number", float: "number", bool: "yes or no"}


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _kind(annotation: Any) -> str:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0])
    if origin is Literal:
        return " or ".join(f"`{part}`" for part in parts)
    if origin is Union or type(annotation).__name__ == "UnionType":
        return " or ".join(_kind(part) for part in parts if part is not type(None))
    if origin is list:
        return f"list of {_kind(parts[0])}"
    return WORDS.get(annotation, "a model")


def _fields(model: type[BaseModel]) -> str:
    rows = [
        [f"`{name}`", _kind(field.annotation), field.description or "", _default(field)]
        for name, field in model.model_fields.items()
    ]
    return _table(["field", "holds", "meaning", "default"], rows)


def _default(field: Any) -> str:
    if field.is_required():
        return ""
    return "none" if field.default in (None, []) else f"`{field.default}`"


def _tasks() -> str:
    rows = []
    for role in ROLES:
        names = [f"`{one}`" for one in known_prompts() if load_prompt(one).about.role == role]
        rows.append([f"`{role}`", ", ".join(names)])
    return _table(["role", "tasks"], rows)


GENERATED: dict[str, Callable[[], str]] = {
    "model": lambda: _fields(ModelSection),
    "best_of": lambda: _fields(BestOfSection),
    "tasks": _tasks,
}


@pytest.fixture(scope="module")
def page() -> str:
    """The text of the page."""
    return PAGE.read_text(encoding="utf-8")


def _calls(text: str) -> list[str]:
    """The arguments of every `memassay` command of a page."""
    return re.findall(r"^memassay (.+)$", text, re.MULTILINE)


def _end(call: str) -> Result:
    """What comes of a command; runs are in this process, which is what differs from the page."""
    plain = ["--runner", "plain"] if call.startswith("run ") and "--estimate" not in call else []
    return CliRunner().invoke(main_command, [*shlex.split(call), *plain])


def _recipes(text: str) -> Iterator[dict[str, Any]]:
    """The recipes of a page: YAML blocks, completed by what a recipe cannot do without."""
    for block in FENCE.findall(text):
        document = yaml.safe_load(block)
        usual = {"path": "m3exam", "personas": ["wei-courier"]}
        yield {**usual, **document} if "author" in document else {}


@pytest.mark.parametrize("name", GENERATED)
def test_what_is_generated_is_up_to_date(page: str, name: str) -> None:
    """A table of the page is what the code says."""
    shown = {part[2]: part[0] for part in PART.finditer(page)}
    assert GENERATED[name]() in shown[name]


def test_every_recipe_of_the_page_makes_a_plan(page: str, tmp_path: Path) -> None:
    """Each snippet with an author is accepted, and no role is without a model."""
    made = [one for one in _recipes(page) if one]
    assert len(made) >= 6
    with open_workspace(tmp_path / "ws", create=True) as workspace:
        for at, document in enumerate(made):
            path = tmp_path / f"recipe-{at}.yaml"
            path.write_text(yaml.safe_dump(document), encoding="utf-8")
            recipe = load_recipe(path)
            assert isinstance(recipe, M3ExamRecipe)
            assert not isinstance(recipe.author, str)
            assert set(models_by_role(recipe.author)) == set(ROLES)
            plan = make_plan(recipe, path.stem, tmp_path, workspace)
            assert {stage.name for stage in plan.stages} <= {*PATH.gates(recipe), *CHECKED}


@pytest.mark.ci
def test_every_command_of_the_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the estimate to the replay, against a server that refuses what llama-cpp-python does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    whole = [one for one in _recipes(page) if "release" in one]
    with running(OwnServer(["json_object"], by_schema).app) as address:
        for name, recipe in zip(("try.yaml", "my-recipe.yaml"), whole, strict=True):
            recipe["author"] |= {"base_url": f"{address}/v1"}
            small = {"sizes": whole[0]["sizes"], "questions": whole[0]["questions"]}
            Path(name).write_text(yaml.safe_dump(recipe | small), encoding="utf-8")
        ends = {call: _end(call) for call in _calls(page)}
    assert len(ends) == 8
    assert {call: done.output for call, done in ends.items() if done.exit_code != 0} == {}


def test_every_stage_of_paper_mode_is_told(page: str) -> None:
    """The page names what each stage does in paper mode."""
    for stage in ("timeline", "dialogue", "extraction", "questions"):
        assert f"**{stage}**" in page


def main() -> None:
    """Write the generated parts anew."""
    text = PAGE.read_text(encoding="utf-8")
    made = PART.sub(lambda one: f"{one[1]}{GENERATED[one[2]]()}{one[3]}", text)
    PAGE.write_text(made, encoding="utf-8")


if __name__ == "__main__":
    main()
