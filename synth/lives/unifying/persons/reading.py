"""What the sentences of all members say of the people in them, as claims."""

from collections.abc import Iterator, Sequence

from memassay.synth.lives.unifying.persons.ages import birth_facts, linked
from memassay.synth.lives.unifying.persons.counting import counting_facts, named_kind
from memassay.synth.lives.unifying.persons.facts import Fact, fact_claims
from memassay.synth.lives.unifying.persons.following import resolved
from memassay.synth.lives.unifying.persons.kinship import Known, known_in
from memassay.synth.lives.unifying.persons.living import living_facts
from memassay.synth.lives.unifying.reading.claims import Claim, Told


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
        facts = [list(_facts(own, known)) for own in lines]
        facts = [[*own, *linked(own)] for own in facts]
        yield from fact_claims(facts)


def _facts(own: Sequence[Told], known: Known) -> Iterator[Fact]:
    before, turn = "", ""
    yield from birth_facts(own, known)
    for one in own:
        if one.turn != turn:
            before, turn = "", one.turn
        yield from living_facts(one)
        yield from counting_facts(one, before)
        before = named_kind(one.text, before)
