"""How fast a recipe makes its release, and in how much memory.

Runs `memassay run` once per runner in a fresh workspace and prints rounds, images and questions a
second of its wall time, its CPU time, its peak memory and its size::

    python benchmarks/generation.py recipes/m3exam-full.yaml
    python benchmarks/generation.py recipes/demo.yaml --runners plain prefect
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from memassay.exports.release.reader import open_release


@dataclass(frozen=True)
class Measured:
    """One run.

    Attributes:
        wall: Seconds from start to exit.
        cpu: CPU seconds of the process and all its children.
        peak: Peak resident memory of the largest process, in megabytes.
        rounds: Rounds released.
        images: Images and pages released.
        questions: Questions released.
        size: Size of the release, in megabytes.
    """

    wall: float
    cpu: float
    peak: float
    rounds: int
    images: int
    questions: int
    size: float


def measure(recipe: Path, runner: str, workspace: Path) -> Measured:
    """Run a recipe in a workspace and read what it made."""
    command = [sys.executable, "-m", "memassay", "run", str(recipe)]
    options = ["--workspace", str(workspace), "--runner", runner]
    begun = time.monotonic()
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = process.stdout.read().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    if status:
        raise SystemExit(f"{recipe}: the run ended with {os.waitstatus_to_exitcode(status)}")
    release = Path(lines[-1])
    bundles = list(open_release(release).bundles())
    return Measured(
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        peak=usage.ru_maxrss / 1024,
        rounds=sum(len(bundle.conversation.rounds()) for bundle in bundles),
        images=sum(len(bundle.assets) for bundle in bundles),
        questions=sum(len(bundle.questions) for bundle in bundles),
        size=sum(path.stat().st_size for path in release.rglob("*") if path.is_file()) / 1e6,
    )


def main() -> None:
    """Measure the runners one after another and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--runners", nargs="+", default=["plain"], choices=["plain", "prefect"])
    asked = parser.parse_args()
    for runner in asked.runners:
        with tempfile.TemporaryDirectory() as folder:
            told = measure(asked.recipe, runner, Path(folder))
        sys.stdout.write(
            f"{runner}: {told.wall:.1f} s wall, {told.cpu:.1f} s CPU, {told.peak:.0f} MB peak; "
            f"{told.rounds} rounds ({told.rounds / told.wall:.0f}/s), "
            f"{told.images} images ({told.images / told.wall:.0f}/s), "
            f"{told.questions} questions, {told.size:.0f} MB\n"
        )


if __name__ == "__main__":
    main()
