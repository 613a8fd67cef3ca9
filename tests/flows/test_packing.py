"""Tests of releases whose parts are units of their own."""

from pathlib import Path

import pytest
from support.history_bench import STORY, Bench, copy_of
from support.strict_cases import files

from memassay.flows.store.tables import RECORDS

pytestmark = pytest.mark.slow


@pytest.fixture
def story(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Bench:
    """Two simulated histories."""
    return copy_of(STORY, tmp_path_factory.getbasetemp(), tmp_path)


def _parts(bench: Bench) -> list[str]:
    """Hashes of the parts in the workspace."""
    with bench.open() as (workspace, _), workspace.engine.connect() as connection:
        rows = connection.execute(RECORDS.select().where(RECORDS.c.kind == "part"))
        return [row.blob for row in rows]


def _lose(bench: Bench) -> dict[str, bytes]:
    """Delete the release; gives its files."""
    there = files(bench.release)
    for path in sorted(bench.release.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    bench.release.rmdir()
    return there


def test_a_lost_release_is_put_together_of_the_parts_that_are_there(story: Bench) -> None:
    """No part is made again, and the release is the same to the byte."""
    before, there = story.starts(), _lose(story)
    story.run()
    assert story.starts() - before == {("release", "*"): 1}
    assert files(story.release) == there


def test_a_lost_part_is_made_again_alone(story: Bench) -> None:
    """Its bytes belong to its unit, as those of an image belong to theirs."""
    before, there = story.starts(), _lose(story)
    first, _ = _parts(story)
    with story.open() as (workspace, _):
        workspace.blobs.path(first).unlink()
    story.run()
    made = story.starts() - before
    assert sorted(stage for stage, _ in made) == ["pack", "release"]
    assert files(story.release) == there
