"""An author of a model server, driven by the real client with cache, ledger and limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.call_log import CallLog
from memassay.flows.calls.payments import Payments, Price
from memassay.flows.calls.recordings import Recordings
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import BestOfSection, ModelSection, models_by_role
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.errors import AuthorError


class Summary(BaseModel):
    """A reply."""

    summary: str


def task(text: str, **more: Any) -> Task[Summary]:
    """A task about some text."""
    inputs = {"user_name": "Ada", "user_turn": text, "assistant_turn": "Yes.", "shown": "nothing"}
    return Task("round_summary", inputs, Summary, record=f"ada/{text}", **more)


@contextmanager
def pool(
    folder: Path,
    section: ModelSection,
    *,
    prices: dict[str, Price] | None = None,
    cap: int | None = None,
    recordings: Recordings | None = None,
    best_of: BestOfSection | None = None,
    retry_failed: bool = False,
) -> Iterator[AuthorPool]:
    """The authors of a run in a workspace; what is under way ends before it is left."""
    workspace = Workspace(folder)
    log = CallLog(workspace.engine)
    authors = AuthorPool(
        models_by_role(section),
        Payments(log, prices or {}, cap),
        workspace.blobs,
        folder,
        recordings=recordings,
        best_of=best_of,
        retry_failed=retry_failed,
    )
    try:
        yield authors
    finally:
        authors.close()
        log.close()
        workspace.close()


def write_all(authors: AuthorPool, texts: list[str]) -> list[str]:
    """By text, what was written, or the reason of its failure."""

    async def one(text: str) -> str:
        try:
            return (await authors.write(task(text), CallTrace("tests"))).summary
        except AuthorError as error:
            return f"failed: {error.reason}"

    return list(authors.each(texts, one))


def spent(folder: Path) -> int:
    """What the calls of a workspace have cost, in billionths of a dollar."""
    workspace = Workspace(folder)
    log = CallLog(workspace.engine)
    try:
        return sum(row["cost"] or 0 for row in log.bill())
    finally:
        log.close()
        workspace.close()
