"""Measures the processor time of `memassay validate`, whole and `--quick`.

Run `python benchmarks/validating.py RELEASE [--runs 3] [--base 24.6]`. Each run is a process of its
own, whole and quick in turn, so that both meet the same machine. Prints seconds of processor time
(user and system, all threads) and their ratio to `--base`: the seconds that the full M3Exam release
took before anything was drawn again, 24.6 where the bars were set. On another machine, measure that
program (memassay at 0867228) first. Exit code 1 if a median is beyond its bar, 2.5 or 1.3 times.
"""

import argparse
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Final

BARS: Final = {"whole": 2.5, "quick": 1.3}
"""Most seconds of processor time, as multiples of the base."""


def seconds(command: Sequence[str]) -> float:
    """Processor time of a command, in seconds; that findings are errors does not matter."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print one line a kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("release", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--base", type=float, default=24.6, help="seconds")
    options = parser.parse_args(arguments)
    command = [sys.executable, "-m", "memassay", "validate", str(options.release), "--json"]
    taken: dict[str, list[float]] = {name: [] for name in BARS}
    for _ in range(options.runs):
        taken["whole"].append(seconds(command))
        taken["quick"].append(seconds([*command, "--quick"]))
    for name, each in taken.items():
        ratio = median(each) / options.base
        sys.stdout.write(
            f"{name}: {median(each):.1f} s ({min(each):.1f} to {max(each):.1f}), "
            f"{ratio:.2f} of the base, at most {BARS[name]}\n"
        )
    return int(any(median(taken[name]) > bar * options.base for name, bar in BARS.items()))


if __name__ == "__main__":
    sys.exit(main())
