"""A model checks the sessions of a life and revises turns; each change is kept beside the original.

What a question rests on, what was planted on purpose and what the ledger knows is not revised: a
question must not lose its evidence to a better sentence.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from memassay.schemas.changes.operations import EditTurn
from memassay.schemas.changes.restructure import restructure
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session, Turn
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.text import is_blank
from memassay.synth.lives.bridging.by_model import rounds_for_prompt
from memassay.synth.lives.bridging.seams import spoken_by
from memassay.synth.lives.findings import not_revised, turn_revised
from memassay.synth.lives.life import Change, Life
from memassay.synth.lives.tasks import RevisedTurn, RevisedTurns, dialogue_revise

_SHORT: Final = 160
"""Characters of the first turn by which an earlier session is described (our choice)."""


def revise_turns(life: Life, context: StageContext) -> Life:
    """A life whose turns a model revised for coherence, fluency and facts.

    Every revision is a change, and a finding that lets the gate hold it for people. One that
    touches what is cited, planted or in the ledger is refused, with a finding that says why.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    bundle, changes = life.bundle, list(life.alterations)
    who = spoken_by(bundle.conversation.rounds(), opening=True)
    sessions = bundle.conversation.sessions
    if who is None:
        return life
    tasks = [_task(bundle, sessions[:at], one) for at, one in enumerate(sessions)]
    kept = _fixed_turns(life)
    for session, reply in zip(sessions, context.write_all(tasks), strict=True):
        for one in reply.turns:
            turn = _turn(session, one, who)
            why = _refusal(turn, one, kept)
            if turn is None or why:
                context.emit(not_revised(bundle.id, one.round, why))
            elif turn.text != one.text:
                bundle = restructure(EditTurn(turn=turn.id, text=one.text), bundle).bundle
                changes.append(
                    Change(AlterationKind.REWRITE, turn.id, turn.text, one.text, one.reason)
                )
                # A second revision of the turn would be of a text that the model did not see.
                kept.add(turn.id)
                context.emit(turn_revised(bundle.id, turn.id, one.reason))
    return Life(bundle, tuple(changes))


def _task(bundle: Bundle, before: Iterable[Session], session: Session) -> Task[RevisedTurns]:
    user = bundle.conversation.speakers[0]
    about = user.profile.summary if user.profile else None
    profile = {"name": user.name, **({"about": about} if about else {})}
    short = [f"{one.id}: {one.rounds[0].turns[0].text[:_SHORT]}" for one in before if one.rounds]
    return dialogue_revise(profile, rounds_for_prompt(session.rounds), short, record=bundle.id)


def _fixed_turns(life: Life) -> set[str]:
    """Ids of turns that stay as they are: cited, planted, with a bridge, or in the ledger."""
    bundle = life.bundle
    cited = {place for item in bundle.questions for place in _places(bundle, item)}
    made = {one.place for one in life.alterations if one.kind is not AlterationKind.LEFT_OUT}
    noted = {one.turn or one.round for one in bundle.mentions}
    rounds = [each for place in cited | made for each in bundle.rounds_of(place)]
    rounds += [each for place in noted for each in bundle.rounds_of(place) if place == each.id]
    return noted | {turn.id for each in rounds for turn in each.turns}


def _places(bundle: Bundle, item: QAItem) -> Iterator[str]:
    """Places that a question cites, or answers with."""
    for group in (*item.evidence.groups, item.evidence.canonical, item.decoys):
        yield from group
    yield from (value for value in item.answer.values if value in bundle.attachment_by_id)


def _turn(session: Session, one: RevisedTurn, who: tuple[str, str]) -> Turn | None:
    """The turn that a revision means."""
    speaker = who[0] if one.speaker == "user" else who[1]
    turns = [turn for each in session.rounds if each.id == one.round for turn in each.turns]
    return next((turn for turn in turns if turn.speaker == speaker), None)


def _refusal(turn: Turn | None, one: RevisedTurn, kept: set[str]) -> str:
    """Why a revision is not used; empty if it is."""
    if turn is None:
        return f"a turn of {one.speaker}, which is not there"
    if turn.id in kept:
        return "a turn that a question cites, the ledger knows or a change made"
    return "an empty text" if is_blank(one.text) else ""
