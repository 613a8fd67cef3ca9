"""A life on its way: one conversation, and what was changed to make it one."""

from dataclasses import dataclass

from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle


@dataclass(frozen=True)
class Change:
    """What an `Alteration` says, before the life is finished and its changes are numbered.

    Attributes:
        kind: What was done.
        place: Turn, round or session where it was done: `D3:7.1`. While members are apart, with
            the conversation before it: `alex/D3:7.1`; of what is left out the dialogue, `alex/D3`.
        before: The text as it was; empty for what is new.
        after: The text as it is; empty for what was taken out.
        reason: Why, and what it agrees with or contradicts.
        facts: Ids of facts that it brings.
    """

    kind: AlterationKind
    place: str
    before: str
    after: str
    reason: str
    facts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Life:
    """One conversation with all that belongs to it, and what was changed so far."""

    bundle: Bundle
    alterations: tuple[Change, ...] = ()
