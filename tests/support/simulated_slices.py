"""Small worlds of two other paths, simulated from a seed: an agent's project, an undated dialogue.

They prove that the records, the ledger and the queries carry what those paths need. The world
keeps its own account of what is true; gold answers come from queries over the ledger alone.
"""

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.evidence import decoy_places, evidence_of
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Action,
    Checkpoint,
    Conversation,
    Round,
    RoundKind,
    Session,
    SessionArc,
    Speaker,
    SpeakerKind,
    Turn,
    TurnKind,
)
from memassay.schemas.records.ledger import Fact, FactOperation, FactStatus, FactValue, ValueType
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AskedAt,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.telling.sightings import Sightings
from memassay.synth.world.grammar import expand

SETTINGS = {
    "region": ["Lisbon", "Tallinn", "Osaka", "Quito", "Bergen"],
    "database": ["Marten", "Sable", "Ermine", "Polecat", "Weasel"],
    "reviewer": ["Noor", "Silvan", "Beatriz", "Oleg", "Hanna"],
    "log format": ["plain lines", "nested records", "binary frames", "tagged rows"],
}
WISHES = {
    "favourite dessert": ["lemon tart", "rice pudding", "fig cake", "plum crumble"],
    "favourite colour": ["ochre", "teal", "crimson", "lilac"],
    "favourite instrument": ["oboe", "viola", "banjo", "harp"],
    "favourite season": ["late autumn", "early spring", "high summer", "deep winter"],
}
CARRIES_ON = "[Noted|Good to know|Understood]: {value}, for [now|the moment]."


@dataclass
class Simulated:
    """A world being told.

    Attributes:
        name: Id of the conversation.
        path: The path whose shape it has.
        speakers: Who speaks.
        random: Draws everything.
        held: What the world itself holds true now, by attribute.
        before: What it held before the last change.
        checkpoints: Points at which questions are asked.
    """

    name: str
    path: str
    speakers: list[Speaker]
    random: Random
    held: dict[str, Fact] = field(default_factory=dict)
    before: dict[str, Fact] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    items: list[QAItem] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start without mentions."""
        self.sightings = Sightings(self.name)

    def learn(self, subject: str, attribute: str, text: str, when: str | None, **more: Any) -> Fact:
        """A new fact; one that replaces another of its kind says so."""
        old = self.held.get(attribute) if "status" not in more else None
        fact = Fact(
            id=f"{self.name}/F{len(self.facts) + 1:03d}",
            subject=subject,
            attribute=attribute,
            value=FactValue(type=ValueType.TEXT, text=text),
            valid_from=when,
            operation=FactOperation.REVISE if old else FactOperation.APPEND,
            supersedes=[old.id] if old else [],
            **more,
        )
        self.facts.append(fact)
        if "status" not in more:
            self.held[attribute] = fact
            if old:
                self.before[attribute] = old
        return fact

    def say(
        self, place: str, order: int, speaker: str, pattern: str, fact: Fact, **more: Any
    ) -> Turn:
        """A turn that says a fact wherever its pattern has `{value}`."""
        said = expand(pattern, self.random, {"value": fact.value.text, "what": fact.attribute})
        turn = f"{place}.{order}"
        for span in said.spans:
            if span.slot == "value":
                at = (span.start, span.end)
                self.sightings.in_text(fact, place, turn, speaker, at)
        return Turn(id=turn, speaker=speaker, text=said.text, **more)

    def open_session(self, day: date | None, arc: SessionArc | None) -> Session:
        """The next session, still empty."""
        index = len(self.sessions) + 1
        when = day.isoformat() if day else None
        session = Session(id=f"D{index}", index=index, date=when, arc=arc, rounds=[])
        self.sessions.append(session)
        return session

    def ask(
        self,
        text: str,
        query: dict[str, Any],
        code: str,
        kind: str,
        checkpoint: str | None = None,
        twin: QAItem | None = None,
    ) -> QAItem:
        """A question whose gold and evidence are what its query gives; kept."""
        ledger = Ledger(self.bundle())
        asked_at = AskedAt(checkpoint=checkpoint)
        execution = execute(parse_query(query), ledger, asked_at)
        refused = query["op"] == "absent"
        form = AnswerFormat.REFUSAL if refused else AnswerFormat.FREE
        more: dict[str, Any] = {"evidence": evidence_of(execution, ledger, asked_at)}
        if refused:
            decoys = decoy_places(execution, ledger, asked_at)
            more = {"answerable": False, "decoys": decoys, "twin_of": twin.id if twin else None}
        item = QAItem(
            id=f"{self.name}/Q{len(self.items) + 1:03d}",
            conversation=self.name,
            question=QuestionText(text=text),
            answer=Answer(format=form, values=answer_values(execution, form)),
            modalities=[Modality.TEXT],
            asked_at=asked_at,
            type=QuestionType(kind),
            benchmark_type=code,
            query=query,
            origin=ItemOrigin.MACHINE,
            **more,
        )
        self.items.append(item)
        return item

    def bundle(self) -> Bundle:
        """All that was told, with the questions asked so far."""
        return Bundle(
            conversation=self.conversation(),
            assets=[],
            facts=self.facts,
            mentions=self.sightings.mentions,
            questions=self.items,
        )

    def conversation(self) -> Conversation:
        """The conversation as told so far."""
        return Conversation(
            id=self.name,
            collection="simulated-slices",
            path=self.path,
            speakers=self.speakers,
            sessions=self.sessions,
            checkpoints=self.checkpoints,
        )


def _of(subject: str, attribute: str) -> dict[str, Any]:
    return {"op": "select", "where": {"subject": subject, "attribute": attribute}}


def _value(of: dict[str, Any], name: str = "value") -> dict[str, Any]:
    return {"op": "get", "of": of, "field": name}


def simulated_project(seed: int) -> tuple[Bundle, dict[str, str]]:
    """An agent's project in the shape of WorldMemArena (§4): S00, steps, updates, checkpoints.

    Returns:
        The bundle, and by question the answer that the world itself holds true.
    """
    speakers = [
        Speaker(id="system", name="Set-up", kind=SpeakerKind.ENVIRONMENT),
        Speaker(id="agent", name="Agent", kind=SpeakerKind.AGENT),
        Speaker(id="user", name="Ilse", kind=SpeakerKind.HUMAN),
    ]
    world = Simulated(f"project-{seed}", "worldmemarena", speakers, Random(seed))
    day = date(2025, 3, 3)
    _set_up(world, day)
    truth: dict[str, str] = {}
    changed = world.random.sample(sorted(SETTINGS), 3)
    for attribute in changed:
        day += timedelta(days=world.random.randint(1, 20))
        _update(world, attribute, day)
        if len(world.sessions) in (2, 4):
            covered = [session.id for session in world.sessions]
            world.checkpoints.append(Checkpoint(id=f"C{len(covered)}", covered_sessions=covered))
    for attribute in SETTINGS:
        current = world.ask(
            f"What is the {attribute} of the project now?",
            _value({"op": "as_of", "of": _of("project", attribute), "at": "C4"}),
            *("DU", "knowledge_update", "C4"),
        )
        truth[current.id] = world.held[attribute].value.text
        elsewhere = world.ask(
            f"What is the {attribute} of the sister firm?",
            {"op": "absent", "of": _of("sister firm", attribute)},
            *("MB", "refusal", "C4", current),
        )
        truth[elsewhere.id] = "Not mentioned."
    for attribute, old in world.before.items():
        first = world.ask(
            f"What was the {attribute} of the project at first?",
            _value({"op": "pick", "of": _of("project", attribute), "by": "date", "which": "first"}),
            *("FR", "fact_recall", "C4"),
        )
        truth[first.id] = old.value.text
    early = changed[0]
    first = world.ask(
        f"What is the {early} of the project?",
        _value({"op": "as_of", "of": _of("project", early), "at": "C2"}),
        *("DU", "knowledge_update", "C2"),
    )
    truth[first.id] = world.held[early].value.text
    return world.bundle(), truth


def _set_up(world: Simulated, day: date) -> None:
    """S00: what is true before the first step, one round each."""
    session = world.open_session(day, SessionArc.SETUP)
    for number, (attribute, choices) in enumerate(SETTINGS.items(), start=1):
        place = f"{session.id}:{number}"
        text = world.random.choice(choices)
        fact = world.learn("project", attribute, text, day.isoformat(), source="primary")
        turn = world.say(place, 1, "system", "The {what} of the project is {value}.", fact)
        session.rounds.append(Round(id=place, kind=RoundKind.UTTERANCE, turns=[turn]))


def _update(world: Simulated, attribute: str, day: date) -> None:
    """A session of steps: one setting changes, and a rumour about it is no fact."""
    session = world.open_session(day, SessionArc.MAIN)
    old = world.held[attribute].value.text
    new, rumour = world.random.sample([one for one in SETTINGS[attribute] if one != old], 2)
    stray = world.learn(
        "project", attribute, rumour, day.isoformat(), status=FactStatus.INTERFERENCE
    )
    fact = world.learn("project", attribute, new, day.isoformat(), source="primary")
    noise, step = f"{session.id}:1", f"{session.id}:2"
    wish = "[Somebody|A colleague] [would like|dreams of] {value} as the {what}; we never will."
    session.rounds.append(
        Round(id=noise, kind=RoundKind.STEP, turns=[world.say(noise, 1, "user", wish, stray)])
    )
    action = Action(name="set", arguments={attribute: new}, ok=True)
    session.rounds.append(
        Round(
            id=step,
            kind=RoundKind.STEP,
            turns=[
                Turn(id=f"{step}.1", speaker="agent", kind=TurnKind.REASONING, text="It is time."),
                Turn(id=f"{step}.2", speaker="agent", kind=TurnKind.ACTION, action=action),
                world.say(
                    *(step, 3, "system", "The {what} of the project is {value} from now on.", fact),
                    kind=TurnKind.OBSERVATION,
                ),
            ],
        )
    )


def simulated_dialogue(seed: int) -> tuple[Bundle, dict[str, str]]:
    """A dialogue in the shape of MMRC (§3): one session without a date, a mind that is changed.

    Returns:
        The bundle, and by question the answer that the world itself holds true.
    """
    speakers = [
        Speaker(id="user", name="User", kind=SpeakerKind.HUMAN),
        Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
    ]
    world = Simulated(f"dialogue-{seed}", "mmrc", speakers, Random(seed))
    session = world.open_session(None, None)
    wishes = world.random.sample(sorted(WISHES), 4)
    for attribute in [*wishes, *world.random.sample(wishes, 2)]:
        place = f"{session.id}:{len(session.rounds) + 1}"
        held = world.held.get(attribute)
        choices = [one for one in WISHES[attribute] if held is None or one != held.value.text]
        fact = world.learn("user", attribute, world.random.choice(choices), None)
        opening = "[My|By the way, my] {what} is {value}."
        if held:
            opening = "[Sorry, I was wrong|I changed my mind]: my {what} is {value}."
        session.rounds.append(
            Round(
                id=place,
                kind=RoundKind.EXCHANGE,
                turns=[
                    world.say(place, 1, "user", opening, fact),
                    world.say(place, 2, "assistant", CARRIES_ON, fact),
                ],
            )
        )
    truth: dict[str, str] = {}
    for attribute in wishes:
        item = world.ask(
            f"What is the user's {attribute} in the end?",
            _value({"op": "as_of", "of": _of("user", attribute), "at": "D1"}),
            *("MU", "knowledge_update"),
        )
        truth[item.id] = world.held[attribute].value.text
    refused = world.ask(
        "What is the user's favourite poet?",
        {"op": "absent", "of": _of("user", "favourite poet")},
        *("AR", "refusal", None, world.items[0]),
    )
    truth[refused.id] = "Not mentioned."
    return world.bundle(), truth
