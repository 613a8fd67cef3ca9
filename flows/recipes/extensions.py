"""What a recipe adds to a release: the stages that come behind those that make what is new."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memassay.flows.recipes.registry import PATHS
from memassay.flows.recipes.released import released_recipe
from memassay.flows.stages.extending.kept import KeptStage, Parent
from memassay.flows.stages.extending.sessions import ROLES_USED, NewSessionsStage
from memassay.schemas.contracts.paths import Setting, benchmark_of
from memassay.schemas.contracts.protocols import Stage
from memassay.schemas.contracts.recipes import GateSection, PathRecipe
from memassay.schemas.errors import RecipeError, UsageError


@dataclass(frozen=True)
class Extending:
    """Stages that take a release over and add to it; none where nothing is extended.

    Attributes:
        stages: In order.
        like: By name of a stage, the stage whose gate it shares.
    """

    stages: Sequence[Stage] = ()
    like: Mapping[str, str] | None = None

    def gates(self, known: Mapping[str, GateSection]) -> dict[str, GateSection]:
        """The gates that its stages share with others."""
        like = self.like or {}
        return {name: known[other] for name, other in like.items() if other in known}


def extending(recipe: PathRecipe, parent: Parent | None, setting: Setting) -> Extending:
    """What a recipe adds to the conversations of a release.

    Raises:
        RecipeError: The recipe cannot extend that release.
        UsageError: The release cannot be extended.
    """
    if parent is None:
        if recipe.extend is not None:
            raise RecipeError(
                "extend: expected a release to add to, got none; `memassay extend` takes both"
            )
        return Extending()
    before = _recipe_before(recipe, parent)
    asking = PATHS[recipe.path].more_questions(before, recipe, parent.conversations, setting)
    stages: list[Stage] = [KeptStage(parent), *asking.values()]
    if recipe.extend is not None and recipe.extend.sessions:
        models = recipe.models(ROLES_USED)
        stages.append(
            NewSessionsStage(
                parent.conversations,
                recipe.extend,
                models,
                lambda collection: benchmark_of(collection, PATHS),
                {} if models else PATHS[recipe.path].continuations(recipe, setting),
            )
        )
    return Extending(stages, {stage.name: other for other, stage in asking.items()})


def with_release_of(recipe: PathRecipe, parent: Parent | None) -> PathRecipe:
    """A recipe whose release is that of the parent where it says nothing; layouts are kept.

    Raises:
        RecipeError: The recipe cannot extend that release.
        UsageError: The release has no recipe that we can read.
    """
    if parent is None:
        return recipe
    before, said = _recipe_before(recipe, parent).release, recipe.release
    own = {name: getattr(said, name) for name in said.model_fields_set}
    formats = [*dict.fromkeys([*before.formats, *said.formats])]
    release = before.model_copy(update={**own, "formats": formats})
    return recipe.model_copy(update={"release": release})


def _recipe_before(recipe: PathRecipe, parent: Parent) -> PathRecipe:
    """The recipe of the release.

    Raises:
        RecipeError: The recipe cannot extend it.
        UsageError: There is none that we can read.
    """
    folder, made = parent.release.folder, parent.manifest.recipe
    before = released_recipe(made)
    if before is None:
        raise UsageError(
            f"{folder}: expected a release made from a recipe that this memassay reads, got another"
            "; only such a release can be extended"
        )
    if before.path != recipe.path:
        raise RecipeError(
            f"path: expected {before.path}, which {parent.manifest.name} was made by, got "
            f"{recipe.path}; a release is extended by a recipe of its own path"
        )
    if recipe.cluster is not None or before.cluster is not None:
        raise RecipeError(
            "cluster: expected a recipe and a release without it, as lives of new dialogues could "
            "be those of old ones; make the data set again with all dialogues"
        )
    return before
