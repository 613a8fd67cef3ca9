"""Crude readers: guesses from how options stand, and answers from a history barely looked at.

Guessers of options learn from other conversations at which place the gold stands when options are
put in order of their size, of their length, or as they are shown. Readers of a history know the
unit of the gold or the best session, and understand nothing; what they reach is printed, not
judged: a good search is no shortcut.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from shortcut_measures import Asked, folds

_AMOUNT: Final = re.compile(r"(-?\d[\d,]*(?:\.\d+)?)\s?(\D*)")
_CLOCK: Final = re.compile(r"(\d\d):(\d\d)")

Sizes = Callable[[Sequence[str]], list[float] | None]


def _size(text: str) -> float | None:
    """A number, a clock time or a day as something to compare; None for other texts."""
    if clock := _CLOCK.fullmatch(text):
        return 60.0 * int(clock[1]) + int(clock[2])
    if amount := _AMOUNT.fullmatch(text):
        return float(amount[1].replace(",", ""))
    try:
        return float(datetime.strptime(text, "%d %B %Y").toordinal())
    except ValueError:
        return None


def rank(options: Sequence[str]) -> list[float] | None:
    """By size, if all of them are numbers or dates."""
    sizes = [size for option in options if (size := _size(option)) is not None]
    return sizes if len(sizes) == len(options) else None


def length(options: Sequence[str]) -> list[float] | None:
    """By the number of characters, if they differ at all."""
    sizes = [float(len(option)) for option in options]
    return sizes if len({*sizes}) > 1 else None


def position(options: Sequence[str]) -> list[float] | None:
    """As they are shown."""
    return [float(at) for at in range(len(options))]


OPTION_GUESSERS: Final[dict[str, Sizes]] = {"rank": rank, "length": length, "position": position}


def option_hits(asked: Sequence[Asked], sizes: Sizes) -> tuple[int, int, float]:
    """How often the option at the place of most golds of others is right, of how many, by chance.

    Options of one size share their place: of several that could be meant the first is taken.
    """
    right, count, chance = 0, 0, 0.0
    for own, others in folds(asked):
        places = Counter(place for one in others if (place := _place(one, sizes)) is not None)
        for one in own if places else ():
            order = _order(one, sizes)
            if order is None:
                continue
            usual = min(places, key=lambda place: (-places[place], place))
            guess = order[min(usual, len(order) - 1)]
            right += one.options[guess][0].lower() == one.gold
            count, chance = count + 1, chance + 1 / len(order)
    return right, count, chance / count if count else 0.0


def _order(one: Asked, sizes: Sizes) -> list[int] | None:
    """Positions of the options of a question from the least to the greatest."""
    found = sizes([text for _, text in one.options]) if one.options else None
    return found and sorted(range(len(found)), key=lambda at: (found[at], at))


def _place(one: Asked, sizes: Sizes) -> int | None:
    """Where the gold stands in that order."""
    order = _order(one, sizes)
    labels = [label.lower() for label, _ in one.options]
    return order.index(labels.index(one.gold)) if order and one.gold in labels else None


def last_number(one: Asked) -> bool | None:
    """Whether the number said last in the unit of the gold is the gold; None for no number.

    Of options, the one whose number is said last.
    """
    history = " ".join(one.sessions).lower()
    if one.options:
        said = {label.lower(): history.rfind(text.lower()) for label, text in one.options}
        if rank([text for _, text in one.options]) is None or max(said.values()) < 0:
            return None
        return max(said, key=lambda label: said[label]) == one.gold
    amount = _AMOUNT.fullmatch(one.gold)
    if amount is None or not amount[2]:
        return None
    unit = re.escape(amount[2].removesuffix("s"))
    found = re.findall(rf"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)[\s-]?{unit}(?:s\b|\b|(?<=\W))", history)
    return found[-1] == amount[1] if found else None


def top_session(one: Asked) -> bool | None:
    """Whether the session that BM25 ranks first says the gold; of options, the gold alone."""
    if not one.sessions:
        return None
    text = best_session(one.question.partition(" A. ")[0], one.sessions).lower()
    if one.options:
        said = [label.lower() for label, option in one.options if option.lower() in text]
        return said == [one.gold]
    return all(part in text for part in one.gold.split(" | "))


HISTORY_READERS: Final[dict[str, Callable[[Asked], bool | None]]] = {
    "last number": last_number,
    "BM25, top session": top_session,
}


def history_hits(asked: Sequence[Asked], reader: Callable[[Asked], bool | None]) -> tuple[int, int]:
    """How often a reader of histories is right, and how often it answers."""
    answers = [answer for one in asked if (answer := reader(one)) is not None]
    return sum(answers), len(answers)


def best_session(question: str, sessions: tuple[str, ...]) -> str:
    """The session that BM25 ranks first, the earliest of equals."""
    import bm25s

    (asked,) = bm25s.tokenize([question], return_ids=False, show_progress=False)
    scores = _index(sessions).get_scores(asked) if asked else [0.0] * len(sessions)
    return sessions[max(range(len(sessions)), key=lambda at: (float(scores[at]), -at))]


@cache
def _index(sessions: tuple[str, ...]) -> Any:
    import bm25s

    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(sessions), show_progress=False), show_progress=False)
    return index
