"""Runs of the command line in forks of one warm process, so that a kill test costs little.

Run as a script it is that process: it reads one JSON request a line and answers each with one.
A fork is as killable as any process; only the seconds of importing are saved.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from click.testing import CliRunner


@dataclass(frozen=True)
class Strike:
    """A signal to a run.

    Attributes:
        after: Seconds from its start, or None.
        seen: Glob pattern below its workspace whose first match is the moment, or None.
        signal: Number of the signal.
    """

    after: float | None = None
    seen: str | None = None
    signal: int = signal.SIGKILL


@dataclass(frozen=True)
class Ended:
    """How runs ended: exit codes (negative for a signal), wall seconds, all their output."""

    codes: list[int]
    seconds: float
    output: str


class Forks:
    """The client of the warm process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def run(
        self, recipe: Path, workspace: Path, strike: Strike | None = None, at_once: int = 1
    ) -> Ended:
        """Run a recipe with the plain driver, so many times at once; strike the first."""
        request = {
            "arguments": ["run", str(recipe), "--workspace", str(workspace), "--runner", "plain"],
            "workspace": str(workspace),
            "strike": asdict(strike) if strike else None,
            "at_once": at_once,
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return Ended(**json.loads(self.process.stdout.readline()))


@contextmanager
def forks(*rehearsed: Path) -> Iterator[Forks]:
    """A warm process that ends with the block.

    Args:
        rehearsed: Recipes without a model that it runs first, so that forks find made what a first
            run makes: imports, validators of schemas, tables of rules. That is half of a short run.
    """
    command = [sys.executable, __file__, *map(str, rehearsed)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Forks(process)
        assert process.stdin is not None
        process.stdin.close()


# --- the warm process -------------------------------------------------------------------------


def _fork(arguments: Sequence[str], output: Path) -> int:
    child = os.fork()
    if child:
        return child
    handle = os.open(output, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    from memassay.cli import main

    code = 70
    try:
        main(list(arguments))
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _is_due(strike: Strike, workspace: Path, started: float) -> bool:
    if strike.after is not None and time.monotonic() - started >= strike.after:
        return True
    return strike.seen is not None and next(workspace.glob(strike.seen), None) is not None


def _serve(request: dict[str, object]) -> Ended:
    workspace = Path(str(request["workspace"]))
    output = workspace.with_name(workspace.name + ".output")
    arguments = [str(each) for each in request["arguments"]]  # type: ignore[attr-defined]
    strike = Strike(**request["strike"]) if request["strike"] else None  # type: ignore[arg-type]
    started = time.monotonic()
    runs = [_fork(arguments, output) for _ in range(int(str(request["at_once"])))]
    codes: dict[int, int] = {}
    while len(codes) < len(runs):
        watched = strike is not None and runs[0] not in codes
        for run in runs:
            ended, status = (
                (0, 0) if run in codes else os.waitpid(run, os.WNOHANG if watched else 0)
            )
            if ended:
                codes[run] = os.waitstatus_to_exitcode(status)
        if strike is not None and runs[0] not in codes and _is_due(strike, workspace, started):
            os.kill(runs[0], strike.signal)
            strike = None
        if strike is not None:
            time.sleep(0.0005)
    said = output.read_text(encoding="utf-8", errors="replace") if output.exists() else ""
    return Ended([codes[run] for run in runs], time.monotonic() - started, said)


def _rehearse(recipe: str) -> None:
    from memassay.cli import main

    with tempfile.TemporaryDirectory() as folder:
        arguments = ["run", recipe, "--workspace", folder, "--runner", "plain"]
        ended = CliRunner().invoke(main, arguments)
    assert ended.exit_code == 0, ended.output


def _serve_all() -> None:
    # What a run imports on its way, each fork would import again: half a second, and one more with
    # a model.
    import pandas  # noqa: F401
    import pyarrow.parquet  # noqa: F401
    from PIL import Image

    import memassay.cli
    import memassay.flows.calls.endpoints
    import memassay.flows.runners.plain_runner
    import memassay.flows.runners.progress
    import memassay.flows.services.models
    import memassay.flows.services.runs
    import memassay.synth.models.openai_client  # noqa: F401
    from memassay.flows.store import leases

    # A run that waits for a dead one's lease to run out would wait for ever.
    leases.LEASE_SECONDS = 1e6  # type: ignore[misc]
    Image.init()
    for recipe in sys.argv[1:]:
        _rehearse(recipe)
    for line in sys.stdin:
        sys.stdout.write(json.dumps(asdict(_serve(json.loads(line)))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve_all()
