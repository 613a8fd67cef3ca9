"""What a reader of an item is shown: the item, its evidence, and what else may speak of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memassay.schemas.contracts.calls import ShownImage, present_images
from memassay.schemas.contracts.readings import ItemReading, ReaderReply
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Round, Turn
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.civil_time import WEEKDAYS, is_when, start
from memassay.validators.items.reading.likely import likely_rounds
from memassay.validators.items.unbacked.index import History, history_of
from memassay.validators.places import visible_sessions

IMAGES: Final = 6
"""Images that a reader sees, at most (our choice); the captions of all are shown."""
_REFUSED: Final = 20
"""Likely rounds where nothing is to answer, at least (our choice)."""
_WHOLE: Final = 6000
_CUT: Final = 1500
"""Characters of a turn that are shown: of the evidence, and of other rounds."""
_OF_DAY: Final = 10


@dataclass(frozen=True)
class Passage:
    """What a reader of an item is shown.

    Attributes:
        inputs: Of the task, by name.
        images: Images of the question, the gold and the evidence.
        shown: The text of every place shown.
    """

    inputs: dict[str, Any]
    images: tuple[ShownImage, ...]
    shown: dict[str, str]

    def read(self, reader: str, reply: ReaderReply) -> ItemReading:
        """What a reader of it replied, to be held against what it was shown."""
        seen = frozenset(one.label for one in self.images)
        return ItemReading(reader, reply, self.shown, seen)


def passage_of(bundle: Bundle, item: QAItem, elsewhere: int) -> Passage:
    """What a reader of an item is shown; nothing that is said after it is asked.

    Args:
        bundle: The conversation; the same object for all of its items, so that it is indexed once.
        item: The item.
        elsewhere: How many likely rounds are shown beside the evidence, at most.
    """
    history = history_of(bundle.history)
    parts = _parts(history, item, elsewhere)
    rounds = [
        _as_shown(bundle, each, parts[each.id]) for each in history.rounds if each.id in parts
    ]
    asked = item.question.attachments
    question = {"text": item.question.text, "images": [_captioned(one) for one in asked]}
    inputs = {
        "question": question,
        "gold": _gold(item),
        "form": _form(item),
        "speakers": _speakers(bundle),
        "rounds": rounds,
    }
    shown = {one["place"]: _text(one) for one in rounds}
    pictures = [*asked, *(one for each in history.rounds if each.id in parts for one in _of(each))]
    shown |= {one.id: one.caption or "" for one in pictures}
    return Passage(inputs, tuple(_images(bundle, item, history)), shown)


def _parts(history: History, item: QAItem, elsewhere: int) -> dict[str, str]:
    """The rounds to show by id: evidence, beside it, or elsewhere."""
    seen = visible_sessions(history.bundle, item)
    visible = {
        one.id
        for session in history.bundle.conversation.sessions
        if seen is None or session.id in seen
        for one in session.rounds
    }
    cited = history.cited(item)
    parts = {each.id: "evidence" for each in cited}
    for each in cited:
        for near in (history.before(each), history.after(each)):
            if near is not None and near.id in visible:
                parts.setdefault(near.id, "beside the evidence")
    among = [each for each in history.rounds if each.id in visible and each.id not in parts]
    most = elsewhere if item.answerable else max(elsewhere, _REFUSED)
    likely = likely_rounds(history, item, among, most)
    return parts | {each.id: "elsewhere" for each in likely}


def _as_shown(bundle: Bundle, round_: Round, part: str) -> dict[str, Any]:
    names = {one.id: one.name for one in bundle.conversation.speakers}
    room = _WHOLE if part == "evidence" else _CUT
    said = [
        f"{names.get(turn.speaker, turn.speaker)}: {_said(turn, room)}" for turn in round_.turns
    ]
    images = [_captioned(one) for one in _of(round_)]
    shown = {
        "place": round_.id,
        "day": _day(bundle.date_by_round[round_.id]),
        "part": part,
        "turns": said,
    }
    return shown | ({"images": images} if images else {})


def _text(shown: dict[str, Any]) -> str:
    return " . ".join([shown["day"], *shown["turns"], *shown.get("images", ())])


def _said(turn: Turn, room: int) -> str:
    text = turn.text
    if turn.action is not None:
        text = f"{text} [{turn.action.name} {canonical_json(turn.action.arguments)}]".strip()
    return text if len(text) <= room else f"{text[:room]} …"


def _captioned(attachment: Attachment) -> str:
    return f"{attachment.id}: {attachment.caption or 'no caption'}"


def _of(round_: Round) -> Iterator[Attachment]:
    return (one for turn in round_.turns for one in turn.attachments)


def _day(when: str | None) -> str:
    """A date with its day of the week, which readers count badly."""
    if when is None or len(when) < _OF_DAY or not is_when(when):
        return when or "unknown"
    return f"{WEEKDAYS[start(when).weekday()]} {when.replace('T', ' ')}"


def _speakers(bundle: Bundle) -> list[str]:
    return [f"{one.name} ({one.kind})" for one in bundle.conversation.speakers]


def _gold(item: QAItem) -> dict[str, Any]:
    """The gold and what is said about it; an unanswerable item says so."""
    answer = item.answer
    refused = not item.answerable or answer.format is AnswerFormat.REFUSAL
    told: dict[str, Any] = {
        "answers": answer.values,
        "held to be": "unanswerable: the conversation does not say" if refused else "",
        "all needed": len(answer.values) > 1 and str(answer.relation) != "one",
        "as right": answer.equivalents,
        "less precise": answer.coarser,
        "wrong answers that the question invites": answer.traps,
        "candidates that must lose": answer.competitors,
        "evidence": item.evidence.canonical or [one[0] for one in item.evidence.groups],
    }
    return {name: value for name, value in told.items() if value}


def _form(item: QAItem) -> str:
    """What the answer is to look like; the options, where there are some."""
    options = "; ".join(f"{one.label}. {one.text}" for one in item.answer.options)
    kind = str(item.answer.format).replace("_", " ")
    # That a question is to be refused is said of the gold; it was not asked for.
    asked = "free" if item.answer.format is AnswerFormat.REFUSAL else kind
    return " | ".join(one for one in (asked, options, item.format_prompt or "") if one)


def _images(bundle: Bundle, item: QAItem, history: History) -> Sequence[ShownImage]:
    named = [(one.id, one.asset) for one in item.question.attachments]
    history_images = bundle.attachment_by_id
    gold = [history_images[name][1] for name in item.answer.values if name in history_images]
    cited = [one for each in history.cited(item) for one in _of(each)]
    named += [(one.id, one.asset) for one in (*gold, *cited)]
    return present_images(bundle, list(dict.fromkeys(named)))[:IMAGES]
