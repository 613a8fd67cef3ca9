"""Looks for shortcuts: golds that a question gives away, or that stand outside the evidence.

Run `python benchmarks/shortcut.py RELEASE... [--json]`; several releases (other seeds) give more
to learn from. Guessers see only questions of other people: conversations of another id. They guess
by the words of the question, or by where options stand in order of size, of length, or as shown.
Crude readers of the history are printed beside them and not judged. Exit code 0 if no type is
surely guessed more than 5 points better than by chance, and no item can be answered without its
evidence; else 1. Chance is the commonest answer, for options one of so many.

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
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final, TextIO

from reader_release import table_rows
from shortcut_measures import (
    NEIGHBOURS,
    Asked,
    Elsewhere,
    classifier_hits,
    constant_hits,
    elsewhere,
    guessable,
    neighbour_hits,
    share_of,
)
from shortcut_readers import HISTORY_READERS, OPTION_GUESSERS, history_hits, option_hits

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
    "options",
]


def asked_of(
    questions: Sequence[dict[str, Any]], histories: Mapping[str, tuple[str, ...]]
) -> list[Asked]:
    """Questions of a release with the texts of their conversations, as guessers see them."""
    return [
        Asked(
            conversation=row["conversation"],
            code=row["benchmark_type"],
            question=row["question"],
            gold=" | ".join(row["answers"]).lower(),
            options=tuple((one["label"], one["text"]) for one in row["options"]),
            sessions=histories[row["conversation"]],
        )
        for row in questions
    ]


def histories_of(folder: Path) -> dict[str, tuple[str, ...]]:
    """By conversation, the text of each session."""
    return {
        row["id"]: tuple(
            "\n".join(turn["text"] or "" for each in one["rounds"] for turn in each["turns"])
            for one in row["sessions"]
        )
        for row in table_rows(folder, "conversations", ["id", "sessions"])
    }


def by_form(asked: Sequence[Asked]) -> list[Asked]:
    """Types that are asked with different numbers of options as a type for each.

    How a question is worded tells which it is, and chance differs.
    """
    forms: dict[str, set[int]] = {}
    for one in asked:
        forms.setdefault(one.code, set()).add(len(one.options))
    return [
        replace(one, code=f"{one.code}, {len(one.options)} options")
        if len(forms[one.code]) > 1
        else one
        for one in asked
    ]


def _probe(right: int, count: int, chance: float) -> dict[str, Any]:
    return {**asdict(share_of(right, count)), "chance": chance}


def guessed(asked: Sequence[Asked]) -> dict[str, Any]:
    """How often each guesser and each reader of the history is right for questions of one type.

    A probe that answers nothing, or whose answers could only be wrong, is None.
    """
    count, can = len(asked), guessable(asked)
    constant = share_of(constant_hits(asked), count)
    # Where answers are dealt evenly, the commonest of other people's is never right.
    offered = [1 / len(one.options) for one in asked if one.options]
    chance = max(constant.mean, sum(offered) / count)
    hits = {**neighbour_hits(asked), "naive Bayes": classifier_hits(asked)} if can else {}
    names = [*(f"{near} nearest" for near in NEIGHBOURS), "naive Bayes"]
    guessers = {name: _probe(hits[name], count, chance) if name in hits else None for name in names}
    for name, sizes in OPTION_GUESSERS.items():
        right, answered, of_places = option_hits(asked, sizes)
        guessers[name] = _probe(right, answered, of_places) if answered else None
    readers = {
        name: share_of(*history_hits(asked, reader)) for name, reader in HISTORY_READERS.items()
    }
    return {
        "constant": asdict(constant),
        "guessers": guessers,
        "readers": {
            name: asdict(share) if share.count else None for name, share in readers.items()
        },
    }


def verdict(row: dict[str, Any], probes: int) -> str:
    """What the guessers of one type say, among so many probes of all types.

    Each may be 5 points better than chance (the commonest answer, or one of so many options);
    beyond that a type is in doubt as long as the interval, widened for so many probes, reaches
    down to the limit, and else misses the bar.
    """
    found = "no probe"
    for one in row["guessers"].values():
        if one is None:
            continue
        share, limit = share_of(one["right"], one["count"], probes), one["chance"] + MARGIN
        if share.low > limit:
            return "MISSED"
        found = "in doubt" if share.mean > limit or found == "in doubt" else "kept"
    return found


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
        asked += asked_of(questions, histories_of(folder))
        outside += found_elsewhere(folder, questions)
    asked = by_form(asked)
    codes = sorted({one.code for one in asked})
    types = {code: guessed([one for one in asked if one.code == code]) for code in codes}
    probes = sum(one is not None for row in types.values() for one in row["guessers"].values())
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


def _shown(share: dict[str, Any] | None) -> str:
    if share is None:
        return "  none: it answers nothing here, or could only be wrong"
    numbers = f"{share['mean']:6.1%} [{share['low']:.1%}, {share['high']:.1%}]"
    return f"{numbers} of {share['count']}"


def report(document: dict[str, Any], out: TextIO) -> None:
    """Print both searches as text."""
    for code, row in document["types"].items():
        print(f"{code}  {row['verdict']}", file=out)
        rows = [("commonest answer", row["constant"]), *row["guessers"].items()]
        for name, share in [*rows, *row["readers"].items()]:
            print(f"  {name:17} {_shown(share)}", file=out)
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
