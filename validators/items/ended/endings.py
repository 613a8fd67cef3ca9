"""What an item that claims "not mentioned" overlooks: something that was there and has ended."""

from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final, NamedTuple, cast

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
from memassay.validators.items.ended.fact_index import FactIndex
from memassay.validators.items.ended.near_facts import near_fact
from memassay.validators.items.ended.near_text import NearEndings
from memassay.validators.items.ended.told_text import ToldText
from memassay.validators.wording import key_words

_MISSPELT: Final = 0.9
"""Likeness from which on a key that the ledger lacks is one of its own, misspelt (our choice)."""


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
        self._keys = sorted({f"{fact.subject} {fact.attribute}" for fact in bundle.facts})
        text = ToldText(bundle)
        self._told, self._near = ToldEndings(text), NearEndings(text)
        self._index = FactIndex(bundle, self._ledger)
        self._facts = EndedFacts(self._index)

    def of(self, item: QAItem) -> Overlooked | None:
        """What an item asks for that was there and has ended, if anything.

        By its query where it has one; then by the words of the question, against the facts that
        have ended and against the text. Without a query, and with a ledger, what the words may
        mean is worth a look.
        """
        try:
            moment = self._ledger.moment(item.asked_at)
        except QueryError:  # `evidence.asked_at` says so
            return None
        queried, asked = self._by_query(item)
        question = item.question.text
        found = queried or self._by_words(question, moment)
        # A query that finds nothing asks for something else, unless the words leave no doubt.
        if found is not None or asked:
            return found
        near = near_fact(self._index, question, moment)
        if near is not None:
            return Overlooked(near.told, sure=False)
        told = self._near.near(question, moment.sessions)
        return told and Overlooked(f"{told.there}, which {told.ended} ends", sure=False)

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
            absent = absent or not self._mistaken(facts, item.question.text)
        return None, absent

    def _mistaken(self, facts: Facts, question: str) -> bool:
        """Whether a query misspells what it selects, or names what the question does not know."""
        where = facts.where if isinstance(facts, SelectFacts) else None
        if where is None or not isinstance(where.subject, str):
            return False
        key = f"{where.subject} {where.attribute}"
        if key in self._keys:
            return False
        if get_close_matches(key, self._keys, n=1, cutoff=_MISSPELT):
            return True
        known = any(key.startswith(f"{where.subject} ") for key in self._keys)
        own = key_words(where.subject.replace("_", " "))
        return not known and own.isdisjoint(key_words(question))

    def _by_words(self, question: str, moment: Moment) -> Overlooked | None:
        by_fact = self._facts.asked_for(question, moment)
        if by_fact is not None:
            return Overlooked(by_fact.told, sure=True)
        told = self._told.asked_for(question, moment.sessions)
        return told and Overlooked(f"{told.there}, which {told.ended} ends", sure=True)


def _asked_facts(node: object) -> Iterator[Facts]:
    """The expressions of facts that a query is about: the outermost, whatever it does with them."""
    if type(node) in FACTS:
        yield cast(Facts, node)
    elif isinstance(node, Shape):
        for name in type(node).model_fields:
            yield from _asked_facts(getattr(node, name))
