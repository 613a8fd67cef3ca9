"""The operators with two operands: `diff` and `compare`."""

from memassay.schemas.errors import QueryTypeError
from memassay.schemas.queries.grammar.expressions import Diff, Scalars
from memassay.schemas.queries.grammar.truth import Compare
from memassay.schemas.queries.operators.evaluation import Evaluation
from memassay.schemas.queries.operators.flow import Values
from memassay.schemas.queries.scalars.arithmetic import are_same, difference, order_of
from memassay.schemas.queries.scalars.scalar import Scalar, literal, the_one, truth


def diff(query: Diff, run: Evaluation) -> Values:
    """The first value minus the second; why is both sides."""
    left, right, why, context = _two(query.a, query.b, "diff", run)
    return Values([difference(left, right, query.unit, query.rounding)], why, context)


def compare(query: Compare, run: Evaluation) -> Values:
    """How two values compare; why is both sides."""
    left, right, why, context = _two(query.a, query.b, "compare", run)
    return Values([truth(_holds(left, right, query.with_))], why, context)


def _two(
    a: "str | Scalars", b: "str | Scalars", where: str, run: Evaluation
) -> tuple[Scalar, Scalar, frozenset[str], frozenset[str]]:
    """Both operands, a text read like the other one; why is that of both."""
    first = None if isinstance(a, str) else run.values(a)
    second = None if isinstance(b, str) else run.values(b)
    left = None if first is None else the_one(first.scalars, f"{where}.a")
    right = None if second is None else the_one(second.scalars, f"{where}.b")
    if left is None and right is not None:
        left = literal(str(a), right, f"{where}.a")
    if right is None and left is not None:
        right = literal(str(b), left, f"{where}.b")
    if left is None or right is None:
        raise QueryTypeError(f"{where}: expected an operator in a or b, got two texts")
    parts = [part for part in (first, second) if part is not None]
    why: frozenset[str] = frozenset().union(*(part.why for part in parts))
    context: frozenset[str] = frozenset().union(*(part.context for part in parts))
    return left, right, why, context


def _holds(left: Scalar, right: Scalar, how: str) -> bool:
    if how in {"same", "differ"}:
        return are_same(left, right, "compare") == (how == "same")
    return order_of(left, right, "compare") == (-1 if how == "less" else 1)
