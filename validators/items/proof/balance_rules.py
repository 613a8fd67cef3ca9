"""Rules on balance: no type of question can be answered without reading the history.

All of them look at the items of one benchmark type of one collection together. A finding about
a type has the collection as its target, a finding about its items has each item.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import log, sqrt
from typing import Any, Final, NamedTuple

from memassay.schemas.contracts.rules import Problem, RuleContext
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators.items.answers.answer_rules import FEWEST_ITEMS, answer_kind
from memassay.validators.registry import ASKED, RULES, problem
from memassay.validators.wording import words, yes_or_no

LARGEST_SHARE: Final = 0.1
"""One gold may be right for so many items of an open type, beyond chance."""
_Z: Final = 1.959963984540054  # two-sided 95 %
_FOLDS: Final = 5
_FEWEST_OF_CLASS: Final = 5
_WORD: Final = re.compile(r"\b\w\w+\b")


class Interval95(NamedTuple):
    """A share with its Wilson interval of 95 %."""

    share: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.share:.2f} ({self.low:.2f} to {self.high:.2f})"


def wilson(hits: int, of: int) -> Interval95:
    """The share of hits with its Wilson score interval of 95 %; 0 to 1 for no trials."""
    if of == 0:
        return Interval95(0.0, 0.0, 1.0)
    share, square = hits / of, _Z * _Z
    centre = (share + square / (2 * of)) / (1 + square / of)
    half = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return Interval95(share, max(0.0, centre - half), min(1.0, centre + half))


class Answered(NamedTuple):
    """What is known of an item that has an answer.

    Attributes:
        id: The item.
        values: Its gold.
        labels: Those of its options, if it is a choice; else None.
        truth: `yes` or `no`, if that is its gold.
        text: The question, where its gold is one of few; else empty.
    """

    id: str
    values: list[str]
    labels: list[str] | None
    truth: str | None
    text: str

    @property
    def gold(self) -> tuple[str, ...]:
        """What makes two golds the same."""
        return tuple(sorted(" ".join(words(value)) for value in self.values))

    @property
    def is_closed(self) -> bool:
        """Whether its gold is one of few."""
        return self.labels is not None or self.truth is not None


class Group(NamedTuple):
    """The answerable items of one benchmark type of one collection."""

    collection: str
    code: str
    items: list[Answered]


def _answer_traits(bundle: Bundle) -> list[list[Any]]:
    """Of each answered question the collection and type, then what `Answered` has; no refusals."""
    return [
        [bundle.conversation.collection, item.benchmark_type, *_answer(item)]
        for item in bundle.questions
        if answer_kind(item) not in {"refusal", "missing"}
    ]


def _answer(item: QAItem) -> Answered:
    answer = item.answer
    is_choice = answer.format is AnswerFormat.CHOICE
    labels = [option.label for option in answer.options] if is_choice else None
    truth = yes_or_no(answer.values[0]) if len(answer.values) == 1 else None
    known = Answered(item.id, list(answer.values), labels, truth, item.question.text)
    return known if known.is_closed else known._replace(text="")


Answers = Iterable[list[list[Any]]]
"""By conversation, what `_answer_traits` takes from it."""


def _groups(answered: Answers) -> list[Group]:
    """Types with their answered items."""
    found: dict[tuple[str, str], list[Answered]] = defaultdict(list)
    for collection, code, *rest in chain.from_iterable(answered):
        found[collection, code].append(Answered(*rest))
    return [Group(*key, items) for key, items in sorted(found.items())]


def _about(group: Group, expected: str, got: object, fix: str) -> Problem:
    """A problem of a type as a whole."""
    _, place, message, mend = problem(f"{group.collection}.{group.code}", (), expected, got, fix)
    return group.collection, place, message, mend


@RULES.collection(
    "balance.yes_no",
    Severity.WARNING,
    "Mem-Gallery data, CD answers",
    digest=_answer_traits,
    digests=ASKED,
)
def yes_no(answered: Answers, _context: RuleContext) -> Iterator[Problem]:
    """Yes and no are equally frequent in a type, within the interval of 95 %."""
    for group in _groups(answered):
        closed = [item.truth for item in group.items if item.truth]
        share = wilson(closed.count("yes"), len(closed))
        if len(closed) >= FEWEST_ITEMS and not share.low <= 0.5 <= share.high:
            got = f"{share} of {len(closed)}"
            yield _about(group, "a share of yes near 0.5", got, "add items of the rarer answer")


@RULES.collection(
    "balance.choice_letters",
    Severity.WARNING,
    "M3Exam A.3, factual judgement",
    digest=_answer_traits,
    digests=ASKED,
)
def choice_letters(answered: Answers, _context: RuleContext) -> Iterator[Problem]:
    """Every letter of a choice is right equally often, within the interval of 95 %."""
    for group in _groups(answered):
        chosen = [item for item in group.items if item.labels is not None]
        letters = sorted({label for item in chosen for label in item.labels or ()})
        right = Counter(item.values[0] for item in chosen)
        for letter in letters if len(chosen) >= FEWEST_ITEMS else ():
            share, even = wilson(right[letter], len(chosen)), 1 / len(letters)
            if not share.low <= even <= share.high:
                yield _about(
                    group,
                    f"letter {letter} right with a share near {even:.2f}",
                    f"{share} of {len(chosen)}",
                    "shuffle the options",
                )


@RULES.collection(
    "balance.constant_gold",
    Severity.ERROR,
    "our choice: one gold for a whole type",
    digest=_answer_traits,
    digests=ASKED,
)
def constant_gold(answered: Answers, _context: RuleContext) -> Iterator[Problem]:
    """The items of a type do not all have one and the same gold; refusals may."""
    for group in _groups(answered):
        golds = {item.gold for item in group.items}
        if len(group.items) >= FEWEST_ITEMS and len(golds) == 1:
            for item in group.items:
                yield problem(
                    item.id,
                    ("answer", "values"),
                    f"different golds among the {len(group.items)} items of type {group.code}",
                    f"{', '.join(item.values)} for all",
                    "add items with other answers; a constant answer scores 1.0",
                )


@RULES.collection(
    "balance.constant_answer",
    Severity.WARNING,
    "our choice: shortcut baselines",
    digest=_answer_traits,
    digests=ASKED,
    threshold=LARGEST_SHARE,
)
def constant_answer(answered: Answers, context: RuleContext) -> Iterator[Problem]:
    """Always giving the most frequent gold of an open type is rarely right."""
    for group in _groups(answered):
        counts = Counter(item.gold for item in group.items)
        gold, hits = min(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        share = wilson(hits, len(group.items))
        closed = all(item.is_closed for item in group.items)
        if len(group.items) >= FEWEST_ITEMS and not closed and share.low > context.threshold:
            yield _about(
                group,
                f"no gold with a share beyond {context.threshold:.2f}",
                f"{', '.join(gold)} with {share} of {len(group.items)}",
                "add items with other answers",
            )


@RULES.collection(
    "balance.question_only",
    Severity.WARNING,
    "our choice: shortcut baselines",
    digest=_answer_traits,
    digests=ASKED,
)
def question_only(answered: Answers, _context: RuleContext) -> Iterator[Problem]:
    """The words of a question do not predict yes, no or its letter better than a constant does."""
    for group in _groups(answered):
        closed = [item for item in group.items if item.is_closed]
        counts = Counter(item.gold for item in closed)
        kept = [item for item in closed if counts[item.gold] >= _FEWEST_OF_CLASS]
        golds = [item.gold for item in kept]
        if len(kept) < 2 * FEWEST_ITEMS or len(set(golds)) < 2:
            continue
        hits = _count_predicted(kept, [" | ".join(gold) for gold in golds])
        share, constant = wilson(hits, len(kept)), _constant_share(kept)
        if share.low > constant:
            yield _about(
                group,
                f"golds predicted from the question no better than {constant:.2f}",
                f"{share} of {len(kept)} items",
                "reword questions so that each answer is asked for in the same words",
            )


def _constant_share(items: Sequence[Answered]) -> float:
    """Share of items that the most frequent gold of their form answers.

    How a question is worded tells whether it offers letters, or is true or false.
    """
    forms: dict[tuple[str, ...], Counter[tuple[str, ...]]] = defaultdict(Counter)
    for item in items:
        forms[tuple(sorted(item.labels or ()))][item.gold] += 1
    return sum(max(counted.values()) for counted in forms.values()) / len(items)


def _count_predicted(items: list[Answered], golds: list[str]) -> int:
    """Items whose gold naive Bayes over question words predicts, in five folds without chance."""
    texts = [_WORD.findall(item.text.lower()) for item in items]
    told = list(zip(texts, golds, _folds(golds), strict=True))
    hits = 0
    for fold in range(_FOLDS):
        model = _NaiveBayes([(said, gold) for said, gold, own in told if own != fold])
        hits += sum(model.likeliest(said) == gold for said, gold, own in told if own == fold)
    return hits


def _folds(golds: list[str]) -> list[int]:
    """The fold of each item: every fold gets as many items of each gold as can be."""
    counts = Counter(golds)
    # Dealt out gold after gold, so that small ones do not all fall into the first fold.
    ordered = [gold for gold in dict.fromkeys(golds) for _ in range(counts[gold])]
    dealt: dict[str, list[int]] = {gold: [] for gold in counts}
    for fold in range(_FOLDS):
        for gold in ordered[fold::_FOLDS]:
            dealt[gold].append(fold)
    places = {gold: iter(own) for gold, own in dealt.items()}
    return [next(places[gold]) for gold in golds]


class _NaiveBayes:
    """Which gold the words of a question speak for: multinomial, every count one higher.

    It predicts what scikit-learn's does, whose import costs two seconds and 150 MB.
    """

    def __init__(self, told: Sequence[tuple[list[str], str]]) -> None:
        self._words: dict[str, Counter[str]] = {}
        for said, gold in told:
            self._words.setdefault(gold, Counter()).update(said)
        self._known = frozenset[str]().union(*self._words.values())
        self._questions = Counter(gold for _, gold in told)

    def likeliest(self, words: list[str]) -> str:
        """The gold that fits best; the first by name if several do."""
        known = [word for word in words if word in self._known]
        return max(sorted(self._words), key=lambda gold: self._fit(gold, known))

    def _fit(self, gold: str, words: list[str]) -> float:
        own = self._words[gold]
        total = own.total() + len(self._known)
        return log(self._questions[gold]) + sum(log((own[word] + 1) / total) for word in words)
