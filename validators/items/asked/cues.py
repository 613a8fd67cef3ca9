"""Words by which a question says what is done to facts: counted, ordered, bounded, denied."""

from typing import Final

from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.values import text

FIRST: Final = spaced(
    "first earliest begin begins began beginning start starts started original originally opening "
    "initial initially oldest soonest"
)
LAST: Final = spaced("last latest final finally recent recently newest closing end most-recent")
HIGH: Final = spaced(
    "highest largest greatest biggest maximum max longest heaviest tallest most top dearest "
    "hottest warmest widest best farthest furthest peak strongest fastest commonest usual usually "
    "latest oldest exceed exceeds above"
)
LOW: Final = spaced(
    "lowest smallest least minimum min shortest lightest cheapest fewest coldest coolest lower "
    "narrowest youngest worst nearest closest weakest slowest rarest earliest"
)
SUM: Final = spaced("sum total altogether combined")
MEAN: Final = spaced("average averaged typical typically")
COUNT: Final = spaced("many often count number times much")
UP: Final = spaced(
    "up higher more exceed exceeds longer greater larger heavier later older taller dearer bigger "
    "faster warmer hotter wider deeper thicker off"
)
DOWN: Final = spaced(
    "down lower less fewer shorter smaller lighter cheaper younger slower cooler colder narrower "
    "thinner earlier forward"
)
NEGATION: Final = spaced(
    "not never without except besides none neither nor nobody nothing no cannot"
)
BUT: Final = frozenset({("other", "than"), ("apart", "from"), ("aside", "from")})
"""Pairs of words that leave something out."""
CLAUSES: Final = spaced("when while that who whose whom if because until once so")
"""Words with which a clause begins that only says when, who or why."""
DENIALS: Final = spaced(
    "silence silent absence absent lack missing empty ban forbidden refusal failure allergy "
    "intolerance quarrel"
)
"""Words of a property by which it denies something."""
OTHERS: Final = spaced("other else another besides beside apart except rest remaining only but")
ABOVE: Final = spaced(
    "above over more exceed exceeded exceeds exceeding greater higher least beyond from"
)
BELOW: Final = spaced("below under less fewer lower smaller most maximum up within until")
AFTER: Final = spaced("after since later following between from past when up")
BEFORE: Final = spaced("before until earlier by between prior till to up")
SESSIONS: Final = spaced("sessions")
UNITS: Final = {
    "minute": spaced("minute minutes"),
    "hour": spaced("hour hours"),
    "day": spaced("day days"),
    "week": spaced("week weeks"),
    "month": spaced("month months"),
    "year": spaced("year years"),
}
"""Units of time in words, by what queries call them."""
_MOST: Final = 10
ORDINALS: Final = {word: str(at) for word, at in text.ORDINALS.items() if at <= _MOST}
