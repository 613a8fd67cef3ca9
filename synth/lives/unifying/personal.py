"""What the sentences of all members say of the people in them, as claims."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from memassay.synth.lives.unifying.persons.ages import birth_facts, linked
from memassay.synth.lives.unifying.persons.counting import counting_facts, named_kind
from memassay.synth.lives.unifying.persons.facts import Fact, fact_claims
from memassay.synth.lives.unifying.persons.following import resolved
from memassay.synth.lives.unifying.persons.kinship import Known, known_in, mouths
from memassay.synth.lives.unifying.persons.living import living_facts
from memassay.synth.lives.unifying.reading.claims import Claim, Told
from memassay.synth.lives.unifying.states.bodies import body_facts, unborne, unborne_facts
from memassay.synth.lives.unifying.states.homes import home_facts
from memassay.synth.lives.unifying.states.lasting import lasting_facts
from memassay.synth.lives.unifying.states.tongues import tongue_facts


def personal_claims(told: Sequence[Sequence[Told]]) -> Iterator[tuple[int, Claim]]:
    """Claims that two dialogues cannot both make of a person; by the member that makes them.

    Args:
        told: The sentences of each member.
    """
    people = sorted({one.person for own in told for one in own})
    for person in people:
        spoken = [[one for one in own if one.person == person] for own in told]
        known = known_in(one for own in spoken for one in own)
        lines = [list(resolved(own, known.by_name)) for own in spoken]
        unbearable = _unborne(lines, known)
        facts = [list(_facts(own, known, unbearable)) for own in lines]
        facts = [[*own, *linked(own)] for own in facts]
        yield from fact_claims(facts)


_READERS: Final = (living_facts, home_facts, tongue_facts, body_facts)


def _unborne(lines: Sequence[Sequence[Told]], known: Known) -> dict[str, frozenset[str]]:
    """Stems of what the user, and each of their people, cannot bear."""
    found: dict[str, set[str]] = {"": set()}
    for one in (one for own in lines for one in own):
        if _BEARING.search(one.text):
            found[""].update(unborne(one))
            for key, _, said in mouths(one, known):
                found.setdefault(key, set()).update(unborne(said))
    return {key: frozenset(things) for key, things in found.items()}


_BEARING: Final = re.compile(r"[Aa]llerg|rash|hives|asthma|itch|sneeze")


def _facts(
    own: Sequence[Told], known: Known, unbearable: Mapping[str, frozenset[str]]
) -> Iterator[Fact]:
    before, turn = "", ""
    yield from birth_facts(own, known)
    for one in own:
        if one.turn != turn:
            before, turn = "", one.turn
        for read in _READERS:
            yield from read(one)
        yield from lasting_facts(one, known)
        if unbearable[""]:
            yield from unborne_facts(one, unbearable[""])
        if len(unbearable) > 1:
            for key, _, said in mouths(one, known):
                yield from unborne_facts(said, unbearable.get(key, frozenset()), key)
        yield from counting_facts(one, before)
        before = named_kind(one.text, before)
