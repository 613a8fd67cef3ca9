"""How a user's own files come up: rounds at the ends of sessions that show them.

The texts say what the user said about a file and nothing else. What a file shows that nobody
described is not known here, so nothing is said about it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import Any, Final, cast

from memassay.schemas.base import Modality
from memassay.schemas.ids import attachment_id, parse_place, round_id, turn_id
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Turn,
)
from memassay.schemas.records.ledger import Fact, Mention
from memassay.synth.material.intake import (
    EXTRAS,
    ORIGIN,
    caption_subject,
    is_sourced,
    readable_name,
)
from memassay.synth.world.grammar import Expansion, Randoms, fill

PAGES_A_ROUND: Final = 2
FROM_NAME: Final = "caption from file name"

_CAPTIONED: Final = (
    (
        "Here is one from my own folder: {caption}.",
        "Thank you. I keep it as you named it: {caption}.",
    ),
    (
        "One more before I go, a file of mine: {caption}.",
        "Received. I noted your words for it: {caption}.",
    ),
    (
        "I want this one on record too. It is {caption}.",
        "It is on record, with your description: {caption}.",
    ),
    (
        "This is from my own collection: {caption}.",
        "Good to have. Filed under your caption: {caption}.",
    ),
    (
        "Please keep a file I brought myself: {caption}.",
        "Kept. Its caption in my notes reads: {caption}.",
    ),
    (
        "Something of my own to close with: {caption}.",
        "I put it with today's notes as: {caption}.",
    ),
    (
        "Before we stop, from my own files: {caption}.",
        "Added to this session, in your wording: {caption}.",
    ),
    (
        "I dug this out of my folder: {caption}.",
        "Then I have it now, described as: {caption}.",
    ),
)
_UNDESCRIBED: Final = (
    (
        "Here is one from my own folder without any note; the file is called {caption}.",
        "I keep it under that name and say nothing about what it shows: {caption}.",
    ),
    (
        "This one of mine has no caption yet, only a file name: {caption}.",
        "Then that name is all I note for now: {caption}.",
    ),
)
_PAGES: Final = (
    (
        "Here is a document of my own, {pages}: {caption}.",
        "I have {pages} now, filed as: {caption}.",
    ),
    (
        "From my own papers, {pages}: {caption}.",
        "Thank you, {pages} are with your papers under: {caption}.",
    ),
    (
        "Please keep {pages} of a document of mine: {caption}.",
        "Kept, {pages}. Your name for it: {caption}.",
    ),
)
_MORE_PAGES: Final = (
    "The same document goes on, {pages}: {caption}.",
    "I add {pages} to: {caption}.",
)
_MARKS: Final = (".", "!", "?", "…")


@dataclass(frozen=True)
class Shown:
    """A conversation that shows a user's files, and where their captions are said."""

    conversation: Conversation
    mentions: list[Mention]


@dataclass
class _Ending:
    """The rounds added to a session."""

    session: Session
    rounds: list[Round] = field(default_factory=list)
    shown: dict[str, int] = field(default_factory=dict)

    def next_round(self) -> str:
        return round_id(self.session.id, len(self.session.rounds) + len(self.rounds) + 1)

    def next_attachment(self, kind: str) -> str:
        if kind not in self.shown:
            self.shown[kind] = _highest_number(self.session, kind)
        self.shown[kind] += 1
        return attachment_id(self.session.id, self.shown[kind], kind)


@dataclass(frozen=True)
class _Work:
    """A file of the user: its asset, its pages, its caption, what it is called if it has none."""

    asset: Asset
    pages: tuple[Asset, ...]
    fact: Fact | None

    @property
    def called(self) -> str:
        return self.fact.value.text if self.fact else readable_name(self.asset.uri or "")

    @property
    def extras(self) -> dict[str, Any]:
        return {} if self.fact else {EXTRAS: {"note": FROM_NAME}}


def show_material(
    conversation: Conversation, assets: Sequence[Asset], facts: Sequence[Fact], randoms: Randoms
) -> Shown:
    """The conversation with a user's files, dealt out over its sessions.

    Args:
        conversation: A written history.
        assets: Among them those of the user, documents with their pages.
        facts: Among them the captions.
        randoms: Generator by purpose; who comes where follows from seed and file alone.
    """
    works = _works(assets, {fact.subject: fact for fact in facts})
    works.sort(key=lambda work: randoms("material", *_source(work)).random())
    sessions = conversation.sessions
    order = cycle(randoms("material sessions").sample(sessions, len(sessions)))
    endings = {session.id: _Ending(session) for session in sessions}
    mentions: list[Mention] = []
    words = {
        kind: cycle(randoms("material words", kind).sample(texts, len(texts)))
        for kind, texts in (("said", _CAPTIONED), ("bare", _UNDESCRIBED), ("pages", _PAGES))
    }
    for work, session in zip(works, islice(order, len(works)), strict=True):
        texts = words["pages" if work.pages else "said" if work.fact else "bare"]
        mentions.extend(_tell(work, endings[session.id], next(texts)))
    told = [
        session.model_copy(update={"rounds": [*session.rounds, *endings[session.id].rounds]})
        for session in sessions
    ]
    return Shown(conversation.model_copy(update={"sessions": told}), mentions)


def _works(assets: Sequence[Asset], captions: Mapping[str, Fact]) -> list[_Work]:
    # What was sourced for an event is shown with it.
    own = [asset for asset in assets if asset.origin == ORIGIN and not is_sourced(asset)]
    return [
        _Work(
            asset,
            tuple(
                sorted(
                    (page for page in own if page.parent == asset.id),
                    key=lambda page: page.page or 0,
                )
            ),
            captions.get(caption_subject(asset.id)),
        )
        for asset in own
        if asset.parent is None
    ]


def _source(work: _Work) -> tuple[str, str]:
    """What tells a file from all others: its bytes as the user has them, and its name."""
    extras = cast(dict[str, str], work.asset.extras[EXTRAS])
    return extras["source_sha256"], work.asset.uri or ""


def _highest_number(session: Session, kind: str) -> int:
    """The highest number among the attachments of a kind in a session."""
    places = [
        parse_place(item.id)
        for round_ in session.rounds
        for turn in round_.turns
        for item in turn.attachments
    ]
    numbers = [
        int(place.attachment.partition("_")[2])
        for place in places
        if place is not None and place.attachment and place.attachment.startswith(kind)
    ]
    return max(numbers, default=0)


def _tell(work: _Work, ending: _Ending, texts: tuple[str, str]) -> Iterator[Mention]:
    """Add the rounds that show a file; gives where its caption is said."""
    if not work.pages:
        shown = [_attachment(work, work.asset, ending, "IMG", work.called)]
        yield from _round(work, ending, shown, texts, "", 1)
        return
    count = len(work.pages)
    for first in range(0, count, PAGES_A_ROUND):
        some = work.pages[first : first + PAGES_A_ROUND]
        shown = [
            _attachment(work, page, ending, "DOC", f"Page {page.page} of {work.called}")
            for page in some
        ]
        numbers = " and ".join(str(page.page) for page in some)
        span = f"page{'s' if len(some) > 1 else ''} {numbers} of {count}"
        yield from _round(work, ending, shown, _MORE_PAGES if first else texts, span, 1 + first)


def _attachment(work: _Work, asset: Asset, ending: _Ending, kind: str, caption: str) -> Attachment:
    return Attachment(
        id=ending.next_attachment(kind),
        asset=asset.id,
        caption=caption,
        page=asset.page,
        extras=work.extras,
    )


def _round(
    work: _Work,
    ending: _Ending,
    shown: list[Attachment],
    texts: tuple[str, str],
    pages: str,
    number: int,
) -> Iterator[Mention]:
    place = ending.next_round()
    values = {"caption": work.called, "pages": pages}
    said = [_fill(text, values) for text in texts]
    speakers = ("user", "assistant")
    turns = [
        Turn(id=turn_id(place, at), speaker=speaker, text=one.text)
        for at, (speaker, one) in enumerate(zip(speakers, said, strict=True), start=1)
    ]
    turns[0] = turns[0].model_copy(update={"attachments": shown})
    kind = RoundKind.DOCUMENT if pages else RoundKind.EXCHANGE
    ending.rounds.append(Round(id=place, kind=kind, turns=turns))
    if work.fact is None:
        return
    for at, (turn, one) in enumerate(zip(turns, said, strict=True)):
        span = next(span for span in one.spans if span.slot == "caption")
        yield Mention(
            id=f"{work.fact.id}.m{number + at}",
            fact=work.fact.id,
            round=place,
            turn=turn.id,
            # Only the first turn shows the file.
            attachment=shown[0].id if at == 0 and not pages else None,
            modality=Modality.TEXT,
            speaker=turn.speaker,
            span=[span.start, span.end],
        )


def _fill(text: str, values: Mapping[str, str]) -> Expansion:
    """A text with its slots filled; a caption that ends a sentence brings no second full stop."""
    if values["caption"].endswith(_MARKS):
        text = text.replace("{caption}.", "{caption}")
    return fill(text, values.__getitem__)
