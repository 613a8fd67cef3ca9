"""What the words of a question say of its gold, without its history."""

import random

import pytest

from memassay.validators.items.proof.balance_rules import _folds, _NaiveBayes


@pytest.mark.slow
def test_naive_bayes_predicts_what_scikit_learn_does() -> None:
    """Folds and predictions equal those of the library, whose import costs a run two seconds."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.model_selection import StratifiedKFold
    from sklearn.naive_bayes import MultinomialNB

    draw = random.Random(5)
    golds = [draw.choice("ABBC") for _ in range(90)]
    told = [[*draw.choices(("which", "dog", "ran", "here"), k=4), f"for{gold}"] for gold in golds]
    texts = [" ".join(words[draw.randint(0, 2) :][:4]) for words in told]
    folds = _folds(golds)
    for fold, (learned, asked) in enumerate(StratifiedKFold(5).split(texts, golds)):
        assert [at for at, own in enumerate(folds) if own == fold] == list(asked)
        counted = CountVectorizer()
        model = MultinomialNB().fit(
            counted.fit_transform([texts[at] for at in learned]), [golds[at] for at in learned]
        )
        ours = _NaiveBayes([(texts[at].split(), golds[at]) for at in learned])
        theirs = model.predict(counted.transform([texts[at] for at in asked]))
        assert [ours.likeliest(texts[at].split()) for at in asked] == list(theirs)
