"""Messages of a dialogue, and the rounds that they make."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from memassay.exports.foreign.json_text import Parts
from memassay.exports.foreign.reading import Reading
from memassay.schemas.contracts.origins import part_key
from memassay.schemas.ids import round_id, turn_id
from memassay.schemas.records.conversation import (
    Action,
    Attachment,
    Round,
    RoundKind,
    Speaker,
    SpeakerKind,
    Turn,
    TurnKind,
)

USER, ASSISTANT, TOOL, SYSTEM, CALL = "user", "assistant", "tool", "system", "call"
_USERS: Final = ("user", "human", "prompter", "usr")
_ASSISTANTS: Final = ("assistant", "gpt", "chatgpt", "bing", "bard", "model", "bot", "ai")
_TOOLS: Final = ("tool", "function", "observation", "function_response", "tool_response")
_SYSTEMS: Final = ("system", "developer")
_CALLS: Final = ("function_call", "tool_call")
_ROLES: Final[dict[str, str]] = {
    **dict.fromkeys(_USERS, USER),
    **dict.fromkeys(_ASSISTANTS, ASSISTANT),
    **dict.fromkeys(_TOOLS, TOOL),
    **dict.fromkeys(_SYSTEMS, SYSTEM),
    **dict.fromkeys(_CALLS, CALL),
}
_KINDS: Final = {
    USER: SpeakerKind.HUMAN,
    ASSISTANT: SpeakerKind.ASSISTANT,
    TOOL: SpeakerKind.TOOL,
}


PLAIN_ROLES: Final = frozenset({"user", "human", "assistant", "gpt", "system", "tool"})
"""Names of roles that need no word; of another one is said as what it was read."""


def role_of(written: Any) -> str | None:
    """Who speaks under a role of any of these formats; None for a role that none of them has."""
    return _ROLES.get(written.strip().lower()) if isinstance(written, str) else None


@dataclass(frozen=True)
class Picture:
    """An image as a message names it.

    Attributes:
        uri: Its address, its bytes as a `data:` address, or its path.
        place: Where a path leads, relative to the folder of the file; None if it leads out of it.
    """

    uri: str
    place: str | None = None


@dataclass(frozen=True)
class Message:
    """One message, or a part of one that is a turn of its own: a call of a tool, its result.

    Attributes:
        speaker: Id of who speaks.
        text: What is said.
        parts: Its place in the file.
        kind: What the turn is.
        time: `When` it was said.
        action: The call of a tool.
        pictures: What is shown.
        extras: What we have no field for.
        text_key: Key of the text in the file, where it is there as one.
    """

    speaker: str
    text: str
    parts: Parts
    kind: TurnKind = TurnKind.UTTERANCE
    time: str | None = None
    action: Action | None = None
    pictures: tuple[Picture, ...] = ()
    extras: dict[str, Any] = field(default_factory=dict)
    text_key: str | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said, shown or done."""
        return not (self.text.strip() or self.pictures or self.action)


def speakers(messages: Iterable[Message], model: str | None = None) -> list[Speaker]:
    """A user and an assistant, and a tool where one speaks."""
    heard = {message.speaker for message in messages}
    return [
        Speaker(id=name, name=name, kind=kind, model=model if name == ASSISTANT else None)
        for name, kind in _KINDS.items()
        if name != TOOL or name in heard
    ]


def rounds_of(
    reading: Reading,
    layout: str,
    session: str,
    messages: Iterable[Message],
    show: Callable[[Message], list[Attachment]] = lambda _: [],
    day: str | None = None,
) -> list[Round]:
    """The rounds of a session: each begins where a user speaks.

    With more than a reply in it (a call of a tool, its result) a round is a step.

    Args:
        reading: Notes where every round and turn is in the file.
        layout: Name of the format, under which extras are kept.
        session: Id of the session.
        messages: In the order said.
        show: Makes the attachments of a message.
        day: `When` the session was; a round of another day has its own date.
    """
    rounds = []
    for at, group in enumerate(_groups(messages), start=1):
        name = round_id(session, at)
        reading.trace.note_place(part_key(reading.conversation, name), group[0].parts)
        turns = [
            _turn(reading, layout, turn_id(name, number), message, show)
            for number, message in enumerate(group, start=1)
        ]
        first = next((message.time for message in group if message.time), None)
        date = first if first and day and first[:10] != day[:10] else None
        rounds.append(Round(id=name, kind=_kind(group), turns=turns, date=date))
    return rounds


def _groups(messages: Iterable[Message]) -> list[list[Message]]:
    groups: list[list[Message]] = []
    for message in messages:
        if not groups or message.speaker == USER:
            groups.append([])
        groups[-1].append(message)
    return groups


def _kind(group: Sequence[Message]) -> RoundKind:
    if [each.speaker for each in group] == [USER, ASSISTANT]:
        return RoundKind.EXCHANGE
    return RoundKind.UTTERANCE if len(group) == 1 else RoundKind.STEP


def _turn(
    reading: Reading,
    layout: str,
    name: str,
    message: Message,
    show: Callable[[Message], list[Attachment]],
) -> Turn:
    fields = {"/text": message.text_key} if message.text_key else None
    reading.trace.note_place(part_key(reading.conversation, name), message.parts, fields)
    return Turn(
        id=name,
        speaker=message.speaker,
        kind=message.kind,
        text=message.text,
        time=message.time,
        action=message.action,
        attachments=show(message),
        extras={layout: message.extras} if message.extras else {},
    )
