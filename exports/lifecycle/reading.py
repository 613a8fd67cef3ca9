"""What the entries of a memory say: which points, and whether they are the history's own words."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from memassay.exports.lifecycle.memories.wire import Entry, Found
from memassay.exports.lifecycle.points import LedgerPoints, Point
from memassay.exports.lifecycle.ranking_metrics import names_whole
from memassay.exports.lifecycle.stage_metrics import Interference, Update, Writing
from memassay.schemas.ids import parse_place
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation
from memassay.schemas.values.text import normalise


@dataclass(frozen=True)
class JudgedText:
    """What a judge says of a text.

    Attributes:
        points: Ids of the points that it says.
        is_about: Whether it speaks of the subject and attribute of any.
    """

    points: frozenset[str]
    is_about: bool


class EntryReader:
    """Reads what a memory wrote, held or found of one conversation, each text once.

    An entry says a point if the matcher finds it there, or if it has the point's own statement and
    does not deny it, or a turn that states it, word by word: what the matcher cannot read it must
    not miss in a copy.
    """

    def __init__(
        self,
        bundle: Bundle,
        points: LedgerPoints,
        judged: Mapping[str, JudgedText] = MappingProxyType({}),
    ) -> None:
        """Take a conversation, its points, and by text what a judge says of it, if one does."""
        self._bundle = bundle
        self._judged = judged
        self.points = points
        self._said: dict[str, frozenset[str]] = {}
        self._copies: dict[str, set[str]] = defaultdict(set)
        self._statements: dict[str, set[str]] = defaultdict(set)
        for point in points.points:
            self._statements[normalise(point.content)].add(point.id)
            for text in point.texts:
                self._copies[normalise(text)].add(point.id)

    def said_by(self, text: str) -> frozenset[str]:
        """Ids of the points that a text says."""
        if text in self._judged:
            return self._judged[text].points
        if text not in self._said:
            plain = normalise(text)
            matcher = self.points.matcher
            stated = _found_in(plain, self._statements) - matcher.find_denied(text)
            self._said[text] = matcher.find_points(text) | stated | _found_in(plain, self._copies)
        return self._said[text]

    def said_by_any(self, entries: Iterable[Entry | Found]) -> frozenset[str]:
        """Ids of the points that any of some entries says."""
        return frozenset[str]().union(*(self.said_by(entry.text) for entry in entries))

    def is_copy(self, text: str) -> bool:
        """Whether the longest line of a text is the history's own, but for who speaks."""
        line = max(text.split("\n"), key=len)
        head, _, rest = line.partition(": ")
        plain = normalise((rest if len(head) < 40 and rest else line).strip("[] "))
        return bool(plain) and plain in self._history

    @cached_property
    def _history(self) -> str:
        said = [turn.text for turn in self._bundle.conversation.turns()]
        captions = [one.caption or "" for _, one in self._bundle.conversation.attachments()]
        return normalise("\n".join([*said, *captions]))

    def writing(self, entry: Entry, told: frozenset[str]) -> Writing:
        """What an entry is, by the points that have been told when it is written.

        It is correct if it copies the history or says a true point; a hallucination if it speaks
        of a point and says another thing; else irrelevant.
        """
        if self.is_copy(entry.text):
            return Writing.CORRECT
        true = {name for name in told if not self.points.by_id[name].is_interference}
        if self.said_by(entry.text) & true:
            return Writing.CORRECT
        judged = self._judged.get(entry.text)
        if judged is not None:
            return Writing.HALLUCINATION if judged.is_about else Writing.IRRELEVANT
        if self.points.matcher.spoken_of(entry.text) & told:
            return Writing.HALLUCINATION
        return Writing.IRRELEVANT

    def update(self, point: Point, said: frozenset[str]) -> Update:
        """What a memory holds of a change, by the points that its entries say.

        A deleted thing that is gone is updated, whether or not the memory says that it has ended.
        """
        old = not said.isdisjoint(point.fact.supersedes)
        new = point.id in said or (point.fact.operation is FactOperation.DELETE and not old)
        if new:
            return Update.BOTH if old else Update.UPDATED
        return Update.OUTDATED if old else Update.MISSING

    def interference(self, point: Point, held: Collection[Entry]) -> Interference:
        """What a memory holds of a claim."""
        matcher = self.points.matcher
        denied = {entry.text for entry in held if point.id in matcher.find_denied(entry.text)}
        kept = {entry.text for entry in held if point.id in self.said_by(entry.text)}
        kept |= denied - self._judged.keys()
        if not kept:
            return Interference.REJECTED
        as_such = all(text in denied and not self.is_copy(text) for text in kept)
        return Interference.FLAGGED if as_such else Interference.MEMORISED

    def shows(self, item: Found, point: Point) -> bool:
        """Whether a find is a point, strictly: by what it says, or by a whole id of ours.

        An id counts for what is in pixels alone: that of an attachment that shows the point, in its
        text too. Ids that a memory has made up say nothing.
        """
        if point.id in self.said_by(item.text) or point.id in item.ids:
            return True
        if not point.in_pixels:
            return False
        own = {*item.ids, *item.rounds, *self.images_of(item)}
        if not own.isdisjoint({*point.attachments, *point.rounds}):
            return True
        return any(names_whole(item.text, name) for name in point.attachments)

    def is_from(self, item: Found, places: Iterable[str]) -> bool:
        """Whether a find is from any of some rounds, by whole ids of ours."""
        own = {*item.ids, *item.rounds, *self.images_of(item)}
        rounds = {
            round_.id
            for name in own
            if (place := parse_place(name)) and (place.round_id or place.attachment)
            for round_ in self._bundle.rounds_of(name)
        }
        return not rounds.isdisjoint(places)

    def images_of(self, item: Found) -> frozenset[str]:
        """Ids of the attachments whose file a find shows."""
        if not item.image:
            return frozenset()
        return self._attachments.get(item.image.rpartition("/")[2].partition(".")[0], frozenset())

    @cached_property
    def _attachments(self) -> dict[str, frozenset[str]]:
        """Ids of attachments by the hash of their bytes, which names their file."""
        found: dict[str, set[str]] = defaultdict(set)
        for _, one in self._bundle.conversation.attachments():
            asset = self._bundle.asset_by_id.get(one.asset)
            if asset is not None and asset.blob_sha256:
                found[asset.blob_sha256].add(one.id)
        return {digest: frozenset(ids) for digest, ids in found.items()}


def _found_in(plain: str, copies: Mapping[str, set[str]]) -> frozenset[str]:
    """Ids of the points of which a text holds a copy."""
    return frozenset[str]().union(*(ids for copy, ids in copies.items() if copy and copy in plain))
