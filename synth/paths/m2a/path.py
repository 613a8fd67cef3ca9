"""The path `m2a`: guest sessions about pictured concepts in long conversations (M2A §4.4)."""

from typing import Final

from memassay.schemas.benchmarks.m2a import BENCHMARK
from memassay.schemas.contracts.paths import (
    Estimate,
    OpenContext,
    Setting,
    SynthesisPath,
    Visitors,
)
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import RecipeError
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.models.best_of import refuse_best_of
from memassay.synth.paths.m2a.estimate import RANGE, guest_tallies, hosts_of
from memassay.synth.paths.m2a.figures import M2A_FIGURES
from memassay.synth.paths.m2a.hosts.stage import HostStage
from memassay.synth.paths.m2a.inject import GuestVisitors
from memassay.synth.paths.m2a.recipe import NAME, M2ARecipe

IMPORT: Final = "import"
"""Name of the stage that takes other people's conversations in."""
ROLES_USED: Final = ("guests",)
"""Roles of the models that write on this path."""
INJECT: Final = "inject"
"""Name of the stage in which guests join."""


def _stages(recipe: M2ARecipe, setting: Setting) -> list[Stage]:
    if bool(recipe.sources) == bool(recipe.hosts.count):
        raise RecipeError(
            "hosts: expected either a `count` of them or `sources` of others, got "
            + ("both" if recipe.sources else "neither")
        )
    if recipe.sources:
        return [setting.importing(recipe.sources)]
    return [HostStage(recipe.hosts, recipe.copies)]


def _visitors(recipe: M2ARecipe, setting: Setting) -> list[Visitors]:
    return [_guests(recipe, setting)]


def _guests(recipe: M2ARecipe, setting: Setting) -> GuestVisitors:
    refuse_best_of(recipe.author, recipe.best_of)
    return GuestVisitors(recipe.concepts, recipe.guests, setting.folder, recipe.models(ROLES_USED))


def _gates(recipe: M2ARecipe) -> dict[str, GateSection]:
    hosts = IMPORT if recipe.sources else HostStage.name
    if recipe.writing is None:
        return {hosts: GateSection(), INJECT: GateSection()}
    # A question that no query proves always goes to people.
    usual = GateSection(policy="sample")
    gate = recipe.gates.get(INJECT, usual)
    if gate.policy == "auto" or gate.on_warning == "pass":
        raise RecipeError(
            f"gates.{INJECT}: expected policy sample or all, and on_warning review, where a model "
            f"writes the guests, got policy {gate.policy}, on_warning {gate.on_warning}; people "
            "decide about its questions, since no query proves them"
        )
    return {hosts: GateSection(), INJECT: usual}


def _estimate(recipe: M2ARecipe, setting: Setting, open_context: OpenContext) -> Estimate:
    """Draw the guests of every host, and tally what a model would be asked about them."""
    stage = _stages(recipe, setting)[0]
    hosts = hosts_of(stage, open_context)
    tallies = guest_tallies(_guests(recipe, setting), hosts)
    return Estimate(tallies.by_role, RANGE, "no session and no question is sent back")


PATH: Final = SynthesisPath(
    name=NAME,
    recipe=M2ARecipe,
    stages=_stages,
    benchmark=BENCHMARK,
    gates=_gates,
    visitors=_visitors,
    rules=SYNTHESIS_RULES,
    figures=M2A_FIGURES,
    estimate=_estimate,
)
