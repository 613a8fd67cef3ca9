"""A draft becomes a version with the number that its changes are due."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from support.release_builder import certificate, content

from memassay.cli import main
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import write_release
from memassay.flows.publishing.bumping import BumpReport, bump_release
from memassay.schemas.errors import UsageError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.erratum import ErratumFix, ErratumStatus, ReleasedErratum
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem


def _draft(folder: Path, *bundles: Bundle, **more: Any) -> Path:
    path = folder / f"tiny-0.1.0-{len(list(folder.iterdir())):08d}"
    asked = [certificate(item) for one in bundles for item in one.questions]
    write_release(path, content(bundles=list(bundles), certificates=asked, **more))
    return path


def _bump(draft: Path, *, allow: bool = False) -> BumpReport:
    return bump_release(draft, None, allow_gold_change=allow)


@pytest.fixture
def bundles(tmp_path: Path) -> list[Bundle]:
    """Two conversations, of which the first alone is a version already."""
    both = list(content().bundles)
    _bump(_draft(tmp_path, both[0]))
    return both


def test_items_that_come_are_a_minor_change(bundles: list[Bundle], tmp_path: Path) -> None:
    """The version before is the one without a hash; again, nothing is new."""
    draft = _draft(tmp_path, *bundles)
    done = _bump(draft)
    assert (done.version, str(done.due)) == ("0.2.0", "minor")
    written = open_release(done.release)
    assert written.manifest.version == "0.2.0"
    assert list(written.questions()) == list(open_release(draft).questions())
    assert _bump(draft).due is None


def test_other_golds_are_major_and_must_be_meant(bundles: list[Bundle], tmp_path: Path) -> None:
    """Refused unless somebody says so."""
    first, *rest = bundles[0].questions
    answer = first.answer.model_copy(update={"equivalents": ["the same in other words"]})
    questions = [first.model_copy(update={"answer": answer}), *rest]
    draft = _draft(tmp_path, bundles[0].model_copy(update={"questions": questions}))
    with pytest.raises(UsageError, match=r"expected the golds of 0\.1\.0, got 1 others"):
        _bump(draft)
    assert _bump(draft, allow=True).version == "1.0.0"


@pytest.mark.parametrize(("named", "due"), [([0], "minor"), ([], "major")])
def test_an_item_that_is_withdrawn_is_a_minor_change(
    bundles: list[Bundle], tmp_path: Path, named: list[int], due: str
) -> None:
    """If an erratum names it, which stays in the version that is written; else a major one."""
    gone = bundles[0].questions
    errata = [_withdrawn(gone[at]) for at in named]
    left = bundles[0].model_copy(update={"questions": gone[1:]})
    done = _bump(_draft(tmp_path, left, errata=errata))
    assert str(done.due) == due
    assert list(open_release(done.release).errata()) == errata


def _withdrawn(item: QAItem) -> ReleasedErratum:
    return ReleasedErratum(
        id="E0001",
        release="tiny",
        versions=["0.1.0"],
        item=item.id,
        asked_as=item.id,
        item_sha256=content_hash(item),
        problem="another day",
        reporter="ada",
        status=ErratumStatus.CONFIRMED,
        fix=ErratumFix.WITHDRAWN,
    )


def test_another_recipe_is_a_patch(bundles: list[Bundle], tmp_path: Path) -> None:
    """By the command, which says where the version is."""
    draft = _draft(tmp_path, bundles[0], recipe={"path": "curate", "seed": 8})
    said = CliRunner().invoke(main, ["release", "bump", str(draft)])
    assert said.exit_code == 0
    assert "a patch change" in said.output
    assert (tmp_path / "tiny-0.1.1").is_dir()
