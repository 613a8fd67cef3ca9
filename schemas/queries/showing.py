"""What a query gives, so that people can follow it: values, facts with operators, rounds."""

from collections.abc import Collection
from typing import Final

from memassay.schemas.base import Modality, Shape
from memassay.schemas.errors import NoResultError, QueryError
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.evidence import decoy_places, evidence_of
from memassay.schemas.queries.executor import Execution, execute, passed_on
from memassay.schemas.queries.grammar.query import Query, parts
from memassay.schemas.queries.grammar.truth import Absent, Choose
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.operators.flow import FactList
from memassay.schemas.queries.scalars.scalar import Scalar
from memassay.schemas.queries.unknown_words import unknown_words
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, AskedAt, Evidence


class ShownFact(Shape):
    """A fact in one line: its id, `subject · attribute = value`, and what brought it in.

    `operators` are `select`, or `select of.a`: an operator with its path in the query.
    """

    id: str
    text: str
    operators: list[str] = []


class ShownRound(Shape):
    """A round as its readers see it: a line for each turn and each attachment."""

    id: str
    date: str | None
    lines: list[str]


class Step(Shape):
    """What one expression inside a query passes on, executed alone: facts, values or an error."""

    path: str
    operator: str
    facts: list[ShownFact] = []
    values: list[str] = []
    error: str | None = None


class ShownAnswer(Shape):
    """What a query gives, and why.

    Attributes:
        values: The values as an answer states them: with unit, truth as `Yes.` or `No.`.
        answer_format: The form of answer that fits them.
        value_type: Type of the values.
        unit: Unit of numbers.
        groups: Places of the evidence; of each group one is needed.
        canonical: The earliest place of each group.
        facts: Ids of the facts of the evidence.
        modalities: What a reader of the canonical places must look at.
        rounds: The rounds of all these places, by place.
        why: The facts that the values rest on.
        passed_over: Facts that no longer hold, and support nothing.
        near_misses: For an absence, what is nearly there.
        decoys: For an absence, the rounds of the near misses.
    """

    values: list[str]
    answer_format: AnswerFormat
    value_type: ValueType
    unit: str | None
    groups: list[list[str]]
    canonical: list[str]
    facts: list[str]
    modalities: list[Modality]
    rounds: list[ShownRound]
    why: list[ShownFact]
    passed_over: list[ShownFact]
    near_misses: list[ShownFact]
    decoys: list[str]


def show_answer(
    query: Query,
    bundle: Bundle,
    ledger: Ledger,
    asked_at: AskedAt,
    relation: AnswerRelation = AnswerRelation.ONE,
    modalities: Collection[Modality] = (),
) -> ShownAnswer:
    """Execute a query, and show what it gives and why.

    Raises:
        QueryError: As `execute` and `evidence_of` do. Where nothing is found, it names words of
            the query that no fact has.
    """
    try:
        execution = execute(query, ledger, asked_at, relation)
    except NoResultError as error:
        unknown = unknown_words(query, ledger)
        if not unknown or type(error) is not NoResultError:
            raise
        raise NoResultError("; ".join((str(error), *unknown))) from error
    evidence = evidence_of(execution, ledger, asked_at, modalities)
    operators = _operators(query, ledger, asked_at)
    places = list(dict.fromkeys(place for group in evidence.groups for place in group))
    why = sorted(execution.why, key=ledger.rank.__getitem__)
    form = _format(query, execution)
    return ShownAnswer(
        values=answer_values(execution, form),
        answer_format=form,
        value_type=execution.value_type,
        unit=execution.unit,
        groups=evidence.groups,
        canonical=evidence.canonical,
        facts=evidence.facts,
        modalities=_modalities(evidence, ledger),
        rounds=[each for place in places for each in shown_rounds(bundle, place)],
        why=[_show(ledger.facts[name], operators.get(name, [])) for name in why],
        passed_over=[
            _show(ledger.facts[name])
            for name in sorted(execution.context, key=ledger.rank.__getitem__)
        ],
        near_misses=[_show(ledger.facts[name]) for name in execution.decoys],
        decoys=decoy_places(execution, ledger, asked_at),
    )


def explain(query: Query, ledger: Ledger, asked_at: AskedAt) -> list[Step]:
    """What every expression inside a query passes on, the innermost first, each executed alone."""
    inside = sorted(parts(query), key=lambda part: part[0].count(".") + bool(part[0]), reverse=True)
    return [_step(path, part, ledger, asked_at) for path, part in inside]


def shown_rounds(bundle: Bundle, place: str) -> list[ShownRound]:
    """The rounds of a place with their text, as their readers see it."""
    names = {speaker.id: speaker.name for speaker in bundle.conversation.speakers}
    return [
        ShownRound(
            id=round_.id,
            date=bundle.date_by_round[round_.id],
            lines=[
                line
                for turn in round_.turns
                for line in (
                    *([f"{names.get(turn.speaker, turn.speaker)}: {turn.text}"] * bool(turn.text)),
                    *(
                        f"[{shown.id}: {shown.caption}]" if shown.caption else f"[{shown.id}]"
                        for shown in turn.attachments
                    ),
                )
            ],
        )
        for round_ in bundle.rounds_of(place)
    ]


_FORMATS: Final = {
    ValueType.NUMBER: AnswerFormat.NUMBER,
    ValueType.DATE: AnswerFormat.DATE,
    ValueType.BOOLEAN: AnswerFormat.YES_NO,
}


def _format(query: Query, execution: Execution) -> AnswerFormat:
    if isinstance(query, Absent) and execution.values == ["true"]:
        return AnswerFormat.REFUSAL
    if execution.options:
        return AnswerFormat.CHOICE
    places = [parse_place(value) for value in execution.values]
    if all(place is not None and place.attachment for place in places):
        return AnswerFormat.IMAGE_ID
    return _FORMATS.get(execution.value_type, AnswerFormat.FREE)


def _modalities(evidence: Evidence, ledger: Ledger) -> list[Modality]:
    """What shows the facts of an evidence at its canonical places; where words do, words."""
    found: set[Modality] = set()
    for name in evidence.facts:
        shown = {
            mention.modality
            for mention in ledger.mentions.get(name, ())
            if mention.round in evidence.canonical
        }
        found |= {Modality.TEXT} if Modality.TEXT in shown else shown
    if evidence.canonical and not found:
        return [Modality.TEXT]
    return [modality for modality in Modality if modality in found]


def _show(fact: Fact, operators: Collection[str] = ()) -> ShownFact:
    value = Scalar(fact.value.text, fact.value.type, fact.value.unit)
    text = f"{fact.subject} · {fact.attribute} = {value.said}"
    return ShownFact(id=fact.id, text=text, operators=list(operators))


def _step(path: str, part: Query, ledger: Ledger, asked_at: AskedAt) -> Step:
    try:
        if isinstance(part, Choose):
            return Step(path=path, operator=part.op, values=execute(part, ledger, asked_at).values)
        found = passed_on(part, ledger, asked_at)
    except QueryError as error:
        return Step(path=path, operator=part.op, error=f"{type(error).__name__}: {error}")
    if isinstance(found, FactList):
        return Step(path=path, operator=part.op, facts=[_show(fact) for fact in found.facts])
    return Step(path=path, operator=part.op, values=[scalar.said for scalar in found.scalars])


def _operators(query: Query, ledger: Ledger, asked_at: AskedAt) -> dict[str, list[str]]:
    """By fact, the innermost operators that rest on it, with their paths."""
    resting: list[tuple[str, str, frozenset[str]]] = []
    for path, part in parts(query):
        try:
            resting.append((path, part.op, passed_on(part, ledger, asked_at).why))
        except QueryError:
            # Alone it has no result, and around it nothing rests on it alone.
            continue
    found: dict[str, list[str]] = {}
    for path, operator, why in resting:
        inside = f"{path}." if path else ""
        inner = frozenset[str]().union(
            *(each for other, _, each in resting if other != path and other.startswith(inside))
        )
        for name in why - inner:
            found.setdefault(name, []).append(f"{operator} {path}".strip())
    return found
