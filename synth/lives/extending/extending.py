"""Extension sessions of a life, with the questions that they make possible (A.2.3).

Each session after the first continues arcs of the session before: it corrects one thing, another
has changed, a third is stated differently without notice, a fourth as before. Arcs are small
stories around what the life speaks of again and again, and add what it does not mention otherwise,
so that no other session becomes wrong.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, RoundKind, SessionArc
from memassay.schemas.records.ledger import Fact, FactStatus
from memassay.schemas.records.question import QAItem
from memassay.synth.lives.bridging.bridging import move_changes
from memassay.synth.lives.bridging.seams import spoken_by
from memassay.synth.lives.extending.arcs import Exchange, arcs
from memassay.synth.lives.extending.asking import REFUSAL, in_turn, new_items
from memassay.synth.lives.extending.assigning import DRAWN
from memassay.synth.lives.extending.by_model import Draft, reword
from memassay.synth.lives.extending.choosing import Need, Supply, arcs_a_session
from memassay.synth.lives.extending.filled_arcs import FilledArc
from memassay.synth.lives.extending.matters import EXTENSION, is_extension
from memassay.synth.lives.extending.placing import Room, room_for
from memassay.synth.lives.extending.session_writer import Part, SessionWriter
from memassay.synth.lives.findings import fewer_extensions, not_asked
from memassay.synth.lives.life import Change, Life
from memassay.synth.questions.knowledge.asking import knowledge_items
from memassay.synth.questions.knowledge.planted import Planted, PlantKind
from memassay.synth.questions.refusing import with_twins
from memassay.synth.world.grammar import slots_of


@dataclass(frozen=True)
class Behind:
    """How new sessions come behind the last one, so that no other moves.

    Attributes:
        questions: Questions about them, at most.
        fits: Whether a question has a place in the data set of the life.
    """

    questions: int
    fits: Callable[[QAItem], bool]


def extend_life(
    life: Life,
    extensions: int,
    context: StageContext,
    *,
    by_model: bool = False,
    assigned: Sequence[str] = (),
    behind: Behind | None = None,
) -> Life:
    """A life with new sessions that correct, change and contradict, and with questions about them.

    Args:
        life: One conversation.
        extensions: Number of new sessions; fewer come where the life mentions the other arcs, and
            none where it speaks of nothing twice.
        context: Draws, writes, takes the bytes of pictures, and findings.
        by_model: Whether a model words them; what they say is fixed before.
        assigned: Names of arcs that come first, as `assign_arcs` gives them.
        behind: How all of them come behind the last session; None: between the sessions, with KR
            and CD questions alone.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    who = spoken_by(life.bundle.conversation.rounds(), opening=True)
    if extensions < 1 or who is None:
        return life
    sessions = len(life.bundle.conversation.sessions)
    # `memassay extend` adds to lives that have such sessions already: their numbers go on.
    first = sum(map(is_extension, life.bundle.conversation.sessions)) + 1
    supply = Supply(life.bundle, who[0], context.random(*DRAWN))
    # Behind the last session they are as long as those before; between them they are short.
    each = arcs_a_session(life.bundle, extensions) if behind else 1
    known = sessions if behind else -(-sessions // extensions)
    groups = supply.choose(Need(extensions, each, who[0], known), assigned)
    made = min(extensions, len(groups) + 1) if groups else 0
    if made < extensions:
        context.emit(fewer_extensions(life.bundle.id, extensions, made))
    filled: list[list[FilledArc]] = []
    after = 0
    for number in range(1, made + 1):
        # Spread evenly, so that what is corrected lies some sessions back.
        spread = -(-sessions * number // made) + number - 1
        wanted = max(sessions + number - 1 if behind else spread, after + 1)
        name = f"{EXTENSION}{first + number - 1}"
        room = room_for(life.bundle, wanted, context.random(name, "date"))
        if number <= len(groups):
            numbers = (first + number - 1, first + number - (made == 1))
            filled.append([*supply.fill(groups[number - 1], numbers, room.when)])
        new = filled[number - 1] if number <= len(filled) else []
        continued = new if made == 1 else (filled[number - 2] if number > 1 else [])
        life = _with_session(life, (name, number), room, (new, continued), who, context, by_model)
        after = room.after
    return _ask(life, [arc for group in filled for arc in group], first, who[0], behind, context)


def _with_session(
    life: Life,
    named: tuple[str, int],
    room: Room,
    chosen: tuple[Sequence[FilledArc], Sequence[FilledArc]],
    who: tuple[str, str],
    context: StageContext,
    by_model: bool,
) -> Life:
    """A life with one more session; `named` are its name and its number among the new ones."""
    bundle, (new, continued), (name, number) = life.bundle, chosen, named
    randoms = partial(context.random, name)
    kind = bundle.conversation.sessions[0].rounds[0].kind
    writer = SessionWriter(
        bundle.conversation,
        name,
        who,
        kind if kind is RoundKind.UTTERANCE else RoundKind.EXCHANGE,
        context.blobs,
        randoms,
        partial(_reword, bundle.conversation, who[0], name, context) if by_model else None,
    )
    draw = context.random("extensions", "words").randrange(len(arcs().closings))
    parts = list(_parts(number + draw, new, continued))
    guest = writer.bundle(parts)
    facts = _facts(new, continued, {one.fact for one in guest.mentions})
    visit = Visit(name, room.after, [room.when], {}, SessionArc.MAIN)
    joined = merge_guest(bundle, guest, visit)
    whole = joined.bundle.model_copy(
        update={"facts": _merge_facts([*joined.bundle.facts, *facts], continued)}
    )
    session = joined.guest.one("D1")
    opened = whole.session_by_id[session].rounds[0].turns[0].text
    reason = f"a new session that tells of {' and '.join(_topics(*new, *continued))}"
    changes = [
        *move_changes(life.alterations, joined.host),
        Change(
            AlterationKind.EXTENSION, session, "", opened, reason, tuple(one.id for one in facts)
        ),
    ]
    known = {one.id: one for one in whole.facts}
    for plant in (each for arc in continued for each in _plants(arc, known, "")):
        turn = whole.turn_by_id[joined.guest.one(writer.planted[plant.after.id])]
        changes.append(
            Change(AlterationKind.PLANT, turn.id, "", turn.text, _reason(plant), (plant.after.id,))
        )
    return Life(whole, tuple(changes))


def _reword(
    host: Conversation, user: str, name: str, context: StageContext, drafts: list[Draft]
) -> list[Draft]:
    return reword(drafts, host, user, name, context)


def _parts(number: int, new: Sequence[FilledArc], continued: Sequence[FilledArc]) -> Iterator[Part]:
    """What is said in a session, in order."""
    known = arcs()
    alone = new is continued
    for at, arc in enumerate(continued):
        if alone:
            yield Part(known.opening(arc.matter, number + at))
            yield from (Part(one, arc) for one in arc.arc.first)
        else:
            yield Part(known.again[(number + at) % len(known.again)], arc, later=True)
        for one in arc.arc.later:
            if not alone or _revises(one, arc):
                yield Part(one, arc, later=True)
    for at, arc in enumerate([] if alone else new):
        yield Part(known.opening(arc.matter, number + at))
        yield from (Part(one, arc) for one in arc.arc.first)
    yield Part(known.closings[number % len(known.closings)])


def _revises(exchange: Exchange, arc: FilledArc) -> bool:
    """Whether an exchange corrects or changes something."""
    said = (slot for slot in slots_of(exchange.u) if slot in arc.later)
    return any(arc.kinds[slot].revises for slot in said)


def _facts(new: Sequence[FilledArc], continued: Sequence[FilledArc], seen: set[str]) -> list[Fact]:
    """The facts that a session brings."""
    first = [fact for arc in new for fact in arc.first.values()]
    later = [fact for arc in continued for fact in arc.later.values()]
    return [one for one in (*first, *later) if one.id in seen]


def _merge_facts(facts: Sequence[Fact], continued: Sequence[FilledArc]) -> list[Fact]:
    """All facts of a life, in order; what a session corrects was wrong from the start."""
    wrong = {
        fact.id
        for arc in continued
        for slot, fact in arc.first.items()
        if arc.kinds.get(slot) is PlantKind.CORRECTION
    }
    kept = [
        one.model_copy(update={"status": FactStatus.RETRACTED}) if one.id in wrong else one
        for one in facts
    ]
    return sorted(kept, key=lambda one: natural_key(one.id))


def _topics(*told: FilledArc) -> list[str]:
    return list(dict.fromkeys(one.arc.topic for one in told))


def _plants(arc: FilledArc, facts: dict[str, Fact], user: str) -> Iterator[Planted]:
    """What the later session of an arc does with the facts of the first that a life has."""
    for slot, fact in arc.later.items():
        before, after = facts.get(arc.first[slot].id), facts.get(fact.id)
        if before is None or after is None:
            continue
        spec = arc.arc.facts[slot]
        ask, claim = (text.replace("{user}", user) for text in (spec.ask, spec.claim))
        yield Planted(arc.kinds[slot], before, after, claim, ask)


_REASONS: Final = {
    PlantKind.CORRECTION: "corrects {what}: it was said to be {before}, and is {after}",
    PlantKind.CHANGE: "{what} has changed: it was {before}, and is {after}",
    PlantKind.MERGE: "two became one: {what} is {after}; {before} was one of them",
    PlantKind.CONTRADICTION: "contradicts what was said of {what}, {before}, without notice",
    PlantKind.AGREEMENT: "agrees with what was said of {what}, {before}",
}


def _reason(plant: Planted) -> str:
    what = f"the {plant.after.attribute} of the {plant.after.subject}"
    values = {"before": spoken_value(plant.before.value), "after": spoken_value(plant.after.value)}
    return _REASONS[plant.kind].format(what=what, **values)


def _ask(
    life: Life,
    filled: Sequence[FilledArc],
    first: int,
    user: str,
    behind: Behind | None,
    context: StageContext,
) -> Life:
    """A life with questions about its new sessions."""
    name = next(one.name for one in life.bundle.conversation.speakers if one.id == user)
    named = "the user" if name.casefold() in ("", "user") else name
    start = f"{EXTENSION}-" if first == 1 else f"{EXTENSION}{first}-"
    prefix = record_id(life.bundle.id, start)
    items = _knowledge(life.bundle, filled, named, prefix, context)
    if behind is not None:
        random = context.random("extensions", "questions")
        more = new_items(life.bundle, filled, named, f"{prefix}P", random)
        shuffled = random.sample(items, len(items))
        items = _choose(life.bundle, [*more, *shuffled], behind)
    questions = sorted([*life.bundle.questions, *items], key=lambda one: natural_key(one.id))
    return replace(life, bundle=life.bundle.model_copy(update={"questions": questions}))


def _knowledge(
    bundle: Bundle, filled: Sequence[FilledArc], user: str, prefix: str, context: StageContext
) -> list[QAItem]:
    """KR and CD questions of all that was planted."""
    facts = {one.id: one for one in bundle.facts}
    planted = [plant for one in filled for plant in _plants(one, facts, user)]
    # An even number: corrections and changes come in pairs, of which one statement is outdated.
    random = context.random("extensions", "statements")
    offset = random.choice((0, 2))
    items = knowledge_items(bundle, planted, prefix, offset, random)
    asked = {fact for item in items for fact in item.evidence.facts}
    for plant in planted:
        if plant.after.id not in asked:
            context.emit(not_asked(bundle.id, _reason(plant)))
    return items


def _choose(bundle: Bundle, items: Sequence[QAItem], behind: Behind) -> list[QAItem]:
    """As many as are wanted, all types in turn; a refusal has a twin among them."""
    chosen = in_turn([one for one in items if behind.fits(one)], behind.questions)
    refusals = [one for one in chosen if one.benchmark_type == REFUSAL]
    others = [one for one in chosen if one.benchmark_type != REFUSAL]
    return [*others, *with_twins(refusals, others, Ledger(bundle))]
