"""Tables of a report: those of `memassay stats`, and types by conversation."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memassay.exports.reports.page import counts
from memassay.schemas.contracts.figures import Cell


@dataclass(frozen=True)
class Table:
    """A table with a caption; cells that are numbers stand to the right."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@dataclass(frozen=True)
class Heat:
    """A table of counts whose cells are shaded by their share of the largest.

    Attributes:
        heads: What the columns are.
        rows: A name, its counts, and for each the shade from 0 to 100.
    """

    heads: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[int, int]]]]


def paper_tables(each: Mapping[str, Any]) -> list[Table]:
    """The tables of a collection as `stats` counts them, the paper's numbers beside ours."""
    found = [
        _beside("Sizes by conversation", each["conversations"], ["name"]),
        _beside("Questions by type", each["types"], ["code", "name"]),
    ]
    figures = [
        Table(one["title"], list(one["rows"][0]), [list(row.values()) for row in one["rows"]])
        for one in each["figures"]
        if one["rows"]
    ]
    return [table for table in (*found, *figures) if table.rows]


def _beside(title: str, rows: Sequence[Mapping[str, Any]], names: list[str]) -> Table:
    """Ours, and right of it the paper's column where the paper prints anything in it."""
    if not rows:
        return Table(title, [], [])
    heads, places = list(names), list[tuple[str, str]]()
    for size in rows[0]["ours"]:
        word = size.replace("_", " ")
        printed = any(row["paper"][size] is not None for row in rows)
        heads += [f"{word}, ours" if printed else word, *([f"{word}, paper"] * printed)]
        places += [("ours", size), *([("paper", size)] * printed)]
    body = [[*(row[name] for name in names), *(row[w][size] for w, size in places)] for row in rows]
    return Table(title, heads, body)


def heat(found: Mapping[str, Counter[str]], codes: Sequence[str]) -> Heat:
    """Questions of each type in each conversation; the last row is the sum of all."""
    whole = counts.total(list(found.values()))
    known = [code for code in codes if code in whole]
    heads = list(dict.fromkeys([*known, *sorted(whole)]))
    most = max((own[code] for own in found.values() for code in heads), default=1)
    rows = [(name, _shades(own, heads, most)) for name, own in found.items()]
    return Heat(heads, [*rows, (f"all {len(found)}", _shades(whole, heads, 0))])


def _shades(own: Counter[str], heads: Sequence[str], most: int) -> list[tuple[int, int]]:
    return [(own[code], round(100 * own[code] / most) if most else 0) for code in heads]
