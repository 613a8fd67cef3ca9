"""Label Studio: items as tasks, votes as annotations, and the labelling configuration.

Tasks and annotations are as Label Studio's own JSON import and export have them. Of what it adds,
the ids and times of annotations tell a corrected one from another; drafts and predictions are
ignored on the way back.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from memassay.annotation.exchange.answers import Answer, seconds_since_1970, votes_of
from memassay.annotation.exchange.items import (
    FIELDS,
    GUIDELINES,
    KNOWN,
    REASONS,
    RULINGS,
    SHOWN,
    ExchangeItem,
    ExchangeVote,
    ReadVotes,
)
from memassay.schemas.errors import SourceError

_TEXTS: Final = {"comment": "question", "new_question": "question", "new_gold": "gold"}
"""Text areas, by what they are about."""
_REVIEWER: Final = "reviewer"
"""Key beside a ruling that names whose vote it was before it came to Label Studio."""


def labelling_configuration() -> str:
    """The labelling configuration of the project that tasks go into, as XML."""
    view = ElementTree.Element("View")
    ElementTree.SubElement(view, "Header", value=GUIDELINES)
    for name in SHOWN:
        ElementTree.SubElement(view, "Header", value=name.capitalize())
        ElementTree.SubElement(view, "Text", name=name, value=f"${name}")
    for name, options in (("ruling", RULINGS), ("reason", REASONS), ("wrong_fields", FIELDS)):
        choice = "multiple" if name == "wrong_fields" else "single"
        ElementTree.SubElement(view, "Header", value=name.replace("_", " ").capitalize())
        attributes = {"name": name, "toName": "question", "choice": choice}
        if name == "ruling":
            attributes["required"] = "true"
        choices = ElementTree.SubElement(view, "Choices", attributes)
        for option in options:
            ElementTree.SubElement(choices, "Choice", value=option)
    for name, about in _TEXTS.items():
        ElementTree.SubElement(view, "Header", value=name.replace("_", " ").capitalize())
        attributes = {"name": name, "toName": about, "maxSubmissions": "1", "rows": "3"}
        if name != "comment":
            attributes["value"] = f"${about}"
        ElementTree.SubElement(view, "TextArea", attributes)
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode") + "\n"


def tasks(items: Iterable[ExchangeItem]) -> list[dict[str, Any]]:
    """Items as tasks, each with its votes as annotations."""
    return [
        {
            "data": {**item.known, **item.shown},
            "annotations": [_annotation(vote, item) for vote in item.votes],
        }
        for item in items
    ]


def _annotation(vote: ExchangeVote, item: ExchangeItem) -> dict[str, Any]:
    texts = {"comment": vote.comment, "new_question": vote.question, "new_gold": vote.gold}
    # Label Studio refuses annotations of people that it has no account of; this it keeps as it is.
    given = _result("ruling", "question", "choices", vote.ruling)
    results = [{**given, "meta": {_REVIEWER: vote.reviewer}}]
    if vote.reason:
        results.append(_result("reason", "question", "choices", vote.reason))
    if vote.wrong_fields:
        wrong = {"choices": list(vote.wrong_fields)}
        results.append({**given, "id": "wrong_fields", "from_name": "wrong_fields", "value": wrong})
    results += [
        _result(name, _TEXTS[name], "textarea", text) for name, text in texts.items() if text
    ]
    return {
        "unique_id": str(uuid5(NAMESPACE_URL, f"{item.item} {vote.reviewer}")),
        "lead_time": vote.seconds,
        "was_cancelled": False,
        "result": results,
    }


def _result(name: str, about: str, kind: str, given: str) -> dict[str, Any]:
    value = {"choices": [given]} if kind == "choices" else {"text": [given]}
    return {"id": name, "from_name": name, "to_name": about, "type": kind, "value": value}


def votes(document: Any) -> ReadVotes:
    """The votes in an export of Label Studio (JSON); what is wrong with a task is a line about it.

    Raises:
        SourceError: It is no such export, or none of its tasks is of memassay.
    """
    if not isinstance(document, list) or not all(isinstance(task, dict) for task in document):
        raise SourceError("Label Studio export: expected a JSON list of tasks; export as JSON")
    answers: list[Answer] = []
    refused: list[str] = []
    foreign = 0
    for number, task in enumerate(document, start=1):
        place = f"task {number}"
        if task.get("id", number) != number:
            place += f" (id {task['id']})"
        data = task.get("data")
        if not isinstance(data, dict) or any(name not in data for name in KNOWN):
            foreign += 1
            refused.append(
                f"{place}: expected data with {', '.join(KNOWN)}; "
                "import tasks that memassay has exported"
            )
            continue
        given = task.get("annotations")
        for annotation in given if isinstance(given, list) else ():
            try:
                answers.append(_answer(place, data, annotation))
            except SourceError as error:
                refused.append(f"{place}, {error}")
    if foreign and foreign == len(document):
        raise SourceError(f"Label Studio export, {refused[0]}")
    return votes_of(answers, refused)


def _answer(place: str, data: Mapping[str, Any], annotation: Any) -> Answer:
    """An annotation.

    Raises:
        SourceError: It is none, or says nobody who made it; begins with the person.
    """
    results = annotation.get("result") if isinstance(annotation, dict) else None
    reviewer = _reviewer(annotation, results) if isinstance(annotation, dict) else ""
    if not isinstance(results, list) or not all(isinstance(one, dict) for one in results):
        raise SourceError(
            f"{reviewer or 'nobody'}: {data['item']}.result: expected a list of results, "
            f"got {str(results)[:40]!r}; export as JSON"
        )
    if not reviewer:
        raise SourceError(
            f"nobody: {data['item']}.completed_by: expected who made the annotation, got none; "
            "export as JSON"
        )
    skipped = bool(annotation.get("was_cancelled"))
    time = annotation.get("updated_at") or annotation.get("created_at")
    spent = annotation.get("lead_time")
    return Answer(
        place=place,
        item=str(data["item"]),
        reviewer=reviewer,
        given=None if skipped else {str(one.get("from_name")): _texts_of(one) for one in results},
        shown={name: str(data.get(name) or "") for name in SHOWN},
        source=str(annotation.get("id") or ""),
        changed=seconds_since_1970(time),
        seconds=float(spent) if isinstance(spent, int | float) else 0.0,
    )


def _texts_of(result: Mapping[str, Any]) -> list[str]:
    value = result.get("value")
    given = (value.get("choices") or value.get("text")) if isinstance(value, dict) else None
    listed = given if isinstance(given, list) else [given]
    return [one for one in listed if isinstance(one, str)]


def _reviewer(annotation: Mapping[str, Any], results: Any) -> str:
    """Who voted: one of our reviewers, else an address, or a user's number; empty if nobody."""
    for result in results if isinstance(results, list) else ():
        meta = result.get("meta") if isinstance(result, dict) else None
        if isinstance(meta, dict) and meta.get(_REVIEWER):
            return str(meta[_REVIEWER])
    by = annotation.get("completed_by")
    if isinstance(by, dict):
        by = by.get("email") or by.get("id")
    return by if isinstance(by, str) else "" if by is None else f"label-studio-{by}"
