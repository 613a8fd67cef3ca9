"""Every path that a recipe can name: that of other people's data, and those that make data."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from memassay.flows.stages.path import PATH as CURATE
from memassay.schemas.contracts.paths import AnyPath, benchmark_of
from memassay.synth.paths.registry import paths

PATHS: Final[Mapping[str, AnyPath]] = paths(CURATE)
"""Paths by the name that recipes give."""


def codes_of(names: Iterable[str]) -> dict[str, list[str]]:
    """By path, the codes of its types of questions; a path without any is left out."""
    found = {name: sorted(benchmark_of(name, PATHS).types) for name in names if name in PATHS}
    return {name: codes for name, codes in sorted(found.items()) if codes}


def missing_path(recipe: Mapping[str, Any]) -> str:
    """The path of a release's recipe if no installed package declares it; else nothing."""
    name = recipe.get("path")
    return name if isinstance(name, str) and name not in PATHS else ""
