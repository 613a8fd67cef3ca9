"""The stage that finds images for the keywords of events, between timeline and dialogue."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import sha256
from memassay.schemas.ids import record_id
from memassay.schemas.records.asset import Asset, stored_fields
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.values.pixels import Picture
from memassay.synth.material.intake import EXTRAS, SOURCING, caption_fact, picture_of
from memassay.synth.material.rules import RefusedError
from memassay.synth.sourcing.found import FoundImage, ImageProvider
from memassay.synth.sourcing.licences import is_free
from memassay.synth.sourcing.local import LocalFiles, LocalPool
from memassay.synth.sourcing.rules import REFUSED, UNMATCHED

LOCAL: Final = "local"
LOOKED_AT: Final = 20
"""Most results of one search that are looked at (our choice)."""
SHORTEST_EDGE: Final = 64
"""Smallest edge of an image in pixels; smaller ones are icons (our choice)."""
FROM_KEYWORD: Final = "caption from keyword"


@dataclass(frozen=True)
class Search:
    """What a recipe says about finding images.

    Attributes:
        order: Names of those that are asked, first to last; `local` is the user's folder.
        per_event: Most images of an event.
        licences: SPDX identifiers that are accepted; None accepts all free ones.
        local: The user's folder, if it is searched.
        providers: Everybody else in the order.
        homes: Addresses of mirrors by provider.
    """

    order: Sequence[str]
    per_event: int = 1
    licences: Collection[str] | None = None
    local: LocalFiles | None = None
    providers: Sequence[ImageProvider] = ()
    homes: dict[str, str] = field(default_factory=dict)

    def accepts(self, licence: str) -> bool:
        """Whether images under a licence may be used."""
        return is_free(licence) if self.licences is None else licence in self.licences


class SourcingStage:
    """Images for events: from the user's folder, then from providers on the web."""

    name = SOURCING
    version = "1"
    scope = Scope.CONVERSATION
    reads = frozenset({"event"})

    def __init__(self, search: Search) -> None:
        """Say where to look."""
        self.search = search
        self.config: dict[str, Any] = {
            "order": list(search.order),
            "per_event": search.per_event,
            "licences": None if search.licences is None else sorted(search.licences),
            "local": None if search.local is None else search.local.state(),
            "homes": search.homes,
        }

    def run(self, records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The images of one persona's events; an event without any is a finding.

        Raises:
            EndpointError: A provider does not answer; what it answered before is kept.
        """
        events = [record for record in records if isinstance(record, TimelineEvent)]
        events.sort(key=lambda event: event.position)
        return _Errand(self.search, events, context).run()


class _Errand:
    """One persona's images being found."""

    def __init__(
        self, search: Search, events: Sequence[TimelineEvent], context: StageContext
    ) -> None:
        self.search = search
        self.events = events
        self.context = context
        self.made: list[Record] = []
        self.count = {event.id: 0 for event in events}
        self.pixels: dict[str, str] = {}
        self.taken: set[str] = set()

    def run(self) -> list[Record]:
        """Ask everybody in order; each is asked only for what nobody before had."""
        providers = {provider.name: provider for provider in self.search.providers}
        for name in self.search.order:
            if name == LOCAL:
                self._ask_local()
            else:
                for event in self._waiting():
                    self._ask(providers[name], event)
        for event in self.events:
            if not self.count[event.id]:
                self._report_unmatched(event)
        return self.made

    def _waiting(self) -> list[TimelineEvent]:
        return [one for one in self.events if self.count[one.id] < self.search.per_event]

    def _ask_local(self) -> None:
        local, context = self.search.local, self.context
        if local is None or context.shard not in local.personas:
            return
        pool = LocalPool(context.shard, local, context.blobs, context.emit)
        chosen, facts = pool.choose(self._waiting(), self.search.per_event)
        for event, assets in chosen.items():
            self.count[event] += len(assets)
            self.made += assets
        self.made += [*facts, *pool.rest]

    def _ask(self, provider: ImageProvider, event: TimelineEvent) -> None:
        if not event.keyword.strip():
            return
        refused: list[str] = []
        for image in provider.search(event.keyword, LOOKED_AT):
            if self.count[event.id] >= self.search.per_event:
                break
            try:
                self.made += self._taken_in(provider, image, event)
                self.count[event.id] += 1
            except RefusedError as error:
                refused.append(f"{image.page or image.url or image.id or 'a result'}: {error}")
            except _UnfitError as error:
                refused.append(f"{image.page or image.url or image.id or 'a result'}: {error}")
        if refused:
            said = f"{event.id}: {provider.name}, '{event.keyword}': {'; '.join(refused)}"
            fix = "Accept more licences, or supply an image of your own."
            self.context.emit(REFUSED.finding(_about(event, provider.name), "", said, fix))

    def _taken_in(
        self, provider: ImageProvider, image: FoundImage, event: TimelineEvent
    ) -> Iterator[Record]:
        """The asset of an image, and the fact of its title.

        Raises:
            RefusedError: Its bytes cannot be had or taken in.
            _UnfitError: It may not be used, or is used already.
        """
        licence = self._refuse_unusable(image)
        data = provider.fetch(image)
        picture = picture_of(data)
        self._refuse_unfit(picture)
        self.taken.add(image.url)
        place = event.id.partition("/")[2]
        name = record_id(self.context.shard, f"SRC_{place}_{self.count[event.id] + 1}")
        self.pixels[picture.pixel_sha256] = name
        asset = Asset(
            id=name,
            **stored_fields(picture, self.context.blobs.put(picture.data)),
            uri=image.url,
            licence=licence,
            attribution=image.attribution,
            origin=f"{provider.name}:{image.id}",
            extras={SOURCING: _note(image, event), EXTRAS: {"source_sha256": sha256(data)}},
        )
        return iter([asset, caption_fact(name, image.title)] if image.title else [asset])

    def _refuse_unusable(self, image: FoundImage) -> str:
        """The licence of an image that may be used, as far as its provider says."""
        if not image.url:
            raise _UnfitError("expected an address, got none")
        if image.licence is None:
            said = image.licence_said or "none"
            raise _UnfitError(f"expected a licence that SPDX lists, got {said}")
        if not self.search.accepts(image.licence):
            raise _UnfitError(f"expected a licence that is accepted, got {image.licence}")
        if image.url in self.taken:
            raise _UnfitError("expected an image of its own, got one that another event shows")
        return image.licence

    def _refuse_unfit(self, picture: Picture) -> None:
        if min(picture.width, picture.height) < SHORTEST_EDGE:
            size = f"{picture.width} x {picture.height}"
            raise _UnfitError(f"expected edges of {SHORTEST_EDGE} pixels and more, got {size}")
        if picture.pixel_sha256 in self.pixels:
            same = self.pixels[picture.pixel_sha256]
            raise _UnfitError(f"expected an image of its own, got the pixels of {same}")

    def _report_unmatched(self, event: TimelineEvent) -> None:
        asked = ", ".join(self.search.order)
        said = f"{event.id}.keyword: expected an image for '{event.keyword}', got none ({asked})"
        fix = "Add a file whose caption or name says it, or another keyword or provider."
        self.context.emit(UNMATCHED.finding(_about(event), "", said, fix))


class _UnfitError(Exception):
    """An image that is in order and still not for this event."""


def _note(image: FoundImage, event: TimelineEvent) -> dict[str, Any]:
    note = {
        "event": event.id,
        "keyword": event.keyword,
        "page": image.page,
        "licence_said": image.licence_said,
    }
    return note if image.title else {**note, "note": FROM_KEYWORD}


def _about(event: TimelineEvent, *more: str) -> str:
    # No conversation id holds a colon, so that no finding is taken for one about a record.
    return ":".join((SOURCING, event.id, *more))
