"""Words by which a question says what is done to facts: counted, ordered, bounded, denied."""

from typing import Final

from memassay.schemas.queries.asked.words import split_words
from memassay.schemas.values import text

FIRST: Final = split_words(
    "first earliest begin begins began beginning start starts started original originally opening "
    "initial initially oldest soonest"
)
LAST: Final = split_words(
    "last latest final finally recent recently newest closing end most-recent"
)
HIGH: Final = split_words(
    "highest largest greatest biggest maximum max longest heaviest tallest most top dearest "
    "hottest warmest widest best farthest furthest peak strongest fastest commonest usual usually "
    "latest oldest exceed exceeds above"
)
LOW: Final = split_words(
    "fastest quickest lowest smallest least minimum min shortest lightest cheapest fewest "
    "coldest coolest lower "
    "narrowest youngest worst nearest closest weakest slowest rarest earliest"
)
SUM: Final = split_words("sum total altogether combined")
MEAN: Final = split_words("average averaged typical typically")
ADVICE: Final = split_words("recommend suggest advise")
COUNT: Final = split_words("many often count number times much")
UP: Final = split_words(
    "up higher more exceed exceeds longer greater larger heavier later older taller dearer bigger "
    "faster warmer hotter wider deeper thicker off"
)
DOWN: Final = split_words(
    "faster quicker sooner down lower less fewer shorter smaller lighter cheaper younger slower "
    "cooler colder narrower "
    "thinner earlier forward"
)
NEGATION: Final = split_words(
    "not never without except besides none neither nor nobody nothing no cannot"
)
BUT: Final = frozenset({("other", "than"), ("apart", "from"), ("aside", "from")})
"""Pairs of words that leave something out."""
CLAUSES: Final = split_words("when while that who whose whom if because until once so")
"""Words with which a clause begins that only says when, who or why."""
DENIALS: Final = split_words(
    "silence silent absence absent lack missing empty ban forbidden refusal failure allergy "
    "intolerance quarrel"
)
"""Words of a property by which it denies something."""
OTHERS: Final = split_words(
    "other else another besides beside apart except rest remaining only but"
)
ABOVE: Final = split_words(
    "above over more exceed exceeded exceeds exceeding greater higher least beyond from"
)
BELOW: Final = split_words("below under less fewer lower smaller most maximum up within until")
AFTER: Final = split_words("after since later following between from past when up")
BEFORE: Final = split_words("before until earlier by between prior till to up")
SESSIONS: Final = split_words("sessions")
UNITS: Final = {
    "minute": split_words("minute minutes"),
    "hour": split_words("hour hours"),
    "day": split_words("day days"),
    "week": split_words("week weeks"),
    "month": split_words("month months"),
    "year": split_words("year years"),
}
"""Units of time in words, by what queries call them."""
_MOST: Final = 10
ORDINALS: Final = {word: str(at) for word, at in text.ORDINALS.items() if at <= _MOST}
