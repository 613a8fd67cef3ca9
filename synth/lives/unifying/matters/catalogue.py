"""Matters of a life, read from lists that ship: what is said of each, and in which words.

A list has blocks. The head `[*tattoo]` names a matter: `*` for one that nothing changes, `<` for
one in which `no` may become `yes` later, but never the other way round. Each line below is
`value: words = pattern`: the pattern is looked for in a sentence that has one of the words. Claims
of one matter contradict each other unless they share a value; a value `2|3` is either; a line that
begins with `@` is also about what somebody's people do. The value `=` is what the pattern's groups
find, and `~` tells of a change, after which the matter is not compared.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from memassay.synth.lives.unifying.reading.stems import stem

_WORDS: Final = Path(__file__).parent / "words"
_SELF: Final = r"\bi (?:\w+ )?"
"""In a list: `I` and perhaps a word before a verb, which stands for what follows."""
_SELVES: Final = (
    r"\b(?:i|we) (?:(?!(?:not|never|would|could|might|want|wish|hope|plan|hate|to)\b)\w+ |used "
    r"to ){0,3}?"
)
FOUND: Final = "="
CHANGE: Final = "~"


@dataclass(frozen=True)
class Way:
    """One way to say something of a matter.

    Attributes:
        matter: Its name.
        fixed: Whether nothing changes it.
        gained: Whether `no` may become `yes`.
        shared: Whether it is said of somebody's own people.
        values: What it is then; `=` for what the pattern finds, `~` for a change.
        pattern: How it is said, in lower case.
    """

    matter: str
    fixed: bool
    gained: bool
    shared: bool
    values: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def ways() -> dict[str, tuple[Way, ...]]:
    """Ways to say something, by the stem of a word of the sentence."""
    found: dict[str, list[Way]] = {}
    for path in sorted(_WORDS.glob("*.txt")):
        for words, way in _of_list(path.read_text(encoding="utf-8")):
            for word in {stem(one) for one in words}:
                found.setdefault(word, []).append(way)
    return {word: tuple(own) for word, own in found.items()}


def _of_list(text: str) -> Iterator[tuple[list[str], Way]]:
    head = ""
    for line in text.splitlines():
        if line.startswith("["):
            head = line.strip("[]")
        elif line and not line.startswith("#"):
            value, _, rest = line.partition(": ")
            words, _, pattern = rest.partition(" = ")
            way = Way(
                head.lstrip("*<"),
                "*" in head[:2],
                "<" in head[:2],
                value.startswith("@"),
                tuple(value.lstrip("@").split("|")),
                re.compile(pattern.replace(_SELF, _SELVES)),
            )
            yield words.split(), way
