"""What somebody says of themselves in a dialogue: claims, and the sentences that they stand in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import SpeakerKind

USER: Final = "user"
"""The person of a dialogue that has one only."""

_BREAK: Final = re.compile(r"(?<=[.!?…;])[\"')\]]*\s+|\n+")
_QUOTED: Final = re.compile(
    r"[\"“«][^\"”»\n]{0,400}[\"”»]|^>.*$|"
    # In single ones an apostrophe stands within a word.
    r"(?:^|(?<=[\s(,:]))'(?=[A-Za-z])(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w)",
    re.MULTILINE,
)
_UNREAL: Final = re.compile(
    r"\b(?:imagine|suppose|pretend|dream|dreamed|dreamt|"
    r"character|novel|role-?play|story|hypothetical|kidding|joking|jokes?)\b",
    re.IGNORECASE,
)
"""What makes a whole sentence a wish or a game."""
_IF: Final = re.compile(
    r"\b(?:if|wish|wishes|wished|would be|as though|as if|feels? like I|felt like I|someday|"
    r"one day|hopefully|unless|should have|might have|I'd (?:call|be|have|like|love|rather|"
    r"never))\b",
    re.IGNORECASE,
)
"""What makes a part of a sentence a wish or a condition."""
_PART: Final = re.compile(r"(?<=[,;:–—])\s+")


@dataclass(frozen=True)
class Told:
    """One sentence in which a person speaks.

    Attributes:
        person: Who speaks: `user`, or the name where several people do.
        turn: Id of the turn.
        text: The sentence, without what it quotes.
        day: `When` the session was, if it is known.
        words: The sentence as it stands, where `text` was put into the first person.
    """

    person: str
    turn: str
    text: str
    day: str | None
    words: str = ""

    @property
    def quote(self) -> str:
        """The sentence as people find it."""
        return self.words or self.text


@dataclass(frozen=True)
class Claim:
    """What a sentence says of its speaker.

    Attributes:
        topic: What about: `home`, `name of the dog`, `brothers`.
        values: What it may be; claims of one topic that share no value contradict each other.
        told: The sentence.
        family: Topics that one event changes together: a move, a new job.
        weak: Contradicts only claims that are not weak.
        recent: What it says has just become so.
    """

    topic: str
    values: frozenset[str]
    told: Told
    family: str
    weak: bool = False
    recent: bool = False


@dataclass(frozen=True)
class Said:
    """A claim as its reader finds it, without the sentence."""

    topic: str
    values: frozenset[str]
    family: str
    weak: bool = False
    recent: bool = False


def said(topic: str, family: str, *values: str, weak: bool = False, recent: bool = False) -> Said:
    """A claim that a topic has one of these values."""
    return Said(topic, frozenset(values), family, weak, recent)


def told_in(bundle: Bundle) -> Iterator[Told]:
    """Every sentence that a person says as true of the world of the dialogue, in time order."""
    people = {
        one.id: one.name for one in bundle.conversation.speakers if one.kind is SpeakerKind.HUMAN
    }
    for session in bundle.conversation.sessions:
        for round_ in session.rounds:
            for turn in round_.turns:
                if turn.speaker in people:
                    person = people[turn.speaker] if len(people) > 1 else USER
                    for text in sentences(turn.text):
                        if real := _real(text):
                            day = session.date_of(round_)
                            yield Told(person, turn.id, real, day, text if real != text else "")


def _real(text: str) -> str:
    """A sentence without the parts of it that are wishes or conditions."""
    if _UNREAL.search(text):
        return ""
    if not _IF.search(text):
        return text
    return " ".join(part for part in _PART.split(text) if not _IF.search(part))


PROFILE: Final = "profile"
"""Place of what a profile says."""

_THIRD: Final = (
    (re.compile(r"\b(?:who|and) (?=(?:is|has|lives|works|was|grew|eats|owns|teaches)\b)"), "; I "),
    (re.compile(r"(?:^|(?<=[.;!] ))(?:He|She|They)\b"), "I"),
    (re.compile(r"\bI is\b"), "I am"),
    (re.compile(r"\bI has\b"), "I have"),
    (re.compile(r"\bI (live|work|own|eat|play|drive|paint)s\b"), r"I \1"),
    (re.compile(r"\bI teaches\b"), "I teach"),
    (re.compile(r"\b(?:his|her|their)\b"), "my"),
    (re.compile(r"\ban? (?=(?:husband|wife|son|daughter|brother|sister|cat|dog)\b)"), "my "),
)


def profiled(bundle: Bundle) -> list[Told]:
    """The profile of a dialogue's only person, as if they told it themselves."""
    people = [one for one in bundle.conversation.speakers if one.kind is SpeakerKind.HUMAN]
    if len(people) != 1 or people[0].profile is None or not people[0].profile.summary:
        return []
    names = [people[0].name, *people[0].name.split()[:1]]
    who = re.compile(rf"^(?:{'|'.join(re.escape(one) for one in names if one) or '(?!)'})\b(?!')")
    found = []
    for words in sentences(people[0].profile.summary):
        text = who.sub("I", words)
        for pattern, mine in _THIRD:
            text = pattern.sub(mine, text)
        found.append(Told(USER, PROFILE, text, None, words))
    return found


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, without what they quote."""
    plain = _QUOTED.sub("…", text.replace("’", "'"))
    for part in _BREAK.split(plain):
        if part and part.strip():
            yield " ".join(part.split())
