"""Rules on the shape of records: what crosses a boundary fits its JSON Schema."""

from collections.abc import Iterator

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.json_schemas import schema_errors
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.validators.registry import RULES


@RULES.conversation("schema.fits", Severity.ERROR, "memassay records, schemas/json")
def fits(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every record, written as JSON, fits the committed JSON Schema of its kind."""
    for record in bundle.records():
        document = record.model_dump(mode="json", by_alias=True, warnings=False)
        kind = kind_of(record)
        for place, message in schema_errors(kind, document):
            where = record.id + place.replace("/", ".")
            yield (
                record.id,
                place,
                f"{where}: expected a {kind} that fits its schema, got '{message}'",
                "write the field as the schema describes it",
            )
