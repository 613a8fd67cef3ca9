"""Rules on golds that the history itself speaks against."""

from collections.abc import Iterator

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.errors import QueryError, RecordError
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.drift.contradictions import contradictions
from memassay.validators.registry import problem, question_rule


@question_rule(
    "rival.contradicted",
    Severity.WARNING,
    "memassay design, the assay: rivals with another value",
    lambda item: item.query is not None,
)
def has_rival_value(bundle: Bundle, item: QAItem, context: RuleContext) -> Iterator[Problem]:
    """No text known at asking time gives a fact that the gold rests on another value."""
    against = context.once(contradictions, bundle)
    if not against:
        return
    try:
        ledger = context.once(Ledger, bundle)
        why = check_item(item, bundle, ledger).why
    except (QueryError, RecordError):  # `proof.executes` says why
        return
    seen = ledger.moment(item.asked_at).sessions
    cited = ", ".join(item.evidence.canonical) or "no round"
    for one in against:
        if one.facts & why and one.round.partition(":")[0] in seen:
            fix = "state the change in the ledger, or mend one of the two texts"
            got = f"{one.text} ({one.round})"
            yield problem(item.id, ("answer", "values"), f"{one.expected} ({cited})", got, fix)
