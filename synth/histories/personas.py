"""The personas that a recipe names."""

from collections.abc import Sequence
from pathlib import Path

from memassay.schemas.copies import with_copies
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import file_sha256
from memassay.synth.telling.spreading import spread_images
from memassay.synth.world.persona_file import PERSONAS, SIDE_EVENTS, PersonaFile, load_persona


class Personas:
    """The personas of a recipe, by id."""

    def __init__(
        self,
        names: Sequence[str],
        folder: Path,
        copies: int = 1,
        images_a_round: int | None = None,
    ) -> None:
        """Find the persona files: a name that ships, or a path relative to the recipe.

        Args:
            names: Names and paths.
            folder: What paths are relative to.
            copies: How many lives each of them has.
            images_a_round: How many images a round shows at most; None: as the cards have them.

        Raises:
            UsageError: One does not exist, does not fit, or two have the same id.
            RecipeError: A copy would have the id of another.
        """
        files: dict[str, Path] = {}
        found: dict[str, PersonaFile] = {}
        for name in names:
            path = folder / name if name.endswith(".yaml") else PERSONAS / f"{name}.yaml"
            persona = load_persona(path)
            if persona.id in found:
                raise UsageError(f"personas: {persona.id} is named twice")
            found[persona.id] = spread_images(persona, images_a_round)
            files[persona.id] = path
        self.files = with_copies(files, copies)
        self.by_id = {
            name: persona.model_copy(update={"id": name})
            for name, persona in with_copies(found, copies).items()
        }

    def hashes(self) -> dict[str, list[str]]:
        """By persona, the hashes of the files its history is drawn from."""
        side = file_sha256(SIDE_EVENTS)
        known = {path: file_sha256(path) for path in {*self.files.values()}}
        return {name: [known[path], side] for name, path in self.files.items()}
