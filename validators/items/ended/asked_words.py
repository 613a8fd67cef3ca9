"""What a question asks for, in words: its key words, its kind, and what covers them.

English only, and on purpose coarse: rules use it to say that a question is about something, so
whatever is not plainly about it counts as about something else.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import normalise
from memassay.validators.items.ended.focus import focus_of
from memassay.validators.wording import key_words

_EMPTY: Final = (
    "name named called kind type sort thing one ones exactly actually really currently current now "
    "today still anymore longer nowadays present presently latest recent recently ever already old "
    "former previous original originally earlier supposed going happen happened happening take "
    "takes took taking place hold held use used uses using go goes went know known tell told say "
    "said mention mentioned conversation history user person give gave given make made many much "
    "often long date day time year month week according based whose anyone someone calendar note "
    "noted full find image picture file step steps order evidently stand stands beside read reads "
    "count counted show shows shown start days tell please recall remember details detail "
    "information exactly answer question latest word become became first initially beginning end "
    "had ready call calls revise revised change changed once run runs "
    "keep keeps kept belong belongs "
    "early late come came really use "
    "want wants wanted ask asks asked mean meant intend intended"
)
_OTHER: Final = (
    "new newer next second third fourth fifth other another different instead replacement after "
    "colour color price cost breed age size weight brand model phone email address length height "
    "width depth duration reason author owner teacher vet speed salary wage diameter capacity "
    "brother sister mother father mum mom dad parent cousin friend neighbour neighbor colleague "
    "boss wife husband daughter son uncle aunt grandmother grandfather grandma grandpa nephew "
    "niece partner roommate flatmate classmate coworker brother-in-law sister-in-law twin "
    "red blue green yellow black white brown orange purple pink grey gray silver gold"
)
_PARTICULAR: Final = re.compile(r"([\w-]+)['’]s?(?!\w)|(?<=[\w,;:] )([A-Z][\w-]*)")
_BY_THEN: Final = re.compile(r"^(?:by|at|around) the time of [^,]+, (?=\w)", re.IGNORECASE)
"""When a question is about: it asks for something else."""
_PAST: Final = re.compile(
    r"\b(?:original|originally|first|before|initially|beginning|until|used to|former|formerly|"
    r"previous|previously|earlier|once|no longer|still|any ?more|late|became|become|happened|"
    r"really|alive|did|had)\b"
)
_DATING: Final = re.compile(r"\b(?:dating|going out with|seeing)\b")
_OF_TWO: Final = re.compile(
    r"\b(?:between|difference|exceed|apart|together|in total|than|(?:days|weeks|months) after|"
    r"came (?:first|last))\b"
)
_OPTIONS: Final = re.compile(r"\s\(?A[.)]\s.*\sB[.)]\s.*$|\s\(?A\)\s.*$", re.DOTALL)
_ROOT: Final = 5
"""Letters from which on one stem that begins another is a form of it."""
_SHARED: Final = 6
"""Letters with which two stems begin that are forms of one word."""


def _groups(lines: Iterable[str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for at, line in enumerate(lines):
        for word in key_words(line):
            found.setdefault(word, set()).add(at)
    return {word: frozenset(groups) for word, groups in found.items()}


_LINES: Final = [
    line
    for line in (Path(__file__).parent / "everyday_words.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
_GROUPS: Final = _groups(line for line in _LINES if ":" not in line)
_KINDS: Final = dict(line.split(":") for line in _LINES if ":" in line)
END_WORDS: Final = key_words(
    "sell sold give gave away lose lost quit leave left cancel cancelled called off stop stopped "
    "die died passed alive close closed drop dropped withdraw withdrew return returned end ended"
)
"""Words for an end: what a question that has one asks of."""
_KIND_OF: Final = {
    one: frozenset(kind for kind, line in _KINDS.items() if one in key_words(line))
    for one in key_words(" ".join(_KINDS.values()))
}
_NO_CONTENT: Final = key_words(_EMPTY)
GENERAL: Final = _NO_CONTENT | key_words("price cost costs rate number place amount money")
"""Words of a property that say little of which one it is."""
_AGE: Final = key_words("age")
_APART: Final = key_words(_OTHER)


@dataclass(frozen=True)
class Asked:
    """What a question asks for.

    Attributes:
        words: Its key words, without those that any question may have.
        all_words: The same with those that any question may have.
        kind: `date`, `number`, `person`, `place`, `reason`, `truth`, or empty for any other.
        head: What it asks for of what it is about, see `focus_of`; empty if only what it is.
        past: Whether it asks what was, or whether it still is.
        of_two: Whether it asks for two things together, e.g. what lies between them.
        particular: Those of its words that name or own something, beside its first word: of
            "What is the dog of Nadia's brother called?", Nadia.
    """

    words: frozenset[str]
    all_words: frozenset[str]
    kind: str
    head: frozenset[str]
    past: bool
    of_two: bool
    particular: frozenset[str]


@text_cache(1 << 12)
def asked_in(question: str) -> Asked:
    """What a question asks for."""
    question = _BY_THEN.sub("", question.lower() if question.isupper() else question)
    question = _DATING.sub("partner", question)
    text, focus = normalise(question), focus_of(_OPTIONS.sub("", question))
    words = key_words(_OPTIONS.sub("", question)) | (_AGE if "how old" in text else frozenset())
    return Asked(
        words=words - _NO_CONTENT,
        all_words=words,
        kind=focus.kind,
        head=key_words(focus.head) - _NO_CONTENT,
        past=_PAST.search(text) is not None,
        of_two=_OF_TWO.search(text) is not None,
        particular=key_words(" ".join(each.group() for each in _PARTICULAR.finditer(question))),
    )


def kinds_of(words: Iterable[str]) -> frozenset[str]:
    """The words that ask for what some words name by its kind: a budgie by `pet`."""
    named = (key_words(kind) for word in words for kind in _KIND_OF.get(word, ()))
    return frozenset().union(*named)


def uncovered(words: Iterable[str], *by: frozenset[str]) -> frozenset[str]:
    """The words that none of some others says: not the same, nor one form or sense of the same."""
    cover = frozenset().union(*by)
    return frozenset(word for word in words if not any(_alike(word, other) for other in cover))


class Vocabulary:
    """Words in which the forms and senses of another are found without reading them all."""

    def __init__(self, words: Iterable[str]) -> None:
        """Sort the words by how they begin and by what they mean."""
        self._by_root: dict[str, list[str]] = {}
        self._by_group: dict[int, list[str]] = {}
        self._known: dict[str, tuple[str, ...]] = {}
        for word in words:
            # Forms of one word begin alike, see `_akin`.
            self._by_root.setdefault(word[:_ROOT], []).append(word)
            for group in _GROUPS.get(word, ()):
                self._by_group.setdefault(group, []).append(word)

    def akin(self, word: str) -> tuple[str, ...]:
        """Its words that say the same as a word: itself, its forms and its senses."""
        if word not in self._known:
            near = list(self._by_root.get(word[:_ROOT], ()))
            for group in _GROUPS.get(word, ()):
                near += self._by_group.get(group, ())
            self._known[word] = tuple(sorted({each for each in near if _alike(word, each)}))
        return self._known[word]


def _alike(word: str, other: str) -> bool:
    if word == other or _akin(word, other):
        return True
    groups = _GROUPS.get(word)
    return groups is not None and not groups.isdisjoint(_GROUPS.get(other, ()))


def _akin(first: str, second: str) -> bool:
    """Whether two stems begin alike: `member` and `membership`, `deliver` and `delivery`."""
    short, long = sorted((first, second), key=len)
    begins = len(short) >= _ROOT and long.startswith(short)
    return begins or (len(short) >= _SHARED and long[:_SHARED] == short[:_SHARED])


def sets_apart(words: Iterable[str]) -> bool:
    """Whether one of some words asks for another property, another owner or another one."""
    return not _APART.isdisjoint(words)
