"""The operator `get`: one field of each fact."""

from typing import Final

from memassay.schemas.errors import AmbiguousError, NoResultError
from memassay.schemas.queries.grammar.expressions import Get
from memassay.schemas.queries.grammar.words import FactField
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList, Values
from memassay.schemas.queries.operators.refusals import refuse_contradiction, refuse_superseded
from memassay.schemas.queries.scalars.dates import stretch_of
from memassay.schemas.queries.scalars.scalar import Scalar, distinct, value_of
from memassay.schemas.records.ledger import Fact, MentionForm, ValueType
from memassay.schemas.values.civil_time import Precision


def get(query: Get, run: Evaluation) -> Values:
    """One field of each fact, each value once in natural order; in a sequence, one a fact."""
    return read(run.some(query.of, f"get {query.field}"), query.field, run)


def read(found: FactList, field: FactField, run: Evaluation) -> Values:
    """One field of facts that were found."""
    # A sequence tells states apart by their order; elsewhere two states are a contradiction.
    if field is FactField.VALUE and not found.in_sequence:
        refuse_superseded(found, run, "get value")
        refuse_contradiction(found, run, "get value")
    scalars = [scalar for fact in found.facts for scalar in field_of(field, fact, run)]
    if not found.in_sequence:
        scalars = distinct(scalars)
    return Values(scalars, found.why, found.context, found.in_sequence)


def field_of(field: FactField, fact: Fact, run: Evaluation) -> list[Scalar]:
    """The values of one field of a fact, in order of place; only attachments can be several.

    Raises:
        NoResultError: The fact has none.
    """
    if field is FactField.VALUE:
        return [value_of(fact)]
    if field is FactField.SUBJECT:
        return [Scalar(fact.subject, ValueType.ENTITY)]
    if field is FactField.ATTRIBUTE:
        return [Scalar(fact.attribute, ValueType.TEXT)]
    texts = {
        FactField.DATE: _date,
        FactField.SESSION: _session,
        FactField.SPEAKER: _speaker,
        FactField.ATTACHMENT: _attachments,
        FactField.ORDINAL: _ordinals,
    }[field](fact, run)
    if not texts:
        raise NoResultError(
            f"{fact.id}: expected a fact with {_A[field]}, got none; leave it out, or add it"
        )
    return [Scalar(text, _TYPES.get(field, ValueType.ENTITY)) for text in texts]


def period_of(size: Precision, fact: Fact, run: Evaluation) -> list[Scalar]:
    """The day or month in which the date of a fact lies.

    Raises:
        NoResultError: The fact has no date.
        AmbiguousError: Its date is coarser.
    """
    (date,) = field_of(FactField.DATE, fact, run)
    stretch_of(date.text)
    length = _LENGTHS[size]
    if len(date.text) < length:
        raise AmbiguousError(
            f"{fact.id}: expected a date that names its {size}, got {date.text}; state it more "
            "precisely"
        )
    return [Scalar(date.text[:length], ValueType.DATE)]


def _date(fact: Fact, run: Evaluation) -> list[str]:
    date = run.ledger.date(fact, run.moment)
    return [date] if date is not None else []


def _session(fact: Fact, run: Evaluation) -> list[str]:
    """The session a fact was first stated in."""
    session = run.ledger.told_in(fact, run.moment)
    return [session] if session is not None else []


def _speaker(fact: Fact, run: Evaluation) -> list[str]:
    """Who holds a fact, or who first stated it."""
    seen = run.ledger.mentions_by(fact, run.moment)
    speaker = fact.speaker or (seen[0].speaker if seen else None)
    return [speaker] if speaker is not None else []


def _attachments(fact: Fact, run: Evaluation) -> list[str]:
    return [
        mention.attachment
        for mention in run.ledger.mentions_by(fact, run.moment)
        if mention.attachment is not None and mention.form is MentionForm.FULL
    ]


def _ordinals(fact: Fact, run: Evaluation) -> list[str]:
    """Positions, among all images of the conversation, of those that show a fact."""
    shown = dict.fromkeys(_attachments(fact, run))
    return [str(run.ledger.ordinals[name]) for name in shown if name in run.ledger.ordinals]


_LENGTHS: Final = {Precision.MONTH: 7, Precision.DAY: 10}
"""Letters of a `When` that name these."""
_TYPES: Final = {FactField.DATE: ValueType.DATE, FactField.ORDINAL: ValueType.NUMBER}
_A: Final = {
    FactField.DATE: "a date",
    FactField.SESSION: "a session",
    FactField.SPEAKER: "a speaker",
    FactField.ATTACHMENT: "an attachment",
    FactField.ORDINAL: "an image of the conversation",
}
