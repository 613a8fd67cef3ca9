"""Two properties asked for together: of one matter, or of one subject over time."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Final

from memassay.schemas.records.event import TimelineEvent
from memassay.schemas.records.ledger import Fact
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.text import holds
from memassay.synth.questions.drafts import Draft, get, select, union
from memassay.synth.questions.history import History
from memassay.synth.world.persona_file import FactSpec
from memassay.synth.world.values import spoken_value

_LONGEST: Final = 30
"""Words of both questions together (our choice)."""
_LETTER: Final = re.compile(r"\b[A-HJ-Z]-")
_KNOWN: Final = frozenset({"person", "pet"})
"""Of whom people ask several things at once, rather than of a place."""
_Told = tuple[TimelineEvent, FactSpec, Fact]


def of_one_subject(history: History, random: Random, half: int = 0) -> Iterator[Draft]:
    """FR: two properties of one subject that two rounds of one event say.

    Args:
        history: The written history.
        random: Draws pairs and words.
        half: 0 or 1: which of both halves of the pairs, so that two types ask for different ones.
    """
    pairs = _pairs(history, lambda one, other: one == other)
    return _word_pairs(history, pairs[half::2], random)


def of_two_subjects(history: History, random: Random) -> Iterator[Draft]:
    """MR: properties of two subjects that two rounds of one event say."""
    return _word_pairs(history, _pairs(history, lambda one, other: one != other), random)


def across_sessions(history: History, random: Random) -> Iterator[Draft]:
    """MR: two properties of one with a name, told in two sessions; first of people and animals."""
    told: dict[str, list[_Told]] = defaultdict(list)
    for each in _askable(history):
        if each[2].subject in history.persona.entities:
            told[each[2].subject].append(each)
    pairs = [
        pair
        for each in told.values()
        for pair in combinations(each, 2)
        if history.session_of(pair[0][2]) != history.session_of(pair[1][2])
    ]
    kinds = history.persona.entities
    by_kind = [
        [pair for pair in pairs if (kinds[pair[0][2].subject].kind in _KNOWN) is known]
        for known in (True, False)
    ]
    for alike in by_kind:
        yield from _word_pairs(history, alike, random)


def _askable(history: History) -> Iterator[_Told]:
    """What was said for good and can be asked for."""
    for event, spec, fact in history.said_facts():
        if spec.ask and history.is_settled(fact):
            yield event, spec, fact


def _pairs(history: History, fits: Callable[[str, str], bool]) -> list[tuple[_Told, _Told]]:
    """Facts of one event and one session whose subjects fit each other."""
    told: dict[tuple[str, str], list[_Told]] = defaultdict(list)
    for each in _askable(history):
        told[each[0].id, history.session_of(each[2])].append(each)
    pairs = [pair for each in told.values() for pair in combinations(each, 2)]
    return [(one, other) for one, other in pairs if fits(one[2].subject, other[2].subject)]


def _word_pairs(
    history: History, pairs: Sequence[tuple[_Told, _Told]], random: Random
) -> Iterator[Draft]:
    """One question after the other, in the order of their answers' rounds."""
    for pair in random.sample(pairs, len(pairs)):
        one, other = sorted(pair, key=lambda each: _place_of(history, each[2]))
        if _place_of(history, one[2]) == _place_of(history, other[2]):
            continue
        text = _text(history, one, other, random)
        if text is not None:
            both = union(select(one[2]), select(other[2]))
            query = get({"op": "sequence", "of": both, "by": "said"})
            yield Draft(text, query, AnswerFormat.FREE, (one[2].id, other[2].id), whole=True)


def _place_of(history: History, fact: Fact) -> tuple[int, int]:
    """Session and number of the round that says a fact first."""
    return history.rank_of(fact), int(history.anchors(fact.id)[0].partition(":")[2])


def _text(history: History, one: _Told, other: _Told, random: Random) -> str | None:
    """Both questions in one; None if they cannot be joined, or one gives an answer away."""
    first, second = (
        history.say(random.choice(spec.ask), event, random) for event, spec, _ in (one, other)
    )
    text = join_questions(history, first, second)
    given = any(holds(text or "", spoken_value(fact.value)) for _, _, fact in (one, other))
    return None if text is None or given or history.names_event(text) else text


def join_questions(history: History, first: str, second: str) -> str | None:
    """`What was A, and what was B?` of two questions; None if that is long."""
    begins = second.partition(" ")[0].casefold()
    text = f"{first.removesuffix('?')}, and {begins}{second[len(begins) :]}"
    plain = first.endswith("?") and second.endswith("?") and begins in history.small_words
    # A lone letter, as of an S-shaped root, is read as a name.
    plain = plain and _LETTER.search(text) is None
    fits = plain and history.knows_names(text)
    return text if fits and len(text.split()) <= _LONGEST else None
