"""Extension sessions of a life, with the questions that they make possible (A.2.3).

Each session after the first continues an arc of the session before: it corrects one thing, another
has changed, a third is stated differently without notice, a fourth as before. Arcs are small
stories that the life does not mention otherwise, so that no other session becomes wrong.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Final

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.changes.merging import Visit, merge_guest
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation, RoundKind, SessionArc
from memassay.schemas.records.ledger import Fact, FactStatus
from memassay.synth.lives.bridging.bridging import move_changes
from memassay.synth.lives.bridging.seams import spoken_by
from memassay.synth.lives.extending.arcs import Exchange, arcs
from memassay.synth.lives.extending.assigning import DRAWN, arcs_needed, texts_of, usable_arcs
from memassay.synth.lives.extending.by_model import Draft, reword
from memassay.synth.lives.extending.filled_arcs import FilledArc, fill_arc
from memassay.synth.lives.extending.money import currency_of
from memassay.synth.lives.extending.picture_questions import picture_items
from memassay.synth.lives.extending.placing import room_for
from memassay.synth.lives.extending.session_writer import Part, SessionWriter
from memassay.synth.lives.findings import fewer_extensions, not_asked
from memassay.synth.lives.life import Change, Life
from memassay.synth.questions.knowledge.asking import knowledge_items
from memassay.synth.questions.knowledge.planted import Planted, PlantKind
from memassay.synth.world.grammar import slots_of

_NAME: Final = "extension"
"""Begins the names of the new sessions, and the ids of what they bring."""
_MOST: Final = 3
"""Arcs that a session begins, at most (our choice)."""


def extend_life(
    life: Life,
    extensions: int,
    context: StageContext,
    *,
    by_model: bool = False,
    at_end: bool = False,
    assigned: Sequence[str] = (),
) -> Life:
    """A life with new sessions that correct, change and contradict, and with KR and CD questions.

    Args:
        life: One conversation.
        extensions: Number of new sessions; fewer come where the life mentions the others.
        context: Draws, writes, takes the bytes of pictures, and findings.
        by_model: Whether a model words them; what they say is fixed before.
        at_end: Whether all of them come behind the last session, so that no other moves.
        assigned: Names of arcs that come first, as `assign_arcs` gives them.

    Raises:
        AuthorError: The model gave no usable reply.
    """
    who = spoken_by(life.bundle.conversation.rounds(), opening=True)
    if extensions < 1 or who is None:
        return life
    # `memassay extend` adds to lives that have such sessions already: their numbers go on.
    first = _sessions_before(life.bundle) + 1
    # Behind the last session they are as long as those before; between them they are short.
    least = _arcs_a_session(life.bundle, extensions) if at_end else 1
    filled = _draw_arcs(life.bundle, (extensions, least), first, who[0], context, assigned)
    made = min(extensions, len(filled) + 1) if filled else 0
    if made < extensions:
        context.emit(fewer_extensions(life.bundle.id, extensions, made))
    sessions, after = len(life.bundle.conversation.sessions), 0
    for number in range(1, made + 1):
        # Spread evenly, so that what is corrected lies some sessions back.
        spread = -(-sessions * number // made) + number - 1
        wanted = max(sessions + number - 1 if at_end else spread, after + 1)
        new = filled[number - 1] if number <= len(filled) else []
        continued = new if made == 1 else (filled[number - 2] if number > 1 else [])
        place = (first + number - 1, wanted)
        life, after = _with_session(life, place, (new, continued), who, context, by_model)
    user = next(one.name for one in life.bundle.conversation.speakers if one.id == who[0])
    named = "the user" if user.casefold() in ("", "user") else user
    every = [arc for group in filled for arc in group]
    life = _add_questions(life, every, first, named, context)
    return _add_picture_questions(life, every, first) if at_end else life


def _sessions_before(bundle: Bundle) -> int:
    """How many extension sessions a life has already."""
    origins = [one.origin or "" for one in bundle.conversation.sessions]
    return sum(re.fullmatch(rf"{_NAME}\d+", one) is not None for one in origins)


def _arcs_a_session(bundle: Bundle, extensions: int) -> int:
    """How many arcs a session begins, so that new sessions are about as long as those before."""
    sessions = [one for one in bundle.conversation.sessions if one.rounds]
    utterances = sessions[0].rounds[0].kind is RoundKind.UTTERANCE
    usual = median(len(one.rounds) for one in sessions) / (2 if utterances else 1)

    def off(arcs_: int) -> float:
        """By how many rounds sessions of so many arcs are too long or too short."""
        begun = [arcs_] * arcs_needed(extensions)
        if extensions == 1:
            return abs(7 * arcs_ + 1 - usual)
        lengths = [5 * new + 5 * old + 1 for new, old in zip([*begun, 0], [0, *begun], strict=True)]
        return sum(abs(length - usual) for length in lengths)

    return min(range(1, _MOST + 1), key=off)


def _draw_arcs(
    bundle: Bundle,
    wanted: tuple[int, int],
    least: int,
    user: str,
    context: StageContext,
    assigned: Sequence[str],
) -> list[list[FilledArc]]:
    """Arcs for each session but the last, about things that the life does not mention.

    `wanted` are the new sessions, and the arcs that each begins where there are so many.
    """
    random = context.random(*DRAWN)
    known = arcs()
    said = "\n".join(texts_of(bundle))
    fit = usable_arcs(said, {fact.attribute for fact in bundle.facts})
    people = known.strangers(said)
    # A value that is a gold elsewhere would be a second place that shows the answer.
    golds = {gold for item in bundle.questions for gold in item.answer.values}
    extensions, each = wanted
    groups = min(arcs_needed(extensions), len(fit))
    each = max(1, min(each, len(fit) // groups)) if groups else 1
    drawn = random.sample(fit, groups * each)
    names = [*dict.fromkeys([*(name for name in assigned if name in fit), *drawn])]
    currency = currency_of(bundle)
    filled: list[list[FilledArc]] = []
    for at, name in enumerate(names[: groups * each]):
        if len(people) < 2:
            break
        nth, place = at % each, least + at // each
        later = place if extensions == 1 else place + 1
        first = record_id(bundle.id, f"{_NAME}{place}-F{nth or ''}")
        then = record_id(bundle.id, f"{_NAME}{later}-G{nth or ''}")
        arc = fill_arc(known.arcs[name], (first, then), user, people, golds, currency, random)
        filled += [[]] if nth == 0 else []
        filled[-1].append(arc)
    return filled


def _with_session(
    life: Life,
    place: tuple[int, int],
    chosen: tuple[Sequence[FilledArc], Sequence[FilledArc]],
    who: tuple[str, str],
    context: StageContext,
    by_model: bool,
) -> tuple[Life, int]:
    """A life with one more session, and how many sessions lie before it.

    `place` is its number, and how many sessions shall lie before it.
    """
    bundle, (new, continued), (number, wanted) = life.bundle, chosen, place
    name = f"{_NAME}{number}"
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
    room = room_for(bundle, wanted, randoms("date"))
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
    return Life(whole, tuple(changes)), room.after


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
            yield Part(known.openings[(number + at) % len(known.openings)])
            yield from (Part(one, arc) for one in arc.arc.first)
        else:
            yield Part(known.again[(number + at) % len(known.again)], arc, later=True)
        for one in arc.arc.later:
            if not alone or _revises(one, arc):
                yield Part(one, arc, later=True)
    for at, arc in enumerate([] if alone else new):
        yield Part(known.openings[(number + at) % len(known.openings)])
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


def _add_questions(
    life: Life, filled: Sequence[FilledArc], first: int, user: str, context: StageContext
) -> Life:
    """A life with KR and CD questions of all that was planted."""
    bundle = life.bundle
    facts = {one.id: one for one in bundle.facts}
    planted = [plant for one in filled for plant in _plants(one, facts, user)]
    # An even number: corrections and changes come in pairs, of which one statement is outdated.
    prefix = f"{_NAME}-" if first == 1 else f"{_NAME}{first}-"
    random = context.random("extensions", "statements")
    offset = random.choice((0, 2))
    items = knowledge_items(bundle, planted, record_id(bundle.id, prefix), offset, random)
    asked = {fact for item in items for fact in item.evidence.facts}
    for plant in planted:
        if plant.after.id not in asked:
            context.emit(not_asked(bundle.id, _reason(plant)))
    questions = sorted([*bundle.questions, *items], key=lambda one: natural_key(one.id))
    return replace(life, bundle=bundle.model_copy(update={"questions": questions}))


def _add_picture_questions(life: Life, filled: Sequence[FilledArc], first: int) -> Life:
    """A life with questions of what only the pictures of its new sessions show."""
    prefix = f"{_NAME}-P" if first == 1 else f"{_NAME}{first}-P"
    items = picture_items(life.bundle, filled, record_id(life.bundle.id, prefix))
    questions = sorted([*life.bundle.questions, *items], key=lambda one: natural_key(one.id))
    return replace(life, bundle=life.bundle.model_copy(update={"questions": questions}))
