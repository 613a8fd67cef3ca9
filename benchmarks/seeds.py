"""How much of a history another seed tells again, by persona.

Run `python benchmarks/seeds.py RELEASE RELEASE [--json]`: two releases of one recipe with
different seeds. A round of the second is near-identical if some round of the same persona in the
first shares 70 % of its three-word runs with it (Jaccard), numbers, names and noted values masked.
Beside that the share of `ii` and `th` golds which the first has, too. With `--most` the exit code
is 1 if the personas named (default all) repeat a greater share of their rounds.
"""

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from reader_release import table_rows

ALIKE: Final = 0.7
_RUN: Final = 3
GOLDS: Final = ("ii", "th")
_VALUE: Final = "#"
_WORD: Final = re.compile(r"#|\w+(?:'\w+)?")
_MASKED: Final = re.compile(r"\d|^#$")

Runs = frozenset[tuple[str, ...]]


def masked(text: str, spans: Iterable[tuple[int, int]] = ()) -> list[str]:
    """The words of a text; values, numbers and names as `#`, several in a row as one.

    Args:
        text: What is said.
        spans: Where values are.
    """
    for first, last in sorted(spans, reverse=True):
        text = f"{text[:first]} {_VALUE} {text[last:]}"
    words: list[str] = []
    for found in _WORD.finditer(text):
        word, before = found.group(), text[: found.start()].rstrip()
        named = word[0].isupper() and before[-1:] not in ("", ".", "!", "?", ":", '"', "'")
        said = _VALUE if _MASKED.search(word) or (named and word != "I") else word.lower()
        if said != _VALUE or words[-1:] != [_VALUE]:
            words.append(said)
    return words


def runs_of(words: Sequence[str]) -> Runs:
    """All runs of three words."""
    return frozenset(tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1))


def is_alike(one: Runs, other: Runs) -> bool:
    """Whether two texts share so many of their runs that one repeats the other."""
    least, most = sorted((len(one), len(other)))
    # No two sets whose sizes lie so far apart can be alike.
    if not least or least < ALIKE * most:
        return False
    shared = len(one & other)
    return shared >= ALIKE * (least + most - shared)


def repeated(first: Sequence[Runs], second: Sequence[Runs]) -> int:
    """How many rounds of the second some round of the first is like."""
    return sum(any(is_alike(one, other) for other in first) for one in second)


def rounds_of(folder: Path) -> dict[str, list[Runs]]:
    """By conversation, the runs of each round."""
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row in table_rows(folder, "ledger", ["conversation", "mentions"]):
        for one in row["mentions"]:
            if one["modality"] == "text" and one["span"] is not None:
                first, last = (int(at) for at in one["span"])
                spans[f"{row['conversation']} {one['turn']}"].append((first, last))
    found: dict[str, list[Runs]] = {}
    for row in table_rows(folder, "conversations", ["id", "sessions"]):
        found[row["id"]] = [
            runs_of([word for turn in each["turns"] for word in _words(row["id"], turn, spans)])
            for session in row["sessions"]
            for each in session["rounds"]
        ]
    return found


def _words(
    conversation: str, turn: Mapping[str, Any], spans: Mapping[str, list[tuple[int, int]]]
) -> list[str]:
    return masked(turn["text"] or "", _apart(spans.get(f"{conversation} {turn['id']}", [])))


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that do not overlap, the longest of those that do."""
    kept: list[tuple[int, int]] = []
    for first, last in sorted(spans, key=lambda span: (span[0] - span[1], span)):
        if all(last <= start or first >= end for start, end in kept):
            kept.append((first, last))
    return kept


def golds_of(folder: Path) -> dict[tuple[str, str], list[str]]:
    """By conversation and type, the golds."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    columns = ["conversation", "benchmark_type", "answers"]
    for row in table_rows(folder, "questions", columns):
        if row["benchmark_type"] in GOLDS:
            gold = " | ".join(row["answers"]).lower()
            found[row["conversation"], row["benchmark_type"]].append(gold)
    return found


def _share(count: int, of: int) -> float | None:
    return count / of if of else None


def compared(first: Path, second: Path) -> dict[str, dict[str, float | None]]:
    """By persona and for all, the shares of rounds and golds of the second that the first has."""
    told, again = rounds_of(first), rounds_of(second)
    golds, later = golds_of(first), golds_of(second)
    rows: dict[str, dict[str, float | None]] = {}
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in sorted({*told} & {*again}):
        counts = {"rounds": (repeated(told[name], again[name]), len(again[name]))}
        for code in GOLDS:
            own = later.get((name, code), [])
            counts[code] = (sum(gold in golds.get((name, code), []) for gold in own), len(own))
        rows[name] = {what: _share(*count) for what, count in counts.items()}
        for what, (count, of) in counts.items():
            sums[what][0] += count
            sums[what][1] += of
    return {**rows, "all": {what: _share(*count) for what, count in sums.items()}}


def _shown(row: Mapping[str, float | None]) -> str:
    return "".join("    none" if share is None else f"{share:8.1%}" for share in row.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare two releases."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("releases", type=Path, nargs=2, metavar="release")
    parser.add_argument("--most", type=float, help="greatest share of rounds, 0 to 1")
    parser.add_argument("--personas", nargs="*", default=[], help="who is held to it")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    options = parser.parse_args(arguments)
    rows: dict[str, Any] = compared(*options.releases)
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        sys.stdout.write(f"{'persona':32}  rounds      ii      th\n")
        sys.stdout.writelines(f"{name:32}{_shown(row)}\n" for name, row in rows.items())
    held = [rows[name]["rounds"] or 0 for name in options.personas or rows]
    return 1 if options.most is not None and max(held) > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
