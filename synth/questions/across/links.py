"""What links facts: a person, an animal or a thing, a thread of events, a series, a cause."""

from collections.abc import Collection

from memassay.schemas.records.ledger import Fact
from memassay.synth.questions.history import History
from memassay.synth.world.maker import CAUSE


class Links:
    """Says which facts of a history something joins, so that one question may be about them."""

    def __init__(self, history: History) -> None:
        """Note the event of each fact, and which events rest on which."""
        self._card = {fact: event.card for event in history.events for fact in event.facts.values()}
        self._title = {event.card: event.title for event in history.events}
        self._logs = {log.attribute for log in history.persona.logs.values()}
        self._after = {card.id: card.after for card in history.cards.cards.values()}
        self._cause = {card.id: card.cause for card in history.cards.cards.values()}
        self._opens = history.events[0].card

    def are_joined(self, facts: Collection[Fact]) -> bool:
        """Whether facts hang together: from each one leads a way of ties to every other."""
        left = list(facts)
        reached = left[:1]
        for fact in reached:
            reached += [
                other for other in left if other not in reached and self.are_tied(fact, other)
            ]
        return len(reached) == len(left)

    def are_tied(self, first: Fact, second: Fact) -> bool:
        """Whether one thing ties two facts.

        The user is in everything and ties nothing; neither does the scene setter, on which all
        events rest.
        """
        return (
            (first.subject == second.subject and first.subject != "user")
            or (first.attribute == second.attribute and first.attribute in self._logs)
            or first.id in second.supersedes
            or second.id in first.supersedes
            or self._is_cause(first, second)
            or self._is_cause(second, first)
            or self.in_thread(first, second)
        )

    def _is_cause(self, cause: Fact, other: Fact) -> bool:
        """Whether one fact says what led to an event, and the other is of what led to it."""
        if cause.attribute != CAUSE:
            return False
        siblings = other.attribute == CAUSE and other.value.text == cause.value.text
        return siblings or self._title.get(self._card.get(other.id, "")) == cause.value.text

    def in_thread(self, first: Fact, second: Fact) -> bool:
        """Whether two facts are of one event, or of two of which one rests on the other."""
        cards = [self._card.get(fact.id) for fact in (first, second)]
        if None in cards:
            return False
        early, late = cards
        return early == late or self._leads(early, late) or self._leads(late, early)

    def _leads(self, early: str | None, late: str | None) -> bool:
        """Whether an event comes right after another, or goes back to it by what led to it."""
        if early == self._opens:
            return False
        if early in self._after.get(late or "", ()):
            return True
        while late is not None:
            late = self._cause.get(late)
            if late == early:
                return True
        return False
