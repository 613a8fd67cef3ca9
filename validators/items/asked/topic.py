"""Whether a question is about the property that its query selects, and not about another one."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.asked.words import places_of, run_of
from memassay.schemas.queries.grammar.expressions import (
    Follow,
    Pick,
    SelectFacts,
)
from memassay.schemas.queries.grammar.query import parts
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.items.asked.queried import plain, texts_of
from memassay.validators.wording import key_words

_TELLING: Final = 2
"""Words of an attribute that tell which one it is (our choice)."""
_DEPICTS: Final = frozenset({"depicts", "date"})


def topic(asked: Asked) -> Iterator[Doubt]:
    """Labels in pictures that the question does not give, and attributes of others in it."""
    yield from _labels(asked)
    yield from _others(asked)


def _labels(asked: Asked) -> Iterator[Doubt]:
    """The row, the column, the line that is to be read in a picture."""
    for attribute in _read(asked):
        for label in attribute.split("/"):
            run = run_of(label)
            if run and not places_of(run, asked.line):
                yield Doubt(f"the label {label}", asked.text)


def _read(asked: Asked) -> set[str]:
    """Labels that are read one by one, not compared with each other."""
    compared = {
        id(part) for whole in asked.parts if isinstance(whole, Pick) for _, part in parts(whole)
    }
    return {
        attribute
        for select in asked.selects
        if id(select) not in compared and _in_picture(asked, select)
        for attribute in texts_of(select.where.attribute)
        if attribute not in _DEPICTS
    }


def _in_picture(asked: Asked, select: SelectFacts) -> bool:
    subjects = texts_of(select.where.subject)
    pictures = asked.history.names.pictures
    shown = bool(subjects) and all(":" in one and one in pictures for one in subjects)
    return shown or (not subjects and select.where.modality == "image")


def _others(asked: Asked) -> Iterator[Doubt]:
    """Another attribute of the same subject, word for word, in place of the one selected."""
    if any(isinstance(part, Follow) for part in asked.parts):
        return
    told = key_words(asked.text)
    for select in asked.selects:
        own = [plain(one) for one in texts_of(select.where.attribute)]
        if not own or any(places_of(run_of(one), asked.line) for one in own):
            continue
        wanted = frozenset().union(*map(key_words, own))
        types = {fact.value.type for fact in asked.facts}
        for key in texts_of(select.where.subject):
            for attribute in asked.history.attributes_of(key):
                run = run_of(plain(attribute))
                # Who asks for a weight at the check-up does not ask for the day of the check-up.
                if types.isdisjoint(asked.history.types_of(key, attribute)):
                    continue
                if not places_of(run, asked.line):
                    continue
                apart = wanted - key_words(plain(attribute))
                shared = len(apart & told)
                mostly = shared * 2 >= len(apart) > 0 if len(run) >= _TELLING else shared > 0
                if not mostly and not any(set(run) <= set(one) for one in asked.narrow):
                    yield Doubt(f"the attribute {', '.join(own)}", attribute, len(run) >= _TELLING)
