"""What held at a point: `as_of` by knowledge (a session, a checkpoint) or by date.

By knowledge: a fact that has been stated, and that nothing stated by then supersedes, takes back,
deletes or ends. What is announced for later does not replace what still holds.
By date: with all that is known at asking time, a fact that had begun and not ended by that date.
"""

from memassay.schemas.errors import AmbiguousError, NoResultError
from memassay.schemas.queries.dates import date_order, stretch_of
from memassay.schemas.queries.ledger import Ledger, Moment
from memassay.schemas.records.ledger import Fact, FactHolder, FactOperation, FactScope, ValueType


class States:
    """Answers whether facts held, by knowledge or by date."""

    def __init__(self, ledger: Ledger) -> None:
        """Keep the ledger whose facts are asked about."""
        self._ledger = ledger

    def held_at(self, fact: Fact, moment: Moment) -> bool:
        """Whether a fact is known by a moment and holds then."""
        return (
            self._ledger.known(fact, moment)
            and fact.operation is not FactOperation.DELETE
            and not self._ledger.denied(fact, moment)
            and not self._announced(fact, moment)
            and not _surely_over(fact, moment.date)
            and not any(self._replaces(other, moment) for other in self._later(fact))
        )

    def held_on(self, fact: Fact, date: str, moment: Moment) -> bool:
        """Whether, with what is known by a moment, a fact held on a date.

        Raises:
            NoResultError: Nothing says since when the fact holds.
            AmbiguousError: Dates are too coarse to tell.
        """
        return (
            self._ledger.known(fact, moment)
            and fact.operation is not FactOperation.DELETE
            and not self._ledger.denied(fact, moment)
            and self._begun(fact, date)
            and not _ended(fact, date)
            and not any(
                self._ledger.known(other, moment) and self._begun(other, date)
                for other in self._later(fact)
            )
        )

    def _later(self, fact: Fact) -> list[Fact]:
        """Facts that supersede a fact, directly or through others."""
        found: dict[str, Fact] = {}
        waiting = [fact]
        while waiting:
            for other in self._ledger.superseders.get(waiting.pop().id, ()):
                if other.id not in found:
                    found[other.id] = other
                    waiting.append(other)
        return list(found.values())

    def _replaces(self, later: Fact, moment: Moment) -> bool:
        return self._ledger.known(later, moment) and not self._announced(later, moment)

    def _announced(self, fact: Fact, moment: Moment) -> bool:
        """Whether a change lies in the future while what it replaces already holds."""
        # A value that is a date is what is planned, not since when it is planned.
        if fact.valid_from is None or moment.date is None or fact.value.type is ValueType.DATE:
            return False
        if date_order(fact.valid_from, moment.date) != 1:
            return False
        replaced = (self._ledger.facts.get(name) for name in fact.supersedes)
        return any(
            (since := self._ledger.holds_from(other)) is not None
            and date_order(since, moment.date) != 1
            for other in replaced
            if other is not None
        )

    def _begun(self, fact: Fact, date: str) -> bool:
        since = self._ledger.holds_from(fact)
        if since is None:
            if fact.holder is FactHolder.EXTERNAL or fact.scope is FactScope.QUESTION:
                return True
            raise NoResultError(
                f"{fact.id}.valid_from: expected a date to hold against {date}, got none; add it"
            )
        return _passed(since, date, fact)


def _surely_over(fact: Fact, now: str | None) -> bool:
    if fact.valid_to is None or now is None:
        return False
    return date_order(fact.valid_to, now) in {-1, 0} or _same_day(fact.valid_to, now)


def _ended(fact: Fact, date: str) -> bool:
    return fact.valid_to is not None and _passed(fact.valid_to, date, fact)


def _same_day(day: str, date: str) -> bool:
    """Whether a date with a time lies on a day; a day counts from its beginning."""
    return len(day) == 10 and stretch_of(day).contains(stretch_of(date))


def _passed(start: str, date: str, fact: Fact) -> bool:
    """Whether a start has come by a date."""
    order = date_order(start, date)
    if order is None and not _same_day(start, date):
        raise AmbiguousError(
            f"{fact.id}: expected dates that tell whether {start} had come by {date}; state them "
            "more precisely"
        )
    return order != 1
