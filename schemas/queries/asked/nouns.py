"""What people call a picture: nouns by how it is drawn, never by what its caption is about."""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from memassay.schemas.queries.asked.words import run_of

ANY: Final = ("picture", "image")
"""Nouns that fit all."""
PAGE: Final = "page"
"""The noun of a page of a document."""
_HEAD_ENDS: Final = re.compile(r"\s(?:after|at|before|by|called|for|from|in|of|on|taken|to|with)\s")


class _Nouns(NamedTuple):
    """Nouns of one kind: those its looks give, and those that depend on what it was shown as."""

    always: tuple[str, ...]
    sometimes: tuple[str, ...] = ()


NOUNS: Final = {
    "bar_chart": _Nouns(("chart", "bar chart", "graph")),
    "line_chart": _Nouns(("chart", "line chart", "graph")),
    "table": _Nouns(("table",)),
    "timetable": _Nouns((), ("timetable", "rota", "plan")),
    "receipt": _Nouns((), ("receipt", "bill", "quote", "estimate", "invoice")),
    "ticket": _Nouns((), ("ticket", "slip", "pass")),
    "label": _Nouns((), ("label", "tag", "sticker", "card")),
    "whiteboard": _Nouns(("whiteboard", "board")),
    "certificate": _Nouns((), ("certificate", "card", "report", "diploma")),
    "notice": _Nouns((), ("notice", "poster", "invitation")),
    "plan": _Nouns(("plan",)),
    "scene": _Nouns(("photo",)),
    "cluttered_scene": _Nouns(("photo",)),
    "photo_pair": _Nouns(("photo",)),
    "double_chart": _Nouns(("chart", "line chart", "graph")),
    "route_map": _Nouns(("map",)),
    "annotated_plan": _Nouns(("plan",)),
    "form": _Nouns(("form",)),
    "calendar": _Nouns(("calendar",)),
    "note": _Nouns(("note",)),
    "chat": _Nouns(("chat",)),
    "gauge": _Nouns((), ("gauge", "dial", "meter")),
}
"""By renderer. A quote is drawn like a receipt, and nobody calls it one."""


def nouns_of(kind: str | None, caption: str | None) -> frozenset[str]:
    """The nouns that fit a picture.

    Args:
        kind: Renderer that drew it; None for what nobody drew.
        caption: Its caption, whose head decides between a receipt and a quote.
    """
    if kind not in NOUNS:
        return frozenset(ANY)
    always, sometimes = NOUNS[kind]
    return frozenset((*ANY, *always, *_in_head(sometimes, caption or "")))


def loose_nouns_of(kind: str | None) -> frozenset[str]:
    """All that somebody might call a picture who sees only how it is drawn."""
    if kind not in NOUNS:
        return frozenset(ANY)
    always, sometimes = NOUNS[kind]
    return frozenset((*ANY, *always, *sometimes, *(("table",) if kind == "timetable" else ())))


def _in_head(nouns: Iterable[str], caption: str) -> list[str]:
    about = caption.partition(": ")[2] or caption
    head = run_of(_HEAD_ENDS.split(about, maxsplit=1)[0])
    return [noun for noun in nouns if noun in head]
