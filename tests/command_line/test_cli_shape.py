"""The shape of the command line: help, JSON, exit codes, start-up, interrupts."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from memassay.cli import main
from memassay.flows.stages.import_stage import format_names, written_formats
from memassay.flows.store import status as services
from memassay.schemas.errors import RecordError, WaitingError

OF_SOME = ("prefect", "datasets", "pyarrow", "sklearn", "scipy", "pandas", "nltk", "openai", "PIL")
"""Libraries that only some commands need."""
OF_RUNS = (
    "memassay.flows.engine.run",
    "memassay.validators.check",
    "memassay.synth.paths.registry",
)
HEAVY = (*OF_SOME, "sqlalchemy")


def _commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, command in sorted(group.commands.items()):
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield (*path, name)


ALL_COMMANDS = list(_commands(main))


@pytest.mark.parametrize("path", ALL_COMMANDS, ids=" ".join)
def test_help_shows_an_example_and_json(path: tuple[str, ...]) -> None:
    """Every command's help names --json and gives a call of that command to copy."""
    result = CliRunner().invoke(main, [*path, "--help"])
    assert result.exit_code == 0
    assert "--json" in result.output
    assert f"Example:\n    memassay {' '.join(path)}" in result.output


@pytest.mark.parametrize("path", ALL_COMMANDS, ids=" ".join)
def test_examples_can_be_parsed(path: tuple[str, ...]) -> None:
    """The options in a command's examples are options it has."""
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        command = command.commands[name]
    known = {option for parameter in command.params for option in parameter.opts}
    lines = (command.epilog or "").splitlines()
    words = {word for line in lines for word in line.split() if word.startswith("--")}
    assert words <= known


@pytest.mark.parametrize("path", [(), ("review",)], ids=["memassay", "review"])
def test_help_of_a_group_shows_examples(path: tuple[str, ...]) -> None:
    """Who asks what there is, is shown calls of it."""
    said = CliRunner().invoke(main, [*path, "--help"]).output
    assert "Example:\n    memassay " + " ".join(path) in said


@pytest.mark.parametrize("command", ["import", "validate", "audit", "export"])
def test_help_names_every_layout(command: str) -> None:
    """Nobody has to provoke a refusal to learn which layouts there are."""
    said = "".join(CliRunner().invoke(main, [command, "--help"]).output.split())
    wanted = written_formats() if command == "export" else format_names()
    assert f"[{'|'.join(wanted)}]" in said


def test_a_refused_place_is_named_with_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing may be written, the message says so and what to do."""
    refused = PermissionError(13, "Permission denied", "records")
    monkeypatch.setattr(services, "status", _raising(refused))
    result = CliRunner().invoke(main, ["status"])
    assert result.exit_code == 2
    assert "records: expected to be let read and write there" in result.stderr
    assert "choose another place" in result.stderr


@pytest.mark.parametrize("said", ["No space left on device", "Error writing bytes to file"])
def test_a_full_disk_is_named(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    """Whatever the library that writes calls it, the message says that there is no room."""
    monkeypatch.setattr(services, "status", _raising(OSError(28, said)))
    result = CliRunner().invoke(main, ["status"])
    assert (result.exit_code, result.stderr) == (
        2,
        "memassay: expected room on the disk, got none; make room and run again\n",
    )


def _imported(call: str, heavy: tuple[str, ...] = HEAVY) -> str:
    """Which of the heavy modules a process has imported after a call."""
    script = (
        "import sys\nfrom pathlib import Path\nfrom memassay.cli import main\n"
        f"{call}\n"
        f"print(sorted(set(sys.modules) & set({heavy!r})))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()[-1]


def test_help_imports_nothing_heavy() -> None:
    """`memassay --help` answers without the libraries that only some commands need."""
    assert _imported("main(['--help'], standalone_mode=False)") == "[]"


def _refused(*arguments: str) -> str:
    """A call that ends in an error, which does not matter here."""
    return f"""
try:
    main({list(arguments)!r}, standalone_mode=False)
except Exception as error:
    assert "expected a" in str(error), error
else:
    raise SystemExit(1)
"""


@pytest.mark.parametrize("command", ["run", "validate"])
def test_a_wrong_name_is_refused_before_anything_is_loaded(command: str, tmp_path: Path) -> None:
    """Nobody waits for rules and stages to learn that a file is not there."""
    call = _refused(command, str(tmp_path / "nothing.yaml"))
    assert _imported(call, (*HEAVY, *OF_RUNS)) == "[]"


@pytest.mark.parametrize("command", ["status", "cost"])
def test_looking_at_a_workspace_loads_no_run(command: str, tmp_path: Path) -> None:
    """What was done and spent is in a database; stages, rules and models are not asked."""
    opened = (
        f"from memassay.flows.store.workspace import Workspace\nWorkspace(Path({str(tmp_path)!r}))"
    )
    call = f"{opened}\nmain([{command!r}, '--workspace', {str(tmp_path)!r}], standalone_mode=False)"
    assert _imported(call, (*OF_SOME, *OF_RUNS)) == "[]"


@pytest.mark.slow
def test_reading_a_recipe_imports_nothing_heavy(repository: Path) -> None:
    """Its shape needs neither a database nor the clients of models."""
    recipe = repository / "recipes" / "demo.yaml"
    read = f"load_recipe(Path({str(recipe)!r}))"
    assert _imported(f"from memassay.flows.recipes.loading import load_recipe; {read}") == "[]"


@pytest.mark.slow
def test_listing_the_rules_imports_nothing_heavy() -> None:
    """Every process that runs or checks loads the rules; what one of them needs can wait."""
    assert _imported("main(['rules'], standalone_mode=False)") == "[]"


def test_runs_as_a_module() -> None:
    """`python -m memassay` is the same command line."""
    done = subprocess.run(
        [sys.executable, "-m", "memassay", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("memassay")


def test_a_waiting_error_exits_with_75(monkeypatch: pytest.MonkeyPatch) -> None:
    """A gate that blocks ends the command with 75 and one line."""
    monkeypatch.setattr(services, "status", _raising(WaitingError("gate assay: 3 wait")))
    result = CliRunner().invoke(main, ["status"])
    assert (result.exit_code, result.stderr) == (75, "memassay: gate assay: 3 wait\n")


def test_notes_of_an_error_stand_on_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an error happened is said in the same line."""
    error = RecordError("a\nb")
    error.add_note("in stage import, x")
    monkeypatch.setattr(services, "status", _raising(error))
    assert CliRunner().invoke(main, ["status"]).stderr == "memassay: a b (in stage import, x)\n"


def test_a_missing_file_of_a_stage_names_the_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of the system says where it happened, too."""
    error = FileNotFoundError(2, "No such file or directory", "facts.csv")
    error.add_note("in stage import of path curate for shard x")
    monkeypatch.setattr(services, "status", _raising(error))
    assert (
        CliRunner()
        .invoke(main, ["status"])
        .stderr.endswith("mend it and run again (in stage import of path curate for shard x)\n")
    )


def test_an_interrupt_says_that_work_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C exits with 130 and says what running again does."""
    monkeypatch.setattr(services, "status", _raising(KeyboardInterrupt()))
    result = CliRunner().invoke(main, ["status"])
    assert result.exit_code == 130
    assert "run the same command again" in result.stderr


def test_a_path_that_is_no_text_is_wrong_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that needs paths in UTF-8 cannot work in a folder that has none."""
    refused = UnicodeEncodeError("utf-8", "bad\udcff", 3, 4, "surrogates not allowed")
    monkeypatch.setattr(services, "status", _raising(refused))
    result = CliRunner().invoke(main, ["status"])
    assert result.exit_code == 2
    assert "expected a path in UTF-8" in result.stderr


def test_an_unexpected_error_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug is named in one line without a traceback."""
    monkeypatch.setattr(services, "status", _raising(ZeroDivisionError("by zero")))
    result = CliRunner().invoke(main, ["status"])
    assert result.exit_code == 70
    assert result.stderr.count("\n") == 1
    assert "ZeroDivisionError" in result.stderr
    assert "--debug" in result.stderr


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """--debug prints the traceback before the line."""
    monkeypatch.setattr(services, "status", _raising(ZeroDivisionError("by zero")))
    result = CliRunner().invoke(main, ["status", "--debug"])
    assert result.exit_code == 70
    assert "Traceback" in result.stderr


def test_json_of_an_error_is_one_document() -> None:
    """With --json an error is a document on standard output and a line on standard error."""
    result = CliRunner().invoke(main, ["run", "--json"])
    assert result.exit_code == 2
    assert json.loads(result.stdout)["exit_code"] == 2
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_closed_pipe_is_no_error() -> None:
    """A reader that stops reading ends the command without a traceback."""
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m memassay rules | head -c 10; echo ${{PIPESTATUS[0]}}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert done.stdout.split()[-1] in ("0", "141")


@pytest.mark.slow(seconds=1)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_output_that_nobody_opened_is_no_error(closed: str) -> None:
    """As under a service that gives no streams: what is printed there is lost, and nothing else."""
    call = f"{sys.executable} -m memassay rules {closed}"
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_writes_nothing_outside_its_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failing command leaves no folder behind."""
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["run", "missing.yaml"]).exit_code == 2
    assert CliRunner().invoke(main, ["status"]).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def _raising(error: BaseException) -> object:
    def raise_it(*_arguments: object, **_options: object) -> None:
        raise error

    return raise_it
