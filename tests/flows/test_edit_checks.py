"""Rules that are asked again only where they look say what all rules would."""

import json

import pytest
from support.fixtures import Blobs
from support.places import PAPERS

from memassay.flows.edits import edit_checks
from memassay.flows.edits.edit_checks import EditChecks
from memassay.schemas.changes.operations import EditTurn, MergeSessions, Operation
from memassay.schemas.changes.restructure import restructure
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.ids import natural_key
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.validators.check import RULES, check_conversation

NO_BYTES = RuleContext(blobs=Blobs())


@pytest.fixture(scope="module")
def history() -> Bundle:
    """A sample with a ledger, and questions that queries prove."""
    found = json.loads((PAPERS / "worldmemarena.json").read_text("utf-8"))
    return max((Bundle.model_validate(one) for one in found), key=lambda one: len(one.questions))


def _said(checks: EditChecks, before: Bundle, after: Bundle) -> list[str]:
    return sorted({one.id for one in checks.after(before, after)})


def _all(after: Bundle) -> list[str]:
    return sorted(one.id for one in check_conversation(after, NO_BYTES))


@pytest.mark.parametrize("at", [0, 1, -1])
def test_an_edited_question_is_judged_as_by_all_rules(history: Bundle, at: int) -> None:
    """Its own findings, and those of others that it touches."""
    asked = history.questions[at]

    def worse(one: QAItem) -> QAItem:
        gone = one.evidence.model_copy(update={"groups": [["D99:1"]], "canonical": ["D99:1"]})
        answer = one.answer.model_copy(update={"values": ["nobody knows"]})
        return one.model_copy(update={"evidence": gone, "answer": answer})

    questions = [worse(one) if one.id == asked.id else one for one in history.questions]
    after = history.model_copy(update={"questions": questions})
    said = _said(EditChecks(Blobs()), history, after)
    assert said == _all(after)
    assert said != _all(history)


@pytest.mark.parametrize("kind", ["edit", "merge"])
def test_a_changed_history_is_judged_as_by_all_rules(history: Bundle, kind: str) -> None:
    """Whether a turn changes or every place behind one."""
    session = sorted(history.session_by_id, key=natural_key)[1]
    turn = history.conversation.turns()[0].id
    operation: Operation = (
        EditTurn(turn=turn, text="Ok.") if kind == "edit" else MergeSessions(session=session)
    )
    after = restructure(operation, history).bundle
    assert _said(EditChecks(Blobs()), history, after) == _all(after)


def test_what_a_question_cannot_change_is_not_asked_again(
    history: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything asked twice about the history as it was."""
    checks, asked = EditChecks(Blobs()), list[int]()

    def counted(bundle: Bundle, context: RuleContext, rules: object = None) -> object:
        chosen = list(RULES if rules is None else rules)  # type: ignore[call-overload]
        asked.append(len(chosen))
        return check_conversation(bundle, context, chosen)

    monkeypatch.setattr(edit_checks, "check_conversation", counted)
    checks.before(history)
    checks.before(history)
    assert asked == [len(list(RULES))]
    fewer = history.model_copy(update={"questions": history.questions[1:]})
    checks.after(history, fewer)
    assert sum(asked[1:]) < len(list(RULES))
