"""Parts of a history that can be mended alone, and how the simulator makes a flagged one again."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.flaw import Flaw, Repair
from memassay.schemas.records.conversation import Conversation, Round, Session
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.values.text import shingles
from memassay.synth.telling.storyteller import Retold, Storyteller

_PLACE: Final = re.compile(r"/sessions/(\d+)(?:/rounds/(\d+))?(?:/|$)")
_DRAWS: Final = 6
"""Wordings drawn for a repair, of which the least like its neighbours is taken (our choice)."""

Tell = Callable[[Round, Random], Retold]


def timeline_parts(made: Sequence[Record]) -> dict[str, str]:
    """Content hash by part of a timeline: events with their facts, and what belongs to no event."""
    facts = {record.id: record for record in made if isinstance(record, Fact)}
    events = [record for record in made if isinstance(record, TimelineEvent)]
    owned = {fact for event in events for fact in event.facts.values()}
    parts = {
        event.id: _joint_hash([event, *(facts[fact] for fact in sorted(event.facts.values()))])
        for event in events
    }
    alone = (one for one in made if not isinstance(one, TimelineEvent) and one.id not in owned)
    return parts | {record.id: content_hash(record) for record in alone}


def timeline_part_of(finding: Finding, made: Sequence[Record]) -> str | None:
    """The part of a timeline that a finding is about: a fact's is its event's."""
    for record in made:
        if isinstance(record, TimelineEvent) and finding.target in (
            record.id,
            *record.facts.values(),
        ):
            return record.id
    return finding.target if any(record.id == finding.target for record in made) else None


def mended_timeline(
    made: Sequence[Record], anew: Iterable[Record], flagged: Mapping[str, object]
) -> list[Record]:
    """A timeline with the flagged events as the world has them, and all else as it was."""
    of_world = {record.id: record for record in anew}
    taken = set(flagged)
    for record in of_world.values():
        if isinstance(record, TimelineEvent) and record.id in flagged:
            taken |= set(record.facts.values())
    return [of_world.get(one.id, one) if one.id in taken else one for one in made]


def dialogue_parts(made: Sequence[Record]) -> dict[str, str]:
    """Content hash by part of a dialogue: rounds with mentions, heads of sessions, assets."""
    talk = _conversation(made)
    mentions: dict[str, list[Record]] = {}
    for record in made:
        if isinstance(record, Mention):
            mentions.setdefault(record.round, []).append(record)
    parts = {talk.id: content_hash(talk.model_copy(update={"sessions": []}))}
    for session in talk.sessions:
        head = session.model_copy(update={"rounds": []})
        parts[record_id(talk.id, session.id)] = content_hash(head.model_dump(mode="json"))
        for round_ in session.rounds:
            seen = mentions.get(round_.id, [])
            parts[record_id(talk.id, round_.id)] = _joint_hash([round_, *seen])
    rest = (one for one in made if not isinstance(one, Conversation | Mention))
    return parts | {record.id: content_hash(record) for record in rest}


def _joint_hash(records: Iterable[Record | Round]) -> str:
    return content_hash([record.model_dump(mode="json") for record in records])


def dialogue_part_of(finding: Finding, made: Sequence[Record]) -> str | None:
    """The round or session that a finding about a conversation points into."""
    talk = _conversation(made)
    place = _PLACE.match(finding.pointer)
    if finding.target != talk.id or place is None:
        return None
    session = talk.sessions[int(place[1])]
    return record_id(talk.id, session.rounds[int(place[2])].id if place[2] else session.id)


def _conversation(made: Sequence[Record]) -> Conversation:
    return next(record for record in made if isinstance(record, Conversation))


class TimelineParts:
    """A stage whose parts are events with their facts."""

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash by part: each event with its facts, and the persona."""
        return timeline_parts(_without_notes(made))

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The event that a finding is about."""
        return timeline_part_of(finding, made)


class DialogueParts:
    """A stage whose parts are rounds with their mentions, and heads of sessions."""

    def parts(self, made: Sequence[Record]) -> Mapping[str, str]:
        """Content hash by part: each round with its mentions, each session's head."""
        return dialogue_parts(_without_notes(made))

    def part_of(self, finding: Finding, made: Sequence[Record]) -> str | None:
        """The round or session that a finding is about."""
        return dialogue_part_of(finding, made) if made else None


def _without_notes(made: Sequence[Record]) -> list[Record]:
    """Records without those that note what was planted or mended in them."""
    return [one for one in made if not isinstance(one, Flaw | Repair)]


class DialogueMender:
    """Makes flagged rounds and dates of sessions again from the events behind them."""

    def __init__(
        self,
        teller: Storyteller,
        events: Sequence[TimelineEvent],
        made: Sequence[Record],
        randoms: Callable[..., Random],
    ) -> None:
        """Take who writes, what happened, and what was written of it."""
        self.teller = teller
        self.events = list(events)
        self.made = list(made)
        self.talk = _conversation(made)
        self.randoms = randoms
        self.mentions = [record for record in made if isinstance(record, Mention)]

    def mend(self, flagged: Mapping[str, object], attempt: int) -> list[Record]:
        """The dialogue with its flagged parts made again and all others as they were."""
        noted: dict[str, Mention] = {}
        sessions: list[Session] = []
        for session in self.talk.sessions:
            rounds = list(session.rounds)
            for at, round_ in enumerate(rounds):
                if record_id(self.talk.id, round_.id) in flagged:
                    beside = rounds[max(at - 1, 0) : at] + rounds[at + 1 : at + 2]
                    rounds[at], seen = self._anew(session, round_, beside, attempt)
                    noted |= {mention.id: mention for mention in seen}
            head = {"date": self._date(session)} if self._is_in(flagged, session) else {}
            sessions.append(session.model_copy(update={"rounds": rounds, **head}))
        talk = self.talk.model_copy(update={"sessions": sessions})
        return [talk if one is self.talk else noted.get(one.id, one) for one in self.made]

    def _is_in(self, flagged: Mapping[str, object], session: Session) -> bool:
        return record_id(self.talk.id, session.id) in flagged

    def _date(self, session: Session) -> str | None:
        days = [event.day for event in self.events if event.session == session.index]
        return days[0] if days else session.date

    def _anew(
        self, session: Session, round_: Round, beside: Sequence[Round], attempt: int
    ) -> tuple[Round, list[Mention]]:
        """A round in other words than its neighbours', and its mentions under their old ids."""
        at = next((n for n, event in enumerate(self.events) if event.id == round_.event), None)
        if at is None:
            return round_, []
        own = [each.id for each in session.rounds if each.event == round_.event]
        position = own.index(round_.id) + 1
        old = [m for m in self.mentions if m.round == round_.id and m.span is not None]
        wording = {run for each in beside for turn in each.turns for run in shingles(turn.text)}
        best: tuple[int, Round, list[Mention]] | None = None
        for random in self._draws(round_, position, self.events[at], attempt):
            told = self.teller.retell(self.events[: at + 1], round_, position, random)
            if [_place_of(one) for one in told.mentions] != [_place_of(one) for one in old]:
                continue
            runs = {run for turn in told.round.turns for run in shingles(turn.text)}
            shared = len(runs & wording) + (1000 if told.round == round_ else 0)
            if best is None or shared < best[0]:
                noted = [
                    new.model_copy(update={"id": one.id})
                    for new, one in zip(told.mentions, old, strict=True)
                ]
                best = shared, told.round, noted
        return (best[1], best[2]) if best else (round_, [])

    def _draws(
        self, round_: Round, position: int, event: TimelineEvent, attempt: int
    ) -> Iterator[Random]:
        for draw in range(_DRAWS):
            yield self.randoms("repair", round_.id, str(attempt), str(draw))
        # The choices of its first words: whatever choices hold slots, these have its mentions.
        yield self.randoms("round", self.teller.cards.of(event).key, str(position - 1))


def _place_of(mention: Mention) -> tuple[str, str | None]:
    return mention.fact, mention.turn
