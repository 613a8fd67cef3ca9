"""What a question is about, and which rounds of a history speak of it (M3Exam §2.2, rivals)."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from memassay.schemas.ids import ATTACHMENT_PATTERN
from memassay.schemas.records.conversation import Attachment, Round
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.caches import text_cache
from memassay.validators.texts.history import History, Words, roots

_IMAGE_ID: Final = re.compile(ATTACHMENT_PATTERN)
_INSTRUCTION: Final = re.compile(
    r"\([^)]*\)|(?<=[.?!] )(?:only )?(?:please )?(?:only )?"
    r"(?:return|answer|separate|use|list)\b[^.?!]*",
    re.IGNORECASE,
)
"""What says how to answer, not what about."""
_ORDINAL: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|[0-9]+(?:nd|rd|"
    r"th))\b[\w' -]{0,20}\b(?:session|conversation|dialogue|dialog|chat|talk|meeting)s?\b",
    re.IGNORECASE,
)
"""What counts sessions up is changed by every session before it."""
_PLACE: Final = re.compile(
    r"\b(?:visit(?:ed|ing)?|went to|go to|going to|trip to|flew to|fly to|arrived? in|got to"
    r"|moved? to|living in|live in|back from|from|travel(?:l?ed|ling)? to"
    r"|weekend in|week in|days? in)"
    r" (?:[A-Z]\w+)"
)
_NAMED: Final = re.compile(r"\b(?:named|called|name is|name's)\b")
_SPOKEN_PLACE: Final = "visit travel trip country city place destination live move"


class Subject(NamedTuple):
    """What a question is about.

    Attributes:
        words: Stems of its content words, each with how much it tells one round from others; of the
            answer and of cited pictures too, where a picture beside the question says what is
            meant.
        pictured: The same of the captions of pictures that answer it; empty if none does.
        alone: Whether only the picture beside the question says what it asks about.
        everywhere: Whether any session at all may change its answer.
    """

    words: Mapping[str, float]
    pictured: Mapping[str, float]
    alone: bool
    everywhere: bool


def subject_of(history: History, item: QAItem) -> Subject:
    """What a question of a history is about."""
    text = _INSTRUCTION.sub(" ", item.question.text)
    asked = roots(text) - history.names - _general()
    pictured = _captions(history, _answering(history, item))
    alone = bool(item.question.attachments) and not asked
    if item.question.attachments:
        right = [one.text for one in item.answer.options if one.label in item.answer.values]
        cited = [each for one in history.cited(item) for each in shown_in(one)]
        asked |= ((history.gold(item) | roots(" . ".join(right))) - _general()) | _captions(
            history, cited
        )
    counted = _ORDINAL.search(text) is not None
    everywhere = counted or not (asked or pictured)
    return Subject(_weighed(history, asked), _weighed(history, pictured), alone, everywhere)


def _weighed(history: History, some: Words) -> dict[str, float]:
    return {word: history.weight([word]) for word in sorted(some)}


def _answering(history: History, item: QAItem) -> list[Attachment]:
    """The pictures whose ids answer a question."""
    known = history.bundle.attachment_by_id
    named = [name for value in item.answer.values for name in _IMAGE_ID.findall(value)]
    return [known[name][1] for name in named if name in known]


def _captions(history: History, shown: Iterable[Attachment]) -> Words:
    text = " . ".join(one.caption or "" for one in shown)
    return roots(text) - history.names - _general()


def shown_in(one: Round) -> list[Attachment]:
    """The pictures that a round shows."""
    return [each for turn in one.turns for each in turn.attachments]


class Spoken(NamedTuple):
    """What a place speaks of.

    Attributes:
        words: Stems of its content words.
        kinds: Stems of the kinds of things that these belong to.
    """

    words: Words
    kinds: Words

    def share(self, wanted: Mapping[str, float]) -> float:
        """How much of the weight of words it speaks of; of kinds, only the heaviest counts.

        One word names several kinds, and says one thing all the same.
        """
        whole = sum(wanted.values())
        said = sum(wanted[word] for word in wanted.keys() & self.words)
        kind = max((wanted[word] for word in wanted.keys() & self.kinds), default=0.0)
        return (said + kind) / whole if whole else 0.0


@text_cache(1 << 12)
def spoken(text: str) -> Spoken:
    """What a text speaks of, with the kinds of things it names."""
    found = roots(text)
    kinds = frozenset[str]().union(*(_kinds().get(word, frozenset()) for word in found))
    places = roots(_SPOKEN_PLACE) if _PLACE.search(text) else frozenset[str]()
    names = roots("name") if _NAMED.search(text) else frozenset[str]()
    return Spoken(found, (kinds | places | names) - found)


@cache
def _general() -> Words:
    """Stems of words of questions that say nothing about their matter."""
    return frozenset[str]().union(*map(roots, _lines("general_words.txt")))


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath(name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def _kinds() -> Mapping[str, Words]:
    """By the stem of a word, the stems of the kinds that it belongs to."""
    found: dict[str, Words] = {}
    for line in _lines("kinds.txt"):
        kinds, _, members = line.partition(":")
        for word in roots(members) | roots(kinds):
            found[word] = found.get(word, frozenset()) | roots(kinds)
    return found
