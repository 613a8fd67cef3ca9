"""Finds the record at a place of a foreign layout by writing records with their names.

No layout says which of our records it took a text from. A copy of the records in which every
question and turn carries its own id in its text, written in the same layout, does.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from memassay.exports.release.agreement.json_differences import Place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.question import QAItem

_MARK: Final = re.compile(r"<<<([^<>]+)>>>")


def mark_bundle(bundle: Bundle) -> Bundle:
    """The same records, with the ids of questions and turns in their texts."""
    talk = bundle.conversation
    sessions = [
        session.model_copy(update={"rounds": [_round(talk.id, each) for each in session.rounds]})
        for session in talk.sessions
    ]
    told = talk.model_copy(update={"sessions": sessions})
    questions = [_question(item) for item in bundle.questions]
    return bundle.model_copy(update={"conversation": told, "questions": questions})


def _round(owner: str, round_: Round) -> Round:
    turns = []
    for turn in round_.turns:
        mark = _mark(f"{owner}/{turn.id}")
        shown = [
            each.model_copy(update={"caption": f"{each.caption or ''}{mark}"})
            for each in turn.attachments
        ]
        turns.append(turn.model_copy(update={"text": turn.text + mark, "attachments": shown}))
    return round_.model_copy(update={"turns": turns})


def _question(item: QAItem) -> QAItem:
    question = item.question.model_copy(update={"text": item.question.text + _mark(item.id)})
    return item.model_copy(update={"question": question})


def _mark(name: str) -> str:
    return f" <<<{name}>>>"


def record_at(document: Any, place: Place) -> str | None:
    """The record whose texts stand nearest to a place of a marked document.

    Where those of several stand equally near it is their conversation; None if there are none, or
    of several conversations.
    """
    for around in reversed(list(_path(document, place))):
        if names := set(_names(around)):
            owners = {name.partition("/")[0] for name in names}
            found = names if len(names) == 1 else owners
            return found.pop() if len(found) == 1 else None
    return None


def _path(document: Any, place: Sequence[str | int]) -> Iterator[Any]:
    """The document, and what lies around the place ever nearer, as far as it is there."""
    yield document
    for step in place:
        try:
            document = document[step]
        except (KeyError, IndexError, TypeError):
            return
        yield document


def _names(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _MARK.findall(value)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _names(each)
    elif isinstance(value, list):
        for each in value:
            yield from _names(each)
