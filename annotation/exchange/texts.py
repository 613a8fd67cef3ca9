"""What annotators read in another tool: evidence with names and dates, or a whole conversation."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

_LONGEST: Final = 20_000
"""Characters of a conversation that a task shows; the page of its item has the rest."""


_ASKED: Final = {
    "drawn": "Drawn by chance: nothing is known to be wrong.",
    "policy": "The recipe asks for every record here: nothing is known to be wrong.",
}


def findings_text(shown: Mapping[str, Any]) -> str:
    """What the rules say of an item, a line each, or why it is asked about at all."""
    lines = [f"{one['rule']}: {one['message']}" for one in shown["findings"]]
    return "\n".join(lines) or _ASKED.get(shown["reason"], shown["reason"])


def question_text(shown: Mapping[str, Any]) -> str:
    """What is asked about a record: its own question, or whether it is right."""
    if "question" in shown:
        return str(shown["question"]["text"])
    kind = next((name for name in ("conversation", "timeline") if name in shown), "record")
    return f"Is the {kind} {shown['record']} right? It is under Evidence."


def evidence_text(shown: Mapping[str, Any]) -> str:
    """The evidence of a question, the events of a timeline, or the text of a conversation.

    Args:
        shown: An item, as `memassay review show --json` gives it.
    """
    page = f"/item/{shown['item']} of `memassay review serve`"
    if "conversation" in shown:
        return "\n".join(_conversation(shown["conversation"]["sessions"], page))
    if "timeline" in shown:
        events = shown["timeline"]["events"]
        return "\n".join(f"{event['id']} {event['date']} {event['title']}" for event in events)
    rounds = [round_ for place in shown.get("evidence", ()) for round_ in place["rounds"]]
    once = {round_["id"]: round_ for round_ in rounds}.values()
    if not once:
        return f"No place is cited. The whole history is on the page {page}."
    return "\n".join(line for round_ in once for line in _round(round_))


def _conversation(sessions: Iterable[Mapping[str, Any]], page: str) -> Iterator[str]:
    length = 0
    for session in sessions:
        yield f"{session['id']}, {_date(session)}"
        for round_ in session["text"]:
            lines = [f"  {_turn(turn)}" for turn in round_["turns"]]
            length += sum(map(len, lines))
            if length > _LONGEST:
                yield f"From {round_['id']} on, the text is on the page {page}."
                return
            yield from lines


def _round(round_: Mapping[str, Any]) -> Iterator[str]:
    yield f"{round_['id']}, {_date(round_)}"
    if round_["before"]:
        yield f"  before: {_turn(round_['before'])}"
    for turn in round_["turns"]:
        yield f"  {_turn(turn)}"


def _date(dated: Mapping[str, Any]) -> str:
    return (dated["date"] or "no date").replace("T", " ")


def _turn(turn: Mapping[str, Any]) -> str:
    """A turn on a line; further lines of its text are indented, so that none seems a turn."""
    text = turn["text"].strip().replace("\n", "\n      ")
    parts = [text, *(f"[image {_image(one)}]" for one in turn["attachments"])]
    return f"{turn['id']} {turn['speaker']}: {' '.join(filter(None, parts))}"


def _image(attachment: Mapping[str, Any]) -> str:
    where = f", at {attachment['uri']}" if attachment["uri"] else ""
    return f"{attachment['id']}: {attachment['caption'] or f'no caption{where}'}"
