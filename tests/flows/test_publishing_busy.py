"""A Hub that is busy, loses an answer, has files of its own or moved a tag."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.utils import formatdate
from itertools import count
from pathlib import Path

import pytest
from huggingface_hub import constants
from support.hub_login import log_in
from support.hub_server import FIRST, GITATTRIBUTES, TOKEN, Hub, Repository, hub_server
from support.release_builder import content

import memassay
from memassay.exports.publishing.waiting import IN_ALL
from memassay.exports.release.writer import write_release
from memassay.flows.publishing import publish as publishing
from memassay.flows.publishing.fetching import release_folder
from memassay.flows.publishing.loading import LoadedTable
from memassay.flows.publishing.publish import Wish, publish
from memassay.flows.services.checks import validate_path
from memassay.schemas.errors import HubBusyError, PublishError, UsageError

REPOSITORY = "you/tiny"
UPLOAD = Wish(upload=True)
FOREIGN = {"logo.png": b"a picture", "scripts/load.py": b"print()\n"}
"""Files of a repository that no release has written."""


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited, without waiting; the Hub's own tools sleep by the same function."""
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    return waited


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pauses: list[float]) -> Iterator[Hub]:  # noqa: ARG001
    """A Hub, this process logged in there, and an empty cache of its readers."""
    with hub_server() as server:
        log_in(monkeypatch, server, tmp_path / "cache")
        loaded = [LoadedTable(name="default", split="test", rows=8, columns=["id"])]
        monkeypatch.setattr(publishing, "load_afresh", lambda *_: loaded)
        yield server


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A small release."""
    write_release(tmp_path / "tiny", content())
    return tmp_path / "tiny"


def _files(release: Path) -> dict[str, bytes]:
    paths = (path for path in release.rglob("*") if path.is_file())
    return {path.relative_to(release).as_posix(): path.read_bytes() for path in paths}


def _once(part: str) -> Callable[[str], bool]:
    """Whether a request is the first one with this part."""
    number = count()
    return lambda request: part in request and next(number) == 0


def _every_third(pause: str) -> Callable[[str], tuple[int, dict[str, str]] | None]:
    """Refuse each third request, with 429 and a pause or with 503."""
    calls = count(1)

    def refuse(_request: str) -> tuple[int, dict[str, str]] | None:
        number = next(calls)
        answer: tuple[int, dict[str, str]] = (
            (429, {"Retry-After": pause}) if number % 2 else (503, {})
        )
        return None if number % 3 else answer

    return refuse


def _with_foreign_files(hub: Hub) -> Repository:
    there = Repository(private=True)
    there.commits[FIRST] |= {**FOREIGN, "README.md": b"# Soon\n"}
    hub.repositories[REPOSITORY] = there
    return there


def test_a_busy_hub_gets_every_byte(hub: Hub, release: Path) -> None:
    """Each third call is refused, one commit's answer is lost: one tag, nothing foreign is lost."""
    there = _with_foreign_files(hub)
    hub.refuse, hub.lose = _every_third("7"), _once("/commit/main")
    report = publish(release, REPOSITORY, UPLOAD)
    assert there.tags == {"v0.1.0": report.commit}
    assert there.commits[str(report.commit)] == GITATTRIBUTES | FOREIGN | _files(release)
    assert len(there.commits) == 2


def test_a_release_of_a_busy_hub_is_opened_by_name(hub: Hub, release: Path) -> None:
    """Each third call is refused; every file comes."""
    publish(release, REPOSITORY, UPLOAD)
    hub.refuse = _every_third("7")
    folder = release_folder(f"{REPOSITORY}@v0.1.0")
    assert _files(folder) == GITATTRIBUTES | _files(release)


@pytest.mark.ci
@pytest.mark.slow(seconds=60)
def test_the_command_gets_through_to_a_busy_hub(release: Path, tmp_path: Path) -> None:
    """With the real `datasets`: bytes, foreign files, one tag; beside a moved tag it refuses."""
    with hub_server() as server:
        there = _with_foreign_files(server)
        environment = {
            **os.environ,
            "HF_ENDPOINT": server.url,
            "HF_HOME": str(tmp_path / "home"),
            "HF_HUB_OFFLINE": "0",
            "HF_TOKEN": TOKEN,
        }
        command = [sys.executable, "-m", "memassay", "publish", str(release), REPOSITORY, "--yes"]

        def run() -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                command, env=environment, capture_output=True, text=True, check=False
            )

        server.refuse, server.lose = _every_third("0"), _once("/commit/main")
        done = run()
        assert done.returncode == 0, done.stderr
        (commit,) = there.tags.values()
        assert there.commits[commit] == GITATTRIBUTES | FOREIGN | _files(release)
        assert len(there.commits) == 2
        _move_tag(server)
        moved = run()
    assert (moved.returncode, there.tags) == (2, {"v0.1.0": "2" * 40})
    assert "if the tag was moved" in moved.stderr


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
@pytest.mark.parametrize("call", ["repos/create", "/preupload/", "/commit/", "/tag/"])
def test_a_passing_refusal_is_waited_for(
    hub: Hub, release: Path, pauses: list[float], call: str, status: int
) -> None:
    """As long as the Hub asks for, whatever the call."""
    first = _once(call)
    hub.refuse = lambda request: (status, {"Retry-After": "30"}) if first(request) else None
    assert publish(release, REPOSITORY, UPLOAD).commit
    assert pauses == [31.0]


@pytest.mark.parametrize("call", ["repos/create", "/commit/", "/tag/"])
def test_a_refusal_that_lasts_ends_it_for_now(
    hub: Hub, release: Path, pauses: list[float], call: str
) -> None:
    """After growing pauses of some minutes in all, with the code of what waits."""
    hub.refuse = lambda request: (503, {}) if call in request else None
    said = "status 503: try again later; run the same command later"
    with pytest.raises(HubBusyError, match=said) as raised:
        publish(release, REPOSITORY, UPLOAD)
    assert raised.value.exit_code == 75
    assert pauses == sorted(pauses)
    assert IN_ALL / 2 < sum(pauses) <= IN_ALL


def test_a_pause_too_long_for_us_is_named(hub: Hub, release: Path, pauses: list[float]) -> None:
    """The message says how long the Hub asks to wait; nothing is waited for."""
    hub.refuse = lambda request: (429, {"Retry-After": "3600"}) if "create" in request else None
    with pytest.raises(HubBusyError, match="asks for a pause of 3601 s"):
        publish(release, REPOSITORY, UPLOAD)
    assert pauses == []


@pytest.mark.parametrize("call", ["/commit/main", "/tag/"])
def test_a_lost_answer_is_looked_for(hub: Hub, release: Path, call: str) -> None:
    """One commit and one tag, though the first answer never came."""
    hub.lose = _once(call)
    report = publish(release, REPOSITORY, UPLOAD)
    there = hub.repositories[REPOSITORY]
    assert (len(there.commits), there.tags) == (2, {"v0.1.0": report.commit})


def test_a_pull_request_whose_answer_was_lost_is_found(hub: Hub, release: Path) -> None:
    """It is not opened a second time."""
    hub.lose = _once("/commit/main")
    report = publish(release, REPOSITORY, replace(UPLOAD, create_pr=True))
    assert str(report.pull_request).endswith("/discussions/1")
    assert len(hub.repositories[REPOSITORY].branches) == 2


def test_an_endpoint_without_xet_takes_lfs_objects(
    hub: Hub, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not know `xet-write-token`; nobody has to switch anything off."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", False)
    assert publish(release, REPOSITORY, UPLOAD).commit
    assert [one for one in hub.requests if one.startswith("PUT lfs/")]
    assert constants.HF_HUB_DISABLE_XET is False


def test_an_endpoint_that_refuses_xet_takes_lfs_objects(
    hub: Hub, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """501 of its token is no passing error."""
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", False)
    hub.refuse = lambda request: (501, {}) if "xet-write-token" in request else None
    assert publish(release, REPOSITORY, UPLOAD).commit


def test_a_pause_may_be_a_date(hub: Hub, release: Path, pauses: list[float]) -> None:
    """Also where the Hub's own tools wait, which read numbers alone."""
    first, now = _once("/preupload/"), time.time()
    when = {"Retry-After": formatdate(now + 60, usegmt=True)}
    hub.refuse = lambda request: (503, when) if first(request) else None
    publish(release, REPOSITORY, UPLOAD)
    assert 30 < sum(pauses) <= 61


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("/preupload/", "got 404 for POST /api/datasets/you/tiny/preupload/main"),
        ("/tag/", "the endpoint knows no tags; all files are there"),
    ],
)
def test_a_call_that_the_endpoint_does_not_know_is_named(
    hub: Hub, release: Path, call: str, said: str
) -> None:
    """And not taken for a repository that is not there; again, nothing is made twice."""
    hub.refuse = lambda request: (404, {}) if call in request else None
    for _ in range(2):
        with pytest.raises(PublishError, match=said):
            publish(release, REPOSITORY, UPLOAD)
    assert len(hub.repositories[REPOSITORY].commits) <= 2


def test_a_commit_whose_answer_lacks_a_field_is_looked_for(hub: Hub, release: Path) -> None:
    """It is there, and gets its tag."""
    hub.shorten = lambda request: "/commit/main" in request
    report = publish(release, REPOSITORY, UPLOAD)
    there = hub.repositories[REPOSITORY]
    assert (len(there.commits), there.tags) == (2, {"v0.1.0": report.commit})


def test_an_answer_that_lacks_a_field_is_one_line(hub: Hub, release: Path) -> None:
    """It names the field."""
    hub.shorten = lambda request: "repos/create" in request
    with pytest.raises(PublishError, match="'url' in the answer of the endpoint"):
        publish(release, REPOSITORY, UPLOAD)


def test_a_trial_lists_what_would_happen(hub: Hub, release: Path) -> None:
    """What would be added, changed, deleted and kept; nothing is changed."""
    there = _with_foreign_files(hub)
    paths = publish(release, REPOSITORY, Wish()).paths
    assert set(paths.added) == _files(release).keys() - {"README.md"}
    assert (paths.changed, paths.deleted) == (("README.md",), ())
    assert paths.kept == tuple(sorted(FOREIGN))
    assert publish(release, REPOSITORY, Wish(replace=True)).paths.deleted == tuple(sorted(FOREIGN))
    assert len(there.commits) == 1


def test_foreign_files_go_if_that_is_wished(hub: Hub, release: Path) -> None:
    """What the Hub itself has added stays."""
    there = _with_foreign_files(hub)
    report = publish(release, REPOSITORY, replace(UPLOAD, replace=True))
    assert there.commits[str(report.commit)] == GITATTRIBUTES | _files(release)


def test_foreign_files_are_none_of_the_release(hub: Hub, release: Path) -> None:
    """A release that is opened by name is without them, and without findings about them."""
    _with_foreign_files(hub)
    publish(release, REPOSITORY, UPLOAD)
    folder = release_folder(f"{REPOSITORY}@v0.1.0")
    assert not (folder / "logo.png").exists()
    rules = {one.rule for one in validate_path(folder).findings}
    assert rules == {one.rule for one in validate_path(release).findings}


@pytest.mark.parametrize("name", ["tiny", "you/ti ny", "you/tiny.git", "a/b/c", "you/-tiny"])
def test_an_impossible_name_is_refused_in_the_trial(hub: Hub, release: Path, name: str) -> None:
    """Before anything is asked."""
    with pytest.raises(UsageError, match="expected OWNER/NAME"):
        publish(release, name, Wish())
    assert hub.requests == []


def _move_tag(hub: Hub) -> None:
    """Let the tag name a commit in which a file is another one."""
    there = hub.repositories[REPOSITORY]
    files = there.commits[there.tags["v0.1.0"]]
    there.commits["2" * 40] = {**files, "findings.jsonl": b"{}\n"}
    there.tags["v0.1.0"] = "2" * 40


def test_a_moved_tag_is_refused_by_name(hub: Hub, release: Path) -> None:
    """The message says both commits; either can be opened by its own name."""
    commit = publish(release, REPOSITORY, UPLOAD).commit
    memassay.open_release(f"{REPOSITORY}@v0.1.0")
    _move_tag(hub)
    for _ in range(2):
        with pytest.raises(PublishError, match=f"expected commit {commit}.*the tag was moved"):
            memassay.open_release(f"{REPOSITORY}@v0.1.0")
    assert memassay.open_release(f"{REPOSITORY}@{commit}").manifest.version == "0.1.0"


def test_nothing_is_published_beside_a_moved_tag(hub: Hub, release: Path) -> None:
    """What it names now is not what we publish; the tag stays where it is."""
    publish(release, REPOSITORY, UPLOAD)
    _move_tag(hub)
    with pytest.raises(PublishError, match=r"findings\.jsonl.*if the tag was moved"):
        publish(release, REPOSITORY, UPLOAD)
    assert hub.repositories[REPOSITORY].tags == {"v0.1.0": "2" * 40}
