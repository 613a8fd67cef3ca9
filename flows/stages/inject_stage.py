"""The stage that lets visitors into conversations: guests of a path, distractors of a recipe."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from memassay.schemas.base import Record
from memassay.schemas.contracts.paths import Visitors
from memassay.schemas.contracts.protocols import Scope, StageContext
from memassay.schemas.judgements.bank import BankTally, count_more
from memassay.schemas.records.bundle import Bundle


class InjectStage:
    """Conversations with their visitors, of any kind."""

    name = "inject"
    version = "4"
    scope = Scope.CONVERSATION
    reads = frozenset(
        {"conversation", "event", "fact", "mention", "asset", "concept", "question", "bank"}
    )

    def __init__(self, visitors: Sequence[Visitors]) -> None:
        """Take the visitors in the order in which they join."""
        self.visitors = visitors
        self.config: dict[str, Any] = {"visitors": [one.config for one in visitors]}
        # The engine does many units at once where a stage waits for models.
        models = [one.config["models"] for one in visitors if one.config.get("models")]
        self.config |= {"models": models} if models else {}

    def run(self, records: Sequence[Record], context: StageContext) -> Iterator[Record]:
        """The records of a conversation and of all who joined it."""
        host = Bundle.from_records(records)
        before = {item.id for item in host.questions}
        for visitors in self.visitors:
            host = visitors.join(host, context)
        yield from host.records()
        asked = Counter(
            item.benchmark_type
            for item in host.questions
            if item.id not in before and item.benchmark_type is not None
        )
        tallies = [one for one in records if isinstance(one, BankTally)]
        yield from count_more(tallies, host.id, asked)
