"""Options of commands that can have items read by a model, and what they print of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from memassay.commands.base import PATH, WORKSPACE
from memassay.output import emit, say, table
from memassay.schemas.errors import UsageError, WaitingError
from memassay.schemas.files import FileKind, read_text

if TYPE_CHECKING:
    from memassay.flows.reading.reader import ReadingOrder, ReadingReport
    from memassay.flows.store.places.address import Place

Function = TypeVar("Function", bound=Callable[..., Any])

_ITEMS: Final = FileKind("a file of ids, one a line")
_WORKSPACE: Final = Path("workspace")


@dataclass(frozen=True)
class ReaderOptions:
    """What the command line says of a reader.

    Attributes:
        reader: The file that names the model; None if nobody reads.
        items: Ids, with commas between them.
        items_from: A file with an id on each line.
        budget: Most dollars that the workspace may cost.
        workspace: Where replies are kept.
        estimate: Whether only the cost is asked for.
        retry_failed: Whether the model is asked again where it failed.
    """

    reader: Path | None
    items: str | None
    items_from: Path | None
    budget: float | None
    workspace: "Place | None"
    estimate: bool
    retry_failed: bool

    def order(self) -> "ReadingOrder | None":
        """Who reads which items; None if nobody does.

        Raises:
            UsageError: Other options ask for a reader, and none is named, or no item is.
        """
        if self.reader is None:
            self._refuse_alone()
            return None
        if self.budget is not None and not isfinite(self.budget):
            raise UsageError(f"--budget: expected dollars such as 5, got {self.budget}")
        from memassay.flows.reading.reader import ReadingOrder
        from memassay.flows.runners.progress import progress_for_terminal

        progress = progress_for_terminal()
        return ReadingOrder(
            reader=self.reader,
            workspace=self.place,
            items=self._named_items(),
            budget=self.budget,
            retry_failed=self.retry_failed,
            begin=lambda total: progress.begin("reading", total),
            advance=progress.advance,
            end=lambda counts: progress.end("reading", counts),
        )

    @property
    def place(self) -> "Place":
        """Where replies are kept."""
        return self.workspace or _WORKSPACE

    def _refuse_alone(self) -> None:
        given = {
            "--items": self.items,
            "--items-from": self.items_from,
            "--budget": self.budget,
            "--workspace": self.workspace,
            "--estimate": self.estimate,
            "--retry-failed": self.retry_failed,
        }
        alone = [name for name, value in given.items() if value not in (None, False)]
        if alone:
            raise UsageError(f"{alone[0]}: expected --reader beside it, got none")

    def _named_items(self) -> frozenset[str] | None:
        if self.items is None and self.items_from is None:
            return None
        named = (self.items or "").split(",")
        if self.items_from is not None:
            named += read_text(self.items_from, _ITEMS).splitlines()
        found = frozenset(name.strip() for name in named) - {""}
        if not found:
            raise UsageError("--items: expected ids of items, got none")
        return found

    def print_estimate(self, path: Path, format_name: str | None, *, as_json: bool) -> int:
        """Print what it will cost to have the items of a path read."""
        from memassay.flows.services.checks import estimate_path

        order = self.order()
        assert order is not None
        report = estimate_path(path, format_name, order)
        if as_json:
            emit(report.model_dump(mode="json"))
            return 0
        heads = ("model", "calls", "input", "output", "images", "dollars")
        table("Estimate", heads, [tuple(getattr(report, head) for head in heads)])
        if report.dollars is None:
            say("the model has no price; name a table under `prices:`")
        return 0


def reader_options(function: Function) -> Function:
    """Decorator: the options of a reader, handed over together as `reading`."""

    @wraps(function)
    def gather_options(*args: Any, **given: Any) -> Any:
        names = ReaderOptions.__dataclass_fields__
        own = {name: given.pop(name) for name in names}
        return function(*args, reading=ReaderOptions(**own), **given)

    command: Any = gather_options
    for option in reversed(_OPTIONS):
        command = option(command)
    return command  # type: ignore[no-any-return]


_OPTIONS: Final = (
    click.option(
        "--reader",
        type=PATH,
        metavar="FILE",
        help="YAML file that names a model (`provider`, `model`, `base_url`, `budget`): it reads "
        "items and sessions and says what is wrong with them.",
    ),
    click.option(
        "--items", metavar="ID,ID", help="Items to be read, and no session; default: all."
    ),
    click.option("--items-from", type=PATH, metavar="FILE", help="The same, an id on each line."),
    click.option(
        "--budget",
        type=click.FloatRange(0, min_open=True),
        metavar="DOLLARS",
        help="Most that the workspace may cost, in place of the file's `budget`.",
    ),
    click.option(
        "--workspace",
        type=WORKSPACE,
        help="Where replies are kept, so that none is paid twice; default: workspace.",
    ),
    click.option("--estimate", is_flag=True, help="Show what the reader will cost; ask nobody."),
    click.option(
        "--retry-failed", is_flag=True, help="Ask again where no reply of the reader was usable."
    ),
)


def print_reading(report: "ReadingReport | None", options: ReaderOptions) -> None:
    """Print how many items and sessions were read, and how."""
    if report is None:
        return
    say(f"{report.model} read {report.items} items: {_list_counts(report.verdicts)}")
    if report.sessions:
        say(f"and {report.sessions} sessions: {_list_counts(report.verdicts_of_sessions)}")
    say(f"what it cost: `memassay cost --workspace {options.place}`, stage reading")
    if report.waiting is not None:
        say(f"not all could be read: {report.waiting}")


def _list_counts(verdicts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {name}" for name, number in verdicts.items()) or "none"


def unasked_fields(report: "ReadingReport | None") -> set[str] | None:
    """What the document of a command leaves out where nobody was asked to read."""
    return {"reading"} if report is None else None


def exit_code(has_errors: bool, report: "ReadingReport | None") -> int:
    """The exit code: errors of the data, items that nobody could read, or a budget that waits."""
    if report is None:
        return int(has_errors)
    if report.waiting is not None:
        return WaitingError.exit_code
    return int(has_errors or not report.is_whole)
