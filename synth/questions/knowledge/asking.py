"""KR and CD items of what was planted in a history, each proven by its query."""

from collections.abc import Sequence
from random import Random

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.mem_gallery import FORMAT_PROMPTS, TYPES
from memassay.schemas.errors import QueryError
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.knowledge.drafting import (
    DETECTION,
    RESOLUTION,
    detection,
    resolution,
)
from memassay.synth.questions.knowledge.planted import Planted
from memassay.synth.questions.proving import proven_item


def knowledge_items(
    history: Bundle, planted: Sequence[Planted], prefix: str, offset: int, random: Random
) -> list[QAItem]:
    """KR and CD questions of what was planted; one that no query proves is left out.

    Args:
        history: The finished history with its ledger.
        planted: What was planted in it.
        prefix: Of the ids of the items, behind the conversation: `ada/extension-`.
        offset: Drawn for each history, so that no kind of statement is always the outdated one.
        random: Of the history, for the order of wordings.
    """
    ledger = Ledger(history)
    names = Names(history, ledger)
    first = {
        mention.fact: mention.round.partition(":")[0]
        for mention in sorted(history.mentions, key=lambda one: -_position(one.round, history))
    }
    drafts = [(RESOLUTION, one) for one in resolution(planted)]
    drafts += [(DETECTION, one) for one in detection(planted, first, offset, random)]
    items: list[QAItem] = []
    for code, draft in drafts:
        item = _item(code, draft, f"{prefix}Q{len(items) + 1:03d}", ledger, names)
        if item is not None:
            items.append(item)
    return items


def _position(place: str, history: Bundle) -> int:
    return history.session_by_id[place.partition(":")[0]].index


def _item(code: str, draft: Draft, name: str, ledger: Ledger, names: Names) -> QAItem | None:
    try:
        item = proven_item(draft, name, code, TYPES[code].type, [Modality.TEXT], ledger)
    except QueryError:
        return None
    wording = wording_of(item, parse_query(draft.query), names)
    return item.model_copy(update={"wording": wording, "format_prompt": FORMAT_PROMPTS.get(code)})
