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
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.schemas.values.text import holds
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import key_words, sentences

_ASSAY: Final = "memassay design, the assay"
_OPEN_FORMATS: Final = frozenset({AnswerFormat.FREE, AnswerFormat.DATE, AnswerFormat.NUMBER})
_MEND: Final = "correct the answer, the query or the ledger"
_ALIKE: Final = 0.8
"""Share of a question's key words from which on a sentence is about it (our choice)."""


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

    @property
    def spoken(self) -> "_Spoken":
        """The turns of the history by their words."""
        return self.context.once(_Spoken, self.bundle.history)


def _proofs(_bundle: Bundle) -> dict[int, Execution | QueryError | RecordError]:
    """By identity of its items, of what `check_item` gave."""
    return {}


class _Spoken:
    """The turns of a history by the key words of their sentences."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a history."""
        self._turns: list[tuple[str, str, frozenset[str]]] = []
        self._by_word: dict[str, list[int]] = {}
        for round_ in bundle.conversation.rounds():
            for turn in round_.turns:
                said = frozenset[str]().union(*map(key_words, sentences(turn.text)))
                for word in said:
                    self._by_word.setdefault(word, []).append(len(self._turns))
                self._turns.append((round_.id, turn.text, said))

    def near(self, asked: frozenset[str]) -> Iterator[tuple[str, str]]:
        """Round and text of the turns that hold nearly all key words of a question, in order."""
        least = next((n for n in range(len(asked) + 1) if _is_near(n, asked)), len(asked) + 1)
        # Whoever holds so many of the words holds one of the rarest, of which there are few.
        rarest = sorted((self._by_word.get(word, []) for word in asked), key=len)
        for at in sorted({at for turns in rarest[: len(asked) + 1 - least] for at in turns}):
            round_, text, said = self._turns[at]
            if _is_near(len(asked & said), asked):
                yield round_, text


def _is_near(shared: int, asked: frozenset[str]) -> bool:
    return shared / max(len(asked), 1) >= _ALIKE


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


@_proof_rule("proof.rival", Severity.ERROR)
def rival(asked: _Asked) -> Iterator[Problem]:
    """Outside the evidence, no sentence speaks of what is asked and says the gold as well."""
    item = asked.item
    if item.answer.format not in _OPEN_FORMATS or isinstance(asked.proof, Exception):
        return
    cited = {place for group in item.evidence.groups for place in group}
    about = key_words(item.question.text)
    golds = [item.answer.values[0], *item.answer.equivalents] if item.answer.values else []
    answering = (
        round_
        for round_, text in asked.spoken.near(about)
        if round_ not in cited and any(_answers(one, about, golds) for one in sentences(text))
    )
    for round_ in dict.fromkeys(answering):
        fix = "cite the round too, or ask more narrowly"
        yield problem(item.id, ("evidence", "groups"), "all that answers", round_, fix)


def _answers(sentence: str, asked: frozenset[str], golds: list[str]) -> bool:
    """Whether a sentence holds a gold and nearly all key words of the question."""
    return _is_near(len(asked & key_words(sentence)), asked) and any(
        holds(sentence, gold) for gold in golds
    )


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
