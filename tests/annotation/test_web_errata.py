"""Errors in released items, reported from the page of an item."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient
from support.engine_builder import SilentProgress, SourceOf, finish
from support.history_bench import STORY
from support.release_builder import MemoryBlobs, bundle, content
from support.web_builder import RUN, Browser, Pages, pages

from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.web.app import create_app
from memassay.exports.release.writer import write_release
from memassay.flows.engine.streams.collection import RecordCollection
from memassay.flows.review.page_content import review_content
from memassay.flows.review.released_errata import ERRATA, errata_file, note_errata_file
from memassay.flows.services.runs import run_recipe
from memassay.flows.services.starting import shipped_recipes
from memassay.flows.stages.errata_stage import ErrataStage
from memassay.flows.stages.releasing.released_logs import ReleasedLogs
from memassay.flows.store.errata_file import read_errata
from memassay.flows.store.records import Draft
from memassay.flows.store.workspace import Workspace
from memassay.schemas.contracts.recipes import GateSection
from memassay.schemas.errors import WaitingError
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.erratum import ErratumFix, ErratumStatus, ReleasedErratum
from memassay.schemas.records.question import QAItem

RECORD = "alex/Q0001"
FORM = "Report an error in a released item"
WRONG = "the dog is <b>Rex</b> & old"

Release = Callable[..., None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small release."""
    folder = tmp_path_factory.mktemp("releases") / "tiny"
    write_release(folder, content())
    return folder


@pytest.fixture
def site(made: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Pages]:
    """Review pages over a workspace whose run ended in that release."""
    records = bundle("alex", "Luna", "red", MemoryBlobs()).records()
    with pages(tmp_path / "work", *records, **getattr(request, "param", {})) as opened:
        shutil.copytree(made, opened.workspace.releases / "tiny-0.1.0-aa")
        opened.workspace.store.add_draft(RUN, Draft("tiny-0.1.0-aa", None))
        yield opened


def _page(site: Pages, record: str = RECORD) -> str:
    return f"/item/{site.items[record]}"


def _report(site: Pages, browser: Browser, problem: str = WRONG) -> Any:
    return browser.post(f"{_page(site)}/errata", problem=problem)


def _kept(site: Pages) -> list[ReleasedErratum]:
    file = site.workspace.folder / ERRATA
    return read_errata(file) if file.exists() else []


def test_an_error_is_reported_from_the_page(site: Pages) -> None:
    """The page says the id and where it stands; the file says who, what and of which version."""
    ada = site.browser("ada")
    assert FORM in ada.get(_page(site)).text
    sent = _report(site, ada)
    assert sent.status_code == 303
    said = ada.get(sent.headers["location"]).text
    assert "<b>E0001</b> was written to errata.jsonl" in said
    assert "the dog is &lt;b&gt;Rex&lt;/b&gt; &amp; old" in said
    assert str(site.workspace.folder) not in said
    (kept,) = _kept(site)
    assert (kept.item, kept.release, kept.versions) == (RECORD, "tiny", ["0.1.0"])
    assert (kept.problem, kept.reporter, kept.status) == (WRONG, "ada", ErratumStatus.REPORTED)


def test_an_owner_reads_how_it_is_decided(site: Pages) -> None:
    """With the path of the file, which others who may be far away are not shown."""
    zoe = site.browser("zoe")
    said = zoe.get(_report(site, zoe).headers["location"]).text
    assert f"errata decide E0001 confirmed --file {site.workspace.folder / ERRATA}" in said


def test_others_reports_are_shown_after_ones_own_vote(site: Pages) -> None:
    """As others' votes are; afterwards they are listed on the page of the votes."""
    _report(site, site.browser("ada"))
    bob = site.browser("bob")
    before = bob.get(_page(site)).text
    assert "1 more reported by others" in before
    assert "E0001" not in before
    bob.vote(site.items[RECORD])
    after = bob.get(f"{_page(site)}/voted").text
    assert "E0001" in after
    assert FORM in after


@pytest.mark.parametrize(
    ("problem", "said"),
    [(WRONG, "got what E0001 says already"), (" \n", "say it"), ("x" * 2001, "2001")],
)
def test_what_says_nothing_new_is_refused(site: Pages, problem: str, said: str) -> None:
    """The page comes back with the reason, and nothing is written."""
    ada = site.browser("ada")
    _report(site, ada)
    again = _report(site, ada, problem)
    assert (again.status_code, said in again.text) == (400, True)
    assert len(_kept(site)) == 1


def test_only_forms_of_ones_own_session_are_taken(site: Pages) -> None:
    """Another site's form, and a browser that is not logged in, write nothing."""
    ada = site.browser("ada")
    forged = ada.post(f"{_page(site)}/errata", problem=WRONG, token="forged")
    assert forged.status_code == 403
    assert _report(site, site.browser()).status_code in (303, 403)
    assert _kept(site) == []


@pytest.mark.parametrize("site", [{"blind_rate": 1.0}], indirect=True)
def test_who_has_yet_to_answer_reports_nothing(site: Pages) -> None:
    """What is wrong with a gold says what the gold is."""
    ada = site.browser("ada")
    assert FORM not in ada.get(_page(site)).text
    assert _report(site, ada).headers["location"] == _page(site)
    assert ada.get(f"{_page(site)}/errata", follow_redirects=False).status_code == 303
    assert _kept(site) == []


def test_what_is_in_no_release_has_no_form(tmp_path: Path) -> None:
    """Such an item is decided, not reported."""
    with pages(tmp_path, *bundle("alex", "Luna", "red", MemoryBlobs()).records()) as opened:
        ada = opened.browser("ada")
        assert FORM not in ada.get(_page(opened)).text
        assert ada.get(f"{_page(opened)}/errata").status_code == 404
        assert _report(opened, ada).status_code == 404


def test_the_newest_version_that_holds_the_item_is_meant(site: Pages, made: Path) -> None:
    """A bumped release counts as drafts do, another data set and a damaged one do not."""
    folder = site.workspace.releases

    def more(called: str, **said: str) -> Path:
        copied = shutil.copytree(made, folder / called)
        manifest = json.loads((copied / "manifest.json").read_text(encoding="utf-8"))
        (copied / "manifest.json").write_text(json.dumps(manifest | said), encoding="utf-8")
        return copied

    more("tiny-0.2.0", version="0.2.0")
    shutil.rmtree(more("tiny-0.10.0", version="0.10.0") / "data" / "questions")
    more("other-3.0.0", name="other", version="3.0.0")
    (folder / "broken").mkdir()
    (folder / "broken" / "manifest.json").write_text("{", encoding="utf-8")
    ada = site.browser("ada")
    assert "It is in tiny 0.2.0." in ada.get(_page(site)).text
    _report(site, ada)
    assert _kept(site)[0].versions == ["0.2.0"]


def test_a_damaged_file_keeps_nobody_from_deciding(site: Pages) -> None:
    """The page says what is wrong with the file, and stays what it is."""
    file = site.workspace.folder / ERRATA
    file.write_text("{", encoding="utf-8")
    ada = site.browser("ada")
    shown = ada.get(_page(site))
    assert (shown.status_code, "errata.jsonl:1: " in shown.text) == (200, True)
    assert _report(site, ada).status_code == 400
    assert file.read_text(encoding="utf-8") == "{"


def test_errata_stand_where_the_recipe_says(tmp_path: Path) -> None:
    """Its own file, else one beside it; of a recipe that ships, or is gone, in the workspace."""

    def stop(*_: Any) -> None:
        raise WaitingError("enough")

    def file_of(path: Path) -> Path:
        with pytest.raises(WaitingError):
            run_recipe(path, tmp_path / "work", SilentProgress(), runner=stop)
        with_workspace = Workspace(tmp_path / "work")
        found = errata_file(with_workspace, path.stem)
        with_workspace.close()
        return found

    (tmp_path / "mine").mkdir()
    recipe = tmp_path / "mine" / "tiny.yaml"
    recipe.write_text(yaml.safe_dump(STORY), encoding="utf-8")
    assert file_of(recipe) == tmp_path / "mine" / ERRATA
    (tmp_path / "known.jsonl").write_text("", encoding="utf-8")
    named = yaml.safe_dump({**STORY, "errata": "../known.jsonl"})
    recipe.write_text(named, encoding="utf-8")
    assert file_of(recipe) == tmp_path / "known.jsonl"
    assert file_of(shipped_recipes()["demo"]) == tmp_path / "work" / ERRATA
    workspace = Workspace(tmp_path / "work")
    note_errata_file(workspace, "tiny", tmp_path / "gone" / ERRATA)
    assert errata_file(workspace, "tiny") == tmp_path / "work" / ERRATA
    workspace.close()


def test_an_item_that_waits_as_erratum_is_edited_on_its_page(tmp_path: Path) -> None:
    """The edit goes through, and the next release says that the item changed."""
    workspace = Workspace(tmp_path / "work")
    gates = {"errata": GateSection(policy="sample", on_open="continue")}

    def run(*errata: ReleasedErratum) -> QAItem:
        stages = [SourceOf({"alex": "red"}), ErrataStage(errata, "tiny")]
        ended = finish(workspace, stages, gates)
        header = ended.stream.get(f"question {RECORD}")
        found = workspace.store.get(header.sha256) if header else None
        return found if isinstance(found, QAItem) else asked

    asked = bundle("alex", "Luna", "red", MemoryBlobs()).questions[0]
    erratum = ReleasedErratum(
        id="E0001", release="tiny", versions=["0.1.0"], item=RECORD, asked_as="q",
        item_sha256=content_hash(asked), problem="another dog", reporter="ada",
        status=ErratumStatus.CONFIRMED, decided_by="eve",
    )  # fmt: skip
    run(erratum)
    (waits,) = [one for one in workspace.queue.items() if one.gate == "errata"]
    app = create_app(ReviewDesk(workspace.engine), review_content(workspace), None, 0.0)
    me = Browser(TestClient(app, base_url="http://127.0.0.1:8765"))
    me.log_in("me")
    assert "another dog" in me.get(f"/item/{waits.id}").text
    voted = me.vote(waits.id, values="Luna Two", evidence="D1:1")
    assert voted.status_code == 303, voted.text
    after = run(erratum)
    workspace.close()
    assert after.answer.values == ["Luna Two"]
    alex = bundle("alex", "Luna", "red", MemoryBlobs())
    changed = alex.model_copy(update={"questions": [after, *alex.questions[1:]]})
    logs = ReleasedLogs(RecordCollection([*changed.records(), erratum]))
    assert [str(one.fix) for one in logs.by_stem()["errata"]] == [ErratumFix.CHANGED]
