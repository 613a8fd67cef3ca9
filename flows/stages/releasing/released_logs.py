"""The logs of a release, read from a collection record by record."""

from collections.abc import Iterator

from memassay.exports.release.layout import LOGS
from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.hashing import content_hash
from memassay.schemas.ids import conversation_of
from memassay.schemas.judgements.certificate import Certificate
from memassay.schemas.judgements.erratum import ErratumFix, ReleasedErratum
from memassay.schemas.judgements.review import Decision
from memassay.schemas.kinds import DATA_KINDS
from memassay.schemas.records.alteration import Alteration


class ReleasedLogs:
    """What a release says of the records that are in it.

    Attributes:
        kept: Ids of the conversations, questions and personas of the release, each with its hash.
    """

    def __init__(self, collection: Collection) -> None:
        """Look at the headers of what is released."""
        self._collection = collection
        named = collection.headers("conversation", "question", "persona")
        self.kept = {one.id: one.sha256 for one in named}

    def by_stem(self) -> dict[str, Iterator[Record]]:
        """The records of each log, in natural order of their ids."""
        return {stem: self._of(kind) for stem, kind in LOGS.items()}

    def hashes(self) -> Iterator[tuple[str, str, str]]:
        """Kind, id and content hash of each record of a log that holds no data."""
        for kind in LOGS.values():
            if kind not in DATA_KINDS:
                yield from ((kind, one.id, content_hash(one)) for one in self._of(kind))

    def _of(self, kind: str) -> Iterator[Record]:
        for record in self._collection.of(kind):
            if isinstance(record, ReleasedErratum):
                yield self._with_fix(record)
            elif self._is_about_the_release(record):
                yield record

    def _is_about_the_release(self, record: Record) -> bool:
        if isinstance(record, Certificate):
            return record.item in self.kept
        if isinstance(record, Decision):
            return record.decided in self.kept
        return not isinstance(record, Alteration) or conversation_of(record.id) in self.kept

    def _with_fix(self, one: ReleasedErratum) -> ReleasedErratum:
        """An erratum with what became of its item here."""
        fix = ErratumFix.CHANGED if one.item in self.kept else ErratumFix.WITHDRAWN
        if self.kept.get(one.item) == one.item_sha256:
            fix = ErratumFix.KEPT
        return one.model_copy(update={"fix": fix})
