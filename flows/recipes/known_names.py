"""The names that a release of this memassay may use: rules, stages of its path."""

from collections.abc import Mapping
from typing import Any

from memassay.exports.release.agreement.known import Known
from memassay.flows.engine.units import KEPT
from memassay.flows.recipes.plans import CHECKED, gates_of, unasked_rules
from memassay.flows.recipes.registry import missing_path
from memassay.flows.recipes.released import released_recipe
from memassay.flows.recipes.rule_list import all_rules
from memassay.flows.stages.check_stages import (
    RULES_ASKED,
    CompareStage,
    ReadStage,
    ValidateStage,
)
from memassay.flows.stages.releasing.release_stage import EXTENDS
from memassay.schemas.contracts.paths import MORE_QUESTIONS
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import MemassayError
from memassay.schemas.judgements.finding import Severity
from memassay.validators.certificates.certify import rules_sha256
from memassay.validators.check import OF_READERS, RULES


def known_names(recipe: Mapping[str, Any]) -> Known:
    """What a release may name, by the recipe in its manifest."""
    asked = _recipe(recipe)
    audited = set() if asked is None else set(unasked_rules(asked))
    ours = [rule for rule in RULES if rule.id not in audited and rule not in OF_READERS]
    return Known(
        rules={rule.id: Severity(rule.severity) for rule in all_rules()},
        stages=None if asked is None else {*gates_of(asked), *CHECKED, *_extending(asked)},
        checking={
            ReadStage.name: {rule.id for rule in OF_READERS},
            ValidateStage.name: {rule.id for rule in ours if rule.conversation_check},
            CompareStage.name: {rule.id for rule in ours if rule.judge},
        },
        asked={} if _has_new_sessions(recipe) else _numbers(recipe),
        missing=missing_path(recipe),
        same_rules=recipe.get(RULES_ASKED) == rules_sha256(),
    )


def _numbers(recipe: Mapping[str, Any]) -> dict[str, set[int]]:
    """Whole numbers of the sections of a recipe, by the name they stand under."""
    found: dict[str, set[int]] = {}
    for section in recipe.values():
        for name, value in section.items() if isinstance(section, dict) else ():
            if isinstance(value, int):
                found.setdefault(name, set()).add(value)
    before = recipe.get(EXTENDS)
    if isinstance(before, dict) and isinstance(before.get("recipe"), dict):
        for name, numbers in _numbers(before["recipe"]).items():
            found.setdefault(name, set()).update(numbers)
    return found


def _has_new_sessions(recipe: Mapping[str, Any]) -> bool:
    """Whether a release has questions of sessions at the end, beside those that it asks for."""
    before, extend = recipe.get(EXTENDS), recipe.get("extend")
    if isinstance(extend, dict) and extend.get("sessions"):
        return True
    return isinstance(before, dict) and _has_new_sessions(before.get("recipe") or {})


def _extending(recipe: PathRecipe) -> tuple[str, ...]:
    """Stages that only a recipe has which extends a release."""
    return (KEPT, MORE_QUESTIONS) if recipe.extend is not None else ()


def _recipe(recipe: Mapping[str, Any]) -> PathRecipe | None:
    """The recipe as its path reads it; None where it is of no path, or has gates of none."""
    asked = released_recipe(recipe)
    try:
        if asked is not None:
            gates_of(asked)
    except MemassayError:
        return None
    return asked
