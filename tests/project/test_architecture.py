"""The pictures of docs/architecture.md are those of the code."""

import importlib.util
import re
from pathlib import Path
from pkgutil import resolve_name
from types import ModuleType

import pytest

WALK = re.compile(r"^### (One .+)\n\n((?:\d+\. .*\n(?: .*\n)*)+)", re.MULTILINE)
STEP = re.compile(r"^\d+\. `([\w.]+)`", re.MULTILINE)


@pytest.fixture(scope="module")
def page(repository: Path) -> str:
    """The text of docs/architecture.md."""
    return (repository / "docs" / "architecture.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def drawing(repository: Path) -> ModuleType:
    """The script that draws the pictures."""
    path = repository / "docs" / "images" / "make_architecture.py"
    spec = importlib.util.spec_from_file_location("make_architecture", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_show_the_code_as_it_is(drawing: ModuleType, repository: Path) -> None:
    """Drawn again, each is the same; `python docs/images/make_architecture.py` draws them."""
    found = drawing.pictures(repository / "pyproject.toml")
    fresh = {f"{name}.svg": drawing.drawn(picture) for name, picture in found.items()}
    folder = repository / "docs" / "images"
    assert {path.name for path in folder.glob("architecture*.svg")} == fresh.keys()
    stale = [name for name, text in fresh.items() if (folder / name).read_text("utf-8") != text]
    assert stale == []


def test_every_picture_is_shown(drawing: ModuleType, repository: Path, page: str) -> None:
    """The page has one picture of the boxes, and one of each box inside."""
    names = drawing.pictures(repository / "pyproject.toml")
    assert [name for name in names if f"(images/{name}.svg)" not in page] == []


def test_the_walks_lead_through_functions_that_exist(page: str) -> None:
    """A question, an edit and a model call go at most ten steps, each a function of ours."""
    walks = {title: STEP.findall(steps) for title, steps in WALK.findall(page)}
    assert [title.split()[1].strip(",") for title in walks] == ["question", "edit", "model"]
    assert all(1 < len(steps) <= 10 for steps in walks.values())
    found = [resolve_name(f"memassay.{name}") for steps in walks.values() for name in steps]
    assert all(callable(one) for one in found)
