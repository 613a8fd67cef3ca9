"""The registry of what the stages of synthesis report about their own work."""

from collections.abc import Mapping
from typing import Final

from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.errors import RecipeError
from memassay.schemas.judgements.finding import Finding, Severity

SYNTHESIS_RULES = RuleRegistry()
"""Rules whose breaches a stage of synthesis finds while it works."""

UNPROVEN: Final = SYNTHESIS_RULES.declare(
    "questions.unproven",
    Severity.WARNING,
    "A question that a model proposes has a query that gives its gold; else a person decides.",
    "design, paper mode: a question without an executable query goes to review",
)

SHORTFALL: Final = SYNTHESIS_RULES.declare(
    "questions.shortfall",
    Severity.WARNING,
    "A history holds as many questions of each type as the recipe asks for.",
    "M3Exam A.3, per-type target count",
)


def unproven(item: str) -> Finding:
    """A question has no query."""
    said = f"{item}.query: expected a query that proves the gold, got 'none'"
    return UNPROVEN.finding(item, "/query", said, "Let a person decide: `memassay review list`.")


def people_decide(gates: Mapping[str, GateSection], stage: str) -> GateSection:
    """The usual gate of a stage in which models write questions; people see the unproven ones.

    Args:
        gates: The gates of a recipe.
        stage: Name of the stage.

    Raises:
        RecipeError: The recipe has a gate that would let them pass.
    """
    usual = GateSection(policy="sample")
    gate = gates.get(stage, usual)
    if gate.policy == "auto" or gate.on_warning == "pass":
        raise RecipeError(
            f"gates.{stage}: expected policy sample or all, and on_warning review, in mode paper, "
            f"got policy {gate.policy}, on_warning {gate.on_warning}; models wrote the questions, "
            "people decide about those that no query proves"
        )
    return usual
