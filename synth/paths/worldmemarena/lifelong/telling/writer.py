"""The records of a told world: conversation, facts, mentions, pictures."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import attachment_id, record_id, round_id, session_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Checkpoint,
    Conversation,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import FactOperation, MentionForm
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.paths.worldmemarena.lifelong.files.parts import Exchange, PictureSpec
from memassay.synth.paths.worldmemarena.lifelong.telling.dealing import (
    Piece,
    deal_session,
    is_event_start,
)
from memassay.synth.paths.worldmemarena.lifelong.telling.facts import FactBook
from memassay.synth.paths.worldmemarena.lifelong.telling.sentences import Sentence, Wordsmith
from memassay.synth.paths.worldmemarena.lifelong.world.points import Point, Role, World
from memassay.synth.paths.worldmemarena.recipe import NAME
from memassay.synth.pictures.canvas.figures import Figure
from memassay.synth.pictures.drawing.rendered import rendered_asset
from memassay.synth.pictures.drawing.renderer import draw
from memassay.synth.telling.sightings import Sightings
from memassay.synth.world.grammar import Expansion, expand, join

USER: Final = "user"
ASSISTANT: Final = "assistant"
_CHATS: Final = 0.35
"""Share of sessions in which people also speak of something else (our choice)."""
_CLOSES: Final = 0.35
"""Share of sessions that end with words of their own (our choice)."""
_TRIES: Final = 8
"""Draws of words that were not used before."""
_ASKS: Final = 0.5
"""Share of the assistant's turns that ask for what comes next (our choice)."""


class WorldWriter:
    """Writes the records of a world."""

    def __init__(self, world: World, conversation: str, blobs: BlobStore) -> None:
        """Take a world, the id it gets, and where pictures go."""
        self.world, self.conversation, self.blobs = world, conversation, blobs
        self.smith = Wordsmith(world)
        self.sightings = Sightings(conversation)
        self.assets: list[Asset] = []
        self.used: set[str] = set()
        self.turns = [deal_session(world, at) for at in range(len(world.sessions))]
        order = [
            point
            for turns in self.turns
            for turn in turns
            for piece in turn
            if piece.tail is None
            for point in piece.points
        ]
        self.book = FactBook(world, self.smith, conversation, order)

    def bundle(self) -> Bundle:
        """The conversation with ledger and pictures, without questions."""
        sessions = [self._session(at) for at in range(len(self.world.sessions))]
        return Bundle(
            conversation=conversation_of(self.world, self.conversation, sessions),
            assets=self.assets,
            facts=self.book.facts,
            mentions=self.sightings.mentions,
        )

    def _session(self, at: int) -> Session:
        plan, name = self.world.sessions[at], session_id(at + 1)
        rounds = list(self._rounds(at, name))
        return Session(
            id=name,
            index=at + 1,
            date=plan.date,
            arc=SessionArc(plan.arc),
            event_type=plan.scene,
            rounds=rounds,
        )

    def _rounds(self, at: int, session: str) -> Iterator[Round]:
        scene = self.world.vertical.scenes[self.world.sessions[at].scene]
        draws, turns = self.world.draws, self.turns[at]
        number, shown = 1, 0
        yield self._chat(session, number, self._pick(at, "open", scene.open))
        middle = len(turns) // 2 if draws.chance(_CHATS, "chats", at) and scene.chat else -1
        before: list[Piece] = []
        for nth, turn in enumerate(turns):
            number += 1
            if nth == middle:
                yield self._chat(session, number, self._pick(at, "chat", scene.chat))
                number += 1
            place = round_id(session, number)
            sentences: list[Sentence] = []
            for piece in turn:
                starts = is_event_start(piece, before)
                sentences.append(
                    self.smith.sentence(piece, starts_event=starts, follows=bool(sentences))
                )
                before.append(piece)
            following = turns[nth + 1] if nth + 1 < len(turns) else []
            pictures = [one.shows for one in sentences if one.shows]
            attachments = [
                self._show(place, attachment_id(session, shown + add, "IMG"), points)
                for add, points in enumerate(pictures, start=1)
            ]
            shown += len(attachments)
            reply = self._reply(at, nth, turn, following, before)
            yield self._tell(place, sentences, attachments, reply)
        if middle < 0 and draws.chance(_CLOSES, "closes", at):
            yield self._chat(session, number + 1, self._pick(at, "close", scene.close))

    def _pick(self, at: int, what: str, exchanges: Sequence[Exchange]) -> tuple[str, str]:
        names = {"user": self.world.cast.user}

        def draw(random: KeyedRandom) -> tuple[str, str]:
            chosen = random.choice(exchanges)
            user, reply = random.choice(chosen.user), random.choice(chosen.assistant)
            return expand(user, random, names).text, expand(reply, random, names).text

        return self._fresh((what, at), draw)

    def _fresh(
        self, purpose: tuple[object, ...], draw: Callable[[KeyedRandom], tuple[str, str]]
    ) -> tuple[str, str]:
        """What is said, in words that were not used before, if a few draws find such."""
        made = ("", "")
        for attempt in range(_TRIES):
            made = draw(self.world.draws.random(*purpose, attempt))
            if self.used.isdisjoint(made):
                break
        self.used |= {*made} - {""}
        return made

    def _chat(self, session: str, number: int, said: tuple[str, str]) -> Round:
        return self._round(round_id(session, number), *said, [])

    def _tell(
        self,
        place: str,
        sentences: Sequence[Sentence],
        attachments: list[Attachment],
        reply: str,
    ) -> Round:
        words = join([one.words for one in sentences])
        points = {point.key: point for one in sentences for point in one.points}
        self._note(points, words, place)
        return self._round(place, words.text, reply, attachments)

    def _note(self, points: Mapping[str, Point], words: Expansion, place: str) -> None:
        """Note where each point is told: at its value, or in the turn where it has none there."""
        turn = turn_id(place, 1)
        spans = {span.slot: (span.start, span.end) for span in words.spans}
        for key, point in points.items():
            fact = self.book.of(key)
            if point.role is Role.RANK:
                at = words.text.casefold().index(point.slot.thing.casefold())
                span = (at, at + len(point.slot.thing))
                self.sightings.in_text(fact, place, turn, USER, span, MentionForm.PARTIAL)
            elif key in spans and point.operation is not FactOperation.DELETE:
                self.sightings.in_text(fact, place, turn, USER, spans[key])
            else:
                self.sightings.in_text(fact, place, turn, USER, None)

    def _reply(
        self,
        at: int,
        nth: int,
        turn: Sequence[Piece],
        following: Sequence[Piece],
        before: Sequence[Piece],
    ) -> str:
        """What the assistant says to a turn; nothing that takes what may be set aside for true."""
        placed = {one.point.key for each in self.turns[at] for one in each if one.tail}
        is_open = any(one.frame or one.point.key in placed for one in turn)
        told = {point.slot.thing for one in before for point in one.points}
        told |= {point.slot.thing for point in self.world.points if point.session < at}

        def draw(random: KeyedRandom) -> tuple[str, str]:
            said = self.smith.nod(random)
            if not is_open:
                said = self.smith.reply(random.choice(turn), random)
            if following and random.random() < _ASKS:
                is_known = following[0].point.slot.thing in told
                asked = self.smith.question(following[0], random, is_known=is_known)
                return "", f"{said} {asked}"
            return "", said

        return self._fresh(("reply", at, nth), draw)[1]

    def _round(self, place: str, user: str, reply: str, shown: list[Attachment]) -> Round:
        return Round(
            id=place,
            kind=RoundKind.EXCHANGE,
            turns=[
                Turn(id=turn_id(place, 1), speaker=USER, text=user, attachments=shown),
                Turn(id=turn_id(place, 2), speaker=ASSISTANT, text=reply),
            ],
        )

    def _show(self, place: str, name: str, points: Sequence[Point]) -> Attachment:
        """A picture of a thing: the points that it shows, as lines."""
        thing = points[0].slot.thing
        spec = self.world.cast.kind(thing).picture
        assert spec is not None
        random = self.world.draws.random("looks", *(point.key for point in points))
        facts = {self.smith.spec(point).label: self.book.of(point.key) for point in points}
        figure = _figure(spec, thing, {key: self.book.text(fact) for key, fact in facts.items()})
        drawing, caption = draw(figure, random), _fill_name(spec.caption, thing)
        asset_id, shown = record_id(self.conversation, name), {k: f.id for k, f in facts.items()}
        asset = rendered_asset(asset_id, figure, drawing, random, caption, shown, self.blobs)
        self.assets.append(asset)
        for key, fact in facts.items():
            box = drawing.boxes[key]
            self.sightings.in_picture(fact, place, name, asset.id, box, Modality.IMAGE)
        return Attachment(id=name, asset=asset.id, caption=caption)


def conversation_of(world: World, name: str, sessions: Sequence[Session]) -> Conversation:
    """The conversation of a world, with so many of its sessions.

    Args:
        world: The world.
        name: Id of the conversation.
        sessions: What was told so far.
    """
    return Conversation(
        id=name,
        collection=NAME,
        path=NAME,
        domain=world.vertical.domain,
        speakers=[
            Speaker(id=USER, name=world.cast.user, kind=SpeakerKind.HUMAN),
            Speaker(id=ASSISTANT, name=ASSISTANT, kind=SpeakerKind.ASSISTANT),
        ],
        sessions=list(sessions),
        checkpoints=checkpoints_of(world) if sessions else [],
    )


def checkpoints_of(world: World) -> list[Checkpoint]:
    """Where questions are asked: after sessions that lie evenly apart, the last one among them."""
    count = min(world.sizes.checkpoints, len(world.sessions) - 1)
    ends = [len(world.sessions) * at // count for at in range(1, count + 1)]
    return [
        Checkpoint(id=f"C{nth}", covered_sessions=[session_id(at) for at in range(1, end + 1)])
        for nth, end in enumerate(ends, start=1)
    ]


def _figure(spec: PictureSpec, thing: str, lines: Mapping[str, str]) -> Figure:
    return Figure(kind=spec.kind, title=_fill_name(spec.title, thing), lines=tuple(lines.items()))


def _fill_name(text: str, thing: str) -> str:
    made = text.replace("{e}", thing)
    return f"{made[:1].upper()}{made[1:]}"
