"""Compares the matcher of memory entries and points with labels that people gave.

Each line of the file is a pair::

    {"entry": "Norvik is due on 3 June.", "fact": {"subject": "Norvik", "attribute": "deadline",
     "value": {"type": "date", "text": "2024-06-03"}, "statement": "The deadline of Norvik falls on
     3 June 2024."}, "said": ["Norvik runs till the 3rd of June now."], "label": true,
     "kind": "paraphrase"}

`fact` takes every field of a fact but its id; `said`, what the history says of it, may be left out,
and so may `kind`, by which figures are cut. Facts with one `ledger` (a name) are matched beside
each other, as those of one conversation are.

    python benchmarks/matcher_agreement.py PAIRS.jsonl [--errors]
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memassay.exports.lifecycle.matching.matcher import Matcher
from memassay.schemas.records.ledger import Fact


@dataclass(frozen=True)
class Pair:
    """An entry of a memory and a fact, with what a person and the matcher say.

    Attributes:
        entry: Text of the entry.
        fact: The fact.
        kind: What kind of pair it is.
        label: Whether the entry says the fact, by a person.
        found: The same, by the matcher.
    """

    entry: str
    fact: Fact
    kind: str
    label: bool
    found: bool


def judged_pairs(rows: Iterable[dict[str, Any]]) -> Iterator[Pair]:
    """Pairs with the matcher's word on each; a fact beside others of its ledger."""
    ledgers: dict[str, list[tuple[Fact, dict[str, Any]]]] = defaultdict(list)
    for at, row in enumerate(rows):
        name = str(row.get("ledger", f"pair-{at}"))
        ledgers[name].append((Fact(id=f"pairs/F{at:04d}", **row["fact"]), row))
    for own in ledgers.values():
        said = {fact.id: list(row.get("said", ())) for fact, row in own}
        matcher = Matcher([fact for fact, _ in own], said)
        for fact, row in own:
            found = fact.id in matcher.find_points(row["entry"])
            yield Pair(row["entry"], fact, str(row.get("kind", "all")), bool(row["label"]), found)


def agreement(pairs: Sequence[Pair]) -> float:
    """Share of pairs on which person and matcher agree."""
    return sum(pair.label == pair.found for pair in pairs) / len(pairs)


def main() -> None:
    """Print agreement, overall and by kind, and the confusion."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pairs", type=Path, help="JSON Lines.")
    parser.add_argument("--errors", action="store_true", help="Print every disagreement.")
    given = parser.parse_args()
    lines = given.pairs.read_text("utf-8").split("\n")
    pairs = list(judged_pairs(json.loads(line) for line in lines if line.strip()))
    sys.stdout.writelines(f"{line}\n" for line in _report(pairs, errors=given.errors))


def _report(pairs: Sequence[Pair], *, errors: bool) -> Iterator[str]:
    counts = Counter((pair.label, pair.found) for pair in pairs)
    yield f"{len(pairs)} pairs, agreement {agreement(pairs):.3f}"
    yield f"says it: {counts[True, True]} found, {counts[True, False]} missed"
    yield f"does not: {counts[False, False]} passed over, {counts[False, True]} taken for it"
    for kind in sorted({pair.kind for pair in pairs}):
        own = [pair for pair in pairs if pair.kind == kind]
        yield f"{kind}: {agreement(own):.3f} of {len(own)}"
    for pair in pairs if errors else ():
        if pair.label != pair.found:
            yield f"label {pair.label}: {pair.entry!r} | {pair.fact.statement or pair.fact}"


if __name__ == "__main__":
    main()
