"""Guests about pictured concepts in the gaps of a host (M2A §4.4)."""

from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from memassay.schemas.changes.interpolation import gaps, interpolated
from memassay.schemas.changes.merging import Visit, merged
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Path as SynthesisPath
from memassay.synth.concepts.drawn import drawn_concepts
from memassay.synth.concepts.groups import concept_group
from memassay.synth.concepts.library import ConceptSource, read_concepts
from memassay.synth.paths.m2a.findings import fewer, no_gap
from memassay.synth.paths.m2a.guests.author import GuestQuestions, Guests, write_guests
from memassay.synth.paths.m2a.recipe import ConceptsSection, GuestsSection

SESSIONS: Final = (5, 6)
"""Sessions of a guest, drawn uniformly (M2A C, step 2)."""


class GuestVisitors:
    """Guests about concepts."""

    def __init__(self, concepts: ConceptsSection, guests: GuestsSection, folder: Path) -> None:
        """Find the concepts.

        Raises:
            SourceError: Their folder holds none, or a file of it cannot be read.
        """
        self.guests = guests
        self.concepts = None if concepts.folder is None else read_concepts(folder / concepts.folder)
        self.licence = concepts.licence
        self.config: dict[str, Any] = {
            "guests": guests.model_dump(mode="json"),
            "concepts": content_hash([_state(one) for one in self.concepts or ()]),
        }

    def join(self, host: Bundle, context: StageContext) -> Bundle:
        """The host with its guests; a host without a gap that is long enough stays as it is."""
        taken: list[str] = []
        for number in range(1, self.guests.groups + 1):
            host = self._visited(host, f"guest{number}", taken, context)
        talk = host.conversation.model_copy(update={"path": SynthesisPath.M2A, "collection": "m2a"})
        return host.model_copy(update={"conversation": talk})

    def _visited(self, host: Bundle, name: str, taken: list[str], context: StageContext) -> Bundle:
        random = context.random("inject", name)
        sessions = random.choice(SESSIONS)
        least = timedelta(days=self.guests.gap_days * (sessions + 1))
        found = gaps(host.conversation, least)
        if not found:
            context.emit(no_gap(host.id, least))
            return host
        gap = random.choice(found)
        randoms = partial(context.random, name)
        concepts = self.concepts or drawn_concepts(randoms, f"{host.id}/{name}")
        group = concept_group(concepts, random, taken)
        taken += [one.concept.name for one in group]
        owner, friend = random.sample(host.conversation.speakers[:2], 2)
        dates = interpolated(gap, sessions)
        guests = Guests(f"{host.id}.{name}", group, owner, friend, dates, self.licence)
        asks = GuestQuestions(self.guests.questions, self.guests.visual)
        written = write_guests(guests, asks, context.blobs, randoms)
        for finding in fewer(host.id, name, written):
            context.emit(finding)
        return merged(host, written.bundle, Visit(name, gap.after, dates, {})).bundle


def _state(concept: ConceptSource) -> list[Any]:
    """What guests depend on of a concept."""
    images = [image.name for image in (*concept.shown, *concept.held_out)]
    return [concept.name, concept.category, images]
