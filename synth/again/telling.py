"""Whether turns say what their cards say: every choice of the grammar is allowed, nothing else."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, NamedTuple

from memassay.schemas.contracts.rules import pointer
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.schemas.records.drawn import DrawnFigure
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.drawing.again import drawn_figure
from memassay.synth.telling.remarks import LED, RECAP_VERBS
from memassay.synth.telling.scenery import caption_of, page_caption_of
from memassay.synth.telling.staging import figure_of
from memassay.synth.telling.storyteller import arc_of, speakers_of, title_of
from memassay.synth.world.grammar import fill, wordings
from memassay.synth.world.maker import LED_BY, LOG
from memassay.synth.world.persona_file import CardSpec, PersonaFile
from memassay.synth.world.values import spoken, spoken_date

_SENTENCE: Final = re.compile(r"(?<=[.!?])[\"')]*\s+")
_SHOWN: Final = 120
"""Characters of a text that a finding quotes."""


class Odd(NamedTuple):
    """Something in a conversation that nothing tells.

    Attributes:
        pointer: JSON Pointer to it in the conversation.
        expected: What the cards say there.
        got: What stands there.
    """

    pointer: str
    expected: str
    got: str


class _Part(NamedTuple):
    """Texts of which one stands here, or none if it may be left out."""

    texts: Sequence[str]
    needed: bool = True


@dataclass(frozen=True)
class _Scene:
    """An event with its card, what its slots say, and its facts by slot."""

    event: TimelineEvent
    card: CardSpec
    values: Mapping[str, str]
    facts: Mapping[str, Fact]


class Telling:
    """What the cards of one history say, for every choice of words."""

    def __init__(
        self, persona: PersonaFile, events: Sequence[TimelineEvent], facts: Sequence[Fact]
    ) -> None:
        """Take a world: its events in time order, and its facts."""
        self._persona = persona
        cards = {card.id: card for card in (*persona.side, *persona.cards)}
        by_id = {fact.id: fact for fact in facts}
        self._scenes: dict[str, _Scene] = {}
        self._sessions: dict[int, list[TimelineEvent]] = {}
        known: dict[str, str] = {}
        for event in events:
            said = {slot: spoken(by_id[fact].value) for slot, fact in event.facts.items()}
            known |= {f"{event.card}.{slot}": words for slot, words in said.items()}
            values = {"user": persona.name, **event.names} | known | said
            own = {slot: by_id[fact] for slot, fact in event.facts.items()}
            self._scenes[event.id] = _Scene(event, cards[event.card], values, own)
            self._sessions.setdefault(event.session, []).append(event)

    def odd(self, talk: Conversation) -> Iterator[Odd]:
        """Sessions, turns and captions of a conversation that the cards do not tell."""
        heads = [("/title", title_of(self._persona), talk.title or "")]
        heads += [
            (pointer("speakers", at), str(one), str(other))
            for at, (one, other) in enumerate(
                zip_longest(speakers_of(self._persona), talk.speakers)
            )
        ]
        yield from (Odd(*head) for head in heads if head[1] != head[2])
        for at, session in enumerate(talk.sessions):
            events = self._sessions.get(session.index, [])
            wanted = [event.id for event in events for _ in self._scenes[event.id].card.rounds]
            if [round_.event for round_ in session.rounds] != wanted:
                yield Odd(pointer("sessions", at), f"{len(wanted)} rounds", _rounds(session))
                continue
            if events and session.date != events[0].day:
                yield Odd(pointer("sessions", at, "date"), events[0].day, str(session.date))
            if events and session.arc != arc_of(events):
                yield Odd(pointer("sessions", at, "arc"), str(arc_of(events)), str(session.arc))
            for number, round_ in enumerate(session.rounds):
                place = pointer("sessions", at, "rounds", number)
                position = sum(one.event == round_.event for one in session.rounds[:number])
                yield from self._round(place, round_, position, number == len(wanted) - 1)

    def figures(self, talk: Conversation) -> Iterator[tuple[str, DrawnFigure]]:
        """Assets that a conversation shows, each with the figure that its card gives it."""
        for session in talk.sessions:
            for number, round_ in enumerate(session.rounds):
                scene = self._scenes.get(round_.event or "")
                position = sum(one.event == round_.event for one in session.rounds[:number])
                if scene is None or position >= len(scene.card.rounds):
                    continue
                shown = [one.asset for turn in round_.turns for one in turn.attachments]
                for name, asset in zip(scene.card.rounds[position].shows, shown, strict=False):
                    image = scene.card.images[name]
                    figure = figure_of(image, f"image:{name}", scene.facts, scene.values)
                    yield asset, drawn_figure(figure)

    def _round(self, place: str, round_: Round, position: int, ends: bool) -> Iterator[Odd]:
        scene = self._scenes[str(round_.event)]
        spec = scene.card.rounds[position]
        told = [self._user(scene, position, ends), [_filled(spec.assistant, scene.values)]]
        if [turn.speaker for turn in round_.turns] != ["user", "assistant"]:
            speakers = ", ".join(turn.speaker for turn in round_.turns)
            yield Odd(f"{place}/turns", "user, assistant", speakers)
            return
        for at, (turn, parts) in enumerate(zip(round_.turns, told, strict=True)):
            odd = _unlike(turn.text, parts)
            if odd is not None:
                yield Odd(f"{place}/turns/{at}/text", *odd)
        yield from self._captions(place, round_, position)

    def _user(self, scene: _Scene, position: int, ends: bool) -> list[_Part]:
        voice, event, card = self._persona.voice, scene.event, scene.card
        parts = [_filled(card.rounds[position].user, scene.values)]
        last = position == len(card.rounds) - 1
        if position == 0:
            parts = [_spoken(voice.openers), *self._led(scene), *parts]
        elif not last:
            parts.append(_spoken(voice.asides))
        if last:
            parts.append(_spoken(voice.thanks))
        if ends and last:
            parts.append(_spoken(voice.recap, needed=True))
            day = spoken_date(event.day)
            parts.append(_Part([f"{event.title} {verb} {day}." for verb in RECAP_VERBS]))
            for slot in event.facts:
                if slot.startswith(LOG):
                    said = self._persona.logs[slot.removeprefix(LOG)].said
                    values = {**scene.values, "value": scene.values[slot]}
                    parts.append(_Part([one for text in said for one in _all(text, values)]))
        return parts

    def _led(self, scene: _Scene) -> list[_Part]:
        if LED_BY not in scene.event.facts:
            return []
        values = {"cause": scene.values[LED_BY], "title": scene.event.title}
        return [_Part([one for text in LED for one in _all(text, values)])]

    def _captions(self, place: str, round_: Round, position: int) -> Iterator[Odd]:
        scene = self._scenes[str(round_.event)]
        card, spec = scene.card, scene.card.rounds[position]
        wanted = [caption_of(card.images[name], scene.values) for name in spec.shows]
        wanted += [page_caption_of(card, number, scene.values) for number in spec.pages]
        shown = [one.caption or "" for turn in round_.turns for one in turn.attachments]
        if len(shown) != len(wanted):
            expected = f"{len(wanted)} attachments"
            yield Odd(f"{place}/turns/0/attachments", expected, str(len(shown)))
            return
        for at, (caption, said) in enumerate(zip(wanted, shown, strict=True)):
            if caption != said:
                yield Odd(f"{place}/turns/0/attachments/{at}/caption", caption, said)


def _rounds(session: Session) -> str:
    return f"{len(session.rounds)} rounds of other events"


def _all(pattern: str, values: Mapping[str, str]) -> list[str]:
    return [fill(text, values.__getitem__).text for text in wordings(pattern)]


def _filled(pattern: str, values: Mapping[str, str]) -> _Part:
    return _Part(_all(pattern, values))


def _spoken(phrases: Sequence[str], *, needed: bool = False) -> _Part:
    return _Part([one for phrase in phrases for one in wordings(phrase)], needed)


def _unlike(text: str, parts: Sequence[_Part]) -> tuple[str, str] | None:
    """What should stand where a text leaves its parts, and what stands there; None if it does not.

    Parts that may be left out make several readings: each is followed as far as it goes.
    """
    ends, furthest, wanted = {0}, 0, ""
    for part in parts:
        found = set() if part.needed else set(ends)
        for end in ends:
            for said in part.texts:
                if not said:
                    found.add(end)
                    continue
                joined = f" {said}" if end else said
                if text.startswith(joined, end):
                    found.add(end + len(joined))
                elif part.needed:
                    reached = end + _shared(joined, text[end:])
                    if reached >= furthest:
                        furthest, wanted = reached, said
        if not found:
            return _sentence(wanted, text, furthest)
        ends = found
    if len(text) in ends:
        return None
    return "nothing more", text[max(ends) :].strip()[:_SHOWN]


def _shared(one: str, other: str) -> int:
    """How many characters two texts share at their beginnings."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _sentence(wanted: str, text: str, at: int) -> tuple[str, str]:
    """The sentence that leaves what was wanted, beside it."""
    starts = [found.end() for found in _SENTENCE.finditer(text) if found.end() <= at]
    start = max(starts, default=0)
    return wanted[:_SHOWN], text[start : start + _SHOWN]
