"""Takes the readable records of one piece: to the disk, or into memory, with what is counted."""

import tempfile
from pathlib import Path
from typing import Any

from memassay.exports.release.checking.briefs import brief_of
from memassay.exports.release.checking.pieces import Rows
from memassay.exports.release.checking.spill import SPILLED, write_blocks
from memassay.schemas.base import Record


class Taking:
    """What one piece gives, as it is read."""

    def __init__(self, scratch: Path) -> None:
        """Begin with nothing.

        Args:
            scratch: Where records go that are many.
        """
        self.rows = Rows()
        self._scratch = scratch
        self._spilled: list[Record] = []

    def place(self, order: Any) -> None:
        """Note the place of a row or record in the order of ids."""
        if self.rows.ends is None:
            self.rows.ends = order, order
            return
        first, before = self.rows.ends
        self.rows.is_sorted &= before <= order
        self.rows.ends = first, order

    def take(self, kind: str, record: Record, sha256: str) -> None:
        """Keep a record.

        Args:
            kind: Its kind.
            record: The record.
            sha256: Its content hash as released.
        """
        self.rows.tally.add(record)
        self.rows.briefs.append((kind, brief_of(record, sha256)))
        (self._spilled if kind in SPILLED else self.rows.kept).append(record)

    def end(self, name: str) -> Rows:
        """Write what goes to the disk and give the rest.

        Args:
            name: What the file's name begins with.
        """
        rows = self.rows
        if self._spilled:
            with tempfile.NamedTemporaryFile(dir=self._scratch, prefix=name, delete=False) as file:
                place = Path(file.name)
            rows.blocks = write_blocks(self._scratch, place.name, self._spilled)
        return rows
