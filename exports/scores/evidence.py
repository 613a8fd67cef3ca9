"""Evidence of questions and finds of memories as rounds, the unit in which retrieval is scored."""

from collections.abc import Iterable

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem


def evidence_rounds(bundle: Bundle, item: QAItem) -> list[list[str]]:
    """The evidence of an item as groups of alternative rounds.

    A turn or an attachment represents its round, a session for any of its rounds. A place that
    does not exist stays as it is: no retriever can find it, and recall shows that.
    """
    groups = []
    for group in item.evidence.groups:
        names: list[str] = []
        for place in group:
            names += [round_.id for round_ in bundle.rounds_of(place)] or [place]
        groups.append(list(dict.fromkeys(names)))
    return groups


def rounds_at(bundle: Bundle, places: Iterable[str]) -> list[str]:
    """Ids of the rounds of some places, each once: of a turn, an attachment, a session.

    A place that is not in the history stays as it is.
    """
    found: dict[str, None] = {}
    for place in places:
        found |= dict.fromkeys([each.id for each in bundle.rounds_of(place)] or [place])
    return list(found)
