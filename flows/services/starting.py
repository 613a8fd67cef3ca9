"""A first recipe: those that ship with the package, and a copy of one for somebody's own."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Final

from memassay.flows.recipes.loading import load_recipe
from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError

_SAMPLES: Final = re.compile(r"(?<=path: )(?=samples/)")
"""Where a recipe that ships names sample data, which lies beside it and not beside a copy."""


class Start(Shape):
    """What somebody's own recipe starts from, and what it changes."""

    recipe: str
    name: str
    licence: str
    seed: int


def shipped_recipes() -> dict[str, Path]:
    """The recipes that ship, by name."""
    folder = Path(str(files("memassay.recipes")))
    return {path.stem: path for path in sorted(folder.glob("*.yaml"))}


def shipped_recipe(name: str) -> Path:
    """One of the recipes that ship.

    Raises:
        UsageError: None has this name.
    """
    known = shipped_recipes()
    if name not in known:
        raise UsageError(
            f"recipe: expected one of {', '.join(known)}, got {name!r}; name one of them"
        )
    return known[name]


def shipped_replies(name: str) -> Path | None:
    """Replies of models that ship for a recipe, so that it runs without a key; None without any."""
    folder = Path(str(files("memassay.recipes"))) / "samples" / "replies" / name
    return folder if folder.is_dir() else None


def is_shipped(recipe: Path) -> bool:
    """Whether a recipe ships with the package: nothing of a user's belongs beside it."""
    return recipe.resolve().parent == Path(str(files("memassay.recipes"))).resolve()


def find_recipe(recipe: str) -> Path:
    """A recipe by its file, or by its name if it ships.

    Raises:
        UsageError: There is no such file, and no such name.
    """
    path = Path(recipe)
    if path.is_file():
        return path
    if path.suffix or len(path.parts) > 1:
        raise UsageError(f"{recipe}: expected a recipe, got no such file; check the path")
    return shipped_recipe(recipe)


def summary(recipe: Path) -> str:
    """What a recipe says of itself: how the comment at its top begins."""
    lines = recipe.read_text(encoding="utf-8").splitlines()
    comment = " ".join(line.lstrip("# ") for line in lines if line.startswith("#"))
    return re.split(r"[.:] ", comment, maxsplit=1)[0]


def check_new(path: Path) -> None:
    """Refuse a file that is there already.

    Raises:
        UsageError: It is.
    """
    if path.exists():
        raise UsageError(f"{path}: expected a new file, got one that exists; name another")


def write_recipe(path: Path, start: Start) -> None:
    """Write a recipe that starts from one that ships, with its comments.

    Raises:
        UsageError: The file is there already, no such recipe ships, or an answer does not fit.
    """
    check_new(path)
    source = shipped_recipe(start.recipe)
    text = source.read_text(encoding="utf-8")
    text = _SAMPLES.sub(f"{source.parent.as_posix()}/", text)
    text = re.sub(r"(?m)^seed: \d+", f"seed: {start.seed}", text)
    head, release, rest = text.partition("\nrelease:")
    rest = re.sub(r"(?<=name: )[\w-]+", start.name, rest, count=1)
    rest, found = re.subn(r"(?<=licence: )[\w.-]+", start.licence, rest, count=1)
    if not found:
        rest = rest.replace(
            f"name: {start.name}", f"name: {start.name}, licence: {start.licence}", 1
        )
    path.write_text(head + release + rest, encoding="utf-8")
    try:
        _check(path, start)
    except UsageError:
        path.unlink()
        raise


def _check(path: Path, start: Start) -> None:
    written = load_recipe(path)
    got = Start(
        recipe=start.recipe,
        name=written.release.name,
        licence=written.release.licence or "",
        seed=written.seed,
    )
    if got != start:
        raise UsageError(f"{path}: expected {start}, got {got}; give plain words")
