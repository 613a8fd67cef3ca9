"""Check verticals: ``python -m memassay.synth.paths.worldmemarena.lifelong.check FILE...``.

Prints what is wrong, one line each: where, what was expected, how to mend it. Exit code 0: nothing;
1: problems; 2: a file is no vertical.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from memassay.schemas.errors import UsageError
from memassay.synth.packs.checking.problems import Problem
from memassay.synth.paths.worldmemarena.lifelong.files.rules import RULES
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import Vertical, load_vertical


def check_vertical(vertical: Vertical) -> list[Problem]:
    """What is wrong with a vertical, each thing once."""
    return list(dict.fromkeys(problem for rule in RULES for problem in rule(vertical)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is wrong with verticals."""
    parser = argparse.ArgumentParser(
        prog="python -m memassay.synth.paths.worldmemarena.lifelong.check", description=__doc__
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="verticals")
    worst = 0
    for path in parser.parse_args(arguments).files:
        try:
            found = check_vertical(load_vertical(path))
        except UsageError as error:
            sys.stdout.write(f"{error}\n")
            worst = 2
            continue
        for problem in found:
            sys.stdout.write(problem.line(path.stem) + "\n")
        worst = max(worst, int(bool(found)))
    return worst


if __name__ == "__main__":
    raise SystemExit(main())
