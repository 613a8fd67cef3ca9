"""Which rounds show the images of a session: a model proposes, people move (A.2.3)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.ids import record_id
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.ledger import Mention
from memassay.synth.extraction.quoting import quoted_turns, shown_images
from memassay.synth.findings import SYNTHESIS_RULES
from memassay.synth.material.dealing import OwnFile, attach, caption_mention
from memassay.synth.paths.mem_gallery.tasks import image_placement

UNSHOWN: Final = SYNTHESIS_RULES.declare(
    "placement.unshown",
    Severity.WARNING,
    "Every image of a session is shown in one of its rounds, and no round shows two.",
    "Mem-Gallery A.2.3: images at information-relevant positions",
)


@dataclass(frozen=True)
class Album:
    """The images of a session, of which each may be shown in one of its rounds.

    Attributes:
        session: Id of the session.
        images: Files with the image or page that is shown, in their order.
    """

    session: str
    images: Sequence[tuple[OwnFile, Asset]]


class ImagePlacer:
    """Shows the images of one story.

    Attributes:
        mentions: Where captions of the user's own can be read.
    """

    def __init__(self, blobs: Mapping[str, str], context: StageContext) -> None:
        """Take the SHA-256 of the bytes by asset, and who proposes."""
        self.blobs = blobs
        self.context = context
        self.mentions: list[Mention] = []

    def place(self, rounds: Sequence[Round], albums: Sequence[Album]) -> list[Round]:
        """The rounds with the images; one that the model places nowhere is a finding.

        Args:
            rounds: All rounds, in time order.
            albums: The images by session.
        """
        filled = [one for one in albums if one.images]
        tasks = [self._task(rounds, album) for album in filled]
        shown: dict[str, tuple[OwnFile, Asset]] = {}
        for album, reply in zip(filled, self.context.write_all(tasks), strict=True):
            known = {one.id for one in _of_session(rounds, album.session)}
            left = dict(zip(_names(album), album.images, strict=True))
            for place in reply.places:
                if place.image in left and place.round in known - shown.keys():
                    shown[place.round] = left.pop(place.image)
            for file, asset in left.values():
                self._report(album.session, file, asset)
        return list(self._show(rounds, shown))

    def _task(self, rounds: Sequence[Round], album: Album) -> Any:
        names, numbers = _names(album), dict[str, int]()
        attached = [
            attach(file, asset, album.session, numbers).model_copy(update={"id": name})
            for name, (file, asset) in zip(names, album.images, strict=True)
        ]
        return image_placement(
            [quoted_turns(one) for one in _of_session(rounds, album.session)],
            [{"image": one.id, "caption": one.caption or ""} for one in attached],
            shown_images(attached, self.blobs),
            record_id(self.context.shard, album.session),
        )

    def _report(self, session: str, file: OwnFile, asset: Asset) -> None:
        name = self.context.shard
        said = f"{name}: {session}: expected a round for {asset.id} ({file.called}), got none"
        fix = "Place it: `memassay review serve`, the page of the history."
        self.context.emit(UNSHOWN.finding(name, "", said, fix))

    def _show(
        self, rounds: Sequence[Round], shown: Mapping[str, tuple[OwnFile, Asset]]
    ) -> Iterator[Round]:
        numbers: dict[str, dict[str, int]] = {}
        for round_ in rounds:
            if round_.id not in shown:
                yield round_
                continue
            file, asset = shown[round_.id]
            session = round_.id.partition(":")[0]
            attached = attach(file, asset, session, numbers.setdefault(session, {}))
            if file.caption is not None:
                self.mentions.append(caption_mention(file.caption, round_.id, attached.id))
            user = round_.turns[0].model_copy(update={"attachments": [attached]})
            yield round_.model_copy(update={"turns": [user, *round_.turns[1:]]})


def _of_session(rounds: Sequence[Round], session: str) -> list[Round]:
    return [one for one in rounds if one.id.partition(":")[0] == session]


def _names(album: Album) -> list[str]:
    """What the images of an album are called before they have a place."""
    return [f"image {number}" for number in range(1, len(album.images) + 1)]
