"""Which cards a history is made of, and on which day and in which session each stage comes up."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from random import Random
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.schemas.records.event import EventLine
from memassay.synth.world.choosing import choose_cards
from memassay.synth.world.dials import UNTURNED, Dials, lean_of
from memassay.synth.world.grammar import Randoms, slots_of
from memassay.synth.world.persona_checks import texts_of
from memassay.synth.world.persona_file import CardSpec, PersonaFile
from memassay.synth.world.persona_stages import days_of, months_of, weekdays_of
from memassay.synth.world.processes.cast_card import CastCard
from memassay.synth.world.processes.parts import StagePart, parts_of, settle
from memassay.synth.world.processes.planning import plan
from memassay.synth.world.processes.process import Awaited, Plan, Process, Stage, Unplaced
from memassay.synth.world.sizes import Sizes, rounds_of

_GAPS: Final = {(1, 3): 45, (4, 9): 35, (14, 35): 20}
"""Days between sessions and their weights: bursts, ordinary pauses, multi-week gaps (A.2)."""
_MOST: Final = 1.1
"""Rounds of a history with later editions, as a share of what is asked for (our choice)."""


_LAID_AGAIN: Final = 3
"""How often cards are laid again, by other draws, before any is given up (our choice)."""
_CHOSEN_AGAIN: Final = 4
"""How often cards are chosen again because some found no place (our choice)."""


@dataclass(frozen=True)
class Cast:
    """The cards of a history in the order of telling, and those that found no place in time."""

    cards: list[CastCard]
    unplaced: list[Unplaced]


def cast(
    persona: PersonaFile,
    sizes: Sizes,
    randoms: Randoms,
    dials: Dials = UNTURNED,
    since: date | None = None,
) -> Cast:
    """The cards of a history in time order, laid over its sessions.

    Cards that find no place in time give theirs to others, as long as the persona has some.

    Args:
        persona: Whose history it is.
        sizes: How large it is.
        randoms: Gives the generator of a purpose.
        dials: What is preferred of its cards.
        since: The day of a session that all of them come after; None: they begin anywhere.

    Raises:
        UsageError: The persona has too few cards for the sizes asked for.
    """
    lay = partial(_lay, sizes=sizes, randoms=randoms, dials=dials, since=since)
    found = lay(persona)
    for attempt in range(1, _LAID_AGAIN + 1):
        if not _loses_card(persona, found):
            break
        other = lay(persona, attempt=attempt)
        found = min(found, other, key=lambda one: len(one.unplaced))
    for _ in range(_CHOSEN_AGAIN):
        if not found.unplaced:
            break
        persona = _without(persona, {one.process for one in found.unplaced})
        try:
            found = lay(persona)
        except UsageError:
            break
    return found


def _loses_card(persona: PersonaFile, found: Cast) -> bool:
    """Whether a card of the first edition found no place: a later one moves nobody else."""
    first = min(card.edition for card in persona.cards)
    edition = {card.id: card.edition for card in (*persona.cards, *persona.side)}
    return any(edition[one.process] == first for one in found.unplaced)


def _without(persona: PersonaFile, unplaced: Collection[str]) -> PersonaFile:
    """The persona without some cards and all that come after them; its first card stays."""
    gone, first = {*unplaced}, persona.cards[0].id
    cards = [*persona.cards, *persona.side]
    while more := [one.id for one in cards if one.id not in gone and gone & {*one.after}]:
        gone |= {*more}
    kept = [card for card in persona.cards if card.id == first or card.id not in gone]
    side = [card for card in persona.side if card.id not in gone]
    told = {card.id for card in (*kept, *side)}
    implied = {
        name: fact
        for name, fact in persona.implied.items()
        if told.issuperset(one.partition(".")[0] for one in fact.entailed_by)
    }
    return persona.model_copy(update={"cards": kept, "side": side, "implied": implied})


def _lay(
    persona: PersonaFile,
    sizes: Sizes,
    randoms: Randoms,
    dials: Dials,
    since: date | None,
    attempt: int = 0,
) -> Cast:
    """Cards chosen for the sizes, laid over the sessions; each attempt draws other layouts.

    Raises:
        UsageError: The persona has too few cards for the sizes asked for.
    """
    whole = [*persona.cards, *persona.side]
    outcomes = {card.id: _draw_outcomes(card, randoms) for card in whole}
    first, later = _editions(persona, outcomes)
    chosen = choose_cards(first, sizes, randoms, dials)
    added = _later_cards(later, chosen.cards, sizes)
    lines = {card.id: EventLine.CORE for card in chosen.core}
    lines |= {card.id: EventLine.SIDE for card in chosen.side}
    lines |= {c.id: EventLine.CORE if c in persona.cards else EventLine.SIDE for c in added}
    cards = [*chosen.cards, *added]
    parts = {card.id: parts_of(card, outcomes[card.id]) for card in cards}
    sessions = min(sizes.sessions, len(chosen.cards))
    dates = session_dates(sessions, randoms("dates"), since)
    ranks = _ranks(cards, dials, randoms)
    processes = [_process(card, parts, ranks[card.id], card is chosen.core[0]) for card in cards]
    each, more = divmod(rounds_of(chosen.cards), sessions)
    room = [each + (at < more) for at in range(sessions)]
    again = (str(attempt),) if attempt else ()
    made = plan(processes, dates, room, lambda *key: randoms("lay", *again, *key))
    return Cast([*_in_telling_order(made, parts, lines, outcomes, dates)], made.unplaced)


def _editions(
    persona: PersonaFile, outcomes: Mapping[str, dict[str, str]]
) -> tuple[PersonaFile, list[CardSpec]]:
    """The persona with the cards of its first edition, settled, and the cards of later ones."""
    least = min(card.edition for card in persona.cards)
    whole = [settle(card, outcomes[card.id]) for card in (*persona.cards, *persona.side)]
    known = {card.id: card for card in whole if card.edition == least}
    first = persona.model_copy(
        update={
            "cards": [known[card.id] for card in persona.cards if card.id in known],
            "side": [known[card.id] for card in persona.side if card.id in known],
        }
    )
    later = [card for card in whole if card.edition > least]
    return first, sorted(later, key=lambda card: card.edition)


def _later_cards(
    later: Sequence[CardSpec], chosen: Sequence[CardSpec], sizes: Sizes
) -> list[CardSpec]:
    """Cards of later editions, as long as what they come after is told and the sizes have room."""
    told, rounds, added = {card.id for card in chosen}, rounds_of(chosen), list[CardSpec]()
    for card in later:
        if told.issuperset(card.after) and rounds + len(card.rounds) <= _MOST * sizes.all_rounds:
            told.add(card.id)
            added.append(card)
            rounds += len(card.rounds)
    return added


def _draw_outcomes(card: CardSpec, randoms: Randoms) -> dict[str, str]:
    """How what a card leaves open turns out."""
    return {
        name: randoms("outcome", card.id, name).choices([*weights], [*weights.values()])[0]
        for name, weights in sorted(card.outcomes.items())
    }


def session_dates(sessions: int, random: Random, since: date | None = None) -> list[date]:
    """Days of so many sessions, in bursts and with gaps; after a day, if one is given."""
    if since is not None:
        return _dates_from(since, sessions + 1, random)[1:]
    begin = date(2024, 1, 8) + timedelta(days=random.randint(0, 500))
    return _dates_from(begin, sessions, random)


def _dates_from(day: date, sessions: int, random: Random) -> list[date]:
    """Days of so many sessions, the first of which is given."""
    dates: list[date] = []
    for _ in range(sessions):
        dates.append(day)
        least, greatest = random.choices(list(_GAPS), list(_GAPS.values()))[0]
        day += timedelta(days=random.randint(least, greatest))
    return dates


def _ranks(cards: Sequence[CardSpec], dials: Dials, randoms: Randoms) -> dict[str, float]:
    """Documents late, what changes a fact as the dial says, the rest by chance."""
    ranks: dict[str, float] = {}
    for card in cards:
        rank = randoms("rank", card.id).random()
        if card.document is not None:
            rank = (1 + rank) / 2
        ranks[card.id] = rank + (lean_of(dials.evidence_distance) if card.revises else 0)
    return ranks


def _process(card: CardSpec, parts: dict[str, list[CardSpec]], rank: float, opens: bool) -> Process:
    stages = [_stage(card, part, parts) for part in parts[card.id]]
    after = [_awaited_stage(card, earlier, parts) for earlier in card.after if earlier in parts]
    return Process(
        id=card.id,
        stages=tuple(stages),
        after=tuple(after),
        months=months_of(card.months),
        edition=card.edition,
        rank=rank,
        opens=opens,
    )


def _stage(card: CardSpec, part: CardSpec, parts: dict[str, list[CardSpec]]) -> Stage:
    if not isinstance(part, StagePart):
        return Stage("told", len(part.rounds))
    spec = card.stages[part.stage]
    since = None
    if spec.from_ is not None:
        earlier, _, stage = spec.from_.partition(".")
        names = [getattr(one, "stage", None) for one in parts[earlier]]
        since = Awaited(earlier, names.index(stage))
    return Stage(
        name=part.stage,
        rounds=len(part.rounds),
        after=days_of(spec.after) if spec.after else None,
        since=since,
        told=days_of(spec.told)[1],
        on=weekdays_of(spec.on),
    )


def _awaited_stage(card: CardSpec, earlier: str, parts: dict[str, list[CardSpec]]) -> Awaited:
    """The stage of an earlier card that tells what this one uses: the last of them."""
    used = {slot for _, text in texts_of(card) for slot in slots_of(text)} | {
        *card.revises.values()
    }
    since = {stage.from_ for stage in card.stages.values()}
    last = 0
    for at, part in enumerate(parts[earlier]):
        stage = getattr(part, "stage", "")
        names = {f"{earlier}.{slot}" for slot in part.facts} | {f"{earlier}.{stage}"}
        if names & (used | since) or card.cause == earlier:
            last = at
    return Awaited(earlier, last)


def _in_telling_order(
    made: Plan,
    parts: dict[str, list[CardSpec]],
    lines: dict[str, EventLine],
    outcomes: dict[str, dict[str, str]],
    dates: Sequence[date],
) -> Iterator[CastCard]:
    """The parts session by session; sessions in which nothing is told are none."""
    told = sorted({spot.session for spots in made.spots.values() for spot in spots})
    number = {session: at for at, session in enumerate(told, start=1)}
    spots = [
        (spot.session, turn, at, spot.day)
        for turn, one in enumerate(made.order)
        for at, spot in enumerate(made.spots.get(one.id, ()))
    ]
    for session, turn, at, day in sorted(spots):
        card = made.order[turn].id
        yield CastCard(
            card=parts[card][at],
            line=lines[card],
            session=number[session],
            told=dates[session],
            happened=day,
            outcomes=outcomes[card],
        )
