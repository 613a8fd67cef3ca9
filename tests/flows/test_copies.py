"""Copies: a recipe makes each conversation several times, with ids and draws of its own."""

from itertools import pairwise
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engine_builder import SilentProgress, make_samples
from support.release_builder import MemoryBlobs
from support.toy_path.path import PATH as TOY

from memassay.exports.release.reader import open_release
from memassay.flows.engine.context import UnitContext
from memassay.flows.recipes import plans
from memassay.flows.recipes.loading import read_recipe
from memassay.flows.recipes.plans import making, setting_of
from memassay.flows.services.runs import run_recipe
from memassay.flows.stages.import_stage import ImportStage, copy_of
from memassay.schemas.base import Record
from memassay.schemas.changes.cluster_decisions import Decided
from memassay.schemas.contracts.protocols import Imported, SourceStage
from memassay.schemas.contracts.recipes import SourceSection
from memassay.schemas.copies import MOST_COPIES, with_copies
from memassay.schemas.errors import RecipeError
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of, natural_key

SMALL = {"sizes": {"sessions": 4, "rounds": 6, "images": 2}, "personas": ["wei-courier"]}
DIALOGUES = {"path": "m3exam", **SMALL}


def _sources(document: dict[str, object], folder: Path) -> SourceStage:
    """The stage that a recipe begins with."""
    recipe = read_recipe(document)
    setting = setting_of(folder, folder, recipe.copies)
    return cast(SourceStage, making(recipe, setting, Decided())[0])


@given(copies=st.integers(1, MOST_COPIES))
def test_ids_of_copies_begin_no_other_id_and_are_in_order(copies: int) -> None:
    """None is followed by a digit in another one, and a copy comes behind those before it."""
    names = [*with_copies({"alex": 1, "wei": 2}, copies)]
    assert len(names) == 2 * copies
    assert names == sorted(names, key=natural_key)
    ordered = sorted(names)
    follows = pairwise(ordered)
    assert not any(b.startswith(a) and b[len(a)].isdigit() for a, b in follows)


def test_more_copies_leave_those_that_are_there() -> None:
    """So that a data set can grow without being made again."""
    few, many = with_copies({"alex": 1}, 3), with_copies({"alex": 1}, 300)
    assert {*few} < {*many}


def test_a_copy_with_the_id_of_another_conversation_is_refused() -> None:
    """Two histories of one id cannot be told apart."""
    with pytest.raises(RecipeError, match=r"copies of alex, got alex-002, which another"):
        with_copies({"alex": 1, "alex-002": 2}, 2)


@pytest.mark.parametrize(
    ("document", "first"),
    [
        pytest.param({"path": "m3exam", **SMALL}, "wei-courier", id="m3exam"),
        pytest.param({"path": "m2a", "hosts": {"count": 1}}, "nadia-felix", id="m2a"),
        pytest.param(
            {"path": "mem-gallery", "from": "clusters", "dialogues": DIALOGUES},
            "wei-courier",
            id="a recipe inside another",
        ),
    ],
)
def test_every_path_makes_copies(document: dict[str, object], first: str, tmp_path: Path) -> None:
    """Each is a unit, and its inputs are those of the first."""
    shards = _sources({**document, "copies": 3}, tmp_path).shards()
    assert [*shards] == [first, f"{first}-002", f"{first}-003"]
    assert len({tuple(inputs) for inputs in shards.values()}) == 1


def test_a_copy_has_draws_of_its_own_and_the_first_those_without_copies(tmp_path: Path) -> None:
    """The facts of two copies differ; the first is as it is in a recipe without copies."""
    alone = _sources({"path": "m3exam", **SMALL}, tmp_path)
    stage = _sources({"path": "m3exam", **SMALL, "copies": 2}, tmp_path)

    def facts(made: SourceStage, shard: str) -> list[tuple[str, str]]:
        records = list(made.run([], UnitContext(7, made.name, shard, MemoryBlobs())))
        assert {conversation_of(one.id) for one in records} == {shard}
        found = [one.model_dump(mode="json") for one in records]
        return [(one["attribute"], one["value"]["text"]) for one in found if "attribute" in one]

    first, second = facts(stage, "wei-courier"), facts(stage, "wei-courier-002")
    assert first == facts(alone, "wei-courier")
    assert first != second


def _records(read: Imported) -> list[Record]:
    assert read.bundle is not None
    return read.bundle.records()


def test_a_copied_conversation_is_the_same_under_another_id(
    repository: Path, tmp_path: Path
) -> None:
    """Records, findings and parts held out have the new id; named back, they are the old ones."""
    make_samples(repository, tmp_path)
    for form, place in (("mem-gallery", "gallery"), ("locomo", "locomo.json")):
        section = SourceSection(format=form, path=place, licence="CC-BY-4.0")
        stage = ImportStage([section], tmp_path, strict=False)
        (name,) = stage.found
        read = stage.read(name, MemoryBlobs())
        copy = copy_of(read, name, "other")
        assert {conversation_of(one.id) for one in _records(copy)} == {"other"}
        assert not any(name in one.target for one in copy.findings)
        back = copy_of(copy, "other", name)
        assert [content_hash(one) for one in _records(back)] == [
            content_hash(one) for one in _records(read)
        ]
        assert (back.findings, back.held_out) == (read.findings, read.held_out)


def test_sources_are_released_as_often_as_the_recipe_says(repository: Path, tmp_path: Path) -> None:
    """Each copy of a source is a conversation with questions as many as the first has."""
    recipe = make_samples(repository, tmp_path)
    report = run_recipe(
        recipe, tmp_path / "work", SilentProgress(), changes={"copies": 2}, runner="plain"
    )
    bundles = {one.id: one for one in open_release(Path(report.release)).bundles()}
    firsts = [name for name in bundles if f"{name}-002" in bundles]
    assert len(bundles) == 2 * len(firsts) == 4
    for name in firsts:
        assert len(bundles[name].questions) == len(bundles[f"{name}-002"].questions)


def test_a_path_that_makes_none_refuses_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A path of another package may not know them; nobody should believe that it made any."""
    monkeypatch.setattr(plans, "PATHS", {"toy": TOY})
    recipe = TOY.recipe(path="toy", people=["Ada"], copies=2)
    with pytest.raises(RecipeError, match=r"copies: expected 1 on path toy, whose stage tell"):
        making(recipe, setting_of(tmp_path, tmp_path), Decided())


def test_one_copy_is_in_no_document() -> None:
    """A recipe without copies has the document, and so the release, that it always had."""
    assert "copies" not in read_recipe({"path": "m3exam", **SMALL}).model_dump()
    assert read_recipe({"path": "m3exam", **SMALL, "copies": 2}).model_dump()["copies"] == 2
