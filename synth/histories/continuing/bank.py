"""Questions about the sessions that a history got behind its last one."""

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Final

from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.keyed_random import KeyedRandom
from memassay.synth.questions.bank import QuestionBank
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.history import History
from memassay.synth.questions.kinds import QuestionKind
from memassay.synth.questions.refusing import with_twins
from memassay.synth.world.grammar import Randoms
from memassay.synth.world.persona_file import PersonaFile

_SPARE: Final = 2
"""Questions of a type that are made beyond its share, for types that fall short (our choice)."""


class ContinuedBank(QuestionBank):
    """Questions that rest on a new session, beside whatever they rest on of the others."""

    def __init__(
        self, history: History, randoms: Randoms, kinds: Mapping[str, QuestionKind], name: str
    ) -> None:
        """Take a longer history, and the `origin` of its new sessions."""
        super().__init__(history, randoms, kinds)
        self._name = name
        sessions = history.bundle.conversation.sessions
        self._new = {one.id for one in sessions if one.origin == name}
        self._asked = {item.question.text for item in history.bundle.questions}

    def takes(self, draft: Draft) -> bool:
        """Whether a draft is about something new, and was not asked before."""
        places = {place for one in draft.about for place in self.history.anchors(one)}
        new = any(place.partition(":")[0] in self._new for place in places)
        return new and draft.text not in self._asked

    def name_of(self, code: str, number: int) -> str:
        """What an item is called: with the name of the new sessions before its type."""
        return f"{self._name}-{code}-{number:04d}"


def continued_items(
    longer: Bundle,
    persona: PersonaFile,
    kinds: Mapping[str, QuestionKind],
    name: str,
    number: int,
    context: StageContext,
) -> list[QAItem]:
    """So many questions about the new sessions of a history, type by type in turn.

    Args:
        longer: The history with its new sessions.
        persona: Whose it is.
        kinds: The path's types of question, by code.
        name: The `origin` of the new sessions.
        number: How many questions, at most.
        context: Draws.
    """

    def randoms(*purpose: str) -> KeyedRandom:
        return context.random(name, *purpose)

    bank = ContinuedBank(History(longer, persona), randoms, kinds, name)
    share = -(-number // max(len(kinds), 1)) + _SPARE
    made = [bank.of_type(code, share)[0] for code in kinds]
    chosen = [item for row in zip_longest(*made) for item in row if item is not None][:number]
    return list(_pair_refusals(chosen, Ledger(longer)))


def _pair_refusals(items: list[QAItem], ledger: Ledger) -> Iterator[QAItem]:
    """Items, each refusal with its near miss and an answerable twin."""
    refusals = [one for one in items if one.answer.format is AnswerFormat.REFUSAL]
    others = [one for one in items if one.answer.format is not AnswerFormat.REFUSAL]
    paired = {one.id: one for one in with_twins(refusals, others, ledger)}
    for item in items:
        yield paired.get(item.id, item)
