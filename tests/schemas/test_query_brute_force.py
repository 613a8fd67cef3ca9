"""The executor against a second evaluator, which was written from docs/queries.md alone.

`pytest --hypothesis-profile=thorough` draws 2,000 new examples; `--hypothesis-seed=N` draws others.
"""

import json
from typing import Any

import pytest
from hypothesis import Phase, given, note, settings
from hypothesis import strategies as st
from support.brute.comparing import disagreement, evaluated
from support.brute.drawn_ledgers import ledgers
from support.brute.drawn_queries import questions
from support.brute.replaying import replay
from support.places import PAPERS

from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem

EXAMPLES = max(120, settings().max_examples)


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


@pytest.mark.slow
@pytest.mark.slow(seconds=6)
@settings(max_examples=EXAMPLES, phases=[Phase.generate])
@given(st.data())
def test_both_evaluators_agree_on_drawn_ledgers_and_queries(data: st.DataObject) -> None:
    """The same values, unit and evidence, or the same kind of error."""
    bundle = data.draw(ledgers())
    question = data.draw(questions(bundle))
    note(bundle.model_dump_json(exclude_defaults=True))
    differing = disagreement(bundle, question)
    assert differing is None


@pytest.mark.slow(seconds=2)
@settings(max_examples=max(50, settings().max_examples), phases=[Phase.generate])
@given(ledgers())
def test_the_gold_state_is_what_all_operations_leave(bundle: Bundle) -> None:
    """After every session, and so after the last one."""
    for session in bundle.conversation.sessions:
        held = {each.id for each in gold_state(bundle, session.id)}
        assert held == replay(bundle, session.id), session.id
