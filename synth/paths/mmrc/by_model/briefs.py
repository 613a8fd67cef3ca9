"""What a model must say, may say and must not say in each turn of a planned dialogue."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import locate, spoken_value
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, Turn
from memassay.schemas.records.ledger import Fact, FactValue, ValueType
from memassay.synth.extraction.stating import omission
from memassay.synth.packs.words.naming import in_mouth_of
from memassay.synth.packs.words.records import DEPICTS

Span = tuple[int, int]

_NOT_YET = "nobody has said it yet"
_NO_LONGER = "it is no longer so"
_IN_PICTURE = "it can be seen in the picture alone"


@dataclass(frozen=True)
class TurnBrief:
    """What one turn is to say.

    Attributes:
        turn: The turn in the pack's own words.
        must: Facts that it is the first to say.
        may: Facts that the pack's words say again.
        known: Facts that were said before and still hold.
        silent: Facts whose values it must not say, each with the reason.
        later: Facts that nobody has said or shown yet, of whatever value.
    """

    turn: Turn
    must: tuple[Fact, ...] = ()
    may: tuple[Fact, ...] = ()
    known: tuple[Fact, ...] = ()
    silent: tuple[tuple[Fact, str], ...] = ()
    later: tuple[Fact, ...] = ()

    def problems(self, text: str) -> list[str]:
        """What is wrong with a text of the turn, as a model is told."""
        missing = [omission(one) for one in self.must if not self._place(text, one)]
        extra = [
            f"It must not say {spoken_value(one.value)!r} ({one.attribute}): {why}."
            for one, why in self.silent
            if locate(text, _telltale(one))
        ]
        return missing + extra

    def places(self, text: str) -> Iterator[tuple[Fact, Span]]:
        """Where a text of the turn says its facts, in the order of the facts."""
        for fact in (*self.must, *self.may, *self.known):
            span = self._place(text, fact)
            if span is not None:
                yield fact, span
                # The same words elsewhere are those of another fact with the same value.
                text = text[: span[0]] + "\0" * (span[1] - span[0]) + text[span[1] :]

    def _place(self, text: str, fact: Fact) -> Span | None:
        found = locate(text, fact.value)
        if found is None and fact.value.type is not ValueType.NUMBER:
            spoken = in_mouth_of(self.turn.speaker, fact.value.text)
            found = locate(text, FactValue(type=ValueType.TEXT, text=spoken))
        return found


class Briefing:
    """Goes through a planned dialogue and says what each turn is to say."""

    def __init__(self, bundle: Bundle) -> None:
        """Take a dialogue in the pack's own words, and look up what they say where."""
        self.bundle = bundle
        facts = {fact.id: fact for fact in bundle.facts}
        self._said: dict[str, list[Fact]] = {}
        self._shown: dict[str, list[Fact]] = {}
        for one in self.bundle.mentions:
            by_turn = self._said if one.modality is Modality.TEXT else self._shown
            by_turn.setdefault(one.turn or "", []).append(facts[one.fact])
        self._in_words = {fact.id for some in self._said.values() for fact in some}
        self._told: dict[str, Fact] = {}
        self._seen: set[str] = set()
        self._replaced: set[str] = set()

    def round(self, round_: Round) -> list[TurnBrief]:
        """The turns of a round; rounds are gone through in order."""
        here = [fact for turn in round_.turns for fact in self._said.get(turn.id, [])]
        old = {other for fact in here for other in fact.supersedes}
        briefs = []
        for turn in round_.turns:
            briefs.append(self._brief(turn, old))
            for fact in self._said.get(turn.id, []):
                self._told.setdefault(fact.id, fact)
                self._replaced |= set(fact.supersedes)
        return briefs

    def _brief(self, turn: Turn, old: Collection[str]) -> TurnBrief:
        said = {fact.id for fact in self._said.get(turn.id, [])}
        self._seen |= {fact.id for fact in self._shown.get(turn.id, [])} | said
        own = [fact for fact in self.bundle.facts if fact.id in said]
        replaced = self._replaced | {other for fact in own for other in fact.supersedes}
        known = [
            fact
            for fact in self._told.values()
            if fact.id not in {*said, *replaced} and not (_is_name(fact) or _is_bare(fact))
        ]
        spoken = {spoken_value(fact.value) for fact in own}
        known = [fact for fact in known if spoken_value(fact.value) not in spoken]
        allowed = [*own, *known, *(fact for fact in self.bundle.facts if fact.id in old)]
        return TurnBrief(
            turn,
            must=tuple(fact for fact in own if fact.id not in self._told),
            may=tuple(fact for fact in own if fact.id in self._told),
            known=tuple(known),
            silent=tuple(self._silent(turn, allowed)),
            later=tuple(fact for fact in self.bundle.facts if fact.id not in self._seen),
        )

    def _silent(self, turn: Turn, allowed: Sequence[Fact]) -> Iterator[tuple[Fact, str]]:
        """What must not be said; what the pack's own words happen to say is none of it."""
        free = {spoken_value(fact.value) for fact in allowed}
        for fact in self.bundle.facts:
            if spoken_value(fact.value) in free or _is_name(fact):
                continue
            if locate(turn.text, _telltale(fact)) is None:
                yield fact, self._reason(fact)

    def _reason(self, fact: Fact) -> str:
        if fact.id not in self._in_words:
            return _IN_PICTURE
        return _NO_LONGER if fact.id in self._told else _NOT_YET


def _is_name(fact: Fact) -> bool:
    """Whether the words of a value are used for other ends, too: a name, what a picture is of."""
    return fact.attribute == DEPICTS or fact.value.type is ValueType.ENTITY


def _is_bare(fact: Fact) -> bool:
    """Whether a value is a number without a unit, which can mean anything."""
    return fact.value.type is ValueType.NUMBER and fact.value.unit is None


def _telltale(fact: Fact) -> FactValue:
    """The words that give a value away: a bare number does so with what it counts."""
    if not _is_bare(fact):
        return fact.value
    return FactValue(type=ValueType.TEXT, text=f"{fact.value.text} {fact.attribute}")
