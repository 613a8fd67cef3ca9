"""What links facts: a person, an animal or a thing, a thread of events, a series, a cause."""

from collections import Counter
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.values.text import content_tokens
from memassay.synth.questions.heads import head_of
from memassay.synth.questions.history import History

_FEW: Final = 6
"""Most events whose titles share a word that says what they are about (our choice)."""
_LONG: Final = 3
"""Fewest letters of such a word."""
_PREPOSITIONS: Final = frozenset(
    ["from", "with", "after", "before", "for", "about", "over", "into", "under", "the", "and"]
)


class Links:
    """Says which facts of a history something joins, so that one question may be about them."""

    def __init__(self, history: History) -> None:
        """Note the event of each fact, and which events rest on which."""
        self._card = {fact: event.card for event in history.events for fact in event.facts.values()}
        self._user = frozenset(content_tokens(history.persona.name))
        self._titled = Counter(word for event in history.events for word in self._matter(event))
        self._after = {card.id: card.after for card in history.cards.cards.values()}
        self._cause = {card.id: card.cause for card in history.cards.cards.values()}
        self._opens = history.events[0].card

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

    def in_one_matter(self, first: TimelineEvent, second: TimelineEvent) -> bool:
        """Whether the titles of two events share a name or a word that few others have.

        Two moves of different things are not one matter: the word is not the head of both.
        """
        shared = self._matter(first) & self._matter(second)
        heads = {head_of(event.title) for event in (first, second)}
        return any(self._titled[word] <= _FEW and heads != {word} for word in shared)

    def _matter(self, event: TimelineEvent) -> frozenset[str]:
        words = {word for word in content_tokens(event.title) if len(word) >= _LONG}
        return frozenset(words) - self._user - _PREPOSITIONS
