"""Which sessions, facts and questions of a conversation came with visitors."""

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.records.question import QAItem
from memassay.validators.places import evidence_rounds, is_visitor


def visitors(bundle: Bundle) -> list[Session]:
    """Sessions of guests and of distractors, in the order of the conversation."""
    return [one for one in bundle.conversation.sessions if is_visitor(one)]


def has_visitors(bundle: Bundle) -> bool:
    """Whether any session of a conversation came from another one."""
    return any(map(is_visitor, bundle.conversation.sessions))


def is_of_visitor(bundle: Bundle, item: QAItem) -> bool:
    """Whether a question came with a visitor: it cites visitors alone, or has the name of one."""
    came = {one.id for one in visitors(bundle)}
    cited = {each.id.partition(":")[0] for each in evidence_rounds(bundle, item)}
    if cited:
        return cited <= came
    origins = {one.origin for one in visitors(bundle)}
    return any(item.id.partition("/")[2].startswith(f"{name}-") for name in origins)


def facts_of_visitors(bundle: Bundle) -> frozenset[str]:
    """Ids of the facts that only sessions of visitors state, and of what follows from them."""
    came = {one.id for one in visitors(bundle)}
    seen: dict[str, set[str]] = {}
    for mention in bundle.mentions:
        seen.setdefault(mention.fact, set()).add(mention.round.partition(":")[0])
    found = {name for name, places in seen.items() if places <= came}
    found |= {one.id for one in bundle.facts if one.id not in seen and one.session in came}
    while more := {
        one.id
        for one in bundle.facts
        if one.id not in found | seen.keys() and not found.isdisjoint(one.entailed_by)
    }:
        found |= more
    return frozenset(found)


def without_visitors(bundle: Bundle) -> Bundle:
    """The history with the facts and mentions of the host alone.

    Its sessions stay, so that a question is asked at the same moment.
    """
    came = {one.id for one in visitors(bundle)}
    theirs = facts_of_visitors(bundle)
    mentions = [one for one in bundle.mentions if one.round.partition(":")[0] not in came]
    facts = [one for one in bundle.facts if one.id not in theirs]
    return bundle.history.model_copy(update={"facts": facts, "mentions": mentions})
