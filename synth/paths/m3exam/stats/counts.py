"""What the figures of M3Exam need of one conversation: numbers, so that all can be held."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from memassay.schemas.base import Modality
from memassay.schemas.contracts.figures import sessions_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import start
from memassay.synth.paths.m3exam.stats.dials import DialCounts, count_dials

_PIXELS: Final = frozenset({Modality.IMAGE, Modality.DOCUMENT})


class ItemCounts(NamedTuple):
    """One question.

    Attributes:
        facts: Places or groups of its evidence.
        sessions: In how many sessions they lie.
        distance: From the first of these to the last; None without any.
        needs_pixels: Whether an image or a document has to be seen.
    """

    facts: int
    sessions: int
    distance: int | None
    needs_pixels: bool


@dataclass(frozen=True)
class PersonaCounts:
    """One conversation.

    Attributes:
        id: Its id.
        sessions: How many it has.
        rounds: The same.
        files: Images and pages that turns show.
        documents: Documents of which pages are shown.
        types: By the paper's code, its questions.
        user_words: Words (runs between white space) of every turn of a person that says something.
        assistant_words: The same of all others.
        days: Days of the dated sessions, counted from year 1, in session order.
        dials: What the dials moved.
    """

    id: str
    sessions: int
    rounds: int
    files: int
    documents: int
    types: dict[str, list[ItemCounts]]
    user_words: list[int]
    assistant_words: list[int]
    days: list[int]
    dials: DialCounts | None


def count_persona(bundle: Bundle) -> PersonaCounts:
    """What the tables need of a conversation."""
    talk = bundle.conversation
    types: dict[str, list[ItemCounts]] = {}
    for item in bundle.questions:
        types.setdefault(item.benchmark_type, []).append(_count_item(bundle, item))
    return PersonaCounts(
        id=bundle.id,
        sessions=len(talk.sessions),
        rounds=len(talk.rounds()),
        files=len(talk.attachments()),
        documents=_documents(bundle),
        types=types,
        user_words=list(_words(talk, user=True)),
        assistant_words=list(_words(talk, user=False)),
        days=[start(each.date).toordinal() for each in talk.sessions if each.date is not None],
        dials=count_dials(bundle),
    )


def _count_item(bundle: Bundle, item: QAItem) -> ItemCounts:
    places = sessions_of(bundle, item)
    return ItemCounts(
        facts=len(item.evidence.canonical or item.evidence.groups),
        sessions=len(places),
        distance=max(places) - min(places) if places else None,
        needs_pixels=not _PIXELS.isdisjoint(item.modalities),
    )


def _documents(bundle: Bundle) -> int:
    shown = (bundle.asset_by_id.get(item.asset) for _, item in bundle.conversation.attachments())
    return len({asset.parent for asset in shown if asset is not None and asset.parent})


def _words(talk: Conversation, *, user: bool) -> Iterator[int]:
    humans = {each.id for each in talk.speakers if each.kind == "human"}
    for turn in talk.turns():
        if turn.text.strip() and (turn.speaker in humans) is user:
            yield len(turn.text.split())
