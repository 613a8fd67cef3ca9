"""How processor time and memory grow with the number of conversations.

Makes a recipe's release with more and more copies of each conversation, and runs every command on
it in a process of its own. Prints processor seconds a conversation and the peak memory of the
largest process, each as a multiple of the first size's::

    python benchmarks/growth.py recipes/demo.yaml --copies 1 4 16
    python benchmarks/growth.py recipes/m3exam-full.yaml --copies 1 4 16 --commands stats eval diff
"""

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from memassay.exports.release.reader import open_release

_MEMASSAY: Final = (sys.executable, "-m", "memassay")
_COMMANDS: Final = {
    "validate": ("validate", "{release}"),
    "export": ("export", "{release}", "--format", "{layout}", "--out", "{out}"),
    "eval": ("eval", "{release}", "--memory", "fifo"),
    "stats": ("stats", "{release}"),
    "diff": ("diff", "{release}", "{release}"),
    "report": ("report", "{release}", "--out", "{out}.html"),
}


@dataclass(frozen=True)
class Measured:
    """One command at one size.

    Attributes:
        cpu: Processor seconds a conversation, of the process and all its children.
        peak: Peak resident memory of the largest process, in megabytes.
    """

    cpu: float
    peak: float


def run(arguments: list[str]) -> tuple[float, float]:
    """Run memassay; gives processor seconds and the peak of the largest process in megabytes.

    Raises:
        SystemExit: It ended with an error.
    """
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen([*_MEMASSAY, *arguments], stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            said.seek(0)
            raise SystemExit(said.read().decode("utf-8", "replace"))
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(
    recipe: Path, copies: int, commands: list[str], workers: int, layout: str
) -> dict[str, Measured]:
    """Every command on a release with so many copies of each conversation."""
    asked = yaml.safe_load(recipe.read_text(encoding="utf-8"))
    found = {}
    with tempfile.TemporaryDirectory(prefix="memassay-") as name:
        folder = Path(name)
        path = folder / recipe.name
        path.write_text(yaml.safe_dump({**asked, "copies": copies}), encoding="utf-8")
        place = ["--workspace", str(folder / "work"), "--workers", str(workers)]
        spent = {"run": run(["run", str(path), "--runner", "plain", *place])}
        (release,) = (folder / "work" / "releases").iterdir()
        number = len(open_release(release, verify=False).ids())
        os.environ["MEMASSAY_WORKERS"] = str(workers)
        for command in commands:
            places = {"release": release, "out": folder / command, "layout": layout}
            spent[command] = run([part.format(**places) for part in _COMMANDS[command]])
    for command, (cpu, peak) in spent.items():
        found[command] = Measured(cpu / number, peak)
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--copies", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--commands", nargs="*", choices=_COMMANDS, default=list(_COMMANDS))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--layout", default="locomo", help="Layout that `export` writes.")
    asked = parser.parse_args()
    _say(f"load before: {os.getloadavg()[0]:.1f}; workers: {asked.workers}")
    _say("| command | copies | processor s a conversation | times | peak MB | times |")
    _say("| --- | ---: | ---: | ---: | ---: | ---: |")
    rows = {
        copies: measure(asked.recipe, copies, asked.commands, asked.workers, asked.layout)
        for copies in asked.copies
    }
    first = rows[asked.copies[0]]
    for command, least in first.items():
        for copies, found in rows.items():
            now = found[command]
            _say(
                f"| {command} | {copies} | {now.cpu:.3f} | {now.cpu / least.cpu:.2f} "
                f"| {now.peak:.0f} | {now.peak / least.peak:.2f} |"
            )


if __name__ == "__main__":
    main()
