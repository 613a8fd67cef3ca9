"""The samples of a recipe: which vertical each is made from, by its name alone."""

from functools import cached_property
from pathlib import Path

from memassay.schemas.errors import RecipeError
from memassay.schemas.hashing import content_hash
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import LIBRARY, LIFE
from memassay.synth.paths.worldmemarena.lifelong.sample import Plan
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Sizes
from memassay.synth.paths.worldmemarena.recipe import WorldMemArenaRecipe


class Samples:
    """The samples of a recipe, each the same however many there are."""

    def __init__(self, recipe: WorldMemArenaRecipe, folder: Path) -> None:
        """Take a recipe and the folder that its paths are relative to.

        Raises:
            RecipeError: A vertical has no file, or there are no samples.
        """
        self.recipe = recipe
        self.folder = folder / recipe.verticals if recipe.verticals is not None else LIBRARY
        counts = {**recipe.projects, LIFE: recipe.lives}
        self.names = {
            f"{vertical}-{number:02d}": vertical
            for vertical, count in counts.items()
            for number in range(1, count + 1)
        }
        missing = [name for name in dict.fromkeys(self.names.values()) if not self._file(name)]
        if missing:
            raise RecipeError(
                f"projects: expected verticals of {self.folder}, got {', '.join(missing)}"
            )
        if not self.names:
            raise RecipeError("projects: expected at least one project or life, got none")

    def _file(self, vertical: str) -> Path | None:
        file = self.folder / f"{vertical}.yaml"
        return file if file.is_file() else None

    @cached_property
    def states(self) -> dict[str, str]:
        """By vertical, the hash of all that a sample of it depends on."""
        rest = self.recipe.model_dump(mode="json", include={"seed", "sizes", "evidence_distance"})
        return {
            vertical: content_hash([(self._file(vertical) or LIBRARY).read_text("utf-8"), rest])
            for vertical in dict.fromkeys(self.names.values())
        }

    def state(self, name: str) -> str:
        """The hash of all that a sample depends on."""
        return self.states[self.names[name]]

    def plan(self, name: str) -> Plan:
        """What a sample is made of."""
        file = self._file(self.names[name])
        assert file is not None  # it was looked up before
        return Plan(
            name=name,
            vertical=file,
            seed=str(self.recipe.seed),
            sizes=Sizes(**self.recipe.sizes.model_dump()),
            distance=self.recipe.evidence_distance,
        )
