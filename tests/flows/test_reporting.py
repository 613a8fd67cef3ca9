"""`memassay report` writes its page where it may, and says why where it may not."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from support.release_builder import content

from memassay.cli import main
from memassay.exports.release.writer import write_release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release without images."""
    folder = tmp_path_factory.mktemp("reporting") / "tiny-0.1.0"
    bundles = [one.model_copy(update={"questions": []}) for one in content().bundles[:1]]
    write_release(folder, content(bundles=bundles, certificates=[], findings=[]))
    return folder


def _refused(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["report", *map(str, arguments)])
    assert result.exit_code in (1, 2), result.output
    return result.stderr


def test_the_page_stands_in_the_working_directory(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named like the release, and written over by the next."""
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        result = CliRunner().invoke(main, ["report", str(release)])
        assert result.exit_code == 0, result.output
    assert result.stdout.endswith("report-tiny-0.1.0.html\n")
    assert [one.name for one in tmp_path.iterdir()] == ["report-tiny-0.1.0.html"]


@pytest.mark.parametrize(
    ("out", "said"),
    [("missing/page.html", "expected a folder that exists"), (".", "expected a file to write")],
)
def test_a_place_that_is_none_is_refused(
    release: Path, tmp_path: Path, out: str, said: str
) -> None:
    """Nothing is made on the way."""
    assert said in _refused(release, "--out", tmp_path / out)
    assert list(tmp_path.iterdir()) == []


def test_a_release_is_never_written_into(release: Path) -> None:
    """It would no longer be what its manifest says."""
    before = sorted(release.rglob("*"))
    assert "outside the release" in _refused(release, "--out", release / "page.html")
    assert sorted(release.rglob("*")) == before


def test_what_is_no_release_has_no_report(release: Path, tmp_path: Path) -> None:
    """A missing folder, another folder, half a release, a missing workspace."""
    assert "expected a release folder" in _refused(tmp_path / "none")
    assert "expected a release" in _refused(tmp_path)
    half = tmp_path / "half"
    half.mkdir()
    (half / "manifest.json").write_bytes((release / "manifest.json").read_bytes())
    assert "expected a file of the release, got none" in _refused(half)
    page = tmp_path / "page.html"
    assert "workspace" in _refused(release, "--out", page, "--workspace", tmp_path / "none")
    assert not page.exists()
