"""Counts of conversations that were made of single dialogues (Mem-Gallery §3.1, A.2.3)."""

from collections import Counter
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


class LifeCounts:
    """What became of single dialogues, while the conversations made of them pass by."""

    def __init__(self, clusters: Iterable[Cluster], alterations: Iterable[Alteration]) -> None:
        """Count what was changed.

        Args:
            clusters: Which dialogues became which conversation.
            alterations: What was changed to make them one; their texts are not kept.
        """
        self._clusters = {one.id: one for one in clusters}
        self._kinds: dict[str, Counter[AlterationKind]] = {}
        self._rewritten: dict[str, set[str]] = {}
        for one in alterations if self._clusters else ():
            owner = conversation_of(one.id)
            self._kinds.setdefault(owner, Counter())[one.kind] += 1
            if one.kind is AlterationKind.REWRITE:
                self._rewritten.setdefault(owner, set()).add(one.place)
        self._rows: dict[str, list[dict[str, Cell]]] = {}

    def add(self, bundle: Bundle) -> None:
        """Count a conversation, if it was made of dialogues."""
        if bundle.id in self._clusters:
            own = self._rows.setdefault(bundle.conversation.collection, [])
            own.append(self._row(bundle, self._clusters[bundle.id]))

    def figures(self, collection: str) -> list[Figure]:
        """A row for each conversation of a collection, then all; where the dialogues went."""
        if not self._clusters:
            return []
        rows = self._rows.get(collection, [])
        title = "§3.1, A.2.3: conversations made of single dialogues"
        return [Figure(title, [*rows, *_total(rows)]), self._dialogues()]

    def _row(self, bundle: Bundle, cluster: Cluster) -> dict[str, Cell]:
        talk = bundle.conversation
        counted = self._kinds.get(bundle.id, Counter())
        turns = len(talk.turns())
        rewritten = len(self._rewritten.get(bundle.id, ()))
        days = _gaps(talk)
        return {
            "conversation": cluster.name or bundle.id,
            "dialogues": len(cluster.members) - counted[AlterationKind.LEFT_OUT],
            "new sessions": counted[AlterationKind.EXTENSION],
            "rounds": len(talk.rounds()),
            "images": len(talk.attachments()),
            "bridge turns": counted[AlterationKind.BRIDGE],
            "planted turns": counted[AlterationKind.PLANT],
            "rewritten turns, %": round(100 * rewritten / turns, 1) if turns else None,
            "fewest days between": min(days, default=None),
            "mean days between": round(fmean(days), 1) if days else None,
            "most days between": max(days, default=None),
        }

    def _dialogues(self) -> Figure:
        """Where the dialogues went."""
        grouped = sum(len(one.members) for one in self._clusters.values())
        lonely = sum(len(one.left_out) for one in self._clusters.values())
        unfit = sum(own[AlterationKind.LEFT_OUT] for own in self._kinds.values())
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
