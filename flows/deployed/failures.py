"""Which failures may pass by themselves: only then does Prefect try again."""

from typing import Any

from prefect import State

from memassay.schemas.errors import MemassayError


def may_pass(_task: Any, _run: Any, state: State[Any]) -> bool:
    """Whether a task that failed may succeed later with the same input."""
    error = state.result(raise_on_failure=False)
    return isinstance(error, MemassayError) and error.may_pass
