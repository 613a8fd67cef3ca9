"""What an item that claims "not mentioned" overlooks: something that was there and has ended."""

from collections.abc import Iterator
from typing import cast

from memassay.schemas.base import Shape
from memassay.schemas.errors import EndedError, QueryError
from memassay.schemas.queries.executor import FACTS, execute
from memassay.schemas.queries.grammar.expressions import Facts
from memassay.schemas.queries.grammar.truth import Exists
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.ended.by_facts import EndedFacts
from memassay.validators.items.ended.by_text import ToldEndings


class Endings:
    """The endings of one conversation, by its ledger and by its text."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a bundle; its questions play no part.

        Raises:
            QueryError: Its ledger is none, e.g. two facts share an id.
        """
        self._ledger = Ledger(bundle)
        self._facts, self._told = EndedFacts(bundle, self._ledger), ToldEndings(bundle)

    def of(self, item: QAItem) -> str | None:
        """What an item asks for that was there and has ended, in words; None if nothing is found.

        By its query where it has one; then by the words of the question, against the facts that
        have ended and against the text.
        """
        try:
            moment = self._ledger.moment(item.asked_at)
        except QueryError:  # `evidence.asked_at` says so
            return None
        return self._by_query(item) or self._by_words(item.question.text, moment)

    def _by_query(self, item: QAItem) -> str | None:
        """The message of the executor about facts that a query asks for and that have ended."""
        try:
            query = parse_query(item.query) if item.query is not None else None
        except QueryError:  # `proof.executes` says so
            return None
        for facts in _asked_facts(query):
            try:
                execute(Exists(op="exists", of=facts), self._ledger, item.asked_at)
            except EndedError as error:
                return str(error)
            except QueryError:
                continue
        return None

    def _by_words(self, question: str, moment: Moment) -> str | None:
        ending = self._facts.asked_for(question, moment)
        if ending is not None:
            return ending.told
        told = self._told.asked_for(question, moment.sessions)
        return told and f"{told.there}, which {told.ended} ends"


def _asked_facts(node: object) -> Iterator[Facts]:
    """The expressions of facts that a query is about: the outermost, whatever it does with them."""
    if type(node) in FACTS:
        yield cast(Facts, node)
    elif isinstance(node, Shape):
        for name in type(node).model_fields:
            yield from _asked_facts(getattr(node, name))
