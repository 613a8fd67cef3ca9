"""Every path that a recipe can name: that of other people's data, and those that make data."""

from collections.abc import Mapping
from typing import Final

from memassay.flows.stages.path import PATH as CURATE
from memassay.schemas.contracts.paths import AnyPath
from memassay.synth.paths.registry import paths

PATHS: Final[Mapping[str, AnyPath]] = paths(CURATE)
"""Paths by the name that recipes give."""
