"""Drafts that ask for one thing of each of several, told in several sessions (ms)."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from memassay.schemas.ids import parse_place
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, get, list_names, select, union
from memassay.synth.questions.history import History
from memassay.synth.world.grammar import expand
from memassay.synth.world.persona_parts import ListSpec

_MOST: Final = 4
"""Most members that one question names (our choice)."""


def lists(history: History, random: Random) -> Iterator[Draft]:
    """What holds for each of several members of a list of the persona, in the order of telling."""
    told = {
        f"{event.card}.{slot}": fact
        for event in history.events
        for slot, name in event.facts.items()
        if history.in_text(fact := history.facts[name]) and history.is_settled(fact)
    }
    for spec in history.persona.lists.values():
        known = [place for place in spec.members if place in told]
        drawn = random.sample(known, len(known))
        # Enough for two questions are parted, so that none asks for what another one asks for.
        size = min(_MOST, len(drawn) // 2 if len(drawn) >= _MOST else len(drawn))
        for group in (drawn[:size], drawn[size:]):
            if len(group) > 1:
                yield _draft(history, spec, {place: told[place] for place in group}, random)


def _draft(history: History, spec: ListSpec, group: Mapping[str, Fact], random: Random) -> Draft:
    places = sorted(group, key=lambda place: _place(history, group[place]))
    facts = [group[place] for place in places]
    names = {"user": history.persona.name, **history.names}
    said = [expand(f"of {spec.members[place]}", random, names).text[3:] for place in places]
    text = expand(random.choice(spec.ask), random, {**names, "members": list_names(said)}).text
    query = get({"op": "sequence", "of": union(*map(select, facts)), "by": "said"})
    return Draft(text, query, AnswerFormat.FREE, tuple(fact.id for fact in facts), whole=True)


def _place(history: History, fact: Fact) -> tuple[int, int]:
    """Session and round in which a fact is first seen."""
    place = parse_place(history.anchors(fact.id)[0])
    return history.rank_of(fact), (place.round if place else None) or 0
