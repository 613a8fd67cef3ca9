"""Looks for shortcuts: golds that a question gives away, or that stand outside the evidence.

Run `python benchmarks/shortcut.py RELEASE... [--json]`; several releases (other seeds) give more
to learn from. Guessers see only questions of other people: conversations of another id. Exit code
0 if no type is surely guessed more than 5 points better than by its commonest answer, and no item
can be answered without its evidence; else 1.

"Surely" counts all probes of a run: the interval that decides is widened for their number
(Bonferroni), those printed are of 95 % each. With a dozen probes and more, one interval of 95 % is
beyond its limit by chance every few releases. Measured: "5 nearest" answered 16 of 32 fj questions
of four-personas with seed 11, [33.6, 66.4] where 25 % is chance, and 36 of 160 (22.5 %) with the
seeds 1 to 5, each alone; taught by all five, 44 of 160 (27.5 % [21.2, 34.9]). With letters dealt
again 3,000 times, 15 or more of 32 came up in 1.3 % of the deals. A release of 32 items shows a
gross shortcut only; give several seeds to see a small one.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TextIO

from reader_release import table_rows
from shortcut_measures import (
    Asked,
    Elsewhere,
    classifier_hits,
    constant_hits,
    elsewhere,
    guessable,
    neighbour_hits,
    share_of,
)

MARGIN: Final = 0.05
_QUESTION: Final = [
    "id",
    "conversation",
    "benchmark_type",
    "question",
    "answers",
    "evidence",
    "evidence_groups",
    "evidence_facts",
]


def asked_of(questions: Sequence[dict[str, Any]]) -> list[Asked]:
    """Questions of a release, as guessers see them."""
    return [
        Asked(
            conversation=row["conversation"],
            code=row["benchmark_type"],
            question=row["question"],
            gold=" | ".join(row["answers"]).lower(),
        )
        for row in questions
    ]


def guessed(asked: Sequence[Asked]) -> dict[str, Any]:
    """How often each guesser is right for questions of one type; none can be if none guesses."""
    count, can = len(asked), guessable(asked)
    hits = {**neighbour_hits(asked), "naive Bayes": classifier_hits(asked)} if can else {}
    return {
        "constant": asdict(share_of(constant_hits(asked), count)),
        "guessable": can,
        "guessers": {name: asdict(share_of(right, count)) for name, right in hits.items()},
    }


def verdict(row: dict[str, Any], probes: int) -> str:
    """What the guessers of one type say, among so many probes of all types.

    The best guesser may be 5 points better than the commonest answer; beyond that a type is in
    doubt as long as its interval, widened for so many probes, reaches down to the limit, and else
    misses the bar.
    """
    shares = [share_of(one["right"], one["count"], probes) for one in row["guessers"].values()]
    if not shares:
        return "no probe"
    limit = row["constant"]["mean"] + MARGIN
    best = max(shares, key=lambda share: share.mean)
    return "kept" if best.mean <= limit else "in doubt" if best.low <= limit else "MISSED"


def found_elsewhere(folder: Path, questions: Sequence[dict[str, Any]]) -> list[Elsewhere]:
    """Items of a release of which the history says something outside their evidence."""
    columns = ["conversation", "facts", "mentions"]
    ledgers = {row["conversation"]: row for row in table_rows(folder, "ledger", columns)}
    found = [elsewhere(row, ledgers[row["conversation"]]) for row in questions]
    return [one for one in found if one is not None]


def measured(folders: Sequence[Path]) -> dict[str, Any]:
    """Both searches over releases as one document."""
    asked: list[Asked] = []
    outside: list[Elsewhere] = []
    for folder in folders:
        questions = table_rows(folder, "questions", _QUESTION)
        asked += asked_of(questions)
        outside += found_elsewhere(folder, questions)
    codes = sorted({one.code for one in asked})
    types = {code: guessed([one for one in asked if one.code == code]) for code in codes}
    probes = sum(len(row["guessers"]) for row in types.values())
    return {
        "types": {
            code: {**row, "verdict": verdict(row, max(probes, 1))} for code, row in types.items()
        },
        "probes": probes,
        "yields_gold": [asdict(one) for one in outside if one.yields_gold],
        "in_part": [asdict(one) for one in outside if not one.yields_gold],
        "questions": len(asked),
    }


def keeps(document: dict[str, Any]) -> bool:
    """Whether no shortcut was found."""
    return not document["yields_gold"] and all(
        row["verdict"] != "MISSED" for row in document["types"].values()
    )


def report(document: dict[str, Any], out: TextIO) -> None:
    """Print both searches as text."""
    for code, row in document["types"].items():
        print(f"{code}  {row['verdict']}", file=out)
        for name, share in [("commonest answer", row["constant"]), *row["guessers"].items()]:
            numbers = f"{share['mean']:6.1%} [{share['low']:.1%}, {share['high']:.1%}]"
            print(f"  {name:17} {numbers} of {share['count']}", file=out)
        if not row["guessable"]:
            print("  no gold is another person's: guessers could only be wrong", file=out)
    print(f"probes judged together: {document['probes']}", file=out)
    answered = document["yields_gold"]
    print(f"answered without their evidence: {len(answered)} of {document['questions']}", file=out)
    for one in answered:
        print(f"  {one['code']} {one['item']}: {', '.join(one['rounds'])}", file=out)
    print(f"in part: {len(document['in_part'])}", file=out)


def main(arguments: Sequence[str] | None = None) -> int:
    """Search releases for shortcuts."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("releases", type=Path, nargs="+", metavar="release")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    options = parser.parse_args(arguments)
    document = measured(options.releases)
    if options.json:
        json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        report(document, sys.stdout)
    return 0 if keeps(document) else 1


if __name__ == "__main__":
    sys.exit(main())
