"""A release is published on a Hub of this machine: tried, uploaded, verified, tagged once."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import constants
from support.hub_login import log_in
from support.hub_server import GITATTRIBUTES, TOKEN, Hub, Repository, hub_server
from support.release_builder import certificate, content

import memassay
from memassay.exports.release.public.tables import public_ids
from memassay.exports.release.reader import open_release
from memassay.exports.release.writer import write_release
from memassay.flows.publishing import publish as publishing
from memassay.flows.publishing.fetching import release_folder
from memassay.flows.publishing.loading import LoadedTable
from memassay.flows.publishing.publish import Wish, publish
from memassay.flows.services.checks import validate_path
from memassay.schemas.errors import PublishError, ReleaseError, UsageError
from memassay.schemas.records.question import Evidence, QAItem

REPOSITORY = "you/tiny"
UPLOAD = Wish(upload=True)
MOMENTS = ("POST api/repos/create", "preupload", "PUT lfs/", "commit/main", "tag/")
"""Requests at which an upload is killed."""
ON_THEIR_WAY = 5
"""Files that the Hub's tools send at once, so that they may not have arrived."""


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """A Hub, this process logged in there, and an empty cache of its readers."""
    with hub_server() as server:
        log_in(monkeypatch, server, tmp_path_factory.mktemp("cache"))
        monkeypatch.setattr(publishing, "load_afresh", _loaded)
        yield server


def _loaded(_place: object, _revision: str = "") -> list[LoadedTable]:
    """What `datasets` would say; one test asks it in earnest."""
    return [LoadedTable(name="default", split="test", rows=8, columns=["id"])]


def _release(folder: Path, **changes: Any) -> Path:
    path = folder / f"tiny-{len(list(folder.iterdir()))}"
    write_release(path, content(**changes))
    return path


def _with_questions(change: Callable[[list[QAItem]], list[QAItem]]) -> dict[str, Any]:
    """Contents in which the questions of each conversation are others."""
    bundles = [
        bundle.model_copy(update={"questions": tuple(change(list(bundle.questions)))})
        for bundle in content().bundles
    ]
    return {
        "bundles": bundles,
        "certificates": [certificate(item) for bundle in bundles for item in bundle.questions],
    }


def _other_gold(items: list[QAItem]) -> list[QAItem]:
    answer = items[0].answer.model_copy(update={"equivalents": ("the same in other words",)})
    return [items[0].model_copy(update={"answer": answer}), *items[1:]]


def _without_evidence(items: list[QAItem]) -> list[QAItem]:
    nowhere = Evidence(groups=(("D99:1",),), canonical=("D99:1",))
    return [items[0].model_copy(update={"evidence": nowhere}), *items[1:]]


def test_by_default_nothing_is_changed(hub: Hub, tmp_path: Path) -> None:
    """Not even the repository is made."""
    report = publish(_release(tmp_path), REPOSITORY, Wish())
    assert (report.commit, report.tag) == (None, "v0.1.0")
    assert hub.repositories == {}


def test_a_trial_needs_no_hub(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what could not be looked up; an upload is refused."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    release = _release(tmp_path)
    assert "the Hub does not answer" in publish(release, REPOSITORY, Wish()).unknown
    with pytest.raises(PublishError, match="the Hub does not answer"):
        publish(release, REPOSITORY, UPLOAD)
    assert hub.requests == []


def test_what_is_pushed_is_the_folder(hub: Hub, tmp_path: Path) -> None:
    """Byte for byte, in one commit, private, with the tag of its version."""
    release = _release(tmp_path)
    report = publish(release, REPOSITORY, UPLOAD)
    there = hub.repositories[REPOSITORY]
    assert there.tags == {"v0.1.0": report.commit}
    files = {
        path.relative_to(release).as_posix(): path.read_bytes()
        for path in release.rglob("*")
        if path.is_file()
    }
    assert there.commits[str(report.commit)] == GITATTRIBUTES | files
    assert (len(there.commits), there.private) == (2, True)


def test_a_second_time_changes_nothing(hub: Hub, tmp_path: Path) -> None:
    """Nothing is written to the Hub."""
    release = _release(tmp_path)
    first = publish(release, REPOSITORY, UPLOAD)
    hub.requests.clear()
    assert publish(release, REPOSITORY, UPLOAD).commit == first.commit
    assert [request for request in hub.requests if not request.startswith(("GET", "HEAD"))] == []


def test_it_goes_on_after_any_kill(hub: Hub, tmp_path: Path) -> None:
    """Killed at five moments one after the other; what arrived is not sent again."""
    release = _release(tmp_path)
    for moment in MOMENTS:
        child = multiprocessing.get_context("fork").Process(
            target=publish, args=(release, REPOSITORY, UPLOAD)
        )
        hub.watch = lambda request, at=moment, process=child: (
            os.kill(process.pid, signal.SIGKILL) if at in request else None
        )
        child.start()
        child.join(60)
        assert child.exitcode == -signal.SIGKILL, moment
    hub.watch = lambda _request: None
    report = publish(release, REPOSITORY, UPLOAD)
    there = hub.repositories[REPOSITORY]
    assert there.tags == {"v0.1.0": report.commit}
    uploads = [request for request in hub.requests if request.startswith("PUT lfs/")]
    assert len(uploads) - len(set(uploads)) <= ON_THEIR_WAY


def test_other_content_under_a_published_version_is_refused(hub: Hub, tmp_path: Path) -> None:
    """The message names the version that is due."""
    publish(_release(tmp_path), REPOSITORY, UPLOAD)
    fewer = _with_questions(lambda items: items[:-1])
    with pytest.raises(UsageError, match=r"is a major one: set `version: 1\.0\.0`"):
        publish(_release(tmp_path, **fewer), REPOSITORY, UPLOAD)
    assert len(hub.repositories[REPOSITORY].tags) == 1


def test_changed_golds_are_refused_unless_they_are_meant(hub: Hub, tmp_path: Path) -> None:
    """And are a major change then."""
    publish(_release(tmp_path), REPOSITORY, UPLOAD)
    changed = _with_questions(_other_gold)
    with pytest.raises(UsageError, match="scores would no longer compare"):
        publish(_release(tmp_path, version="1.0.0", **changed), REPOSITORY, UPLOAD)
    meant = replace(UPLOAD, allow_gold_change=True)
    with pytest.raises(UsageError, match=r"expected version 1\.0\.0 or higher after v0\.1\.0"):
        publish(_release(tmp_path, version="0.2.0", **changed), REPOSITORY, meant)
    publish(_release(tmp_path, version="1.0.0", **changed), REPOSITORY, meant)
    assert sorted(hub.repositories[REPOSITORY].tags) == ["v0.1.0", "v1.0.0"]


def test_a_tag_is_never_moved(hub: Hub, tmp_path: Path) -> None:
    """One that somebody else set meanwhile is an error, and stays."""
    release = _release(tmp_path)

    def meanwhile(request: str) -> None:
        if "/tag/" in request:
            hub.repositories[REPOSITORY].tags["v0.1.0"] = "0" * 40

    hub.watch = meanwhile
    with pytest.raises(PublishError, match=r"Tag v0\.1\.0 exists already"):
        publish(release, REPOSITORY, UPLOAD)
    assert hub.repositories[REPOSITORY].tags == {"v0.1.0": "0" * 40}


def test_a_pull_request_is_tagged_once_it_is_merged(hub: Hub, tmp_path: Path) -> None:
    """Until then the branch is as it was."""
    release = _release(tmp_path)
    report = publish(release, REPOSITORY, replace(UPLOAD, create_pr=True))
    there = hub.repositories[REPOSITORY]
    assert report.pull_request is not None
    assert (there.tags, there.branches["main"]) == ({}, "0" * 40)
    there.branches["main"] = str(report.commit)
    assert publish(release, REPOSITORY, UPLOAD).commit == report.commit
    assert there.tags == {"v0.1.0": report.commit}


def test_readers_can_be_asked_for_their_consent(hub: Hub, tmp_path: Path) -> None:
    """Before anything is uploaded."""
    publish(_release(tmp_path), REPOSITORY, replace(UPLOAD, gated="manual"))
    assert hub.repositories[REPOSITORY].gated == "manual"


def test_files_of_another_version_are_gone(hub: Hub, tmp_path: Path) -> None:
    """One that the last manifest lists, and a shard that none lists and `datasets` would load."""
    publish(_release(tmp_path), REPOSITORY, UPLOAD)
    there = hub.repositories[REPOSITORY]
    files = there.commits[there.branches["main"]]
    manifest = json.loads(files["manifest.json"])
    manifest["files"].append({"path": "formats/old.json"})
    stray = "data/questions/train-00009-of-00010.parquet"
    files |= {"manifest.json": json.dumps(manifest).encode(), "formats/old.json": b"", stray: b""}
    there.tags.clear()
    report = publish(_release(tmp_path, version="0.1.1"), REPOSITORY, UPLOAD)
    assert not {"formats/old.json", stray} & there.commits[str(report.commit)].keys()


def test_an_asset_without_licence_is_refused(hub: Hub, tmp_path: Path) -> None:
    """Nobody may pass it on."""
    bundles = [
        bundle.model_copy(
            update={
                "assets": tuple(
                    asset.model_copy(update={"licence": None}) for asset in bundle.assets
                )
            }
        )
        for bundle in content().bundles
    ]
    with pytest.raises(UsageError, match=r"alex/D1_IMG_001: expected a licence, got None"):
        publish(_release(tmp_path, bundles=bundles), REPOSITORY, UPLOAD)
    assert hub.requests == []


def test_a_release_with_errors_is_refused(hub: Hub, tmp_path: Path) -> None:
    """The message names the rule and the record."""
    wrong = _with_questions(_without_evidence)
    with pytest.raises(UsageError, match="expected a release that may be published, got alex/Q"):
        publish(_release(tmp_path, **wrong), REPOSITORY, UPLOAD)
    assert hub.requests == []


@pytest.mark.usefixtures("hub")
def test_without_login_nothing_is_uploaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to log in, and shows no token."""
    monkeypatch.setenv("HF_TOKEN", "hf_" + "wrong" * 7)
    with pytest.raises(PublishError, match="hf auth login") as raised:
        publish(_release(tmp_path), REPOSITORY, UPLOAD)
    assert "wrong" not in str(raised.value)


@pytest.mark.ci
@pytest.mark.slow(seconds=12)
def test_the_command_publishes_what_datasets_loads(tmp_path: Path) -> None:
    """The real program, and the real `datasets`, at the tag, streaming and not."""
    release = _release(tmp_path)
    script = """
import json, sys
from datasets import load_dataset
whole = load_dataset(sys.argv[1], revision="v0.1.0", split="test")
streamed = load_dataset(sys.argv[1], revision="v0.1.0", split="test", streaming=True)
print(json.dumps([[row["id"] for row in rows] for rows in (whole, streamed)]))
"""
    with hub_server() as server:
        environment = {
            **os.environ,
            "HF_ENDPOINT": server.url,
            "HF_HOME": str(tmp_path / "home"),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_OFFLINE": "0",
            "HF_TOKEN": TOKEN,
        }
        command = [sys.executable, "-m", "memassay", "publish", str(release), REPOSITORY, "--yes"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert TOKEN not in done.stdout + done.stderr
        read = subprocess.run(
            [sys.executable, "-c", script, REPOSITORY],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    ids = [name for bundle in content().bundles for name in public_ids(bundle).values()]
    assert [sorted(rows) for rows in json.loads(read.stdout)] == [sorted(ids)] * 2


@pytest.fixture
def published(hub: Hub, tmp_path: Path) -> Hub:
    """A Hub with the small release."""
    hub.repositories[REPOSITORY] = Repository.of(_release(tmp_path), "v0.1.0")
    return hub


def test_a_release_is_opened_by_its_name_on_the_hub(published: Hub) -> None:
    """At a tag it has every record; the second time no file is fetched."""
    opened = memassay.open_release(f"{REPOSITORY}@v0.1.0")
    items = [item.id for item in opened.questions()]
    assert len(items) == 8
    published.requests.clear()
    assert [item.id for item in _items(f"{REPOSITORY}@v0.1.0")] == items
    assert not [one for one in published.requests if one.startswith("GET") and "resolve" in one]


@pytest.mark.usefixtures("published")
def test_what_the_hub_adds_is_no_defect() -> None:
    """A release on the Hub is as clean as its folder; each repository has `.gitattributes`."""
    folder = release_folder(f"{REPOSITORY}@v0.1.0")
    assert (folder / ".gitattributes").is_file()
    assert [one.message for one in validate_path(folder).findings if ".git" in one.message] == []


def _items(name: str) -> list[QAItem]:
    """The questions of a release, as a command opens it."""
    return list(open_release(release_folder(name)).questions())


def test_a_cached_release_is_opened_without_the_hub(
    published: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offline the cache will do, though it has no foreign files; what it lacks is missing there."""
    name = f"{REPOSITORY}@v0.1.0"
    for files in published.repositories[REPOSITORY].commits.values():
        files["banner.png"] = b"not of a release"
    memassay.open_release(name)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert memassay.open_release(name).manifest.version == "0.1.0"
    with pytest.raises(PublishError, match="in the cache, as the Hub cannot be reached"):
        memassay.open_release("you/other@v0.1.0")


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", [f"{REPOSITORY}@v9.9.9", "you/nothing@v1.0.0"])
def test_a_name_that_the_hub_does_not_know_is_said(name: str) -> None:
    """Neither tag nor data set: the message says what to check."""
    with pytest.raises(PublishError, match="expected a data set and a tag on the Hub"):
        memassay.open_release(name)


@pytest.mark.usefixtures("published")
def test_a_changed_file_in_the_cache_is_found() -> None:
    """What was fetched is compared with the manifest whenever it is opened."""
    opened = memassay.open_release(f"{REPOSITORY}@v0.1.0")
    path = opened.folder / "findings.jsonl"
    path.resolve().write_bytes(b"{}\n")
    with pytest.raises(ReleaseError, match=r"findings\.jsonl"):
        memassay.open_release(f"{REPOSITORY}@v0.1.0")


def test_a_folder_comes_before_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is named so is meant; what is no name of the Hub is a folder, there or not."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "you" / "demo@v1").mkdir(parents=True)
    for where in ("you/demo@v1", "releases/demo-0.1.0", "../you/demo@v1", "a/b/c@v1"):
        assert release_folder(where) == Path(where)
