"""The deck: what each of MMRC's 5,120 dialogues is to be like, exact in sum (§3.3, Table 2).

A card says rounds, images, updates, pieces of a list, and which abilities are asked in which form.
The deck belongs to the path, not to the number of dialogues of a recipe: the first so many of it
are in proportion, all of them have the paper's sums, and after the last one it begins again.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import exp
from typing import Final, Literal

from memassay.schemas.benchmarks.mmrc import PRINTED
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.paths.mmrc.quotas import (
    bit_reversed,
    in_order,
    interleave,
    is_due,
    largest_shares,
)

DIALOGUES: Final = PRINTED.total.sessions or 0
ROUNDS: Final = PRINTED.total.rounds or 0
IMAGES: Final = PRINTED.total.images or 0
SHORTEST: Final = 4
LONGEST: Final = 22
"""Rounds, figure 4."""
QUESTIONS: Final = {code: size.questions or 0 for code, size in PRINTED.types.items()}
"""By ability."""
CHOICES: Final = 2703
TRUE_FALSE: Final = 1301
"""Table 2: the other 24,716 are open."""
CLOSED: Final = ("CR", "IU", "MR")
"""Abilities that are asked in closed form, too; lists, pictures and refusals are open."""
LETTERS: Final = "ABCD"

Form = Literal["open", "choice", "true_false"]

_MOST_IMAGES: Final = 8
_PEAK, _WIDTH = 15.85, 4.6
"""Where most lengths lie, and how far they spread: figure 4 has no numbers (our choice)."""
_STRATA: Final = 320
_BLOCK: Final = DIALOGUES // _STRATA
_UPDATES: Final = (1, 2, 1, 3, 2, 1, 2, 4)
_PIECES: Final = (3, 2, 4, 3, 5, 3, 4, 2, 3)
_SPREAD: Final = (0, 1, -1, 0, 2, -1, 1, -2, 0)
_ROUNDS_AN_IMAGE: Final = 4
"""One image more for so many rounds more."""
_STEP: Final = 450
"""Cards that the shortest is ahead of a longer one for each ability that it lacks already."""


@dataclass(frozen=True)
class Asked:
    """One ability that is asked of a dialogue.

    Attributes:
        code: MMRC's code.
        form: Form of the question.
        turn: Number of the question among those of its ability, from 0.
        place: Of a choice, the position of the right letter; of a statement, 0 where it is true;
            dealt evenly, as `rank` is.
        rank: Which of four numbers in order of size is the right one.
    """

    code: str
    form: Form
    turn: int
    place: int = 0
    rank: int = 0


@dataclass(frozen=True)
class DeckCard:
    """What a dialogue is to be like.

    Attributes:
        rounds: Its rounds.
        images: Its images.
        updates: How often one fact changes.
        pieces: How many pieces of a list are told.
        asked: The abilities that are asked, in MMRC's order.
    """

    rounds: int
    images: int
    updates: int
    pieces: int
    asked: tuple[Asked, ...]

    def asks(self, code: str) -> Asked | None:
        """How an ability is asked; None where it is not."""
        return next((one for one in self.asked if one.code == code), None)


def card_of(dialogue: int) -> DeckCard:
    """The card of a dialogue, by its number from 0."""
    return deck()[dialogue % DIALOGUES]


@lru_cache(maxsize=1)
def deck() -> tuple[DeckCard, ...]:
    """All cards in the order of dialogues."""
    sizes = _sizes()
    lacking = _lacking([rounds for rounds, _ in sizes])
    counted: Counter[str] = Counter()
    dealer = _Dealer()
    made = []
    for at in _order():
        rounds, images = sizes[at]
        codes = [code for code in QUESTIONS if code not in lacking[at]]
        updates, pieces = _asides(rounds, codes, counted)
        asked = tuple(dealer.deal(code) for code in codes)
        made.append(DeckCard(rounds, images, updates, pieces, asked))
    return tuple(made)


def _sizes() -> list[tuple[int, int]]:
    """Rounds and images of every card, by rounds and then by images."""
    rounds = [length for length, count in _lengths().items() for _ in range(count)]
    return sorted(zip(rounds, _images(rounds), strict=True))


def _lengths() -> dict[int, int]:
    """By length, how many cards have it; their rounds add up exactly."""
    every = range(SHORTEST, LONGEST + 1)
    weights = {length: exp(-(((length - _PEAK) / _WIDTH) ** 2) / 2) for length in every}
    counts = largest_shares(weights, DIALOGUES)
    missing = ROUNDS - sum(length * count for length, count in counts.items())
    # One card of a length becomes one of the next, in the middle of the row first.
    steps = sorted(every[:-1], key=lambda length: abs(length - _PEAK))
    for number in range(abs(missing)):
        low = steps[number % len(steps)]
        up, down = (low + 1, low) if missing > 0 else (low, low + 1)
        counts[up] += 1
        counts[down] -= 1
    return counts


def _bounds(rounds: int) -> tuple[int, int]:
    """Fewest and most images of a dialogue."""
    if rounds == SHORTEST:
        return 1, 2
    return 2, max(2, min(_MOST_IMAGES, (2 * rounds + 2) // 5))


def _images(rounds: list[int]) -> list[int]:
    """Images of cards in order of their rounds; they add up exactly."""
    made = []
    for at, length in enumerate(rounds):
        least, most = _bounds(length)
        usual = 1 + length // _ROUNDS_AN_IMAGE + in_order(_SPREAD, at, -_MOST_IMAGES, _MOST_IMAGES)
        made.append(max(least, min(most, usual)))
    missing = IMAGES - sum(made)
    step = 1 if missing > 0 else -1
    order = [place * _BLOCK + row for row in range(_BLOCK) for place in bit_reversed(_STRATA)]
    while missing:
        for at in order:
            least, most = _bounds(rounds[at])
            if missing and least <= made[at] + step <= most:
                made[at] += step
                missing -= step
    return made


def _lacking(rounds: list[int]) -> list[set[str]]:
    """By card, the abilities that are not asked: the shortest lack most.

    Who has room for the pieces of a list or for one update, and not for both, has no update.
    """
    missing = {code: DIALOGUES - count for code, count in QUESTIONS.items()}
    lacking: list[set[str]] = [set() for _ in rounds]
    for at in range(missing.pop("IU")):
        lacking[at].add("IU")
    heap = [(at + _STEP * len(lacking[at]), at) for at in range(len(rounds))]
    heapify(heap)
    for code in interleave(missing):
        passed = []
        while code in lacking[heap[0][1]]:
            passed.append(heappop(heap))
        cost, at = heappop(heap)
        lacking[at].add(code)
        for each in (*passed, (cost + _STEP, at)):
            heappush(heap, each)
    return lacking


def _order() -> list[int]:
    """Positions of cards by rounds, in the order of dialogues: one of each stratum in a block."""
    own = [
        keyed_random("mmrc", "deck", str(stratum)).sample(range(_BLOCK), _BLOCK)
        for stratum in range(_STRATA)
    ]
    return [
        stratum * _BLOCK + own[stratum][block]
        for block in range(_BLOCK)
        for stratum in bit_reversed(_STRATA)
    ]


def _asides(rounds: int, codes: list[str], counted: Counter[str]) -> tuple[int, int]:
    """Updates and pieces of a card; together at most in every second round."""
    room, quarter = rounds // 2, rounds // 4
    updates = pieces = 0
    if "IU" in codes:
        left = room - (2 if "IE" in codes else 0)
        updates = in_order(_UPDATES, counted["updates"], 1, min(4, max(1, quarter), left))
        counted["updates"] += 1
    if "IE" in codes:
        most = min(5, max(2, quarter + 1), room - updates)
        pieces = in_order(_PIECES, counted["pieces"], 2, most)
        counted["pieces"] += 1
    return updates, pieces


class _Dealer:
    """Deals forms, letters, truth and ranks of questions in the order of dialogues."""

    def __init__(self) -> None:
        closed = {code: QUESTIONS[code] for code in CLOSED}
        self._choices = largest_shares(closed, CHOICES)
        self._statements = largest_shares(closed, TRUE_FALSE)
        self._turns: dict[str, int] = defaultdict(int)

    def deal(self, code: str) -> Asked:
        turn = self._next(code)
        asked = Asked(code, self._form(code, turn), turn)
        if asked.form == "open":
            return asked
        many = len(LETTERS) if asked.form == "choice" else 2
        number = self._next(f"{code} {asked.form}")
        return replace(
            asked,
            place=_dealt(many, number, code, asked.form),
            rank=_dealt(len(LETTERS), number, code, asked.form, "rank"),
        )

    def _next(self, what: str) -> int:
        self._turns[what] += 1
        return self._turns[what] - 1

    def _form(self, code: str, turn: int) -> Form:
        if code not in CLOSED:
            return "open"
        of, choices = QUESTIONS[code], self._choices[code]
        if is_due(turn, choices, of):
            return "choice"
        # Statements are spread over the questions that are no choices.
        left = turn - turn * choices // of
        return "true_false" if is_due(left, self._statements[code], of - choices) else "open"


def _dealt(many: int, number: int, *key: str) -> int:
    """Which of several is dealt next: each once in so many."""
    run, at = divmod(number, many)
    return keyed_random("mmrc", *key, str(run)).sample(range(many), many)[at]
