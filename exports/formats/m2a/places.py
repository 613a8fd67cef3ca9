"""Names of places in M2A's layout, numbered from 0, and ours."""

import re
from typing import Final

from memassay.schemas.ids import parse_place, round_id, session_id
from memassay.schemas.records.conversation import Conversation

_DIALOGUE_ID: Final = re.compile(r"[SD](0|[1-9][0-9]{0,5}):(0|[1-9][0-9]{0,5})")


def dialogue_id(session: int, turn: int) -> str:
    """`S3:12` for the thirteenth turn of the fourth session."""
    return f"S{session}:{turn}"


def place_of(text: str) -> str | None:
    """Our round id of a `dia_id`: `D4:13` for `S3:12`; None if it is none."""
    found = _DIALOGUE_ID.fullmatch(text)
    return round_id(session_id(int(found[1]) + 1), int(found[2]) + 1) if found else None


def session_number(session: str) -> int:
    """0-based number of a session: 3 for `D4`."""
    return int(session.removeprefix("D")) - 1


def dialogue_ids(talk: Conversation) -> dict[str, str]:
    """`dia_id` by turn: by the number of its round, or by position where rounds have several."""
    ids: dict[str, str] = {}
    for session in talk.sessions:
        turns = [(round_, turn) for round_ in session.rounds for turn in round_.turns]
        single = all(len(round_.turns) == 1 for round_ in session.rounds)
        for at, (round_, turn) in enumerate(turns):
            place = parse_place(round_.id)
            number = place.round - 1 if single and place and place.round else at
            ids[turn.id] = dialogue_id(session_number(session.id), number)
    return ids
