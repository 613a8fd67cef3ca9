"""Mem-Gallery's types of question over a history: what each asks, and that it is proven."""

import pytest
from support.told import usual

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.mem_gallery.kinds import KINDS
from memassay.synth.paths.mem_gallery.stories import StoryQuestionStage
from memassay.validators.check import check_conversation

NAME = "lily-cooking-newbie"
WANTED = {"FR": 8, "VS": 8, "TR": 6, "VR": 6, "MR": 6, "KR": 2, "CD": 6, "AR": 6}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history with questions of each type."""
    folder = tmp_path_factory.mktemp("story")
    told = [record for record in usual(folder).records() if not isinstance(record, QAItem)]
    context = UnitContext(7, "questions", NAME, BlobFolder(folder / "blobs"))
    stage = StoryQuestionStage(KINDS, Personas([NAME], folder), WANTED)
    items = [one for one in stage.run(told, context) if isinstance(one, QAItem)]
    return Bundle.from_records([*told, *items])


def _of(story: Bundle, code: str) -> list[QAItem]:
    found = [item for item in story.questions if item.benchmark_type == code]
    assert found
    return found


def test_rules_find_no_error(story: Bundle) -> None:
    """Words and queries agree, and every gold is executed."""
    found = check_conversation(story, RuleContext())
    assert [one.message for one in found if one.severity is Severity.ERROR] == []


def test_vs_asks_for_all_images_in_ascending_order(story: Bundle) -> None:
    """One image or several, each of which the evidence shows."""
    items = _of(story, "VS")
    for item in items:
        assert item.answer.format is AnswerFormat.IMAGE_ID
        assert item.answer.relation is AnswerRelation.ALL
        assert item.answer.values == sorted(item.answer.values, key=natural_key)
    assert any(len(item.answer.values) > 1 for item in items)


def test_cd_says_yes_as_often_as_no(story: Bundle) -> None:
    """The claim is in the question, and every second one conflicts."""
    answers = [item.answer.values[0] for item in _of(story, "CD")]
    assert abs(answers.count("Yes.") - answers.count("No.")) <= 1


def test_kr_asks_for_what_changed(story: Bundle) -> None:
    """Its evidence is a fact that took the place of another one."""
    ledger = Ledger(story)
    for item in _of(story, "KR"):
        assert any(ledger.facts[fact].supersedes for fact in item.evidence.facts)


def test_ar_has_a_near_miss_and_an_answerable_twin(story: Bundle) -> None:
    """Nothing tells the property of whom it asks, but that of another."""
    answerable = {item.id for item in story.questions if item.answerable}
    for item in _of(story, "AR"):
        assert not item.answerable
        assert item.decoys
        assert item.twin_of in answerable
