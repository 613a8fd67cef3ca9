"""One conversation as the checks of its questions see it, indexed once for all of them."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.resolving import Things
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.values.text import normalise

_CAPITALS: Final = re.compile(r"\b[^\W\d_a-z][^\W\d_]+")
_STEM: Final = 5
"""Letters by which a word is taken for a form of another."""


@dataclass(frozen=True)
class History:
    """A conversation as these checks see it: indexed once for all of its questions."""

    bundle: Bundle
    ledger: Ledger
    names: Names

    @cached_property
    def things(self) -> Things:
        """What descriptions are resolved over."""
        return Things(self.bundle, self.ledger)

    def attributes_of(self, subject: str) -> frozenset[str]:
        """What the facts of a subject state."""
        return self._attributes.get(subject, frozenset())

    def types_of(self, subject: str, attribute: str) -> frozenset[ValueType]:
        """Types of the values of a property."""
        return self._types.get((subject, attribute), frozenset())

    def values_of(self, attribute: str) -> frozenset[str]:
        """Texts of the values that facts of an attribute have."""
        keys = [("attribute", [normalise(attribute)])]
        return frozenset(fact.value.text for fact in self.ledger.candidates(keys))

    def subjects_of(self, attribute: str) -> frozenset[str]:
        """Whose facts state an attribute."""
        return self._subjects.get(attribute, frozenset())

    @cached_property
    def _subjects(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for fact in self.ledger.facts.values():
            found.setdefault(fact.attribute, set()).add(fact.subject)
        return {attribute: frozenset(each) for attribute, each in found.items()}

    def says_name(self, folded: str) -> bool:
        """Whether any text of the conversation has a word, written with a capital."""
        return folded in self._written or folded[:_STEM] in self._stems

    @cached_property
    def _stems(self) -> frozenset[str]:
        """Beginnings of those words: who says Vietnam may be asked of a Vietnamese visa."""
        return frozenset(word[:_STEM] for word in self._written if len(word) > _STEM)

    @cached_property
    def _written(self) -> frozenset[str]:
        texts = [turn.text for turn in self.bundle.turn_by_id.values()]
        texts += [fact.value.text for fact in self.ledger.facts.values()]
        return frozenset(
            found.casefold() for text in texts for found in _CAPITALS.findall(text)
        ) | frozenset(word for runs in self.names.runs.values() for run in runs for word in run)

    @cached_property
    def _types(self) -> dict[tuple[str, str], frozenset[ValueType]]:
        found: dict[tuple[str, str], set[ValueType]] = {}
        for fact in self.ledger.facts.values():
            found.setdefault((fact.subject, fact.attribute), set()).add(fact.value.type)
        return {each: frozenset(types) for each, types in found.items()}

    @cached_property
    def _attributes(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for fact in self.ledger.facts.values():
            found.setdefault(fact.subject, set()).add(fact.attribute)
        return {subject: frozenset(each) for subject, each in found.items()}
