"""Cards told in shorter turns: more rounds that say the same."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import Final

from memassay.synth.world.cells.claims import states_pictures
from memassay.synth.world.persona_file import CardSpec, RoundSpec

HEARD: Final = (
    "[OK, go on.|I see.|Right, I'm with you.|Go on, please.|Got it.|All right.|I'm listening.|"
    "OK, and?|Sure, go ahead.|Mm, go on.|Understood.|Okay.]"
)
"""What the assistant says to the first part of what the user has to say (our choice)."""
GO_ON: Final = (
    "[Go on.|And?|Right, what else?|OK, and then?|I'm following.|So far so good.|Anything more?|"
    "Keep going.|Mhm, go on.|What else?|I'm with you.|OK, and beyond that?]"
)
"""What the user says to the first part of an answer (our choice)."""
_CALM: Final = 2
"""Sentences of a part of an answer, as long as that is enough (our choice)."""
_TOKEN: Final = re.compile(r"[\[\]{}]|[.!?](?= )")


def part_turns(cards: Sequence[CardSpec], more: int) -> list[CardSpec]:
    """The cards with so many rounds more, or as many as their turns can be divided into.

    What the user says is divided between sentences, and so are answers; all is said in the order in
    which it was. Long answers in two come first, single sentences last.
    """
    told = list(cards)
    for divide in (
        partial(_answers, least=_CALM),
        _first_words,
        partial(_answers, least=1),
        _more_words,
    ):
        while more > 0:
            found = [
                (parts[0], -nth, -at, parts[1])
                for nth, card in enumerate(told)
                for at, one in enumerate(card.rounds)
                if not one.pages and (parts := divide(card, at)) is not None
            ]
            if not found:
                break
            _, nth, at, rounds = max(found, key=lambda one: one[:3])
            card = told[-nth]
            parted = [*card.rounds[:-at], *rounds, *card.rounds[1 - at :]]
            told[-nth] = card.model_copy(update={"rounds": parted})
            more -= 1
    return told


_Parts = tuple[int, list[RoundSpec]]
"""How many sentences a turn has, and the rounds that it becomes."""


def _answers(card: CardSpec, at: int, least: int) -> _Parts | None:
    """An answer in two, each of so many sentences at least."""
    one = card.rounds[at]
    said = sentences(one.assistant)
    # What is claimed of a picture is said where it is shown.
    if len(said) < 2 * least or states_pictures(one.assistant, card.images):
        return None
    middle = (len(said) + 1) // 2
    first = one.model_copy(update={"assistant": " ".join(said[:middle])})
    then = RoundSpec(user=GO_ON, assistant=" ".join(said[middle:]), when=one.when)
    return len(said), [first, then]


def _first_words(card: CardSpec, at: int) -> _Parts | None:
    """What the user says in two, unless it is a part already."""
    beside = card.rounds[at - 1 : at] if at else []
    divided = any(each.assistant == HEARD for each in (*beside, card.rounds[at]))
    return None if divided else _more_words(card, at)


def _more_words(card: CardSpec, at: int) -> _Parts | None:
    """What the user says in two; a question keeps its answer, a picture the words beside it."""
    one = card.rounds[at]
    said = sentences(one.user)
    middle = len(said) // 2
    if not middle or one.shows or any(text.endswith("?") for text in said[:middle]):
        return None
    first = one.model_copy(update={"user": " ".join(said[:middle]), "assistant": HEARD})
    then = one.model_copy(update={"user": " ".join(said[middle:]), "stage": None})
    return len(said), [first, then]


@lru_cache(maxsize=4096)
def sentences(pattern: str) -> tuple[str, ...]:
    """The sentences of a text, those within a choice or a slot together."""
    found: list[str] = []
    depth = begin = 0
    for token in _TOKEN.finditer(pattern):
        if token.group() in "[{":
            depth += 1
        elif token.group() in "]}":
            depth -= 1
        elif not depth and not pattern[token.end() + 1 :][:1].islower():
            found.append(pattern[begin : token.end()].strip())
            begin = token.end()
    return (*found, pattern[begin:].strip()) if pattern[begin:].strip() else tuple(found)
