"""What a history says, shows or can be read in its pictures against a fact of its ledger."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, FactStatus, Mention, MentionForm, ValueType
from memassay.schemas.values.text import holds
from memassay.validators.drift.said_values import Properties
from memassay.validators.drift.sentences import sentences, split
from memassay.validators.drift.spoken_dates import spoken_dates
from memassay.validators.places import Parts, attachments, turns

_NO: Final = r"(?:not|never|no longer|n't|cannot be|can't be)"
_FALSE: Final = (
    r"(?:wrong|incorrect|mistaken|untrue|false|nonsense|outdated|a (?:guess|mistake|typo|slip)|"
    r"not (?:right|true|correct|so|the))"
)
_BEFORE: Final = re.compile(
    rf"(?:\b(?:is|was|were|are|been|be|say|said)\b ?{_NO}|{_NO} (?:been|be|the|really)?|"
    r"\bscratch (?:the|that)|"
    r"\b(?:forget|strike|ignore|disregard|discard|replace|delete|undo)(?: the| that| about)*|"
    r"\b(?:confirm|believe|trust|believes|trusts)(?: that| the)*(?: [\w' ]{1,60} (?:is|was))?)"
    r"(?: an?| the| exactly| quite)? ?[\"'“‘]?$",
    re.IGNORECASE,
)
"""What takes back the value that it stands before."""
_DOUBTED: Final = re.compile(r"\b(?:nobody|no one|no longer|not|never|n't|cannot)\b", re.IGNORECASE)
_BELIEF: Final = re.compile(r"\b(?:confirm|believe|trust)s?\b", re.IGNORECASE)
_AFTER: Final = re.compile(
    rf"^[\"'”’]?,? ?(?:[\w' ]{{1,30}} )?(?:is|was|are|were|were never|turned out to be) {_FALSE}\b|"
    r"^[^.;]*, I (?:made (?:that|it) up|mixed)",
    re.IGNORECASE,
)
"""What takes back the value that it stands behind."""
_STEP: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|next|final|one more|another|extra|missing|wrong|"
    r"other) (?:\w+ )?steps?\b|\bsteps? (?:is|was|are|were|comes?|is) missing\b|"
    r"\bstep (?:\d+|one|two|three|four|five)\b",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\b(?:before|after|between|leave out|skip|drop|forgot|missing|instead|swap|exchange|insert|"
    r"add|earlier|later|in front of|never do|nobody does|reverse)\b",
    re.IGNORECASE,
)


class Contradiction(NamedTuple):
    """Words against a fact.

    Attributes:
        facts: Ids of the facts they speak against.
        parts: Parts of the JSON Pointer to the text, in the conversation.
        round: Id of the round.
        expected: What the ledger has.
        text: The words.
    """

    facts: frozenset[str]
    parts: Parts
    round: str
    expected: str
    text: str


def contradictions(bundle: Bundle) -> list[Contradiction]:
    """Every contradiction of a history that has a ledger, in order of place.

    A value that a property never has, a value taken back that the ledger keeps, a change of a
    procedure in the turn that tells it. What the ledger knows as taken back is none.
    """
    said = Said(bundle)
    return [*said.other_values(), *said.taken_back(), *said.changed_steps(), *said.in_pictures()]


class Said:
    """The sentences of a history beside its ledger."""

    def __init__(self, bundle: Bundle) -> None:
        """Index the mentions by turn and by round."""
        self._bundle, self._properties = bundle, Properties(bundle)
        self._facts = {fact.id: fact for fact in bundle.facts}
        self._by_turn: dict[str, list[Mention]] = {}
        self._by_round: dict[str, set[str]] = {}
        self._denied = {one.fact for one in bundle.mentions if one.form is MentionForm.DENIED}
        for mention in bundle.mentions:
            if mention.turn:
                self._by_turn.setdefault(mention.turn, []).append(mention)
            self._by_round.setdefault(mention.round, set()).add(mention.fact)

    def other_values(self) -> Iterator[Contradiction]:
        """Sentences that give a property a value it never has."""
        for one in sentences(self._bundle):
            yield from self._other_values(one.text, one.parts, one.said_in.id, owned=False)

    def taken_back(self) -> Iterator[Contradiction]:
        """Sentences that take back what their turn states, or what they name in full."""
        for parts, turn in turns(self._bundle):
            for sentence in split(turn.text):
                round_ = turn.id.rpartition(".")[0]
                near = (*self._stated(turn.id), *self._properties.named(sentence))
                for fact in {fact.id: fact for fact in near}.values():
                    if _takes_back(sentence, fact) and not self._known(fact, round_):
                        expected = f"{fact.attribute}: {fact.value.text}"
                        ids = frozenset({fact.id})
                        yield Contradiction(ids, (*parts, "text"), round_, expected, sentence)

    def changed_steps(self) -> Iterator[Contradiction]:
        """Sentences that change a procedure in the turn that tells its steps."""
        for parts, turn in turns(self._bundle):
            steps = [fact for fact in self._stated(turn.id) if fact.order is not None]
            for sentence in split(turn.text) if steps else ():
                if any(holds(sentence, fact.value.text) for fact in steps):
                    continue
                if _STEP.search(sentence) and _CHANGED.search(sentence):
                    expected = f"{steps[0].attribute}: the steps of the ledger"
                    ids = frozenset(fact.id for fact in steps)
                    round_ = turn.id.rpartition(".")[0]
                    yield Contradiction(ids, (*parts, "text"), round_, expected, sentence)

    def in_pictures(self) -> Iterator[Contradiction]:
        """Captions and transcriptions that give a property a value it never has."""
        for parts, turn, shown in attachments(self._bundle):
            asset = self._bundle.asset_by_id.get(shown.asset)
            read = ((asset and asset.transcription) or "").splitlines()
            for text in (*split(shown.caption or ""), *read):
                yield from self._other_values(text, parts, turn.id.rpartition(".")[0], owned=True)

    def _other_values(
        self, text: str, parts: Parts, round_: str, *, owned: bool
    ) -> Iterator[Contradiction]:
        """What a text gives a property that it never has; `owned` as for `Properties`."""
        for known, wrong in self._properties.contradicted(text, owned=owned):
            right = " or ".join(fact.value.text for fact in known.facts)
            expected = f"{' '.join(known.words)}: {right}"
            ids = frozenset(fact.id for fact in known.facts)
            yield Contradiction(ids, parts, round_, expected, wrong)

    def _stated(self, turn: str) -> list[Fact]:
        return [
            self._facts[mention.fact]
            for mention in self._by_turn.get(turn, ())
            if mention.form is not MentionForm.DENIED and mention.fact in self._facts
        ]

    def _known(self, fact: Fact, round_: str) -> bool:
        """Whether the ledger knows that a fact is taken back, replaced there or a joke."""
        here = [self._facts[name] for name in self._by_round.get(round_, ()) if name in self._facts]
        return (
            fact.status is not FactStatus.ASSERTED
            or any(fact.id in other.supersedes for other in here)
            or fact.id in self._denied
        )


def _takes_back(sentence: str, fact: Fact) -> bool:
    """Whether a sentence says of the value of a fact, wherever it names it, that it is not so."""
    places = _places_of(sentence, fact)
    return bool(places) and all(_denied(sentence[:start], sentence[end:]) for start, end in places)


def _denied(before: str, after: str) -> bool:
    doubted = not _BELIEF.search(before) or _DOUBTED.search(before)
    return bool((_BEFORE.search(before) and doubted) or _AFTER.search(after))


def _places_of(sentence: str, fact: Fact) -> list[tuple[int, int]]:
    """Where a sentence names the value of a fact; days in words, as people write them."""
    if fact.value.type is ValueType.DATE:
        days = spoken_dates(sentence)
        return [(one.start, one.end) for one in days if one.day.isoformat() == fact.value.text]
    text = fact.value.text
    # Most sentences do not have it, and a pattern of its own costs much; letters beyond ASCII
    # have more than two cases.
    if text.isascii() and sentence.isascii() and text.lower() not in sentence.lower():
        return []
    pattern = rf"(?<![\w.,-]){re.escape(text)}(?!\w)"
    return [found.span() for found in re.finditer(pattern, sentence, re.IGNORECASE)]
