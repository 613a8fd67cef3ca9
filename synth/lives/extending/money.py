"""The money in which a life counts."""

import re
from collections import Counter
from typing import Final

from memassay.schemas.records.bundle import Bundle

EUR: Final = "EUR"
"""The currency in which arcs are written."""
RATES: Final = {EUR: 1, "USD": 1, "GBP": 1, "CHF": 1, "CNY": 8, "JPY": 160, "INR": 90, "SEK": 11}
"""By currency, by how much the numbers of arcs are multiplied: about what the money is worth."""
_SAID: Final = {
    "EUR": r"€|\beuros?\b",
    "USD": r"\$|\bdollars?\b|\bbucks\b",
    "GBP": r"£|\b[0-9]+ pounds\b|\bquid\b",
    "CHF": r"\bfrancs\b",
    "CNY": r"\byuan\b|\bRMB\b",
    "JPY": r"\byen\b",
    "INR": r"₹|\brupees?\b",
    "SEK": r"\bkronor\b",
}


def currency_of(bundle: Bundle) -> str:
    """The currency that the facts of a life have most often, else its texts; euros if none."""
    counts = Counter(one.value.unit for one in bundle.facts if one.value.unit in RATES)
    if not counts:
        texts = "\n".join(turn.text for turn in bundle.conversation.turns())
        for code, words in _SAID.items():
            number = len(re.findall(rf"\b{code}\b|{words}", texts))
            counts.update({code: number} if number else {})
    return max(sorted(counts), key=counts.__getitem__) if counts else EUR
