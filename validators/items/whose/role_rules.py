"""Rules on roles: who tells of themselves is the person, and who answers them the assistant."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import RoundKind, SpeakerKind
from memassay.validators.places import rounds
from memassay.validators.registry import RULES, problem

_COURTESY: Final = re.compile(
    r"\b(?:I can (?:see|imagine|recommend|help|hear|tell)"
    r"|I(?:['’]d| would) (?:recommend|say|go|love|suggest|choose|pick|be)"
    r"|I (?:agree|see|love|imagine|recommend|suggest|understand|remember|know|think|believe|hope"
    r"|bet|totally|completely)|I(?:['’]m|['’]ll| will| am) (?:remember|keep|note|glad|happy|here"
    r"|sure|excited|sorry|so|always)"
    r"|let me|as far as I know|the moment I \w+|\w+ my eye"
    r"|my (?:pleasure|recommendation|suggestion|goodness|top|advice|pick))\b",
    re.IGNORECASE,
)
"""How an assistant says "I" without telling of a life of its own."""
_SELF: Final = re.compile(
    r"\b(?:I|my|mine|myself|I['’](?:m|ve|d|ll))\b|\bwe (?:went|took|had|saw|found|bought)\b"
)
_OTHER: Final = re.compile(r"\b(?:you|your|yours|you['’](?:re|ve|d|ll))\b", re.IGNORECASE)
_ANSWERS: Final = re.compile(
    r"\W*(?:that(?:['’]s| sounds| is| must| makes)|what a|great|good|got it|exactly|perfect|sounds"
    r"|wow|absolutely|definitely|congrat\w*|of course|sure|you(?:['’]re|['’]ve| could| can| might)"
    r"|a |the |it(?:['’]s| sounds)|oh|beautiful|lovely|nice|wonderful|excellent|fantastic|indeed"
    r"|well done|yes|ah)\b",
    re.IGNORECASE,
)
_EXCHANGE: Final = [SpeakerKind.HUMAN, SpeakerKind.ASSISTANT]


@RULES.conversation("roles.exchanged", Severity.WARNING, "Mem-Gallery data, turns exchanged")
def exchanged(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """In no exchange the assistant tells of itself what the person answers.

    Where a world is simulated, assistants have opinions in the first person, and roles are drawn.
    """
    if bundle.facts:
        return
    speakers = {each.id: each for each in bundle.conversation.speakers}
    for parts, each in rounds(bundle):
        spoken = [speakers[turn.speaker] for turn in each.turns if turn.speaker in speakers]
        if each.kind is RoundKind.DOCUMENT or [one.kind for one in spoken] != _EXCHANGE:
            continue
        first = spoken[0].name.split()[0] if spoken[0].name.split() else ""
        person, assistant = (turn.text for turn in each.turns)
        if _is_exchanged(person, assistant, first):
            yield problem(
                bundle.id,
                (*parts, "turns"),
                f"in {bundle.id}/{each.id} a person who tells, and an assistant who answers",
                assistant,
                "exchange the texts of the two turns",
            )


def _is_exchanged(person: str, assistant: str, name: str) -> bool:
    """Whether only the assistant tells of itself, and the person answers it."""
    told = _count(_SELF, _COURTESY.sub(" ", assistant))
    addressed = _count(_OTHER, assistant)
    if not told or _count(_SELF, _COURTESY.sub(" ", person)):
        return False
    calls = bool(name) and name in person and name not in assistant
    speaks_to = _OTHER.search(person) is not None
    answers = _ANSWERS.match(person) is not None and not person.rstrip().endswith("?")
    return (
        calls
        or (speaks_to and not addressed)
        or (told > addressed and (answers or speaks_to or not _ANSWERS.match(assistant)))
    )


def _count(words: "re.Pattern[str]", text: str) -> int:
    return len(words.findall(text))
