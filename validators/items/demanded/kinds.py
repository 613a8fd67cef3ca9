"""What a question asks for by its interrogative, and which shapes a gold has by its words."""

import re
from typing import Final, NamedTuple

from memassay.schemas.queries.asked.words import spaced
from memassay.schemas.values.text import NUMBER_WORDS, tokens
from memassay.validators.items.dates.gold_dates import gold_date
from memassay.validators.wording import yes_or_no

_PREPOSITION: Final = "in|at|on|from|to|with|by|for|of|about|during|under|since|until|through|into"
_ASKS: Final = (
    r"(?P<word>whom|whose|who|where|when|why"
    r"|how (?:many|much|often|long|old|far|tall|big|large|high|heavy|fast)|how|what|which)\b"
)
_OPENS: Final = re.compile(
    rf"\W*(?:(?:and|so|but) )?(?:(?:{_PREPOSITION}) )?{_ASKS}", re.IGNORECASE
)
_LATER: Final = re.compile(rf"[,:.?] (?:(?:{_PREPOSITION}) )?{_ASKS}[^,]*\?", re.IGNORECASE)
_IS_THE: Final = re.compile(
    r" (?:is|was|are|were) (?:one of )?(?:the|[\w]+['’]s|her|his|their) (?P<phrase>[\w'’-]+(?:"
    r" [\w'’-]+){0,2}?)"
    r"(?= (?:of|for|in|on|that|which|who|when|at|to|by|from|with|she|he|they|(?-i:[A-Z])\w+)\b|\?)",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(
    r"\W*(?:when|where|how) (?!(?:did|do|does|is|are|was|were|has|have|had|can|could|should|would"
    r"|will|many|much|often|long|old|far)\b)",
    re.IGNORECASE,
)
"""How a clause begins that only looks like a question: "When introducing Istanbul, which …"."""
_PHRASE: Final = re.compile(
    r"(?P<phrase>(?: [\w'’-]+){0,5}?) (?:did|do|does|is|are|was|were|has|have|had|can|could|should"
    r"|would|will|might|may|must)\b",
    re.IGNORECASE,
)
_TIMES: Final = spaced(
    "time times date dates day days month months year years week weeks weekend weekends weekday"
    " hour"
    " hours minute minutes morning evening night afternoon noon midnight season decade century"
    " moment"
    " period january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday"
    " saturday sunday spring summer autumn fall winter today yesterday tomorrow tonight ago earlier"
    " later am pm o'clock"
)
"""Words that name a time, or ask for one."""
_BESIDE_TIMES: Final = spaced(
    "the a an of in on at by before after during since until between and early late mid middle end"
    " beginning start last next this that past around about approximately first second third final"
    " same one two three four five six seven eight nine ten few couple s"
)
_UNIT: Final = "second|minute|hour|day|night|week|weekend|month|year|decade"
_COUNT: Final = "|".join(
    ("[0-9][0-9.,]*", *sorted(NUMBER_WORDS, key=len, reverse=True), "an?", "several", "half an?")
)
_ROUGHLY: Final = (
    r"(?:about|around|approximately|roughly|nearly|almost|over|under|for|only|just|at least|at most"
    r"|more than|less than|up to|some|likely)"
)
_LENGTH: Final = re.compile(
    rf"\W*(?:{_ROUGHLY} )*(?:{_COUNT})(?: (?:to|or|and) (?:{_COUNT}))?(?:[ -](?:few|couple of))?"
    rf"[ -](?:{_UNIT})s?(?: and a half)?\W*",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    rf"\W*(?:{_ROUGHLY} )*[$€£¥~]?\s?(?:[0-9][0-9.,]*|{'|'.join(NUMBER_WORDS)})"
    r"(?:\s?(?:[-–—]|to|or)\s?[$€£¥]?[0-9][0-9.,]*)?\s?"
    r"(?:%|percent|dollars?|euros?|pounds?|yuan|rmb|usd|hundred|thousand|million|billion|times?"
    r"|k)?\W*",
    re.IGNORECASE,
)
_OFTEN: Final = re.compile(
    rf"\W*(?:{_ROUGHLY} )*(?:once|twice|daily|weekly|monthly|yearly|every (?:other )?(?:\w+"
    rf" )?(?:{_UNIT})s?"
    rf"|(?:\w+|a few|several) times)(?: (?:a|per|each|every|or twice|this|last) ?(?:{_UNIT}|a"
    rf" {_UNIT})?s?)*\W*",
    re.IGNORECASE,
)
_REASON: Final = re.compile(r"\W*(?:because|due to|owing to|in order to|so that)\b", re.IGNORECASE)


class Asked(NamedTuple):
    """What a question asks for.

    Attributes:
        word: Its interrogative in small letters: `who`, `how many`, `which`.
        phrase: The words between it and the verb, such as "dog breed", or behind "is the".
    """

    word: str
    phrase: tuple[str, ...]


def asked_kind(text: str) -> Asked | None:
    """What a question asks for; None where it has no interrogative, or asks for yes or no."""
    found = _OPENS.match(text)
    if found is None or _CLAUSE.match(text):
        found = _LATER.search(text) or found
    if found is None:
        return None
    behind = _PHRASE.match(text, found.end("word"))
    phrase = tuple(tokens(behind["phrase"])) if behind else ()
    named = None if phrase else _IS_THE.match(text, found.end("word"))
    phrase = tuple(tokens(named["phrase"])) if named else phrase
    return Asked(" ".join(found["word"].casefold().split()), phrase)


_YES_NO: Final = re.compile(
    r"(?:did|do|does|is|are|was|were|has|have|had|can|could|should|would|will)\b", re.IGNORECASE
)
_DATED: Final = re.compile(
    r"\b(?:in|on|at|during|of|by|since|before|after|from|until|throughout|over|last|this|next|that)"
    rf"(?: (?:the|a|an|of|and|to|[0-9][\w,/:-]*|{'|'.join(sorted(_TIMES | _BESIDE_TIMES))})\b,?)+",
    re.IGNORECASE,
)
"""A phrase that says when something was, and asks for no time."""


def asks_yes_or_no(text: str) -> bool:
    """Whether a question is one for yes or no."""
    return _YES_NO.match(text) is not None and " or " not in text


def asks_time(text: str) -> bool:
    """Whether a question has a word for a time that is none of a phrase that only dates it."""
    return names_time(_DATED.sub(" ", text))


def names_time(text: str) -> bool:
    """Whether a text has a word that names a time, or asks for one."""
    return not _TIMES.isdisjoint(tokens(text))


def shape_of(value: str) -> str | None:
    """The shape of a gold whose words all belong to it; None of one that says anything else.

    `time`, `length`, `number`, `frequency`, `truth` or `reason`.
    """
    if yes_or_no(value):
        return "truth"
    if _NUMBER.fullmatch(value):
        return "number"
    if _LENGTH.fullmatch(value):
        return "length"
    if _OFTEN.fullmatch(value):
        return "frequency"
    if _REASON.match(value):
        return "reason"
    return "time" if gold_date(value) is not None or _only_time(value) else None


def _only_time(value: str) -> bool:
    line = tokens(value)
    times = [word for word in line if word in _TIMES]
    rest = [word for word in line if word not in _TIMES and not word[0].isdigit()]
    return bool(times) and all(word in _BESIDE_TIMES for word in rest)
