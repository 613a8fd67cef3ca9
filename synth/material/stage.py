"""The stage that takes a user's own material in, before the timeline."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.synth.material.folder import files_of
from memassay.synth.material.intake import Intake, Terms


class SourcesStage:
    """The user's files as assets of the conversations that show them.

    A shard is a persona and not a share of the folder: who else is in the recipe does not
    change what one persona shows.
    """

    name = "sources"
    version = "1"
    scope = Scope.SOURCE
    reads: frozenset[str] = frozenset()

    def __init__(self, personas: Iterable[str], folder: Path, terms: Terms) -> None:
        """Find the files of a folder; each of the personas shows them.

        Raises:
            UsageError: There is no such folder, or nothing is in it.
        """
        self.personas = list(personas)
        self.files = files_of(folder)
        self.terms = terms
        self.config: dict[str, Any] = {"terms": vars(terms)}

    def shards(self) -> dict[str, list[str]]:
        """By persona, the hash of the names and bytes of all files."""
        states = [content_hash([file.state() for file in self.files])]
        return dict.fromkeys(self.personas, states)

    def run(self, _records: Sequence[Record], context: StageContext) -> Iterable[Record]:
        """The assets and captions of one persona; what cannot be taken in is a finding."""
        return Intake(context.shard, self.terms, context.blobs, context.emit).take(self.files)
