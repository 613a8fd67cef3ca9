"""A stage that counts the words of all conversations, of which it holds one at a time."""

from collections.abc import Iterable
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.collection import Collection
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.contracts.rules import RuleRegistry
from memassay.schemas.judgements.finding import Severity

REPORTED = RuleRegistry()
WORDS = REPORTED.declare("toy.words", Severity.INFO, "A collection has words.", "toy: our choice")


class WordsStage:
    """How many words a collection has; it makes no records."""

    name = "words"
    version = "1"
    scope = Scope.COLLECTION
    reads = frozenset({"conversation"})

    def __init__(self) -> None:
        """Nothing in a recipe changes what it does."""
        self.config: dict[str, Any] = {}

    def run(self, collection: Collection, context: StageContext) -> Iterable[Record]:
        """Only a finding, about the collection."""
        talks = words = 0
        for bundle in collection.bundles():
            talks += 1
            words += sum(len(turn.text.split()) for turn in bundle.conversation.turns())
        said = f"toy: {words} words in {talks} conversations"
        context.emit(WORDS.finding("toy", "", said, "Nothing."))
        return ()
