"""Which failures may pass by themselves: only after these is anything tried again."""

import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from prefect import State, get_run_logger

from memassay.schemas.errors import MemassayError

PAUSES: Final = (60, 300, 900)
"""Seconds before further tries. The calls themselves wait for minutes; these are for more."""
_T = TypeVar("_T")


def may_pass(_task: Any, _run: Any, state: State[Any]) -> bool:
    """Whether a task that failed may succeed later with the same input."""
    error = state.result(raise_on_failure=False)
    return isinstance(error, MemassayError) and error.may_pass


def try_again(run: Callable[[], _T]) -> _T:
    """What a run gives, begun again after a failure that may pass; what was finished is kept.

    Prefect would try a flow again after every failure, a misspelt name among them.
    """
    for pause in PAUSES:
        try:
            return run()
        except MemassayError as error:
            if not error.may_pass:
                raise
            get_run_logger().warning("%s; tried again in %d s", error, pause)
        time.sleep(pause)
    return run()
