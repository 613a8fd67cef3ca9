"""Label Studio: items as tasks, votes as annotations, and the labelling configuration.

Tasks and annotations are as Label Studio's own JSON import and export have them; what it adds
(ids of its own, times, drafts, predictions) is ignored on the way back.
"""

import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Iterator
from typing import Any, Final
from uuid import NAMESPACE_URL, uuid5

from memassay.annotation.exchange.items import (
    GUIDELINES,
    KNOWN,
    REASONS,
    RULINGS,
    SHOWN,
    ExchangeItem,
    ExchangeVote,
    new_text,
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
    for name, options in (("ruling", RULINGS), ("reason", REASONS)):
        attributes = {"name": name, "toName": "question", "choice": "single"}
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


def votes(document: Any) -> Iterator[ExchangeVote]:
    """The votes in an export of Label Studio (JSON); skipped tasks have none.

    Raises:
        SourceError: It is no such export, or an annotation has no ruling.
    """
    if not isinstance(document, list) or not all(isinstance(task, dict) for task in document):
        raise SourceError("Label Studio export: expected a JSON list of tasks; export as JSON")
    for number, task in enumerate(document, start=1):
        data = task.get("data")
        if not isinstance(data, dict) or any(name not in data for name in KNOWN):
            raise SourceError(
                f"Label Studio export, task {number}: expected data with {', '.join(KNOWN)}; "
                "import tasks that memassay has exported"
            )
        for annotation in task.get("annotations", []):
            if not annotation.get("was_cancelled"):
                yield _vote(data, annotation)


def _vote(data: dict[str, Any], annotation: dict[str, Any]) -> ExchangeVote:
    given = {
        result.get("from_name"): _result_text(result) for result in annotation.get("result", [])
    }
    if given.get("ruling") not in RULINGS:
        raise SourceError(
            f"{data['item']}.ruling: expected one of {', '.join(RULINGS)}, "
            f"got {given.get('ruling')!r}; decide the task in Label Studio"
        )
    return ExchangeVote(
        item=data["item"],
        reviewer=_reviewer(annotation),
        ruling=given["ruling"] or "",
        reason=given.get("reason") or "",
        comment=given.get("comment") or "",
        question=new_text(given.get("new_question"), data.get("question", "")),
        gold=new_text(given.get("new_gold"), data.get("gold", "")),
        seconds=float(annotation.get("lead_time") or 0.0),
    )


def _result_text(result: dict[str, Any]) -> str | None:
    value = result.get("value", {})
    found = value.get("choices") or value.get("text") or []
    return found if isinstance(found, str) else (found[0] if found else None)


def _reviewer(annotation: dict[str, Any]) -> str:
    """Who voted: one of our reviewers, else an address, or the number of a user."""
    for result in annotation.get("result", []):
        known = (result.get("meta") or {}).get(_REVIEWER)
        if known:
            return str(known)
    completed_by = annotation.get("completed_by")
    if isinstance(completed_by, dict):
        completed_by = completed_by.get("email") or completed_by.get("id")
    return completed_by if isinstance(completed_by, str) else f"label-studio-{completed_by}"
