"""Questions that no longer ask their query, against `question.asks` and what stands beside it."""

from collections import Counter

import pytest
from support.fixtures import fact, item, scene
from support.question_attacks import attacks
from support.told import usual

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.certificates.certify import certify
from memassay.validators.check import RULES, check_conversation

pytestmark = pytest.mark.slow(seconds=2)

ASKED = [RULES[f"question.{name}"] for name in ("asks", "asks_likely", "reference")]
BESIDE = [RULES[f"pairs.{name}"] for name in ("one_query", "two_queries", "twin")]

_FEW = 2


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A told history with its questions."""
    return usual(tmp_path_factory.mktemp("asked"))


def _reworded(item: QAItem, text: str) -> QAItem:
    question = item.question.model_copy(update={"text": text})
    return item.model_copy(update={"question": question})


def _with(bundle: Bundle, *items: QAItem) -> Bundle:
    return bundle.model_copy(update={"questions": list(items)})


def test_nothing_is_found_in_what_the_simulator_asks(bundle: Bundle) -> None:
    """Its questions ask their queries, and keep wordings that say so."""
    rules = [*ASKED, *BESIDE, RULES["question.wording"]]
    assert check_conversation(bundle, RuleContext(), rules) == []
    assert all(item.wording is not None for item in bundle.questions)


@pytest.mark.parametrize("asks", ["How many shows in total?", "How often altogether?"])
def test_a_count_may_be_called_a_total(asks: str) -> None:
    """People who count say `in total` and `altogether`, too."""
    where = {"subject": "Ann", "attribute": "shows"}
    query = {"op": "count", "of": {"op": "select", "where": where}}
    (of,) = scene(fact(subject="Ann", attribute="shows"), item(asks, ["1"], query=query)).bundles
    assert check_conversation(of, RuleContext(), [RULES["question.asks"]]) == []


def _found(bundle: Bundle, changed: list[QAItem]) -> list[bool]:
    """Of each changed item whether something is found; all are looked at together."""
    named = [item.model_copy(update={"id": f"{item.id}-{at}"}) for at, item in enumerate(changed)]
    findings = check_conversation(_with(bundle, *named), RuleContext(), ASKED)
    targets = {finding.target for finding in findings}
    return [item.id in targets for item in named]


def test_changed_questions_are_found(bundle: Bundle) -> None:
    """Of each kind of attack two in three at least, of all together nineteen in twenty.

    Of a kind that comes up once or twice the share says nothing.
    """
    changed = [
        (kind, _reworded(item, text))
        for item in bundle.questions
        for kind, text in attacks(bundle, item)
    ]
    planted = Counter(kind for kind, _ in changed)
    seen = _found(bundle, [item for _, item in changed])
    found = Counter(kind for (kind, _), hit in zip(changed, seen, strict=True) if hit)
    assert len(planted) >= 10
    missed = {
        kind: (found[kind], of)
        for kind, of in planted.items()
        if of > _FEW and found[kind] < 2 / 3 * of
    }
    assert missed == {}
    assert found.total() >= 0.95 * planted.total()


def test_the_question_of_another_item_is_found(bundle: Bundle) -> None:
    """Its text over this query, gold and evidence."""
    items = bundle.questions
    others = [*items[7:], *items[:7]]
    changed = [
        _reworded(item, other.question.text) for item, other in zip(items, others, strict=True)
    ]
    assert sum(_found(bundle, changed)) >= 0.85 * len(changed)


def test_a_forged_wording_does_not_save_a_question(bundle: Bundle) -> None:
    """Text and template changed together keep the wording whole; the question is found still."""
    item = next(one for one in bundle.questions if one.question.text.startswith("What "))
    assert item.wording is not None
    forged = item.wording.model_copy(update={"template": f"{item.wording.template} Not in 1987."})
    text = f"{item.question.text} Not in 1987."
    changed = _with(bundle, _reworded(item, text).model_copy(update={"wording": forged}))
    assert check_conversation(changed, RuleContext(), [RULES["question.wording"]]) == []
    assert check_conversation(changed, RuleContext(), ASKED)


def test_a_certificate_refutes_what_asks_something_else(bundle: Bundle) -> None:
    """Proven needs the check: the query still gives the gold."""
    item = next(one for one in bundle.questions if one.question.text.startswith("What "))
    changed = _with(bundle, _reworded(item, f"{item.question.text[:-1]} in 1987?"))
    (certificate,) = certify(changed, check_conversation(changed, RuleContext(), ASKED))
    assert certificate.verdict == "refuted"
    assert "question.asks" in {check.rule for check in certificate.checks}
