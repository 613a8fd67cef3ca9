"""Rounds at the seams of a life; nothing else of it changes but the numbers of what moves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from memassay.schemas.changes.renumbering import Places, moved_bundle, renumber
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.ids import round_id, turn_id
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.conversation import Round, RoundKind, Session, Turn
from memassay.synth.lives.bridging.by_model import bridge_task, facts_of
from memassay.synth.lives.bridging.neutral import Pair, neutral_bridges
from memassay.synth.lives.bridging.seams import Seam, seams, spoken_by
from memassay.synth.lives.findings import bridge_says
from memassay.synth.lives.life import Change, Life


@dataclass(frozen=True)
class Bridge:
    """What is said at one seam.

    Attributes:
        closings: Turns and their answers behind the session that ends.
        openings: Those before the session that begins.
        reason: Why these, for people.
    """

    closings: Sequence[Pair] = ()
    openings: Sequence[Pair] = ()
    reason: str = ""


def add_bridges(life: Life, rounds: int, context: StageContext, *, by_model: bool = False) -> Life:
    """A life with rounds at its seams that lead from one session to the next and add no fact.

    Sessions that part and greet by themselves are left as they are. What a model writes that says
    a fact is reported and not used: a neutral bridge takes its place.

    Args:
        life: One conversation.
        rounds: Most rounds at a seam; of neutral ones there are at most two, none of them twice.
        context: Draws, writes, takes findings.
        by_model: Whether a model words them.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    if rounds < 1:
        return life
    bundle = life.bundle
    open_seams = [one for one in seams(bundle) if one.closes or one.opens]
    made: dict[int, Bridge] = {}
    if by_model:
        tasks = [bridge_task(bundle, seam, rounds) for seam in open_seams if seam.opens]
        for seam, reply in zip(
            [one for one in open_seams if one.opens], context.write_all(tasks), strict=True
        ):
            said = [(one.user, one.reply) for one in reply.rounds[:rounds]]
            wrong = list(facts_of(said, bundle, seam))
            if wrong:
                context.emit(bridge_says(bundle.id, seam.before.id, seam.after.id, wrong))
            else:
                made[seam.at] = Bridge(openings=said, reason="a model's round that adds no fact")
    neutral = _neutral([one for one in open_seams if one.at not in made], rounds, context)
    return insert_bridges(life, {**made, **neutral})


def _neutral(where: Sequence[Seam], rounds: int, context: StageContext) -> dict[int, Bridge]:
    """Neutral bridges of seams, by position; none is drawn twice."""
    random = context.random("bridges")
    known = neutral_bridges()
    # Each is taken off a shuffled list, so that none comes twice in a life.
    closings, openings = _shuffle(known.closings, random), _shuffle(known.openings, random)
    made: dict[int, Bridge] = {}
    for seam in where:
        sides = [side for side, may in (("closes", seam.closes), ("opens", seam.opens)) if may]
        chosen = random.sample(sides, min(rounds, len(sides)))
        made[seam.at] = Bridge(
            [closings.pop() for _ in range("closes" in chosen and bool(closings))],
            [openings.pop() for _ in range("opens" in chosen and bool(openings))],
            "a neutral round that adds no fact",
        )
    return made


def insert_bridges(life: Life, bridges: Mapping[int, Bridge]) -> Life:
    """A life with rounds at its seams; all that cites a place follows it.

    Args:
        life: One conversation.
        bridges: By position of the session before the seam, from 0.
    """
    sessions = list(life.bundle.conversation.sessions)
    new: dict[str, tuple[str, str]] = {}
    for seam in seams(life.bundle):
        bridge = bridges.get(seam.at, Bridge())
        behind = _with_rounds(sessions[seam.at], bridge.closings, opening=False)
        ahead = _with_rounds(sessions[seam.at + 1], bridge.openings, opening=True)
        # Sessions that join later move the numbers; where a session came from stays.
        ends, begins = (one.origin or one.id for one in (seam.before, seam.after))
        for turn in _new_turns(sessions[seam.at], behind):
            new[turn.id] = (turn.text, f"ends {ends}: {bridge.reason}")
        for turn in _new_turns(sessions[seam.at + 1], ahead):
            new[turn.id] = (turn.text, f"begins {begins}: {bridge.reason}")
        sessions[seam.at], sessions[seam.at + 1] = behind, ahead
    talk, places = renumber(life.bundle.conversation.model_copy(update={"sessions": sessions}))
    changes = [
        Change(AlterationKind.BRIDGE, places.one(name), "", text, reason)
        for name, (text, reason) in new.items()
    ]
    bundle = moved_bundle(life.bundle, talk, places)
    return Life(bundle, (*move_changes(life.alterations, places), *changes))


def move_changes(changes: Iterable[Change], places: Places) -> list[Change]:
    """What was changed so far, at the places where it is now."""
    return [replace(one, place=places.one(one.place)) for one in changes]


def _shuffle(pairs: Sequence[Pair], random: Random) -> list[Pair]:
    return random.sample(pairs, len(pairs))


def _with_rounds(session: Session, pairs: Sequence[Pair], *, opening: bool) -> Session:
    """A session with rounds before its first or behind its last, under numbers that are free."""
    who = spoken_by(session.rounds, opening=opening)
    if not pairs or who is None:
        return session
    beside = session.rounds[0 if opening else -1]
    free = max(int(one.id.partition(":")[2]) for one in session.rounds) + 1
    made: list[Round] = []
    for pair in pairs:
        said = list(zip(who, pair, strict=True))
        # Between people every utterance is a round of its own.
        parts = [[one] for one in said] if beside.kind is RoundKind.UTTERANCE else [said]
        for part in parts:
            made.append(_round(round_id(session.id, free + len(made)), part, beside))
    rounds = [*made, *session.rounds] if opening else [*session.rounds, *made]
    return session.model_copy(update={"rounds": rounds})


def _round(name: str, said: Sequence[tuple[str, str]], beside: Round) -> Round:
    turns = [
        Turn(id=turn_id(name, at), speaker=speaker, text=text)
        for at, (speaker, text) in enumerate(said, start=1)
    ]
    talk = RoundKind.EXCHANGE if beside.kind is RoundKind.DOCUMENT else beside.kind
    return Round(id=name, kind=talk, turns=turns, date=beside.date)


def _new_turns(before: Session, after: Session) -> list[Turn]:
    known = {one.id for one in before.rounds}
    return [turn for one in after.rounds if one.id not in known for turn in one.turns]
