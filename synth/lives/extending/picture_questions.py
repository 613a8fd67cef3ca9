"""Questions of what only a picture of a new session shows."""

from collections.abc import Iterator, Sequence

from memassay.schemas.base import Modality
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.schemas.records.question_type import QuestionType
from memassay.synth.lives.extending.filled_arcs import FilledArc
from memassay.synth.questions.drafts import Draft, get, select
from memassay.synth.questions.proving import proven_item
from memassay.synth.questions.recall import answer_format


def picture_items(history: Bundle, filled: Sequence[FilledArc], prefix: str) -> list[QAItem]:
    """Questions of what pictures of arcs show and nobody says; what no query proves is left out.

    Args:
        history: The life with its new sessions.
        filled: Their arcs.
        prefix: Of the ids of the items, behind the conversation: `ada/extension-P`.
    """
    ledger = Ledger(history)
    names = Names(history, ledger)
    kind = QuestionType.VISUAL_REASONING
    items: list[QAItem] = []
    for draft in _drafts(filled):
        name = f"{prefix}{len(items) + 1:03d}"
        try:
            item = proven_item(draft, name, kind.value, kind, [Modality.IMAGE], ledger)
        except QueryError:
            continue
        wording = wording_of(item, parse_query(draft.query), names)
        items.append(item.model_copy(update={"wording": wording}))
    return items


def _drafts(filled: Sequence[FilledArc]) -> Iterator[Draft]:
    for one in filled:
        for image in one.arc.images.values():
            for key, slot in image.lines.items():
                if slot in one.later:
                    continue
                fact = one.first[slot]
                text = f'What does the {image.about} say beside "{key}"?'
                yield Draft(text, get(select(fact)), answer_format(fact), (fact.id,))
