"""The dialogue of a story: each session from its outline, refined, with its images (A.2.3)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.ids import round_id, session_id, turn_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Conversation, Round, RoundKind, Turn
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.persona import Persona
from memassay.synth.extraction.audits import (
    DialogueAuditor,
    flags_left,
    mend_rounds,
    problems_by_turn,
)
from memassay.synth.extraction.quoting import User, blobs_of, seeds
from memassay.synth.extraction.repairs import ATTEMPTS
from memassay.synth.histories.findings import SIZE_MISSED
from memassay.synth.histories.streams import apportion, conversation_of, timeline_of
from memassay.synth.material.dealing import dealt, own_files
from memassay.synth.paths.mem_gallery.paper.outline import outlines
from memassay.synth.paths.mem_gallery.paper.placing import Album, ImagePlacer
from memassay.synth.paths.mem_gallery.recipe import NAME
from memassay.synth.paths.mem_gallery.tasks import WrittenRounds, story_dialogue
from memassay.synth.telling.mending import DialogueParts
from memassay.synth.world.sizes import Sizes

_OFF: Final = 0.1
"""Share by which rounds may be more or fewer than asked for without a finding (our choice)."""


class StoryDialogueStage(DialogueParts):
    """The conversation with its images, and what was mended in it.

    Sessions do not wait for each other: each is written from the outlines of all. So the drafts
    of several authors are all there at once for a judge, or for people, to choose from.
    """

    name = "dialogue"
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"asset", "event", "fact", "persona"})

    def __init__(self, sizes: Sizes, models: Mapping[str, Any]) -> None:
        """Say how long stories are, and which models write them."""
        self.sizes = sizes
        length = [sizes.sessions, sizes.rounds]
        self.config: dict[str, Any] = {"mode": "paper", "length": length, "models": models}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The dialogue of one story; what audits flag and is not mended is a finding."""
        events = timeline_of(records)
        if events:
            yield from self._write(events, records, context)

    def _write(
        self, events: Sequence[TimelineEvent], records: Sequence[Record], context: StageContext
    ) -> list[Record]:
        persona = _persona(records)
        assets = [record for record in records if isinstance(record, Asset)]
        facts = [record for record in records if isinstance(record, Fact)]
        albums = _albums(events, assets, facts)
        rounds = self._rounds(persona, events, albums, context)
        # The check-and-revise pass sees the whole conversation at once (§3.1, Quality Assurance).
        auditor = DialogueAuditor(_user(persona), events, {}, context, chunk=len(rounds))
        refined = auditor.audit(rounds)
        placer = ImagePlacer(blobs_of(assets), context)
        shown = placer.place(refined, albums)
        talk = conversation_of(context.shard, NAME, persona, events, shown)
        for finding in flags_left(talk, auditor.left):
            context.emit(finding)
        return [talk, *placer.mentions, *auditor.repairs]

    def _rounds(
        self,
        persona: Persona,
        events: Sequence[TimelineEvent],
        albums: Sequence[Album],
        context: StageContext,
    ) -> list[Round]:
        """All rounds as their authors wrote them; they show nothing yet."""
        every = outlines(events)
        total = round(len(every) * self.sizes.rounds)
        counts = apportion(total, len(every))
        tasks = [
            story_dialogue(
                persona,
                {**outline, "images": [file.called for file, _ in album.images]},
                list(every.values()),
                count,
            )
            for outline, album, count in zip(every.values(), albums, counts, strict=True)
        ]
        first = {event.session: event.id for event in reversed(events)}
        rounds = [
            round_
            for number, reply in zip(every, context.write_all(tasks), strict=True)
            for round_ in _exchanges(session_id(number), first[number], reply)
        ]
        if abs(len(rounds) - total) > total * _OFF:
            name, mean = context.shard, len(rounds) / len(every)
            said = f"{name}.sizes.rounds: expected {self.sizes.rounds:g}, got {mean:.1f}"
            fix = "Choose another model for the role user, or ask for another number."
            context.emit(SIZE_MISSED.finding(name, "", said, fix))
        return rounds

    def repair(
        self,
        given: Sequence[Record],
        made: Sequence[Record],
        flagged: Mapping[str, Sequence[Finding]],
        attempt: int,
        context: StageContext,
    ) -> Sequence[Record]:
        """The dialogue with its flagged rounds mended by the model; images stay where they are."""
        persona = _persona(given)
        talk = next(one for one in made if isinstance(one, Conversation))
        # Draws of the audit by rules follow those of the model's own.
        draw = ATTEMPTS + attempt
        problems = problems_by_turn(talk, flagged)
        mended = mend_rounds(_user(persona), talk.rounds(), problems, draw, context)
        again = conversation_of(talk.id, NAME, persona, timeline_of(given), mended)
        return [again if one is talk else one for one in made]


def _persona(records: Sequence[Record]) -> Persona:
    return next(record for record in records if isinstance(record, Persona))


def _user(persona: Persona) -> User:
    return User(persona.conversation, persona.name, seeds(persona))


def _albums(
    events: Sequence[TimelineEvent], assets: Sequence[Asset], facts: Sequence[Fact]
) -> list[Album]:
    """The images of each session: those of its events, and the user's own that fit them best."""
    hands = dealt(own_files(assets, facts), events)
    return [
        Album(
            session_id(number),
            [
                (file, asset)
                for event in events
                if event.session == number
                for file in hands[event.id]
                for asset in file.shown
            ],
        )
        for number in sorted({event.session for event in events})
    ]


def _exchanges(session: str, event: str, reply: WrittenRounds) -> Iterator[Round]:
    for number, one in enumerate(reply.rounds, start=1):
        place = round_id(session, number)
        turns = [
            Turn(id=turn_id(place, 1), speaker="user", text=one.user),
            Turn(id=turn_id(place, 2), speaker="assistant", text=one.reply),
        ]
        yield Round(id=place, kind=RoundKind.EXCHANGE, turns=turns, event=event)
