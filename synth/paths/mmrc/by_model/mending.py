"""Flagged rounds of a worded dialogue, sent back to the model with what is wrong with them."""

from collections.abc import Iterator, Mapping, Sequence

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round
from memassay.schemas.records.ledger import Mention
from memassay.synth.extraction.audits import mend_rounds, problems_by_turn
from memassay.synth.extraction.quoting import User
from memassay.synth.packs.words.naming import USER
from memassay.synth.paths.mmrc.by_model.briefs import Briefing, TurnBrief
from memassay.synth.paths.mmrc.by_model.wording import DRAWS


def mend_dialogue(
    bundle: Bundle,
    flagged: Mapping[str, Sequence[Finding]],
    attempt: int,
    context: StageContext,
) -> Bundle:
    """A dialogue with flagged turns mended; one that would lose a fact stays as it was.

    Args:
        bundle: The dialogue with its ledger.
        flagged: Findings by round.
        attempt: Which try it is, from 1.
        context: Writes.
    """
    talk, briefing = bundle.conversation, Briefing(bundle)
    briefs = {one.turn.id: one for each in talk.rounds() for one in briefing.round(each)}
    problems = problems_by_turn(talk, flagged)
    user = User(bundle.id, USER, {})
    # Draws of the audit follow those of the wording.
    mended = mend_rounds(user, talk.rounds(), problems, DRAWS[-1] + attempt, context)
    moved: dict[str, Mention] = {}
    rounds = [
        _fitting(old, new, briefs, bundle.mentions, moved)
        for old, new in zip(talk.rounds(), mended, strict=True)
    ]
    sessions = [talk.sessions[0].model_copy(update={"rounds": rounds})]
    return bundle.model_copy(
        update={
            "conversation": talk.model_copy(update={"sessions": sessions}),
            "mentions": [moved.get(one.id, one) for one in bundle.mentions],
        }
    )


def _fitting(
    old: Round,
    new: Round,
    briefs: Mapping[str, TurnBrief],
    mentions: Sequence[Mention],
    moved: dict[str, Mention],
) -> Round:
    """A round with those of its mended turns that say what they must; notes where they do."""
    turns = []
    for before, after in zip(old.turns, new.turns, strict=True):
        if before == after:
            turns.append(before)
            continue
        own = [one for one in mentions if one.turn == before.id and one.span is not None]
        found = list(_mentions_in(briefs[before.id], after.text, own))
        fits = len(found) == len(own) and not briefs[before.id].problems(after.text)
        moved |= {one.id: one for one in found if fits}
        turns.append(after if fits else before)
    return old.model_copy(update={"turns": turns})


def _mentions_in(brief: TurnBrief, text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    places = {fact.id: span for fact, span in brief.places(text)}
    for mention in mentions:
        if mention.fact in places:
            yield mention.model_copy(update={"span": list(places[mention.fact])})
