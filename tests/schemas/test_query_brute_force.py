"""The executor against a second evaluator, which was written from docs/queries.md alone.

`pytest -n 0 --hypothesis-profile=thorough` draws 10,000 others, `--hypothesis-seed=N` the same
again.
"""

import json
from typing import Any

import pytest
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st
from support.brute.comparing import disagreement, evaluated
from support.brute.drawn_ledgers import Dice, ledgers
from support.brute.drawn_queries import questions
from support.brute.replaying import replay
from support.examples import examples
from support.places import PAPERS

from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

THOROUGH = settings().max_examples > 1000


def _paper_items() -> list[Any]:
    found = []
    for path in sorted(PAPERS.glob("*.json")):
        for document in json.loads(path.read_text(encoding="utf-8")):
            bundle = Bundle.model_validate(document)
            found += [
                pytest.param(bundle, item, id=item.id)
                for item in bundle.questions
                if item.query and item.answerable
            ]
    return found


def _question(item: QAItem) -> dict[str, Any]:
    document = item.model_dump(mode="json")
    return {
        "query": document["query"],
        "asked_at": document["asked_at"],
        "relation": document["answer"]["relation"],
        "modalities": document["modalities"],
    }


@pytest.mark.parametrize(("bundle", "item"), _paper_items())
def test_both_evaluators_give_what_the_papers_items_say(bundle: Bundle, item: QAItem) -> None:
    """The evidence of every item of the papers, and one value from both."""
    question = _question(item)
    groups = {frozenset(group) for group in evaluated(bundle, question).groups}
    assert groups == {frozenset(group) for group in item.evidence.groups}
    assert disagreement(bundle, question) is None


SEEDS = st.integers(0, 2**64 - 1)


@pytest.mark.slow(seconds=6)
@settings(max_examples=10_000 if THOROUGH else examples(1500), phases=[Phase.generate])
@given(SEEDS)
def test_both_evaluators_agree_on_drawn_ledgers_and_queries(seed: int) -> None:
    """The same values, unit and evidence, or the same kind of error."""
    dice = Dice(seed)
    bundle = ledgers(dice)
    question = questions(dice, bundle)
    note(f"{question}\n{bundle.model_dump_json(exclude_defaults=True)}")
    differing = disagreement(bundle, question)
    assert differing is None


@pytest.mark.slow(seconds=2)
@settings(max_examples=5_000 if THOROUGH else examples(300), phases=[Phase.generate])
@given(SEEDS)
def test_the_gold_state_is_what_all_operations_leave(seed: int) -> None:
    """After every session, and so after the last one."""
    bundle = ledgers(Dice(seed))
    for session in bundle.conversation.sessions:
        held = {each.id for each in gold_state(bundle, session.id)}
        assert held == replay(bundle, session.id), session.id
