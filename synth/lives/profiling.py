"""Who speaks in a life, summed up from what they say of themselves (Mem-Gallery A.2.3)."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Profile
from memassay.synth.lives.bridging.seams import spoken_by
from memassay.synth.lives.findings import profile_says
from memassay.synth.lives.life import Life
from memassay.synth.lives.tasks import life_profile

_MOST: Final = 6
"""Sentences of a summary, at most (our choice)."""
_SHOWN: Final = 60
"""Sentences that a model is shown, at most (our choice)."""
_WORDS: Final = (4, 22)
"""Fewest and most words of a sentence that is clear by itself."""
_SENTENCE: Final = re.compile(r"[^.!?…]+[.!?…]+")
_NOTE: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_I: Final = r"\bI(?: am|['’]m)(?: (?:also|still|really))?"
_OF_ONESELF: Final = (
    # What somebody is, does and where they live; then who belongs to them; then what they like.
    re.compile(
        rf"{_I} an? (?!little\b|bit\b|fan\b|huge\b|lot\b|few\b|couple\b|beginner\b)\w+"
        r"|\bI (?:work (?:as|at|in|for|with)|live (?:in|with|near)|study|teach|grew up|was born|"
        r"come from)\b|\b[Mm]y (?:name|job|profession|hometown|major|thesis|research) is\b",
    ),
    re.compile(
        r"\b[Mm]y (?:\w+ )?(?:wife|husband|partner|son|daughter|kids|children|mother|father|mom|"
        r"dad|sister|brother|dog|cat|grandmother|grandfather|roommate|boyfriend|girlfriend)"
        r"(?:['’]s name)? (?:is|are|has|have|works|work|lives|live|studies|and I)\b"
        r"|\bI have an? (?:\w+ )?(?:wife|husband|son|daughter|sister|brother|dog|cat|twin|garden)\b"
    ),
    re.compile(
        r"\bI(?:['’]ve)? (?:(?:really |always |usually |often |also )?(?:love|enjoy|hate) \w+ing|"
        r"always (?:loved|enjoyed)|play the|collect|speak|dream of)\b"
    ),
)
_UNCLEAR: Final = (
    # How a sentence begins that goes on from another one.
    re.compile(
        r"\A\W*(?:it|this|that|these|those|they|he|she|so|but|and|also|then|which|yes|no|or|"
        r"because|exactly|true|right)\b",
        re.IGNORECASE,
    ),
    # When it was said, and what or whom it points to.
    re.compile(
        r"\b(?:today|yesterday|tomorrow|tonight|just|now|last|next|earlier|currently|this|that|it|"
        r"those|these|here|there|your|you|one|him|her|them)\b",
        re.IGNORECASE,
    ),
    # What is asked, denied or only thought of.
    re.compile(r"\b(?:actually|not|if|would|could|might|maybe)\b|n['’]t\b|\?", re.IGNORECASE),
)
"""What needs the sentences around it, or its day, to be understood."""


class _Sentence(NamedTuple):
    """A sentence of the user.

    Attributes:
        rank: How much it says of who they are, 0 the most.
        at: Its place in the conversation.
        session: Position of its session.
        text: The sentence.
    """

    rank: int
    at: int
    session: int
    text: str


def add_profile(life: Life, context: StageContext, *, by_model: bool = False) -> Life:
    """A life whose user has a profile: sentences in which they say who they are.

    A summary that is there already stays, and so does a life whose user never says who they are.
    Without a model the summary quotes the sentences. A model's summary that says more
    than the user did is reported and not used.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    bundle = life.bundle
    who = spoken_by(bundle.conversation.rounds(), opening=True)
    known = {one.id for one in bundle.conversation.speakers if one.profile and one.profile.summary}
    said = (
        list(_self_descriptions(bundle, who[0])) if who is not None and who[0] not in known else []
    )
    if who is None or not said:
        return life
    profile = Profile(summary=_summary(said))
    if by_model:
        profile = _by_model(bundle, said, context) or profile
    speakers = [
        one.model_copy(update={"profile": profile}) if one.id == who[0] else one
        for one in bundle.conversation.speakers
    ]
    talk = bundle.conversation.model_copy(update={"speakers": speakers})
    return Life(bundle.model_copy(update={"conversation": talk}), life.alterations)


def _self_descriptions(bundle: Bundle, user: str) -> Iterator[_Sentence]:
    """Sentences in which the user says who they are, in order; no sentence twice.

    Sessions that were added on purpose, with things that are taken back later, say nothing here.
    """
    taken: set[str] = set()
    at = 0
    for session in bundle.conversation.sessions:
        if (session.origin or "").startswith("extension"):
            continue
        turns = [turn for one in session.rounds for turn in one.turns if turn.speaker == user]
        for text in (found.group().strip() for turn in turns for found in _sentences(turn.text)):
            at += 1
            rank = next((n for n, one in enumerate(_OF_ONESELF) if one.search(text)), None)
            fits = _WORDS[0] <= len(_NOTE.findall(text)) <= _WORDS[1]
            if rank is None or not fits or not is_clear(text) or text in taken:
                continue
            taken.add(text)
            yield _Sentence(rank, at, session.index, text)


def is_clear(sentence: str) -> bool:
    """Whether a sentence states something and can be understood alone."""
    return not any(one.search(sentence) for one in _UNCLEAR)


def _sentences(text: str) -> Iterator[re.Match[str]]:
    return _SENTENCE.finditer(" ".join(text.split()))


def _summary(said: list[_Sentence]) -> str:
    """The sentences that say most, at most two of a session, in the order of time."""
    chosen: list[_Sentence] = []
    for one in sorted(said):
        if sum(one.session == other.session for other in chosen) < 2 and len(chosen) < _MOST:
            chosen.append(one)
    quoted = " ".join(f"“{one.text}”" for one in sorted(chosen, key=lambda one: one.at))
    return f"In their own words: {quoted}"


def _by_model(bundle: Bundle, said: list[_Sentence], context: StageContext) -> Profile | None:
    """A model's summary; None if it says more than the user did."""
    shown = [one.text for one in sorted(sorted(said)[:_SHOWN], key=lambda one: one.at)]
    name = bundle.conversation.speakers[0].name
    reply = context.write(life_profile(name, shown, record=bundle.id))
    known = {word.casefold() for one in (name, *shown) for word in _NOTE.findall(one)}
    # A name or number that the user never said is made up.
    strange = [
        word.group()
        for word in _NOTE.finditer(reply.summary)
        if (word.group()[0].isupper() or word.group()[0].isdigit())
        and word.group().casefold() not in known
        and not _begins(reply.summary, word.start())
    ]
    if strange:
        context.emit(profile_says(bundle.id, strange))
        return None
    return Profile(summary=reply.summary, traits=reply.traits, style=reply.style)


def _begins(text: str, at: int) -> bool:
    """Whether a sentence begins there."""
    return re.search(r"(?:\A|[.!?]\s)\W*\Z", text[:at]) is not None
