"""Guest sessions written: turns of two people, pictures, facts and where each was told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.ids import attachment_id, record_id, round_id, session_id, turn_id
from memassay.schemas.records.asset import Asset, Availability
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Path,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Speaker,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.values.pixels import take_in
from memassay.synth.concepts.groups import Chosen
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.paths.m2a.guests.beats import Threads
from memassay.synth.paths.m2a.guests.world import GuestWorld, Happening
from memassay.synth.world.grammar import Expansion, expand, join

FAMILY = "family"
"""Attribute of what a concept is, which its pictures alone show."""


@dataclass(frozen=True)
class _Line:
    """Something said: by whom, the words, the facts of their slots, the pictures shown."""

    owner: bool
    words: Expansion
    facts: dict[str, Fact]
    shown: tuple[tuple[str, ConceptImage], ...] = ()


@dataclass(frozen=True)
class Speakers:
    """The two who talk: whose concepts they are, and the other one."""

    owner: Speaker
    friend: Speaker


class GuestWriter:
    """Writes the sessions of one group."""

    def __init__(
        self, world: GuestWorld, told: Threads, speakers: Speakers, blobs: BlobStore, random: Random
    ) -> None:
        """Take what happened, the words for it, who talks, and where pictures go."""
        self.world, self.told, self.speakers = world, told, speakers
        self.blobs, self.random = blobs, random
        self.left = {one.concept.name: list(one.images) for one in world.group}
        self.assets: dict[str, Asset] = {}
        self.mentions: list[Mention] = []
        self.families = {one.concept.name: self._family(one) for one in world.group}

    def bundle(self) -> Bundle:
        """The guest conversation with everything that belongs to it but its questions."""
        sessions = [
            self._session(at, when, self._lines(at))
            for at, when in enumerate(self.world.dates, start=1)
        ]
        talk = Conversation(
            id=self.world.conversation,
            collection="m2a",
            path=Path.M2A,
            speakers=[self.speakers.owner, self.speakers.friend],
            sessions=sessions,
        )
        facts = [fact for one in self.world.happenings for fact in one.facts.values()]
        return Bundle(
            conversation=talk,
            assets=list(self.assets.values()),
            facts=[*facts, *(one for one in self.families.values() if one is not None)],
            mentions=self.mentions,
        )

    def _family(self, chosen: Chosen) -> Fact | None:
        if chosen.concept.category is None:
            return None
        name = chosen.concept.name
        return Fact(
            id=record_id(self.world.conversation, f"C-{name.replace(chr(39), '')}"),
            subject=name,
            attribute=FAMILY,
            value=FactValue(type=ValueType.TEXT, text=chosen.concept.category),
        )

    def _lines(self, at: int) -> list[_Line]:
        """What is said in a session, turns of one speaker in a row taken together."""
        lines = list(self._first() if at == 1 else self._later(at))
        closing = self.random.choice(self.told.closings)
        lines += self._exchange([("f", closing.f), ("o", closing.o)])
        return _taken_together(lines)

    def _first(self) -> Iterator[_Line]:
        names = [f"<{one.concept.name}>" for one in self.world.group]
        told = f"{', '.join(names[:-1])} and {names[-1]}"
        opening = expand(self.told.introduction.o, self.random, {"names": told})
        yield _Line(True, opening, {})
        yield from self._exchange([("f", self.told.introduction.f)])
        for at, one in enumerate(self.world.group):
            yield self._picture(one.concept.name, self.told.pictures.o)
            if at % 2:
                yield from self._exchange([("f", self.told.pictures.f)])

    def _later(self, at: int) -> Iterator[_Line]:
        opening = self.random.choice(self.told.openings)
        yield from self._exchange([("f", opening.f), ("o", opening.o)])
        last = at == len(self.world.dates)
        happenings = self.world.sessions[at - 1]
        for one in happenings:
            yield from self._happening(one)
            if self.left[one.concept]:
                yield self._picture(one.concept, self.told.pictures.again)
                yield from self._exchange([("f", self.told.pictures.f)])
        for name in self.left if last else ():
            while self.left[name]:
                yield self._picture(name, self.told.pictures.again)
                yield from self._exchange([("f", self.told.pictures.f)])

    def _happening(self, one: Happening) -> Iterator[_Line]:
        values = self._values(one.concept) | one.values
        for turn in one.beat.turns:
            for who, pattern in turn.items():
                words = expand(pattern, self.random, values)
                yield _Line(who == "o", words, one.facts)

    def _exchange(self, parts: Sequence[tuple[str, str]]) -> list[_Line]:
        values = self._values("")
        return [
            _Line(who == "o", expand(pattern, self.random, values), {})
            for who, pattern in parts
            if pattern
        ]

    def _picture(self, name: str, pattern: str) -> _Line:
        words = expand(pattern, self.random, self._values(name))
        return _Line(True, words, {}, ((name, self.left[name].pop(0)),))

    def _values(self, concept: str) -> dict[str, str]:
        return {
            "c": f"<{concept}>",
            "them": "it",
            "owner": self.speakers.owner.name,
            "friend": self.speakers.friend.name,
        }

    def _session(self, at: int, when: str, lines: Sequence[_Line]) -> Session:
        name, so_far = session_id(at), 0
        rounds = []
        for number, line in enumerate(lines, start=1):
            place = round_id(name, number)
            images = [
                self._shown(attachment_id(name, so_far + nth), place, *shown)
                for nth, shown in enumerate(line.shown, start=1)
            ]
            so_far += len(images)
            speaker = (self.speakers.owner if line.owner else self.speakers.friend).id
            for span in line.words.spans:
                if span.slot in line.facts:
                    self._told(line.facts[span.slot], place, speaker, (span.start, span.end))
            turn = Turn(
                id=turn_id(place, 1), speaker=speaker, text=line.words.text, attachments=images
            )
            rounds.append(Round(id=place, kind=RoundKind.UTTERANCE, turns=[turn]))
        return Session(id=name, index=at, date=when, arc=SessionArc.GUEST, rounds=rounds)

    def _told(self, fact: Fact, place: str, speaker: str, span: tuple[int, int]) -> None:
        self.mentions.append(
            Mention(
                id=self._next_mention(),
                fact=fact.id,
                round=place,
                turn=turn_id(place, 1),
                modality=Modality.TEXT,
                speaker=speaker,
                span=list(span),
            )
        )

    def _shown(self, name: str, place: str, concept: str, image: ConceptImage) -> Attachment:
        asset = self._asset(image)
        family = self.families[concept]
        if family is not None:
            self.mentions.append(
                Mention(
                    id=self._next_mention(),
                    fact=family.id,
                    round=place,
                    turn=turn_id(place, 1),
                    attachment=name,
                    asset=asset.id,
                    box=[0, 0, asset.width or 1, asset.height or 1],
                    modality=Modality.IMAGE,
                    speaker=self.speakers.owner.id,
                )
            )
        return Attachment(id=name, asset=asset.id)

    def _next_mention(self) -> str:
        return record_id(self.world.conversation, f"M{len(self.mentions) + 1:04d}")

    def _asset(self, image: ConceptImage) -> Asset:
        picture = take_in(image.read())
        made = Asset(
            id=record_id(self.world.conversation, f"A{len(self.assets) + 1:03d}"),
            availability=Availability.PRESENT,
            blob_sha256=self.blobs.put(picture.data),
            pixel_sha256=picture.pixel_sha256,
            perceptual_hash=picture.perceptual_hash,
            media_type=picture.media_type,
            width=picture.width,
            height=picture.height,
            licence="CC-BY-4.0",
            origin="rendered:class",
        )
        self.assets[image.name] = made
        return made


def _taken_together(lines: Sequence[_Line]) -> list[_Line]:
    """Lines of one speaker in a row as one turn; one with a picture begins a turn."""
    made: list[_Line] = []
    for line in lines:
        if made and made[-1].owner == line.owner and not (made[-1].shown and line.shown):
            before = made.pop()
            # Slots of different beats may share a name: each keeps its own facts.
            words, facts = _joined(before, line)
            line = replace(line, words=words, facts=facts, shown=(*before.shown, *line.shown))
        made.append(line)
    return made


def _joined(before: _Line, line: _Line) -> tuple[Expansion, dict[str, Fact]]:
    clash = {slot for slot in line.facts if slot in before.facts}
    names = {slot: f"{slot}{'-' * (len(before.facts) + 1)}" for slot in clash}
    spans = tuple(replace(span, slot=names.get(span.slot, span.slot)) for span in line.words.spans)
    facts = {names.get(slot, slot): fact for slot, fact in line.facts.items()}
    return join([before.words, Expansion(line.words.text, spans)]), {**before.facts, **facts}
