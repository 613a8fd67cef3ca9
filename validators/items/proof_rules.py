"""Rules that execute an item's query again: the gold is what the ledger gives, and only there."""

from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Final

from memassay.schemas.contracts.rules import LooksAt, Problem, RuleContext, pointer
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.schemas.values.text import holds
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import key_words, sentences

_ASSAY: Final = "memassay design, the assay"
_OPEN_FORMATS: Final = frozenset({AnswerFormat.FREE, AnswerFormat.DATE, AnswerFormat.NUMBER})
_MEND: Final = "correct the answer, the query or the ledger"
_ALIKE: Final = 0.8
"""Share of a question's key words from which on a sentence is about it (our choice)."""

ProofCheck = Callable[[Bundle, QAItem, Ledger], Iterator[Problem]]


def has_query(item: QAItem) -> bool:
    """Whether an item claims to be proven by a query."""
    return item.query is not None


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
                yield from check(bundle.history, item, ledger)

        RULES.conversation(rule_id, severity, _ASSAY, looks_at=LooksAt.QUESTION, applies=has_query)(
            over_questions
        )
        return check

    return register


def _execution(bundle: Bundle, item: QAItem, ledger: Ledger) -> Execution | None:
    try:
        return check_item(item, bundle, ledger)
    except (QueryError, RecordError):
        return None


@_proof_rule("proof.executes", Severity.ERROR)
def executes(bundle: Bundle, item: QAItem, ledger: Ledger) -> Iterator[Problem]:
    """An item's query, executed again over its ledger, gives its gold from visible facts."""
    try:
        check_item(item, bundle, ledger)
    except (QueryError, RecordError) as error:
        # The error is a sentence with its own fix: an error inside an error reads badly.
        said, _, fix = str(error).rpartition("; ")
        told = said if said.startswith(f"{item.id}.") else f"{item.id}.query: {said or fix}"
        yield item.id, pointer("query"), told, fix if said else _MEND


@_proof_rule("proof.evidence", Severity.ERROR)
def evidence(bundle: Bundle, item: QAItem, ledger: Ledger) -> Iterator[Problem]:
    """The evidence of a machine-made item is where the facts of its query can be seen."""
    execution = _execution(bundle, item, ledger)
    if execution is None or item.origin is not ItemOrigin.MACHINE:
        return
    derived = evidence_of(execution, ledger, item.asked_at, item.modalities)
    wanted = {frozenset(group) for group in derived.groups}
    given = {frozenset(group) for group in item.evidence.groups}
    if wanted != given:
        got = ", ".join(item.evidence.canonical) or "none"
        expected = f"the rounds {', '.join(derived.canonical)}"
        yield problem(item.id, ("evidence", "groups"), expected, got, "derive it from the query")


@_proof_rule("proof.rival", Severity.ERROR)
def rival(bundle: Bundle, item: QAItem, ledger: Ledger) -> Iterator[Problem]:
    """Outside the evidence, no sentence speaks of what is asked and says the gold as well."""
    if item.answer.format not in _OPEN_FORMATS or _execution(bundle, item, ledger) is None:
        return
    cited = {place for group in item.evidence.groups for place in group}
    asked = key_words(item.question.text)
    golds = [item.answer.values[0], *item.answer.equivalents] if item.answer.values else []
    for round_ in bundle.conversation.rounds():
        near = (turn.text for turn in round_.turns if _speaks_of(turn.text, asked))
        said = (one for text in near for one in sentences(text))
        if round_.id not in cited and any(_answers(one, asked, golds) for one in said):
            fix = "cite the round too, or ask more narrowly"
            yield problem(item.id, ("evidence", "groups"), "all that answers", round_.id, fix)


@lru_cache(maxsize=1 << 14)
def _all_words(text: str) -> frozenset[str]:
    """The key words of all sentences of a text."""
    return frozenset().union(*map(key_words, sentences(text)))


def _speaks_of(text: str, asked: frozenset[str]) -> bool:
    """Whether a sentence of a text can hold nearly all key words of a question."""
    return len(asked & _all_words(text)) / max(len(asked), 1) >= _ALIKE


def _answers(sentence: str, asked: frozenset[str], golds: list[str]) -> bool:
    """Whether a sentence holds a gold and nearly all key words of the question."""
    shared = len(asked & key_words(sentence)) / max(len(asked), 1)
    return shared >= _ALIKE and any(holds(sentence, gold) for gold in golds)


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


def _made_refusal(item: QAItem) -> bool:
    return item.origin is ItemOrigin.MACHINE and not item.answerable


@question_rule("proof.refusal", Severity.WARNING, _ASSAY, _made_refusal, beside_others=True)
def refusal(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A machine-made refusal has near-miss decoys in the history and an answerable twin."""
    if not item.decoys:
        fix = "name the rounds that nearly answer it"
        yield problem(item.id, ("decoys",), "near misses in the history", "none", fix)
    twins = {other.id: other for other in bundle.questions}
    twin = twins.get(item.twin_of or "")
    if twin is None or not twin.answerable:
        fix = "name an answerable question of the same wording"
        yield problem(item.id, ("twin_of",), "an answerable twin", item.twin_of or "none", fix)
