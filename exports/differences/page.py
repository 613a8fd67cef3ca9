"""What differs between two releases as one page: self-contained, without a script or an address."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from typing import Final

from memassay.exports.differences.compare import Difference, ReleaseDiff, Side

SHOWN: Final = 500
"""Differences of one aspect and kind that a page lists; JSON has all of them."""

_STYLE: Final = """
body{font:15px/1.5 system-ui,sans-serif;margin:0;background:#f4f3ef;color:#222}
main{max-width:1000px;margin:auto;padding:20px}
h1{font-size:24px}h2{font-size:18px;margin:28px 0 8px}
table{border-collapse:collapse;width:100%}
td,th{padding:5px 10px 5px 0;text-align:left;vertical-align:top;border-top:1px solid #ddd;
overflow-wrap:anywhere}
.n{width:auto}.n td+td,.n th+th{text-align:right}td:first-child{min-width:7em}
del{color:#8c2320}ins{color:#175c2a;text-decoration:none}.id{color:#666;font-size:13px}
@media(prefers-color-scheme:dark){body{background:#191a1c;color:#e4e4e4}
td,th{border-color:#3a3d42}del{color:#f0a09c}ins{color:#8fd6a4}.id{color:#a8a8a8}}
"""


def page(diff: ReleaseDiff) -> str:
    """The page as HTML."""
    title = f"{_name(diff.before)} to {_name(diff.after)}"
    parts = [f"<h1>{escape(title)}</h1>", *_summary(diff)]
    for (aspect, change), found in groupby(
        diff.differences, key=lambda one: (one.aspect, one.change)
    ):
        rows = list(found)
        parts.append(f"<h2>{escape(aspect)}, {change}: {len(rows)}</h2>")
        parts += _rows(rows)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><main>{''.join(parts)}</main></body></html>\n"
    )


def _name(side: Side) -> str:
    return f"{side.name} {side.version} ({side.content_sha256[:8]})"


def _summary(diff: ReleaseDiff) -> Iterator[str]:
    if not diff.differences:
        yield "<p>Nothing differs.</p>"
        return
    yield '<table class="n"><tr><th>what</th><th>added</th><th>removed</th><th>changed</th></tr>'
    for aspect in diff.counts:
        cells = (diff.of(aspect, change) for change in ("added", "removed", "changed"))
        yield f"<tr><td>{aspect}</td>{''.join(f'<td>{one}</td>' for one in cells)}</tr>"
    yield "</table>"


def _rows(found: Sequence[Difference]) -> Iterator[str]:
    yield "<table>"
    for one in found[:SHOWN]:
        before = f"<del>{escape(one.before)}</del> " if one.before is not None else ""
        after = f"<ins>{escape(one.after)}</ins>" if one.after is not None else ""
        yield f'<tr><td class="id">{escape(one.id)}</td><td>{before}{after}</td></tr>'
    yield "</table>"
    if len(found) > SHOWN:
        yield f"<p>and {len(found) - SHOWN} more, which `memassay diff --json` lists</p>"
