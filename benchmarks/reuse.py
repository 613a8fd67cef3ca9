"""Measures how often the dialogues of a release say the same: sentences, pairs, rounds.

Run `python benchmarks/reuse.py RELEASE [--json]`. Values of the ledger are masked; a sentence
counts from six words on. Exit code 0 if a release of single dialogues keeps the bars, else 1.
"""

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

from text_measures import near_duplicates, tokens
from text_quality import texts_of

from memassay.exports.release.reader import open_release
from memassay.schemas.records.bundle import Bundle

LONG: Final = 6
"""Words of a sentence that counts."""
BARS: Final = {
    "sentence": 0.20,
    "pairs_mean": 0.15,
    "pairs_most": 0.40,
    "near_duplicates": 0.05,
}
NEXT_ROUND: Final = 0.65
"""Least share of next rounds that are found among three of other dialogues of the category."""
_END: Final = re.compile(r"(?<=[.!?])\s+")


def sentences_of(bundle: Bundle) -> frozenset[str]:
    """The long sentences of a dialogue, values masked."""
    texts = texts_of(bundle, masked=True).values()
    return frozenset(one for text in texts for one in long_sentences(text))


def long_sentences(text: str) -> Iterator[str]:
    """The sentences of a text that count, in lower case without punctuation."""
    for sentence in _END.split(text.replace("\n", " ")):
        words = tokens(sentence)
        if len(words) >= LONG:
            yield " ".join(words)


def measure_sentences(topics: Mapping[str, Sequence[frozenset[str]]]) -> dict[str, Any]:
    """How much dialogues of one topic share: the most used sentence, pairs on average, the most."""
    most, worst, pairs = 0.0, "", list[float]()
    uses: Counter[str] = Counter()
    for dialogues in topics.values():
        counted = Counter(sentence for one in dialogues for sentence in one)
        uses += counted
        for sentence, number in counted.most_common(1):
            if number > 1 and number / len(dialogues) > most:
                most, worst = number / len(dialogues), sentence
        pairs += [
            len(one & other) / min(len(one), len(other))
            for one, other in combinations(dialogues, 2)
            if one and other
        ]
    return {
        "different": len(uses),
        "times_each": round(sum(uses.values()) / max(1, len(uses)), 2),
        "sentence": round(most, 3),
        "most_used": worst,
        "pairs_mean": round(fmean(pairs), 3) if pairs else 0.0,
        "pairs_most": round(max(pairs, default=0.0), 3),
    }


def measure_rounds(bundles: Sequence[Bundle]) -> float:
    """Share of rounds that are nearly the same as another one, values masked."""
    texts = {
        f"{one.id}/{name}": text
        for one in bundles
        for name, text in texts_of(one, masked=True).items()
    }
    twins = {name for pair in near_duplicates(texts) for name in (pair.one, pair.other)}
    return round(len(twins) / max(1, len(texts)), 4)


def find_next(
    texts: Mapping[str, Sequence[str]],
    topics: Mapping[str, str],
    *,
    later: bool,
    seed: int = 0,
) -> float:
    """Share of rounds that are the nearest of four to the two before them, by TF-IDF.

    Args:
        texts: What is said in each round, by dialogue.
        topics: The topic of each dialogue.
        later: Whether the three others are later rounds of the dialogue, or of other dialogues of
            its topic.
        seed: Of what is drawn.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    alike: dict[str, list[str]] = defaultdict(list)
    for name in texts:
        alike[topics[name]].append(name)
    vectors = TfidfVectorizer(stop_words="english").fit(
        text for rounds in texts.values() for text in rounds
    )
    random, right = Random(seed), list[float]()
    for name, rounds in texts.items():
        others = [one for one in alike[topics[name]] if one != name]
        for at in range(2, len(rounds)):
            pool: Sequence[str] = rounds[at + 1 :]
            if not later:
                pool = [random.choice(texts[one]) for one in others[:50]]
            if len(pool) < 3:
                continue
            four = vectors.transform([rounds[at], *random.sample(pool, 3)])
            before = vectors.transform([" ".join(rounds[at - 2 : at])])
            near = (four @ before.T).toarray().ravel()
            right.append(float(near[0] > near[1:].max()))
    return round(fmean(right), 3) if right else 0.0


def measure(bundles: Sequence[Bundle]) -> dict[str, Any]:
    """Everything about a release of single dialogues."""
    topics: dict[str, list[frozenset[str]]] = defaultdict(list)
    for one in bundles:
        if one.conversation.twin_of is None:
            topics[one.conversation.domain or ""].append(sentences_of(one))
    texts = {one.id: list(texts_of(one).values()) for one in bundles}
    domains = {one.id: one.conversation.domain or "" for one in bundles}
    return {
        **measure_sentences(topics),
        "near_duplicates": measure_rounds(bundles),
        "next_of_others": find_next(texts, domains, later=False),
        "next_of_later": find_next(texts, domains, later=True),
    }


def missed_bars(found: Mapping[str, Any]) -> Iterator[str]:
    """The bars that a release misses."""
    yield from (name for name, most in BARS.items() if found[name] > most)
    if found["next_of_others"] < NEXT_ROUND:
        yield "next_of_others"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    release = open_release(options.release)
    found = measure(list(release.bundles()))
    missed = list(missed_bars(found))
    if options.json:
        sys.stdout.write(json.dumps({**found, "missed": missed}) + "\n")
    else:
        for name, value in found.items():
            mark = "  (misses its bar)" if name in missed else ""
            sys.stdout.write(f"{name:16} {value}{mark}\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
