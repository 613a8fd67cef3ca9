"""Drafts that follow what led to what, as the history says it (ms)."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.synth.questions.drafts import Draft, Query, get, select, union
from memassay.synth.questions.history import History
from memassay.synth.world.maker import CAUSE

_STEPS: Final = (2, 3)
"""Fewest and most steps that a question goes back (our choice)."""
_LEAST: Final = 3
"""Fewest events that are counted: most events that led to any led to one or two."""


class Chains:
    """What led to what in a history, by the titles of events."""

    def __init__(self, history: History) -> None:
        """Take the facts that say what led to an event."""
        facts = [fact for _, fact in history.causes()]
        self.of = {fact.subject: fact for fact in facts}
        self.from_: dict[str, list[Fact]] = {}
        for fact in facts:
            self.from_.setdefault(fact.value.text, []).append(fact)

    def back(self, title: str) -> list[Fact]:
        """The facts that lead back from an event, the nearest first."""
        found: list[Fact] = []
        while title in self.of:
            found.append(self.of[title])
            title = found[-1].value.text
        return found

    def levels(self, title: str) -> list[list[Fact]]:
        """The facts of what an event led to, then of what those led to, and so on."""
        found = [self.from_.get(title, [])]
        while found[-1]:
            found.append([more for one in found[-1] for more in self.from_.get(one.subject, [])])
        return found[:-1]


def led_to(of: Query) -> Query:
    """The causes of what `of` gives the causes of: one step further back."""
    return {"op": "follow", "of": of, "attribute": CAUSE}


def _came_of(of: Query) -> Query:
    """What the events that `of` is about led to."""
    return {"op": "follow", "of": of, "attribute": CAUSE, "from": "subject", "to": "value"}


def _ids(facts: Sequence[Fact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


def beginnings(history: History, random: Random) -> Iterator[Draft]:
    """What came two or three steps before an event."""
    chains = Chains(history)
    for title in chains.of:
        way = chains.back(title)
        for steps in range(_STEPS[0], min(len(way), _STEPS[1]) + 1):
            query = select(way[0])
            for _ in range(steps - 1):
                query = led_to(query)
            back = {2: "two steps", 3: "three steps"}[steps]
            text = random.choice(
                [
                    f"Go back {back} from {title}, each time to what led to it. Which event is "
                    "that?",
                    f"Which event is {back} before {title} in the line of what led to what?",
                    f"Trace {title} back {back}, from each event to the one that led to it. "
                    "Which event is that?",
                ]
            )
            yield Draft(text, get(query), AnswerFormat.FREE, _ids(way[:steps]))


def descents(history: History, random: Random) -> Iterator[Draft]:
    """How many events go back to one, directly or through others; one question of each size."""
    chains = Chains(history)
    by_size: dict[int, list[tuple[str, list[list[Fact]]]]] = {}
    for title in chains.from_:
        levels = chains.levels(title)
        for depth in {1, len(levels)}:
            size = sum(map(len, levels[:depth]))
            by_size.setdefault(size, []).append((title, levels[:depth]))
    for size, alike in by_size.items():
        if size >= _LEAST:
            title, levels = random.choice(alike)
            whole = len(levels) > 1
            yield _descent(title, levels, whole, random)


def _descent(title: str, levels: list[list[Fact]], whole: bool, random: Random) -> Draft:
    """A question for the events of some levels: all there are, or the first alone."""
    first: Query = {"op": "select", "where": {"attribute": CAUSE, "value": title}}
    parts = [first]
    # One level more than there are: nothing more came of the last ones.
    for _ in levels if whole else ():
        parts.append(_came_of(parts[-1]))
    asked = [
        f"How many events go back to {title}, directly or through others?",
        f"Count all the events that {title} led to, directly or in several steps.",
        f"How many events came of {title} in the end, in one step or more?",
    ]
    if not whole:
        asked = [
            f"How many events did {title} lead to directly?",
            f"Of how many events is {title} given as what led to them?",
            f"To how many events did {title} lead without another event in between?",
        ]
    query: Query = {"op": "count", "of": union(*parts) if whole else first}
    about = _ids([fact for level in levels for fact in level])
    return Draft(random.choice(asked), query, AnswerFormat.NUMBER, about, whole=True)


def siblings(history: History, random: Random) -> Iterator[Draft]:
    """What else came of the event that led to one."""
    chains = Chains(history)
    for group in chains.from_.values():
        if len(group) != 2:
            continue
        known, other = random.sample(group, 2)
        text = random.choice(
            [
                f"The event that led to {known.subject} led to one more. Which one?",
                f"{known.subject[0].upper()}{known.subject[1:]} goes back to an event. "
                "What else did that event lead to?",
                f"Which other event has the same cause as {known.subject}?",
            ]
        )
        query: Query = {
            "op": "follow",
            "of": select(known),
            "attribute": CAUSE,
            "from": "value",
            "to": "value",
        }
        yield Draft(text, get(query, "subject"), AnswerFormat.FREE, _ids((known, other)))
