"""From the form of a question to a patch of its record, and the difference to look at."""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memassay.schemas.benchmarks.shapes import PaperType
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.schemas.values.text import is_blank


@dataclass(frozen=True)
class Change:
    """One field that an edit changes.

    Attributes:
        field: Its name for people.
        pieces: Runs of words, each kept (` `), added (`+`) or taken away (`-`).
    """

    field: str
    pieces: tuple[tuple[str, str], ...]


_LISTS: Final = {"values": "Gold answer", "equivalents": "Also right", "coarser": "Coarser"}
"""Fields of an answer that hold one value a line, by the name people see."""
_DIGITS: Final = 9
_NAMED: Final = re.compile(r"([a-z_]+): ", re.ASCII)
_FORMS: Final = {"format": "Form of the answer", "relation": "Several answers"}
"""Fields of an answer that are chosen from a list, by the name people see."""
RELATIONS: Final = {
    "one": "the first is gold",
    "all": "all are needed",
    "ordered": "all, in this order",
}
"""How several answers belong together, by the name people see."""


class FieldError(UsageError):
    """A field of a form that will not do, by the name it has in the form."""

    def __init__(self, field: str, message: str) -> None:
        """Say beside which field a message belongs."""
        super().__init__(message)
        self.field = field


def field_of(error: Exception) -> str:
    """The field of a form that an error is about; empty if it is about none."""
    if isinstance(error, FieldError):
        return error.field
    named = _NAMED.match(str(error))
    return named.group(1) if named else ""


def field_at(pointer: str) -> str:
    """The field of the form of a question that shows what a JSON Pointer points at."""
    parts = pointer.strip("/").split("/")
    if parts[0] == "answer":
        return parts[1] if parts[1:] and parts[1] in (*_LISTS, *_FORMS) else "values"
    return {"question": "text", "evidence": "evidence"}.get(parts[0], "")


def limit_text(form: Mapping[str, str], field: str, most: int) -> str:
    """A text of a form.

    Raises:
        FieldError: It is longer than `most` characters.
    """
    text = form.get(field, "").strip()
    if len(text) > most:
        said = f"{field}: expected at most {most} characters, got {len(text)}; shorten it"
        raise FieldError(field, said)
    return text


def number_of(given: str) -> int | None:
    """A whole number from 0 on of up to nine digits, as forms and addresses hold it, or None."""
    return int(given) if given.isdecimal() and len(given) <= _DIGITS else None


_WORDS: Final = frozenset({"/question/text", "/wording", "/references"})
"""What a person may change without touching the answer."""


def patch_of(question: QAItem, form: Mapping[str, str]) -> list[dict[str, Any]]:
    """The RFC 6902 patch that a filled form means; empty if nothing was changed.

    A question whose answer or evidence a person changes loses its query: the machine's proof is
    of the answer that it had. One that a person words has no template, slots
    and references any more.

    Args:
        question: The question as it is.
        form: `text`; `format`, `relation`; `values`, `equivalents`, `coarser`, an answer a line;
            `evidence`, places between spaces. What is missing stays as it is.

    Raises:
        UsageError: The question is left empty.
    """
    wanted: dict[str, Any] = {}
    text = form.get("text", question.question.text).strip()
    if not text:
        message = "question: expected its text, got none; write it, or reject the item"
        raise FieldError("text", message)
    if text != question.question.text.strip():
        wanted["/question/text"] = text
        if question.wording is not None:
            wanted["/wording"] = None
        if question.references:
            wanted["/references"] = []
    for name in _FORMS:
        if form.get(name) and form[name] != getattr(question.answer, name):
            wanted[f"/answer/{name}"] = form[name]
    for name in _LISTS:
        if name in form and _lines(form[name]) != getattr(question.answer, name):
            wanted[f"/answer/{name}"] = _lines(form[name])
    evidence = _places(form.get("evidence", " ".join(question.evidence.canonical)))
    if set(evidence) != set(question.evidence.canonical):
        wanted["/evidence/canonical"] = evidence
        wanted["/evidence/groups"] = _groups(question, evidence)
    if question.query is not None and not wanted.keys() <= _WORDS:
        wanted["/query"] = None
    return [{"op": "replace", "path": path, "value": value} for path, value in wanted.items()]


def _groups(question: QAItem, evidence: Sequence[str]) -> list[list[str]]:
    """Groups of alternatives: those of the places that stay, and one for each new place."""
    known = {place: group for group in question.evidence.groups for place in group}
    groups: list[list[str]] = []
    for place in evidence:
        group = list(known.get(place, [place]))
        if group not in groups:
            groups.append(group)
    return groups


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if not is_blank(line)]


def _places(text: str) -> list[str]:
    """Places in the order of time, each once."""
    return sorted(set(text.replace(",", " ").split()), key=natural_key)


def changes_of(question: QAItem, form: Mapping[str, str]) -> list[Change]:
    """What a filled form changes, word by word."""
    changes = []
    for step in patch_of(question, form):
        name = step["path"].rsplit("/", 1)[-1]
        if name == "text":
            changes.append(Change("Question", word_changes(question.question.text, step["value"])))
        elif name in _LISTS:
            before = " / ".join(getattr(question.answer, name))
            changes.append(Change(_LISTS[name], word_changes(before, " / ".join(step["value"]))))
        elif name in _FORMS:
            before, after = (
                RELATIONS.get(value, value).replace("_", " ")
                for value in (str(getattr(question.answer, name)), str(step["value"]))
            )
            changes.append(Change(_FORMS[name], word_changes(before, after)))
        elif name == "canonical":
            before = " ".join(question.evidence.canonical)
            changes.append(Change("Evidence", word_changes(before, " ".join(step["value"]))))
        elif name == "query":
            changes.append(Change("Machine's proof", (("-", "of the answer that it had"),)))
    return changes


def new_question(
    bundle: Bundle,
    types: Mapping[str, PaperType],
    form: Mapping[str, str],
    *,
    pictured: bool = False,
) -> dict[str, Any]:
    """The question that a filled form means, without what its maker is given.

    Args:
        bundle: The conversation it asks about.
        types: Types of question that its collection has, by their codes.
        form: `code`, the paper's type; `format`; `relation`; `text`; `values`, `equivalents`,
            `coarser`, an answer a line; `evidence`, places between spaces.
        pictured: Whether the question shows an image of its own.

    Raises:
        UsageError: The type is none of these.
    """
    code = form.get("code", "")
    if code not in types:
        raise FieldError("code", f"type: expected one of {', '.join(types)}, got {code!r}")
    kind = types[code].type
    evidence = _places(form.get("evidence", ""))
    return {
        "question": {"text": form.get("text", "").strip(), "attachments": []},
        "answer": {
            "format": form.get("format", ""),
            "relation": form.get("relation") or "one",
            **{name: _lines(form.get(name, "")) for name in _LISTS},
        },
        "answerable": kind is not QuestionType.REFUSAL,
        "modalities": _modalities(bundle, evidence, pictured=pictured),
        "evidence": {"groups": [[place] for place in evidence], "canonical": evidence},
        "type": str(kind),
        "benchmark_type": code,
    }


def _modalities(bundle: Bundle, evidence: Sequence[str], *, pictured: bool) -> list[str]:
    """What a reader must look at: images cited or shown, pages, and words of rounds cited."""
    cited = {item.id: item for _, item in bundle.conversation.attachments() if item.id in evidence}
    found = []
    if any(place not in cited for place in evidence):
        found.append("text")
    if pictured or any(item.page is None for item in cited.values()):
        found.append("image")
    if any(item.page is not None for item in cited.values()):
        found.append("document")
    return found


def word_changes(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Runs of words, each kept (` `), added (`+`) or taken away (`-`)."""
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
