"""Mem-Gallery's types of question over a history: what each asks, and that it is proven."""

from decimal import Decimal
from pathlib import Path
from random import Random

import pytest
from support.told import usual

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.ids import natural_key
from memassay.schemas.judgements.finding import Severity
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, AnswerRelation, QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.mem_gallery.rows import StoryRow
from memassay.synth.paths.mem_gallery.stories import StoryQuestionStage
from memassay.synth.questions.across.together import of_two_subjects
from memassay.synth.questions.history import History
from memassay.synth.questions.knowledge.held import conflicts
from memassay.synth.questions.proving import proven_item
from memassay.synth.questions.visual.sets import count_sets
from memassay.synth.world.sizes import Sizes
from memassay.validators.check import check_conversation

NAME = "lily-cooking-newbie"
WANTED = {"FR": 8, "VS": 8, "TR": 6, "VR": 6, "MR": 6, "KR": 2, "CD": 6, "AR": 6}


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history with questions of each type."""
    folder = tmp_path_factory.mktemp("story")
    told = [record for record in usual(folder).records() if not isinstance(record, QAItem)]
    context = UnitContext(7, "questions", NAME, BlobFolder(folder / "blobs"))
    stage = StoryQuestionStage(
        Personas([NAME], folder), {NAME: StoryRow(NAME, "", Sizes(), WANTED)}
    )
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


def test_refusals_are_worded_as_questions_with_an_answer(story: Bundle) -> None:
    """What is asked of another is first a property that some other question asks for."""
    by_id = {item.id: item for item in story.questions}
    items = _of(story, "AR")
    twins = [by_id[item.twin_of] for item in items if item.twin_of is not None]
    alike = [
        item.query["of"]["where"]["attribute"] in str(twin.query)
        for item, twin in zip(items, twins, strict=True)
        if item.query is not None
    ]
    assert sum(alike) > 1


def test_pictures_are_called_as_their_captions_call_them(story: Bundle) -> None:
    """VR and VS name some of them so, and none by what it was shown about."""
    captions = [image.caption or "" for _, image in story.conversation.attachments()]
    names = [caption.partition(": ")[2] for caption in captions if ": " in caption]
    texts = [item.question.text for item in (*_of(story, "VR"), *_of(story, "VS"))]
    assert any(name in text for name in names for text in texts)
    assert not any("going by what was" in text.casefold() for text in texts)


def test_a_count_of_pictures_is_that_of_its_clues(story: Bundle) -> None:
    """Each round shows one image, and each that is counted is cited."""
    ledger = Ledger(story)
    found = [draft for draft in count_sets(_history(story), Random(5)) if draft.references]
    assert found
    for draft in found:
        item = proven_item(
            draft, f"{NAME}/VR-1", "VR", QuestionType.VISUAL_REASONING, [Modality.IMAGE], ledger
        )
        assert item.answer.values == [str(len(draft.about))]


def test_mr_asks_for_two_things_in_the_order_of_telling(story: Bundle) -> None:
    """Both are one question each, and their rounds come in the order of the values."""
    ledger = Ledger(story)
    drafts = list(of_two_subjects(_history(story), Random(5)))[:5]
    assert drafts
    for draft in drafts:
        item = proven_item(draft, f"{NAME}/MR-1", "MR", QuestionType.MULTI_FACT, [], ledger)
        values = [ledger.facts[fact].value.text for fact in draft.about]
        assert all(value in said for value, said in zip(values, item.answer.values, strict=True))
        assert item.question.text.count("?") == 1


def test_cd_claims_which_way_a_number_went(story: Bundle) -> None:
    """Of what rose, `gone down` conflicts, and both tellings are cited."""
    drafts = [one for one in conflicts(_history(story), Random(5)) if "has gone" in one.text]
    assert drafts
    ledger = Ledger(story)
    for draft in drafts:
        first, last = (Decimal(ledger.facts[fact].value.text) for fact in draft.about)
        item = proven_item(draft, f"{NAME}/CD-1", "CD", QuestionType.CONFLICT, [], ledger)
        assert item.answer.values == ["Yes." if ("up" in draft.text) == (last < first) else "No."]
        assert len(item.evidence.canonical) > 1


def _history(story: Bundle) -> History:
    return History(story, Personas([NAME], Path()).by_id[NAME])
