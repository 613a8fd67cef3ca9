"""Lessons join a history that the simulator made, and change nothing of it."""

from pathlib import Path
from typing import cast

import pytest
from support.guests_in_hosts import Context
from support.made_history import copy_made, run_made
from support.release_builder import MemoryBlobs

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.lessons.section import LessonsSection
from memassay.synth.lessons.visitors import LessonVisitors
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check_conversation


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A history of M3Exam with its questions."""
    folder = copy_made(tmp_path_factory, tmp_path_factory.mktemp("host"))
    return cast(Bundle, run_made(folder))


@pytest.fixture(scope="module", params=["sessions", "ends"])
def joined(request: pytest.FixtureRequest, host: Bundle) -> Bundle:
    """The same with two lessons, also asked in other types."""
    section = LessonsSection(count=2, questions=10, place=request.param)
    context = cast(StageContext, Context("made", MemoryBlobs()))
    images = {"VS": 3, "VR": 4, "CD": 4}
    return LessonVisitors(section, Path(), images=images).join(host, context)


def _shown(joined: Bundle, code: str) -> list[QAItem]:
    items = [one for one in joined.questions if one.benchmark_type == code]
    return [one for one in items if one.question.attachments]


def _verdicts(bundle: Bundle) -> dict[str, Verdict]:
    # The bytes of the host's own pictures lie in its workspace.
    found = check_conversation(bundle, RuleContext(draws=False))
    return {one.item: one.verdict for one in certify(bundle, found)}


def test_all_questions_are_proven(host: Bundle, joined: Bundle) -> None:
    """Those of the lessons, and those that were there as they were."""
    before, after = _verdicts(host), _verdicts(joined)
    assert {name: after[name] for name in before} == before
    new = {verdict for name, verdict in after.items() if name not in before}
    assert new == {Verdict.PROVEN}


def test_every_text_of_the_host_is_there_in_its_order(host: Bundle, joined: Bundle) -> None:
    """Lessons come between its rounds and change none."""
    own = [turn.text for turn in host.conversation.turns()]
    rest = iter([turn.text for turn in joined.conversation.turns()])
    assert all(text in rest for text in own)


def test_golds_of_the_host_stay(host: Bundle, joined: Bundle) -> None:
    """Its questions have the answers that they had."""
    golds = {one.id: one.answer.values for one in joined.questions}
    texts = [one for one in host.questions if not one.question.attachments]
    free = [one for one in texts if ":" not in "".join(one.answer.values)]
    assert {one.id: golds[one.id] for one in free} == {one.id: one.answer.values for one in free}


def test_a_picture_is_looked_for_among_all_of_its_class(joined: Bundle) -> None:
    """VS lists the pictures of the class of its own one, which no turn shows."""
    shown = {image.id: image.asset for _, image in joined.conversation.attachments()}
    for item in _shown(joined, "VS"):
        (own,) = (one.asset for one in item.question.attachments)
        (concept,) = (one for one in joined.concepts if own in one.held_out)
        assert {shown[value] for value in item.answer.values} == set(concept.shown)
        assert own not in shown.values()


def test_claims_on_pictures_conflict_every_second_time(joined: Bundle) -> None:
    """Yes is as often right as no."""
    answers = [one.answer.values[0] for one in _shown(joined, "CD")]
    assert sorted(answers) == ["No.", "No.", "Yes.", "Yes."]
