"""The personas that a recipe names."""

from collections.abc import Sequence
from pathlib import Path

from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import file_sha256
from memassay.synth.world.persona_file import PERSONAS, SIDE_EVENTS, PersonaFile, load_persona


class Personas:
    """The personas of a recipe, by id."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        """Find the persona files: a name that ships, or a path relative to the recipe.

        Raises:
            UsageError: One does not exist, does not fit, or two have the same id.
        """
        self.files: dict[str, Path] = {}
        self.by_id: dict[str, PersonaFile] = {}
        for name in names:
            path = folder / name if name.endswith(".yaml") else PERSONAS / f"{name}.yaml"
            persona = load_persona(path)
            if persona.id in self.by_id:
                raise UsageError(f"personas: {persona.id} is named twice")
            self.by_id[persona.id], self.files[persona.id] = persona, path

    def hashes(self) -> dict[str, list[str]]:
        """By persona, the hashes of the files its history is drawn from."""
        side = file_sha256(SIDE_EVENTS)
        return {name: [file_sha256(path), side] for name, path in self.files.items()}
