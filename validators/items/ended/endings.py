"""What an item that claims "not mentioned" overlooks: something that was there and has ended."""

from collections.abc import Iterator
from typing import NamedTuple, cast

from memassay.schemas.base import Shape
from memassay.schemas.errors import EndedError, QueryError
from memassay.schemas.queries.executor import FACTS, execute
from memassay.schemas.queries.grammar.expressions import Facts, SelectFacts
from memassay.schemas.queries.grammar.truth import Exists
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.ended.by_facts import EndedFacts
from memassay.validators.items.ended.by_text import ToldEndings
from memassay.validators.wording import key_words


class Overlooked(NamedTuple):
    """What an item overlooks.

    Attributes:
        told: What was there and how it ended, in words.
        sure: Whether nothing that the item asks for is left open.
    """

    told: str
    sure: bool


class Endings:
    """The endings of one conversation, by its ledger and by its text."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a bundle; its questions play no part.

        Raises:
            QueryError: Its ledger is none, e.g. two facts share an id.
        """
        self._ledger = Ledger(bundle)
        self._subjects = frozenset(fact.subject for fact in bundle.facts)
        self._facts, self._told = EndedFacts(bundle, self._ledger), ToldEndings(bundle)

    def of(self, item: QAItem) -> Overlooked | None:
        """What an item asks for that was there and has ended, if anything.

        By its query where it has one; then by the words of the question, against the facts that
        have ended and against the text.
        """
        try:
            moment = self._ledger.moment(item.asked_at)
        except QueryError:  # `evidence.asked_at` says so
            return None
        queried, absent = self._by_query(item)
        found = queried or self._by_words(item.question.text, moment)
        # A query that finds nothing asks for something else, unless the words leave no doubt.
        return None if absent and found is not None and not found.sure else found

    def _by_query(self, item: QAItem) -> tuple[Overlooked | None, bool]:
        """What the executor says has ended of what a query asks for, or that it finds nothing."""
        try:
            query = parse_query(item.query) if item.query is not None else None
        except QueryError:  # `proof.executes` says so
            return None, False
        absent = False
        for facts in _asked_facts(query):
            try:
                execute(Exists(op="exists", of=facts), self._ledger, item.asked_at)
            except EndedError as error:
                return Overlooked(str(error), sure=True), False
            except QueryError:
                continue
            absent = absent or not self._unknown(facts, item.question.text)
        return None, absent

    def _unknown(self, facts: Facts, question: str) -> bool:
        """Whether facts are of a subject that neither the ledger nor the question knows."""
        subject = facts.where.subject if isinstance(facts, SelectFacts) else None
        if not isinstance(subject, str) or subject in self._subjects:
            return False
        return key_words(subject.replace("_", " ")).isdisjoint(key_words(question))

    def _by_words(self, question: str, moment: Moment) -> Overlooked | None:
        by_fact = self._facts.asked_for(question, moment)
        if by_fact is not None and by_fact[1]:
            return Overlooked(by_fact[0].told, sure=True)
        told = self._told.asked_for(question, moment.sessions)
        if told is not None:
            return Overlooked(f"{told.there}, which {told.ended} ends", sure=True)
        return by_fact and Overlooked(by_fact[0].told, sure=False)


def _asked_facts(node: object) -> Iterator[Facts]:
    """The expressions of facts that a query is about: the outermost, whatever it does with them."""
    if type(node) in FACTS:
        yield cast(Facts, node)
    elif isinstance(node, Shape):
        for name in type(node).model_fields:
            yield from _asked_facts(getattr(node, name))
