"""Which names the people of dialogues go by, and which of these are not the one user's."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.schemas.values.civil_time import WEEKDAYS
from memassay.synth.clusters.words import stem
from memassay.synth.lives.unifying.sentences import sentences

NAME: Final = r"\b[A-Z][a-zéáíóúñüöäçè]+(?:-[A-Z][a-z]+)?"
"""A capitalised word, which `is_name` tells from other ones."""
_GENERIC: Final = frozenset({"user", "human", "speaker", "person", "me", "customer", "you", ""})
_FULL: Final = rf"(?P<name>{NAME}(?: {NAME})?)"
_INTRODUCED: Final = (
    re.compile(rf"\b[Mm]y name(?: is|'s) {_FULL}"),
    re.compile(
        rf"\b(?:[Yy]ou can |[Pp]lease |[Jj]ust )?[Cc]all me {_FULL}(?=[.,!;]|$| and\b| if\b)"
    ),
    re.compile(rf"^(?:Hi|Hello|Hey)(?: there| again)?[,!.]* (?:I'm|I am|it's|this is) {_FULL}\b"),
    re.compile(rf"\bI(?:'m| am) {_FULL}(?:,|) (?:by the way|nice to meet)\b"),
    re.compile(rf"^{_FULL} here(?: again)?[,.!]"),
    re.compile(rf"^It's {_FULL} again\b"),
    re.compile(rf"\bI go by {_FULL}\b"),
)
_ADDRESSED: Final = re.compile(
    r"(?:^|[.!?] )(?:Hi|Hello|Hey|Dear|Welcome(?: back)?|Thanks|Thank you|You're welcome|Of course|"
    r"Certainly|Sure|Sure thing|Absolutely|Great (?:question|idea|choice|to hear)|Well done|"
    r"Good (?:morning|evening|afternoon|question|luck)|Congratulations|Nice to meet you|Got it),? "
    rf"(?P<name>{NAME})(?=[,.!?:])"
)
_FORMS_OF_ADDRESS: Final = re.compile(
    r"everybody|friends?|sir|madam|crazy|old|guys|team|folks|dad|mom|mum|buddy|assistant|bot|yes|"
    r"let|sorry|just|today|very",
    re.IGNORECASE,
)
"""What follows a greeting as a name does. Words such as `there` and `all` have no stem."""
_NATIONS: Final = re.compile(
    r"American|Canadian|British|English|Irish|Scottish|French|German|Italian|Spanish|Dutch|"
    r"Swedish|Danish|Polish|Russian|Turkish|Greek|Indian|Chinese|Japanese|Korean|Brazilian|"
    r"Mexican|Australian"
)
"""What follows `I'm` as a name does."""


@dataclass(frozen=True)
class Known:
    """A name by which somebody goes in a dialogue.

    Attributes:
        name: As it is written.
        place: Id of the turn in which they are called so; empty for the dialogue's own record.
    """

    name: str
    place: str


def people_of(member: Bundle) -> tuple[str, ...]:
    """Names of the people of a dialogue in which several speak; empty for a user's."""
    people = [one.name for one in member.conversation.speakers if one.kind is SpeakerKind.HUMAN]
    return tuple(sorted(people)) if len(people) > 1 else ()


def names_of(member: Bundle) -> list[Known]:
    """Names by which the user of a dialogue goes, in the order in which they come up."""
    users = {
        one.id: one.name for one in member.conversation.speakers if one.kind is SpeakerKind.HUMAN
    }
    recorded = [Known(one, "") for one in users.values() if one.lower() not in _GENERIC]
    found = []
    own = " ".join(one.text for one in member.conversation.turns() if one.speaker in users)
    given = introductions(own)
    for turn in member.conversation.turns():
        for text in sentences(turn.text):
            if turn.speaker in users:
                found += [Known(name, turn.id) for name in _names_in(text, _INTRODUCED)]
            else:
                # Whom the user mentions is somebody else, even if the assistant greets them.
                names = _names_in(text, (_ADDRESSED,))
                found += [Known(one, turn.id) for one in names if one in given or one not in own]
    return [*recorded, *found]


def introductions(text: str) -> list[str]:
    """Names that somebody gives as their own in a text."""
    return [name for one in sentences(text) for name in _names_in(one, _INTRODUCED)]


def _names_in(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[str]:
    for found in (found for one in patterns for found in one.finditer(text)):
        # "Call me Ben. And" has one name, though the pattern takes two capitalised words.
        if name := " ".join(takewhile(is_name, found["name"].split())):
            yield name


def is_name(word: str) -> bool:
    """Whether a capitalised word may be somebody's name: no function word, weekday or nation."""
    if _FORMS_OF_ADDRESS.fullmatch(word) or _NATIONS.fullmatch(word):
        return False
    return word not in WEEKDAYS and stem(word) != ""


def same_person(one: str, other: str) -> bool:
    """Whether two names may be one person's: `Ben`, `Benjamin Fox`."""
    if {part.lower() for part in one.split()} & {part.lower() for part in other.split()}:
        return True
    short, long = sorted((one.split()[0].lower(), other.split()[0].lower()), key=len)
    return len(short) > 2 and long.startswith(short)


def common_name(members: Sequence[Sequence[Known]]) -> str | None:
    """The name by which the users of most dialogues go; of equally common ones the first."""
    first = [known[0].name for known in members if known]
    if not first:
        return None
    return max(first, key=lambda name: sum(same_person(name, other) for other in first))


def other_names(known: Sequence[Known], name: str, aliases: Sequence[str]) -> list[Known]:
    """Names of a dialogue that are not the one that all are to have, nor another for it."""
    return [
        one
        for one in known
        if not same_person(one.name, name)
        and not any(same_person(one.name, alias) for alias in aliases)
    ]


def aliases_of(members: Sequence[Sequence[Known]], name: str) -> list[str]:
    """Names that dialogues use beside a name: `My name is Laura, but call me Lulu`."""
    return [
        one.name
        for known in members
        if any(own.place and same_person(own.name, name) for own in known)
        for one in known
        if one.place
    ]


_PRONOUNS: Final = (
    ("he", re.compile(r"\b(?:he|his|him|himself)\b", re.IGNORECASE)),
    ("she", re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)),
)


def pronouns_of(member: Bundle, names: Sequence[str]) -> frozenset[str]:
    """`he` and `she` as the questions that name somebody, and their profile, call them."""
    texts = [
        one.profile.summary
        for one in member.conversation.speakers
        if one.name in names and one.profile is not None and one.profile.summary
    ]
    texts += [
        item.question.text
        for item in member.questions
        if any(
            re.search(rf"\b{re.escape(name.split()[0])}\b", item.question.text) for name in names
        )
    ]
    return frozenset(
        pronoun for text in texts for pronoun, pattern in _PRONOUNS if pattern.search(text)
    )
