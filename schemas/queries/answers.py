"""From an execution to an answer, and from an item to the proof that its gold is what it gives."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from memassay.schemas.errors import GoldError, MalformedQueryError, QueryError, QueryTypeError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution, execute
from memassay.schemas.queries.grammar.truth import Absent
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.scalars.scalar import Scalar, literal
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import ValueType
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.values.text import normalise, same

REFUSAL: Final = "Not mentioned."
"""What an item without an answer is answered with; foreign formats have wordings of their own."""

_TRUTHS: Final = {"yes": True, "true": True, "no": False, "false": False}


def answer_values(execution: Execution, answer_format: AnswerFormat) -> list[str]:
    """What an execution gave, in the form of an answer: units kept, truth as `Yes.` or `No.`.

    Raises:
        QueryTypeError: The format needs values of another type.
    """
    needed = _NEEDED.get(answer_format)
    if needed is not None and execution.value_type is not needed:
        raise QueryTypeError(
            f"query: expected values of type {needed} for an answer of format {answer_format}, got "
            f"{execution.value_type}"
        )
    if answer_format is AnswerFormat.REFUSAL:
        if execution.values != ["true"]:
            raise QueryTypeError("query: expected nothing for a refusal, got facts that answer it")
        return [REFUSAL]
    if answer_format is AnswerFormat.CHOICE and not execution.options:
        raise QueryTypeError("query: expected `choose` for an answer of format choice, got values")
    if answer_format is AnswerFormat.IMAGE_ID:
        _refuse_other_than_attachments(execution.values)
    if execution.value_type is ValueType.BOOLEAN:
        return ["Yes." if value == "true" else "No." for value in execution.values]
    return [Scalar(value, execution.value_type, execution.unit).said for value in execution.values]


_NEEDED: Final = {
    AnswerFormat.YES_NO: ValueType.BOOLEAN,
    AnswerFormat.REFUSAL: ValueType.BOOLEAN,
    AnswerFormat.DATE: ValueType.DATE,
    AnswerFormat.NUMBER: ValueType.NUMBER,
}


def _refuse_other_than_attachments(values: Sequence[str]) -> None:
    for value in values:
        place = parse_place(value)
        if place is None or place.attachment is None:
            raise QueryTypeError(f"query: expected ids of images, got {value!r}")


def check_item(item: QAItem, bundle: Bundle, ledger: Ledger | None = None) -> Execution:
    """Prove that an item's query gives its gold answer, from facts that its reader can see.

    Args:
        item: A question with a query.
        bundle: The conversation it belongs to, with its facts and mentions.
        ledger: The bundle's ledger, for callers that check many items of one bundle.

    Raises:
        MalformedQueryError: The item has no query, or one that is no expression.
        NotVisibleError: The query rests on a fact that cannot be seen when it is asked in the
            item's modalities.
        GoldError: The query gives another answer.
        QueryError: The query proves no answer, for another reason.
    """
    place = f"{item.id}.query"
    if item.query is None:
        raise MalformedQueryError(f"{place}: expected a query, got none; a person must decide")
    query = parse_query(item.query, place)
    ledger = ledger if ledger is not None else Ledger(bundle)
    try:
        execution = execute(query, ledger, item.asked_at, item.answer.relation)
        values = answer_values(execution, item.answer.format)
        evidence_of(execution, ledger, item.asked_at, item.modalities)
    except QueryError as error:
        raise type(error)(f"{place}: {error}") from error
    if isinstance(query, Absent) != (item.answer.format is AnswerFormat.REFUSAL):
        raise GoldError(
            f"{item.id}.answer.format: expected refusal for `absent` and only for it, got "
            f"{item.answer.format}; change the query or the format"
        )
    unknown = set(execution.options) - {option.label for option in item.answer.options}
    if unknown:
        raise GoldError(
            f"{place}.options: expected labels of the item's options, got "
            f"{', '.join(sorted(unknown))}; use the same labels"
        )
    if not _is_gold(item, execution, values):
        raise GoldError(
            f"{item.id}.answer.values: expected {_list_of(values)}, which the query gives, got "
            f"{_list_of(item.answer.values)}; correct the answer or the query"
        )
    return execution


def _list_of(values: Sequence[str]) -> str:
    return ", ".join(map(repr, values)) or "nothing"


def _is_gold(item: QAItem, execution: Execution, values: list[str]) -> bool:
    answer = item.answer
    if answer.format is AnswerFormat.REFUSAL:
        return True
    if answer.relation is AnswerRelation.ONE:
        # Every wording listed as equivalent is as right as the first.
        golds = [*answer.values[:1], *answer.equivalents]
        return any(_alike(values[0], gold, execution) for gold in golds)
    if len(values) != len(answer.values):
        return False
    if answer.relation is AnswerRelation.ORDERED:
        pairs = zip(values, answer.values, strict=True)
        return all(_alike(value, gold, execution) for value, gold in pairs)
    left = list(values)
    for gold in answer.values:
        found = next((value for value in left if _alike(value, gold, execution)), None)
        if found is None:
            return False
        left.remove(found)
    return True


def _alike(value: str, gold: str, execution: Execution) -> bool:
    """Whether a value and a gold say the same: `26.4 EUR` and `26.40 EUR`, `Yes.` and `True`."""
    if execution.value_type is ValueType.BOOLEAN:
        said, wanted = (_TRUTHS.get(normalise(text).rstrip(".")) for text in (value, gold))
        return said is not None and said == wanted
    if execution.value_type is ValueType.NUMBER:
        try:
            wanted_number = literal(gold, Scalar("0", ValueType.NUMBER), "gold")
        except QueryTypeError:
            return False
        got = literal(value, Scalar("0", ValueType.NUMBER), "gold")
        return Decimal(got.text) == Decimal(wanted_number.text) and same(
            got.unit or "", wanted_number.unit or ""
        )
    return value == gold or same(value, gold)
