"""The slots of a machine-worded question: what of its text means a part of its query.

A template and its slots are derived from the question with its references, the query and the names
of the ledger, so that anybody can derive them again.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.grammar.expressions import Diff, Follow, Gaps, SelectFacts
from memassay.schemas.queries.grammar.query import Query, parts
from memassay.schemas.records.question import QAItem, Wording
from memassay.schemas.values.civil_time import day_forms, is_day


class _Found(NamedTuple):
    """A phrase in a text: where it begins and ends, and of which part of the query it is."""

    start: int
    end: int
    part: str


def wording_of(item: QAItem, query: Query, names: Names) -> Wording | None:
    """The template and slots of a question.

    Args:
        item: The question; its own `wording` plays no part.
        query: Its parsed query.
        names: What the subjects of its conversation are called.

    Returns:
        Slots are called after the parts of the query, `subject`, `subject_2`, ... in the order of
        the text. None for a text with braces of its own, which no template can hold.
    """
    text = item.question.text
    if "{" in text or "}" in text:
        return None
    slots: dict[str, str] = {}
    template, end = "", 0
    phrases: dict[str, str] = {}
    for phrase, part in _phrases(item, query, names):
        phrases.setdefault(phrase, part)
    for found in _find_phrases(text, phrases):
        said = text[found.start : found.end]
        name = _name(found.part, said, slots)
        slots[name] = said
        template += f"{text[end : found.start]}{{{name}}}"
        end = found.end
    return Wording(template=template + text[end:], slots=slots)


def fill_slots(wording: Wording) -> str:
    """The question that a template and its slots give."""
    return re.sub(
        r"\{([^{}]*)\}", lambda slot: wording.slots.get(slot[1], slot[0]), wording.template
    )


def _find_phrases(text: str, phrases: dict[str, str]) -> list[_Found]:
    """Where phrases are, in order; the longest first, as a name in a title is part of it."""
    found: list[_Found] = []
    for phrase, part in sorted(phrases.items(), key=lambda one: (-len(one[0]), one)):
        # Most phrases are not there, and a pattern of its own costs much.
        if phrase not in text and phrase[:1].upper() + phrase[1:] not in text:
            continue
        first, rest = re.escape(phrase[:1]), re.escape(phrase[1:])
        either = f"(?:{first}|{re.escape(phrase[:1].upper())})" if phrase[:1].isalpha() else first
        for match in re.finditer(rf"(?<![\w.]){either}{rest}(?!\w|\.\d)", text):
            start, end = match.span()
            if all(end <= other.start or start >= other.end for other in found):
                found.append(_Found(start, end, part))
    return sorted(found)


def _name(part: str, said: str, slots: dict[str, str]) -> str:
    """The slot of a phrase: the one that has it already, or the next free one of its part."""
    number = 1
    while (name := part if number == 1 else f"{part}_{number}") in slots and slots[name] != said:
        number += 1
    return name


def _phrases(item: QAItem, query: Query, names: Names) -> Iterator[tuple[str, str]]:
    """Every phrase by which a question may speak of a part of its query, with that part."""
    for reference in item.references:
        yield reference.phrase, "reference"
    for option in item.answer.options:
        yield option.text, "option"
    for _, part in parts(query):
        match part:
            case SelectFacts(where=where):
                for subject in _texts(where.subject):
                    yield from ((name, "subject") for name in names.texts.get(subject, ()))
                for attribute in _texts(where.attribute):
                    labels = attribute.replace("_", " ").split("/")
                    yield from ((label, "attribute") for label in labels)
                for value in _texts(where.value):
                    forms = day_forms(value) if is_day(value) else ()
                    yield from ((form, "value") for form in (value, *forms))
                if where.number is not None:
                    bounds = where.number
                    given = (bounds.above, bounds.below, bounds.least, bounds.most)
                    yield from ((bound, "bound") for bound in given if bound is not None)
                    if bounds.unit is not None:
                        yield bounds.unit, "unit"
            case Follow(attribute=attributes):
                yield from ((each.replace("_", " "), "attribute") for each in _texts(attributes))
            case Diff(unit=str(unit)) | Gaps(unit=str(unit)):
                yield from ((form, "unit") for form in (unit, f"{unit}s"))
    for speaker in names.speakers:
        yield speaker, "speaker"


def _texts(words: str | list[str] | None) -> list[str]:
    return [words] if isinstance(words, str) else list(words or ())
