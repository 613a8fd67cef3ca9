"""What the readable records of a release say in short, all of them together."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from memassay.exports.release.checking.briefs import AnyBrief, CertificateBrief, QuestionBrief
from memassay.exports.release.checking.pieces import Rows
from memassay.exports.release.tallies import Tally
from memassay.schemas.base import Record
from memassay.schemas.kinds import kind_of


@dataclass
class Said:
    """The records of a release, in short.

    Attributes:
        briefs: What is kept of each, by kind, in the order in which they were read.
        kept: Those that stay in memory, by kind.
        tally: What a manifest counts of them.
        parts: Combined content hash of the readable records, by table or log.
    """

    briefs: dict[str, list[AnyBrief]] = field(default_factory=dict)
    kept: dict[str, list[Record]] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    parts: dict[str, str] = field(default_factory=dict)

    def take(self, rows: Rows) -> None:
        """Add the records of one piece."""
        for kind, brief in rows.briefs:
            self.briefs.setdefault(kind, []).append(brief)
        for record in rows.kept:
            self.kept.setdefault(kind_of(record), []).append(record)
        self.tally.merge(rows.tally)

    def of(self, kind: str) -> list[AnyBrief]:
        """What is kept of the records of a kind."""
        return self.briefs.get(kind, [])

    def questions(self) -> Iterator[QuestionBrief]:
        """What is kept of questions."""
        return (one for one in self.of("question") if isinstance(one, QuestionBrief))

    def certificates(self) -> Iterator[CertificateBrief]:
        """What is kept of certificates."""
        return (one for one in self.of("certificate") if isinstance(one, CertificateBrief))
