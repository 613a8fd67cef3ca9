"""Small ledgers, drawn by dice, in which much can go right and much can go wrong.

Hypothesis gives the seeds only: what it varies itself are too often the same few queries.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from memassay.schemas.records.bundle import Bundle

Document = dict[str, Any]
WHOLE_DAYS = ("2024-01-10", "2024-02-29", "2024-03-20", "2025-01-31", "2024-01-31", "2023-01-31")
THINGS = ("amy", "ben", "rex", "mail", "contract")
PLACES = ("Delft", "delft", "Oslo", "San  José", "rex")
NUMBERS = ("10", "12.50", "12.5", "7", "-3", "0.125", "-3.0", "0")
DAYS = (
    *("2024-01-10", "2024-02", "2024-02-29", "2024", "2024-03"),
    *("2024-03-20T09:30", "2024-03-20", "2025-01-31"),
)
SESSION_DATES = ("2024-01-08", "2024-02-05T10:00", "2024-02-29", "2024-03-20", "2024-04", "2025")
ATTRIBUTES = ("price", "when", "pet", "home", "open", "authority")
RULES: tuple[Document, ...] = (
    {"kind": "template", "text": "{n}-{pet}-{n}"},
    {"kind": "table", "slot": "pet", "rows": {"rex": "bone", "ben": "tea", "10": "ten"}},
    {
        "kind": "threshold",
        "slot": "n",
        "unit": "EUR",
        "steps": [{"least": "10", "then": "much"}, {"least": "12.5", "then": "too much"}],
        "otherwise": "little",
    },
    {"kind": "linear", "terms": {"n": "2.50", "m": "-1"}, "constant": "0.5", "unit": "kg"},
)


T = TypeVar("T")


class Dice:
    """Draws that a seed fixes."""

    def __init__(self, seed: int) -> None:
        """Throw from a seed on."""
        self._random = Random(seed)

    def whole(self, least: int, most: int) -> int:
        """A whole number."""
        return self._random.randint(least, most)

    def one(self, items: Sequence[T]) -> T:
        """One of some items."""
        return self._random.choice(items)

    def some(self, items: Sequence[T], most: int) -> list[T]:
        """Some different items, at least one."""
        return self._random.sample(items, self.whole(1, min(most, len(items))))


def rarely(draw: Dice, percent: int) -> bool:
    """True in so many of a hundred draws."""
    return draw.whole(0, 99) < percent


def one_of(draw: Dice, *items: Any) -> Any:
    """One of some items."""
    return draw.one(items)


def conversations(draw: Dice, calm: bool) -> Document:
    """Up to five sessions in order of time; dates of any precision or none; attachments."""
    size = draw.whole(1, 5)
    start = draw.whole(0, len(SESSION_DATES) - size)
    undated = not calm and rarely(draw, 20)
    sessions = []
    for at in range(1, size + 1):
        date = f"2024-0{at}-{10 + at}" if calm else SESSION_DATES[start + at - 1]
        if undated or (not calm and rarely(draw, 10)):
            date = None
        rounds = _rounds(draw, at, calm)
        sessions.append({"id": f"D{at}", "index": at, "date": date, "rounds": rounds})
    covered = [f"D{at}" for at in range(1, draw.whole(1, size) + 1)]
    return {
        "id": "c",
        "collection": "test",
        "path": "curate",
        "speakers": [
            {"id": "user", "name": "User", "kind": "human"},
            {"id": "assistant", "name": "Assistant", "kind": "assistant"},
        ],
        "sessions": sessions,
        "checkpoints": [{"id": "C1", "covered_sessions": covered}],
    }


def _rounds(draw: Dice, session: int, calm: bool) -> list[Document]:
    rounds, images, pages = [], 0, 0
    for at in range(1, draw.whole(1, 4) + 1):
        turns: list[Document] = []
        for turn in range(1, draw.whole(1, 2) + 1):
            shown = []
            for kind in one_of(draw, "", "I", "D", "II"):
                images, pages = images + (kind == "I"), pages + (kind == "D")
                name = f"IMG_{images:03d}" if kind == "I" else f"DOC_{pages:03d}"
                shown.append({"id": f"D{session}:{name}", "asset": f"c/A{session}_{name}"})
            turns.append(
                {
                    "id": f"D{session}:{at}.{turn}",
                    "speaker": "user" if turn == 1 else "assistant",
                    "attachments": shown,
                }
            )
        made = {"id": f"D{session}:{at}", "kind": "exchange", "turns": turns}
        if not calm and rarely(draw, 8):
            made["date"] = one_of(draw, *DAYS[:3])
        rounds.append(made)
    return rounds


def _value(draw: Dice, attribute: str, calm: bool) -> Document:
    """A value of the type that its attribute has; rarely of another."""
    if not calm and rarely(draw, 8):
        attribute = one_of(draw, *ATTRIBUTES)
    if attribute == "rule":
        return {"type": "rule", "text": "a rule", "rule": draw.one(RULES)}
    if attribute == "price":
        unit = "EUR" if calm else one_of(draw, "EUR", "EUR", "EUR", "kg")
        return {"type": "number", "text": one_of(draw, *NUMBERS), "unit": unit}
    if attribute == "authority":
        return {"type": "number", "text": one_of(draw, "1", "2", "3")}
    if attribute == "when":
        return {"type": "date", "text": one_of(draw, *(WHOLE_DAYS if calm else DAYS))}
    if attribute == "pet":
        return {"type": "entity", "text": one_of(draw, "rex", "ben", "Rex")}
    if attribute == "open":
        return {"type": "boolean", "text": one_of(draw, "true", "false")}
    return {"type": "text", "text": one_of(draw, *PLACES)}


def _fact(draw: Dice, at: int, earlier: list[Document], calm: bool) -> Document:
    """A fact; often one that replaces an earlier one of its subject and attribute."""
    again = bool(earlier) and rarely(draw, 25 if calm else 45)
    model = draw.one(earlier) if again else None
    subject = model["subject"] if model else one_of(draw, *THINGS)
    attribute = model["attribute"] if model else one_of(draw, *ATTRIBUTES)
    if not model and subject in {"mail", "contract"} and rarely(draw, 60):
        attribute = "authority"
    if not model and rarely(draw, 8):
        attribute = "rule"
    made: Document = {
        "id": f"c/F{at}",
        "subject": subject,
        "attribute": attribute,
        "value": _value(draw, attribute, calm),
    }
    if model and rarely(draw, 60):
        made["supersedes"] = [model["id"]]
        made["operation"] = one_of(draw, "revise", "append", "merge", "delete")
    elif earlier and rarely(draw, 5):
        made["supersedes"] = [draw.one(earlier)["id"]]
    if rarely(draw, 40):
        made["order"] = at
    if rarely(draw, 30):
        made["source"] = one_of(draw, "mail", "contract")
    if rarely(draw, 25):
        made["importance"] = one_of(draw, 0.25, 1.0, 0.75)
    if rarely(draw, 6):
        made |= {"holder": "speaker", "speaker": one_of(draw, "user", "assistant")}
    if rarely(draw, 4 if calm else 8):
        made["scope"] = "question"
    elif not calm:
        made |= _oddities(draw, earlier)
    return made


def _oddities(draw: Dice, earlier: list[Document]) -> Document:
    """What makes a fact hard to place: who holds it, how it stands, when it is valid."""
    made: Document = {}
    if rarely(draw, 20):
        made["holder"] = one_of(draw, "speaker", "external")
        if made["holder"] == "speaker":
            made["speaker"] = one_of(draw, "user", "assistant")
    if rarely(draw, 30):
        made["valid_from"] = one_of(draw, *DAYS)
    if rarely(draw, 15):
        made["valid_to"] = one_of(draw, *DAYS)
    if rarely(draw, 30):
        made["status"] = one_of(draw, "retracted", "implied", "interference", "unsaid")
        if made["status"] == "implied" and earlier:
            reasons = draw.some(earlier, 2)
            made["entailed_by"] = [each["id"] for each in reasons]
    if rarely(draw, 5):
        made["session"] = "D1"
    return made


def _mentions(draw: Dice, fact: Document, rounds: list[Document], calm: bool) -> list[Document]:
    """None to three mentions, mostly full; of a retracted fact often a denial as well."""
    made = []
    count = one_of(draw, 1, 2) if calm else one_of(draw, 1, 2, 1, 3, 0)
    partial = "full" if calm else "partial"
    forms = [one_of(draw, "full", "full", "full", partial) for _ in range(count)]
    if rarely(draw, 70 if fact.get("status") == "retracted" else 3):
        forms.append("denied")
    for at, form in enumerate(forms, start=1):
        round_ = draw.one(rounds)
        turn = draw.one(round_["turns"])
        one: Document = {
            "id": f"{fact['id']}_M{at}",
            "fact": fact["id"],
            "round": round_["id"],
            "turn": turn["id"],
            "modality": "text",
            "form": form,
            "speaker": turn["speaker"],
        }
        if turn["attachments"] and rarely(draw, 60):
            shown = draw.one(turn["attachments"])
            one |= {"attachment": shown["id"], "asset": shown["asset"], "speaker": None}
            one["modality"] = "image" if ":IMG" in shown["id"] else "document"
        made.append(one)
    return made


def ledgers(draw: Dice) -> Bundle:
    """A conversation with one to eight facts and their mentions; half of them are calm."""
    calm = rarely(draw, 50)
    conversation = conversations(draw, calm)
    rounds = [each for session in conversation["sessions"] for each in session["rounds"]]
    facts: list[Document] = []
    mentions: list[Document] = []
    for at in range(1, draw.whole(1, 8) + 1):
        facts.append(_fact(draw, at, facts, calm))
        mentions += _mentions(draw, facts[-1], rounds, calm)
    return Bundle.model_validate(
        {"conversation": conversation, "facts": facts, "mentions": mentions}
    )
