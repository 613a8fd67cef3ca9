"""Insults and foul language: whole words and phrases of a small vetted list."""

import re
from functools import cache

from memassay.validators.drift.sentences import word_list


@cache
def _pattern() -> re.Pattern[str]:
    phrases = sorted(word_list("offensive"), key=len, reverse=True)
    said = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in phrases)
    return re.compile(rf"(?<![\w-])(?:{said})(?:s|es)?(?![\w-])", re.IGNORECASE)


def profanity(text: str) -> list[str]:
    """Offensive words of a text in its order, all but their first letter hidden."""
    return [found[0][0] + "*" * (len(found[0]) - 1) for found in _pattern().finditer(text)]
