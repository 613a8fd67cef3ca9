"""Which dialogues of a cluster contradict each other, and in what words."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.unifying.changes import FOR_GOOD, IN_CHILDHOOD, changed
from memassay.synth.lives.unifying.reading.animals import alive_claims, pet_claims, pet_names
from memassay.synth.lives.unifying.reading.claims import (
    Claim,
    Said,
    Told,
    profiled,
    told_in,
)
from memassay.synth.lives.unifying.reading.family import family_claims
from memassay.synth.lives.unifying.reading.owning import owning_claims
from memassay.synth.lives.unifying.reading.person import person_claims
from memassay.synth.lives.unifying.reading.places import place_claims
from memassay.synth.lives.unifying.reading.relatives import relative_claims
from memassay.synth.lives.unifying.reading.studies import study_claims
from memassay.synth.lives.unifying.reading.table import eaten_claims, table_claims
from memassay.synth.lives.unifying.reading.work import work_claims

IN_PROFILE: Final = -1
"""In the place of a member: what the profile of the user says."""


@dataclass(frozen=True)
class Contradiction:
    """Two claims that are not true of one person.

    Attributes:
        one: Position of a member.
        other: Position of another, later one, or `IN_PROFILE`.
        said: What the first says.
        against: What the second says.
    """

    one: int
    other: int
    said: Claim
    against: Claim

    def between(self, member: int) -> tuple[int, Claim, Claim]:
        """The member it contradicts, its own claim and the other's."""
        if member == self.one:
            return self.other, self.said, self.against
        return self.one, self.against, self.said


@dataclass(frozen=True)
class Claims:
    """What the members of a cluster say of the people in them.

    Attributes:
        by_member: The claims of each member, in order.
        profile: What most members' profile of their user says.
        changed: Families of topics that change in the course of the life, by person.
    """

    by_member: list[list[Claim]]
    profile: list[Claim]
    changed: dict[str, frozenset[str]]


def claims_of(members: Sequence[Bundle]) -> Claims:
    """Read what each member says."""
    told = [list(told_in(one)) for one in members]
    first = [[claim for one in spoken for claim in _plain(one)] for spoken in told]
    people = {one.person for spoken in told for one in spoken}
    by_person = {
        person: [one for spoken in told for one in spoken if one.person == person]
        for person in sorted(people)
    }
    pets = {person: _pets(spoken) for person, spoken in by_person.items()}
    avoided = {person: _avoided(first, person) for person in by_person}
    for claims, spoken in zip(first, told, strict=True):
        for one in spoken:
            found = [
                *alive_claims(one, pets[one.person]),
                *eaten_claims(one, avoided[one.person]),
            ]
            claims += [_claim(each, one) for each in found]
    events = {person: changed(one) for person, one in by_person.items()}
    return Claims(first, _profile(members), events)


def _profile(members: Sequence[Bundle]) -> list[Claim]:
    shared = Counter(found for one in members if (found := tuple(profiled(one)))).most_common(1)
    return [claim for told, _ in shared for one in told for claim in _plain(one)]


def _plain(told: Told) -> Iterator[Claim]:
    readers = (
        *(person_claims, family_claims, pet_claims, place_claims),
        *(work_claims, study_claims, table_claims, owning_claims, relative_claims),
    )
    return (_claim(found, told) for read in readers for found in read(told))


def _claim(found: Said, told: Told) -> Claim:
    return Claim(found.topic, found.values, told, found.family, found.weak, found.recent)


def _pets(spoken: Sequence[Told]) -> list[str]:
    return sorted({name for one in spoken for name in pet_names(one)})


def _avoided(claims: Sequence[Sequence[Claim]], person: str) -> list[str]:
    found = {
        claim.topic.removeprefix("eats ")
        for own in claims
        for claim in own
        if claim.family == "diet" and claim.told.person == person
    }
    return sorted(found)


def contradictions(claims: Claims) -> list[Contradiction]:
    """Every pair of claims of two members that cannot both be true of one person."""
    topics: dict[tuple[str, str], list[tuple[int, Claim]]] = {}
    for at, own in [*enumerate(claims.by_member), (IN_PROFILE, claims.profile)]:
        for claim in own:
            if claim.family not in claims.changed.get(claim.told.person, ()):
                topics.setdefault((claim.told.person, claim.topic), []).append((at, claim))
    return [one for _, said in sorted(topics.items()) for one in _of_topic(said)]


def _of_topic(said: Sequence[tuple[int, Claim]]) -> list[Contradiction]:
    found = []
    for (one, claim), (other, against) in itertools.combinations(said, 2):
        if not _contradict(claim, against):
            continue
        if one == other:
            # A dialogue that tells of both, as of two dogs, shows that both may be so.
            return []
        found.append(Contradiction(one, other, claim, against))
    return found


def _contradict(one: Claim, other: Claim) -> bool:
    if one.values & other.values or (one.weak and other.weak):
        return False
    no, yes = (one, other) if "no" in one.values else (other, one)
    if one.family == "gained":
        return _before(yes, no)
    if one.family != "life":
        return True
    if yes.weak:
        return bool(IN_CHILDHOOD.search(no.told.text))
    return (bool(FOR_GOOD.search(no.told.text)) and not no.recent) or _before(no, yes)


def _before(one: Claim, other: Claim) -> bool:
    days = one.told.day, other.told.day
    return days[0] is not None and days[1] is not None and days[0][:10] < days[1][:10]
