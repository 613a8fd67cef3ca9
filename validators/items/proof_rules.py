"""Rules that execute an item's query again: the gold is what the ledger gives, and only there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext, pointer
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import ItemOrigin, QAItem
from memassay.validators.registry import RULES, problem, question_rule

_ASSAY: Final = "memassay design, the assay"
_MEND: Final = "correct the answer, the query or the ledger"


def has_query(item: QAItem) -> bool:
    """Whether an item claims to be proven by a query."""
    return item.query is not None


@dataclass(frozen=True)
class _Asked:
    """One item with a query, its conversation, and what the rules share.

    Attributes:
        bundle: The conversation.
        item: The item.
        ledger: The facts of the history.
        context: What was derived from the conversation.
    """

    bundle: Bundle
    item: QAItem
    ledger: Ledger
    context: RuleContext

    @property
    def proof(self) -> Execution | QueryError | RecordError:
        """What the query gives if it gives the gold, or why it does not; executed once."""
        known, own = self.context.once(_proofs, self.bundle), id(self.item)
        if own not in known:
            try:
                known[own] = check_item(self.item, self.bundle.history, self.ledger)
            except (QueryError, RecordError) as error:
                known[own] = error.with_traceback(None)
        return known[own]


def _proofs(_bundle: Bundle) -> dict[int, Execution | QueryError | RecordError]:
    """By identity of its items, of what `check_item` gave."""
    return {}


ProofCheck = Callable[[_Asked], Iterator[Problem]]


def _proof_rule(rule_id: str, severity: Severity) -> Callable[[ProofCheck], ProofCheck]:
    """Register a check of items with a query that shares one ledger for the conversation."""

    def register(check: ProofCheck) -> ProofCheck:
        @wraps(check)
        def over_questions(bundle: Bundle, context: RuleContext) -> Iterator[Problem]:
            asked = [item for item in bundle.questions if has_query(item)]
            if not asked:
                return
            try:
                ledger = context.once(Ledger, bundle.history)
            except QueryError:  # `ledger.references` and `ledger.mention_resolves` say why
                return
            for item in asked:
                yield from check(_Asked(bundle, item, ledger, context))

        RULES.conversation(rule_id, severity, _ASSAY, looks_at=LooksAt.QUESTION, applies=has_query)(
            over_questions
        )
        return check

    return register


@_proof_rule("proof.executes", Severity.ERROR)
def executes(asked: _Asked) -> Iterator[Problem]:
    """An item's query, executed again over its ledger, gives its gold from visible facts."""
    item, error = asked.item, asked.proof
    if isinstance(error, Exception):
        # The error is a sentence with its own fix: an error inside an error reads badly.
        said, _, fix = str(error).rpartition("; ")
        told = said if said.startswith(f"{item.id}.") else f"{item.id}.query: {said or fix}"
        yield item.id, pointer("query"), told, fix if said else _MEND


@_proof_rule("proof.evidence", Severity.ERROR)
def evidence(asked: _Asked) -> Iterator[Problem]:
    """The evidence of a machine-made item is where the facts of its query can be seen."""
    item, execution = asked.item, asked.proof
    if isinstance(execution, Exception) or item.origin is not ItemOrigin.MACHINE:
        return
    derived = evidence_of(execution, asked.ledger, item.asked_at, item.modalities)
    wanted = {frozenset(group) for group in derived.groups}
    given = {frozenset(group) for group in item.evidence.groups}
    if wanted != given:
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
