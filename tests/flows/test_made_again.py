"""A release held against its recipe: what it made, what people decided, what another made."""

from pathlib import Path

import pytest
from support.made_history import copy_made

from memassay.exports.formats.registry import FORMATS
from memassay.exports.release.check import ReleaseCheck, check_release
from memassay.flows.recipes.made_again import made_again
from memassay.flows.stages import check_stages
from memassay.flows.stages.check_stages import AssayStage
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.review import CoveredRecord, Decision, ReasonCode, Ruling


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> ReleaseCheck:
    """A release of one history, some of whose questions wait for people."""
    folder = copy_made(tmp_path_factory, tmp_path_factory.mktemp("again") / "made")
    (path,) = (folder / "workspace" / "releases").iterdir()
    return check_release(Path(path), FORMATS)


@pytest.fixture(scope="module")
def forged(release: ReleaseCheck) -> ReleaseCheck:
    """The same with a second question added to its first one."""
    (bundle,) = release.bundles
    first, *rest = bundle.questions
    text = first.question.model_copy(update={"text": f"{first.question.text} And when?"})
    item = first.model_copy(update={"question": text})
    return release._replace(bundles=[bundle.model_copy(update={"questions": [item, *rest]})])


def test_a_release_is_as_its_recipe_makes_it(release: ReleaseCheck) -> None:
    """Nothing is said of it; questions that wait for people are not missing."""
    assert release.records["held_out"]
    assert made_again(release) == []


def test_what_was_changed_is_named(forged: ReleaseCheck) -> None:
    """A question that the recipe does not ask."""
    found = made_again(forged)
    assert {(one.rule, one.target) for one in found} == {
        ("again.asked", forged.bundles[0].questions[0].id)
    }


def test_another_memassay_may_have_made_it_otherwise(forged: ReleaseCheck) -> None:
    """Nothing is said of a release whose manifest names another version."""
    assert made_again(forged._replace(recipe={**forged.recipe, "memassay": "0.0.9"})) == []


def test_what_people_edited_may_differ(forged: ReleaseCheck) -> None:
    """An item that somebody edited is as people left it."""
    item = forged.bundles[0].questions[0]
    decision = Decision(
        id="decision-1",
        gate="questions",
        covers=[CoveredRecord(id=item.id, sha256=content_hash(item))],
        reviewer="r1",
        ruling=Ruling.ACCEPT,
        reason=ReasonCode.CORRECT_AFTER_EDIT,
    )
    assert made_again(forged._replace(decisions=[decision])) == []


def test_certificates_are_made_again_when_rules_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace keeps no certificate that speaks of the rules of an older memassay."""
    before = AssayStage().config
    monkeypatch.setattr(check_stages, "rules_sha256", lambda: "of other rules")
    assert AssayStage().config != before
