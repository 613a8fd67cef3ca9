"""A model that reads items and says what is wrong with them, named by a file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from memassay.flows.calls.authors import AuthorPool
from memassay.flows.calls.named_models import NamedModel, read_section
from memassay.flows.calls.payments import BILLIONTHS, cost_of
from memassay.flows.store.workspace import open_workspace
from memassay.schemas.base import Shape
from memassay.schemas.contracts.author_sections import ReaderSection
from memassay.schemas.contracts.calls import CallTrace, Usage, rough_tokens
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.contracts.readings import ItemReading
from memassay.schemas.errors import AuthorError, BlobError, BudgetError, QuotaError, UsageError
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.models.probe_tasks import item_reading
from memassay.synth.models.prompt_files import load_prompt
from memassay.validators.items.reading.passages import passage_of

STAGE: Final = "reading"
"""Under which readings stand in what a workspace has cost."""
_OPTION: Final = "--reader"
_WRITTEN: Final = 350
"""Tokens of a reply that an estimate takes for granted (our choice)."""

Asked = tuple[Bundle, QAItem]


@dataclass(frozen=True)
class ReadingOrder:
    """Who reads which items.

    Attributes:
        reader: The file that names the model.
        workspace: Folder where replies and their costs are kept; it is made if it is not there.
        items: Ids of the items to read, public ones too; None for all.
        budget: Most dollars that the workspace may cost, in place of the file's.
        retry_failed: Whether items are asked about again whose stored replies cannot be used.
        begin: Told how many items there are.
        advance: Told of each that is done.
        end: Told how many items were found right, wrong and so on.
    """

    reader: Path
    workspace: Path
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
    """How the reading of items ended."""

    model: str
    items: int
    verdicts: Annotated[dict[str, int], Field(description="`unread` where no reply is usable.")]
    waiting: Annotated[
        str | None, Field(description="What the budget kept from being read, if anything.")
    ] = None


class ReadingEstimate(Shape):
    """What the reading of items will cost; replies that are stored already are counted too."""

    model: str
    calls: int
    input: Annotated[int, Field(description="Tokens read: 4 characters each, 500 an image.")]
    output: Annotated[int, Field(description="Tokens written: 350 a call are assumed.")]
    images: int
    dollars: Annotated[str | None, Field(description="None for a model without a price.")]


@dataclass(frozen=True)
class Readings:
    """What came of an order.

    Attributes:
        by_item: How each item was read, by its id.
        report: The same in numbers.
    """

    by_item: Mapping[str, ItemReading]
    report: ReadingReport


def read_items(order: ReadingOrder, bundles: Sequence[Bundle], blobs: BlobStore) -> Readings:
    """Have items read; replies that are there already are used again.

    An item for which no usable reply comes is noted, and others go on. Where no budget is left for
    one, it is left out.

    Args:
        order: Who reads which items.
        bundles: All conversations of the data.
        blobs: The bytes of their images.

    Raises:
        EndpointError: The endpoint answers nobody.
        QuotaError: It grants no more calls for now.
        UsageError: The file names no model, its key is not there, or an item is not there.
    """
    asked = _chosen(order, bundles)
    section = order.section()
    named = NamedModel(order.reader, _OPTION, section)
    order.begin(len(asked))
    with (
        open_workspace(order.workspace, create=True) as workspace,
        named.opened(workspace, blobs, retry_failed=order.retry_failed) as pool,
    ):
        reader = _ItemReader(pool, section)
        found: dict[str, ItemReading | None] = {}
        try:
            for (_, item), reading in zip(asked, pool.each(asked, reader.read), strict=True):
                found[item.id] = reading
                order.advance()
        except KeyboardInterrupt:
            pool.stop(soon=True)
            raise
    verdicts = [_verdict(reading) for reading in found.values()]
    counts = {name: verdicts.count(name) for name in sorted(set(verdicts))}
    order.end(counts)
    report = ReadingReport(
        model=reader.name, items=len(asked), verdicts=counts, waiting=reader.waiting
    )
    return Readings({name: one for name, one in found.items() if one is not None}, report)


def _verdict(reading: ItemReading | None) -> str:
    reply = None if reading is None else reading.reply
    return "unread" if reply is None else str(reply.verdict)


class _ItemReader:
    """Reads one item after the other; notes why one could not be read."""

    def __init__(self, pool: AuthorPool, section: ReaderSection) -> None:
        self.pool = pool
        self.name = section.model
        self.rounds = section.rounds
        self.waiting: str | None = None

    async def read(self, asked: Asked) -> ItemReading | None:
        """How a reader finds an item; None if it was not asked, as no budget is left."""
        bundle, item = asked
        passage = passage_of(bundle, item, self.rounds)
        task = item_reading(passage.inputs, passage.images, item.id)
        try:
            reply = await self.pool.write(task, CallTrace(STAGE))
        except QuotaError:
            # Each further item would wait as long for the same answer.
            raise
        except BudgetError as error:
            self.waiting = str(error)
            return None
        except (AuthorError, BlobError) as error:
            return ItemReading(self.name, problem=str(error))
        return passage.read(self.name, reply)


def _chosen(order: ReadingOrder, bundles: Sequence[Bundle]) -> list[Asked]:
    """The items to read, in the order of their conversations.

    Raises:
        UsageError: One that is named is not there.
    """
    every = [(bundle, item) for bundle in bundles for item in bundle.questions]
    if order.items is None:
        return every
    missing = order.items - {name for _, item in every for name in _names(item)}
    if missing:
        first = ", ".join(sorted(missing, key=natural_key)[:5])
        raise UsageError(f"--items: expected ids of items, got '{first}'; none is called so")
    return [one for one in every if order.items.intersection(_names(one[1]))]


def _names(item: QAItem) -> Iterator[str]:
    yield item.id
    if item.public_id is not None:
        yield item.public_id


def estimate_reading(order: ReadingOrder, bundles: Sequence[Bundle]) -> ReadingEstimate:
    """What the reading of items will cost, from the requests themselves; nobody is asked.

    Raises:
        UsageError: The file names no model, or an item is not there.
    """
    section, calls, read, images = order.section(), 0, 0, 0
    for bundle, item in _chosen(order, bundles):
        passage = passage_of(bundle, item, section.rounds)
        rendered = load_prompt("item_reading").render(passage.inputs)
        calls += 1
        read += rough_tokens(len(rendered.system + rendered.user), len(passage.images))
        images += len(passage.images)
    usage = Usage(input=read, output=_WRITTEN * calls, images=images)
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
