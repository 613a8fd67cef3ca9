"""Measures of text: distinct n-grams, near-duplicates, skeletons, a classifier of two samples."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

WINDOW: Final = 8_000
"""Tokens of a text that distinct n-grams are counted over."""
SHINGLE: Final = 3
SKELETON_WORDS: Final = 6
"""Words of a sentence from which its skeleton counts: shorter ones are alike by chance."""
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SENTENCE: Final = re.compile(r"(?<=[.!?;:])\s+")
_FUNCTION_WORDS: Final = """
a about above after again all also always an and another any are as at away back be because been
before below between both but by can could did do does down each either else enough even ever
every few first for from had has have he her here him his how i if in instead into is it its just
last least less let like many may me might more most much must my neither never next no nor not
nothing now of off often on once one only or other our out over own rather same she should since
so some something still such than that the their them then there these they this those though
through to too towards two under until up upon us very was we were what when where which while
who whose why will with within without would yet you your yours
"""
FUNCTION_WORDS: Final = frozenset(_FUNCTION_WORDS.split())


def tokens(text: str) -> list[str]:
    """Words in lower case; an apostrophe inside a word belongs to it."""
    return _WORD.findall(text.lower())


def distinct(words: Sequence[str], size: int) -> float:
    """Share of n-grams that differ among the first `WINDOW` words; 0 for too short a text."""
    seen = words[:WINDOW]
    grams = [tuple(seen[at : at + size]) for at in range(len(seen) - size + 1)]
    return len(set(grams)) / len(grams) if grams else 0.0


@dataclass(frozen=True)
class Duplicate:
    """Two texts that are nearly the same, and how much they share."""

    one: str
    other: str
    jaccard: float


def near_duplicates(texts: Mapping[str, str], least: float = 0.7) -> list[Duplicate]:
    """Pairs of texts whose sets of three-word runs have at least this Jaccard similarity.

    Exact; MinHash estimates the same number.
    """
    shingles = {name: _shingles(text) for name, text in texts.items()}
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    found = []
    for name, own in shingles.items():
        shared: dict[str, int] = defaultdict(int)
        for shingle in own:
            for other in holders[shingle]:
                shared[other] += 1
            holders[shingle].append(name)
        for other in sorted(shared):
            common = shared[other]
            jaccard = common / (len(own) + len(shingles[other]) - common)
            if jaccard >= least:
                found.append(Duplicate(other, name, jaccard))
    return found


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    return {tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1)}


def skeletons(text: str) -> list[str]:
    """Sentences with every content word masked: what is left is the frame of the grammar."""
    found = []
    for sentence in _SENTENCE.split(text):
        words = tokens(sentence)
        if len(words) >= SKELETON_WORDS:
            found.append(" ".join(word if word in FUNCTION_WORDS else "_" for word in words))
    return found


def shared_share(own: Sequence[str], others: Sequence[str]) -> float:
    """Share of a list that also stands in another list; 0 for an empty list."""
    there = set(others)
    return sum(one in there for one in own) / len(own) if own else 0.0


def mask_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text with parts replaced by one neutral word each; overlapping parts become one."""
    parts, done = [], 0
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    for start, end in joined:
        parts += [text[done:start], "value"]
        done = end
    return "".join([*parts, text[done:]])


@dataclass(frozen=True)
class Separation:
    """How well bags of words tell two samples apart.

    Attributes:
        accuracy: Mean over folds; 0.5 is chance, the samples being of equal size.
        telling: Words that speak most for the first sample, and for the second.
    """

    accuracy: float
    telling: tuple[list[str], list[str]]


def separation(one: Mapping[str, list[str]], other: Mapping[str, list[str]]) -> Separation:
    """Cross-validated accuracy of a logistic regression on bags of words.

    Args:
        one: Texts by conversation; no conversation stands in two folds.
        other: The second sample.
    """
    import numpy
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedGroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline

    size = min(sum(map(len, one.values())), sum(map(len, other.values())))
    rows = [*_evenly(one, size, 0), *_evenly(other, size, 1)]
    texts, labels, groups = ([row[at] for row in rows] for at in range(3))
    folds = min(5, len(one), len(other))
    model = make_pipeline(
        CountVectorizer(min_df=2, binary=True), LogisticRegression(max_iter=1000, random_state=0)
    )
    split = StratifiedGroupKFold(n_splits=folds, shuffle=True, random_state=0)
    scores = cross_val_score(model, texts, labels, groups=groups, cv=split)
    model.fit(texts, labels)
    words = model[0].get_feature_names_out()
    order = numpy.argsort(model[1].coef_[0])
    telling = ([str(words[at]) for at in order[:15]], [str(words[at]) for at in order[::-1][:15]])
    return Separation(float(scores.mean()), telling)


def _evenly(texts: Mapping[str, list[str]], size: int, label: int) -> list[tuple[str, int, str]]:
    """So many texts, taken from every conversation alike, with a label and a group."""
    rows = [(at, name, text) for name in sorted(texts) for at, text in enumerate(texts[name])]
    rows.sort(key=lambda row: row[:2])
    return [(text, label, f"{label}:{name}") for _, name, text in rows[:size]]
