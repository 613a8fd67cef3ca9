"""What a person may do to a history: one operation at a time, each on one conversation."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter, ValidationError

from memassay.schemas.base import Shape
from memassay.schemas.errors import UsageError
from memassay.schemas.ids import AttachmentId, RecordId, RoundId, SessionId, TurnId
from memassay.schemas.values.civil_time import When

REDACTED: Final = "[redacted]"
"""What replaces the words that were taken out of a text."""


class EditTurn(Shape):
    """Say a turn in other words."""

    op: Literal["edit_turn"] = "edit_turn"
    turn: TurnId
    text: Annotated[str, Field(max_length=20_000, description="What it says then.")]


class Redact(Shape):
    """Take a span out of a turn's text and leave a neutral placeholder."""

    op: Literal["redact"] = "redact"
    turn: TurnId
    start: Annotated[int, Field(ge=0, description="First code point that goes.")]
    end: Annotated[int, Field(ge=1, description="First code point that stays.")]


class PlaceImage(Shape):
    """Show an asset of the conversation with a turn."""

    op: Literal["place_image"] = "place_image"
    turn: TurnId
    asset: RecordId
    caption: Annotated[str | None, Field(max_length=2_000, description="Shown to readers.")] = None


class RemoveImage(Shape):
    """Show an attachment no longer; its asset stays with the conversation."""

    op: Literal["remove_image"] = "remove_image"
    attachment: AttachmentId


class MoveImage(Shape):
    """Show an attachment with another turn."""

    op: Literal["move_image"] = "move_image"
    attachment: AttachmentId
    turn: TurnId


class MergeSessions(Shape):
    """Make a session part of the one before it."""

    op: Literal["merge_sessions"] = "merge_sessions"
    session: SessionId


class SplitSession(Shape):
    """Begin a new session with a round; it has the date of the old one unless another is given."""

    op: Literal["split_session"] = "split_session"
    round: RoundId
    date: When | None = None


class MoveSession(Shape):
    """Put a session at another position; its events and times follow a new date."""

    op: Literal["move_session"] = "move_session"
    session: SessionId
    position: Annotated[int, Field(ge=1, description="1-based, among all sessions, afterwards.")]
    date: When | None = None


class MoveRound(Shape):
    """Put a round at another position of its session, or of another one."""

    op: Literal["move_round"] = "move_round"
    round: RoundId
    session: SessionId
    position: Annotated[int, Field(ge=1, description="1-based, in that session, afterwards.")]


Operation = Annotated[
    EditTurn
    | Redact
    | PlaceImage
    | RemoveImage
    | MoveImage
    | MergeSessions
    | SplitSession
    | MoveSession
    | MoveRound,
    Field(discriminator="op"),
]

_ADAPTER: Final[TypeAdapter[Any]] = TypeAdapter(Operation)


def parse_operation(document: Any) -> Operation:
    """The operation that a document means.

    Raises:
        UsageError: It means none.
    """
    try:
        parsed: Operation = _ADAPTER.validate_python(document)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "operation"
        raise UsageError(
            f"{place}: expected a change of the history, got {first.get('input')!r} "
            f"({first['msg']}); choose the place and fill in the form"
        ) from error
    return parsed
