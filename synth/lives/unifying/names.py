"""By what names the people of dialogues go, and what has to be another name for one user."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind
from memassay.synth.lives.unifying.reading.claims import sentences
from memassay.synth.lives.unifying.reading.wording import NAME

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
_NO_NAMES: Final = re.compile(
    r"(?:There|All|Again|Everyone|Everybody|Friends?|Sir|Madam|Ma|Old|Crazy|Back|Yes|No|And|But|So|"
    r"Let|Here|This|That|The|It|In|To|For|Please|Sorry|Guys|Team|Folks|Dad|Mom|Mum|Also|Just|Now|"
    r"Today|Then|Assistant|Bot|Buddy|Well|Very|American|Canadian|British|English|Irish|Scottish|"
    r"French|German|Italian|Spanish|Dutch|Swedish|Danish|Polish|Russian|Turkish|Greek|Indian|"
    r"Chinese|Japanese|Korean|Brazilian|Mexican|Australian|Catholic|Muslim|Jewish|Buddhist)"
)


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
    told = " ".join(one.text for one in member.conversation.turns() if one.speaker in users)
    given = introductions(told)
    for turn in member.conversation.turns():
        for text in sentences(turn.text):
            if turn.speaker in users:
                found += [Known(name, turn.id) for name in _introduced(text)]
            else:
                # Whom the user speaks of is somebody else, even if the assistant greets them.
                names = [one for one in _addressed(text) if one in given or one not in told]
                found += [Known(name, turn.id) for name in names]
    read = [one for one in found if not _NO_NAMES.fullmatch(one.name.split()[0])]
    return [*recorded, *read]


def introductions(text: str) -> list[str]:
    """Names that somebody gives as their own in a text."""
    return [name for one in sentences(text) for name in _introduced(one)]


def _introduced(text: str) -> Iterator[str]:
    return (found["name"] for one in _INTRODUCED for found in one.finditer(text))


def _addressed(text: str) -> Iterator[str]:
    return (found["name"] for found in _ADDRESSED.finditer(text))


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


def foreign(known: Sequence[Known], name: str, aliases: Sequence[str]) -> list[Known]:
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
