"""Guessing gold answers from questions alone, and mentions that make evidence superfluous."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Final

NEIGHBOURS: Final = (1, 5)
"""How many questions vote, by guesser."""


@dataclass(frozen=True)
class Asked:
    """A question with its gold, and the conversation it belongs to.

    Attributes:
        conversation: Its id.
        code: Type of the question.
        question: Its words.
        gold: Its values in lower case, parted by ` | `.
        options: What a choice offers: (label, text).
        sessions: The texts of its conversation.
    """

    conversation: str
    code: str
    question: str
    gold: str
    options: tuple[tuple[str, str], ...] = ()
    sessions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Share:
    """A share with its Wilson interval."""

    right: int
    count: int
    mean: float
    low: float
    high: float


def share_of(right: int, count: int, probes: int = 1) -> Share:
    """A share of so many of so many; the interval is [0, 1] for none.

    Args:
        right: How many were right.
        count: Of how many.
        probes: How many intervals are judged together: with that many, all of them hold their
            shares at once in 95 % of cases (Bonferroni).
    """
    if not count:
        return Share(0, 0, 0.0, 0.0, 1.0)
    z, mean = NormalDist().inv_cdf(1 - 0.025 / probes), right / count
    middle = (mean + z * z / (2 * count)) / (1 + z * z / count)
    spread = z * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    half = spread / (1 + z * z / count)
    return Share(right, count, mean, max(0.0, middle - half), min(1.0, middle + half))


def constant_hits(asked: Sequence[Asked]) -> int:
    """How often the commonest gold of all other conversations is right."""
    return sum(
        sum(one.gold == guess for one in own)
        for own, others in folds(asked)
        for guess in [commonest(one.gold for one in others)]
    )


def neighbour_hits(asked: Sequence[Asked]) -> dict[str, int]:
    """How often the golds of the likest questions of all other conversations are right."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    hits: dict[str, int] = {f"{count} nearest": 0 for count in NEIGHBOURS}
    for own, others in folds(asked):
        vectors = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True)
        known = vectors.fit_transform([one.question for one in others])
        likeness = (vectors.transform([one.question for one in own]) @ known.T).toarray()
        for one, row in zip(own, likeness, strict=True):
            ranked = sorted(range(len(others)), key=lambda at: (-row[at], at))
            for count in NEIGHBOURS:
                guess = commonest(others[at].gold for at in ranked[:count])
                hits[f"{count} nearest"] += guess == one.gold
    return hits


def classifier_hits(asked: Sequence[Asked]) -> int:
    """How often naive Bayes over the words of a question, trained on all others, is right."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB
    from sklearn.pipeline import make_pipeline

    hits = 0
    for own, others in folds(asked):
        model = make_pipeline(CountVectorizer(binary=True), MultinomialNB())
        model.fit([one.question for one in others], [one.gold for one in others])
        guesses = model.predict([one.question for one in own])
        hits += sum(one.gold == guess for one, guess in zip(own, guesses, strict=True))
    return hits


def folds(asked: Sequence[Asked]) -> list[tuple[list[Asked], list[Asked]]]:
    """The questions of each conversation with those of all others; none without others."""
    by_conversation: dict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        by_conversation[one.conversation].append(one)
    pairs = [
        (own, [one for one in asked if one.conversation != name])
        for name, own in sorted(by_conversation.items())
    ]
    return [(own, others) for own, others in pairs if others]


def guessable(asked: Sequence[Asked]) -> int:
    """To how many questions the gold of any other conversation is right."""
    return sum(
        one.gold in golds
        for own, others in folds(asked)
        for golds in [{other.gold for other in others}]
        for one in own
    )


def commonest(golds: Iterable[str]) -> str:
    """The commonest of several answers; of equally common ones the first in the alphabet."""
    counts = Counter(golds)
    return min(counts, key=lambda gold: (-counts[gold], gold))


@dataclass(frozen=True)
class Elsewhere:
    """An item whose facts can also be seen outside its evidence.

    Attributes:
        item: Its id.
        code: Its type.
        facts: How many facts its gold follows from.
        seen: How many of them have a mention outside.
        rounds: Where.
    """

    item: str
    code: str
    facts: int
    seen: int
    rounds: tuple[str, ...]

    @property
    def yields_gold(self) -> bool:
        """Whether every fact can be seen outside, so that the evidence is not needed."""
        return self.seen == self.facts


def elsewhere(question: Mapping[str, Any], ledger: Mapping[str, Any]) -> Elsewhere | None:
    """What the history without an item's evidence still says of its facts; None for nothing.

    Args:
        question: A row of the `questions` table.
        ledger: The row of the `ledger` table of its conversation.
    """
    facts = {fact["id"]: fact for fact in ledger["facts"]}
    cited = {
        *question["evidence"],
        *(one for group in question["evidence_groups"] for one in group),
    }
    seen, rounds = 0, set()
    for name in question["evidence_facts"]:
        alike = {one for one, fact in facts.items() if _said(fact) == _said(facts[name])}
        outside = {
            mention["round"]
            for mention in ledger["mentions"]
            if mention["fact"] in alike and mention["round"] not in cited
        }
        seen += bool(outside)
        rounds |= outside
    if not seen:
        return None
    where = tuple(sorted(rounds, key=_position))
    return Elsewhere(
        question["id"], question["benchmark_type"], len(question["evidence_facts"]), seen, where
    )


def _said(fact: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("subject", "attribute", "value_type", "value_text", "value_unit")
    return tuple(fact[name] or "" for name in names)


def _position(round_id: str) -> tuple[int, int]:
    session, _, number = round_id.partition(":")
    return int(session.removeprefix("D")), int(number)
