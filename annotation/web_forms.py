"""From the form of a question to a patch of its record, and the difference to look at."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memassay.schemas.question import QAItem


@dataclass(frozen=True)
class Change:
    """One field that an edit changes.

    Attributes:
        field: Its name for people.
        pieces: Runs of words, each kept (` `), added (`+`) or taken away (`-`).
    """

    field: str
    pieces: tuple[tuple[str, str], ...]


def patch_of(question: QAItem, form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The RFC 6902 patch that a filled form means; empty if nothing was changed.

    Args:
        question: The question as it stands.
        form: `text`; `values`, one answer a line; `evidence`, places between spaces.
    """
    wanted: dict[str, Any] = {}
    text = form.get("text", "").strip()
    if text and text != question.question.text:
        wanted["/question/text"] = text
    values = [line.strip() for line in form.get("values", "").splitlines() if line.strip()]
    if values and values != question.answer.values:
        wanted["/answer/values"] = values
    evidence = list(dict.fromkeys(form.get("evidence", "").replace(",", " ").split()))
    if evidence and evidence != question.evidence.canonical:
        wanted["/evidence/canonical"] = evidence
        wanted["/evidence/groups"] = [[place] for place in evidence]
    return [{"op": "replace", "path": path, "value": value} for path, value in wanted.items()]


def changes_of(question: QAItem, form: Mapping[str, str]) -> list[Change]:
    """What a filled form changes, word by word."""
    before = {
        "Question": question.question.text,
        "Gold answer": " / ".join(question.answer.values),
        "Evidence": " ".join(question.evidence.canonical),
    }
    after = dict(before)
    for step in patch_of(question, form):
        value = step["value"]
        if step["path"] == "/question/text":
            after["Question"] = value
        elif step["path"] == "/answer/values":
            after["Gold answer"] = " / ".join(value)
        elif step["path"] == "/evidence/canonical":
            after["Evidence"] = " ".join(value)
    return [
        Change(name, _pieces(before[name], after[name]))
        for name in before
        if before[name] != after[name]
    ]


def _pieces(before: str, after: str) -> tuple[tuple[str, str], ...]:
    old, new = before.split(), after.split()
    pieces: list[tuple[str, str]] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            pieces.append((" ", " ".join(old[old_from:old_to])))
            continue
        if old_to > old_from:
            pieces.append(("-", " ".join(old[old_from:old_to])))
        if new_to > new_from:
            pieces.append(("+", " ".join(new[new_from:new_to])))
    return tuple(pieces)
