"""Rule on the speaker whom a question asks about: the cited turns have one of that speaker."""

import re
from collections.abc import Iterator
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Speaker, SpeakerKind, Turn
from memassay.schemas.records.question import QAItem
from memassay.validators.places import evidence_places, evidence_turns
from memassay.validators.registry import problem, question_rule
from memassay.validators.wording import key_words, sentences, tells_of_other

_FIRST_PERSON: Final = re.compile(r"\b(?:I|me|my|mine|myself|we|our|us)\b|\bI'", re.IGNORECASE)
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_ACTS: Final = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|can|could|will|would|should|might) (?=[A-Z])"
)
_SHARED: Final = re.compile(r"\w+(?:'s|`s|’s|s'|,| and\b| &)")
_SHORTEST_NAME: Final = 3
_SEVERAL: Final = 2


def _names(speaker: Speaker) -> "re.Pattern[str]":
    """Matches the first name of a speaker, or a short form of it (`Mel` for Melanie)."""
    first = speaker.name.split()[0] if speaker.name.split() else speaker.id
    start, rest = first[:_SHORTEST_NAME], first[_SHORTEST_NAME:]
    optional = "".join(f"(?:{re.escape(letter)}" for letter in rest) + ")?" * len(rest)
    return re.compile(rf"\b{re.escape(start)}{optional}(?:'s)?\b")


def _speaker_in_question(bundle: Bundle, item: QAItem) -> Speaker | None:
    """The human speaker that a question asks about: the one it names, or of several its subject."""
    text = item.question.text
    humans = [each for each in bundle.conversation.speakers if each.kind is SpeakerKind.HUMAN]
    named = [each for each in humans if _names(each).search(text)]
    if len(humans) < _SEVERAL or not named:
        return None
    return named[0] if len(named) == 1 else _subject(named, text)


def _subject(named: list[Speaker], text: str) -> Speaker | None:
    """Of several people in a question the one who acts: "What did Ann give to Ben?" is of Ann.

    None for "What did Ann and Ben do?" and for what belongs to somebody ("Ann's friend").
    """
    found = _ACTS.search(text)
    words = text[found.end() :] if found else ""
    first = [each for each in named if _names(each).match(words)]
    return first[0] if len(first) == 1 and not _SHARED.match(words) else None


def _misattribution(bundle: Bundle, item: QAItem) -> tuple[Speaker, list[Turn]] | None:
    """The speaker asked about and the evidence, if all of it is spoken by others."""
    speaker, cited = _speaker_in_question(bundle, item), evidence_turns(bundle, item)
    if speaker is None or not cited or any(turn.speaker == speaker.id for turn in cited):
        return None
    others = [each for each in bundle.conversation.speakers if each.id != speaker.id]
    told = " ".join(item.answer.values)
    if any(_names(each).search(told) for each in others):  # "Who invited Ann?" "Ben."
        return None
    return speaker, cited


def _of_themselves(speaker: Speaker, cited: list[Turn], gold: frozenset[str]) -> bool:
    """Whether a cited sentence holds the whole gold and its speaker speaks of themselves.

    "I" without "you" and without the name asked about: the sentence is about its speaker.
    """
    return any(
        gold <= key_words(sentence)
        and _FIRST_PERSON.search(sentence)
        and not _SECOND_PERSON.search(sentence)
        and not _names(speaker).search(sentence)
        for turn in cited
        for sentence in sentences(turn.text)
    )


@question_rule(
    "speakers.cited",
    Severity.WARNING,
    "LoCoMo data, evidence of the other speaker and answers in the other speaker's mouth",
    applies=lambda item: item.answerable,
)
def own_turn(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question about one speaker cites at least one turn of that speaker."""
    found = _misattribution(bundle, item)
    if found is None:
        return
    speaker, cited = found
    gold = key_words(" ".join(item.answer.values))
    if gold and _of_themselves(speaker, cited, gold):
        names = {each.id: each.name for each in bundle.conversation.speakers}
        others = sorted({names.get(turn.speaker, turn.speaker) for turn in cited})
        yield problem(
            item.id,
            ("question", "text"),
            f"a question about {', '.join(others)}, who says “I” there",
            speaker.name,
            "ask about the one who says it",
        )
    elif not any(tells_of_other(turn.text) for turn in cited):
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"a turn of {speaker.name}",
            evidence_places(item),
            "check who the question asks about; cite the speaker's own words",
        )
