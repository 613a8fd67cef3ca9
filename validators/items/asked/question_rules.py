"""Rules that compare a question with its query: names, numbers, restrictions, negation.

A query may give the gold and still be the query of another question. Whatever the question says
has to come from the query, its facts or its evidence, and whatever the query does has to leave a
trace in the question. The wording that a machine kept proves nothing here: it can be forged with
the question.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.errors import QueryError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import fill_slots, wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.asked.amounts import amounts
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.history import History
from memassay.validators.items.asked.names_asked import Doubt, names_asked
from memassay.validators.items.asked.referring import reference_doubts
from memassay.validators.items.asked.restrictions import restrictions
from memassay.validators.items.asked.topic import topic
from memassay.validators.items.proof.proving import has_query
from memassay.validators.registry import problem, question_rule

_ASSAY: Final = "memassay design, the assay: the question asks its query"
_CHECKS: Final[tuple[Callable[[Asked], Iterator[Doubt]], ...]] = (
    names_asked,
    amounts,
    restrictions,
    topic,
)


class _Checks:
    """One history with what was found about its questions, for the rules that share it."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._found: dict[int, tuple[QAItem, list[Doubt]]] = {}
        try:
            ledger = Ledger(bundle)
        except QueryError:  # `ledger.references` and `ledger.mention_resolves` say why
            self._history = None
        else:
            self._history = History(bundle, ledger, Names(bundle, ledger))

    @property
    def names(self) -> Names | None:
        """What its subjects are called; None where the ledger cannot be read."""
        return None if self._history is None else self._history.names

    def doubts(self, item: QAItem) -> list[Doubt]:
        """Why the question of an item does not ask its query; each item is read once."""
        if id(item) not in self._found:
            self._found[id(item)] = (item, self._read(item))
        return self._found[id(item)][1]

    def _read(self, item: QAItem) -> list[Doubt]:
        asked = self.beside_query(item)
        if asked is None:
            return []
        return list(dict.fromkeys(doubt for check in _CHECKS for doubt in check(asked)))

    def beside_query(self, item: QAItem) -> Asked | None:
        """An item beside its query; None without a ledger or a query that can be read."""
        if self._history is None or not self.bundle.facts:
            return None
        try:
            return Asked(self._history, item, parse_query(item.query))
        except QueryError:  # `proof.executes` says why
            return None


class _Same:
    """A bundle by identity: what is kept for one is not looked up for an equal one."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.bundle is other.bundle

    def __hash__(self) -> int:
        return id(self.bundle)


@lru_cache(maxsize=1)
def _checks_of(same: _Same) -> _Checks:
    return _Checks(same.bundle)


def _problems(bundle: Bundle, item: QAItem, *, sure: bool) -> Iterator[Problem]:
    for doubt in _checks_of(_Same(bundle)).doubts(item):
        if doubt.sure is sure:
            fix = "word the question after its query, or state the query that it asks"
            yield problem(item.id, ("question", "text"), doubt.expected, doubt.got, fix)


@question_rule("question.asks", Severity.ERROR, _ASSAY, has_query)
def asks(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Names, numbers, restrictions and negation of a question are those of its query."""
    yield from _problems(bundle, item, sure=True)


@question_rule("question.asks_likely", Severity.WARNING, _ASSAY, has_query)
def asks_likely(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question names what its query is about and says what it does; else a person looks."""
    yield from _problems(bundle, item, sure=False)


def _has_references(item: QAItem) -> bool:
    return bool(item.references) and has_query(item)


@question_rule("question.reference", Severity.ERROR, _ASSAY, _has_references)
def reference(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A phrase that describes a thing fits it alone at asking time, and the query speaks of it."""
    asked = _checks_of(_Same(bundle)).beside_query(item)
    if asked is None:
        return
    fix = "describe one thing that the query is about, in words that say all of the description"
    for at, doubt in reference_doubts(asked):
        yield problem(item.id, ("references", str(at)), doubt.expected, doubt.got, fix)


def _has_wording(item: QAItem) -> bool:
    return item.wording is not None and has_query(item)


@question_rule("question.wording", Severity.ERROR, _ASSAY, _has_wording)
def wording(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """Template and slots of a machine-worded question give its text and follow from its query."""
    names = _checks_of(_Same(bundle)).names
    if item.wording is None or names is None:
        return
    fix = "derive the wording from the question and its query, or drop it"
    said = fill_slots(item.wording)
    if said != item.question.text:
        yield problem(item.id, ("wording",), f"the question {item.question.text!r}", said, fix)
        return
    try:
        derived = wording_of(item, parse_query(item.query), names)
    except QueryError:  # `proof.executes` says why
        return
    if derived != item.wording:
        expected = f"the slots {derived.slots if derived else 'of no template'}"
        yield problem(item.id, ("wording", "slots"), expected, item.wording.slots, fix)
