"""An index of the pictures of a history: what captions and turns tell of each."""

from collections import Counter
from collections.abc import Collection, Iterable
from math import log
from typing import Final, NamedTuple

from memassay.schemas.records.conversation import Attachment, Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.civil_time import MONTHS
from memassay.validators.places import Parts, attachments
from memassay.validators.texts.history import History, Words, openings, roots, said_in

CAPTION: Final = 1.0
TURN: Final = 0.8
REPLY: Final = 0.7
NEAR: Final = 0.35
"""How much a word tells of a picture by where it stands; that of a caption most, that of a turn
beside it least (our choice, set on the searches of twelve Mem-Gallery scenarios)."""
FORM: Final = (
    "image images picture pictures photo photos pic pics show shows showed shown showing share"
    " shared sharing conversation dialogue please search find help return image_id id ids only two"
    " three four five six seven separate answer answers comma commas attached discussed discussion"
    " related relate mention mentioned represent represents depict depicts same similar among user"
    " early mid late topic content talking look looked uploaded upload provide retrieve appear"
    " appeared corresponds correspond " + " ".join(MONTHS)
)
"""Words with which pictures are asked for, and which tell none from others."""


class Picture(NamedTuple):
    """A picture with the words about it.

    Attributes:
        parts: Where it stands in the conversation.
        shown: The attachment.
        round: The round that shows it.
        caption: Stems of its caption.
        turn: Stems of the turn that shows it.
        reply: Stems of the other turns of its round.
        near: Stems of the turns of the rounds before and behind it.
    """

    parts: Parts
    shown: Attachment
    round: Round
    caption: Words
    turn: Words
    reply: Words
    near: Words

    @property
    def own(self) -> Words:
        """Stems of the caption and of its round."""
        return self.caption | self.turn | self.reply


class Gallery:
    """The captioned pictures of a history.

    Attributes:
        history: The history.
        pictures: Its pictures by the id of the attachment, in order.
    """

    def __init__(self, history: History) -> None:
        """Index the pictures of a history."""
        self.history = history
        self.pictures = {one.shown.id: one for one in _pictures(history)}
        words = (word for one in self.pictures.values() for word in one.own)
        self._times = Counter(words)

    def rarity(self, word: str) -> float:
        """How much a word tells a picture from others; one that is said of none tells nothing."""
        times = self._times[word]
        return log((1 + len(self.pictures)) / (0.5 + times)) if times else 0.0

    def weight(self, some: Iterable[str]) -> float:
        """How much several words tell."""
        return sum(map(self.rarity, sorted(some)))

    def fit(self, asked: Words, picture: Picture) -> float:
        """How much of what is asked a picture is about, from 0 to 1."""
        whole = self.weight(asked)
        told = sum(self.rarity(word) * _said(picture, word) for word in sorted(asked))
        return told / whole if whole else 0.0

    def gain(self, asked: Words, one: Picture, other: Picture) -> tuple[float, float]:
        """What another picture is about of what is asked and one is not, and the other way."""
        whole = self.weight(asked) or 1.0
        here, there = openings(one.own), other.caption | other.turn
        more = (asked & there) - said_in(asked, here)
        less = {word for word in asked & (one.own | one.near) if word not in other.own}
        return self.weight(more) / whole, self.weight(less) / whole

    def cited(self, item: QAItem) -> frozenset[str]:
        """Ids of the pictures that an item is answered by: those it names, or those it cites.

        Empty if a cited round shows none.
        """
        named = frozenset(item.answer.values)
        if named and named <= self.pictures.keys():
            return named
        rounds = self.history.cited(item)
        shown = [[one.id for turn in each.turns for one in turn.attachments] for each in rounds]
        return frozenset(name for some in shown for name in some) if all(shown) else frozenset()

    def at(self, rounds: Collection[Round]) -> list[Picture]:
        """The pictures of some rounds."""
        names = {each.id for each in rounds}
        return [one for one in self.pictures.values() if one.round.id in names]


def _said(picture: Picture, word: str) -> float:
    if word in picture.caption:
        return CAPTION
    if word in picture.turn:
        return TURN
    if word in picture.reply:
        return REPLY
    return NEAR if word in picture.near else 0.0


def _pictures(history: History) -> Iterable[Picture]:
    by_turn = {turn.id: each for each in history.rounds for turn in each.turns}
    for parts, turn, shown in attachments(history.bundle):
        each = by_turn[turn.id]
        if not shown.caption:
            continue
        beside = [one for one in (history.before(each), history.after(each)) if one is not None]
        yield Picture(
            parts,
            shown,
            each,
            roots(shown.caption),
            roots(turn.text) - history.names,
            roots(" . ".join(one.text for one in each.turns if one.id != turn.id)) - history.names,
            roots(" . ".join(one.text for some in beside for one in some.turns)) - history.names,
        )


def gallery_of(history: History) -> Gallery:
    """The index of the pictures of a history, made once for all items."""
    return history.derived(Gallery)
