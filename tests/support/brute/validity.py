"""What holds at a point: begun, and neither replaced, taken back, deleted nor ended."""

from support.brute.common import AMBIGUOUS, NONE, Document, WrongQuery, reached
from support.brute.world import World


class Validity(World):
    """The records of a conversation, and what of them holds when."""

    def held(self, fact: Document, at: list[str] | str) -> bool | None:
        """Whether a fact held at a point; None where dates are too coarse to tell."""
        seen = self.now if isinstance(at, str) else at
        if not self.known(fact, seen) or fact["operation"] == "delete":
            return False
        if self.retracted(fact, seen):
            return False
        if isinstance(at, str):
            return self._valid(fact, at)
        return not self.over(fact, at) and not self._waits(fact, at)

    def over(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact is replaced or ended at a session, by what had been said by then.

        What replaces it may be announced for later; what is too coarse to tell is not later.
        """
        if any(not self._waits(each, at) for each in self.replacements(fact, at)):
            return True
        dated = [each for each in map(self.date_of, at) if each]
        return bool(fact["valid_to"] and dated and reached(fact["valid_to"], dated[-1]))

    def _waits(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact is to change, only after a session, what has begun by then.

        A date as a value is what is planned, not since when it is planned.
        """
        changed = [each for each in self.facts if fact in self.replacing(each)]
        return (
            fact["value"]["type"] != "date"
            and self._begins_later(fact, at)
            and any(self.known(each, at) and not self._begins_later(each, at) for each in changed)
        )

    def _begins_later(self, fact: Document, at: list[str]) -> bool:
        today, begin = self.date_of(at[-1]), fact["valid_from"]
        return bool(begin and today and reached(begin, today) is False)

    def _valid(self, fact: Document, when: str) -> bool | None:
        """Whether a fact had begun and not ended at a date, with all that is known.

        One sure end decides, whatever is open.
        """
        begin = self._begin(fact)
        if begin is None:
            raise WrongQuery(NONE)
        begun = reached(begin, when)
        if not begun:
            return begun
        starts = [self._begin(each) for each in self.replacements(fact, self.now)]
        ends = [*starts, *([fact["valid_to"]] if fact["valid_to"] else [])]
        ended = [reached(each, when) for each in ends if each is not None]
        if True in ended:
            return False
        if None in ends:
            raise WrongQuery(NONE, AMBIGUOUS) if None in ended else WrongQuery(NONE)
        return None if None in ended else True

    def _begin(self, fact: Document) -> str | None:
        """From when on a fact holds: `valid_from`, else the telling; of others, from ever."""
        begin: str | None = fact["valid_from"] or self.told_on(fact)
        outside = fact["holder"] == "external" or fact["scope"] == "question"
        return "0001" if begin is None and outside else begin

    def ended(self, fact: Document, at: list[str]) -> bool:
        """Whether a fact that was there has ended: over or taken back."""
        return self.over(fact, at) or self.retracted(fact, at)
