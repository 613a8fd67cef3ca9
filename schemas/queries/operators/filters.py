"""Which facts a `select` or `follow` gives: filters, what is known, what is left out, near misses.

Left out unless a filter asks for them: facts of the question's own material, interference,
implied facts, deletions; and facts taken back by asking time, which are set aside for `as_of`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError
from memassay.schemas.queries.grammar.expressions import Where
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.scalars.dates import date_order, stretch_of
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import (
    Fact,
    FactOperation,
    FactScope,
    FactStatus,
    Mention,
)
from memassay.schemas.values.text import normalise

_SIDES: Final = ("subject", "attribute", "value", "source")
_PLAIN: Final = ("order", "holder")
_OF_MENTIONS: Final = ("modality", "attachment", "asset", "session")
_UNUSUAL: Final = frozenset({FactStatus.INTERFERENCE, FactStatus.IMPLIED, FactStatus.UNSAID})


@dataclass(frozen=True)
class Selection:
    """What a filter gave.

    Attributes:
        facts: The facts that fit, by place.
        aside: Facts that fit but had been taken back by asking time.
        hidden: Facts that fit but are not known at asking time.
    """

    facts: tuple[Fact, ...]
    aside: tuple[Fact, ...]
    hidden: tuple[Fact, ...]


def _texts(words: str | Iterable[str]) -> frozenset[str]:
    return frozenset(map(normalise, [words] if isinstance(words, str) else words))


def _members(allowed: object) -> list[object]:
    return list(allowed) if isinstance(allowed, list) else [allowed]


class Filter:
    """A `where`, ready to be held against many facts."""

    def __init__(self, where: Where, ledger: Ledger, moment: Moment) -> None:
        """Prepare the filters that are given."""
        self._ledger, self._moment, self._where = ledger, moment, where
        given = {name: getattr(where, name) for name in _SIDES}
        self.texts = {name: _texts(words) for name, words in given.items() if words is not None}
        self._plain = {
            name: _members(getattr(where, name))
            for name in _PLAIN
            if getattr(where, name) is not None
        }
        self._of_mentions = {
            name: _members(getattr(where, name))
            for name in _OF_MENTIONS
            if getattr(where, name) is not None
        }

    def select(self) -> Selection:
        """The facts that fit.

        Raises:
            NoResultError: `during` is asked of a fact without a date.
            AmbiguousError: A date is too coarse to tell whether it lies in `during`.
        """
        facts: list[Fact] = []
        aside: list[Fact] = []
        hidden: list[Fact] = []
        for fact in self._ledger.candidates(self.texts.items()):
            if not (self._fits(fact) and self._usual(fact)):
                continue
            if not self._ledger.is_known(fact, self._moment):
                hidden.append(fact)
            elif self._has_mention(fact) and self._during(fact):
                (aside if self._set_aside(fact) else facts).append(fact)
        return Selection(tuple(facts), tuple(aside), tuple(hidden))

    def fits(self, fact: Fact) -> bool:
        """Whether a fact that another operator gave fits; nothing is left out unasked.

        Raises:
            NoResultError: `during` is asked of a fact without a date.
            AmbiguousError: A date is too coarse to tell whether it lies in `during`.
        """
        return self._fits(fact) and self._has_mention(fact) and self._during(fact)

    def near_misses(self) -> list[Fact]:
        """Known facts that fit every text filter but one; none if there is only one filter."""
        found: list[Fact] = []
        for left_out in self.texts if len(self.texts) > 1 else ():
            rest = {name: texts for name, texts in self.texts.items() if name != left_out}
            found.extend(
                fact
                for fact in self._ledger.candidates(rest.items())
                if self._fits(fact, without=left_out)
                and self._usual(fact)
                and self._ledger.is_known(fact, self._moment)
            )
        return self._ledger.in_order(found)

    def interference(self) -> list[Fact]:
        """Known jokes and filler that fit every text filter: no answer, and the nearest to one."""
        if self._where.status is not None or not self.texts:
            return []
        where = self._where.model_copy(update={"status": FactStatus.INTERFERENCE})
        jokes = Filter(where, self._ledger, self._moment)
        candidates = self._ledger.candidates(self.texts.items())
        return [
            fact
            for fact in candidates
            if jokes._fits(fact) and self._ledger.is_known(fact, self._moment)
        ]

    def _fits(self, fact: Fact, without: str | None = None) -> bool:
        sides = self._ledger.sides[fact.id]
        return (
            all(sides.get(name) in texts for name, texts in self.texts.items() if name != without)
            and all(getattr(fact, name) in allowed for name, allowed in self._plain.items())
            and _is_any(self._status(fact), self._where.status)
            and _is_any(fact.operation, self._where.operation)
            and _is_any(fact.scope, self._where.scope)
            and self._speaker_fits(fact)
        )

    def _usual(self, fact: Fact) -> bool:
        """Whether a fact is none of what is left out unless a filter asks for it."""
        return (
            (self._where.status is not None or fact.status not in _UNUSUAL)
            and (self._where.operation is not None or fact.operation is not FactOperation.DELETE)
            and (self._where.scope is not None or fact.scope is not FactScope.QUESTION)
        )

    def _status(self, fact: Fact) -> FactStatus:
        """The status at asking time: what is taken back later still holds."""
        if fact.status is FactStatus.RETRACTED and not self._ledger.is_denied(fact, self._moment):
            return FactStatus.ASSERTED
        return fact.status

    def _set_aside(self, fact: Fact) -> bool:
        return self._where.status is None and self._status(fact) is FactStatus.RETRACTED

    def _speaker_fits(self, fact: Fact) -> bool:
        if self._where.speaker is None:
            return True
        allowed = _texts(self._where.speaker)
        if fact.speaker is not None:
            return normalise(fact.speaker) in allowed
        seen = self._ledger.mentions_by(fact, self._moment)
        return any(normalise(mention.speaker or "") in allowed for mention in seen)

    def _has_mention(self, fact: Fact) -> bool:
        """Whether one visible mention fits every filter on mentions."""
        if not self._of_mentions:
            return True
        if set(self._of_mentions) == {"session"} and fact.id not in self._ledger.mentions:
            return self._ledger.told_in(fact, self._moment) in self._of_mentions["session"]
        return any(self._shows(mention) for mention in self._ledger.mentions_by(fact, self._moment))

    def _shows(self, mention: Mention) -> bool:
        values = {
            "modality": mention.modality,
            "attachment": mention.attachment,
            "asset": mention.asset,
            "session": self._ledger.session_of(mention.round),
        }
        return all(values[name] in allowed for name, allowed in self._of_mentions.items())

    def _during(self, fact: Fact) -> bool:
        if self._where.during is None:
            return True
        date = self._ledger.date(fact, self._moment)
        if date is None:
            raise NoResultError(f"{fact.id}: expected a date, as `during` asks; got none")
        if date_order(date, self._where.during) in {-1, 1}:
            return False
        if not stretch_of(self._where.during).contains(stretch_of(date)):
            raise AmbiguousError(
                f"{fact.id}: expected a date that tells whether it lies in {self._where.during}, "
                f"got {date}; state it more precisely"
            )
        return True


def _is_any(value: StrEnum, given: object) -> bool:
    """Whether a value is one of the given; without any given every value is."""
    return given is None or value in _members(given)
