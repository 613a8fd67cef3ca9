"""What held at a point: `as_of` by knowledge (a session, a checkpoint) or by date.

By knowledge: a fact that has been stated, and that nothing stated by then supersedes, takes back,
deletes or ends. What is announced for later does not replace what still holds.
By date: with all that is known at asking time, a fact that had begun and not ended by that date.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.scalars.dates import date_order, stretch_of
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactScope,
    FactStatus,
    ValueType,
)
from memassay.schemas.records.question import AskedAt


class How(StrEnum):
    """How a fact ended."""

    DELETED = "deleted"
    DENIED = "taken back"
    REPLACED = "replaced"
    OVER = "over"


@dataclass(frozen=True)
class Ending:
    """That a fact no longer holds.

    Attributes:
        fact: What was there.
        how: How it ended.
        by: The fact whose mentions say that it ended: what deletes or replaces it, or itself.
        in_denial: Whether the mentions that say so are the fact's denials.
    """

    fact: Fact
    how: How
    by: Fact
    in_denial: bool = False

    @property
    def told(self) -> str:
        """The end in words, for messages."""
        what = f"{self.fact.id} ({self.fact.subject}, {self.fact.attribute}"
        what = f"{what}, {self.fact.value.text!r})"
        if self.how is How.OVER:
            return f"{what}, which was over on {self.fact.valid_to}"
        return f"{what}, which was {self.how}{'' if self.by is self.fact else f' by {self.by.id}'}"


class States:
    """Answers whether facts held, by knowledge or by date."""

    def __init__(self, ledger: Ledger) -> None:
        """Keep the ledger whose facts are asked about."""
        self._ledger = ledger

    def held_at(self, fact: Fact, moment: Moment) -> bool:
        """Whether a fact is known by a moment and holds then."""
        return (
            self._ledger.is_known(fact, moment)
            and self.ending(fact, moment) is None
            and not self._is_announced(fact, moment)
        )

    def ending(self, fact: Fact, moment: Moment) -> Ending | None:
        """How a fact that is known by a moment has ended by then; None if it has not.

        What says that it ended is, in this order: what deletes the fact, its denial, what replaces
        it, the fact itself, which was over or was never so. Of several the earliest mentioned.
        What is only announced has not ended and ends nothing.
        """
        if fact.operation is FactOperation.DELETE:
            return Ending(fact, How.DELETED, fact)
        by = self._replacing(fact, moment)
        if by is not None and by.operation is FactOperation.DELETE:
            return Ending(fact, How.DELETED, by)
        if self._ledger.is_denied(fact, moment):
            if self._ledger.denials(fact, moment):
                return Ending(fact, How.DENIED, fact, in_denial=True)
            if by is None:  # by what is announced, or from the start
                replaced = self._ledger.superseders.get(fact.id, ())
                by = next((one for one in replaced if self._ledger.is_known(one, moment)), fact)
            return Ending(fact, How.DENIED, by)
        if by is not None:
            return Ending(fact, How.REPLACED, by)
        return Ending(fact, How.OVER, fact) if _surely_over(fact, moment.since) else None

    def ending_of(self, fact: Fact, moment: Moment) -> Ending | None:
        """What replaced a fact, or its `valid_to`, by a moment; None if it is of the present state.

        Whether it is a deletion or was taken back is not asked: a query can be about those.
        """
        by = self._replacing(fact, moment)
        if by is not None:
            deleted = by.operation is FactOperation.DELETE
            return Ending(fact, How.DELETED if deleted else How.REPLACED, by)
        return Ending(fact, How.OVER, fact) if _surely_over(fact, moment.since) else None

    def held_on(self, fact: Fact, date: str, moment: Moment) -> bool:
        """Whether, with what is known by a moment, a fact held on a date.

        Raises:
            NoResultError: Nothing says since when the fact holds.
            AmbiguousError: Dates are too coarse to tell.
        """
        return (
            self._ledger.is_known(fact, moment)
            and fact.operation is not FactOperation.DELETE
            and not self._ledger.is_denied(fact, moment)
            and self._has_begun(fact, date, moment)
            and not self._ended_by(fact, date, moment)
        )

    def over_on(self, fact: Fact, date: str, moment: Moment) -> bool:
        """Whether, with what is known by a moment, a fact had begun and ended by a date.

        Raises:
            NoResultError: Nothing says since when the fact holds.
            AmbiguousError: Dates are too coarse to tell.
        """
        if not self._ledger.is_known(fact, moment) or self.held_on(fact, date, moment):
            return False
        never = fact.operation is FactOperation.DELETE or self._ledger.is_denied(fact, moment)
        return never or self._has_begun(fact, date, moment)

    def _replacing(self, fact: Fact, moment: Moment) -> Fact | None:
        """What supersedes a fact by a moment; what is only announced does not."""
        return next(
            (
                one
                for one in self._ledger.later(fact)
                if self._ledger.is_known(one, moment) and not self._is_announced(one, moment)
            ),
            None,
        )

    def _is_announced(self, fact: Fact, moment: Moment) -> bool:
        """Whether a change lies in the future while what it replaces already holds."""
        # A value that is a date is what is planned, not since when it is planned.
        if fact.valid_from is None or moment.date is None or fact.value.type is ValueType.DATE:
            return False
        if date_order(fact.valid_from, moment.date) != 1:
            return False
        return any(self._holds_by(other, moment) for other in self._earlier(fact))

    def _holds_by(self, fact: Fact, moment: Moment) -> bool:
        """Whether a fact is known by a moment and does not begin after it."""
        if not self._ledger.is_known(fact, moment):
            return False
        later = fact.valid_from and moment.date and date_order(fact.valid_from, moment.date) == 1
        return not later

    def _earlier(self, fact: Fact) -> Iterator[Fact]:
        """Facts that a fact supersedes: directly, then through others."""
        found: set[str] = set()
        open_names = list(fact.supersedes)
        while open_names:
            name = open_names.pop()
            other = self._ledger.facts.get(name)
            if other is None or name in found:
                continue
            found.add(name)
            yield other
            if other.status is not FactStatus.INTERFERENCE:
                open_names += other.supersedes

    def _ended_by(self, fact: Fact, date: str, moment: Moment) -> bool:
        """Whether a fact was over or replaced by a date; one sure end decides, whatever is open."""
        ends = [partial(_has_ended, fact, date)]
        for other in self._ledger.later(fact):
            if self._ledger.is_known(other, moment):
                ends.append(partial(self._has_begun, other, date, moment))
        unclear: AmbiguousError | NoResultError | None = None
        for has_come in ends:
            try:
                if has_come():
                    return True
            except (AmbiguousError, NoResultError) as error:
                unclear = unclear or error
        if unclear is not None:
            raise unclear
        return False

    def _has_begun(self, fact: Fact, date: str, moment: Moment) -> bool:
        since = self._ledger.holds_from(fact, moment)
        if since is None:
            if fact.holder is FactHolder.EXTERNAL or fact.scope is FactScope.QUESTION:
                return True
            raise NoResultError(
                f"{fact.id}.valid_from: expected a date to hold against {date}, got none; add it"
            )
        return _has_passed(since, date, fact)


def _surely_over(fact: Fact, now: str | None) -> bool:
    if fact.valid_to is None or now is None:
        return False
    return date_order(fact.valid_to, now) in {-1, 0} or _same_day(fact.valid_to, now)


def _has_ended(fact: Fact, date: str) -> bool:
    return fact.valid_to is not None and _has_passed(fact.valid_to, date, fact)


def _same_day(day: str, date: str) -> bool:
    """Whether a date with a time lies on a day; a day counts from its beginning."""
    return len(day) == 10 and stretch_of(day).contains(stretch_of(date))


def _has_passed(start: str, date: str, fact: Fact) -> bool:
    """Whether a start has come by a date."""
    order = date_order(start, date)
    if order is None and not _same_day(start, date):
        raise AmbiguousError(
            f"{fact.id}: expected dates that tell whether {start} had come by {date}; state them "
            "more precisely"
        )
    return order != 1


def gold_state(bundle: Bundle, session: str, ledger: Ledger | None = None) -> list[Fact]:
    """Everything that holds after a session: what a memory that has seen it should know.

    A fact holds if it is known by then and neither deleted, taken back, replaced nor over.
    Interference, what a person took out of the text, and facts of scope question are no part.

    Args:
        bundle: One conversation with its facts and mentions.
        session: Id of the last session seen.
        ledger: The bundle's ledger, for callers that ask often.

    Returns:
        Facts by place of their first mention, then by id; those without a place come last.

    Raises:
        MalformedQueryError: There is no such session.
        QueryError: The ledger is no ledger, e.g. two facts share an id.
    """
    ledger = ledger if ledger is not None else Ledger(bundle)
    moment, states = ledger.moment(AskedAt(session=session)), States(ledger)
    return [
        fact
        for fact in ledger.in_order(ledger.facts.values())
        if fact.status not in _NEVER_SO
        and fact.scope is FactScope.HISTORY
        and states.held_at(fact, moment)
    ]


_NEVER_SO: Final = frozenset({FactStatus.INTERFERENCE, FactStatus.UNSAID})
