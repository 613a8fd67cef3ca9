"""Exact match, F1 and BLEU-1 of free answers, in the variants that published scores use.

================== ================= ====================== ============= =====================
variant            source            words                  F1            BLEU-1
================== ================= ====================== ============= =====================
mem-gallery        evaluation.py     `universal_words`      stemmed       brevity penalty
mem-gallery-paper  appendix A.5.4    lower, no punctuation  as they are   plain precision
m3exam             appendix B.2      SQuAD                  as they are   brevity penalty
locomo             task_eval         `locomo_words`         stemmed       (not defined)
================== ================= ====================== ============= =====================

Where a benchmark has one gold answer a question we may hold several: the score is then the best
over the gold answers. M3Exam is the exception, its golds are ordered (see `m3exam_exact_match`).
Texts are compared as their code points stand, since upstream does not normalise Unicode either;
``é`` and ``e`` + accent differ.
"""

import math
import string
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias, cast

import regex

from memassay.exports.scores.answer_formats import (
    choice,
    image_ids,
    image_ids_in,
    locomo_refusal,
    needs_gold,
    refusal,
)
from memassay.schemas.errors import UsageError

AnswerMetric: TypeAlias = Callable[[str, Sequence[str]], float]
"""Scores a prediction against gold answers with a number in [0, 1]."""
_PairMetric: TypeAlias = Callable[[str, str], float]

_SPACED: Final = str.maketrans(dict.fromkeys(string.punctuation, " "))
_REMOVED: Final = str.maketrans(dict.fromkeys(string.punctuation))
_ARTICLES_AND: Final = regex.compile(r"\b(a|an|the|and)\b")
_ARTICLES: Final = regex.compile(r"\b(a|an|the)\b")
_DECIMAL_POINT: Final = regex.compile(r"(?<=\d)\.(?=\d)")
_EDGES: Final = regex.compile(r"^\W+|\W+$")
# Upper case cannot occur in lower-cased text, and the removal of punctuation leaves words alone.
_POINT: Final = "DOTPLACEHOLDER"
_UNDERSCORE: Final = "UNDERSCOREPLACEHOLDER"


class _Stemmer(Protocol):
    def stem(self, word: str) -> str: ...


@cache
def _stemmer() -> _Stemmer:
    # Importing nltk takes seconds; the Porter stemmer needs none of its data.
    from nltk.stem.porter import PorterStemmer

    return cast(_Stemmer, PorterStemmer())


def _replace(pattern: regex.Pattern, by: str, text: str) -> str:
    # `regex` and not `re`, as upstream: only it takes a combining mark as part of its word.
    return str(pattern.sub(by, text))


def universal_words(text: str) -> list[str]:
    """Words as Mem-Gallery's ``normalize_answer_universal`` makes them.

    Lower case; ``a``, ``an``, ``the`` and ``and`` go first, then all other ASCII punctuation
    becomes a space, except a point between digits and the underscore: ``3.5`` and ``img_001``
    stay whole, ``1,000`` becomes two words, ``D2:IMG_003`` becomes ``d2`` and ``img_003``.
    """
    text = _replace(_DECIMAL_POINT, _POINT, text.lower()).replace("_", _UNDERSCORE)
    text = _replace(_ARTICLES_AND, " ", text).translate(_SPACED)
    return text.replace(_POINT, ".").replace(_UNDERSCORE, "_").split()


def plain_words(text: str) -> list[str]:
    """Words as Mem-Gallery's paper describes them: lower case, ASCII punctuation removed."""
    return text.lower().translate(_REMOVED).split()


def squad_words(text: str) -> list[str]:
    """SQuAD's words (M3Exam B.2): as `plain_words`, then without ``a``, ``an`` and ``the``."""
    return _replace(_ARTICLES, " ", text.lower().translate(_REMOVED)).split()


def locomo_words(text: str) -> list[str]:
    """LoCoMo's words: as `plain_words`, then without ``a``, ``an``, ``the`` and ``and``."""
    return _replace(_ARTICLES_AND, " ", text.lower().translate(_REMOVED)).split()


def m3exam_sentence(text: str) -> str:
    """M3Exam's sentence normalisation (B.2): the form in which whole answers are compared.

    Lower case, each run of white space one space, nothing but letters, digits and underscores at
    either end.
    """
    return _replace(_EDGES, "", " ".join(text.lower().split()))


def _overlap_f1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    common = sum((Counter(predicted) & Counter(gold)).values())
    if not common:
        return 0.0
    precision, recall = common / len(predicted), common / len(gold)
    return 2 * precision * recall / (precision + recall)


def _clipped_precision(predicted: Sequence[str], gold: Sequence[str]) -> float:
    common = sum((Counter(predicted) & Counter(gold)).values())
    return common / len(predicted) if predicted else 0.0


def _brief_bleu_1(predicted: Sequence[str], gold: Sequence[str]) -> float:
    # Upstream calls nltk's sentence_bleu with weights (1, 0, 0, 0) and smoothing method 1. The
    # other orders weigh nothing and the smoothing is never reached when no word is shared, so
    # what remains is this product; a test compares it with nltk.
    if not predicted or not gold:
        return 0.0
    penalty = min(1.0, math.exp(1 - len(gold) / len(predicted)))
    return penalty * _clipped_precision(predicted, gold)


def _stems(words: Sequence[str]) -> list[str]:
    return [_stemmer().stem(word) for word in words]


def _best(score: _PairMetric) -> AnswerMetric:
    def metric(prediction: str, golds: Sequence[str]) -> float:
        needs_gold(golds)
        return max(score(prediction, gold) for gold in golds)

    metric.__doc__ = score.__doc__
    return metric


@_best
def mem_gallery_exact_match(prediction: str, gold: str) -> float:
    """1 when both have the same `universal_words` in the same order, else 0.

    Two answers without any word (``The``, ``.``, an empty one) match. The paper (equation 6)
    names only lower case and punctuation; the code also drops articles and ``and``.
    """
    return float(universal_words(prediction) == universal_words(gold))


@_best
def mem_gallery_f1(prediction: str, gold: str) -> float:
    """F1 of the multisets of Porter stems of `universal_words`; 0 when nothing is shared.

    The paper (equations 4, 5) has the same formula over tokens and mentions no stemming.
    """
    return _overlap_f1(_stems(universal_words(prediction)), _stems(universal_words(gold)))


@_best
def mem_gallery_bleu_1(prediction: str, gold: str) -> float:
    """Clipped precision of `universal_words` times BLEU's brevity penalty; 0 without words.

    The penalty exp(1 - gold words / predicted words) on short predictions is what the code adds
    to the paper's formula (equations 7, 8), which is the precision alone. Words are not stemmed.
    """
    return _brief_bleu_1(universal_words(prediction), universal_words(gold))


@_best
def mem_gallery_paper_exact_match(prediction: str, gold: str) -> float:
    """Equation 6: 1 when both have the same `plain_words` in the same order, else 0."""
    return float(plain_words(prediction) == plain_words(gold))


@_best
def mem_gallery_paper_f1(prediction: str, gold: str) -> float:
    """Equations 4 and 5 over `plain_words`: no stemming, articles and ``and`` count."""
    return _overlap_f1(plain_words(prediction), plain_words(gold))


@_best
def mem_gallery_paper_bleu_1(prediction: str, gold: str) -> float:
    """Equations 7 and 8 over `plain_words`: clipped precision, no brevity penalty."""
    return _clipped_precision(plain_words(prediction), plain_words(gold))


def m3exam_exact_match(prediction: str, golds: Sequence[str]) -> float:
    """M3Exam's graded exact match (B.2, equation 6) over golds ordered from exact to coarse.

    The earliest gold whose `m3exam_sentence` equals the prediction's decides: 1 for the first,
    1/2 for the second, 1/3 for the third, 0 for none. The discount is our reading, the paper's
    text lost its numbers; it says only that the first earns most and later ones less.

    Raises:
        UsageError: No gold answer is given.
    """
    needs_gold(golds)
    said = m3exam_sentence(prediction)
    for position, gold in enumerate(golds, start=1):
        if said == m3exam_sentence(gold):
            return 1 / position
    return 0.0


def m3exam_file_match(prediction: str, golds: Sequence[str]) -> float:
    """M3Exam's match of an ``fm`` answer (B.2, equation 7): 1 or 0.

    If the first gold names an image, it alone counts (the others are competing candidates). Our
    reading of the lost formula is that its id must be among the ids of the prediction; unlike
    `image_ids`, that does not punish a prediction that lists every image. If it names none, any
    gold that equals the prediction earns 1, without a discount.

    Raises:
        UsageError: No gold answer is given.
    """
    needs_gold(golds)
    if wanted := image_ids_in(golds[0]):
        return float(wanted <= image_ids_in(prediction))
    return float(m3exam_exact_match(prediction, golds) > 0)


def _m3exam_soft(
    prediction: str, golds: Sequence[str], score: Callable[[Sequence[str], Sequence[str]], float]
) -> float:
    needs_gold(golds)
    predicted, gold = squad_words(prediction), squad_words(golds[0])
    return 1.0 if not predicted and not gold else score(predicted, gold)


def m3exam_f1(prediction: str, golds: Sequence[str]) -> float:
    """SQuAD's F1 (B.2, equation 8) against the first gold alone, over `squad_words`.

    Two answers without words score 1 (SQuAD's rule; the paper's number is lost), one 0.

    Raises:
        UsageError: No gold answer is given.
    """
    return _m3exam_soft(prediction, golds, _overlap_f1)


def m3exam_bleu_1(prediction: str, golds: Sequence[str]) -> float:
    """BLEU-1 with brevity penalty (B.2, equation 9) against the first gold, over `squad_words`.

    Answers without words are treated as in `m3exam_f1`.

    Raises:
        UsageError: No gold answer is given.
    """
    return _m3exam_soft(prediction, golds, _brief_bleu_1)


def _locomo_pair_f1(prediction: str, gold: str) -> float:
    return _overlap_f1(_stems(locomo_words(prediction)), _stems(locomo_words(gold)))


@_best
def locomo_exact_match(prediction: str, gold: str) -> float:
    """1 when both have the same set of `locomo_words`, else 0: order and repeats do not count."""
    return float(set(locomo_words(prediction)) == set(locomo_words(gold)))


@_best
def locomo_f1(prediction: str, gold: str) -> float:
    """LoCoMo's F1 of Porter stems of `locomo_words` (categories 2, temporal, and 4, single hop).

    Unlike Mem-Gallery's, punctuation is removed and leaves no space, decimals and underscores
    are not kept, and articles go after the punctuation: ``1,000`` is the word ``1000``.
    """
    return _locomo_pair_f1(prediction, gold)


@_best
def locomo_multi_answer_f1(prediction: str, gold: str) -> float:
    """LoCoMo's F1 of category 1 (multi-hop): both sides are lists split at commas.

    For each part of the gold answer the best F1 of any part of the prediction, then the mean.
    """
    said = prediction.split(",")
    parts = gold.split(",")
    best = (max(_locomo_pair_f1(one, part) for one in said) for part in parts)
    return math.fsum(best) / len(parts)


@_best
def locomo_first_answer_f1(prediction: str, gold: str) -> float:
    """LoCoMo's F1 of category 3 (open domain): the gold answer ends at its first semicolon."""
    return _locomo_pair_f1(prediction, gold.split(";")[0])


LOCOMO_BY_CATEGORY: Final[Mapping[int, AnswerMetric]] = MappingProxyType(
    {
        1: locomo_multi_answer_f1,
        2: locomo_f1,
        3: locomo_first_answer_f1,
        4: locomo_f1,
        5: locomo_refusal,
    }
)
"""The one score that LoCoMo's evaluator gives an item, by the item's category."""

ANSWER_METRICS: Final[Mapping[str, Mapping[str, AnswerMetric]]] = MappingProxyType(
    {
        "mem-gallery": {
            "em": mem_gallery_exact_match,
            "f1": mem_gallery_f1,
            "bleu-1": mem_gallery_bleu_1,
        },
        "mem-gallery-paper": {
            "em": mem_gallery_paper_exact_match,
            "f1": mem_gallery_paper_f1,
            "bleu-1": mem_gallery_paper_bleu_1,
        },
        "m3exam": {
            "em": m3exam_exact_match,
            "f1": m3exam_f1,
            "bleu-1": m3exam_bleu_1,
            "file-match": m3exam_file_match,
        },
        "locomo": {"em": locomo_exact_match, "f1": locomo_f1, "refusal": locomo_refusal},
        "closed": {"choice": choice, "image-ids": image_ids, "refusal": refusal},
    }
)
"""Metrics by variant and name; ``mem-gallery`` is the default, ``closed`` our closed formats."""


def locomo_score(prediction: str, golds: Sequence[str], category: int) -> float:
    """LoCoMo's score of an item of a category (its ``eval_question_answering``).

    Raises:
        UsageError: The category is not 1..5, or an item of categories 1..4 has no gold answer.
    """
    if category not in LOCOMO_BY_CATEGORY:
        raise UsageError(
            f"category: expected 1..5, got '{category}'; M2A's 6..9 are not LoCoMo's to score"
        )
    return LOCOMO_BY_CATEGORY[category](prediction, golds)
