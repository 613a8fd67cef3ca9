"""What is introduced before it is known, new before it is old, first before it is second."""

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memassay.synth.clusters.words import stem, words
from memassay.synth.lives.ordering.cues import Cue, Member
from memassay.synth.lives.ordering.texts import Texts

NAMED: Final = 2.0
RENEWED: Final = 3.0
COUNTED: Final = 3.0

_BEINGS: Final = (
    "dog|puppy|cat|kitten|pet|parrot|bird|rabbit|horse|brother|sister|friend|husband|wife|son"
    "|daughter|cousin|uncle|aunt|boss|neighbou?r|roommate|colleague|girlfriend|boyfriend|partner"
    "|mother|father|mom|dad|teacher"
)
_ONE: Final = rf"(?:my|our|the|a|an) (?:\w+ )?(?:{_BEINGS})"
_NAMED: Final = re.compile(
    # "I called Maria" and "I meet Maria" are about people who may be known.
    rf"\b(?:named|name(?: is|'s)|(?:nam|call)(?:e|es|ed|ing|s) (?:her|him|it|them|{_ONE})"
    rf"|{_ONE}(?: is| was)? called|[Tt]his is(?: {_ONE},?)?|(?:have|has|got|adopted|bought) {_ONE},"
    r"|(?:^|[.!?] )Meet) (?P<name>[A-Z][a-z]+)\b",
    re.MULTILINE,
)
_RENEWED: Final = re.compile(r"\b(?:my|our) (?P<age>new|old) (?P<thing>\w+)", re.IGNORECASE)
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_COUNTED: Final = re.compile(
    rf"\b(?:my|our|the|her|his) (?:very )?(?P<number>{'|'.join(_ORDINALS)}) (?P<thing>lesson|class"
    r"|course|month|trimester|semester|term|year|birthday|anniversary|chapter|game|match|race"
    r"|tournament|competition|concert|exam|interview|draft|appointment|shift|attempt|meeting"
    r"|season|marathon|dose|treatment|rehearsal)\b",
    re.IGNORECASE,
)


def introduction_cues(members: Sequence[Member], texts: Texts) -> Iterator[Cue]:
    """Cues of names, of what is new and old, and of what is counted."""
    said = ["\n".join(one.text for one in own.sentences) for own in texts.each]
    yield from _cues_of_names(members, said)
    yield from _cues_of_new_things(members, said)
    yield from _cues_of_ordinals(members, said)


def _cues_of_names(members: Sequence[Member], said: Sequence[str]) -> Iterator[Cue]:
    introduced: dict[str, list[int]] = {}
    for at, text in enumerate(said):
        for name in sorted({found["name"] for found in _NAMED.finditer(text)}):
            introduced.setdefault(name, []).append(at)
    # A word that is written small anywhere is no name: "called The Hague".
    small = {word for text in said for word in words(text) if word.islower()}
    for name, places in introduced.items():
        if len(places) > 1 or name.lower() in small:
            continue
        known = re.compile(rf"\b{name}\b")
        for at, text in enumerate(said):
            if at != places[0] and known.search(text):
                why = f"mentions {name}, whom {members[places[0]].id} introduces"
                yield Cue(places[0], at, NAMED, why, must=True)


def _cues_of_new_things(members: Sequence[Member], said: Sequence[str]) -> Iterator[Cue]:
    things: dict[str, dict[str, set[int]]] = {}
    for at, text in enumerate(said):
        for found in _RENEWED.finditer(text):
            thing = things.setdefault(stem(found["thing"]), {"new": set(), "old": set()})
            thing[found["age"].lower()].add(at)
    for name, ages in things.items():
        # A member that mentions both the old one and the new one says nothing about the others.
        for before, after in itertools.product(
            sorted(ages["new"] - ages["old"]), sorted(ages["old"] - ages["new"])
        ):
            if name:
                why = f"its {name} is old, which is new in {members[before].id}"
                yield Cue(before, after, RENEWED, why, must=True)


def _cues_of_ordinals(members: Sequence[Member], said: Sequence[str]) -> Iterator[Cue]:
    things: dict[str, list[tuple[int, int]]] = {}
    for at, text in enumerate(said):
        numbers: dict[str, set[int]] = {}
        for found in _COUNTED.finditer(text):
            number = _ORDINALS.index(found["number"].lower())
            numbers.setdefault(found["thing"].lower(), set()).add(number)
        for thing, own in numbers.items():
            if len(own) == 1:
                things.setdefault(thing, []).append((own.pop(), at))
    for name, counted in things.items():
        yield from _in_turn(members, name, sorted(counted))


def _in_turn(
    members: Sequence[Member], thing: str, counted: Iterable[tuple[int, int]]
) -> Iterator[Cue]:
    for (low, one), (high, other) in itertools.combinations(counted, 2):
        if low < high:
            why = (
                f"its {_ORDINALS[high]} {thing} comes after the {_ORDINALS[low]}, "
                f"of {members[one].id}"
            )
            yield Cue(one, other, COUNTED, why, must=True)
