"""One execution of a query: what every operator needs of the others, at one asking time."""

from abc import ABC, abstractmethod

from memassay.schemas.errors import NoResultError, NotVisibleError
from memassay.schemas.queries.grammar.expressions import Facts, Scalars
from memassay.schemas.queries.grammar.truth import Truth
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.operators.flow import FactList, Values
from memassay.schemas.queries.scalars.scalar import Scalar, the_one
from memassay.schemas.queries.states import States
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import Fact


class Evaluation(ABC):
    """Evaluates the expressions inside an operator, over one ledger and by one moment.

    Attributes:
        ledger: The facts and mentions of one conversation.
        moment: What has been stated at asking time.
        states: Tells what held.
        early: A point before which none of the facts that fit was told, or had begun.
        hidden: By id, facts that fit a selection and cannot be seen at asking time.
    """

    def __init__(self, ledger: Ledger, moment: Moment) -> None:
        """Nothing is hidden yet."""
        self.ledger, self.moment = ledger, moment
        self.states = States(ledger)
        self.hidden: dict[str, Fact] = {}
        self.early: str | None = None

    @abstractmethod
    def facts(self, expression: Facts) -> FactList:
        """The facts of an expression; there may be none.

        Raises:
            QueryError: An operator has no result, two results, or values of the wrong type.
        """

    @abstractmethod
    def values(self, expression: Facts | Scalars | Truth) -> Values:
        """The values of an expression; facts mean theirs.

        Raises:
            QueryError: An operator has no result, two results, or values of the wrong type.
        """

    def some(self, expression: Facts, where: str) -> FactList:
        """The facts of an expression, at least one.

        Raises:
            NoResultError: There are none.
            NotVisibleError: There are some, but nobody can have seen them by asking time.
        """
        found = self.facts(expression)
        if found.facts:
            return found
        raise self.nothing(where)

    def one(self, expression: Scalars, where: str) -> tuple[Scalar, Values]:
        """The one value of a scalar expression, with what it rests on.

        Raises:
            AmbiguousError: It gives several.
        """
        found = self.values(expression)
        return the_one(found.scalars, where), found

    def nothing(self, where: str) -> NoResultError:
        """The error for an operator that finds no facts."""
        if self.hidden:
            names = ", ".join(sorted(self.hidden)[:5])
            return NotVisibleError(
                f"{where}: expected facts that can be seen at asking time, got {names}; ask later, "
                "or mention them earlier"
            )
        if self.early is not None:
            return NoResultError(
                f"{where}: expected facts that held at {self.early}, got none: all that fit were "
                "told or began later; choose a later point"
            )
        return NoResultError(f"{where}: expected facts, got none; check the filters")
