"""What the query of an item gives, executed once for all rules that ask."""

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

Proof = Execution | QueryError | RecordError
"""What a query gives if it gives the gold, or why it does not."""


def has_query(item: QAItem) -> bool:
    """Whether an item claims to be proven by a query."""
    return item.query is not None


def ledger_of(bundle: Bundle, context: RuleContext) -> Ledger | None:
    """The ledger of a history, indexed once; None if its facts and mentions are none.

    `ledger.references` and `ledger.mention_resolves` say why.
    """
    try:
        return context.once(Ledger, bundle.history)
    except QueryError:
        return None


def proof_of(bundle: Bundle, item: QAItem, context: RuleContext) -> Proof | None:
    """What the query of an item gives; None where the history has no ledger that can be read."""
    known = context.once(_proofs, bundle.history)
    if id(item) not in known:
        # The item is kept too: its id must not become that of another.
        known[id(item)] = item, _execute(bundle, item, context)
    return known[id(item)][1]


def _proofs(_history: Bundle) -> dict[int, tuple[QAItem, Proof | None]]:
    """By identity of its items, what their queries give."""
    return {}


def _execute(bundle: Bundle, item: QAItem, context: RuleContext) -> Proof | None:
    ledger = ledger_of(bundle, context)
    if ledger is None:
        return None
    try:
        return check_item(item, bundle.history, ledger)
    except (QueryError, RecordError) as error:
        return error.with_traceback(None)
