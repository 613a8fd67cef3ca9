"""What a lesson teaches: its classes, their names, which pictures teach and which only ask."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.values.pixels import hash_distance, take_in
from memassay.synth.concepts.drawn import drawn_looks
from memassay.synth.concepts.groups import LIKE_PIXELS
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.lessons.classes import ClassSource, FamilySource, make_names
from memassay.synth.lessons.fitting import Shape
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.words import Family
from memassay.synth.world.grammar import Randoms


@dataclass(frozen=True)
class Taught:
    """A class of a lesson.

    Attributes:
        source: Where it comes from.
        name: What it is called in this conversation.
        parts: Pictures that teach it, by session of the lesson.
        held_out: Pictures that questions alone show.
    """

    source: ClassSource
    name: str
    parts: tuple[tuple[ConceptImage, ...], ...]
    held_out: tuple[ConceptImage, ...]


@dataclass(frozen=True)
class Lesson:
    """Classes of a family, taught over one session or several.

    Attributes:
        name: Unique in its conversation: the origin of its sessions, and in front of the local
            ids of its records.
        family: What they are.
        classes: The classes.
        sessions: How many sessions.
        licence: SPDX identifier of the pictures.
        drawn: Whether they are drawn, in colours of their own.
        talks: By session, exchanges without a picture; None: as chance wants it.
    """

    name: str
    family: Family
    classes: Sequence[Taught]
    sessions: int
    licence: str
    drawn: bool
    talks: Sequence[int] | None = None


@dataclass
class Album:
    """Pictures of a conversation so far, of which no other may be a near-duplicate.

    Attributes:
        hashes: Their perceptual hashes.
        refused: How many pictures were too much like one of them.
    """

    hashes: list[str] = field(default_factory=list)
    refused: int = 0

    @classmethod
    def of(cls, assets: Iterable[Asset]) -> "Album":
        """The pictures that a conversation has."""
        return cls([one.perceptual_hash for one in assets if one.perceptual_hash is not None])

    def take(self, pictures: Iterator[ConceptImage], number: int) -> list[ConceptImage]:
        """The next pictures that are unlike all others, so many or as many as there are."""
        taken: list[ConceptImage] = []
        while len(taken) < number and (one := next(pictures, None)) is not None:
            seen = take_in(one.read()).perceptual_hash
            if any(hash_distance(seen, other) <= LIKE_PIXELS for other in self.hashes):
                self.refused += 1
                continue
            self.hashes.append(seen)
            taken.append(one)
        return taken


def plan_lessons(
    host: Bundle,
    section: LessonsSection,
    families: Sequence[FamilySource],
    new: int,
    randoms: Randoms,
    shapes: Sequence[Shape] | None = None,
) -> list[Lesson]:
    """The lessons of a conversation, of given shapes or as the section has them drawn.

    There are so many new pictures to ask with, as far as classes have them.

    No two have a class in common, and none has one whose pictures the conversation shows. A class
    without enough pictures that differ is left out, and so is a lesson of too few classes.
    """
    random = randoms("lessons")
    used = drawn_looks(host.assets)
    said = " ".join(turn.text for turn in host.conversation.turns())
    said += " ".join(one.name for one in host.conversation.speakers)
    album = Album.of(host.assets)
    order = list(families)
    random.shuffle(order)
    lessons: list[Lesson] = []
    for number in range(1, (section.count if shapes is None else len(shapes)) + 1):
        source = order[(number - 1) % len(order)]
        shape = shapes[number - 1] if shapes is not None else None
        local = _Local(section, source, f"lesson{number}", host.id, new, shape)
        wanted = random.randint(*section.classes) if shape is None else len(shape.exemplars)
        classes = local.classes(wanted, used, album, randoms)
        if len(classes) < section.classes[0]:
            continue
        names = make_names(source.family, len(classes), said, random)
        named = zip(classes, names, strict=True)
        taught = [
            Taught(one.source, one.name or name, one.parts, one.held_out) for one, name in named
        ]
        said += " ".join(one.name for one in taught)
        used |= {one.source.look for one in taught}
        sessions = max(len(one.parts) for one in taught)
        drawn = section.folder is None and section.recoloured
        talks = shape.talks if shape is not None else None
        lessons.append(
            Lesson(local.name, source.family, taught, sessions, source.licence, drawn, talks)
        )
    return lessons


@dataclass(frozen=True)
class _Local:
    section: LessonsSection
    source: FamilySource
    name: str
    host: str
    new: int
    shape: Shape | None

    def classes(self, wanted: int, used: set[str], album: Album, randoms: Randoms) -> list[Taught]:
        """So many classes with their pictures, as far as there are any left; names may be empty."""
        random = randoms("lessons", self.name)
        shape, least = self.shape, self.section.exemplars[0]
        sessions = random.randint(*self.section.sessions) if shape is None else len(shape.talks)
        free = [one for one in self.source.classes if one.look not in used]
        asked = -(-self.new // (self.section.count * self.section.classes[0]))
        asked = asked if shape is None else shape.asked
        made: list[Taught] = []
        for one in random.sample(free, len(free)):
            if len(made) == wanted:
                break
            folder = f"lessons/{self.host}/{self.name}/{len(made) + 1}"
            pictures = one.pictures(randoms, folder)
            number = random.randint(*self.section.exemplars)
            if shape is not None:
                number = least = shape.exemplars[len(made)]
            shown = album.take(pictures, number)
            held_out = album.take(pictures, asked)
            if len(shown) >= least and (held_out or not asked):
                parts = _deal(shown, sessions, random if shape is None else None)
                made.append(Taught(one, one.name or "", parts, tuple(held_out)))
        return made


def _deal(
    shown: Sequence[ConceptImage], sessions: int, random: Random | None
) -> tuple[tuple[ConceptImage, ...], ...]:
    """Pictures by session in order, one at least in the first, cut by chance or evenly."""
    if random is None:
        cuts = [-(-len(shown) * at // sessions) for at in range(1, sessions)]
    else:
        cuts = sorted(random.randint(1, len(shown)) for _ in range(sessions - 1))
    ends = [0, *cuts, len(shown)]
    return tuple(tuple(shown[a:b]) for a, b in pairwise(ends))
