"""What a release holds, compared with what its recipe gives when it is made again."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from memassay.exports.release.agreement.identity import is_ours
from memassay.exports.release.check import ReleaseCheck
from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes.plans import setting_of
from memassay.flows.recipes.registry import PATHS
from memassay.flows.recipes.released import released_recipe
from memassay.flows.stages.check_stages import RULES_ASKED, rules_sha256
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.contracts.recipes import PathRecipe
from memassay.schemas.errors import UsageError
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import Decision, HeldOut, ReasonCode

_WORDINGS: Final = ("/answer/equivalents", "/answer/coarser")
"""What is derived from a gold, and has rules of its own."""
_NOWHERE: Final = Path("/nonexistent")


def made_again(found: ReleaseCheck) -> list[Finding]:
    """Findings about what does not follow from the recipe; none where it cannot be made again.

    A conversation in which people changed anything may differ from what was made; so may a question
    that they changed.
    """
    recipe = released_recipe(found.recipe) if is_ours(found.recipe) else None
    again = PATHS[recipe.path].again if recipe is not None else None
    if recipe is None or again is None or _changed_later(recipe):
        return []
    blobs = BlobFolder(_NOWHERE)  # nothing is drawn
    setting = setting_of(_NOWHERE, _NOWHERE)
    edited = _edited(found.decisions)
    questions = {item.id for bundle in found.bundles for item in bundle.questions}

    def open_context(stage: str, shard: str) -> UnitContext:
        return UnitContext(recipe.seed, stage, shard, blobs)

    untouched = [
        bundle
        for bundle in found.bundles
        if bundle.id not in {one.partition("/")[0] for one in edited - questions}
    ]
    try:
        findings = list(again(recipe, setting, open_context, untouched))
    except UsageError:  # a persona file of the user's own
        return []
    if found.recipe.get(RULES_ASKED) != rules_sha256():
        # The program was another: it may have worded the same answers in other ways.
        findings = [one for one in findings if one.pointer not in _WORDINGS]
    held_out = {one.record for one in found.records.get("held_out", ()) if isinstance(one, HeldOut)}
    return [one for one in findings if one.target not in edited | held_out]


def _changed_later(recipe: PathRecipe) -> bool:
    """Whether what a path makes is joined, dated, visited or extended, which the path knows not."""
    return any((recipe.cluster, recipe.interpolate, recipe.inject, recipe.extend))


def _edited(decisions: Iterable[Decision]) -> set[str]:
    """Ids of the records that people changed; what they left as it was is as it was made."""
    after = ReasonCode.CORRECT_AFTER_EDIT
    return {decision.decided for decision in decisions if decision.reason == after}
