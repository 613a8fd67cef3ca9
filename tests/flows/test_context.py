"""Keyed draws: the same for the same key, whatever else is drawn, on every machine."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.flows.engine.context import Memory, UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.flows.store.workspace import Workspace
from memassay.schemas.base import Record
from memassay.schemas.errors import StoppedError, UndecidedError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.values.keyed_random import keyed_random


def test_a_keyed_draw_is_what_it_always_was() -> None:
    """The draw of a key is fixed: changing it would change every seeded release."""
    assert keyed_random("7", "assay", "alex/Q0001", "review").random() == pytest.approx(
        0.6367373378251363, abs=0
    )


@given(st.lists(st.text(max_size=5), min_size=1, max_size=4))
def test_equal_keys_draw_alike(key: list[str]) -> None:
    """A key alone says what is drawn, whatever was drawn before."""
    assert keyed_random(*key).random() == keyed_random(*key).random()


def test_the_parts_of_a_key_do_not_run_together() -> None:
    """`ab`, `c` is another key than `a`, `bc`."""
    assert keyed_random("ab", "c").random() != keyed_random("a", "bc").random()


def test_draws_do_not_depend_on_the_hash_seed() -> None:
    """Two interpreters with other string hashes draw alike."""
    code = (
        "from memassay.schemas.values.keyed_random import keyed_random as k;"
        "print(k('7', 'world', 'ü').sample(range(99), 5), k('7').choice(['a', 'b', 'c']))"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


def test_a_part_of_a_unit_is_made_once_for_its_inputs(tmp_path: Path) -> None:
    """Another context with the same store recalls it; other inputs or versions make it anew."""
    workspace = Workspace(tmp_path / "work")
    made: list[str] = []

    def part(inputs: str, version: str = "1") -> list[Record]:
        def make() -> list[Record]:
            made.append(f"{inputs} {version}")
            return [Finding.make("test.rule", Severity.INFO, "alex", "", f"alex: {inputs}", "")]

        memory = Memory(workspace.store, version, workspace.is_whole)
        context = UnitContext(7, "questions", "alex", workspace.blobs, memory=memory)
        return context.unit("bank/ss", [inputs], make)

    assert part("a") == part("a")
    assert part("a") != part("b")
    part("a", version="2")
    assert made == ["a 1", "b 1", "a 2"]
    workspace.close()


def test_no_part_is_begun_when_the_run_ends(tmp_path: Path) -> None:
    """What is made already is still given; who waits for the end waits for one part at most."""
    workspace = Workspace(tmp_path / "work")
    over: list[str] = []
    memory = Memory(workspace.store, "1", workspace.is_whole, lambda: bool(over))
    context = UnitContext(7, "questions", "alex", workspace.blobs, memory=memory)
    assert context.unit("bank/ss", [], list) == []
    over.append("over")
    assert context.unit("bank/ss", [], list) == []
    with pytest.raises(StoppedError):
        context.unit("bank/ms", [], list)
    workspace.close()


def test_a_part_that_fails_is_not_remembered(tmp_path: Path) -> None:
    """What was interrupted is made again."""
    workspace = Workspace(tmp_path / "work")
    context = UnitContext(
        7,
        "questions",
        "alex",
        workspace.blobs,
        memory=Memory(workspace.store, "1", workspace.is_whole),
    )

    def killed() -> list[Record]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        context.unit("bank/ss", [], killed)
    assert context.unit("bank/ss", [], list) == []
    workspace.close()


class _Hesitant:
    """An author whose odd tasks wait for people."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    async def write(self, task: int, _calls: object) -> str:
        self.asked.append(task)
        if task % 2:
            raise UndecidedError(f"{task}: people have yet to choose")
        return f"written {task}"

    def each(self, items: Iterable[int], work: Any) -> Iterator[Any]:
        return (asyncio.run(work(item)) for item in items)


def test_all_that_does_not_wait_for_people_is_written_and_asked(tmp_path: Path) -> None:
    """One task that waits stops no other: they are all asked about before the unit waits."""
    authors = _Hesitant()
    context = UnitContext(0, "s", "a", BlobFolder(tmp_path), authors)  # type: ignore[arg-type]
    assert list(context.write_all([2, 4])) == ["written 2", "written 4"]  # type: ignore[list-item]
    with pytest.raises(UndecidedError, match="people have yet to choose"):
        list(context.write_all([0, 1, 2, 3]))  # type: ignore[list-item]
    assert authors.asked == [2, 4, 0, 1, 2, 3]
