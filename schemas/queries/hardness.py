"""How hard a question is: what a reader must find, join and tell apart to answer it.

All of it follows from the records, so nothing of it is stored.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from memassay.schemas.base import Modality
from memassay.schemas.ids import parse_place
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, Mention
from memassay.schemas.records.question import QAItem

_PIXELS = frozenset({Modality.IMAGE, Modality.DOCUMENT})
_BANDS = {
    "rounds_needed": ((1, "1"), (2, "2"), (None, "3 or more")),
    "evidence_distance": ((0, "0"), (3, "1 to 3"), (None, "4 or more")),
    "updates": ((0, "0"), (1, "1"), (None, "2 or more")),
    "likeness": ((0, "0"), (3, "1 to 3"), (None, "4 or more")),
}
"""By measure, the largest number of each band and its name (our choice)."""


@dataclass(frozen=True)
class Hardness:
    """What makes one question hard.

    Attributes:
        rounds_needed: Fewest rounds that hold a place of every group of the evidence; 0 without.
        evidence_distance: Sessions from the first to the last of those rounds; None without.
        updates: How often the most often changed fact of the evidence was changed by then.
        likeness: Facts known by then that say the same property of somebody or something else.
        visual_share: Share of the evidence that is in pixels only (0 to 1).
        said_once: Whether each fact of the evidence can be seen in one round only; None without
            a ledger.
    """

    rounds_needed: int
    evidence_distance: int | None
    updates: int
    likeness: int
    visual_share: float
    said_once: bool | None

    def bands(self) -> Iterator[str]:
        """The band that each measure is in, by which scores are cut: `rounds_needed: 2`."""
        for name, bands in _BANDS.items():
            value = getattr(self, name)
            if value is not None:
                band = next(label for top, label in bands if top is None or value <= top)
                yield f"{name}: {band}"
        share = {0.0: "none", 1.0: "all"}.get(self.visual_share, "some")
        yield f"visual_share: {share}"
        if self.said_once is not None:
            yield f"said_once: {'yes' if self.said_once else 'no'}"


class HardnessMeter:
    """Measures the questions of one conversation."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a conversation with its questions; its ledger may be empty."""
        self._bundle = bundle

    @cached_property
    def _ledger(self) -> Ledger:
        return Ledger(self._bundle)

    def measure(self, item: QAItem) -> Hardness:
        """How hard a question is when it is asked.

        Raises:
            QueryError: The ledger is broken, or there is no such moment.
        """
        moment = self._ledger.moment(item.asked_at)
        facts = [
            self._ledger.facts[one] for one in item.evidence.facts if one in self._ledger.facts
        ]
        shown = [self._ledger.mentions_by(fact, moment) for fact in facts]
        rounds = needed_rounds(self._bundle, item)
        sessions = [self._ledger.session_position(self._ledger.session_of(one)) for one in rounds]
        stated = [mentions for mentions in shown if mentions]
        return Hardness(
            rounds_needed=len(rounds),
            evidence_distance=max(sessions) - min(sessions) if sessions else None,
            updates=max((self._updates(fact, moment) for fact in facts), default=0),
            likeness=len(self._alike(facts, moment)),
            visual_share=_visual_share(item, stated),
            said_once=all(_in_one_round(each) for each in stated) if stated else None,
        )

    def _updates(self, fact: Fact, moment: Moment) -> int:
        """Facts of the same chain, before and after it, that are known by a moment."""
        earlier, pending = set[str](), list(fact.supersedes)
        while pending:
            name = pending.pop()
            if name in self._ledger.facts and name not in earlier:
                earlier.add(name)
                pending += self._ledger.facts[name].supersedes
        chain = [self._ledger.facts[name] for name in earlier]
        chain += list(self._ledger.later(fact))
        return sum(self._ledger.is_known(one, moment) for one in chain if one.id != fact.id)

    def _alike(self, facts: list[Fact], moment: Moment) -> set[str]:
        """Ids of facts that say a property of the evidence of another subject."""
        own = {fact.subject for fact in facts}
        return {
            other.id
            for fact in facts
            for other in self._ledger.candidates(
                [("attribute", [self._ledger.sides[fact.id]["attribute"]])]
            )
            if other.subject not in own and self._ledger.is_known(other, moment)
        }


def _in_one_round(mentions: tuple[Mention, ...]) -> bool:
    return len({mention.round for mention in mentions}) == 1


def needed_rounds(bundle: Bundle, item: QAItem) -> list[str]:
    """Ids of few rounds that hold a place of every group of the evidence of an item.

    Rounds without an alternative first; of what is left, those that serve most groups. A place
    that does not exist needs no round.
    """
    groups = [
        frozenset(round_.id for place in group for round_ in bundle.rounds_of(place))
        for group in item.evidence.groups
    ]
    pending = [group for group in groups if group]
    chosen = {name for group in pending if len(group) == 1 for name in group}
    while pending := [group for group in pending if not group & chosen]:
        names = sorted({name for group in pending for name in group})
        chosen.add(max(names, key=lambda name: sum(name in group for group in pending)))
    return [round_.id for round_ in bundle.conversation.rounds() if round_.id in chosen]


def _visual_share(item: QAItem, shown: list[tuple[Mention, ...]]) -> float:
    """Share of facts that no text says; without a ledger, of places that are attachments.

    An item without a ledger that needs pixels alone cites the rounds that show them.
    """
    if shown:
        seen = [{mention.modality for mention in mentions} <= _PIXELS for mentions in shown]
    elif item.modalities and set(item.modalities) <= _PIXELS:
        seen = [True]
    else:
        places = [parse_place(place) for place in item.evidence.canonical]
        seen = [place is not None and place.attachment is not None for place in places]
    return sum(seen) / len(seen) if seen else 0.0
