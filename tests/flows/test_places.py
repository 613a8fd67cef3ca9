"""Addresses of workspaces: what may be written, what is refused, and that no password shows."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from memassay.cli import main
from memassay.flows.store.places.address import (
    Address,
    address_text,
    folder_of,
    place_of,
    workspace_option,
)

SERVER = "postgresql+psycopg://ada:secret@host/team"


def test_a_folder_is_a_folder() -> None:
    """Whatever its name."""
    assert place_of("some/work") == Path("some/work")
    assert folder_of(place_of("some/work")) == Path("some/work")


def test_files_in_a_folder_are_all_in_one_folder(tmp_path: Path) -> None:
    """What a folder that machines share holds is what a workspace's folder holds."""
    place = place_of(f"{SERVER}?files={tmp_path}")
    assert isinstance(place, Address)
    assert (place.files, place.folder) == (str(tmp_path), tmp_path)
    assert place.database.password == "secret"
    assert "files" not in place.database.query


def test_files_in_an_object_store_are_beside_a_folder_of_this_machine(tmp_path: Path) -> None:
    """By default one that is named after the database."""
    place = place_of(f"{SERVER}?sslmode=require&files=s3://bucket/prefix/")
    assert isinstance(place, Address)
    assert (place.files, place.folder) == ("s3://bucket/prefix", Path("workspace/team").resolve())
    assert dict(place.database.query) == {"sslmode": "require"}
    assert folder_of(place_of(f"{SERVER}?files=s3://bucket&folder={tmp_path}")) == tmp_path


def test_the_driver_is_ours_if_none_is_named(tmp_path: Path) -> None:
    """Most people write no driver."""
    place = place_of(f"postgresql://host/team?files={tmp_path}")
    assert isinstance(place, Address)
    assert place.database.drivername == "postgresql+psycopg"


@pytest.mark.parametrize(
    "text",
    [
        f"{SERVER}?sslmode=require&files=s3://bucket/a%20b&folder=/tmp/x",
        f"{SERVER}?files=/tmp/some%26where",
        "postgresql+psycopg:///team?host=/run/postgresql&files=/tmp/x",
    ],
)
def test_an_address_comes_back_from_its_text(text: str) -> None:
    """Processes of ours are given it as text."""
    place = place_of(text)
    assert place_of(address_text(place)) == place


def test_an_address_is_shown_without_passwords() -> None:
    """Neither that of the database nor one of the store."""
    place = place_of(f"{SERVER}?files=sftp://ada:hidden@host/x")
    for shown in (str(place), workspace_option(place), repr(place.database)):  # type: ignore[union-attr]
        assert "secret" not in shown
        assert "hidden" not in shown
    assert "ada:***@host/team" in str(place)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (SERVER, r"expected a database and the place of its files, .*\?files=s3://"),
        (f"{SERVER}?a=b", r"got '.*'; add &files="),
        ("mysql://ada:secret@host/x?files=/tmp", r"expected a URL such as .*, got 'mysql'"),
        ("s3://bucket/x", r"expected a URL such as .*, got 's3'"),
        ("postgresql://ada:secret@host:port/x", r"expected a URL such as"),
        (f"{SERVER}?files=/a&files=/b", r"expected files= once, got it 2 times"),
        (f"{SERVER}?files=/a&folder=/b", r"expected folder= beside an object store only"),
    ],
)
def test_what_is_no_address_is_refused_without_its_password(text: str, said: str) -> None:
    """In one line, which says what to write."""
    answer = CliRunner().invoke(main, ["status", "--workspace", text])
    assert answer.exit_code == 2
    assert re.search(f"^memassay: workspace: .*{said}", answer.stderr)
    assert "secret" not in answer.output


def test_a_server_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    """By the address of the workspace."""
    pytest.importorskip("psycopg")
    server = "postgresql://ada:secret@127.0.0.1:1/team?connect_timeout=1"
    answer = CliRunner().invoke(main, ["status", "--workspace", f"{server}&files={tmp_path}"])
    assert answer.exit_code == 2
    named = re.escape("memassay: workspace postgresql+psycopg://ada:***@127.0.0.1:1/team?")
    assert re.search(f"^{named}.*expected a database that answers", answer.stderr)
    assert "secret" not in answer.output
