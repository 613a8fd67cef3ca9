"""Guests about pictured concepts in the gaps of a host (M2A §4.4)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from memassay.schemas.changes.interpolation import Gap, gaps, interpolate
from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import Precision, precision, start
from memassay.synth.concepts.drawn import drawn_concepts, drawn_looks
from memassay.synth.concepts.groups import concept_group
from memassay.synth.concepts.library import ConceptSource, read_concepts
from memassay.synth.paths.m2a.findings import fewer, no_gap
from memassay.synth.paths.m2a.guests.author import GuestQuestions, Guests, write_guests
from memassay.synth.paths.m2a.guests.by_model import Visiting, write_by_model
from memassay.synth.paths.m2a.recipe import NAME, ConceptsSection, GuestsSection

SESSIONS: Final = (5, 6)
"""Sessions of a guest, drawn uniformly (M2A C, step 2)."""


AWAKE: Final = (8 * 60, 22 * 60)
"""Minutes of the day between which people talk (our choice)."""


def visit_dates(gap: Gap, sessions: int, random: Random) -> list[str]:
    """When guests come: equal parts of a gap (M2A C, eq. 7), moved by up to a third (our choice).

    Equal parts put a talk at four in the morning, and each as long after the last one as that was
    after the one before it. In parts of less than a day nothing is moved.
    """
    equal = interpolate(gap, sessions)
    part = (gap.length // (sessions + 1)).days
    if part < 1:
        return equal
    return [_move(moment, random.randint(-(part // 3), part // 3), random) for moment in equal]


def _move(moment: str, days: int, random: Random) -> str:
    moved = start(moment) + timedelta(days=days)
    if precision(moment) is Precision.DAY:
        return moved.date().isoformat()
    midnight = datetime(moved.year, moved.month, moved.day)
    talk = midnight + timedelta(minutes=random.randrange(*AWAKE))
    return talk.isoformat(timespec="seconds")[: len(moment)]


class GuestVisitors:
    """Guests about concepts."""

    def __init__(
        self,
        concepts: ConceptsSection,
        guests: GuestsSection,
        folder: Path,
        models: Mapping[str, Any] | None = None,
    ) -> None:
        """Find the concepts.

        Args:
            concepts: Where they come from.
            guests: How many guests there are, and how much is asked about them.
            folder: What paths are relative to.
            models: Which models write; None for the simulator.

        Raises:
            SourceError: Their folder holds none, or a file of it cannot be read.
        """
        self.guests = guests
        self.concepts = None if concepts.folder is None else read_concepts(folder / concepts.folder)
        self.licence = concepts.licence
        self.config: dict[str, Any] = {
            "guests": guests.model_dump(mode="json", exclude={"repairs"}),
            "concepts": content_hash([_state(one) for one in self.concepts or ()]),
        }
        if models is not None:
            self.config |= {"models": models, "repairs": guests.repairs}

    def join(self, host: Bundle, context: StageContext) -> Bundle:
        """The host with its guests; a host without a gap that is long enough stays as it is.

        Raises:
            AuthorError: A model gave no usable reply.
        """
        taken: list[str] = []
        for number in range(1, self.guests.groups + 1):
            host = self._visit(host, f"guest{number}", taken, context)
        talk = host.conversation.model_copy(update={"path": NAME, "collection": NAME})
        questions = [_with_code(item) for item in host.questions]
        return host.model_copy(update={"conversation": talk, "questions": questions})

    def _visit(self, host: Bundle, name: str, taken: list[str], context: StageContext) -> Bundle:
        found = self.visit(host, name, taken, context)
        if found is None:
            return host
        asks = GuestQuestions(self.guests.questions, self.guests.visual)
        if "models" in self.config:
            written = write_by_model(found, asks, self.guests.repairs, context)
        else:
            randoms = partial(context.random, name)
            written = write_guests(found.guests, asks, context.blobs, randoms)
        if written is None:
            return host
        for finding in fewer(host.id, name, written):
            context.emit(finding)
        visit = Visit(name, found.gap.after, found.guests.dates, {})
        return merge_guest(host, written.bundle, visit).bundle

    def visit(
        self, host: Bundle, name: str, taken: list[str], context: StageContext
    ) -> Visiting | None:
        """Who comes in which gap of a host; None where it has none that is long enough.

        Args:
            host: The host.
            name: Of the guests, unique in the host.
            taken: Names of concepts that are in the host already; those of the guests join them.
            context: Draws.
        """
        random = context.random("inject", name)
        sessions = random.choice(SESSIONS)
        least = timedelta(days=self.guests.gap_days * (sessions + 1))
        found = gaps(host.conversation, least)
        if not found:
            context.emit(no_gap(host.id, least))
            return None
        gap = random.choice(found)
        randoms = partial(context.random, name)
        concepts = self.concepts or drawn_concepts(randoms, f"{host.id}/{name}")
        # A new picture of a guest would show as well what the host, or another guest, has.
        seen = drawn_looks(host.assets)
        group = concept_group([one for one in concepts if one.look not in seen], random, taken)
        taken += [one.concept.name for one in group]
        owner, friend = random.sample(host.conversation.speakers[:2], 2)
        dates = visit_dates(gap, sessions, random)
        known = frozenset((one.attribute, one.value.text) for one in host.facts)
        guests = Guests(f"{host.id}.{name}", group, owner, friend, dates, self.licence, known)
        return Visiting(guests, host, gap, name)


def _with_code(item: QAItem) -> QAItem:
    """A question with M2A's code: LoCoMo's 5, adversarial, is that of pictures here (§5.1)."""
    if item.answerable or item.benchmark_type != "5":
        return item
    return item.model_copy(update={"benchmark_type": "adversarial"})


def _state(concept: ConceptSource) -> list[Any]:
    """What guests depend on of a concept."""
    images = [image.name for image in (*concept.shown, *concept.held_out)]
    return [concept.name, concept.category, images]
