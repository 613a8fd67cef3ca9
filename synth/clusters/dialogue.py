"""A single dialogue as clustering sees it: what each round says and shows, and who speaks."""

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.ids import record_id
from memassay.schemas.records.conversation import Conversation, Round, Session, SpeakerKind

_NOBODY: Final = frozenset({"", "user", "User"})
"""What layouts call a person whose name they do not know."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One round of a dialogue.

    Attributes:
        text: What people say.
        reply: What an assistant, agent or tool answers; empty between people.
        captions: Public captions of what is shown.
    """

    text: str
    reply: str = ""
    captions: str = ""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue that can become one session of a longer conversation.

    Attributes:
        id: Unique among the dialogues that are clustered: `alex/D3`.
        rounds: In the order spoken.
        names: Names that the people in it are known by, beside those they are called in the text.
        tags: Topics that its data set gives it, and after them what an author named.
        keywords: What an author named; empty if none was asked.
    """

    id: str
    rounds: tuple[Exchange, ...]
    names: frozenset[str] = frozenset()
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


def dialogues_of(
    conversation: Conversation, *, names: bool = True, among: Collection[str] | None = None
) -> Iterator[Dialogue]:
    """Each session of a conversation as a single dialogue.

    Args:
        conversation: Imported, or simulated.
        names: Whether its people's names are known; the text may still hold them.
        among: Ids of the sessions that are wanted; all of them if None.
    """
    people = {one.id: one.name for one in conversation.speakers if one.kind is SpeakerKind.HUMAN}
    known = frozenset(people.values()) - _NOBODY if names else frozenset[str]()
    for session in conversation.sessions:
        if among is None or session.id in among:
            yield _dialogue(conversation, session, people.keys(), known)


def _dialogue(
    conversation: Conversation, session: Session, people: Collection[str], names: frozenset[str]
) -> Dialogue:
    tags = [*conversation.tags, *([conversation.domain] if conversation.domain else [])]
    return Dialogue(
        id=record_id(conversation.id, session.id),
        rounds=tuple(_exchange(one, people) for one in session.rounds),
        names=names,
        tags=tuple(tags),
    )


def _exchange(round_: Round, people: Collection[str]) -> Exchange:
    def texts(human: bool) -> str:
        return "\n".join(each.text for each in round_.turns if (each.speaker in people) is human)

    shown = [one.caption for turn in round_.turns for one in turn.attachments if one.caption]
    return Exchange(texts(True), texts(False), "\n".join(shown))


def by_id(dialogues: Sequence[Dialogue]) -> list[Dialogue]:
    """Dialogues in the order of their ids, whatever order they came in.

    Raises:
        ValueError: Two have the same id.
    """
    ordered = sorted(dialogues, key=lambda one: one.id)
    for one, other in itertools.pairwise(ordered):
        if one.id == other.id:
            raise ValueError(f"dialogue {one.id}: expected a unique id, got it twice")
    return ordered
