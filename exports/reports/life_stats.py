"""Counts of conversations that were made of single dialogues (Mem-Gallery §3.1, A.2.3)."""

from collections.abc import Iterable, Sequence
from datetime import timedelta
from itertools import pairwise
from statistics import fmean

from memassay.schemas.contracts.figures import Cell, Figure
from memassay.schemas.ids import conversation_of
from memassay.schemas.records.alteration import Alteration, AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.cluster import Cluster
from memassay.schemas.records.conversation import Conversation
from memassay.schemas.values.civil_time import start


def life_figures(
    bundles: Sequence[Bundle], clusters: Sequence[Cluster], alterations: Iterable[Alteration]
) -> list[Figure]:
    """What became of the dialogues, a row for each conversation, then all of them."""
    if not clusters:
        return []
    known = {one.id: one for one in clusters}
    made: dict[str, list[Alteration]] = {one.id: [] for one in clusters}
    for one in alterations:
        made.setdefault(conversation_of(one.id), []).append(one)
    own = [one for one in bundles if one.id in known]
    rows = [_row(one, known[one.id], made[one.id]) for one in own]
    title = "§3.1, A.2.3: conversations made of single dialogues"
    return [Figure(title, [*rows, *_total(rows)]), _dialogues(clusters, made.values())]


def _row(bundle: Bundle, cluster: Cluster, changes: Sequence[Alteration]) -> dict[str, Cell]:
    talk = bundle.conversation
    counted = [one.kind for one in changes]
    turns = len(talk.turns())
    rewritten = len({one.place for one in changes if one.kind is AlterationKind.REWRITE})
    days = _gaps(talk)
    return {
        "conversation": cluster.name or bundle.id,
        "dialogues": len(cluster.members) - counted.count(AlterationKind.LEFT_OUT),
        "new sessions": counted.count(AlterationKind.EXTENSION),
        "rounds": len(talk.rounds()),
        "images": len(talk.attachments()),
        "bridge turns": counted.count(AlterationKind.BRIDGE),
        "planted turns": counted.count(AlterationKind.PLANT),
        "rewritten turns, %": round(100 * rewritten / turns, 1) if turns else None,
        "fewest days between": min(days, default=None),
        "mean days between": round(fmean(days), 1) if days else None,
        "most days between": max(days, default=None),
    }


def _gaps(talk: Conversation) -> list[int]:
    """Days from each session to the next."""
    dates = [start(one.date).date() for one in talk.sessions if one.date is not None]
    return [(later - earlier) // timedelta(days=1) for earlier, later in pairwise(dates)]


def _total(rows: Sequence[dict[str, Cell]]) -> list[dict[str, Cell]]:
    """The mean of every column, over the conversations."""
    if not rows:
        return []
    mean: dict[str, Cell] = {"conversation": "mean"}
    for head in list(rows[0])[1:]:
        values = [float(row[head] or 0) for row in rows]
        mean[head] = round(fmean(values), 1)
    return [mean]


def _dialogues(clusters: Sequence[Cluster], changes: Iterable[Sequence[Alteration]]) -> Figure:
    """Where the dialogues went."""
    grouped = sum(len(one.members) for one in clusters)
    lonely = sum(len(one.left_out) for one in clusters)
    unfit = sum(one.kind is AlterationKind.LEFT_OUT for own in changes for one in own)
    every = grouped + lonely
    rows: list[dict[str, Cell]] = [
        {"dialogues": name, "number": number, "%": round(100 * number / every, 1)}
        for name, number in (
            ("in a conversation", grouped - unfit),
            ("left over: in no cluster", lonely),
            ("left out: contradict their cluster", unfit),
        )
    ]
    return Figure("§3.1: where single dialogues went", rows)
