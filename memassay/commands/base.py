"""What every command shares: its options, its shape, and the one place where errors end."""

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from memassay.flows.engine.interrupts import asked_to_end, interruption, listening
from memassay.output import emit, note
from memassay.schemas.errors import MemassayError, Terminated, UsageError

if TYPE_CHECKING:
    from memassay.flows.store.places.address import Place

Function = TypeVar("Function", bound=Callable[..., Any])

WRONG_USE: Final = 2
INTERNAL: Final = 70
INTERRUPTED: Final = 130
TERMINATED: Final = 143
BROKEN_PIPE: Final = 141

GO_ON: Final = "run the same command again, finished work is kept"

PATH: Final = click.Path(path_type=Path)

FORMATS_HELP: Final = "The layout."


class FormatName(click.types.StringParamType):
    """The name of a foreign format; help says which there are, those of other packages too."""

    name = "format"

    def __init__(self, *, written: bool = False) -> None:
        """Say whether it must be one that can be written."""
        self.written = written

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002
        """The names, looked up when somebody asks for help."""
        from memassay.flows.stages.import_stage import format_names, written_formats

        return f"[{'|'.join(written_formats() if self.written else format_names())}]"


class ReleaseFolder(click.ParamType[Path]):
    """A release: its folder, or `OWNER/NAME@TAG` on the Hugging Face Hub, which is fetched."""

    name = "release"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> Path:
        """The folder, fetched if it is on the Hub and not in the Hub's cache."""
        from memassay.flows.publishing.fetching import release_folder

        return release_folder(value)


RELEASE = ReleaseFolder()


class WorkspacePlace(click.ParamType["Place"]):
    """A workspace: its folder, or the URL of a database with the place of its files."""

    name = "place"

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,  # noqa: ARG002
        ctx: click.Context | None,  # noqa: ARG002
    ) -> "Place":
        """The place, which need not be there."""
        from memassay.flows.store.places.address import place_of

        return place_of(value) if isinstance(value, str) else value


WORKSPACE = WorkspacePlace()


def common_options(function: Function) -> Function:
    """Decorator: `--json` and `--debug`, which every command takes."""
    as_json = click.option(
        "--json", "as_json", is_flag=True, help="Print one JSON document on standard output."
    )
    debug = click.option(
        "--debug", is_flag=True, expose_value=False, help="Show tracebacks of unexpected errors."
    )
    return as_json(debug(function))


def example(*calls: str) -> str:
    """The end of a command's help: calls that can be copied."""
    return "\b\nExample:\n" + "\n".join(f"  memassay {call}" for call in calls)


workspace_option = click.option(
    "--workspace",
    type=WORKSPACE,
    default="workspace",
    show_default=True,
    help="Where runs live: a folder, or a database with the place of its files (docs/scale.md).",
)


def workers_option(what: str = "Processes at once.") -> Callable[[Function], Function]:
    """Decorator: the option for how many processes share the work of a command.

    Args:
        what: Its help.
    """
    return click.option(
        "--workers",
        type=click.IntRange(min=1),
        envvar="MEMASSAY_WORKERS",
        default=lambda: len(os.sched_getaffinity(0)),
        show_default="all cores",
        help=what,
    )


class Commands(click.Group):
    """The root group: whatever a command raises ends here as one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run the command line and, if it is alone, exit with its code."""
        given = sys.argv[1:] if args is None else list(args)
        _print_whatever_comes()
        if not standalone_mode:
            return super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        with listening():
            try:
                code = super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
            except (Exception, click.Abort) as error:  # noqa: BLE001
                code = _report(error, as_json="--json" in given, debug="--debug" in given)
        sys.exit(code or 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader who closed our output wants no more of it."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # What is still buffered must go somewhere when the interpreter exits.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(BROKEN_PIPE)
        return result


def _print_whatever_comes() -> None:
    """Print what no terminal or encoding can show as escapes, and without a stream nowhere."""
    # Python has None for a stream that was closed when it started.
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _report(error: Exception, *, as_json: bool, debug: bool) -> int:
    """Say in one line what went wrong; gives the exit code."""
    message, code = _explain(error)
    if debug:
        note("".join(traceback.format_exception(error)))
    if as_json:
        # What the command line itself refuses is wrong use too.
        wrong_use = isinstance(error, click.ClickException)
        kind = UsageError.__name__ if wrong_use else type(error).__name__
        emit({"error": message, "kind": kind, "exit_code": code})
    note(f"memassay: {message}")
    return code


def _explain(error: Exception) -> tuple[str, int]:
    by_hand = asked_to_end() or isinstance(error.__cause__, KeyboardInterrupt)
    if isinstance(error, click.Abort) and not by_hand:
        return "expected an answer on standard input, got its end; give it by an option", WRONG_USE
    if by_hand:
        # An interrupt may come out of a library as any error; it was one all the same.
        if isinstance(interruption(), Terminated) or isinstance(error.__cause__, Terminated):
            return f"terminated; {GO_ON}", TERMINATED
        return f"interrupted; {GO_ON}", INTERRUPTED
    if isinstance(error, click.ClickException):
        return _usage(error), WRONG_USE
    notes = "".join(f" ({text})" for text in getattr(error, "__notes__", ()))
    if isinstance(error, MemassayError):
        return " ".join(f"{error}{notes}".split()), error.exit_code
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        if error.errno == errno.ENOSPC:
            return f"{where}expected room on the disk, got none; make room and run again", WRONG_USE
        if isinstance(error, PermissionError):
            what = f"{where}expected to be let read and write there, got '{error.strerror}'"
            return f"{what}; change the permissions, or choose another place", WRONG_USE
        return f"{where}{error.strerror}; mend it and run again{notes}", WRONG_USE
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        # What the system cannot decode of a path, Python carries along as surrogates.
        return f"{error.object!r}: expected a path in UTF-8; rename the folder or file", WRONG_USE
    name = " ".join(f"{type(error).__name__}: {error}".split())
    return f"unexpected {name}; run again with --debug and report it", INTERNAL


def _usage(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    hint = f" Try `{context.command_path} --help`." if context else ""
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return f"expected a command.{hint}"
    return " ".join(error.format_message().split()) + hint
