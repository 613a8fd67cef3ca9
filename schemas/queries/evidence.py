"""From why to where: the places that prove what a query gave.

Fact, then mentions visible by asking time in an allowed modality, then groups of alternatives:
any full mention of a fact will do, so its rounds form one group.
"""

from collections.abc import Collection, Iterable

from memassay.schemas.base import Modality
from memassay.schemas.errors import NotVisibleError
from memassay.schemas.queries.executor import Execution
from memassay.schemas.queries.ledger import AUTHORITY, Ledger
from memassay.schemas.queries.scalars.dates import date_order
from memassay.schemas.queries.timeline import Moment
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactScope,
    FactStatus,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.records.question import AskedAt, Evidence


def evidence_of(
    execution: Execution,
    ledger: Ledger,
    asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
    modalities: Collection[Modality] = (),
    told: Collection[frozenset[str]] = (),
) -> Evidence:
    """The evidence of an execution.

    Args:
        execution: What a query gave over this ledger.
        ledger: The facts and mentions of one conversation.
        asked_at: When the query was asked.
        modalities: Where the question lets its reader look; empty for everywhere.
        told: Groups of rounds that tell what the question describes (`Things.rounds_telling`).

    Returns:
        Groups of round ids (a session id for a fact whose round is not known), by place; no
        group is a superset of another; `canonical` is the earliest of each; `facts` are the
        facts of why and, for implied ones, what entails them.

    Raises:
        NotVisibleError: A fact cannot be seen by then in these modalities.
        QueryError: Implied facts entail each other in a circle.
    """
    trail = _Trail(ledger, ledger.moment(asked_at), frozenset(modalities))
    for name in sorted(execution.why, key=ledger.rank.__getitem__):
        if name in execution.denials:
            trail.add_denial(ledger.facts[name])
        if name not in execution.denials or name in execution.told:
            trail.add(ledger.facts[name], ())
    kept = _smallest({*trail.groups, *told})
    places = {place: at for at, place in enumerate(ledger.places())}
    ordered = sorted(
        (sorted(group, key=lambda place: places[place]) for group in kept),
        key=lambda group: [places[place] for place in group],
    )
    return Evidence(
        groups=ordered,
        canonical=[group[0] for group in ordered],
        facts=sorted(trail.facts, key=ledger.rank.__getitem__),
    )


def decoy_places(
    execution: Execution,
    ledger: Ledger,
    asked_at: AskedAt = AskedAt(),  # noqa: B008 - immutable
) -> list[str]:
    """Rounds where near misses of an absence were first mentioned, the nearest miss first."""
    moment = ledger.moment(asked_at)
    shown = (ledger.mentions_by(ledger.facts[name], moment) for name in execution.decoys)
    return list(dict.fromkeys(seen[0].round for seen in shown if seen))


class _Trail:
    """Collects the groups and facts of one evidence."""

    def __init__(self, ledger: Ledger, moment: Moment, modalities: frozenset[Modality]) -> None:
        self._ledger, self._moment, self._modalities = ledger, moment, modalities
        self.groups: set[frozenset[str]] = set()
        self.facts: set[str] = set()

    def add(self, fact: Fact, way: tuple[str, ...]) -> None:
        """Add what shows a fact: its mentions, or what entails it, or (external) nothing."""
        self.facts.add(fact.id)
        if fact.status is FactStatus.INTERFERENCE:
            raise NotVisibleError(f"{fact.id}: expected a fact that can prove, got interference")
        if fact.scope is FactScope.QUESTION or fact.holder is FactHolder.EXTERNAL:
            return
        if fact.status is FactStatus.IMPLIED and fact.entailed_by:
            for other in self._ledger.entailers(fact, way):
                self.add(other, (*way, fact.id))
            return
        self.groups.update(self._groups(fact))

    def add_denial(self, fact: Fact) -> None:
        """Add where a fact is denied."""
        self.facts.add(fact.id)
        denials = self._ledger.denials(fact, self._moment)
        rounds = [each.round for each in denials if self._looked_at(each)]
        if not rounds:
            raise NotVisibleError(
                f"{fact.id}: expected a denial by asking time in {self._where}, got none; deny it "
                "there, or ask later"
            )
        self.groups.add(frozenset(rounds))

    def _looked_at(self, mention: Mention) -> bool:
        return not self._modalities or mention.modality in self._modalities

    @property
    def _where(self) -> str:
        return ", ".join(sorted(self._modalities)) or "any modality"

    def _groups(self, fact: Fact) -> list[frozenset[str]]:
        mentions = [
            mention
            for mention in self._ledger.mentions_by(fact, self._moment)
            if self._looked_at(mention)
        ]
        full = [mention for mention in mentions if mention.form is MentionForm.FULL]
        if full:
            return [frozenset(mention.round for mention in full)]
        if mentions and self._enough(fact, mentions):
            return [frozenset({mention.round}) for mention in mentions]
        unplaced = fact.id not in self._ledger.mentions
        if unplaced and fact.session is not None and fact.session in self._moment.sessions:
            return [frozenset({fact.session})]
        others = {one.modality.value for one in self._ledger.mentions_by(fact, self._moment)}
        elsewhere = f" (only in {', '.join(sorted(others))})" if others and not mentions else ""
        got = f"{len(mentions)} partial" if mentions else f"none{elsewhere}"
        raise NotVisibleError(
            f"{fact.id}: expected a full mention by asking time in {self._where}, got {got}; "
            "mention it there, let the reader look elsewhere, or ask later"
        )

    def _enough(self, fact: Fact, partial: list[Mention]) -> bool:
        """Whether partial mentions give a fact away: several together, or with what all can see.

        The date of a session is that of each of its rounds, and a round may have its own, so
        "today" gives a date away. Of a rank of sources only the order is ever stated, and only
        the order is used.
        """
        if len(partial) > 1 or fact.attribute == AUTHORITY:
            return True
        told = self._ledger.round_date(partial[0].round)
        return (
            fact.value.type is ValueType.DATE
            and told is not None
            and date_order(told[:10], fact.value.text) in {0, None}
        )


def _smallest(groups: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    """The groups of which no part is a group: a reader of that part has read them."""
    distinct = set(groups)
    return [group for group in distinct if not any(other < group for other in distinct)]
