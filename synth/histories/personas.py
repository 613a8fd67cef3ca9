"""The personas that a recipe names."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memassay.schemas.copies import with_copies
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import file_sha256
from memassay.synth.telling.spreading import spread_images
from memassay.synth.world.persona_file import (
    PERSONAS,
    SIDE_EVENTS,
    PersonaFile,
    known_personas,
    load_persona,
)

Retelling = Callable[[PersonaFile], PersonaFile]
"""How the cards of a persona are told in one conversation."""


class Personas:
    """The personas of a recipe, by id of a conversation."""

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
        found: dict[str, tuple[Path, PersonaFile]] = {}
        for name in names:
            path, persona = find_persona(name, folder)
            if persona.id in found:
                raise UsageError(f"personas: {persona.id} is named twice")
            found[persona.id] = path, spread_images(persona, images_a_round)
        self._take(found, copies)

    @classmethod
    def by_conversation(
        cls, lives: Mapping[str, tuple[str, Retelling]], folder: Path, copies: int = 1
    ) -> "Personas":
        """By id of each conversation, whose life it is and how it is told.

        One persona may have several lives; each draws by its own id.

        Raises:
            UsageError: A persona does not exist or does not fit.
            RecipeError: A copy would have the id of another.
        """
        personas = cls([], folder)
        found: dict[str, tuple[Path, PersonaFile]] = {}
        for name, (persona, retell) in lives.items():
            path, file = find_persona(persona, folder)
            found[name] = path, retell(file)
        personas._take(found, copies)
        return personas

    def _take(self, found: Mapping[str, tuple[Path, PersonaFile]], copies: int) -> None:
        lives = with_copies(found, copies)
        self.files = {name: path for name, (path, _) in lives.items()}
        self.by_id = {
            name: persona.model_copy(update={"id": name}) for name, (_, persona) in lives.items()
        }

    def hashes(self) -> dict[str, list[str]]:
        """By persona, the hashes of the files its history is drawn from."""
        side = file_sha256(SIDE_EVENTS)
        known = {path: file_sha256(path) for path in {*self.files.values()}}
        return {name: [known[path], side] for name, path in self.files.items()}


def find_persona(name: str, folder: Path) -> tuple[Path, PersonaFile]:
    """A persona that ships, or that a file beside the recipe holds, and where it is.

    Raises:
        UsageError: It does not exist or does not fit.
    """
    path = persona_path(name, folder)
    return path, load_persona(path)


def persona_path(name: str, folder: Path) -> Path:
    """Where a persona is that a recipe names.

    Raises:
        UsageError: It is no file, and none of that name ships.
    """
    if name.endswith(".yaml"):
        return folder / name
    if name not in known_personas():
        names = ", ".join(known_personas())
        raise UsageError(f"persona {name}: expected one of {names}, or a file")
    return PERSONAS / f"{name}.yaml"
