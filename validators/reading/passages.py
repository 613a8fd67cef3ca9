"""What a reader of an item or of a session is shown: it, and what else may speak of it."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from memassay.schemas.contracts.calls import ShownImage, present_images
from memassay.schemas.contracts.readings import quoted_image, quoted_item
from memassay.schemas.hashing import canonical_json
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, Round, Session, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import WEEKDAYS, is_when, start
from memassay.validators.places import visible_sessions
from memassay.validators.reading.likely import likely_rounds
from memassay.validators.texts.history import History, history_of

ALL: Final = "all"
IMAGES: Final = 6
"""Images of an item or session that a reader sees, at most; captions of all are shown."""
ITEMS: Final = 10
"""Items of one history that a reader is asked about at once, at most (our choice)."""
SESSIONS: Final = 4
"""Sessions that a reader is asked about at once, at most: each has many rounds (our choice)."""
_REFUSED: Final = 20
"""Likely rounds where nothing is to answer, at least (our choice)."""
_LONGEST: Final = 6000
"""Characters of a turn that are shown."""
_OF_DAY: Final = 10


@dataclass(frozen=True)
class Passage:
    """What a reader is shown.

    Attributes:
        inputs: Of the task, by name.
        images: Images of the question, the gold and the evidence, or of the session.
        shown: The text of every place shown.
    """

    inputs: dict[str, Any]
    images: tuple[ShownImage, ...]
    shown: dict[str, str]

    @property
    def seen(self) -> frozenset[str]:
        """Places of the images that are shown as images."""
        return frozenset(one.label for one in self.images)


class Passages:
    """What readers of one conversation are shown; its rounds are written out once for all."""

    def __init__(self, bundle: Bundle, rounds: int | Literal["all"]) -> None:
        """Take a conversation.

        Args:
            bundle: The conversation.
            rounds: How many likely rounds are shown beside the evidence, at most; or the whole
                history as far as it is told when the question is asked.
        """
        self.bundle = bundle
        self.rounds = rounds

    def batches(self, items: Sequence[QAItem]) -> Iterator[list[QAItem]]:
        """Items that are asked about together: what one may know, all others may know too."""
        groups: dict[tuple[str, ...], list[QAItem]] = {}
        for item in items:
            groups.setdefault(tuple(each.id for each in self._visible(item)), []).append(item)
        for own in groups.values():
            yield from (own[at : at + ITEMS] for at in range(0, len(own), ITEMS))

    def of_items(self, items: Sequence[QAItem]) -> Passage:
        """What a reader of the items of a batch is shown; nothing that comes after the asking.

        The rounds come first, the same for all batches of a whole history: endpoints ask less for
        a beginning that they have read before.
        """
        visible = self._visible(items[0])
        chosen = visible
        if self.rounds != ALL:
            kept = {one.id for item in items for one in self._chosen(item, visible, self.rounds)}
            chosen = [each for each in self._history.rounds if each.id in kept]
        inputs = {**self._history_inputs(chosen), "items": [quoted_item(item) for item in items]}
        asked = [one for item in items for one in item.question.attachments]
        images = [one for item in items for one in self._images(item, visible)]
        return self._passage(inputs, chosen, asked, images)

    def of_sessions(self, sessions: Sequence[Session]) -> Passage:
        """What a reader of sessions is shown: all sessions, or those around each."""
        every = self.bundle.conversation.sessions
        near = {at for one in sessions for at in _around(every.index(one))}
        around = [one for at, one in enumerate(every) if self.rounds == ALL or at in near]
        chosen = [each for one in around for each in one.rounds]
        inputs = {**self._history_inputs(chosen), "sessions": [one.id for one in sessions]}
        images = [
            one
            for session in sessions
            for one in self._first([image for each in session.rounds for image in _of(each)])
        ]
        return self._passage(inputs, chosen, (), images)

    def _images(self, item: QAItem, visible: Sequence[Round]) -> list[ShownImage]:
        """The images of a question, of its gold and of its evidence, the first of them."""
        cited = [one for each in self._cited_rounds(item, visible) for one in _of(each)]
        pictures = {one.id: one for each in visible for one in _of(each)}
        gold = [pictures[name] for name in item.answer.values if name in pictures]
        return self._first([*item.question.attachments, *gold, *cited])

    def _first(self, images: Sequence[Attachment]) -> list[ShownImage]:
        """The first images of which there are bytes."""
        named = list(dict.fromkeys((one.id, one.asset) for one in images))
        return present_images(self.bundle, named)[:IMAGES]

    @cached_property
    def _history(self) -> History:
        return history_of(self.bundle.history)

    @cached_property
    def _written(self) -> dict[str, dict[str, Any]]:
        """Every round as it is shown, by its id."""
        return {each.id: self._as_shown(each) for each in self._history.rounds}

    @cached_property
    def _texts(self) -> dict[str, str]:
        """What a quote of a round is looked for in, by its id."""
        return {name: _text(shown) for name, shown in self._written.items()}

    def _history_inputs(self, rounds: Collection[Round]) -> dict[str, Any]:
        return {
            "speakers": [f"{one.name} ({one.kind})" for one in self.bundle.conversation.speakers],
            "rounds": [self._written[each.id] for each in rounds],
            "whole": self.rounds == ALL,
        }

    def _passage(
        self,
        inputs: dict[str, Any],
        rounds: Collection[Round],
        asked: Sequence[Attachment],
        images: Sequence[ShownImage],
    ) -> Passage:
        shown = {each.id: self._texts[each.id] for each in rounds}
        pictures = [*asked, *(one for each in rounds for one in _of(each))]
        shown |= {one.id: one.caption or "" for one in pictures}
        return Passage(inputs, tuple(dict.fromkeys(images)), shown)

    def _visible(self, item: QAItem) -> list[Round]:
        seen = visible_sessions(self.bundle, item)
        return [
            each
            for session in self.bundle.conversation.sessions
            if seen is None or session.id in seen
            for each in session.rounds
        ]

    def _cited_rounds(self, item: QAItem, visible: Sequence[Round]) -> list[Round]:
        """The evidence, as far as it is told when the item is asked."""
        known = {each.id for each in visible}
        return [each for each in self._history.evidence(item) if each.id in known]

    def _chosen(self, item: QAItem, visible: Sequence[Round], rounds: int) -> list[Round]:
        """The evidence, what is beside it, and what is likely to speak of the item."""
        history = self._history
        cited = self._cited_rounds(item, visible)
        beside = [near for each in cited for near in (history.before(each), history.after(each))]
        known = {each.id for each in visible}
        kept = {each.id for each in cited}
        kept |= {each.id for each in beside if each is not None and each.id in known}
        among = [each for each in visible if each.id not in kept]
        most = rounds if item.answerable else max(rounds, _REFUSED)
        kept |= {each.id for each in likely_rounds(history, item, among, most)}
        return [each for each in history.rounds if each.id in kept]

    def _as_shown(self, round_: Round) -> dict[str, Any]:
        names = {one.id: one.name for one in self.bundle.conversation.speakers}
        said = [
            f"{names.get(turn.speaker, turn.speaker)}: {_turn_text(turn)}" for turn in round_.turns
        ]
        images = [quoted_image(one) for one in _of(round_)]
        day = _day(self.bundle.date_by_round[round_.id])
        shown = {"place": round_.id, "day": day, "turns": said}
        return shown | ({"images": images} if images else {})


def _around(at: int) -> range:
    """The positions of a session and of those beside it; none lies before the first."""
    return range(max(0, at - 1), at + 2)


def _text(shown: dict[str, Any]) -> str:
    return " . ".join([shown["day"], *shown["turns"], *shown.get("images", ())])


def _turn_text(turn: Turn) -> str:
    text = turn.text
    if turn.action is not None:
        text = f"{text} [{turn.action.name} {canonical_json(turn.action.arguments)}]".strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _of(round_: Round) -> Iterator[Attachment]:
    return (one for turn in round_.turns for one in turn.attachments)


def _day(when: str | None) -> str:
    """A date with its day of the week, which readers count badly."""
    if when is None or len(when) < _OF_DAY or not is_when(when):
        return when or "unknown"
    return f"{WEEKDAYS[start(when).weekday()]} {when.replace('T', ' ')}"
