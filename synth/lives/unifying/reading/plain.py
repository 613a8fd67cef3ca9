"""Sentences in a plain form: no contractions, numbers in figures."""

import re
from functools import lru_cache
from typing import Final

from memassay.synth.lives.unifying.reading.wording import figures

_LONG: Final = (
    (re.compile(r"\b([Cc])an(?:'t|not)\b"), r"\1an not"),
    (re.compile(r"\b([Ww])on't\b"), r"\1ill not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b([Ii]|[Ww]e|[Yy]ou|[Tt]hey)'ve\b"), r"\1 have"),
    (re.compile(r"\bI'm\b"), "I am"),
    (re.compile(r"\b([Ww]e|[Yy]ou|[Tt]hey)'re\b"), r"\1 are"),
    (re.compile(r"(\w)'ll\b"), r"\1 will"),
    (re.compile(r"\b(I|[Ww]e) (?:have|had) got\b"), r"\1 have"),
    (re.compile(r"\b(I|[Ww]e)'d\b"), r"\1 would"),
    (re.compile(r"\b(?:a|one) couple of (?=years|months|weeks|decades)"), "2 "),
    (re.compile(r"\bset foot (?:in|on|inside)\b"), "been to"),
    (re.compile(r"\bhalf a decade\b"), "5 years"),
    (re.compile(r"\b(?:a|one|1) decade\b"), "10 years"),
    (re.compile(r"\b(\d) decades\b"), r"\g<1>0 years"),
    (re.compile(r"\b(?:a|one) year\b(?! old)"), "1 year"),
    (re.compile(r"\b(?:a|one) hundred\b"), "100"),
)
_GOES_ON: Final = re.compile(
    r"(^|(?<=I)\b.*?(?:[,;] |\b(?:and|but|so|or) ))([Nn]ever|do not|can not|have never)\b"
)
"""What goes on without naming its subject, which is the one before."""

_FIRST: Final = 12
"""How many of them come before numbers are put into figures."""


@lru_cache(maxsize=1 << 12)
def plain(text: str) -> str:
    """A sentence without contractions, with numbers below a hundred in figures."""
    for pattern, long in _LONG[:_FIRST]:
        text = pattern.sub(long, text)
    text = figures(text)
    for pattern, long in _LONG[_FIRST:]:
        text = pattern.sub(long, text)
    return _GOES_ON.sub(r"\1I \2", text) if "ever" in text or "not" in text else text
