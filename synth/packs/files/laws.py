"""Laws of packs: arithmetic over facts, computed exactly."""

import ast
import operator
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_EVEN, Decimal
from functools import lru_cache
from typing import Final

from memassay.schemas.errors import UsageError

_BINARY: Final[dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _round(number: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    return number.quantize(Decimal(1).scaleb(-int(places)), ROUND_HALF_EVEN)


_CALLS: Final[dict[str, Callable[..., Decimal]]] = {"round": _round, "min": min, "max": max}


def names_of_law(law: str) -> list[str]:
    """The names that a law computes with, in order.

    Raises:
        UsageError: It is no arithmetic.
    """
    nodes = ast.walk(_parse_law(law))
    names = [node.id for node in nodes if isinstance(node, ast.Name)]
    return [name for name in dict.fromkeys(names) if name not in _CALLS]


def evaluate_law(law: str, values: Mapping[str, Decimal]) -> Decimal:
    """The number that a law gives.

    Args:
        law: Numbers and names with `+ - * /`, `round`, `min`, `max`.
        values: By name.

    Raises:
        UsageError: It is no arithmetic, names something else, or divides by zero.
    """
    try:
        return _evaluate(_parse_law(law).body, values)
    except (ArithmeticError, KeyError, TypeError) as error:
        raise UsageError(f"law: expected arithmetic over known facts, got {law!r}") from error


@lru_cache(maxsize=1 << 10)
def _parse_law(law: str) -> ast.Expression:
    try:
        return ast.parse(law, mode="eval")
    except SyntaxError as error:
        raise UsageError(f"law: expected arithmetic, got {law!r}") from error


def _evaluate(node: ast.expr, values: Mapping[str, Decimal]) -> Decimal:
    match node:
        case ast.Constant(value=int() | float() as number):
            return Decimal(str(number))
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_evaluate(left, values), _evaluate(right, values))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, values)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _CALLS:
            return _CALLS[name](*(_evaluate(each, values) for each in args))
    raise UsageError(
        f"law: expected numbers and facts with + - * / round min max, got {ast.unparse(node)!r}"
    )
