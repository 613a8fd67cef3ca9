"""Which files go with which event of a planned timeline: by keyword (M3Exam §2.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from memassay.schemas.base import Modality
from memassay.schemas.ids import attachment_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import Attachment
from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.values.text import content_tokens
from memassay.synth.material.intake import (
    EXTRAS,
    ORIGIN,
    SOURCING,
    caption_subject,
    is_sourced,
    readable_name,
)
from memassay.synth.material.rounds import FROM_NAME

_A_ROUND = 2
"""Images or pages that one round shows at most (our choice; the last round of an event: more)."""


@dataclass(frozen=True)
class OwnFile:
    """A file of the user, or one that was found for an event.

    Attributes:
        shown: What is attached: the image itself, or the pages of a document.
        caption: Its caption; None if nobody described it.
        called: Its caption, or the words of its name or keyword.
        event: The event whose keyword it was found for; None for one that was brought along.
    """

    shown: tuple[Asset, ...]
    caption: Fact | None
    called: str
    event: str | None = None

    @property
    def is_document(self) -> bool:
        """Whether it is shown page by page."""
        return self.shown[0].page is not None


def own_files(assets: Sequence[Asset], facts: Sequence[Fact]) -> list[OwnFile]:
    """The user's files and the sourced ones among the assets of a conversation, by id."""
    own = sorted(
        (one for one in assets if one.origin == ORIGIN or is_sourced(one)), key=lambda one: one.id
    )
    captions = {fact.subject: fact for fact in facts}
    files: list[OwnFile] = []
    for asset in own:
        if asset.parent is None:
            pages = sorted(
                (one for one in own if one.parent == asset.id), key=lambda one: one.page or 0
            )
            caption = captions.get(caption_subject(asset.id))
            note = cast(dict[str, str], asset.extras.get(SOURCING, {}))
            named = readable_name(asset.uri or "") if asset.origin == ORIGIN else note["keyword"]
            called = caption.value.text if caption else named
            shown = tuple(pages) or (asset,)
            files.append(OwnFile(shown, caption, called, note.get("event")))
    return files


def dealt(files: Sequence[OwnFile], events: Sequence[TimelineEvent]) -> dict[str, list[OwnFile]]:
    """Files by event: to the one whose keyword, title and query share most words with them.

    A file that fits none goes to the event that has the fewest, so that every file is shown.
    """
    hands: dict[str, list[OwnFile]] = {event.id: [] for event in events}
    words = {
        event.id: set(content_tokens(f"{event.keyword} {event.title} {event.query}"))
        for event in events
    }
    for file in files:
        if file.event in hands:
            hands[file.event].append(file)
            continue
        own = set(content_tokens(file.called))
        best = max(events, key=lambda event: (len(own & words[event.id]), -len(hands[event.id])))
        hands[best.id].append(file)
    return hands


class Shelf:
    """Hands out the files of one event, round by round."""

    def __init__(self, files: Sequence[OwnFile], numbers: dict[str, int]) -> None:
        """Take the files, and how many attachments of each kind the session has so far."""
        self._waiting = [(file, asset) for file in files for asset in file.shown]
        self._numbers = numbers

    def take(self, session: str, *, last: bool) -> list[tuple[OwnFile, Attachment]]:
        """What the next round shows: images, or pages of one document."""
        taken: list[tuple[OwnFile, Attachment]] = []
        while self._waiting and (last or len(taken) < _A_ROUND):
            if taken and taken[0][0].is_document != self._waiting[0][0].is_document and not last:
                break
            file, asset = self._waiting.pop(0)
            taken.append((file, attach(file, asset, session, self._numbers)))
        return taken


def attach(file: OwnFile, asset: Asset, session: str, numbers: dict[str, int]) -> Attachment:
    """A file, or a page of it, under the next number of its kind in a session.

    Args:
        file: The file.
        asset: The file itself, or its page.
        session: Id of the session.
        numbers: How many attachments of each kind the session has so far; counted on.
    """
    kind = "DOC" if file.is_document else "IMG"
    numbers[kind] = numbers.get(kind, 0) + 1
    page = f"Page {asset.page} of " if file.is_document else ""
    return Attachment(
        id=attachment_id(session, numbers[kind], kind),
        asset=asset.id,
        caption=f"{page}{file.called}",
        page=asset.page,
        extras={} if file.caption else {EXTRAS: {"note": FROM_NAME}},
    )


def caption_mention(fact: Fact, place: str, attachment: str) -> Mention:
    """A caption of the user's can be read where its file is first attached, in the first turn.

    Args:
        fact: The caption.
        place: Id of the round.
        attachment: Id of the attachment.
    """
    return Mention(
        id=f"{fact.id}.m1",
        fact=fact.id,
        round=place,
        turn=turn_id(place, 1),
        attachment=attachment,
        modality=Modality.TEXT,
        speaker="user",
    )
