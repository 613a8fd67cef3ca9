"""Deeds and things of lists that ship, by their stems."""

from functools import cache
from pathlib import Path
from typing import Final

from memassay.synth.lives.unifying.denying.deeds import placed
from memassay.synth.lives.unifying.reading.stems import stem

_WORDS: Final = Path(__file__).parent / "words"


@cache
def _rows(name: str) -> dict[str, frozenset[str]]:
    """Stems of the words of each line of a list, by the stems of what it begins with."""
    lines = (_WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {
        " ".join(stem(one) for one in key.split("_") if one != "of"): frozenset(
            map(stem, words.split())
        )
        for key, _, words in rows
    }


def deeds(verb: str) -> frozenset[str]:
    """Stems of the verbs that show that a deed was done, by the stem of its own verb."""
    return _rows("verbs").get(verb, frozenset()) | {verb}


def listed_verb(verb: str) -> bool:
    """Whether the list knows a verb."""
    return verb in _rows("verbs")


def called(thing: str) -> frozenset[str]:
    """Stems of what a thing may be called where it is shown, by its stem or stems."""
    own = _rows("things").get(thing, frozenset())
    return own if " " in thing else own | placed(thing)


def known(thing: str) -> bool:
    """Whether the list has other words for a thing."""
    return thing in _rows("things")
