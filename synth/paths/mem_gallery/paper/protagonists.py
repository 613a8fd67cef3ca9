"""Who stories are about: personas, what a recipe says of somebody, or whom a model invents."""

from collections.abc import Mapping

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.copies import with_copies
from memassay.schemas.errors import RecipeError
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.persona import Persona, persona_id
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.mem_gallery.tasks import story_profile
from memassay.synth.world.maker import persona_of


class Protagonists:
    """The protagonists of a recipe, by the id of their conversation."""

    def __init__(self, personas: Personas, profiles: Mapping[str, str], copies: int) -> None:
        """Take personas, and what the recipe says of others: nothing, and a model invents them.

        Raises:
            RecipeError: Two have the same id.
        """
        self.personas = personas
        self.told = with_copies(profiles, copies)
        twice = sorted(self.told.keys() & personas.by_id.keys())
        if twice:
            raise RecipeError(
                f"stories.profiles.{twice[0]}: expected an id of its own, got that of a persona"
            )

    def hashes(self) -> dict[str, list[str]]:
        """By id, the hashes of what a protagonist is made of."""
        told = {name: [content_hash(about)] for name, about in self.told.items()}
        return self.personas.hashes() | told

    def persona(self, name: str, context: StageContext) -> Persona:
        """A protagonist, with the themes of the story.

        Raises:
            AuthorError: The model that was to invent it gave no usable reply.
        """
        known = self.personas.by_id.get(name)
        if known is not None:
            return persona_of(known)
        made = context.write(story_profile(self.told[name], name))
        return Persona(
            id=persona_id(name),
            conversation=name,
            name=made.name,
            profession=made.profession,
            summary=made.summary,
            traits=made.traits,
            style=made.style,
            core_event=made.story,
            domains=made.themes,
        )
