"""The ledger as queries see it: facts by subject and attribute, mentions in order, moments.

Everything is ordered by place in the conversation and by id, never by the order of records.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from memassay.schemas.errors import QueryError
from memassay.schemas.ids import natural_key, parse_place
from memassay.schemas.queries.timeline import Moment, Timeline
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import (
    Fact,
    FactHolder,
    FactOperation,
    FactScope,
    FactStatus,
    Mention,
    MentionForm,
    ValueType,
)
from memassay.schemas.values.civil_time import is_when
from memassay.schemas.values.text import normalise

AUTHORITY = "authority"
"""Attribute by which a fact ranks a source; the larger number is believed."""


class Ledger(Timeline):
    """An indexed view of a bundle's facts and mentions, built once and asked often."""

    def __init__(self, bundle: Bundle) -> None:
        """Index a bundle; nothing of it is changed or kept beside its facts and mentions.

        Raises:
            QueryError: Two facts share an id, or a mention is of a fact or round that does not
                exist.
        """
        super().__init__(bundle.conversation)
        self.facts = {
            fact.id: fact for fact in sorted(bundle.facts, key=lambda fact: natural_key(fact.id))
        }
        if len(self.facts) < len(bundle.facts):
            twice = next(name for name in self.facts if _times(bundle.facts, name) > 1)
            raise QueryError(f"{twice}: expected one fact of this id, got more; rename the others")
        self.rank = {fact: at for at, fact in enumerate(self.facts)}
        self.sides = {fact.id: _sides(fact) for fact in self.facts.values()}
        self.mentions = self._mentions_by_fact(bundle.mentions)
        self.position = {fact: at for at, fact in enumerate(self._in_order())}
        self._by_key: dict[tuple[str, str], list[Fact]] = {}
        for fact in sorted(self.facts.values(), key=lambda fact: self.position[fact.id]):
            for key in self.sides[fact.id].items():
                self._by_key.setdefault(key, []).append(fact)

    def _mentions_by_fact(self, mentions: Iterable[Mention]) -> dict[str, tuple[Mention, ...]]:
        found: dict[str, list[Mention]] = {}
        for mention in mentions:
            if mention.fact not in self.facts or mention.round not in self._place:
                missing = mention.fact if mention.fact not in self.facts else mention.round
                raise QueryError(
                    f"{mention.id}: expected a fact and a round that exist, got {missing!r}; "
                    "correct or drop the mention"
                )
            found.setdefault(mention.fact, []).append(mention)
        return {
            fact: tuple(sorted(each, key=self._order_of_mention)) for fact, each in found.items()
        }

    def _order_of_mention(self, mention: Mention) -> tuple[int, int, object]:
        """By round, turn and id; a mention that names no turn comes before those that do."""
        turn = parse_place(mention.turn) if mention.turn is not None else None
        return self._place[mention.round], (turn.turn or 0) if turn else 0, natural_key(mention.id)

    def _in_order(self) -> list[str]:
        """Fact ids by first mention (a denial is none), then by id; those without come last."""
        beyond = len(self._place) + 1

        def key(fact: str) -> tuple[int, int]:
            shown = [
                self._place[mention.round]
                for mention in self.mentions.get(fact, ())
                if mention.form is not MentionForm.DENIED
            ]
            return (min(shown, default=beyond), self.rank[fact])

        return sorted(self.facts, key=key)

    @cached_property
    def superseders(self) -> dict[str, tuple[Fact, ...]]:
        """By fact, the facts that supersede it directly; interference supersedes nothing."""
        found: dict[str, list[Fact]] = {}
        for fact in self.facts.values():
            if fact.status is not FactStatus.INTERFERENCE:
                for other in fact.supersedes:
                    found.setdefault(other, []).append(fact)
        return {other: tuple(facts) for other, facts in found.items()}

    def side(self, fact: Fact, name: str) -> str | None:
        """Normalised text of one side of a fact; None for a source that is not stated."""
        return self.sides[fact.id].get(name)

    def candidates(self, keys: Iterable[tuple[str, Iterable[str]]]) -> list[Fact]:
        """Facts that may fit: those of the rarest of some (side, texts), in order of place.

        Args:
            keys: Sides `subject`, `attribute`, `value` or `source`, each with normalised texts
                of which any will do. None of them: every fact.
        """
        best: list[list[Fact]] | None = None
        for side, texts in keys:
            found = [self._by_key.get((side, text), []) for text in sorted(set(texts))]
            if best is None or sum(map(len, found)) < sum(map(len, best)):
                best = found
        if best is None:
            return self.in_order(self.facts.values())
        return best[0] if len(best) == 1 else self.in_order(fact for each in best for fact in each)

    def in_order(self, facts: Iterable[Fact]) -> list[Fact]:
        """Distinct facts by place of their first mention, then by id."""
        distinct = {fact.id: fact for fact in facts}
        return sorted(distinct.values(), key=lambda fact: self.position[fact.id])

    def mentions_by(self, fact: Fact, moment: Moment) -> tuple[Mention, ...]:
        """Mentions of a fact made by a moment, earliest first; denials are none."""
        return tuple(
            mention
            for mention in self.mentions.get(fact.id, ())
            if mention.form is not MentionForm.DENIED
            and self._session_of[mention.round] in moment.sessions
        )

    def is_known(self, fact: Fact, moment: Moment) -> bool:
        """Whether a fact is known by a moment: stated, general knowledge, or entailed by such."""
        return self._is_known(fact, moment, ())

    def _is_known(self, fact: Fact, moment: Moment, way: tuple[str, ...]) -> bool:
        if fact.scope is FactScope.QUESTION or fact.holder is FactHolder.EXTERNAL:
            return True
        if self.mentions_by(fact, moment):
            return True
        if fact.status is FactStatus.IMPLIED:
            return bool(fact.entailed_by) and all(
                self._is_known(other, moment, (*way, fact.id))
                for other in self.entailers(fact, way)
            )
        return fact.id not in self.mentions and fact.session in moment.sessions

    def entailers(self, fact: Fact, way: tuple[str, ...] = ()) -> list[Fact]:
        """The facts that entail a fact.

        Raises:
            QueryError: One of them does not exist, or is on the way here: a cycle.
        """
        for other in fact.entailed_by:
            if other == fact.id or other in way or other not in self.facts:
                wrong = "a chain back to" if other in self.facts else "the unknown"
                raise QueryError(
                    f"{fact.id}.entailed_by: expected facts that end in what is said, got "
                    f"{wrong} {other}; drop the link"
                )
        return [self.facts[other] for other in fact.entailed_by]

    def later(self, fact: Fact) -> Iterator[Fact]:
        """Facts that supersede a fact: directly, then through others; deletions first, by place."""
        found: set[str] = set()
        nearest = [fact]
        while nearest:
            direct = {
                other.id: other
                for one in nearest
                for other in self.superseders.get(one.id, ())
                if other.id not in found
            }
            found |= direct.keys()
            nearest = sorted(
                direct.values(),
                key=lambda one: (
                    one.operation is not FactOperation.DELETE,
                    self.position[one.id],
                ),
            )
            yield from nearest

    def is_denied(self, fact: Fact, moment: Moment) -> bool:
        """Whether a retracted fact was taken back by a moment.

        It was once a denial or a fact that supersedes it, maybe through others, has been seen.
        Where the ledger says neither, it is taken back from the start.
        """
        if fact.status is not FactStatus.RETRACTED:
            return False
        denied = any(
            mention.form is MentionForm.DENIED for mention in self.mentions.get(fact.id, ())
        )
        replaced = list(self.later(fact))
        if not denied and not replaced:
            return True
        return bool(self.denials(fact, moment)) or any(
            self.is_known(other, moment) for other in replaced
        )

    def denials(self, fact: Fact, moment: Moment) -> tuple[Mention, ...]:
        """Mentions by a moment that deny a fact, earliest first."""
        return tuple(
            mention
            for mention in self.mentions.get(fact.id, ())
            if mention.form is MentionForm.DENIED
            and self._session_of[mention.round] in moment.sessions
        )

    def told_in(self, fact: Fact, moment: Moment) -> str | None:
        """The session a fact was first stated in by a moment; None if it was not."""
        seen = self.mentions_by(fact, moment)
        if seen:
            return self._session_of[seen[0].round]
        return fact.session if fact.session in moment.sessions else None

    def told_on(self, fact: Fact, moment: Moment) -> str | None:
        """`When` a fact was first stated by a moment, by round or session; None if undated."""
        seen = self.mentions_by(fact, moment)
        if seen:
            return self.round_date(seen[0].round)
        told = self.told_in(fact, moment)
        return self._dates[told] if told is not None else None

    def date(self, fact: Fact, moment: Moment) -> str | None:
        """When what a fact states was: `valid_from`, a value that is a date, the telling."""
        if fact.valid_from is not None:
            return fact.valid_from
        if fact.value.type is ValueType.DATE and is_when(fact.value.text):
            return fact.value.text
        return self.told_on(fact, moment)

    def holds_from(self, fact: Fact, moment: Moment) -> str | None:
        """Since when a fact holds: `valid_from`, else the telling."""
        return fact.valid_from or self.told_on(fact, moment)


def _times(facts: Iterable[Fact], name: str) -> int:
    return sum(fact.id == name for fact in facts)


def _sides(fact: Fact) -> dict[str, str]:
    """Normalised texts of the sides of a fact that filters and joins compare."""
    sides = {
        "subject": normalise(fact.subject),
        "attribute": normalise(fact.attribute),
        "value": normalise(fact.value.text),
    }
    return sides if fact.source is None else {**sides, "source": normalise(fact.source)}
