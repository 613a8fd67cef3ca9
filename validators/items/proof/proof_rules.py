"""Rules that execute an item's query again: the gold is what the ledger gives, and only there."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext, pointer
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.asked.resolving import Things
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.items.proof.proving import has_query, ledger_of, proof_of
from memassay.validators.registry import problem, question_rule

_ASSAY: Final = "memassay design, the assay"
_MEND: Final = "correct the answer, the query or the ledger"


@question_rule("proof.executes", Severity.ERROR, _ASSAY, has_query)
def executes(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """An item's query, executed again over its ledger, gives its gold from visible facts."""
    error = proof_of(bundle, item, context)
    if isinstance(error, Exception):
        # The error is a sentence with its own fix: an error inside an error reads badly.
        message, _, fix = str(error).rpartition("; ")
        named = message.startswith(f"{item.id}.")
        text = message if named else f"{item.id}.query: {message or fix}"
        yield item.id, pointer("query"), text, fix if message else _MEND


def _things(history: Bundle) -> Things:
    return Things(history, Ledger(history))


@question_rule(
    "proof.evidence",
    Severity.ERROR,
    _ASSAY,
    lambda item: has_query(item) and item.origin is ItemOrigin.MACHINE,
)
def evidence(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """The evidence of a machine-made item is where its facts and what it describes can be seen."""
    proof, ledger = proof_of(bundle, item, context), ledger_of(bundle, context)
    if not isinstance(proof, Execution) or ledger is None:
        return
    things = context.once(_things, bundle.history) if item.references else None
    told = [
        group
        for reference in item.references
        if things is not None
        for group in things.rounds_telling(reference.description, item.asked_at)
    ]
    derived = evidence_of(proof, ledger, item.asked_at, item.modalities, told)
    wanted = {frozenset(group) for group in derived.groups}
    if wanted != {frozenset(group) for group in item.evidence.groups}:
        got = ", ".join(item.evidence.canonical) or "none"
        expected = f"the rounds {', '.join(derived.canonical)}"
        yield problem(item.id, ("evidence", "groups"), expected, got, "derive it from the query")


@question_rule(
    "proof.query_present",
    Severity.WARNING,
    _ASSAY,
    lambda item: item.origin is ItemOrigin.MACHINE,
)
def query_present(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A machine-made item has a query; one without goes to a person."""
    if item.query is None:
        fix = "let a person decide, or state the query"
        yield problem(item.id, ("query",), "a query that proves the gold", "none", fix)
