"""Argilla 2: a data set on disk as `Dataset.to_disk` writes it, and the responses in one.

A folder of `.argilla/settings.json`, `.argilla/dataset.json` and `records.json`; `users.json`,
which Argilla passes over, says which of our reviewers its user ids stand for.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from memassay.annotation.exchange.answers import Answer, votes_of
from memassay.annotation.exchange.items import (
    FIELDS,
    GUIDELINES,
    KNOWN,
    REASONS,
    RULINGS,
    SHOWN,
    ExchangeItem,
    ReadVotes,
)
from memassay.schemas.errors import SourceError

SETTINGS: Final = ".argilla/settings.json"
DATASET: Final = ".argilla/dataset.json"
RECORDS: Final = "records.json"
USERS: Final = "users.json"
_TEXTS: Final = ("comment", "new_question", "new_gold")
_METADATA: Final = {
    name: "asked_because" if name == "reason" else name for name in KNOWN if name != "item"
}
"""What is known of an item, by its name in Argilla, which takes no name twice in a data set."""


def documents(items: Iterable[ExchangeItem], name: str) -> dict[str, Any]:
    """The JSON documents of a data set, by path inside its folder."""
    listed = list(items)
    distribution = {
        "strategy": "overlap",
        "min_submitted": max((item.votes_needed for item in listed), default=1),
    }
    reviewers = sorted({vote.reviewer for item in listed for vote in item.votes})
    return {
        SETTINGS: {
            "guidelines": GUIDELINES,
            "questions": [*_choices(), *_texts()],
            "fields": [_field(shown) for shown in SHOWN],
            "vectors": [],
            "metadata": [_metadata(name) for name in _METADATA.values()],
            "allow_extra_metadata": False,
            "distribution": distribution,
            "mapping": None,
        },
        DATASET: {
            "name": name,
            "guidelines": GUIDELINES,
            "allow_extra_metadata": False,
            "distribution": distribution,
        },
        RECORDS: [_record(item) for item in listed],
        USERS: {user_id(reviewer): reviewer for reviewer in reviewers},
    }


def user_id(reviewer: str) -> str:
    """The user id that represents a reviewer."""
    return str(uuid5(NAMESPACE_URL, f"memassay reviewer {reviewer}"))


def _field(name: str) -> dict[str, Any]:
    settings = {"type": "text", "use_markdown": False}
    # Argilla refuses a record whose required field is empty.
    required = name == "question"
    return {"name": name, "title": name.capitalize(), "required": required, "settings": settings}


def _choices() -> Iterator[dict[str, Any]]:
    for name, options in (("ruling", RULINGS), ("reason", REASONS), ("wrong_fields", FIELDS)):
        listed = [{"value": option, "text": option, "description": None} for option in options]
        several = "multi_" if name == "wrong_fields" else ""
        settings = {"type": f"{several}label_selection", "options": listed}
        yield {
            "name": name,
            "title": name.replace("_", " ").capitalize(),
            "required": name == "ruling",
            "settings": settings,
        }


def _texts() -> Iterator[dict[str, Any]]:
    for name in _TEXTS:
        title = name.replace("_", " ").capitalize()
        settings = {"type": "text", "use_markdown": False}
        yield {"name": name, "title": title, "required": False, "settings": settings}


def _metadata(name: str) -> dict[str, Any]:
    settings = {"type": "terms", "values": None}
    return {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "settings": settings,
        "visible_for_annotators": True,
    }


def _record(item: ExchangeItem) -> dict[str, Any]:
    responses: dict[str, list[dict[str, Any]]] = {}
    for vote in item.votes:
        given = {
            "ruling": vote.ruling,
            "reason": vote.reason,
            "wrong_fields": list(vote.wrong_fields),
            "comment": vote.comment,
            "new_question": vote.question,
            "new_gold": vote.gold,
        }
        for name, value in given.items():
            if value:
                answer = {"value": value, "user_id": user_id(vote.reviewer)}
                responses.setdefault(name, []).append(answer)
    filled = {"new_question": item.shown["question"], "new_gold": item.shown["gold"]}
    return {
        "id": item.item,
        "fields": {name: item.shown[name] for name in SHOWN},
        "metadata": {name: item.known[known] for known, name in _METADATA.items()},
        "suggestions": {name: {"value": text} for name, text in filled.items() if text},
        "responses": responses,
        "vectors": {},
    }


def votes(records: Any, users: Mapping[str, str]) -> ReadVotes:
    """The votes in the records of a data set; what is wrong with a record is a line about it.

    Args:
        records: What `records.json` holds.
        users: Reviewers by user id; others are named after their id.

    Raises:
        SourceError: It is no list of records.
    """
    if not isinstance(records, list) or not all(isinstance(one, dict) for one in records):
        raise SourceError("Argilla records: expected a JSON list of records; use Dataset.to_disk")
    found: list[Answer] = []
    refused: list[str] = []
    for number, record in enumerate(records, start=1):
        place = f"record {number}"
        try:
            found += _answers(place, record, users)
        except (AttributeError, TypeError, KeyError):
            refused.append(
                f"{place}: {record.get('id')}.responses: expected answers by question, each with "
                "value and user_id; use Dataset.to_disk"
            )
    return votes_of(found, refused)


def _answers(place: str, record: dict[str, Any], users: Mapping[str, str]) -> list[Answer]:
    given: dict[str, dict[str, list[str]]] = {}
    discarded: set[str] = set()
    for name, answers in (record.get("responses") or {}).items():
        for answer in answers:
            user, status = str(answer["user_id"]), answer.get("status") or "submitted"
            if status == "discarded":
                discarded.add(user)
            elif status == "submitted":
                value = answer["value"]
                listed = value if isinstance(value, list) else [value]
                given.setdefault(user, {})[name] = [one for one in listed if isinstance(one, str)]
    fields = record.get("fields") or {}
    return [
        Answer(
            place=place,
            item=str(record.get("id")),
            reviewer=users.get(user, f"argilla-{user[:8]}"),
            given=given.get(user),
            shown={name: str(fields.get(name) or "") for name in SHOWN},
        )
        for user in [*given, *sorted(discarded - given.keys())]
    ]
