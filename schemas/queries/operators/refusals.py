"""Facts that cannot be summed, counted or listed: of several states, or against each other."""

from memassay.schemas.errors import AmbiguousError
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import FactList
from memassay.schemas.queries.scalars.scalar import value_of
from memassay.schemas.records.ledger import Fact


def refuse_superseded(found: FactList, run: Evaluation, where: str) -> None:
    """Refuse several facts of which one no longer held at asking time.

    Raises:
        AmbiguousError: One was replaced, deleted or over: is what is asked for, or all there was?
    """
    open_ones = [fact for fact in found.facts if fact.id not in found.settled]
    for fact in open_ones if len(found.facts) > 1 else ():
        ending = run.states.ending_of(fact, run.moment)
        if ending is not None:
            raise AmbiguousError(
                f"{where}: expected facts of one state, got {ending.told}; put as_of around the "
                "selection"
            )


def refuse_contradiction(found: FactList, run: Evaluation, where: str) -> None:
    """Refuse facts that give one subject two values of an attribute without an order.

    Raises:
        AmbiguousError: There are such facts.
    """
    said: dict[tuple[str | None, str | None], Fact] = {}
    for fact in found.facts:
        if fact.order is not None:
            continue
        key = (run.ledger.side(fact, "subject"), run.ledger.side(fact, "attribute"))
        other = said.setdefault(key, fact)
        if value_of(other).key != value_of(fact).key:
            raise AmbiguousError(
                f"{where}: expected one {fact.attribute} of {fact.subject}, got "
                f"{value_of(other).said!r} ({other.id}) and {value_of(fact).said!r} "
                f"({fact.id}); use as_of or pick, or give the facts of a list an order"
            )
