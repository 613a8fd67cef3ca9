"""Small hand-made ledgers: four dated sessions of four rounds, and facts in one line each."""

from typing import Any

from memassay.schemas.queries.executor import Execution, execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerRelation, AskedAt

DATES = ("2024-01-08", "2024-02-05", "2024-03-04", "2024-04-01")
ROUNDS = 4
Document = dict[str, Any]


def conversation(dates: tuple[str | None, ...] = DATES) -> Document:
    """A conversation `c` of rounds D1:1 to D4:4; checkpoints C1 and C2 after two sessions each."""
    return {
        "id": "c",
        "collection": "test",
        "path": "curate",
        "speakers": [
            {"id": "user", "name": "User", "kind": "human"},
            {"id": "assistant", "name": "Assistant", "kind": "assistant"},
        ],
        "sessions": [
            {
                "id": f"D{session}",
                "index": session,
                "date": date,
                "rounds": [
                    {
                        "id": f"D{session}:{at}",
                        "kind": "exchange",
                        "turns": [{"id": f"D{session}:{at}.1", "speaker": "user"}],
                    }
                    for at in range(1, ROUNDS + 1)
                ],
            }
            for session, date in enumerate(dates, start=1)
        ],
        "checkpoints": [
            {"id": "C1", "covered_sessions": ["D1", "D2"]},
            {"id": "C2", "covered_sessions": ["D1", "D2", "D3", "D4"]},
        ],
    }


def fact(name: str, subject: str, attribute: str, value: str, **more: Any) -> Document:
    """A fact; `kind` and `unit` of its value may be given, other fields by name."""
    kind, unit = more.pop("kind", "text"), more.pop("unit", None)
    for key in ("supersedes", "entailed_by"):
        more[key] = [f"c/{other}" for other in more.get(key, [])]
    return {
        "id": f"c/{name}",
        "subject": subject,
        "attribute": attribute,
        "value": {"type": kind, "text": value, "unit": unit},
        **more,
    }


def mention(name: str, of: str, place: str, **more: Any) -> Document:
    """A mention of a fact in a round; text, full and by the user unless told otherwise."""
    return {
        "id": f"c/{name}",
        "fact": f"c/{of}",
        "round": place,
        "turn": f"{place}.1",
        "modality": "text",
        "speaker": "user",
        **more,
    }


def bundle_of(
    facts: list[tuple[Document, str]],
    mentions: list[Document] | None = None,
    dates: tuple[str | None, ...] = DATES,
) -> Bundle:
    """A bundle of facts, each with the rounds (separated by spaces) that mention it in full."""
    plain = [
        mention(f"{each['id'].removeprefix('c/')}_M{at}", each["id"].removeprefix("c/"), place)
        for each, places in facts
        for at, place in enumerate(places.split(), start=1)
    ]
    return Bundle.model_validate(
        {
            "conversation": conversation(dates),
            "facts": [each for each, _ in facts],
            "mentions": [*plain, *(mentions or [])],
        }
    )


def ledger_of(
    facts: list[tuple[Document, str]],
    mentions: list[Document] | None = None,
    dates: tuple[str | None, ...] = DATES,
) -> Ledger:
    """The ledger of such a bundle."""
    return Ledger(bundle_of(facts, mentions, dates))


def select(**where: Any) -> Document:
    """A `select` with these filters."""
    return {"op": "select", "where": where}


def get(of: Document, field: str = "value") -> Document:
    """A `get` of one field."""
    return {"op": "get", "of": of, "field": field}


def run(query: Document, ledger: Ledger, relation: str = "one", **asked_at: str) -> Execution:
    """Execute a query document."""
    return execute(
        parse_query(query), ledger, AskedAt.model_validate(asked_at), AnswerRelation(relation)
    )


def why(execution: Execution) -> list[str]:
    """Local ids of the facts an execution rests on, sorted."""
    return sorted(name.removeprefix("c/") for name in execution.why)


def context(execution: Execution) -> list[str]:
    """Local ids of the facts an execution passed over, sorted."""
    return sorted(name.removeprefix("c/") for name in execution.context)


def household() -> Ledger:
    """Amy, her pets, a kiln, prices, steps, sources and a chart."""
    price = {"kind": "number", "unit": "EUR"}
    return ledger_of(
        [
            (fact("F1", "amy", "pet", "Rex", kind="entity"), "D1:1 D3:1"),
            (fact("F2", "amy", "pet", "Tom", kind="entity", order=2), "D2:1"),
            (fact("F3", "Rex", "breed", "Boxer"), "D1:2"),
            (fact("F4", "kiln", "price", "1850", **price), "D2:2"),
            (fact("F5", "wheel", "price", "640.50", **price), "D3:2"),
            (fact("F6", "kiln", "bought", "2024-01-20", kind="date"), "D2:2"),
            (fact("F7", "wheel", "bought", "2024-03-02", kind="date"), "D3:2"),
            (fact("F8", "plan", "step", "wipe", order=1), "D1:3"),
            (fact("F9", "plan", "step", "fire", order=10), "D1:3"),
            (fact("F10", "plan", "step", "glaze", order=2), "D1:4"),
            (fact("F11", "fair", "place", "Aarhus", source="mail"), "D3:3"),
            (fact("F12", "fair", "place", "Esbjerg", source="contract"), "D3:4"),
            (fact("F13", "mail", "authority", "1", kind="number"), "D3:4"),
            (fact("F14", "contract", "authority", "2", kind="number"), "D3:4"),
            (fact("F15", "trip", "month", "2024-03", kind="date"), "D4:1"),
            (fact("F16", "amy", "weight", "61", kind="number", unit="kg"), "D4:1"),
            (fact("F17", "Boxer", "origin", "Germany", holder="external"), ""),
            (fact("F18", "Q:IMG_001", "concept", "Rex", scope="question"), ""),
            (fact("F19", "amy", "home", "a flat", status="implied", entailed_by=["F1"]), ""),
            (fact("F20", "amy", "pet", "Kraken", status="interference"), "D4:2"),
            (fact("F21", "amy", "brother", "Max"), ""),
            (fact("F22", "D4:IMG_001", "depicts", "kiln"), ""),
        ],
        [
            mention("F22_M1", "F22", "D4:3", attachment="D4:IMG_001", modality="image"),
            mention("F4_M9", "F4", "D4:3", attachment="D4:IMG_001", modality="image"),
        ],
    )
