"""Ctrl-C and SIGTERM at any moment: nothing swallows them, nothing is stored after them."""

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
import yaml
from click.testing import CliRunner
from pydantic import BaseModel
from support.engine_builder import SourceOf, finish
from support.forked_runs import Forks, Strike, forks

from memassay.commands.base import Commands
from memassay.flows.engine import interrupts
from memassay.flows.store.workspace import Workspace

RECIPE = {
    "path": "m3exam",
    "personas": ["alex-veterinarian", "wei-courier"],
    "sizes": {"sessions": 2, "rounds": 4, "images": 1, "documents": 0},
    "questions": {"ss": 2},
    "release": {"name": "small", "licence": "CC-BY-4.0"},
}


@pytest.fixture(autouse=True)
def _listening() -> Iterator[None]:
    with interrupts.listening():
        yield


def swallowed() -> None:
    """A Ctrl-C inside a library that makes nothing, or another error, of it."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        return


def test_a_finalizer_is_not_interrupted(capfd: pytest.CaptureFixture[str]) -> None:
    """Python would print what is raised there and go on: it is raised at the next safe point."""

    class Held:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    held = Held()
    del held
    assert "Traceback" not in capfd.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        interrupts.raise_if_asked_to_end()


def test_what_is_deferred_is_raised_at_the_end_of_its_block() -> None:
    """Nothing inside it sees the interrupt, and none is lost."""
    finished = []

    def work() -> None:
        with interrupts.defer_interrupts():
            signal.raise_signal(signal.SIGINT)
            finished.append(True)

    with pytest.raises(KeyboardInterrupt):
        work()
    assert finished == [True]


def test_a_unit_during_which_an_interrupt_was_swallowed_is_not_stored(tmp_path: Path) -> None:
    """What a library made of the interrupt may be anything; the run ends where it would have."""
    workspace = Workspace(tmp_path)
    source = SourceOf({"alex": "red", "bo": "red"}, lambda _: swallowed())
    with pytest.raises(KeyboardInterrupt):
        finish(workspace, [source])
    with workspace.engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT owner, outputs FROM units").all()
    assert [tuple(row) for row in rows] == [(None, None)]
    workspace.close()


@pytest.mark.parametrize(
    ("number", "code", "said"), [(signal.SIGINT, 130, "interrupted"), (15, 143, "terminated")]
)
def test_an_error_that_an_interrupt_became_is_reported_as_one(
    number: int, code: int, said: str
) -> None:
    """A command that fails after it was asked to end says so, whatever the error is called."""

    class Model(BaseModel):
        name: str

    def failing() -> None:
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt:
            Model.model_validate({})

    program = Commands("program", [click.Command("work", callback=failing)])
    result = CliRunner().invoke(program, ["work"])
    assert (result.exit_code, result.output.split(";")[0]) == (code, f"memassay: {said}")


SECOND = """
import signal, time
from memassay.flows.engine import interrupts
interrupts.listen()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    signal.raise_signal(signal.SIGINT)
    interrupts._ASKED.at -= 2
    signal.raise_signal(signal.SIGINT)
print("still there")
"""


def test_a_second_interrupt_ends_at_once() -> None:
    """One that follows within a second is the same wish; a later one waits for nothing."""
    done = subprocess.run(
        [sys.executable, "-c", SECOND], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("memassay: ended at once; run the same command again")


@pytest.fixture(scope="module")
def warm() -> Iterator[Forks]:
    """A warm process that runs are forked from."""
    with forks() as process:
        yield process


@pytest.mark.slow
def test_an_interrupt_at_any_moment_ends_the_run(warm: Forks, tmp_path: Path) -> None:
    """Five moments between the start and the end of a run, with SIGINT or SIGTERM."""
    recipe = tmp_path / "small.yaml"
    recipe.write_text(yaml.safe_dump(RECIPE), encoding="utf-8")
    whole = warm.run(recipe, tmp_path / "whole")
    assert whole.codes == [0], whole.output
    draw = random.Random(7)
    for number in range(5):
        sent, said = [(2, "interrupted"), (15, "terminated")][number % 2]
        strike = Strike(after=whole.seconds * draw.uniform(0, 0.9), signal=sent)
        ended = warm.run(recipe, tmp_path / f"{number}", strike)
        if ended.codes != [0]:
            assert ended.codes in ([128 + sent], [-sent]), ended.output
            assert "Traceback" not in ended.output
            if ended.codes == [128 + sent]:
                assert f"memassay: {said}" in ended.output
    assert warm.run(recipe, tmp_path / "0").codes == [0]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_while_the_program_loads_is_one_line(number: int) -> None:
    """In the middle of the imports, where the command line is looked for."""
    loading = (
        "import os, sys\n"
        "class Strike:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'memassay.cli':\n"
        f"            os.kill(os.getpid(), {int(number)})\n"
        "sys.meta_path.insert(0, Strike())\n"
        "sys.argv = ['memassay', 'run', 'missing.yaml']\n"
        "from memassay.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", loading], capture_output=True, text=True)
    assert (done.returncode, done.stderr.count("\n")) == (128 + number, 1), done.stderr
