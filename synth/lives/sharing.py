"""Ledgers of several conversations beside each other: what shares a name is not the same thing."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.records.ledger import Fact, ValueType


def keep_apart(bundles: Mapping[str, Bundle]) -> dict[str, Bundle]:
    """Bundles in which no two use one name for different things, by the same names.

    Everybody who speaks is the same person in all of them. What else has a name that another one
    uses before it is called by the bundle's name as well, in facts and in queries: `rex (wei)`.
    """
    taken: dict[str, str] = {}
    made = {}
    for name, bundle in bundles.items():
        people = _people(bundle)
        # The user is the same person everywhere; a dog called Rex may be another one.
        subjects = {one.subject for one in bundle.facts if one.subject.casefold() not in people}
        others = {
            one: f"{one} ({name})"
            for one in sorted(subjects)
            if taken.setdefault(one.casefold(), name) != name
        }
        made[name] = _rename_subjects(bundle, others) if others else bundle
    return made


def _people(bundle: Bundle) -> set[str]:
    people = [one for one in bundle.conversation.speakers if one.kind is SpeakerKind.HUMAN]
    return {text.casefold() for one in people for text in (one.id, one.name)}


def _rename_subjects(bundle: Bundle, names: Mapping[str, str]) -> Bundle:
    questions = [
        one.model_copy(update={"query": _in_query(one.query, names)}) for one in bundle.questions
    ]
    facts = [_fact(one, names) for one in bundle.facts]
    return bundle.model_copy(update={"facts": facts, "questions": questions})


def _fact(fact: Fact, names: Mapping[str, str]) -> Fact:
    update: dict[str, Any] = {"subject": names.get(fact.subject, fact.subject)}
    if fact.value.type is ValueType.ENTITY and fact.value.text in names:
        update["value"] = fact.value.model_copy(update={"text": names[fact.value.text]})
    return fact.model_copy(update=update)


def _in_query(part: JsonValue, names: Mapping[str, str]) -> JsonValue:
    if isinstance(part, dict):
        return {key: _in_query(value, names) for key, value in part.items()}
    if isinstance(part, list):
        return [_in_query(one, names) for one in part]
    return names.get(part, part) if isinstance(part, str) else part
