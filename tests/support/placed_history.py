"""A history in which every place has a text, a fact and a mention of its own."""

from typing import Any

from memassay.schemas.base import Modality
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactValue, Mention, ValueType
from memassay.schemas.records.question import AskedAt, Evidence
from support.fixtures import TALK, asset, attached, bundle, item, session, utterance

WORDS = "It weighs 12 kg on D{0}:{1}."


def placed_fact(local: str, **more: Any) -> Fact:
    """A weight of 12 kg."""
    value = FactValue(type=ValueType.NUMBER, text="12", unit="kg")
    fields: dict[str, Any] = {"subject": "hive", "attribute": "weight", "value": value, **more}
    return Fact(id=f"{TALK}/{local}", **fields)


def placed_history(rounds: list[int], images: dict[str, int] | None = None) -> Bundle:
    """Sessions of some rounds each, a month apart, every round with a fact and a mention of it."""
    shown = images or {}
    sessions = []
    for at, count in enumerate(rounds, start=1):
        own = [
            utterance(
                f"D{at}:{number}",
                WORDS.format(at, number),
                attachments=[
                    attached(f"D{at}:IMG_{shown[place]:03d}", "A1")
                    for place in [f"D{at}:{number}"]
                    if place in shown
                ],
            )
            for number in range(1, count + 1)
        ]
        sessions.append(session(at, *own, date=f"2024-{at:02d}-01"))
    places = [one.id for each in sessions for one in each.rounds]
    facts = [placed_fact(f"F{at:03d}") for at in range(1, len(places) + 1)]
    mentions = [
        Mention(
            id=f"{TALK}/M{at:03d}",
            fact=f"{TALK}/F{at:03d}",
            round=place,
            turn=f"{place}.1",
            modality=Modality.TEXT,
            speaker="ann",
            span=[10, 15],
        )
        for at, place in enumerate(places, start=1)
    ]
    for place, number in shown.items():
        name = f"{place.partition(':')[0]}:IMG_{number:03d}"
        fact = f"{TALK}/F{places.index(place) + 1:03d}"
        seen = {"turn": f"{place}.1", "attachment": name, "asset": f"{TALK}/A1"}
        mentions.append(
            Mention(
                id=f"{TALK}/P{number}{place.replace(':', '_')}",
                fact=fact,
                round=place,
                modality=Modality.IMAGE,
                **seen,
            )
        )
    cited = [places[0], places[-1]]
    question = item(evidence=cited, asked_at=AskedAt(session="D1"), decoys=[places[-1]])
    question = question.model_copy(
        update={
            "evidence": Evidence(
                groups=[[one] for one in cited], canonical=cited, facts=[facts[0].id]
            )
        }
    )
    return bundle(question, *facts, *mentions, asset(), sessions=sessions)
