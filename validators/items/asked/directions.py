"""Which of two is the later, or the larger: the order of a difference, a comparison, a change."""

from collections.abc import Iterator
from typing import Final

from memassay.schemas.queries.asked.words import Run, places_of, run_of
from memassay.schemas.queries.grammar.expressions import AsOf, Diff, Get, Pick, SelectFacts
from memassay.schemas.queries.grammar.query import parts
from memassay.schemas.queries.grammar.truth import Compare
from memassay.validators.items.asked import cues
from memassay.validators.items.asked.asked import Asked
from memassay.validators.items.asked.names_asked import Doubt
from memassay.validators.items.asked.queried import plain, texts_of

_EARLIER: Final = frozenset({"after", "from", "since", "between"})
_LATER: Final = frozenset({"before", "until"})
_MORE: Final = frozenset({"exceed", "exceeds", "than"})


def directions(asked: Asked) -> Iterator[Doubt]:
    """Differences and comparisons whose sides stand the wrong way round."""
    for part in asked.parts:
        if isinstance(part, Diff):
            ends = [_end(asked, side) for side in (part.a, part.b)]
            states = None not in ends and ends[0] != ends[1]
            yield from _changed(asked, ends) if states else _sides(asked, part, later=True)
        elif isinstance(part, Compare) and part.with_ in {"less", "more"}:
            yield from _sides(asked, part, later=part.with_ == "more")


def _changed(asked: Asked, ends: list[str | None]) -> Iterator[Doubt]:
    """`Went up` is the new value less the old one."""
    said = set(asked.frame)
    up = bool(said & {"up", "off", "rise", "rose", "increase", "increased", "grow", "grew"})
    down = bool(said & {"down", "forward", "fall", "fell", "drop", "dropped", "decrease", "shrink"})
    if up != down and up != (ends == ["last", "first"]):
        word = "a rise" if not up else "a fall"
        yield Doubt(f"a question for {word}", asked.text)


def _end(asked: Asked, side: object) -> str | None:
    """Whether a side is the first or the last state of a thing."""
    inner = side.of if isinstance(side, Get) else None
    if isinstance(inner, Pick) and inner.by == "date" and inner.which in {"first", "last"}:
        return str(inner.which)
    if isinstance(inner, AsOf):
        runs = [run for _, part in parts(inner.at) for run in _runs(asked, part)]
        found = [at.start for run in runs for at in places_of(run, asked.line)]
        between = [at for at, word in enumerate(asked.line) if word == "between"]
        if found and between:
            first = between[0] < min(found) and not set(asked.line[between[0] : min(found)]) & {
                "and"
            }
            return "first" if first else "last"
    return None


def _sides(asked: Asked, part: Diff | Compare, *, later: bool) -> Iterator[Doubt]:
    """The side that stands first in the question, and the word that says which it is."""
    a, b = (_place(asked, side) for side in (part.a, part.b))
    if a is None or b is None or a.start == b.start:
        return
    first, second = sorted((a, b), key=lambda at: at.start)
    line = asked.line
    before = line[first.start - 1] if first.start else ""
    if before in _EARLIER or before in _LATER:
        wrong = (first == a) == (before in _EARLIER)
        wrong = wrong if later else not wrong
    else:
        linked = set(line[first.stop : second.start]) | set(line[: first.start])
        if not linked & _MORE:
            return
        up, down = linked & cues.UP, linked & cues.DOWN
        if bool(up) == bool(down):
            return
        wrong = (first == a) != (bool(up) == later)
    if wrong:
        yield Doubt("both sides the other way round", asked.text)


def _place(asked: Asked, side: object) -> range | None:
    """Where a side is named: by its subject if only it has it, else by its attribute."""
    found = [
        at
        for _, part in parts(side)
        for run in _runs(asked, part)
        for at in places_of(run, asked.line)
    ]
    return min(found, key=lambda at: (-len(at), at.start), default=None)


def _runs(asked: Asked, part: object) -> Iterator[Run]:
    if isinstance(part, SelectFacts):
        for subject in texts_of(part.where.subject):
            shared = sum(subject in keys for keys in asked.subjects_of_all)
            if shared == 1:
                yield from asked.history.names.runs.get(subject, ())
        for attribute in texts_of(part.where.attribute):
            if sum(attribute in each for each in asked.attributes_of_all) == 1:
                yield run_of(plain(attribute))
