"""What is wrong in a file of talks: exchanges that cannot be said, or that do not fit together."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Final

from memassay.synth.paths.m2a.talks.beats import Beat, Talks, Thread, Turn
from memassay.synth.paths.m2a.talks.pairing import choices
from memassay.synth.world.grammar import wordings

HOURS: Final = range(8, 22)
"""Hours of the day at which people talk (our choice)."""
FEWEST: Final = 3
"""Exchanges of a kind that can be said at any time (our choice)."""
_MONTHS: Final = range(1, 13)
_QUESTION: Final = "?"


def problems(talks: Talks) -> Iterator[str]:
    """What must be mended in a file, each with its place."""
    yield from _times(talks)
    for kind, every in (
        ("openings", talks.openings),
        ("closings", talks.closings),
        ("asides", talks.asides),
    ):
        for nth, one in enumerate(every):
            yield from _turns(f"{kind}.{nth}", one.turns)
    for name, thread in talks.kinds.items():
        yield from _thread(name, thread)


def _times(talks: Talks) -> Iterator[str]:
    """At every hour of every month something can be said, and what ends a talk fits its place."""
    places = {one.at for one in talks.openings}
    for hour, month in product(HOURS, _MONTHS):
        when = f"2023-{month:02d}-15T{hour:02d}:30"
        every = {"openings": talks.openings, "asides": talks.asides}
        for place in sorted(places):
            every |= {
                f"closings for '{place}'": [
                    one for one in talks.closings if not place or one.at in ("", place)
                ]
            }
        for kind, exchanges in every.items():
            fit = [one for one in exchanges if one.fits(when)]
            if exchanges and len(fit) < FEWEST:
                yield f"{kind}: expected {FEWEST} or more at {when}, got '{len(fit)}'"


def _thread(name: str, thread: Thread) -> Iterator[str]:
    first = next(iter(thread.beats))
    if thread.pictures and not thread.picture:
        yield f"{name}.pictures: expected a family in `picture`, got none"
    if len(thread.pictures) == 1:
        yield f"{name}.pictures: expected one for the first picture and others, got '1'"
    for nth, one in enumerate(thread.pictures):
        yield from _turns(f"{name}.pictures.{nth}", one.turns)
        if one.needs_a_time or "o" not in one.turns[0]:
            yield f"{name}.pictures.{nth}: expected the owner's words, at any time, got others"
    for key, beat in thread.beats.items():
        place = f"{name}.{key}"
        if beat.after and beat.after not in thread.beats:
            yield f"{place}.after: expected a beat of {name}, got '{beat.after}'"
        if key == first and (beat.after or beat.days or beat.months):
            yield f"{place}: expected a first beat that can be told at any time, got needs"
        if all(way.needs_a_time for way in beat.ways):
            yield f"{place}.ways: expected one that can be told at any time, got none"
        yield from _ways(place, beat, thread, known=key != first)


def _ways(place: str, beat: Beat, thread: Thread, *, known: bool) -> Iterator[str]:
    words = "|".join(map(re.escape, [*thread.words, *thread.said.split()[-1:]]))
    named = re.compile(rf"\{{c\}}|\b(?:{words})", re.IGNORECASE)
    for nth, way in enumerate(beat.ways):
        yield from _turns(f"{place}.ways.{nth}", way.turns)
        opener = way.turns[0].get("f", "")
        if opener and thread.said and known:
            for said in wordings(opener):
                if not named.search(said):
                    yield f"{place}.ways.{nth}: expected a question that names it, got '{said}'"


def _turns(place: str, turns: Sequence[Turn]) -> Iterator[str]:
    """Whether questions get an answer, each its own, and both speak in turn."""
    said = [next(iter(turn.items())) for turn in turns]
    for (who, question), (other, answer) in pairwise(said):
        if who == other:
            yield f"{place}: expected both in turn, got '{who}' twice"
        asked, given = choices(question), choices(answer)
        questions = asked[-1].alternatives if asked else ()
        answers = given[0].alternatives if given else ()
        counts = {len(questions), len(answers)} - {0}
        if any(_QUESTION in one for one in questions) and len(counts) == 2:
            yield f"{place}: expected as many answers as questions, got '{answer}'"
    if any(_asks(one) for one in wordings(said[-1][1])) and len(said) > 1:
        yield f"{place}: expected an answer to the last question, got none: '{said[-1][1]}'"


def _asks(pattern: str) -> bool:
    return any(one.rstrip().endswith(_QUESTION) for one in wordings(pattern))
