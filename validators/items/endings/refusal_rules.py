"""Rules on refusals: items whose right answer is that the history does not give one."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.benchmarks.registry import published_benchmark
from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.errors import QueryError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.unknown_words import unknown_words
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Turn
from memassay.schemas.records.question import AnswerFormat, ItemOrigin, QAItem
from memassay.validators.places import evidence_places, evidence_turns, has_own_ledger
from memassay.validators.registry import problem, question_rule
from memassay.validators.wording import key_words, only_refuses, refuses, says, sentences, yes_or_no

_FEWEST_WORDS: Final = 3
_PROVING: Final = ("subject", "attribute")
"""What a query has to name as the ledger does; a value may be the one that is absent."""


def is_refusal(item: QAItem) -> bool:
    """Whether the history does not answer an item."""
    return not item.answerable


@question_rule("refusals.format", Severity.ERROR, "memassay records, answerable and format")
def refusal_format(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """An answer has the format refusal exactly if the item is not answerable."""
    if (item.answer.format is AnswerFormat.REFUSAL) == item.answerable:
        yield problem(
            item.id,
            ("answer", "format"),
            "another format than refusal" if item.answerable else "refusal",
            item.answer.format,
            "correct the format, or whether the item is answerable",
        )


@question_rule(
    "refusals.gold", Severity.WARNING, "LoCoMo data, category 5 with answers", applies=is_refusal
)
def gold(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The gold of an item without an answer says that there is none."""
    if published_benchmark(bundle.conversation.collection).explains_refusals:
        return
    for at, value in enumerate(item.answer.values):
        if not refuses(value):
            yield problem(
                item.id,
                ("answer", "values", at),
                "a refusal such as 'Not mentioned.'",
                value,
                "write the refusal, or mark the item as answerable",
            )


@question_rule(
    "refusals.answered",
    Severity.WARNING,
    "Mem-Gallery 3.3, answer refusal",
    applies=lambda item: is_refusal(item) and not item.answer.traps,
)
def check_answered(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No sentence of the history speaks of all that an item without an answer asks for."""
    asked, named = key_words(item.question.text) - _names(bundle), _speakers_in(bundle, item)
    if not asked or len(asked) + bool(named) < _FEWEST_WORDS:
        return
    for turn in bundle.conversation.turns():
        # The whole turn first: most turns are ruled out without looking at their sentences.
        if (named and turn.speaker not in named) or not asked <= key_words(turn.text):
            continue
        told = [part for part in sentences(turn.text) if not part.endswith("?")]
        if any(asked <= key_words(part) for part in told):
            yield problem(
                item.id,
                ("answer", "values"),
                "a history that does not say it",
                f"{turn.id} speaks of {', '.join(sorted(asked))}",
                "read the turn; if it answers, correct the gold and cite it",
            )
            return


def _names(bundle: Bundle) -> frozenset[str]:
    return key_words(" ".join(speaker.name for speaker in bundle.conversation.speakers))


def _words_of_session(bundle: Bundle, turn: Turn) -> frozenset[str]:
    """Content words of the session of a turn; a refusal asks for something that is not there."""
    session = bundle.session_by_id[turn.id.partition(":")[0]]
    return frozenset().union(
        *(key_words(each.text) for round_ in session.rounds for each in round_.turns)
    )


def _speakers_in(bundle: Bundle, item: QAItem) -> set[str]:
    """Ids of the speakers that a question names."""
    asked = key_words(item.question.text)
    return {each.id for each in bundle.conversation.speakers if key_words(each.name) & asked}


def claims_nothing(item: QAItem) -> bool:
    """Whether an item claims, in whatever form, that the history does not answer it."""
    format_, values = item.answer.format, item.answer.values
    if format_ is AnswerFormat.CHOICE:
        values = [option.text for option in item.answer.options if option.label in values]
    worded = format_ in {AnswerFormat.FREE, AnswerFormat.CHOICE}
    says_so = worded and any(map(only_refuses, values))
    return not item.answerable or format_ is AnswerFormat.REFUSAL or says_so


@question_rule(
    "refusals.unproven",
    Severity.WARNING,
    "memassay queries, `absent`",
    applies=claims_nothing,
)
def unproven(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """Beside a ledger, a query over the ledger's own words proves that nothing answers an item.

    A query for a subject or an attribute that no fact has finds nothing, whatever is told.
    """
    if not bundle.facts or (item.query is None and not has_own_ledger(bundle)):
        return
    try:
        ledger = context.once(Ledger, bundle)
        query = parse_query(item.query) if item.query else None
    except QueryError:  # `proof.executes` and the rules on ledgers say why
        return
    unknown = unknown_words(query, ledger, _PROVING) if query else []
    if query is None or unknown:
        got = "; ".join(unknown) or "none"
        fix = "state the query, or read whether the history answers it or did before it changed"
        yield problem(item.id, ("query",), "a query in the words of the ledger", got, fix)


@question_rule(
    "refusals.trap_said",
    Severity.INFO,
    "LoCoMo data, category 5: the adversarial answer belongs to the other speaker",
    applies=lambda item: is_refusal(item) and bool(item.answer.traps),
)
def trap_said(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A trap is not what the speaker whom the question names says in the cited turns."""
    named, asked = _speakers_in(bundle, item), key_words(item.question.text) - _names(bundle)
    own = [
        turn
        for turn in evidence_turns(bundle, item)
        if turn.speaker in named and asked <= _words_of_session(bundle, turn)
    ]
    for at, trap in enumerate(item.answer.traps):
        said = [turn.id for turn in own if says(turn.text, trap) and yes_or_no(trap) is None]
        if said and len(named) == 1:
            yield problem(
                item.id,
                ("answer", "traps", at),
                "an answer that the speaker asked about does not give",
                f"{trap} in {', '.join(said)}",
                "read the turn; if the trap is right, the item is answerable",
            )


@question_rule(
    "refusals.trap_refuses",
    Severity.ERROR,
    "LoCoMo data, category 5: traps are wrong answers",
    applies=lambda item: is_refusal(item) and bool(item.answer.traps),
)
def trap_refuses(_bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """No trap of an item without an answer is itself a refusal, which is right."""
    for at, trap in enumerate(item.answer.traps):
        if only_refuses(trap):
            yield problem(
                item.id,
                ("answer", "traps", at),
                "a wrong answer",
                trap,
                "write an answer that the question invites, or drop the trap",
            )


@question_rule(
    "refusals.grounded",
    Severity.WARNING,
    "our choice: near-miss decoys and an answerable twin",
    applies=lambda item: is_refusal(item) and item.origin is ItemOrigin.MACHINE,
    beside_others=True,
)
def check_grounds(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A machine-made refusal has a near-miss decoy and an answerable twin."""
    twins = {item.twin_of, *(other.id for other in bundle.questions if other.twin_of == item.id)}
    answerable = any(other.id in twins and other.answerable for other in bundle.questions)
    if not item.decoys:
        fix = "list the places that nearly answer it"
        yield problem(
            item.id, ("decoys",), "near-miss places", evidence_places(item) or "none", fix
        )
    if not answerable:
        fix = "make an answerable item of the same form, and name it"
        yield problem(item.id, ("twin_of",), "an answerable twin", item.twin_of or "none", fix)
