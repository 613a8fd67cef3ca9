"""Rules on who speaks: known speakers, roles that fit, and the speaker a question asks about."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import RoundKind, Speaker, SpeakerKind, Turn, TurnKind
from memassay.schemas.records.question import QAItem
from memassay.validators.places import evidence_places, evidence_turns, rounds, turns
from memassay.validators.registry import RULES, problem, question_rule
from memassay.validators.wording import key_words, sentences, tells_of_other

_FIRST_PERSON: Final = re.compile(r"\b(?:I|me|my|mine|myself|we|our|us)\b|\bI'", re.IGNORECASE)
_SECOND_PERSON: Final = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_ACTS: Final = re.compile(
    r"\b(?:did|does|do|has|have|had|is|was|can|could|will|would|should|might) (?=[A-Z])"
)
_SHARED: Final = re.compile(r"\w+(?:'s|`s|’s|s'|,| and\b| &)")
_SHORTEST_NAME: Final = 3
_SEVERAL: Final = 2
_OF_SESSION: Final = 2
"""Parts of a pointer that lead to a session."""
_LEAST_PAIRS: Final = 20
_SELDOM: Final = 10
"""Of turns by turns at most one in so many may follow one of the same speaker by mistake."""
_NAME_WORD: Final = re.compile(r"\b[A-Z][a-zà-ÿ]{2,}")
_GREETS: Final = re.compile(
    r"(?:Dear|Hi|Hey|Hello|Sorry|Thanks|Thank you|Welcome),? (?:(?:Mr|Mrs|Ms|Dr)\.? )?"
    r"([A-Z][a-zà-ÿ]{2,})(?=[,!.])"
)


@RULES.conversation("speakers.known", Severity.ERROR, "M2A layout, speaker 0 or 1")
def known(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every turn is spoken by a speaker of the conversation."""
    names = [speaker.id for speaker in bundle.conversation.speakers]
    for parts, turn in turns(bundle):
        if turn.speaker not in names:
            yield problem(
                bundle.id,
                (*parts, "speaker"),
                f"one of {', '.join(names)}",
                turn.speaker,
                "add the speaker, or name the right one",
            )


@RULES.conversation("speakers.roles", Severity.WARNING, "Mem-Gallery and WorldMemArena layouts")
def roles(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """An exchange is a human's turn and an assistant's, an utterance is one turn, in that order."""
    kinds = {speaker.id: speaker.kind for speaker in bundle.conversation.speakers}
    for parts, round_ in rounds(bundle):
        spoken = [kinds.get(turn.speaker) for turn in round_.turns]
        if round_.kind is RoundKind.EXCHANGE and spoken != [
            SpeakerKind.HUMAN,
            SpeakerKind.ASSISTANT,
        ]:
            wanted = "a human's turn and then an assistant's"
        elif round_.kind is RoundKind.UTTERANCE and len(spoken) != 1:
            wanted = "one turn"
        else:
            continue
        got = ", ".join(str(kind) for kind in spoken)
        yield problem(
            bundle.id, (*parts, "turns"), wanted, got, "split the round or join its parts"
        )


@RULES.conversation("speakers.actions", Severity.ERROR, "WorldMemArena 4, agent steps")
def actions(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """A turn has an action exactly when its kind is action."""
    for parts, turn in turns(bundle):
        if (turn.action is not None) != (turn.kind is TurnKind.ACTION):
            yield problem(
                bundle.id,
                (*parts, "kind"),
                "kind action exactly with an action",
                turn.kind,
                "name the action, or correct the kind",
            )


@RULES.conversation("speakers.silent", Severity.WARNING, "Mem-Gallery layout, empty rounds")
def silent(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Every turn says, shows or does something."""
    for parts, turn in turns(bundle):
        if not turn.text.strip() and not turn.attachments and turn.action is None:
            yield problem(
                bundle.id,
                (*parts, "text"),
                "words, an image or an action",
                turn.text,
                "drop the turn, or restore what was said; readers drop empty rounds silently",
            )


@RULES.conversation("speakers.turns", Severity.WARNING, "LoCoMo data, two people by turns")
def by_turns(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Where two people speak by turns, none of them speaks twice in a row."""
    if len(bundle.conversation.speakers) != _SEVERAL:
        return
    pairs = [
        (before, after)
        for before, after in pairwise(turns(bundle))
        if before[0][:_OF_SESSION] == after[0][:_OF_SESSION]
    ]
    same = [pair for pair in pairs if pair[0][1].speaker == pair[1][1].speaker]
    if len(pairs) >= _LEAST_PAIRS and len(same) * _SELDOM <= len(pairs):
        for (_, before), (parts, after) in same:
            expected = f"another speaker than that of {before.id}"
            fix = "give the turn to the one who says it"
            yield problem(bundle.id, (*parts, "speaker"), expected, after.speaker, fix)


@RULES.conversation("speakers.addressed", Severity.WARNING, "our choice: names of the history")
def addressed(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
    """Whom a turn greets by name is somebody whom the history names elsewhere."""
    greeted = [
        (parts, found[1])
        for parts, turn in turns(bundle)
        if (found := _GREETS.match(turn.text)) is not None
    ]
    if not greeted:
        return
    times = Counter(name for _, name in greeted)
    names = (each.name for each in bundle.conversation.speakers)
    texts = (turn.text for _, turn in turns(bundle))
    said = Counter(word for text in (*names, *texts) for word in _NAME_WORD.findall(text))
    for parts, name in greeted:
        short = name[: max(_SHORTEST_NAME, len(name) - 1)]
        known = any(
            word.startswith(short) or name.startswith(word) for word in said if word != name
        )
        if said[name] <= times[name] and not known:
            fix = "call the other one by the name that they have"
            yield problem(bundle.id, (*parts, "text"), "a name of the history", name, fix)


def _names(speaker: Speaker) -> "re.Pattern[str]":
    """Matches the first name of a speaker, or a short form of it (`Mel` for Melanie)."""
    first = speaker.name.split()[0] if speaker.name.split() else speaker.id
    start, rest = first[:_SHORTEST_NAME], first[_SHORTEST_NAME:]
    optional = "".join(f"(?:{re.escape(letter)}" for letter in rest) + ")?" * len(rest)
    return re.compile(rf"\b{re.escape(start)}{optional}(?:'s)?\b")


def _asked_about(bundle: Bundle, item: QAItem) -> Speaker | None:
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


def _misattributed(bundle: Bundle, item: QAItem) -> tuple[Speaker, list[Turn]] | None:
    """The speaker asked about and the evidence, if all of it is spoken by others."""
    speaker, cited = _asked_about(bundle, item), evidence_turns(bundle, item)
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


def _said_by(bundle: Bundle, speaker: Speaker, gold: frozenset[str]) -> bool:
    """Whether one turn of a speaker holds all of the gold."""
    return any(
        gold <= key_words(turn.text)
        for turn in bundle.turn_by_id.values()
        if turn.speaker == speaker.id
    )


def _is_mistaken(bundle: Bundle, item: QAItem, speaker: Speaker, cited: list[Turn]) -> bool:
    gold = key_words(" ".join(item.answer.values))
    return (
        bool(gold) and _of_themselves(speaker, cited, gold) and not _said_by(bundle, speaker, gold)
    )


@question_rule(
    "speakers.mistaken",
    Severity.ERROR,
    "LoCoMo data, answers in the other speaker's mouth",
    applies=lambda item: item.answerable,
)
def mistaken(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """The answer about one speaker is not what another speaker says of themselves."""
    found = _misattributed(bundle, item)
    if found is not None and _is_mistaken(bundle, item, *found):
        speaker, cited = found
        names = {each.id: each.name for each in bundle.conversation.speakers}
        others = sorted({names.get(turn.speaker, turn.speaker) for turn in cited})
        yield problem(
            item.id,
            ("question", "text"),
            f"a question about {', '.join(others)}, who says “I” there",
            speaker.name,
            "ask about the one who says it",
        )


@question_rule(
    "speakers.cited",
    Severity.WARNING,
    "LoCoMo data, evidence of the other speaker",
    applies=lambda item: item.answerable,
)
def cited(bundle: Bundle, item: QAItem, _context: RuleContext) -> Iterator[Problem]:
    """A question about one speaker cites at least one turn of that speaker."""
    found = _misattributed(bundle, item)
    told = found is not None and any(tells_of_other(turn.text) for turn in found[1])
    if found is not None and not told and not _is_mistaken(bundle, item, *found):
        yield problem(
            item.id,
            ("evidence", "canonical"),
            f"a turn of {found[0].name}",
            evidence_places(item),
            "check who the question asks about; cite the speaker's own words",
        )
