"""The stage that knows which items of earlier versions were wrong."""

from collections.abc import Iterable
from typing import Any

from memassay.flows.engine.edit_rules import erratum_stands
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.hashing import content_hash
from memassay.schemas.judgements.erratum import ErratumStatus, ReleasedErratum


class ErrataStage:
    """Confirmed errata go on to the release; what is as they found it is reported as an error.

    Its gate asks people or holds the item out, as the recipe says. An item that was edited is
    another one, and passes.
    """

    name = "errata"
    version = "1"
    scope = Scope.COLLECTION
    reads = frozenset({"question"})

    def __init__(self, errata: Iterable[ReleasedErratum], release: str) -> None:
        """Take the confirmed errata of a data set."""
        self.errata = [
            one
            for one in errata
            if one.status is ErratumStatus.CONFIRMED and one.release == release
        ]
        self.config: dict[str, Any] = {"errata": [content_hash(one) for one in self.errata]}

    def run(self, collection: Collection, context: StageContext) -> list[ReleasedErratum]:
        """The errata; what is in the stream as it was, is reported."""
        asked = {one.item for one in self.errata}
        states = {one.id: content_hash(one) for one in collection.of("question") if one.id in asked}
        for erratum in self.errata:
            if states.get(erratum.item) == erratum.item_sha256:
                context.emit(erratum_stands(erratum))
        return self.errata
