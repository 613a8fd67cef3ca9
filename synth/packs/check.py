"""Check topic packs: ``python -m memassay.synth.packs.check FILE...``.

Prints what is wrong, one line each: where, what was expected, how to mend it. Exit code 0: nothing
but warnings; 1: problems; 2: a file is no pack.
"""

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from memassay.schemas.errors import UsageError
from memassay.synth.packs.checking.course import COURSE_RULES
from memassay.synth.packs.checking.facts import FACT_RULES, circles
from memassay.synth.packs.checking.giving_away import GIVING_AWAY_RULES
from memassay.synth.packs.checking.lint import LINT_RULES
from memassay.synth.packs.checking.names import NAME_RULES
from memassay.synth.packs.checking.pictures import PICTURE_RULES
from memassay.synth.packs.checking.pools import POOL_RULES
from memassay.synth.packs.checking.problems import Problem, Rule
from memassay.synth.packs.checking.questions import QUESTION_RULES
from memassay.synth.packs.checking.traffic import TRAFFIC_RULES, missing_plans
from memassay.synth.packs.checking.wordings import WORDING_RULES, shared_sentences
from memassay.synth.packs.files.pack_file import Pack, load_pack
from memassay.synth.packs.plans.plan import Card, Plan
from memassay.synth.packs.plans.planning import plan_dialogue

RULES: Final[tuple[Rule, ...]] = (
    *NAME_RULES,
    *FACT_RULES,
    *POOL_RULES,
    *COURSE_RULES,
    *WORDING_RULES,
    *LINT_RULES,
    *GIVING_AWAY_RULES,
    *QUESTION_RULES,
    *PICTURE_RULES,
    *TRAFFIC_RULES,
)
"""All rules for one pack."""


def check_pack(pack: Pack) -> list[Problem]:
    """What is wrong with a pack, each thing once.

    A law that computes in a circle is the only problem then: nothing else could end.
    """
    found = list(circles(pack)) or [problem for rule in RULES for problem in rule(pack)]
    return list(dict.fromkeys(found))


def check_packs(packs: Mapping[str, Pack]) -> Iterator[tuple[str, Problem]]:
    """What is wrong with packs that are used together, by file."""
    for file, pack in packs.items():
        if pack.pack != file:
            fix = f"write `pack: {file}`, or give the file another name"
            yield file, Problem("pack", f"the name of the file, {file!r}", repr(pack.pack), fix)
        found = check_pack(pack)
        # A pack with problems would fail in ways that say less than they do.
        if all(problem.warning for problem in found):
            found += missing_plans(pack, _plan)
        for problem in found:
            yield file, problem
    yield from shared_sentences(packs)


def _plan(pack: Pack, ordinal: int, card: Card) -> Plan:
    return plan_dialogue(pack, "check", ordinal, card, {})


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is wrong with packs; 1 if more than warnings, 2 for a file that is no pack."""
    parser = argparse.ArgumentParser(
        prog="python -m memassay.synth.packs.check", description=__doc__
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="packs")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args(arguments)
    packs: dict[str, Pack] = {}
    broken: list[str] = []
    for path in given.files:
        try:
            packs[path.stem] = load_pack(path)
        except UsageError as error:
            broken += str(error).split("\n")
    found = list(check_packs(packs))
    if given.json:
        rows = [{"file": file, **dataclasses.asdict(problem)} for file, problem in found]
        sys.stdout.write(json.dumps({"broken": broken, "problems": rows}, indent=1) + "\n")
    else:
        for line in (*broken, *(problem.line(file) for file, problem in found)):
            sys.stdout.write(line + "\n")
    if broken:
        return 2
    return 1 if any(not problem.warning for _, problem in found) else 0


if __name__ == "__main__":
    raise SystemExit(main())
