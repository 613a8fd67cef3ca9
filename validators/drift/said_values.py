"""Values that somebody gives for a property, and whether the ledger knows them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactStatus, ValueType
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import content_tokens, tokens
from memassay.validators.drift.spoken_dates import spoken_dates

_PRONOUN: Final = frozenset({"his", "her", "their", "its", "my", "your", "our", "the", "a", "an"})
_OWN: Final = frozenset({"my", "your", "i", "you", "me", "mine", "yours", "our"})
_GIVES: Final = re.compile(
    r"^(?:,? (?:is|was|are|were|has always been|had been|has been|stayed at|remained|came to|"
    r"comes to|stands at|stood at|equals|at|of|as|to be)\b|:)"
)
_GIVEN: Final = re.compile(r"(?:\bas|\bwhich (?:is|was)|\bthat (?:is|was))(?: \S+){0,4} $")
_NO_VALUE: Final = re.compile(
    r"^(?:on|in|at|by|for|from|to|with|because|what|how|why|where|when|so|too|very|still|not|"
    r"\w+(?:ed|en) (?:by|in|on|to|from|with|for|of|at))\b"
)
_NOT: Final = re.compile(r"\b(?:not|instead of|rather than|never|no longer) $")


_SAME: Final = 0.7
"""Share of a value's words that must be said for it to be given."""


@dataclass(frozen=True)
class Property:
    """A property of somebody or something with every value it ever has.

    Attributes:
        owner: What its subject is called; empty for the user.
        words: Tokens of the attribute without pronouns.
        facts: Its facts.
    """

    owner: str
    words: tuple[str, ...]
    facts: tuple[Fact, ...]


class Properties:
    """The properties a ledger states, as sentences can name them."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a history."""
        self.bundle = bundle

    @cached_property
    def by_last_word(self) -> Mapping[str, list[Property]]:
        """Properties by the last word of their attribute, so that few are tried per sentence."""
        names = {key: name for event in self.bundle.events for key, name in event.names.items()}
        groups: dict[tuple[str, str], list[Fact]] = {}
        for fact in self.bundle.facts:
            if fact.status is FactStatus.ASSERTED and fact.order is None:
                groups.setdefault((fact.subject, fact.attribute), []).append(fact)
        found: dict[str, list[Property]] = {}
        for (subject, attribute), facts in groups.items():
            words = tuple(one for one in tokens(attribute) if one not in _PRONOUN)
            owner = "" if subject == "user" else names.get(subject)
            if words and owner is not None:
                found.setdefault(words[-1], []).append(Property(owner, words, tuple(facts)))
        return found

    @cached_property
    def _titles(self) -> list[str]:
        return [event.title.lower() for event in self.bundle.events]

    def wrong_values(self, sentence: str, *, owned: bool = False) -> Iterator[tuple[Property, str]]:
        """Properties a sentence names with a value that the ledger does not have for them.

        The title of an event can hold the name of a property; a sentence about the event is then
        none about the property.

        Args:
            sentence: A sentence of a turn or of a picture.
            owned: Whether what has no owner in it is the user's, as in the user's own picture.
        """
        for one, place in self._places(sentence, owned=owned):
            wrong = _wrong_value(one, sentence, place)
            if wrong is not None:
                yield one, wrong

    def _places(self, sentence: str, *, owned: bool) -> Iterator[tuple[Property, tuple[int, int]]]:
        """The properties that a sentence names, outside titles of events, with their places."""
        said = tokens(sentence)
        for word in dict.fromkeys(said):
            for one in self.by_last_word.get(word, ()):
                place = _place_of(one, sentence, said, owned=owned)
                if place is not None and not self._in_title(sentence, place[0]):
                    yield one, place

    def _in_title(self, sentence: str, place: int) -> bool:
        """Whether a place in a sentence is inside the title of an event."""
        found = ((sentence.lower().find(title), len(title)) for title in self._titles)
        return any(0 <= at <= place < at + size < at + len(sentence) for at, size in found)


def _place_of(
    one: Property, sentence: str, said: list[str], *, owned: bool
) -> tuple[int, int] | None:
    """Where a sentence names a property in full, with its owner; None where it does not."""
    by_name = set(tokens(one.owner)) <= set(said)
    owns = by_name if one.owner else owned or bool(_OWN & set(said))
    if not owns or not set(one.words) <= set(said):
        return None
    found = _in_full(one.words).search(sentence.lower())
    return found.span() if found else None


@text_cache(1 << 12)
def _in_full(words: tuple[str, ...]) -> re.Pattern[str]:
    """The words of an attribute in their order; pronouns may come between them."""
    between = r"[\s,'-]+(?:(?:" + "|".join(sorted(_PRONOUN)) + r")\s+)?"
    pattern = between.join(re.escape(word) + r"(?:'s)?" for word in words)
    return re.compile(rf"(?<!\w){pattern}(?!\w)")


def _wrong_value(one: Property, sentence: str, place: tuple[int, int]) -> str | None:
    """The value a sentence gives for a property where it is none of the property's."""
    kind = one.facts[0].value.type
    if kind is ValueType.DATE:
        given = [(each.day.isoformat(), each.start) for each in spoken_dates(sentence)]
    elif kind is ValueType.NUMBER or _is_clock(one.facts[0].value.text):
        given = _numbers(sentence, one.facts[0], place)
    else:
        return _wrong_words(one, sentence, place)
    right = {fact.value.text for fact in one.facts}
    stated = [(text, at) for text, at in given if not _NOT.search(sentence[:at])]
    if stated and not any(text in right for text, _ in stated):
        return stated[0][0]
    return None


def _is_clock(text: str) -> bool:
    return re.fullmatch(r"[0-2]?[0-9]:[0-5][0-9]", text) is not None


def _numbers(sentence: str, like: Fact, place: tuple[int, int]) -> list[tuple[str, int]]:
    """Numbers of the fact's unit outside the words that name it, with their places."""
    if _is_clock(like.value.text):
        pattern = r"(?<![\d:])[0-2]?[0-9]:[0-5][0-9](?![\d:])"
    else:
        unit = rf"\s?{re.escape(like.value.unit)}(?!\w)" if like.value.unit else r"(?![\w%:])"
        pattern = rf"(?<![\w.,:-])([0-9]+(?:\.[0-9]+)?){unit}"
    found = [(match[match.re.groups], match.start()) for match in re.finditer(pattern, sentence)]
    return [(text, at) for text, at in found if not place[0] <= at < place[1]]


def _wrong_words(one: Property, sentence: str, place: tuple[int, int]) -> str | None:
    before, after = sentence[: place[0]], sentence[place[1] :]
    given = _GIVES.match(after)
    if given is not None:
        value = re.split(r"[.;!?]|, ", after[given.end() :].strip(" :"))[0]
    elif _GIVEN.search(before):
        value = before
    else:
        return None
    if _NO_VALUE.match(value.lower()):
        return None
    words = set(content_tokens(value))
    for fact in one.facts:
        right = set(content_tokens(fact.value.text))
        if not right or len(right & words) >= _SAME * len(right):
            return None
    return value.strip() or None
