"""Deeds and things of lists that ship: which verbs and nouns say the same of somebody."""

from functools import cache
from pathlib import Path
from typing import Final

from memassay.synth.lives.unifying.reading.stems import stem
from memassay.synth.lives.unifying.reading.wording import word_groups

_WORDS: Final = Path(__file__).parent / "words"


@cache
def _rows(name: str) -> dict[str, frozenset[str]]:
    """Stems of the words of each line of a list, by the stem of the word that it begins with."""
    lines = (_WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.partition(":") for line in lines if line and not line.startswith("#"))
    return {stem(word): frozenset(map(stem, words.split())) for word, _, words in rows}


def doing(verb: str) -> frozenset[str]:
    """Stems of the verbs that say that a deed was done, by the stem of its own verb."""
    return _rows("deeds").get(verb, frozenset()) | {verb}


def standing_for(thing: str) -> frozenset[str]:
    """Stems of the things that are one, by its stem: a steak is meat."""
    return _rows("groups").get(thing, frozenset()) | {thing}


@cache
def placed(thing: str) -> frozenset[str]:
    """The same, with the towns of a country or state."""
    towns = (
        town
        for regions, inside in word_groups("places").items()
        if thing in map(stem, regions.split())
        for town in inside
    )
    return standing_for(thing) | frozenset(stem(one) for one in towns if "_" not in one)


def evidence(verb: str) -> frozenset[str]:
    """Stems of what somebody has who does a deed: a licence who drives."""
    return _rows("evidence").get(verb, frozenset())


def listed(name: str) -> frozenset[str]:
    """Stems of the words of a list of `belongings.txt`."""
    return _rows("belongings")[stem(name)]
