"""Questions of a talk: drafts whose queries prove them, so many of each category."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.synth.paths.m2a.talks.asking import chosen
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.proving import proven_item


@dataclass(frozen=True)
class Written:
    """A written conversation with its questions.

    Attributes:
        bundle: All of it.
        missing: By category, how many questions fewer there are than wanted.
    """

    bundle: Bundle
    missing: Mapping[str, int]


@dataclass(frozen=True)
class Quota:
    """So many questions of a category, from drafts of one kind."""

    code: str
    number: int
    drafts: Iterator[Draft]


def ask_questions(history: Bundle, quotas: Iterable[Quota], random: Random) -> Written:
    """A history with so many questions of each category, as far as there are drafts that hold.

    A refusal is asked where its twin, the same of somebody who did tell it, is asked before it.
    """
    bank = _Bank(history)
    items: list[QAItem] = []
    missing: dict[str, int] = {}
    for quota in quotas:
        code, number = quota.code, quota.number
        twins = {item.evidence.facts[0]: item for item in items if len(item.evidence.facts) == 1}
        mixed = [one for one in quota.drafts if not _is_refusal(one) or one.about[0] in twins]
        random.shuffle(mixed)
        made = bank.items(code, number, mixed, len(items), twins)
        items += made
        if len(made) < number:
            missing[code] = missing.get(code, 0) + number - len(made)
    return Written(history.model_copy(update={"questions": items}), missing)


class _Bank:
    """Makes items of drafts whose queries prove them; others are passed over."""

    def __init__(self, history: Bundle) -> None:
        self.history = history
        self.ledger = Ledger(history)
        self.names = Names(history, self.ledger)

    def items(
        self,
        code: str,
        number: int,
        drafts: Sequence[Draft],
        before: int,
        twins: Mapping[str, QAItem],
    ) -> list[QAItem]:
        proven = {each.key: item for each in drafts if (item := self._proven(code, each))}
        fit = chosen([draft for draft in drafts if draft.key in proven], number)
        return [
            self._finish(
                proven[draft.key],
                record_id(self.history.id, f"Q{at:03d}"),
                twins[draft.about[0]] if _is_refusal(draft) else None,
            )
            for at, draft in enumerate(fit, start=before + 1)
        ]

    def _proven(self, code: str, draft: Draft) -> QAItem | None:
        modalities = list(draft.modalities or [Modality.TEXT])
        name = record_id(self.history.id, "draft")
        try:
            return proven_item(draft, name, code, TYPES[code].type, modalities, self.ledger)
        except QueryError:
            return None

    def _finish(self, item: QAItem, name: str, twin: QAItem | None) -> QAItem:
        """An item under its id, with its wording; a refusal with its near miss."""
        update: dict[str, object] = {"id": name}
        if twin is not None:
            update |= {"twin_of": twin.id, "decoys": twin.evidence.canonical}
        named = item.model_copy(update=update)
        wording = wording_of(named, parse_query(item.query), self.names)
        return named.model_copy(update={"wording": wording})


def _is_refusal(draft: Draft) -> bool:
    return draft.format is AnswerFormat.REFUSAL
