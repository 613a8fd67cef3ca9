"""What a question asks for, in words: its key words, its kind, and what covers them.

English only, and on purpose coarse: rules use it to say that a question is about something, so
whatever is not plainly about it counts as about something else.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memassay.schemas.values.text import normalise
from memassay.validators.wording import key_words

_ALIKE: Final = (
    "car vehicle drive drove driving automobile",
    "live lives living home address residence reside move moved",
    "work works working job employer employed workplace occupation profession",
    "price cost costs pay pays paid charge fee bill spend spent rate",
    "partner girlfriend boyfriend husband wife spouse fiance fiancee married",
    "phone mobile telephone number",
    "member membership subscription subscribe subscribed belong belongs join joined",
    "salary wage wages pay paid earn earns income",
    "trip travel travelling traveling journey holiday vacation visit",
    "plan planned planning scheduled schedule set due",
    "own owns owned owner have keep keeps kept belong belongs",
    "book booked booking reservation reserve reserved",
    "meet meets meeting",
    "buy buys buying bought purchase purchased",
    "limit cap maximum",
    "guest guests invited invite invitation attend attends attending coming",
    "lose loses lost losing",
    "sell sells sold selling",
    "quit quits leave leaves left leaving resign resigned",
    "cancel cancels cancelled canceled cancellation",
    "age old years",
    "die dies died dead death passed alive",
    "father dad daddy",
    "mother mom mum",
    "grandmother grandma granny",
    "grandfather grandpa",
)
"""Words that ask for the same thing; each line is one group (our choice)."""
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
_KINDS: Final = {
    "pet": "dog cat budgie parrot canary hamster tortoise turtle rabbit puppy kitten goldfish pony",
    "bird": "budgie parrot canary hen chicken duck goose cockatiel parakeet",
    "animal": "dog cat budgie parrot hamster tortoise rabbit horse pony cow goat sheep pig bird",
    "vehicle": "car van motorcycle motorbike bike bicycle truck lorry scooter moped",
    "instrument": "guitar piano violin bugle trumpet flute drums cello saxophone clarinet",
    "relative": "grandma grandpa grandmother grandfather mother father aunt uncle cousin sister",
}
"""Words that ask for one of some things; what is asked for by one may be any of them."""
_OTHER: Final = (
    "new newer next second third fourth fifth other another different instead replacement after "
    "colour color price cost breed age size weight brand model phone email address length height "
    "width depth duration reason author owner teacher vet speed salary wage diameter capacity "
    "brother sister mother father mum mom dad parent cousin friend neighbour neighbor colleague "
    "boss wife husband daughter son uncle aunt grandmother grandfather grandma grandpa nephew "
    "niece partner roommate flatmate classmate coworker brother-in-law sister-in-law twin "
    "red blue green yellow black white brown orange purple pink grey gray silver gold"
)
_STARTS: Final = re.compile(
    r"\b(?P<word>why|how come|when|where|who|whom|whose|how many|how much|how often|how long|"
    r"how old|how far|what time|what day|what date|which day|which date|what year|which year|"
    r"what month|which month|what|which|how)\b"
)
_PARTICULAR: Final = re.compile(r"([\w-]+)['’]s?(?!\w)|(?<=[\w,;:] )([A-Z][\w-]*)")
_DATE_OF: Final = re.compile(r"\b(?:date|day) (?:of|did|was|is|for)\b")
_YES_NO: Final = re.compile(r"(?:is|are|was|were|do|does|did|has|have|had|will|can|could)\b")
_BY_THEN: Final = re.compile(r"^(?:by|at|around) the time of [^,]+, (?=\w)", re.IGNORECASE)
"""When a question is about: it asks for something else."""
_OF_TWO: Final = re.compile(
    r"\b(?:between|difference|exceed|apart|together|in total|than|(?:days|weeks|months) after|"
    r"came (?:first|last))\b"
)
_OPTIONS: Final = re.compile(r"\s\(?A[.)]\s.*\sB[.)]\s.*$|\s\(?A\)\s.*$", re.DOTALL)
_DATES: Final = frozenset(
    {"when", "what time", "what day", "what date", "which day", "which date"}
    | {"what year", "which year", "what month", "which month"}
)
_NUMBERS: Final = frozenset({"how many", "how much", "how long", "how old", "how far", "how often"})
_ROOT: Final = 5
"""Letters from which on one stem that begins another is a form of it."""
_SHARED: Final = 6
"""Letters with which two stems begin that are forms of one word."""


def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for at, line in enumerate(_ALIKE):
        for word in key_words(line):
            found.setdefault(word, set()).add(at)
    return {word: frozenset(groups) for word, groups in found.items()}


_GROUPS: Final = _groups()
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
GENERAL: Final = _NO_CONTENT | key_words("price cost costs rate number place amount")
"""Words of a property that say little of which one it is."""
_AGE: Final = key_words("age")
_APART: Final = key_words(_OTHER)


@dataclass(frozen=True)
class Asked:
    """What a question asks for.

    Attributes:
        words: Its key words, without those that any question may have.
        all_words: The same with those that any question may have.
        kind: `why`, `date`, `number`, `place`, `person`, or empty for any other.
        yes_no: Whether it asks for yes or no.
        of_two: Whether it asks for two things together, e.g. what lies between them.
        particular: Those of its words that name or own something, beside its first word: of
            "What is the dog of Nadia's brother called?", Nadia.
    """

    words: frozenset[str]
    all_words: frozenset[str]
    kind: str
    yes_no: bool
    of_two: bool
    particular: frozenset[str]


@lru_cache(maxsize=1 << 12)
def asked_in(question: str) -> Asked:
    """What a question asks for."""
    question = _BY_THEN.sub("", question.lower() if question.isupper() else question)
    text = normalise(question)
    found = _STARTS.search(text)
    words = key_words(_OPTIONS.sub("", question)) | (_AGE if "how old" in text else frozenset())
    return Asked(
        words=words - _NO_CONTENT,
        all_words=words,
        kind=_kind(found["word"] if found else "") or ("date" if _DATE_OF.search(text) else ""),
        yes_no=_YES_NO.match(text) is not None,
        of_two=_OF_TWO.search(text) is not None,
        particular=key_words(" ".join(each.group() for each in _PARTICULAR.finditer(question))),
    )


def _kind(word: str) -> str:
    if word in _DATES:
        return "date"
    if word in _NUMBERS:
        return "number"
    kinds = {"why": "why", "how come": "why", "where": "place", "who": "person", "whom": "person"}
    return kinds.get(word, "")


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
