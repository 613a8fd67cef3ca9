"""Talks written: turns of two people, pictures, facts and where each was told."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final

from memassay.schemas.base import Modality
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.contracts.drawings import Box
from memassay.schemas.ids import (
    attachment_id,
    natural_key,
    record_id,
    round_id,
    session_id,
    turn_id,
)
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Speaker,
    Turn,
)
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.synth.concepts.library import ConceptImage
from memassay.synth.concepts.pictures import FAMILY, LOOK, taken_in
from memassay.synth.paths.m2a.recipe import NAME
from memassay.synth.paths.m2a.talks.beats import Exchange, Talks
from memassay.synth.paths.m2a.talks.beats import Turn as Said
from memassay.synth.paths.m2a.talks.pairing import pairings
from memassay.synth.paths.m2a.talks.world import Subject, World
from memassay.synth.world.grammar import Expansion, expand, join, wordings

_REMARKED: Final = 0.6
"""Share of pictures to which the friend says something (our choice)."""


@cache
def _wordings(pattern: str) -> tuple[str, ...]:
    return tuple(wordings(pattern))


@dataclass(frozen=True)
class _Line:
    """Something said: by whom, the words, the facts of their slots, the pictures shown."""

    speaker: Speaker
    words: Expansion
    facts: dict[str, Fact]
    shown: tuple[tuple[Subject, ConceptImage], ...] = ()


class TalkWriter:
    """Writes the sessions of a world.

    Attributes:
        seen: By key of a subject, the facts that its pictures show.
        shown: By key of a subject, the ids of the assets of its pictures, in order.
    """

    def __init__(
        self,
        world: World,
        talks: Talks,
        licence: str,
        blobs: BlobStore,
        random: Random,
        asides: int = 0,
    ) -> None:
        """Take what happened, the words for it, and where pictures go, under which licence.

        Args:
            world: What happened.
            talks: The words for it.
            licence: SPDX identifier of pictures.
            blobs: Where their bytes go.
            random: Chooses words.
            asides: How often people talk of something else in a session.
        """
        self.world, self.talks, self.licence, self.asides = world, talks, licence, asides
        self.blobs, self.random = blobs, random
        self.left = {one.key: list(one.images) for one in world.subjects}
        self.assets: list[Asset] = []
        self._taken_in: dict[str, tuple[Asset, Box]] = {}
        self.mentions: list[Mention] = []
        self.times: Counter[str] = Counter()
        self.told_pictures: Counter[str] = Counter()
        self.seen = {one.key: self._visible_facts(one) for one in world.subjects if one.images}
        self.shown: dict[str, list[str]] = {key: [] for key in self.seen}

    def bundle(self, speakers: Sequence[Speaker], arc: SessionArc) -> Bundle:
        """The conversation with everything that belongs to it but its questions."""
        sessions = [
            self._session(at, when, self._lines(at), arc)
            for at, when in enumerate(self.world.dates, start=1)
        ]
        facts = [fact for one in self.world.happenings for fact in one.facts.values()]
        facts += [fact for seen in self.seen.values() for fact in seen]
        return Bundle(
            conversation=Conversation(
                id=self.world.conversation,
                collection=NAME,
                path=NAME,
                speakers=list(speakers),
                sessions=sessions,
            ),
            assets=sorted(self.assets, key=lambda one: natural_key(one.id)),
            facts=sorted(facts, key=lambda one: natural_key(one.id)),
            mentions=self.mentions,
        )

    def _visible_facts(self, subject: Subject) -> list[Fact]:
        """What pictures of a subject show: what it is, and what tells it from others."""
        local = re.sub(r"[^A-Za-z0-9-]", "", f"{subject.name}-{subject.topic}").strip("-")
        said = {"C": (FAMILY, subject.family), "L": (LOOK, subject.look)}
        return [
            Fact(
                id=record_id(self.world.conversation, f"{letter}-{local}"),
                subject=subject.name,
                attribute=subject.attribute(attribute),
                value=FactValue(type=ValueType.TEXT, text=text),
            )
            for letter, (attribute, text) in said.items()
            if text
        ]

    def _lines(self, at: int) -> list[_Line]:
        """What is said in a session, turns of one speaker in a row taken together."""
        host = self.world.sessions[at - 1][0].subject if self.world.sessions[at - 1] else None
        host = host or self.world.subjects[0]
        when, told = self.world.dates[at - 1], self.world.sessions[at - 1]
        lines, place = self._opening(at, host)
        behind = set(self.random.sample(range(len(told)), min(self.asides, len(told))))
        for nth, one in enumerate(told):
            ways = [way for way in one.beat.ways if way.fits(when)]
            way = self._least_used([way.turns for way in ways])
            lines += self._exchange(one.subject, way, one.values, one.facts)
            lines += self._pictures(one.subject, self.talks.pictures.again, 1)
            if nth in behind:
                lines += self._fresh(one.subject, self.talks.asides, when)[0]
        if at == len(self.world.dates):
            for subject in self.world.subjects:
                lines += self._pictures(subject, self.talks.pictures.again, len(subject.images))
        lines += self._fresh(host, self.talks.closings, when, place)[0]
        return _taken_together(list(self._apart(lines)))

    def _apart(self, lines: Sequence[_Line]) -> Iterator[_Line]:
        """Lines in which the friend answers each picture before its speaker shows the next."""
        for before, line in pairwise([None, *lines]):
            if before and line and before.shown and line.shown and before.speaker == line.speaker:
                yield from self._exchange(before.shown[-1][0], [{"f": self.talks.pictures.f}])
            if line is not None:
                yield line

    def _opening(self, at: int, host: Subject) -> tuple[list[_Line], str]:
        """How a session opens, and where the friend is; the first one shows its subjects."""
        if at > 1 or not self.talks.introduction:
            return self._fresh(host, self.talks.openings, self.world.dates[at - 1])
        said = [one.said for one in self.world.subjects]
        names = {"names": f"{', '.join(said[:-1])} and {said[-1]}"}
        lines = self._exchange(host, self.talks.introduction, names)
        for one in self.world.subjects:
            lines += self._pictures(one, self.talks.pictures.o, 1)
        return lines, ""

    def _pictures(self, subject: Subject, pattern: str, most: int) -> Iterator[_Line]:
        """Pictures of a subject that nobody has seen yet, some with a word of the friend."""
        for _ in range(min(most, len(self.left[subject.key]))):
            image = self.left[subject.key].pop(0)
            words = self._picture_words(subject, pattern)
            first, *answer = self._exchange(subject, words)
            yield replace(first, shown=((subject, image),))
            yield from answer

    def _picture_words(self, subject: Subject, pattern: str) -> Sequence[Said]:
        """What is said to the next picture of a subject."""
        own = subject.thread.pictures
        if own:
            nth = self.told_pictures[subject.key]
            self.told_pictures[subject.key] += 1
            return (
                own[nth].turns
                if nth < len(own)
                else self._least_used([one.turns for one in own[1:]])
            )
        remark: list[Said] = [{"f": self.talks.pictures.f}]
        return [{"o": pattern}, *(remark if self.random.random() < _REMARKED else [])]

    def _fresh(
        self, subject: Subject, exchanges: Sequence[Exchange], when: str, place: str = ""
    ) -> tuple[list[_Line], str]:
        """One of those exchanges that fit time and place, least often said so far; and its place.

        Args:
            subject: Whose owner and friend talk.
            exchanges: What can be said.
            when: Time of the session.
            place: Where the friend is; empty where nothing says so.
        """
        fit = [one for one in exchanges if one.fits(when) and (not place or one.at in ("", place))]
        turns = self._least_used([one.turns for one in fit])
        at = next(one.at for one in fit if one.turns == turns)
        return self._exchange(subject, turns), at

    def _least_used(self, ways: Sequence[Sequence[Said]]) -> Sequence[Said]:
        """One of those ways to say something that came least often so far."""
        least = min(self.times[str(each)] for each in ways)
        way = self.random.choice([one for one in ways if self.times[str(one)] == least])
        self.times[str(way)] += 1
        return way

    def _exchange(
        self,
        subject: Subject,
        turns: Sequence[Said],
        values: Mapping[str, str] | None = None,
        facts: dict[str, Fact] | None = None,
    ) -> list[_Line]:
        names = {
            "c": subject.said,
            "owner": subject.owner.name,
            "friend": subject.friend.name,
            **(values or {}),
        }
        variants = pairings(turns)
        return [
            _Line(
                subject.owner if who == "o" else subject.friend,
                self._word(pattern, names),
                facts or {},
            )
            for turn in (self._least_used(variants) if len(variants) > 1 else variants[0])
            for who, pattern in turn.items()
        ]

    def _word(self, pattern: str, names: Mapping[str, str]) -> Expansion:
        """A pattern in those of its wordings that came least often so far."""
        every = _wordings(pattern)
        least = min(self.times[each] for each in every)
        words = self.random.choice([each for each in every if self.times[each] == least])
        self.times[words] += 1
        return expand(words, self.random, names)

    def _session(self, at: int, when: str, lines: Sequence[_Line], arc: SessionArc) -> Session:
        name, so_far = session_id(at), 0
        rounds = []
        for number, line in enumerate(lines, start=1):
            place = round_id(name, number)
            images = [
                self.show(attachment_id(name, so_far + nth), place, line.speaker, *shown)
                for nth, shown in enumerate(line.shown, start=1)
            ]
            so_far += len(images)
            for span in line.words.spans:
                if span.slot in line.facts:
                    self._note_mention(
                        line.facts[span.slot], place, line.speaker, (span.start, span.end)
                    )
            turn = Turn(
                id=turn_id(place, 1),
                speaker=line.speaker.id,
                text=line.words.text,
                attachments=images,
            )
            rounds.append(Round(id=place, kind=RoundKind.UTTERANCE, turns=[turn]))
        return Session(id=name, index=at, date=when, arc=arc, rounds=rounds)

    def _note_mention(
        self, fact: Fact, place: str, speaker: Speaker, span: tuple[int, int]
    ) -> None:
        self.mentions.append(
            Mention(
                id=self._next_mention(),
                fact=fact.id,
                round=place,
                turn=turn_id(place, 1),
                modality=Modality.TEXT,
                speaker=speaker.id,
                span=list(span),
            )
        )

    def show(
        self, name: str, place: str, speaker: Speaker, subject: Subject, image: ConceptImage
    ) -> Attachment:
        """A picture of a subject in a turn; one that was shown before is the same asset.

        Args:
            name: Id of the attachment.
            place: Id of the round.
            speaker: Who shows it.
            subject: Whom it shows.
            image: The picture.
        """
        seen = [fact.id for fact in self.seen[subject.key]]
        if image.name not in self._taken_in:
            local = record_id(self.world.conversation, f"A{len(self.assets) + 1:03d}")
            self._taken_in[image.name] = taken_in(image, local, self.licence, self.blobs, seen)
            self.assets.append(self._taken_in[image.name][0])
            self.shown[subject.key].append(local)
        asset, box = self._taken_in[image.name]
        self.mentions += [
            Mention(
                id=record_id(self.world.conversation, f"M{len(self.mentions) + at:04d}"),
                fact=fact,
                round=place,
                turn=turn_id(place, 1),
                attachment=name,
                asset=asset.id,
                box=list(box),
                modality=Modality.IMAGE,
                speaker=speaker.id,
            )
            for at, fact in enumerate(seen, start=1)
        ]
        return Attachment(id=name, asset=asset.id)

    def _next_mention(self) -> str:
        return record_id(self.world.conversation, f"M{len(self.mentions) + 1:04d}")


def _taken_together(lines: Sequence[_Line]) -> list[_Line]:
    """Lines of one speaker in a row as one turn; one with a picture begins a turn."""
    made: list[_Line] = []
    for line in lines:
        if made and made[-1].speaker == line.speaker and not (made[-1].shown and line.shown):
            before = made.pop()
            # Slots of different beats may share a name: each keeps its own facts.
            words, facts = _join_lines(before, line)
            line = replace(line, words=words, facts=facts, shown=(*before.shown, *line.shown))
        made.append(line)
    return made


def _join_lines(before: _Line, line: _Line) -> tuple[Expansion, dict[str, Fact]]:
    clash = {slot for slot in line.facts if slot in before.facts}
    names = {slot: f"{slot}{'-' * (len(before.facts) + 1)}" for slot in clash}
    spans = tuple(replace(span, slot=names.get(span.slot, span.slot)) for span in line.words.spans)
    facts = {names.get(slot, slot): fact for slot, fact in line.facts.items()}
    return join([before.words, Expansion(line.words.text, spans)]), {**before.facts, **facts}
