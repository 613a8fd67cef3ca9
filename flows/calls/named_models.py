"""Models that a file names beside any recipe: one `author`, and what it may cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final, TypeVar

from pydantic import ValidationError

from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.call_log import CallLog
from memassay.flows.calls.payments import BILLIONTHS, Payments, Price, load_prices
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.author_sections import NamedSection, models_by_role
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.errors import SourceError, UsageError
from memassay.schemas.files import MIB, FileKind
from memassay.schemas.section_errors import explain
from memassay.schemas.yaml_text import read_yaml

Section = TypeVar("Section", bound=NamedSection)

_FILE: Final = FileKind("a YAML file that names a model", MIB)
_NAMED: Final = "expected `provider` and `model` as in the `author` of a recipe"


def read_section(path: Path, option: str, section: type[Section]) -> Section:
    """Read a file that names a model.

    Args:
        path: The file.
        option: Which option names it, for messages.
        section: What it holds.

    Raises:
        UsageError: It cannot be read, or does not name a model.
    """
    try:
        document = read_yaml(path, _FILE)
    except SourceError as error:
        raise UsageError(f"{option} {error}") from error
    if not isinstance(document, dict):
        got = type(document).__name__ if document is not None else "nothing"
        raise UsageError(f"{option} {path}: {_NAMED}, got {got}")
    try:
        return section.model_validate(document)
    except ValidationError as error:
        wrong = "; ".join(explain(error, section))
        more = "" if {"provider", "model"} <= document.keys() else f"; {_NAMED}"
        raise UsageError(f"{option} {path}: {wrong}{more}") from None


@dataclass(frozen=True)
class NamedModel:
    """A model, and the file that names it.

    Attributes:
        path: The file.
        option: Which option names the file, for messages.
        section: What it holds.
    """

    path: Path
    option: str
    section: NamedSection

    @contextmanager
    def open(
        self, workspace: Workspace, blobs: BlobStore, *, retry_failed: bool = False
    ) -> Iterator[AuthorPool]:
        """The model, with the replies and costs of a workspace.

        Args:
            workspace: Where replies are kept.
            blobs: The bytes of the images that it is shown.
            retry_failed: Whether it is asked again where stored replies cannot be used.

        Raises:
            UsageError: Its key is not there, or it has a budget and no price.
        """
        prices = self.prices()
        log = CallLog(workspace.engine)
        try:
            payments = Payments(log, prices, self._cap(prices))
            models = models_by_role(self.section)
            pool = AuthorPool(models, payments, blobs, self.path.parent, retry_failed=retry_failed)
            try:
                yield pool
            finally:
                pool.close()
        finally:
            log.close()

    def prices(self) -> dict[str, Price]:
        """Prices by model: the usual ones, and those of a table that the file names."""
        return load_prices(self.path.parent, self.section.prices)

    def _cap(self, prices: dict[str, Price]) -> int | None:
        budget = self.section.budget
        if budget is None:
            return None
        if self.section.model not in prices:
            name = self.section.model
            raise UsageError(f"{self.option} {self.path}: budget: expected a price for {name}")
        return int(Decimal(str(budget)) * BILLIONTHS)
