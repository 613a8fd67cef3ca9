"""Answer metrics against values computed by hand and against the libraries upstream uses."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.exports.scores.answer_formats import choice_letter, image_ids_in, is_refusal
from memassay.exports.scores.answer_metrics import (
    ANSWER_METRICS,
    AnswerMetric,
    locomo_score,
    locomo_words,
    m3exam_sentence,
    plain_words,
    squad_words,
    universal_words,
)
from memassay.schemas.errors import UsageError

VARIANTS_OF_TEXT = ("mem-gallery", "mem-gallery-paper", "m3exam")
WORDS = st.lists(st.sampled_from(["cat", "cats", "red", "3.5", "img_001", "ran", "running"]))
EVERY_METRIC = [(variant, name) for variant, table in ANSWER_METRICS.items() for name in table]


def answer_metric(name: str, variant: str = "mem-gallery") -> AnswerMetric:
    """The metric of a name in a variant."""
    return ANSWER_METRICS[variant][name]


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        (universal_words, "The cat, and a dog.", ["cat", "dog"]),
        (universal_words, "3.5 kg of 1,000", ["3.5", "kg", "of", "1", "000"]),
        (universal_words, "D2:IMG_003", ["d2", "img_003"]),
        (universal_words, "don't", ["don", "t"]),
        (universal_words, "e.g. a.m.", ["e", "g", "m"]),
        (universal_words, "DOTPLACEHOLDER", ["dotplaceholder"]),
        (universal_words, "", []),
        (plain_words, "The cat, and 3.5 don't", ["the", "cat", "and", "35", "dont"]),
        (squad_words, "The cat and 1,000", ["cat", "and", "1000"]),
        (locomo_words, "The cat and 1,000", ["cat", "1000"]),
        (locomo_words, "a.m.", ["am"]),
    ],
)
def test_each_variant_has_its_own_words(
    words: Callable[[str], list[str]], text: str, expected: list[str]
) -> None:
    """Articles, decimals, underscores and punctuation are treated as the variant's source does."""
    assert words(text) == expected


def test_an_article_with_a_combining_mark_is_no_article() -> None:
    """A decomposed accented letter is a word of its own, not `a` with something behind it."""
    assert universal_words("a\u0301 b") == ["a\u0301", "b"]


def test_unicode_forms_are_compared_as_they_stand() -> None:
    """Composed and decomposed accents differ, as in the upstream code."""
    em = answer_metric("em")
    assert em("café", ["café"]) == 1.0
    assert em("cafe\u0301", ["café"]) == 0.0


@pytest.mark.parametrize(
    ("prediction", "gold", "expected"),
    [
        ("The red cat.", "red cat", 1.0),
        ("cat red", "red cat", 0.0),
        ("salt and pepper", "salt, pepper", 1.0),
        ("3.5", "35", 0.0),
        ("Not mentioned", "Not mentioned.", 1.0),
        ("The", "a", 1.0),
        ("", "cat", 0.0),
    ],
)
def test_mem_gallery_exact_match(prediction: str, gold: str, expected: float) -> None:
    """The words decide, in their order."""
    assert answer_metric("em")(prediction, [gold]) == expected


@pytest.mark.parametrize(
    ("variant", "prediction", "gold", "expected"),
    [
        # stems: run, the, cat -> run, cat | cat, run: P 2/2, R 2/2
        ("mem-gallery", "running the cats", "cat runs", 1.0),
        # 1 of 2 predicted, 1 of 3 wanted: 2 * (1/2 * 1/3) / (5/6)
        ("mem-gallery", "red house", "red cat ran", 0.4),
        ("mem-gallery", "D2:IMG_003", "D2:IMG_004", 0.5),
        ("mem-gallery", "", "cat", 0.0),
        ("mem-gallery", "", "the", 0.0),
        # no stems, `the` counts: 0 shared
        ("mem-gallery-paper", "running the cats", "cat runs", 0.0),
        # the, cat | the, dog
        ("mem-gallery-paper", "the cat", "the dog", 0.5),
        ("m3exam", "the cat", "the dog", 0.0),
        ("m3exam", "the", "", 1.0),
        ("m3exam", "", "cat", 0.0),
        ("locomo", "running the cats", "cat runs", 1.0),
    ],
)
def test_f1(variant: str, prediction: str, gold: str, expected: float) -> None:
    """F1 by variant equals the value computed by hand."""
    assert answer_metric("f1", variant)(prediction, [gold]) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("variant", "prediction", "gold", "expected"),
    [
        # `cat` is clipped to one of two: precision 1/2; as long as the gold: no penalty
        ("mem-gallery", "cat cat", "red cat", 0.5),
        # precision 1, penalty exp(1 - 3/1)
        ("mem-gallery", "cat", "red cat ran", math.exp(-2)),
        ("mem-gallery-paper", "cat", "red cat ran", 1.0),
        ("m3exam", "cat", "red cat ran", math.exp(-2)),
        # longer than the gold: no penalty
        ("mem-gallery", "red cat ran home", "red cat", 0.5),
        ("mem-gallery", "cats", "cat", 0.0),
        ("mem-gallery", "", "", 0.0),
        ("m3exam", "", "", 1.0),
        ("mem-gallery-paper", "", "cat", 0.0),
    ],
)
def test_bleu_1(variant: str, prediction: str, gold: str, expected: float) -> None:
    """BLEU-1 by variant equals the value computed by hand."""
    assert answer_metric("bleu-1", variant)(prediction, [gold]) == pytest.approx(expected)


@given(predicted=WORDS, gold=WORDS)
def test_bleu_1_equals_the_call_upstream_makes(predicted: list[str], gold: list[str]) -> None:
    """The product equals nltk's sentence BLEU with upstream's weights and smoothing."""
    # It brings scikit-learn and SciPy: seconds, which a collection of tests need not take.
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    upstream = 0.0
    if predicted and gold:
        upstream = sentence_bleu(
            [gold],
            predicted,
            weights=(1, 0, 0, 0),
            smoothing_function=SmoothingFunction().method1,
        )
    ours = answer_metric("bleu-1")(" ".join(predicted), [" ".join(gold)])
    assert ours == pytest.approx(upstream)


@pytest.mark.slow(seconds=1)
@given(text=st.text(), golds=st.lists(st.text(), min_size=1, max_size=3))
def test_text_metrics_stay_between_0_and_1(text: str, golds: list[str]) -> None:
    """No text, however odd, leads out of the interval or to an error."""
    for variant in (*VARIANTS_OF_TEXT, "locomo"):
        for metric in ANSWER_METRICS[variant].values():
            assert 0.0 <= metric(text, golds) <= 1.0


@given(words=st.lists(st.sampled_from(["cat", "red", "3.5"]), min_size=1))
def test_the_gold_itself_scores_1(words: list[str]) -> None:
    """A prediction equal to the gold answer scores 1 in every variant's EM, F1 and BLEU-1."""
    text = " ".join(words)
    for variant in VARIANTS_OF_TEXT:
        for name in ("em", "f1", "bleu-1"):
            assert answer_metric(name, variant)(text, [text]) == pytest.approx(1.0)


def test_the_best_of_several_golds_counts() -> None:
    """With alternatives the score is that of the nearest one."""
    assert answer_metric("em")("Bo", ["a dog", "Bo"]) == 1.0
    assert answer_metric("f1")("red cat", ["blue whale", "red cat ran"]) == pytest.approx(0.8)


def test_m3exam_soft_scores_know_only_the_first_gold() -> None:
    """M3Exam's F1 and BLEU-1 ignore the coarser alternatives."""
    assert answer_metric("f1", "m3exam")("Lisbon", ["Porto", "Lisbon"]) == 0.0
    assert answer_metric("bleu-1", "m3exam")("Lisbon", ["Porto", "Lisbon"]) == 0.0


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("2023-10-10.", 1.0),
        ("october  10, 2023", 1 / 2),
        ("(Oct 10 2023)", 1 / 3),
        ("2023", 0.0),
        ("", 0.0),
    ],
)
def test_m3exam_exact_match_discounts_by_position(prediction: str, expected: float) -> None:
    """The earliest gold that matches gives 1, 1/2, 1/3."""
    golds = ["2023-10-10", "October 10, 2023", "Oct 10 2023"]
    assert answer_metric("em", "m3exam")(prediction, golds) == pytest.approx(expected)


def test_m3exam_sentence_keeps_its_inside() -> None:
    """Only case, runs of space and the edges change."""
    assert m3exam_sentence("  «The  A_b, c»! ") == "the a_b, c"


@pytest.mark.parametrize(
    ("prediction", "golds", "expected"),
    [
        ("It is IMG_60.jpg", ["img_60", "img_61"], 1.0),
        ("img_60 or img_61", ["img_60", "img_61"], 1.0),
        ("img_61", ["img_60", "img_61"], 0.0),
        ("img_600", ["img_60"], 0.0),
        ("a red invoice", ["the invoice", "A red invoice."], 1.0),
        ("", ["img_60"], 0.0),
    ],
)
def test_m3exam_file_match(prediction: str, golds: list[str], expected: float) -> None:
    """The canonical image decides; a gold without an image is matched as text, undiscounted."""
    assert answer_metric("file-match", "m3exam")(prediction, golds) == expected


@pytest.mark.parametrize(
    ("prediction", "gold", "category", "expected"),
    [
        # parts: pottery -> 1, camping -> best of (0, 0)
        ("pottery, hiking", "pottery, camping", 1, 0.5),
        ("pottery", "pottery, camping", 1, 0.5),
        ("7 May 2023", "7 May, 2023", 2, 1.0),
        ("likely yes", "Likely yes; she said so", 3, 1.0),
        # 2 of 2 predicted, 2 of 5 wanted: 2 * 0.4 / 1.4
        ("likely yes", "Likely yes; she said so", 4, 4 / 7),
        ("That was Not Mentioned anywhere", "x", 5, 1.0),
        ("No information available.", "x", 5, 1.0),
        ("It cannot be known", "x", 5, 0.0),
    ],
)
def test_locomo_scores_by_category(
    prediction: str, gold: str, category: int, expected: float
) -> None:
    """Commas split in category 1, a semicolon cuts in 3, phrases decide in 5."""
    assert locomo_score(prediction, [gold], category) == pytest.approx(expected)


def test_locomo_exact_match_is_one_of_sets() -> None:
    """LoCoMo's exact match ignores order and repeats, Mem-Gallery's does not."""
    assert answer_metric("em", "locomo")("cat red red", ["red cat"]) == 1.0
    assert answer_metric("em", "mem-gallery")("cat red red", ["red cat"]) == 0.0


def test_locomo_refuses_a_foreign_category() -> None:
    """Categories of other benchmarks are named as the mistake."""
    with pytest.raises(UsageError, match=r"expected 1\.\.5, got '6'"):
        locomo_score("x", ["x"], 6)


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("b", "B"),
        ("(B).", "B"),
        ("**B**", "B"),
        ("B. Lisbon", "B"),
        ("(c) Lisbon", "C"),
        ("D: none of these", "D"),
        ("The answer is B.", "B"),
        ("Answer: (C) Porto", "C"),
        ("A dog", None),
        ("A, B", None),
        ("The answer is a dog", None),
        ("Lisbon", None),
        ("", None),
    ],
)
def test_choice_letter(text: str, letter: str | None) -> None:
    """A letter is read where it is the answer and nowhere else."""
    assert choice_letter(text) == letter


def test_choice_compares_letters() -> None:
    """Right is the gold's letter in any of its notations."""
    choice = answer_metric("choice", "closed")
    assert choice("b) Lisbon", ["B"]) == 1.0
    assert choice("C", ["B"]) == 0.0
    assert choice("", ["B"]) == 0.0


def test_choice_needs_a_letter_as_gold() -> None:
    """A gold that is no option letter is an error and not a zero."""
    with pytest.raises(UsageError, match="option letter"):
        answer_metric("choice", "closed")("B", ["Lisbon"])


def test_image_ids_are_whole() -> None:
    """Ids are found whole, with their place, in any case, before a file extension."""
    text = "IMG_1, img_10 and D2:IMG_003 (S04_img_4.png), but no xximg_7 or img_8b"
    assert image_ids_in(text) == {"img_1", "img_10", "d2:img_003", "s04_img_4"}
    assert image_ids_in("Answer:img_60") == {"img_60"}


@pytest.mark.parametrize(
    ("prediction", "golds", "expected"),
    [
        ("img_1", ["img_10"], 0.0),
        ("img_10", ["img_1"], 0.0),
        ("D2:IMG_1", ["img_1"], 0.0),
        ("D10:IMG_002 and D2:IMG_003", ["D2:IMG_003, D10:IMG_002"], 1.0),
        ("D2:IMG_003", ["D2:IMG_003, D10:IMG_002"], 0.0),
        ("img_1 img_2", ["img_1"], 0.0),
        ("img_2", ["img_1", "img_2"], 1.0),
        ("", ["img_1"], 0.0),
    ],
)
def test_image_ids_match_as_sets(prediction: str, golds: list[str], expected: float) -> None:
    """The named ids are those of one gold: none missing, none too many, none by prefix."""
    assert answer_metric("image-ids", "closed")(prediction, golds) == expected


def test_image_ids_need_an_id_as_gold() -> None:
    """A gold without an id is an error: an empty prediction would match it."""
    with pytest.raises(UsageError, match="image ids"):
        answer_metric("image-ids", "closed")("", ["3"])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not mentioned.", True),
        ("Not mentioned in memory.", True),
        ("No information available", True),
        ("It wasn’t mentioned", True),
        ("This cannot be determined from the conversation", True),
        ("I don't know.", True),
        ("Lisbon", False),
        ("She mentioned Lisbon", False),
        ("", False),
    ],
)
def test_is_refusal(text: str, expected: bool) -> None:
    """Refusals are told from answers."""
    assert is_refusal(text) is expected


@pytest.mark.parametrize(
    ("prediction", "golds", "expected"),
    [
        ("Not mentioned.", ["Not mentioned."], 1.0),
        ("Not mentioned.", [], 1.0),
        ("Lisbon", ["Not mentioned."], 0.0),
        ("Lisbon", ["Porto"], 1.0),
        ("Not mentioned.", ["Porto"], 0.0),
        ("", [], 0.0),
        ("", ["Porto"], 0.0),
    ],
)
def test_refusal_is_right_only_where_it_is_called_for(
    prediction: str, golds: list[str], expected: float
) -> None:
    """A needless refusal is as wrong as a missing one."""
    assert answer_metric("refusal", "closed")(prediction, golds) == expected


@pytest.mark.parametrize(("variant", "name"), [at for at in EVERY_METRIC if at[1] != "refusal"])
def test_no_gold_is_an_error(variant: str, name: str) -> None:
    """Scoring against nothing says what to do instead."""
    with pytest.raises(UsageError, match="at least one gold answer"):
        answer_metric(name, variant)("x", [])
