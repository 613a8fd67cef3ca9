"""A model that says which points the entries of a memory say, in place of the matcher."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memassay.exports.lifecycle.points import LedgerPoints
from memassay.exports.lifecycle.reading import JudgedText
from memassay.flows.calls.authors import AuthorPool
from memassay.schemas.contracts.calls import CallTrace
from memassay.schemas.errors import AuthorError
from memassay.synth.models.probe_tasks import entries_judgement

STAGE: Final = "judging"
_AT_ONCE: Final = 10
"""Entries that one request shows (our choice)."""


@dataclass(frozen=True)
class EntryJudge:
    """A model that reads entries.

    Attributes:
        pool: Reaches the model.
    """

    pool: AuthorPool

    def read(self, points: LedgerPoints, texts: Sequence[str]) -> dict[str, JudgedText]:
        """By text, what it says; one of which no reply can be used is left to the matcher.

        Raises:
            EndpointError: The endpoint answers nobody.
        """
        if not points.points:
            return {}
        batches = [(points, texts[at : at + _AT_ONCE]) for at in range(0, len(texts), _AT_ONCE)]
        found: dict[str, JudgedText] = {}
        for replies in self.pool.each(batches, self._one):
            found |= replies
        return found

    async def _one(self, batch: tuple[LedgerPoints, Sequence[str]]) -> dict[str, JudgedText]:
        points, texts = batch
        names = [point.id for point in points.points]
        task = entries_judgement(
            texts, [point.content for point in points.points], points.conversation
        )
        try:
            reply = await self.pool.write(task, CallTrace(STAGE))
        except AuthorError:
            return {}
        return {
            texts[one.entry - 1]: JudgedText(frozenset(_names_at(names, one.points)), one.about)
            for one in reply.entries
            if one.entry <= len(texts)
        }


def _names_at(names: Sequence[str], numbers: Sequence[int]) -> Iterator[str]:
    """Ids by their numbers from 1; a number of none is nothing."""
    return (names[number - 1] for number in numbers if 1 <= number <= len(names))
