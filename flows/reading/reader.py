"""A model that reads items and sessions and says what is wrong with them, named by a file."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.named_models import NamedModel, read_section
from memassay.flows.calls.payments import BILLIONTHS, cost_of
from memassay.flows.reading.units import WRITTEN, ReadingUnit, reading_units
from memassay.flows.store.places.address import Place
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.contracts.author_sections import ReaderSection
from memassay.schemas.contracts.calls import CallTrace, Usage, rough_tokens
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.readings import ReaderVerdict, Reading, ToldReply
from memassay.schemas.errors import AuthorError, BlobError, BudgetError, QuotaError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.prompt_files import load_prompt
from memassay.validators.reading.quotes import why_unfounded

STAGE: Final = "reading"
"""Under which readings stand in what a workspace has cost."""
_OPTION: Final = "--reader"
_UNREAD: Final = "unread"


@dataclass(frozen=True)
class ReadingOrder:
    """Who reads which items, or all items and sessions.

    Attributes:
        reader: The file that names the model.
        workspace: Where replies and their costs are kept; it is made if it is not there.
        items: Ids of the items to read, public ones too; None for all, and for all sessions.
        budget: Most dollars that the workspace may cost, in place of the file's.
        retry_failed: Whether items are asked about again whose stored replies cannot be used.
        begin: Told how many items and sessions there are.
        advance: Called for each that is done.
        end: Told how many were found right, wrong and so on.
    """

    reader: Path
    workspace: Place
    items: frozenset[str] | None = None
    budget: float | None = None
    retry_failed: bool = False
    begin: Callable[[int], None] = lambda _: None
    advance: Callable[[], None] = lambda: None
    end: Callable[[Mapping[str, int]], None] = lambda _: None

    def section(self) -> ReaderSection:
        """The model and what it is shown.

        Raises:
            UsageError: The file does not name one.
        """
        section = read_section(self.reader, _OPTION, ReaderSection)
        if self.budget is not None:
            section = section.model_copy(update={"budget": self.budget})
        return section


class ReadingReport(Shape):
    """How the reading ended."""

    model: str
    items: int
    verdicts: Annotated[dict[str, int], Field(description="`unread` where no reply is usable.")]
    sessions: int
    verdicts_of_sessions: Annotated[
        dict[str, int], Field(description="Wrong is one with a defect that is shown.")
    ]
    waiting: Annotated[
        str | None, Field(description="What the budget kept from being read, if anything.")
    ] = None

    @property
    def is_whole(self) -> bool:
        """Whether a usable reply came for everything."""
        return _UNREAD not in {*self.verdicts, *self.verdicts_of_sessions}


class ReadingEstimate(Shape):
    """What the reading will cost; replies that are stored already are counted too."""

    model: str
    calls: int
    input: Annotated[int, Field(description="Tokens read: 4 characters each, 500 an image.")]
    output: Annotated[int, Field(description="Tokens written: 350 for an item or session.")]
    images: int
    dollars: Annotated[str | None, Field(description="None for a model without a price.")]


@dataclass(frozen=True)
class Readings:
    """What came of an order.

    Attributes:
        by_record: How each item and session was read.
        report: The same in numbers.
    """

    by_record: Mapping[str, Reading[Any]]
    report: ReadingReport

    @property
    def verdicts(self) -> dict[str, str]:
        """By record, who read it and what they think of it, for people."""
        return {
            name: f"{one.reader} reads it as {_verdict(one)}"
            for name, one in self.by_record.items()
            if one.reply is not None
        }


def read_items(order: ReadingOrder, bundles: Sequence[Bundle], blobs: BlobStore) -> Readings:
    """Have items and sessions read; replies that are there already are used again.

    One for which no usable reply comes is noted, and others go on. Where no budget is left for one,
    it is left out.

    Args:
        order: Who reads which items.
        bundles: All conversations of the data.
        blobs: The bytes of their images.

    Raises:
        EndpointError: The endpoint answers nobody.
        QuotaError: It grants no more calls for now.
        UsageError: The file names no model, its key is not there, or an item is not there.
    """
    section = order.section()
    units = list(_units(order, section, bundles))
    named = NamedModel(order.reader, _OPTION, section)
    order.begin(sum(len(unit.parts) for unit in units))
    with (
        open_workspace(order.workspace, create=True) as workspace,
        named.open(workspace, blobs, retry_failed=order.retry_failed) as pool,
    ):
        reader = _Reader(pool, section.model)
        found: dict[str, Reading[Any] | None] = {}
        try:
            for unit, readings in zip(units, pool.each(units, reader.read), strict=True):
                for name in unit.records:
                    found[name] = readings.get(name)
                    order.advance()
        except KeyboardInterrupt:
            pool.stop(soon=True)
            raise
    verdicts = {name: _verdict(one) for name, one in found.items()}
    order.end(_counts(verdicts.values()))
    sessions = {name for unit in units if unit.of_sessions for name in unit.records}
    report = ReadingReport(
        model=section.model,
        items=len(found) - len(sessions),
        verdicts=_counts(one for name, one in verdicts.items() if name not in sessions),
        sessions=len(sessions),
        verdicts_of_sessions=_counts(verdicts[name] for name in sessions),
        waiting=reader.waiting,
    )
    return Readings({name: one for name, one in found.items() if one is not None}, report)


def _verdict(reading: Reading[Any] | None) -> str:
    """What the reader says, in a word; a session is wrong if a defect of it is shown."""
    if reading is None or reading.reply is None:
        return _UNREAD
    if isinstance(reading.reply, ToldReply):
        shown = any(not why_unfounded(reading, one) for one in reading.reply.defects)
        return str(ReaderVerdict.WRONG if shown else ReaderVerdict.RIGHT)
    return str(reading.reply.verdict)


def _counts(verdicts: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(verdicts).items()))


class _Reader:
    """Reads one batch after the other; notes why one could not be read."""

    def __init__(self, pool: AuthorPool, name: str) -> None:
        self.pool = pool
        self.name = name
        self.waiting: str | None = None

    async def read(self, unit: ReadingUnit) -> Mapping[str, Reading[Any]]:
        """How a reader finds each part; without those that no budget is left for."""
        found: dict[str, Reading[Any]] = {}
        left = [unit]
        while left:
            one = left.pop(0)
            try:
                reply = await self._reply(one)
            except BudgetError as error:
                self.waiting = str(error)
                continue
            readings, again = one.outcome(self.name, reply)
            found |= readings
            left += again
        return found

    async def _reply(self, unit: ReadingUnit) -> Any:
        """The reply of a model, or why none can be used.

        Raises:
            BudgetError: No budget is left.
            QuotaError: The endpoint grants no more calls for now.
        """
        try:
            return await self.pool.write(unit.ask(), CallTrace(STAGE))
        except (BudgetError, QuotaError):
            # Each further item would wait as long for the same answer.
            raise
        except (AuthorError, BlobError) as error:
            return error


def _units(
    order: ReadingOrder, section: ReaderSection, bundles: Sequence[Bundle]
) -> Iterator[ReadingUnit]:
    """What is to be read, conversation by conversation.

    Raises:
        UsageError: An item that is named is not there.
    """
    if order.items is None:
        for bundle in bundles:
            yield from reading_units(bundle, section)
        return
    for bundle, items in _choose_items(order.items, bundles):
        yield from reading_units(bundle, section, items)


def _choose_items(
    wanted: frozenset[str], bundles: Sequence[Bundle]
) -> list[tuple[Bundle, list[QAItem]]]:
    """The items that are named, by conversation.

    Raises:
        UsageError: One that is named is not there.
    """
    known = {name for bundle in bundles for item in bundle.questions for name in _names(item)}
    if missing := wanted - known:
        first = ", ".join(sorted(missing, key=natural_key)[:5])
        raise UsageError(
            f"--items: expected ids of items, got '{first}'; no item that is "
            "released is called so (sessions are read only where no item is named)"
        )
    return [
        (bundle, [item for item in bundle.questions if wanted.intersection(_names(item))])
        for bundle in bundles
    ]


def _names(item: QAItem) -> Iterator[str]:
    yield item.id
    if item.public_id is not None:
        yield item.public_id


def estimate_reading(order: ReadingOrder, bundles: Sequence[Bundle]) -> ReadingEstimate:
    """What the reading will cost, from the requests themselves; nobody is asked.

    Raises:
        UsageError: The file names no model, or an item is not there.
    """
    section, calls, read, written, images = order.section(), 0, 0, 0, 0
    for unit in _units(order, section, bundles):
        task = unit.ask()
        rendered = load_prompt(task.name).render(task.inputs)
        calls += 1
        read += rough_tokens(len(rendered.system + rendered.user), len(task.images))
        written += WRITTEN * len(unit.parts)
        images += len(task.images)
    usage = Usage(input=read, output=written, images=images)
    prices = NamedModel(order.reader, _OPTION, section).prices()
    cost = cost_of(usage, section.model, prices)
    return ReadingEstimate(
        model=section.model,
        calls=calls,
        input=usage.input,
        output=usage.output,
        images=images,
        dollars=None if cost is None else f"{cost / BILLIONTHS:.6f}",
    )
