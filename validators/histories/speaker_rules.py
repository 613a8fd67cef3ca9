"""Rules on who speaks: known speakers, roles that fit, turns by turns."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import RoundKind, SpeakerKind, TurnKind
from memassay.validators.places import rounds, turns
from memassay.validators.registry import RULES, problem

_PAIR: Final = 2
_OF_SESSION: Final = 2
"""Parts of a pointer that lead to a session."""
_LEAST_PAIRS: Final = 20
_SELDOM: Final = 10
"""Of turns by turns at most one in so many may follow one of the same speaker by mistake."""


@RULES.conversation("speakers.known", Severity.ERROR, "M2A layout, speaker 0 or 1")
def check_speakers(bundle: Bundle, _context: RuleContext) -> Iterator[Problem]:
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
    if len(bundle.conversation.speakers) != _PAIR:
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
