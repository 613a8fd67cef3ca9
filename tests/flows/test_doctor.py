"""Blobs that are deleted or damaged: they are named, and what made them is done again."""

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from support.engine_builder import SilentProgress, SourceOf, finish
from support.release_builder import bundle

from memassay.cli import main
from memassay.flows.engine.context import Memory, UnitContext
from memassay.flows.services.doctor import Trouble, examine
from memassay.flows.services.runs import run_recipe
from memassay.flows.store.workspace import DATABASE, Workspace
from memassay.schemas.base import Record
from memassay.schemas.hashing import file_sha256
from memassay.schemas.records.asset import Availability

DAMAGES: dict[str, Callable[[Path], object]] = {
    "deleted": Path.unlink,
    "empty": lambda path: path.write_bytes(b""),
    "cut short": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "one byte other": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"?"),
}

RECIPE = {
    "path": "m3exam",
    "personas": ["alex-veterinarian"],
    "sizes": {"sessions": 3, "rounds": 5, "images": 2, "documents": 1},
    "questions": {"ss": 2},
    "release": {"name": "small", "licence": "CC-BY-4.0"},
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recipe of pictures and a document, and its finished workspace."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "small.yaml").write_text(yaml.safe_dump(RECIPE), encoding="utf-8")
    _run(folder)
    return folder


def _run(folder: Path) -> None:
    run_recipe(folder / "small.yaml", folder / "work", SilentProgress(), runner="plain")


def _blobs(workspace: Path) -> list[Path]:
    return sorted((workspace / "blobs").glob("??/*"))


def _released(folder: Path) -> dict[str, str]:
    files = sorted(path for path in (folder / "work/releases").rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): file_sha256(path) for path in files}


def _units(workspace: Path) -> dict[str, int]:
    """How often the units of each stage were begun."""
    with closing(sqlite3.connect(workspace / DATABASE)) as database:
        return dict(database.execute("SELECT stage, sum(starts) FROM units GROUP BY stage"))


@pytest.mark.slow
@settings(max_examples=4)
@given(data=st.data())
def test_any_damage_is_made_good_by_the_next_run(made: Path, data: st.DataObject) -> None:
    """Whatever blobs are hit: they are named before, the release is the same, and all is well."""
    before, blobs = _released(made), _blobs(made / "work")
    hit = data.draw(
        st.dictionaries(st.sampled_from(blobs), st.sampled_from(sorted(DAMAGES)), min_size=1)
    )
    for path, damage in hit.items():
        DAMAGES[damage](path)
    found = examine(made / "work")
    assert [one.name for one in found.troubles] == [path.name for path in sorted(hit)]
    assert all(one.made_again_by for one in found.troubles)
    _run(made)
    assert _released(made) == before
    assert examine(made / "work").troubles == []


@pytest.mark.slow
def test_only_what_made_it_is_done_again(made: Path) -> None:
    """The stages after it read what they read before."""
    before = _units(made / "work")
    _blobs(made / "work")[0].unlink()
    _run(made)
    after = _units(made / "work")
    assert {stage for stage in after if after[stage] != before[stage]} == {"dialogue"}


def _tiny(tmp_path: Path, source: SourceOf) -> Path:
    workspace = Workspace(tmp_path / "work")
    finish(workspace, [source])
    workspace.close()
    return tmp_path / "work"


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_a_unit_whose_blob_is_not_right_is_not_finished(tmp_path: Path, damage: str) -> None:
    """A stage need not look after its bytes: that is the engine's business, for every stage."""
    workspace = _tiny(tmp_path, SourceOf({"alex": "red", "bert": "blue"}))
    blob = _blobs(workspace)[0]
    DAMAGES[damage](blob)
    again = SourceOf({"alex": "red", "bert": "blue"})
    _tiny(tmp_path, again)
    assert len(again.done) == 1
    assert examine(workspace).troubles == []


def test_a_part_of_a_unit_whose_blob_is_not_right_is_made_again(tmp_path: Path) -> None:
    """What a killed run had remembered of a unit is looked at, too."""
    workspace = Workspace(tmp_path / "work")
    made: list[str] = []

    def part() -> list[Record]:
        def make() -> list[Record]:
            made.append("made")
            return list(bundle("alex", "Luna", "red", workspace.blobs).records())

        memory = Memory(workspace.store, "1", Workspace(tmp_path / "work").is_whole)
        return UnitContext(7, "s", "alex", workspace.blobs, memory=memory).unit("part", [], make)

    first = part()
    assert part() == first
    _blobs(tmp_path / "work")[0].unlink()
    assert part() == first
    assert made == ["made", "made"]
    workspace.close()


def test_an_image_that_was_never_ours_is_not_missed(tmp_path: Path) -> None:
    """Of a remote one only the hash may be known."""
    workspace = Workspace(tmp_path / "work")
    alex = bundle("alex", "Luna", "red", workspace.blobs)
    remote = {"availability": Availability.REMOTE, "uri": "https://example.com/a.png"}
    hashes = workspace.store.put_all([one.model_copy(update=remote) for one in alex.assets])
    shutil.rmtree(workspace.folder / "blobs")
    assert workspace.is_whole(hashes)
    assert examine(workspace.folder).troubles == []
    workspace.close()


def test_a_unit_whose_record_is_gone_is_done_again(tmp_path: Path) -> None:
    """A record cannot be missing in silence: the release would lack it."""
    workspace = _tiny(tmp_path, SourceOf({"alex": "red"}))
    with closing(sqlite3.connect(workspace / DATABASE)) as database:
        database.execute("DELETE FROM records WHERE kind = 'question' AND rowid % 2 = 0")
        database.commit()
    found = examine(workspace)
    assert {(one.what, *one.made_again_by) for one in found.troubles} == {("record", "import alex")}
    _tiny(tmp_path, SourceOf({"alex": "red"}))
    assert examine(workspace).troubles == []


def test_what_nothing_makes_again_is_said_to_be(tmp_path: Path) -> None:
    """An image that a person brought is in no stage's outputs."""
    workspace = _tiny(tmp_path, SourceOf({"alex": "red"}))
    with closing(sqlite3.connect(workspace / DATABASE)) as database:
        database.execute("DELETE FROM units")
        database.commit()
    _blobs(workspace)[0].unlink()
    (trouble,) = examine(workspace).troubles
    assert (trouble.state, trouble.made_again_by) == ("missing", [])
    assert "bring it again" in trouble.fix


def test_the_command_lists_them_and_ends_with_1(tmp_path: Path) -> None:
    """In a sound workspace it ends with 0."""
    workspace = _tiny(tmp_path, SourceOf({"alex": "red"}))
    arguments = ["doctor", "--workspace", str(workspace)]
    assert CliRunner().invoke(main, arguments).exit_code == 0
    blob = _blobs(workspace)[0]
    blob.write_bytes(b"?")
    ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 1
    assert blob.name in ended.output
    assert "import alex" in ended.output
    assert CliRunner().invoke(main, [*arguments, "--json"]).exit_code == 1


@pytest.mark.slow
def test_a_damaged_release_is_named_and_written_again(made: Path, tmp_path: Path) -> None:
    """Every byte is read, by `doctor` and by a run, though sizes and names are as they were."""
    folder = shutil.copytree(made, tmp_path / "copy") / "work"
    (card,) = (folder / "releases").glob("*/README.md")
    card.write_bytes(card.read_bytes()[:-1] + b"?")
    troubles: list[Trouble] = examine(folder).troubles
    assert [(one.what, one.state, one.name) for one in troubles] == [
        ("release", "damaged", str(card.parent))
    ]
    assert "run the recipe again" in troubles[0].fix
    shown = CliRunner().invoke(main, ["doctor", "--workspace", str(folder)]).output
    assert re.search(r"missing or damaged: 0 of \d+ blobs, 0 of \d+ records, 1 of 1 release", shown)
    _run(folder.parent)
    assert _released(folder.parent) == _released(made)
    shown = CliRunner().invoke(main, ["doctor", "--workspace", str(folder)]).output
    assert shown.splitlines()[-1].endswith(" 1 releases: all there and whole")
