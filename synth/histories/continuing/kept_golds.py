"""What new events of a history would do to the questions that it has: a gold must not move."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memassay.schemas.benchmarks.constraints import SaidAndShown, breaches
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.asked.resolving import Things
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import holds
from memassay.synth.questions.kinds import QuestionKind


class _State(NamedTuple):
    """How a question is answered in a history.

    Attributes:
        why: The facts that its gold rests on; None where its query does not give the gold.
        means: What each of its references fits.
        breached: Constraints of its type that it breaks.
    """

    why: frozenset[str] | None
    means: tuple[frozenset[str], ...]
    breached: tuple[str, ...]


class _View:
    """One history, to look at many questions in."""

    def __init__(self, bundle: Bundle, kinds: Mapping[str, QuestionKind]) -> None:
        self.bundle, self.kinds = bundle, kinds
        self.ledger = Ledger(bundle)
        self.things = Things(bundle, self.ledger)
        self.seen = SaidAndShown(bundle)

    def state_of(self, item: QAItem) -> _State:
        try:
            why = check_item(item, self.bundle, self.ledger).why
        except QueryError:
            why = None
        means = (self.things.resolve(one.description, item.asked_at) for one in item.references)
        kind = self.kinds.get(str(item.benchmark_type))
        found = breaches(kind.constraints, self.seen, item) if kind is not None else ()
        return _State(why, tuple(means), tuple(constraint.id for constraint, _ in found))


class KeptGolds:
    """The questions of a history that have a query, as they are before it goes on."""

    def __init__(self, bundle: Bundle, kinds: Mapping[str, QuestionKind]) -> None:
        """Look at every question once."""
        view = _View(bundle, kinds)
        self._kinds = kinds
        self._events = {one.id for one in bundle.events}
        self._items = [
            (item, view.state_of(item)) for item in bundle.questions if item.query is not None
        ]

    def cards_that_move_one(self, longer: Bundle) -> set[str]:
        """Cards of new events by which a question is no longer what it was."""
        view, news = _View(longer, self._kinds), _News(longer, self._events)
        moved: set[str] = set()
        for item, before in self._items:
            after = view.state_of(item)
            if after != before:
                moved |= news.cards_behind(item, before, after)
        return moved


class _News:
    """What the new events of a history bring, by their cards."""

    def __init__(self, longer: Bundle, old: set[str]) -> None:
        new = [event for event in longer.events if event.id not in old]
        self._cards = {event.card for event in new}
        card_of = {event.id: event.card for event in new}
        self._by_fact = {fact: event.card for event in new for fact in event.facts.values()}
        self._texts: dict[str, list[str]] = defaultdict(list)
        self._by_thing = dict(card_of)
        for round_ in longer.conversation.rounds():
            if round_.event in card_of:
                card = card_of[round_.event]
                self._texts[card] += [turn.text for turn in round_.turns]
                shown = (one.id for turn in round_.turns for one in turn.attachments)
                self._by_thing |= dict.fromkeys(shown, card)
        self._attributes: dict[str, set[str]] = defaultdict(set)
        for fact in longer.facts:
            if fact.id in self._by_fact:
                self._attributes[self._by_fact[fact.id]].add(fact.attribute)

    def cards_behind(self, item: QAItem, before: _State, after: _State) -> set[str]:
        """The cards that may have moved a question; all of them where none is known to."""
        facts = (after.why or frozenset()) ^ (before.why or frozenset())
        meant = zip(before.means, after.means, strict=True)
        things = {name for fitted, fits in meant for name in fitted ^ fits}
        guilty = {self._by_fact[one] for one in facts if one in self._by_fact}
        guilty |= {self._by_thing[one] for one in things if one in self._by_thing}
        if after.breached != before.breached:
            guilty |= {
                card
                for card, texts in self._texts.items()
                if any(holds(text, gold) for text in texts for gold in item.answer.values)
            }
        if not guilty:
            asked = set(_words_of(item.query))
            guilty = {card for card, own in self._attributes.items() if asked & own}
        return guilty or self._cards


def _words_of(part: object) -> Iterator[str]:
    """Every text in a query."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, list):
        for one in part:
            yield from _words_of(one)
    elif isinstance(part, dict):
        for one in part.values():
            yield from _words_of(one)
