"""The user's own folder as a pool of images: which file goes to which event."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import BlobStore
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.synth.material.folder import MaterialFile
from memassay.synth.material.intake import SOURCING, Intake, Terms, caption_subject
from memassay.synth.sourcing.pool import Hit, Pool

Chosen = dict[str, list[Asset]]
"""Assets by the event that shows them."""


@dataclass(frozen=True)
class LocalFiles:
    """A folder that is searched by keyword.

    Attributes:
        files: Every file of it.
        terms: Under which they may be published.
        personas: Whose events may show them.
    """

    files: Sequence[MaterialFile]
    terms: Terms
    personas: frozenset[str]

    def state(self) -> list[object]:
        """All that the result of a search depends on."""
        states = content_hash([file.state() for file in self.files])
        return [states, vars(self.terms), sorted(self.personas)]


class LocalPool:
    """The images of a folder, taken in for one conversation; PDFs are not searched."""

    def __init__(
        self,
        conversation: str,
        local: LocalFiles,
        blobs: BlobStore,
        emit: Callable[[Finding], None],
    ) -> None:
        """Take the files in; what is wrong with one is a finding."""
        self.rest: list[Record] = []
        taken = Intake(conversation, local.terms, blobs, emit).take(local.files)
        facts = {record.subject: record for record in taken if isinstance(record, Fact)}
        self._images: dict[str, tuple[Asset, Fact | None]] = {}
        for record in taken:
            if not isinstance(record, Asset):
                continue
            fact = facts.get(caption_subject(record.id))
            if record.parent is None and (record.media_type or "").startswith("image/"):
                self._images[record.uri or ""] = record, fact
            else:
                self.rest += [record] if fact is None else [record, fact]
        self.pool = Pool(
            {
                # Names have words too: trips/harbour_view.jpg.
                name: f"{fact.value.text if fact else ''} {_words(name)}"
                for name, (_, fact) in self._images.items()
            }
        )

    def choose(self, events: Sequence[TimelineEvent], each: int) -> tuple[Chosen, list[Fact]]:
        """Files for events, none twice: the best fit of all is given away first.

        Args:
            events: Who wants files, in time order.
            each: Most files of one event.
        """
        fits = [
            (event, hit)
            for event in events
            for hit in self.pool.search(event.keyword, len(self._images))
        ]
        fits.sort(key=lambda fit: (*fit[1].order[:2], fit[0].position, fit[1].order[2]))
        chosen: Chosen = {}
        facts: dict[str, Fact | None] = {}
        for event, hit in fits:
            if hit.name not in facts and len(chosen.get(event.id, [])) < each:
                asset, facts[hit.name] = self._images[hit.name]
                chosen.setdefault(event.id, []).append(_for_event(asset, event, hit))
        return chosen, [fact for fact in facts.values() if fact is not None]


def _words(name: str) -> str:
    stem = name.rpartition(".")[0] or name
    return " ".join("".join(sign if sign.isalnum() else " " for sign in stem).split())


def _for_event(asset: Asset, event: TimelineEvent, hit: Hit) -> Asset:
    note = {"event": event.id, "keyword": event.keyword, "score": f"{hit.score:.3f}"}
    return asset.model_copy(update={"extras": {**asset.extras, SOURCING: note}})
