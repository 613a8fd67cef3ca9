"""Which conversation a record belongs to, be it data or a judgement of data."""

from collections import Counter
from collections.abc import Iterable

from memassay.schemas.base import Record
from memassay.schemas.ids import conversation_of, natural_key
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.judgements.review import HeldOut
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Conversation


def belongs_to(record: Record) -> str:
    """Id of the conversation a record belongs to; a finding belongs to that of its target."""
    if isinstance(record, Finding):
        return conversation_of(record.target)
    if isinstance(record, HeldOut):
        return conversation_of(record.record)
    return conversation_of(record.id)


def source_of(talk: Conversation) -> str:
    """Id of the conversation that most sessions were cut out of; its own id if none was."""
    origins = [one.origin for one in talk.sessions if one.origin and "/" in one.origin]
    sources = Counter(conversation_of(one) for one in origins)
    return min(sources, key=lambda name: (-sources[name], natural_key(name)), default=talk.id)


def group_by_conversation(records: Iterable[Record]) -> dict[str, list[Record]]:
    """Records by the conversation they belong to, conversations in natural order of their ids."""
    groups: dict[str, list[Record]] = {}
    for record in sorted(records, key=lambda item: natural_key(item.id)):
        groups.setdefault(belongs_to(record), []).append(record)
    return dict(sorted(groups.items(), key=lambda pair: natural_key(pair[0])))


def bundles_of(records: Iterable[Record]) -> list[Bundle]:
    """Bundles of the conversations among records, in natural order of their ids."""
    return [
        Bundle.from_records(own)
        for own in group_by_conversation(records).values()
        if any(isinstance(record, Conversation) for record in own)
    ]
