"""How much the questions about time (`tr`) ask beyond the date of one round.

Run `python benchmarks/time_questions.py RELEASE... [--json]`. It counts the questions that ask for
one date of one round; those whose gold is the date of the session that BM25 ranks first for their
words; and those that ask for an interval, an order, a gap, or how far a plan slipped, told apart
by the operators of their query. Exit code 0 if at most half ask for one date of one round, BM25
answers at most 40 %, and intervals, orders, gaps and plans are at least 35 %; else 1.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from reader_release import table_rows
from shortcut import histories_of
from shortcut_readers import best_session

MOST_DATES: Final = 0.5
MOST_BY_SEARCH: Final = 0.4
LEAST_BEYOND: Final = 0.35
PLANNED: Final = "planned date"
"""Attribute of a fact that says for when something is planned."""


def beyond(query: str) -> str:
    """Whether a query asks for an interval, an order, a gap or a slipped plan; empty for none."""
    if f'"{PLANNED}"' in query:
        return "plan"
    named = {"diff": "interval", "sequence": "order", "gaps": "gap"}
    operators = [name for op, name in named.items() if f'"op":"{op}"' in query.replace(" ", "")]
    return operators[-1] if operators else ""


def is_one_date(row: Mapping[str, Any]) -> bool:
    """Whether a question asks for one date that one round says."""
    return row["answer_format"] == "date" and len(row["evidence"]) == 1


def measured(folders: Sequence[Path]) -> dict[str, Any]:
    """Shares of the questions about time of some releases, and of how many."""
    found: Counter[str] = Counter()
    for folder in folders:
        texts = histories_of(folder)
        dates = {
            row["id"]: [str(one["date"]).partition("T")[0] for one in row["sessions"]]
            for row in table_rows(folder, "conversations", ["id", "sessions"])
        }
        columns = ["conversation", "benchmark_type", "question", "answers", "answer_format"]
        for row in table_rows(folder, "questions", [*columns, "evidence", "query_json"]):
            if row["benchmark_type"] != "tr":
                continue
            sessions = texts[row["conversation"]]
            best = sessions.index(best_session(row["question"], sessions))
            found["questions"] += 1
            found["one date"] += is_one_date(row)
            found["by search"] += row["answers"] == [dates[row["conversation"]][best]]
            found[beyond(row["query_json"] or "") or "other"] += 1
    count = max(found["questions"], 1)
    kinds = ("interval", "order", "gap", "plan")
    return {
        "questions": found["questions"],
        "one date of one round": found["one date"] / count,
        "date of the session that BM25 ranks first": found["by search"] / count,
        **{name: found[name] / count for name in (*kinds, "other")},
        "beyond one date": sum(found[name] for name in kinds) / count,
    }


def keeps(shares: Mapping[str, Any]) -> bool:
    """Whether the three limits hold."""
    return bool(
        shares["one date of one round"] <= MOST_DATES
        and shares["date of the session that BM25 ranks first"] <= MOST_BY_SEARCH
        and shares["beyond one date"] >= LEAST_BEYOND
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure some releases."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("releases", type=Path, nargs="+", metavar="release")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of text")
    options = parser.parse_args(arguments)
    shares = measured(options.releases)
    if options.json:
        sys.stdout.write(json.dumps(shares, indent=1) + "\n")
    else:
        for name, share in shares.items():
            shown = f"{share:.1%}" if isinstance(share, float) else str(share)
            sys.stdout.write(f"{name:45} {shown:>7}\n")
    return 0 if keeps(shares) else 1


if __name__ == "__main__":
    sys.exit(main())
