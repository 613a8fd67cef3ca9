"""Which dialogues of a cluster contradict each other, and in what words."""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from memassay.schemas.records.bundle import Bundle
from memassay.synth.lives.unifying.absolutes.holding import absolute_claims, around_of
from memassay.synth.lives.unifying.changes import FOR_GOOD, IN_CHILDHOOD, changed
from memassay.synth.lives.unifying.denying.affirming import denied_claims
from memassay.synth.lives.unifying.matters.beside import beside_claims
from memassay.synth.lives.unifying.matters.claiming import changed_matters, matter_claims
from memassay.synth.lives.unifying.matters.kinds import kind_claims
from memassay.synth.lives.unifying.matters.shown import shown_claims
from memassay.synth.lives.unifying.matters.since import since_claims
from memassay.synth.lives.unifying.people.first_person import of_relatives
from memassay.synth.lives.unifying.people.roles import kin_of
from memassay.synth.lives.unifying.personal import personal_claims
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
from memassay.synth.lives.unifying.reading.plain import plain
from memassay.synth.lives.unifying.reading.studies import study_claims
from memassay.synth.lives.unifying.reading.table import eaten_claims, table_claims
from memassay.synth.lives.unifying.reading.wording import LONG
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
        changed: Families of topics that change in the course of the life, each with the days on
            which that is told, by person; a day may not be known.
    """

    by_member: list[list[Claim]]
    profile: list[Claim]
    changed: dict[str, dict[str, frozenset[str | None]]]


def claims_of(members: Sequence[Bundle]) -> Claims:
    """Read what each member says."""
    told = [list(told_in(one)) for one in members]
    first = [[claim for one in spoken for claim in _plain(one)] for spoken in told]
    people = {one.person for spoken in told for one in spoken}
    by_person = {
        person: [one for spoken in told for one in spoken if one.person == person]
        for person in sorted(people)
    }
    pets = {
        person: sorted({*_pets(spoken), *kin_of(spoken).by_name})
        for person, spoken in by_person.items()
    }
    avoided = {person: _avoided(first, person) for person in by_person}
    for claims, spoken in zip(first, told, strict=True):
        for one in spoken:
            found = [
                *alive_claims(one, pets[one.person]),
                *eaten_claims(one, avoided[one.person]),
            ]
            claims += [_claim(each, one) for each in found]
    everybody = [
        [*spoken, *others] for spoken, others in zip(told, of_relatives(told), strict=True)
    ]
    for claims, spoken, own in zip(first, everybody, told, strict=True):
        claims += [claim for one in spoken[len(own) :] for claim in _plain(one)]
    around = [around_of(one) for one in members]
    for at, claim in (
        *denied_claims(everybody),
        *personal_claims(told),
        *absolute_claims(everybody, around),
    ):
        first[at].append(claim)
    by_person |= {
        person: [one for own in everybody for one in own if one.person == person]
        for person in sorted({one.person for own in everybody for one in own} - people)
    }
    events = {person: _changes(one) for person, one in by_person.items()}
    return Claims(first, _profile(members), events)


def _changes(told: Sequence[Told]) -> dict[str, frozenset[str | None]]:
    days: dict[str, set[str | None]] = {}
    for one in told:
        for family in {*changed([one]), *changed_matters(one)}:
            days.setdefault(family, set()).add(one.day)
    return {family: frozenset(found) for family, found in days.items()}


def _profile(members: Sequence[Bundle]) -> list[Claim]:
    return [claim for one in shared_profile(members) for claim in _plain(one)]


def shared_profile(members: Sequence[Bundle]) -> list[Told]:
    """The sentences of the profile that most members bring of their user."""
    shared = Counter(found for one in members if (found := tuple(profiled(one)))).most_common(1)
    return [one for told, _ in shared for one in told]


_SELF: Final = re.compile(
    r"\b(?:I|[Mm]y|[Ww]e|[Oo]ur|[Mm]e|[Uu]s|[Mm]ine|[Oo]urs|[Mm]yself)\b|^(?:Just|Never|No|Born|"
    r"Being|As|Life)\b"
)
"""Without one of these words a sentence says nothing of its speaker."""


def _plain(told: Told) -> Iterator[Claim]:
    readers = _OF_WORDS if not _SELF.search(told.text) else (*_OF_PEOPLE, *_OF_WORDS)
    return (_claim(found, told) for read in readers for found in read(told))


_OF_PEOPLE: Final = (
    *(person_claims, family_claims, pet_claims, place_claims, work_claims, study_claims),
    *(table_claims, owning_claims, kind_claims, since_claims, shown_claims),
)
"""Readers of sentences that speak of who says them."""
_OF_WORDS: Final = (matter_claims, beside_claims)
"""Readers that know by a word whether a sentence is for them."""


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
            topics.setdefault((claim.told.person, claim.topic), []).append((at, claim))
    return [
        one
        for (person, _), said in sorted(topics.items())
        if len(said) > 1
        for one in _of_topic(said, claims.changed.get(person, {}))
    ]


def _of_topic(
    said: Sequence[tuple[int, Claim]], changes: Mapping[str, Collection[str | None]]
) -> list[Contradiction]:
    found = []
    for (one, claim), (other, against) in itertools.combinations(said, 2):
        if not _contradict(claim, against):
            continue
        if _excused(claim, against, changes.get(claim.family, ())):
            continue
        if one == other:
            # A dialogue that tells of both, as of two dogs, shows that both may be so.
            return []
        found.append(Contradiction(one, other, claim, against))
    return found


_YEARS: Final = re.compile(r"\byears\b(?! old)")
_SPOKE: Final = re.compile(
    r"\b(?:said|says|told me|tells me|asked|laughed)\b(?!.*\b(?:always|once|used to|when I)\b)"
)


def _contradict(one: Claim, other: Claim) -> bool:
    if one.values & other.values or (one.weak and other.weak):
        return False
    no, yes = (one, other) if "no" in one.values else (other, one)
    if one.family == "gained":
        return _before(yes, no)
    if one.family == "gained matter":
        return not _before(no, yes) or bool(LONG.search(plain(yes.told.text)))
    if one.family != "life":
        return True
    if yes.weak:
        return bool(IN_CHILDHOOD.search(no.told.text)) or (
            bool(_YEARS.search(no.told.quote)) and bool(_SPOKE.search(yes.told.text))
        )
    return (bool(FOR_GOOD.search(no.told.text)) and not no.recent) or _before(no, yes)


_SOON_TOLD: Final = timedelta(days=60)
"""How long after a change people still tell of it as new."""


def _excused(one: Claim, other: Claim, changes: Collection[str | None]) -> bool:
    """Whether a change between two claims, or told soon after, makes both true."""
    days = (_date(one.told.day), _date(other.told.day))
    if not changes or None in changes or days[0] is None or days[1] is None:
        return bool(changes)
    first, last = min(days[0], days[1]), max(days[0], days[1]) + _SOON_TOLD
    return any((day := _date(told)) is None or first <= day <= last for told in changes)


def _date(day: str | None) -> date | None:
    """A `When` as a date, if it is known to the day."""
    return date.fromisoformat(day[:10]) if day and len(day) >= len("2024-01-01") else None


def _before(one: Claim, other: Claim) -> bool:
    days = one.told.day, other.told.day
    return days[0] is not None and days[1] is not None and days[0][:10] < days[1][:10]
