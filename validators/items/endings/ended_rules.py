"""The rule on what was there and has ended: by the query, no item calls it not mentioned."""

from collections.abc import Iterator
from typing import cast

from memassay.schemas.base import Shape
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.errors import EndedError, QueryError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.executor import FACTS, execute
from memassay.schemas.queries.grammar.expressions import Facts
from memassay.schemas.queries.grammar.truth import Exists
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.items.endings.refusal_rules import claims_nothing
from memassay.validators.registry import problem, question_rule


@question_rule(
    "refusals.ended",
    Severity.ERROR,
    "Mem-Gallery 3.3, answer refusal; memassay queries, `ended`",
    lambda item: item.query is not None and claims_nothing(item),
)
def check_ended(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """What an item calls not mentioned never was there, and not only ended since."""
    try:
        ledger = context.once(Ledger, bundle)
        query = parse_query(item.query)
    except QueryError:  # `proof.executes` and the rules on ledgers say why
        return
    for facts in _selections(query):
        try:
            execute(Exists(op="exists", of=facts), ledger, item.asked_at)
        except EndedError as error:
            fix = "answer with what was there or how it ended, and prove it with `ended`"
            expected = "a refusal of what never was there"
            yield problem(item.id, ("answer", "values"), expected, error, fix)
            return
        except QueryError:  # it proves nothing about this selection
            continue


def _selections(node: object) -> Iterator[Facts]:
    """The outermost expressions of facts that a query is about, whatever it does with them."""
    if type(node) in FACTS:
        yield cast(Facts, node)
    elif isinstance(node, Shape):
        for name in type(node).model_fields:
            yield from _selections(getattr(node, name))
