"""All dialogues of one pack in a data set: each planned and worded alone, knowing earlier ones."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactValue
from memassay.synth.packs.files.pack_file import Pack
from memassay.synth.packs.plans.plan import Card, Plan
from memassay.synth.packs.plans.planning import plan_dialogue
from memassay.synth.packs.words.records import DialogueWriter
from memassay.synth.packs.words.twins import twin_wordings
from memassay.synth.packs.words.wording import Line, Wordings, choose_wordings

BLOCK = 60
"""Dialogues that know each other's wordings: a later one knows the earlier ones of its block."""


class Topic:
    """The dialogues of a pack, by their ordinal.

    A dialogue knows the wordings of the earlier ones of its block and nothing else, so that one
    more changes none before it and any one can be made alone.
    """

    def __init__(self, pack: Pack, seed: str, card_of: Callable[[int], Card]) -> None:
        """Take a pack, the seed of the data set, and what each dialogue is to be like."""
        self.pack, self.seed, self.card_of = pack, seed, card_of
        self._plans: dict[int, Plan] = {}
        self._words: dict[int, Wordings] = {}

    def plan(self, ordinal: int) -> Plan:
        """The plan of a dialogue; those of its earlier siblings are made first.

        Raises:
            UsageError: The pack has no dialogue of its card.
        """
        first = ordinal // BLOCK * BLOCK
        used: Counter[str] = Counter()
        for each in range(first, ordinal + 1):
            if each not in self._plans:
                shares = {name: times / (each - first) for name, times in used.items()}
                card = self.card_of(each)
                self._plans[each] = plan_dialogue(self.pack, self.seed, each, card, shares)
            used.update({step.scene for step in self._plans[each].steps if step.scene})
        return self._plans[ordinal]

    def wordings(self, ordinal: int) -> Wordings:
        """The wordings of a dialogue; those of its earlier siblings are chosen first."""
        first = ordinal // BLOCK * BLOCK
        siblings: list[frozenset[Line]] = []
        for each in range(first, ordinal + 1):
            if each not in self._words:
                self._words[each] = choose_wordings(self.plan(each), siblings)
            siblings.append(self._words[each].lines)
        return self._words[ordinal]

    def twin(
        self,
        ordinal: int,
        conversation: str,
        twin_of: str,
        path: str,
        blobs: BlobStore,
        asked: Collection[str] | None = None,
    ) -> Bundle | None:
        """The records of the modality twin of a dialogue; None if it can have none.

        Args:
            ordinal: Number of the dialogue among those of the pack.
            conversation: The id that the twin gets.
            twin_of: Id of the dialogue.
            path: Path of the recipe, and the collection it belongs to.
            blobs: Where its pictures go.
            asked: Names of facts of which one at least is left to a picture; None for any.
        """
        wordings = self.twin_words(ordinal, asked)
        if wordings is None:
            return None
        writer = DialogueWriter(self.plan(ordinal), wordings, conversation, path, blobs)
        return writer.bundle(twin_of)

    def twin_words(self, ordinal: int, asked: Collection[str] | None = None) -> Wordings | None:
        """The wordings of the modality twin of a dialogue; None if it can have none."""
        return twin_wordings(self.plan(ordinal), self.wordings(ordinal), asked)

    def bundle(
        self,
        ordinal: int,
        conversation: str,
        path: str,
        blobs: BlobStore,
        values: Sequence[FactValue] = (),
    ) -> Bundle:
        """The records of a dialogue, without questions.

        Args:
            ordinal: Its number among those of the pack.
            conversation: The id that it gets.
            path: Path of the recipe, and the collection it belongs to.
            blobs: Where its pictures go.
            values: What is true in it where people changed its plan, entry by entry.
        """
        plan, wordings = self.plan(ordinal), self.wordings(ordinal)
        if values:
            plan = plan.with_values(values)
        return DialogueWriter(plan, wordings, conversation, path, blobs).bundle()
