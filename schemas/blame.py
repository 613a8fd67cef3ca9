"""Errors in code that a path or another package gave: which part it is, and who can mend it."""

import inspect
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import packages_distributions

from pydantic import ValidationError

from memassay.schemas.errors import CodeError, MemassayError, RecordError
from memassay.schemas.section_errors import explain

_OURS = "memassay"


@contextmanager
def blaming(part: str, code: object) -> Iterator[None]:
    """Name a part of the program in whatever its code raises.

    What says by itself what to do passes: our own errors, and those of the system (a full disk).

    Args:
        part: Which part runs, e.g. `rule harvest.unit on Mina/Q1`.
        code: Its function, or the object whose methods run.

    Raises:
        RecordError: It made a record of a wrong shape.
        CodeError: It raised anything else.
    """
    try:
        yield
    except (MemassayError, OSError, MemoryError):
        # An inner part has said what it was, or the message needs nothing more.
        raise
    except ValidationError as error:
        raise RecordError(f"{part}: {_first_breach(error)}; {advice(code)}") from error
    except Exception as error:
        place = _place(error, code)
        said = f"{type(error).__name__}: {error}"
        raise CodeError(f"{part} raised {said}{place}; {advice(code)}") from error


def advice(code: object) -> str:
    """Who can mend a part: the package of its code, or we."""
    module = _module(code)
    if module.partition(".")[0] == _OURS:
        return f"run again with --debug and report it ({module})"
    packages = packages_distributions().get(module.partition(".")[0], [])
    whose = f"package {packages[0]}" if packages else "the package"
    return f"mend {whose} (module {module}); --debug shows the traceback"


def _module(code: object) -> str:
    """The module of a function as it was written, or of the class of an object."""
    named = inspect.unwrap(code) if callable(code) else type(code)
    return str(getattr(named, "__module__", None) or type(named).__module__)


def _place(error: Exception, code: object) -> str:
    """The line of the package's code that the error came through last."""
    top = _module(code).partition(".")[0]
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        name = str(frame.f_globals.get("__name__", ""))
        if name.partition(".")[0] == top:
            return f" in {name}, line {line}"
    return ""


def _first_breach(error: ValidationError) -> str:
    """`<record id>.<field>: expected X, got Y`; the name of the shape where no id is known."""
    first = error.errors()[0]
    given = first["input"]
    known = isinstance(given, dict) and isinstance(given.get("id"), str) and len(first["loc"]) <= 1
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    return f"{given['id'] if known else error.title}.{explain(error)[0]}{more}"
