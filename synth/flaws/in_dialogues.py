"""Flaws planted into a dialogue: rounds and dates as a careless author could have written them."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Final

from memassay.schemas.base import Record
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.flaw import FlawKind
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Conversation, Round, Session, Turn
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.values.text import holds
from memassay.synth.flaws.facts import misstatements
from memassay.synth.flaws.forms import (
    CONTRADICTION,
    DATES,
    HALLUCINATION,
    OFFENSIVE,
    PERSONA,
    SESSION_DATES,
    USER,
)
from memassay.synth.flaws.in_timelines import offences
from memassay.synth.flaws.lives import OtherLives
from memassay.synth.flaws.planting import Plant, Planted, planted_by
from memassay.synth.world.grammar import Randoms, expand, with_article
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.values import spoken_date

_SENTENCE: Final = re.compile(r"(?<=[.!?]) (?=[A-Z])")
_ROWS: Final = 8
"""Labels drawn, of which the first that no text has is taken."""
_THINGS: Final = {
    "bar_chart": ("chart", "bar chart", "graph"),
    "line_chart": ("chart", "curve", "graph"),
    "table": ("table", "sheet"),
    "receipt": ("receipt", "bill"),
    "timetable": ("timetable", "schedule"),
    "ticket": ("ticket",),
    "label": ("label",),
    "whiteboard": ("board", "whiteboard"),
    "certificate": ("certificate",),
    "notice": ("notice", "sign"),
    "plan": ("plan", "floor plan"),
    "scene": ("photo", "picture"),
    "note": ("note",),
    "chat": ("chat", "screenshot"),
    "form": ("form",),
    "calendar": ("calendar",),
    "gauge": ("gauge", "dial"),
    "route_map": ("map", "route"),
    "annotated_plan": ("drawing", "sketch"),
    "photo_pair": ("pair of photos", "two photos"),
    "cluttered_scene": ("photo", "picture"),
    "double_chart": ("chart", "graph"),
    "page": ("page",),
}


class DialoguePlanter:
    """Plants flaws into one written history; `records` are what its records become."""

    def __init__(
        self,
        persona: PersonaFile,
        donors: Sequence[PersonaFile],
        given: Sequence[Record],
        made: Sequence[Record],
        randoms: Randoms,
    ) -> None:
        """Take the events and facts, the clean dialogue, and whose lives flaws borrow from."""
        self.persona = persona
        self.randoms = randoms
        self.records = list(made)
        self.talk = next(record for record in made if isinstance(record, Conversation))
        self.mentions = [record for record in made if isinstance(record, Mention)]
        self.assets = {record.id: record for record in made if isinstance(record, Asset)}
        self.events = [record for record in given if isinstance(record, TimelineEvent)]
        self.events.sort(key=lambda event: event.position)
        self.facts = {record.id: record for record in given if isinstance(record, Fact)}
        self.lives = OtherLives(persona, donors, {event.card for event in self.events})
        self._event = {event.id: event for event in self.events}
        self._session = {each.id: one for one in self.talk.sessions for each in one.rounds}
        self._place = {each.id: at for at, each in enumerate(self.talk.rounds())}
        self._free = [each for each in self.talk.rounds() if each.event is not None]
        self._sessions = list(range(1, len(self.talk.sessions) - 1))

    def plant(self, wanted: Mapping[FlawKind, int]) -> list[Planted]:
        """Plant flaws, each into a round or session of its own; fewer if nothing is left."""
        plants: Mapping[FlawKind, Plant] = {
            FlawKind.HALLUCINATION: self._hallucination,
            FlawKind.DRIFT: self._drift,
            FlawKind.CONTRADICTION: self._contradiction,
            FlawKind.DATE_ORDER: self._date,
            FlawKind.PERSONA: self._persona,
            FlawKind.OFFENSIVE: self._offensive,
        }
        return planted_by(plants, wanted, self.randoms)

    # --- what is planted

    def _persona(self, random: Random) -> Planted | None:
        trade = self.lives.trade(random)
        values = {"job": with_article(trade), "trade": trade, "stranger": self.lives.name(random)}
        return self._insert_sentence(FlawKind.PERSONA, random, PERSONA, self._take(random), values)

    def _offensive(self, random: Random) -> Planted | None:
        return self._insert_sentence(
            FlawKind.OFFENSIVE, random, OFFENSIVE, self._take(random), offences(random)
        )

    def _drift(self, random: Random) -> Planted | None:
        core = {event.id for event in self.events if event.line is EventLine.CORE}
        round_ = self._take(random, lambda one: one.event in core)
        if round_ is None:
            return None
        texts = self.lives.exchange(random, self._day(round_))
        turns = [
            turn.model_copy(update={"text": text})
            for turn, text in zip(round_.turns, texts, strict=True)
        ]
        self._replace_round(round_.model_copy(update={"turns": turns}))
        form = "user and assistant of another life"
        return self._planted_in(FlawKind.DRIFT, round_, form, " / ".join(texts))

    def _contradiction(self, random: Random) -> Planted | None:
        said: dict[str, int] = {}
        for mention in self.mentions:
            if mention.span is not None:
                said.setdefault(mention.fact, self._place[mention.round])
        known = [
            one
            for one in misstatements(self.persona, self.events, self.facts, random)
            if one.fact.id in said
        ]
        if not known:
            return None
        one = random.choice(known)
        round_ = self._take(random, lambda each: self._place[each.id] >= said[one.fact.id])
        speaker, form = random.choice(CONTRADICTION)
        values = {"label": one.label(speaker), "wrong": one.wrong, "right": one.right}
        return self._insert_sentence(
            FlawKind.CONTRADICTION, random, [(speaker, form)], round_, values
        )

    def _unseen_row(self, random: Random, asset: Asset) -> str:
        """A label of somebody else's pictures that none of ours has."""
        rows = [self.lives.row(random) for _ in range(_ROWS)]
        return next((row for row in rows if not holds(asset.transcription or "", row)), rows[-1])

    def _hallucination(self, random: Random) -> Planted | None:
        round_ = self._take(random, lambda one: any(turn.attachments for turn in one.turns))
        if round_ is None:
            return None
        shown = random.choice([item for turn in round_.turns for item in turn.attachments])
        kind = (self.assets[shown.asset].origin or "").rpartition(":")[2]
        values = {
            "thing": random.choice(_THINGS.get(kind, ("picture",))),
            "number": str(random.choice([random.randint(13, 989), random.randint(130, 990) / 10])),
            "row": self._unseen_row(random, self.assets[shown.asset]),
            "code": f"{random.choice('BHKVZ')}{random.choice('ERWX')}-{random.randint(1000, 9999)}",
            "stranger": self.lives.name(random),
            "day": self._far_day(round_, random, random.choice([-1, 1])),
        }
        forms = [("assistant", form) for form in HALLUCINATION]
        return self._insert_sentence(FlawKind.HALLUCINATION, random, forms, round_, values)

    def _date(self, random: Random) -> Planted | None:
        if self._sessions and random.random() < 0.3:
            return self._session_date(random)
        round_ = self._take(random, lambda one: self._day(one) != self._day(self.talk.rounds()[0]))
        if round_ is None:
            return None
        past = [one for one in self.events if one.day <= self._day(round_).isoformat()]
        early, late = _two_days(past if len(past) > 1 else self.events, random)
        values = {
            "later": self._far_day(round_, random, 1),
            "earlier": self._far_day(round_, random, -1),
            "title": self._event[round_.event or ""].title,
            "early": early.title,
            "late": late.title,
            "early_day": spoken_date(early.day),
            "late_day": spoken_date(late.day),
        }
        # Two events of one day have no order that dates could break.
        forms = [one for one in DATES if early.day < late.day or "{early_day}" not in one[1]]
        return self._insert_sentence(FlawKind.DATE_ORDER, random, forms, round_, values)

    def _session_date(self, random: Random) -> Planted | None:
        at = random.choice(self._sessions)
        self._sessions.remove(at)
        session = self.talk.sessions[at]
        own, before, after = (
            date.fromisoformat((self.talk.sessions[at + step].date or "")[:10])
            for step in (0, -1, 1)
        )
        form = random.choice(SESSION_DATES)
        day = {
            "day before the last": before - timedelta(days=1),
            "weeks after the next": after + timedelta(days=random.randint(8, 40)),
            "a year early": own - timedelta(days=365),
            "a month on": own + timedelta(days=30),
        }[form]
        flawed = session.model_copy(update={"date": day.isoformat()})
        self._replace_sessions([flawed if one is session else one for one in self.talk.sessions])
        target = record_id(self.talk.id, session.id)
        return Planted(FlawKind.DATE_ORDER, target, f"session: {form}", day.isoformat())

    # --- how it is planted

    def _take(self, random: Random, fits: Callable[[Round], bool] = lambda _: True) -> Round | None:
        fit = [one for one in self._free if fits(one)]
        if not fit:
            return None
        chosen = random.choice(fit)
        self._free.remove(chosen)
        return chosen

    def _insert_sentence(
        self,
        kind: FlawKind,
        random: Random,
        forms: Sequence[tuple[str, str]],
        round_: Round | None,
        values: Mapping[str, str],
    ) -> Planted | None:
        """Put a sentence into a turn, between two of its sentences or at an end."""
        if round_ is None:
            return None
        speaker, form = random.choice(forms)
        sentence = expand(form, random, values).text
        at = 0 if speaker == USER else 1
        flawed = self._with_sentence(round_.turns[at], sentence, random)
        turns = [flawed if n == at else turn for n, turn in enumerate(round_.turns)]
        self._replace_round(round_.model_copy(update={"turns": turns}))
        return self._planted_in(kind, round_, f"{speaker}: {form}", sentence)

    def _with_sentence(self, turn: Turn, sentence: str, random: Random) -> Turn:
        spans = [m.span for m in self.mentions if m.turn == turn.id and m.span is not None]
        places = [found.start() for found in _SENTENCE.finditer(turn.text)]
        places = [at for at in places if not any(span[0] < at < span[1] for span in spans)]
        at = random.choice([0, *places, len(turn.text)])
        shift = len(sentence) + 1
        if at == 0:
            text = f"{sentence} {turn.text}"
        else:
            text = f"{turn.text[:at]} {sentence}{turn.text[at:]}"
        moved: dict[str, Record] = {}
        for index, mention in enumerate(self.mentions):
            if mention.turn == turn.id and mention.span is not None and mention.span[0] >= at:
                span = [mention.span[0] + shift, mention.span[1] + shift]
                self.mentions[index] = mention.model_copy(update={"span": span})
                moved[mention.id] = self.mentions[index]
        self.records = [moved.get(one.id, one) for one in self.records]
        return turn.model_copy(update={"text": text})

    def _planted_in(self, kind: FlawKind, round_: Round, form: str, changed: str) -> Planted:
        return Planted(kind, record_id(self.talk.id, round_.id), form, changed)

    def _replace_round(self, new: Round) -> None:
        sessions: list[Session] = []
        for session in self.talk.sessions:
            rounds = [new if one.id == new.id else one for one in session.rounds]
            sessions.append(session.model_copy(update={"rounds": rounds}))
        self._replace_sessions(sessions)

    def _replace_sessions(self, sessions: list[Session]) -> None:
        new = self.talk.model_copy(update={"sessions": sessions})
        self.records = [new if one is self.talk else one for one in self.records]
        self.talk = new

    def _day(self, round_: Round) -> date:
        return date.fromisoformat((self._session[round_.id].date or "")[:10])

    def _far_day(self, round_: Round, random: Random, direction: int) -> str:
        day = self._day(round_) + timedelta(days=direction * random.randint(20, 300))
        return spoken_date(day.isoformat())


def _two_days(past: Sequence[TimelineEvent], random: Random) -> tuple[TimelineEvent, TimelineEvent]:
    """Two events, the second on a later day if there is one."""
    early = past[random.randrange(len(past) - 1)]
    later = [event for event in past if event.day > early.day]
    return (early, random.choice(later)) if later else (past[0], past[-1])
