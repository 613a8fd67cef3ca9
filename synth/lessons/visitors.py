"""Lessons as visitors of conversations: sessions of their own, or rounds at the ends of others."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from memassay.schemas.changes.interpolation import gaps, interpolate
from memassay.schemas.changes.merging import Visit, merge_guest, rename_bundle
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.grouping import source_of
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import parse_place, record_id, session_id
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, SessionArc, Speaker, SpeakerKind
from memassay.synth.lessons.asking import LessonQuestions
from memassay.synth.lessons.classes import FamilySource, drawn_families, read_classes
from memassay.synth.lessons.findings import fewer, no_gap, no_pair, other_size
from memassay.synth.lessons.fitting import NAMES, Room, shapes_for
from memassay.synth.lessons.planning import Lesson, plan_lessons
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.telling import LessonScript, LessonWriter, Line, Told, by_id
from memassay.synth.telling.phrasebook import Phrasebook

LEAST_GAP: Final = timedelta(days=3)
"""Between two sessions among which one of a lesson comes (our choice)."""
_DAY: Final = len("2024-05-01")


class LessonVisitors:
    """Lessons for conversations of a user with an assistant."""

    def __init__(
        self,
        section: LessonsSection,
        folder: Path,
        licence: str = "CC-BY-4.0",
        arc: SessionArc = SessionArc.MAIN,
        images: Mapping[str, int] | None = None,
        rooms: Mapping[str, Room] = MappingProxyType({}),
    ) -> None:
        """Find what can be taught.

        Args:
            section: How much is taught and asked.
            folder: What paths are relative to.
            licence: SPDX identifier of pictures that we draw.
            arc: Role of sessions of lessons in the whole.
            images: How many questions of other types show a new picture of what was taught, by
                Mem-Gallery's code.
            rooms: How large conversations are with their lessons, by id of the conversation that
                most of their sessions came from; lessons of all others are as the section says.

        Raises:
            SourceError: The folder of classes holds none, or a file of it cannot be read.
        """
        self.section, self.arc, self.rooms = section, arc, rooms
        # The order of a recipe's keys changes nothing.
        given = sorted((images or {}).items())
        self.images = {code: number for code, number in given if number}
        self.families: Sequence[FamilySource] = (
            drawn_families(licence, recoloured=section.recoloured)
            if section.folder is None
            else [read_classes(folder, section.folder)]
        )
        classes = [
            [one.look, one.name, list(one.files)]
            for family in self.families
            for one in family.classes
        ]
        self.config: dict[str, Any] = {
            "lessons": section.model_dump(mode="json", exclude={"folder": {"path"}}),
            "licence": licence,
            "arc": arc.value,
            "classes": content_hash(classes),
            **({"images": self.images} if self.images else {}),
        }
        if rooms:
            self.config["rooms"] = {name: vars(room) for name, room in rooms.items()}

    def join(self, host: Bundle, context: StageContext) -> Bundle:
        """The host with its lessons; its own turns and questions stay as they are."""
        pair = pair_of(host)
        if pair is None:
            context.emit(no_pair(host.id))
            return host
        room = self.rooms.get(source_of(host.conversation))
        asked = {NAMES: self.section.questions, **self.images} if room is None else room.asked
        bare = 0 if room is None else room.bare
        shapes = None if room is None else shapes_for(room, host.conversation)
        number, new = self.section.count if shapes is None else len(shapes), sum(asked.values())
        randoms = partial(context.random, "lessons")
        lessons = plan_lessons(host, self.section, self.families, new, randoms, shapes)
        if len(lessons) < number:
            context.emit(fewer(host.id, "lessons", number, len(lessons)))
        book = Phrasebook(context.random("lessons", "words"))
        told: list[tuple[Lesson, Told]] = []
        for lesson in lessons:
            joined = _Joining(self, lesson, pair, book, context)
            host = joined.teach(host)
            told.append((lesson, joined.writer.told))
        asking = LessonQuestions(
            self.section,
            asked,
            pair[0].name,
            context.blobs,
            book,
            context.random("lessons", "asked"),
        )
        before = len(host.questions)
        whole = asking.ask(host, told, bare)
        got = len(whole.questions) - before
        if got < new + bare:
            context.emit(fewer(host.id, "questions", new + bare, got))
        if room is not None:
            _report_sizes(room, whole, context)
        return whole


def _report_sizes(room: Room, whole: Bundle, context: StageContext) -> None:
    talk = whole.conversation
    found = {
        "sessions": (room.sessions, len(talk.sessions)),
        "rounds": (room.rounds, len(talk.rounds())),
        "images": (room.images, len(talk.attachments())),
    }
    for what, (wanted, got) in found.items():
        if got != wanted:
            context.emit(other_size(whole.id, what, wanted, got))


def pair_of(host: Bundle) -> tuple[Speaker, Speaker] | None:
    """The user and the assistant of a conversation; None unless it has both."""
    kinds = (SpeakerKind.HUMAN, SpeakerKind.ASSISTANT)
    found = [
        next((one for one in host.conversation.speakers if one.kind is kind), None)
        for kind in kinds
    ]
    user, assistant = found
    return (user, assistant) if user is not None and assistant is not None else None


class _Joining:
    """One lesson on its way into a conversation."""

    def __init__(
        self,
        visitors: LessonVisitors,
        lesson: Lesson,
        pair: tuple[Speaker, Speaker],
        book: Phrasebook,
        context: StageContext,
    ) -> None:
        self.lesson, self.pair, self.arc = lesson, pair, visitors.arc
        self.section, self.context = visitors.section, context
        self.random: Random = context.random("lessons", "joining", lesson.name)
        self.script = LessonScript(lesson, visitors.section, book, self.random)
        self.writer: LessonWriter

    def teach(self, host: Bundle) -> Bundle:
        """The host with the sessions of the lesson, in the order of time."""
        named = partial(_id_of, host.id, self.lesson.name)
        self.writer = LessonWriter(self.lesson, self.pair, named, self.context.blobs)
        after = 0
        for at in range(self.lesson.sessions):
            lines = self.script.lines(at)
            if not any(one.shown for one in lines):
                continue
            places = self._gaps_after(host, after) if self.section.place == "sessions" else []
            if places:
                left = self.lesson.sessions - at
                place = self.random.choice(places[: max(1, len(places) - left + 1)])
                host = self._visit(host, lines, *place)
                after = place[0] + 1
            else:
                if self.section.place == "sessions":
                    self.context.emit(no_gap(host.id, self.lesson.name))
                host, after = self._append(host, lines, after, self.lesson.sessions - at)
        return host

    def _gaps_after(self, host: Bundle, after: int) -> list[tuple[int, str]]:
        """How many sessions lie before, and the date, of each place for a session."""
        found = []
        for gap in gaps(host.conversation, LEAST_GAP):
            if gap.after >= after and gap.after > 0:
                (moment,) = interpolate(gap, 1)
                # People talk at the hours at which they talked before.
                begun = host.conversation.sessions[gap.after - 1].date or gap.start
                found.append((gap.after, moment[:_DAY] + begun[_DAY : len(moment)]))
        return found

    def _visit(self, host: Bundle, lines: Sequence[Line], after: int, date: str) -> Bundle:
        """The host with a session of its own."""
        before = (len(self.writer.told.facts), len(self.writer.told.mentions))
        assets = len(self.writer.told.assets)
        rounds = self.writer.rounds(session_id(1), lines)
        told = self.writer.told
        session = Session(id=session_id(1), index=1, date=date, arc=self.arc, rounds=rounds)
        guest = Bundle(
            conversation=host.conversation.model_copy(
                update={
                    "id": f"{host.id}.{self.lesson.name}",
                    "speakers": list(self.pair),
                    "sessions": [session],
                    "checkpoints": [],
                }
            ),
            facts=told.facts[before[0] :],
            mentions=told.mentions[before[1] :],
            assets=told.assets[assets:],
        )
        # Joining puts the name of the lesson in front of the ids of its records.
        front = record_id(host.id, f"{self.lesson.name}-")
        names = {
            one.id: record_id(guest.id, one.id.removeprefix(front)) for one in guest.records()[1:]
        }
        visit = Visit(self.lesson.name, after, [date], {}, self.arc)
        return merge_guest(host, rename_bundle(guest, guest.id, names, {}), visit).bundle

    def _append(
        self, host: Bundle, lines: Sequence[Line], after: int, left: int
    ) -> tuple[Bundle, int]:
        """The host with rounds at the end of a session, and from where on the next may come."""
        sessions = list(host.conversation.sessions)
        room = max(1, len(sessions) - after - left + 1)
        at = min(len(sessions) - 1, after + self.random.randrange(room))
        session = sessions[at]
        counts = [len(getattr(self.writer.told, name)) for name in ("facts", "mentions", "assets")]
        rounds = self.writer.rounds(session.id, lines, len(session.rounds), _images(session))
        sessions[at] = session.model_copy(update={"rounds": [*session.rounds, *rounds]})
        told = self.writer.told
        talk = host.conversation.model_copy(update={"sessions": sessions})
        update: dict[str, Any] = {"conversation": talk}
        for name, count in zip(("facts", "mentions", "assets"), counts, strict=True):
            update[name] = by_id([*getattr(host, name), *getattr(told, name)[count:]])
        return host.model_copy(update=update), at + 1


def _id_of(host: str, lesson: str, local: str) -> str:
    return record_id(host, f"{lesson}-{local}")


def _images(session: Session) -> int:
    """The highest number among the images of a session."""
    shown = [one.id for each in session.rounds for turn in each.turns for one in turn.attachments]
    places = [parse_place(one) for one in shown]
    numbers = [
        int(place.attachment.partition("_")[2])
        for place in places
        if place is not None and place.attachment and place.attachment.startswith("IMG")
    ]
    return max(numbers, default=0)
