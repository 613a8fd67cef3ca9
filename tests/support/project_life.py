"""A project in eight sessions: points with statements, changes, claims, questions on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from memassay.schemas.base import Modality
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactStatus,
    FactValue,
    Mention,
    ValueType,
)
from memassay.schemas.records.question import (
    Answer,
    AnswerFormat,
    AskedAt,
    Evidence,
    ItemOrigin,
    QAItem,
    QuestionText,
)
from memassay.schemas.records.question_type import QuestionType

NAME = "norvik"


@dataclass
class _Life:
    rounds: dict[str, list[Round]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)

    def tell(self, session: str, text: str, *facts: Fact) -> None:
        """A round of a session in which facts are told."""
        own = self.rounds.setdefault(session, [])
        place = f"{session}:{len(own) + 1}"
        turns = [
            Turn(id=f"{place}.1", speaker="user", text=text),
            Turn(id=f"{place}.2", speaker="assistant", text="Noted, thank you."),
        ]
        own.append(Round(id=place, kind=RoundKind.EXCHANGE, turns=turns))
        for fact in facts:
            self.facts.append(fact)
            self.mentions.append(
                Mention(
                    id=f"{NAME}/M{len(self.mentions) + 1:04d}",
                    fact=fact.id,
                    round=place,
                    turn=f"{place}.1",
                    modality=Modality.TEXT,
                )
            )


def _fact(
    number: int,
    subject: str,
    attribute: str,
    value: FactValue,
    statement: str,
    *,
    replaces: Sequence[int] = (),
    operation: FactOperation | None = None,
    status: FactStatus = FactStatus.ASSERTED,
) -> Fact:
    usual = FactOperation.REVISE if replaces else FactOperation.APPEND
    return Fact(
        id=f"{NAME}/F{number:04d}",
        subject=subject,
        attribute=attribute,
        value=value,
        statement=statement,
        supersedes=[f"{NAME}/F{old:04d}" for old in replaces],
        operation=operation or usual,
        status=status,
        importance=0.4 if number % 2 else 0.8,
    )


def _number(text: str, unit: str) -> FactValue:
    return FactValue(type=ValueType.NUMBER, text=text, unit=unit)


def _day(text: str) -> FactValue:
    return FactValue(type=ValueType.DATE, text=text)


def _text(text: str) -> FactValue:
    return FactValue(type=ValueType.TEXT, text=text)


def _tell_first_sessions(life: _Life) -> None:
    life.tell(
        "D1",
        "Norvik costs us 400 euros a month, and Norvik runs till the 12th of May.",
        _fact(
            1,
            "Norvik",
            "monthly fee",
            _number("400", "EUR"),
            "The monthly fee of Norvik is 400 EUR.",
        ),
        _fact(
            2,
            "Norvik",
            "deadline",
            _day("2024-05-12"),
            "The deadline of Norvik falls on 12 May 2024.",
        ),
    )
    life.tell(
        "D1",
        "Ask Ines Roth whenever something about Norvik is unclear.",
        _fact(3, "Norvik", "contact", _text("Ines Roth"), "The contact for Norvik is Ines Roth."),
    )
    life.tell(
        "D2",
        "The server Basalt got a disk of 255 GB.",
        _fact(4, "Basalt", "disk size", _number("255", "GB"), "The disk size of Basalt is 255 GB."),
    )
    life.tell(
        "D2",
        "Leon says that Norvik costs 650 euros a month. He only joked.",
        _fact(
            5,
            "Norvik",
            "monthly fee",
            _number("650", "EUR"),
            "The monthly fee of Norvik is 650 EUR.",
            status=FactStatus.INTERFERENCE,
        ),
    )


def _tell_later_sessions(life: _Life) -> None:
    life.tell(
        "D3",
        "From now on Norvik costs us 480 euros a month.",
        _fact(
            6,
            "Norvik",
            "monthly fee",
            _number("480", "EUR"),
            "The monthly fee of Norvik is 480 EUR.",
            replaces=[1],
        ),
    )
    life.tell(
        "D4",
        "Basalt got a larger disk of 510 GB.",
        _fact(
            7,
            "Basalt",
            "disk size",
            _number("510", "GB"),
            "The disk size of Basalt is 510 GB.",
            replaces=[4],
        ),
    )
    life.tell(
        "D5",
        "Norvik runs till the 3rd of June now.",
        _fact(
            8,
            "Norvik",
            "deadline",
            _day("2024-06-03"),
            "The deadline of Norvik falls on 3 June 2024.",
            replaces=[2],
        ),
    )
    life.tell(
        "D5",
        "By the mood of Leon one would think that Basalt has a disk of 900 GB.",
        _fact(
            9,
            "Basalt",
            "disk size",
            _number("900", "GB"),
            "The disk size of Basalt is 900 GB.",
            status=FactStatus.INTERFERENCE,
        ),
    )
    for session in ("D6", "D7", "D8"):
        life.tell(session, f"Nothing new in {session}, only rain.")


def project_life() -> Bundle:
    """The project: no statement is a part of a turn, and every turn says its points."""
    life = _Life()
    _tell_first_sessions(life)
    _tell_later_sessions(life)
    sessions = [
        Session(id=name, index=at, date=f"2024-04-{at:02d}", rounds=rounds)
        for at, (name, rounds) in enumerate(life.rounds.items(), start=1)
    ]
    conversation = Conversation(
        id=NAME,
        collection="life",
        path="curate",
        speakers=[
            Speaker(id="user", name="Mara", kind=SpeakerKind.HUMAN),
            Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT),
        ],
        sessions=sessions,
    )
    questions = [
        _ask(1, "What does Norvik cost a month?", "400 EUR", "D1", [1], "FR"),
        _ask(2, "Who is the contact for Norvik?", "Ines Roth", "D3", [3], "FR"),
        _ask(3, "What does Norvik cost a month?", "480 EUR", "D3", [6], "DU"),
        _ask(4, "How large is the disk of Basalt?", "510 GB", "D6", [7], "DU"),
        _ask(5, "When is the deadline of Norvik?", "3 June 2024", "D6", [8], "DU"),
        _ask(
            6,
            "What are contact and deadline of Norvik?",
            "Ines Roth, 3 June 2024",
            "D8",
            [3, 8],
            "MC",
        ),
        _ask(7, "What does Norvik cost a month?", "480 EUR", "D8", [6], "DU"),
        _ask(8, "Who is the contact for Basalt?", "Not mentioned.", "D8", [], "MB"),
    ]
    known = {mention.fact: mention.round for mention in life.mentions}
    return Bundle(
        conversation=conversation,
        facts=life.facts,
        mentions=life.mentions,
        questions=[
            one.model_copy(
                update={
                    "evidence": Evidence.of(
                        [known[name] for name in one.evidence.facts]
                    ).model_copy(update={"facts": one.evidence.facts})
                }
            )
            for one in questions
        ],
    )


def _ask(number: int, text: str, gold: str, after: str, facts: Sequence[int], code: str) -> QAItem:
    return QAItem(
        id=f"{NAME}/Q{number:04d}",
        conversation=NAME,
        question=QuestionText(text=text),
        answer=Answer(format=AnswerFormat.FREE if facts else AnswerFormat.REFUSAL, values=[gold]),
        answerable=bool(facts),
        asked_at=AskedAt(session=after),
        evidence=Evidence(facts=[f"{NAME}/F{one:04d}" for one in facts]),
        type=QuestionType.FACT_RECALL if facts else QuestionType.REFUSAL,
        benchmark_type=code,
        origin=ItemOrigin.IMPORTED,
    )
