"""Where points are told, and whether a text states one: its value, of its subject and attribute."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from memassay.schemas.changes.locating import locate, spoken_value
from memassay.schemas.queries.asked.words import words_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Attachment, SpeakerKind, Turn
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
from memassay.schemas.values.caches import text_cache
from memassay.schemas.values.text import content_tokens
from memassay.validators.wording import key_words, says

_TOLD: Final = frozenset({FactStatus.ASSERTED, FactStatus.INTERFERENCE})
_END: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_LINE: Final = re.compile(r"(?<=[.!?])\s+|\n+|;\s+")
_SHORTEST: Final = 3
"""Letters of the shortest word that another begins with."""
_ENDED: Final = frozenset(
    {"no", "not", "nobody", "never", "longer", "without", "off", "away", "lost"}
)
"""Words of which one tells that a value that is named is no longer so."""


def is_point(fact: Fact) -> bool:
    """Whether a fact is a memory point: told in the history, with a sentence of its own."""
    return (
        fact.statement is not None
        and fact.scope is FactScope.HISTORY
        and fact.holder is not FactHolder.EXTERNAL
        and fact.status in _TOLD
    )


def has_points(bundle: Bundle) -> bool:
    """Whether what a conversation tells is to be remembered: it is asked about at checkpoints."""
    return bool(bundle.conversation.checkpoints) and any(map(is_point, bundle.facts))


def is_sentence_alone(fact: Fact) -> bool:
    """Whether nothing is known of a point but its sentence, as of those that were imported."""
    return fact.value.text == fact.statement


@text_cache(1 << 14)
def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a text."""
    return tuple(part for part in _END.split(text) if part.strip())


def lines_of(text: str) -> list[str]:
    """Sentences and lines of what is read in a picture."""
    return [part for part in _LINE.split(text) if part.strip()]


@dataclass(frozen=True)
class Points:
    """The points of one conversation and where each is told.

    Attributes:
        bundle: The conversation.
    """

    bundle: Bundle

    @cached_property
    def facts(self) -> list[Fact]:
        """Every point, if there are any."""
        return list(filter(is_point, self.bundle.facts)) if has_points(self.bundle) else []

    @cached_property
    def mentions(self) -> dict[str, list[Mention]]:
        """Mentions that lead somewhere, by fact, in the order of the history."""
        found: dict[str, list[Mention]] = {}
        order = {turn.id: at for at, turn in enumerate(self.bundle.conversation.turns())}
        placed = [one for one in self.bundle.mentions if one.turn in order]
        for mention in sorted(placed, key=lambda one: order[str(one.turn)]):
            found.setdefault(mention.fact, []).append(mention)
        return found

    @cached_property
    def people(self) -> frozenset[str]:
        """Names of those who speak for themselves."""
        speakers = self.bundle.conversation.speakers
        return frozenset(
            each.name for each in speakers if each.kind is not SpeakerKind.ASSISTANT and each.name
        )

    @cached_property
    def things(self) -> frozenset[str]:
        """What points are about, people who speak aside."""
        return frozenset(fact.subject for fact in self.facts) - self.people

    @cached_property
    def attributes(self) -> frozenset[str]:
        """What points state of things and people."""
        return frozenset(fact.attribute for fact in self.facts)

    def session_of(self, fact: Fact) -> str | None:
        """The session that tells a point first."""
        told = self.mentions.get(fact.id)
        return told[0].round.partition(":")[0] if told else fact.session

    def reading(self, shown: Attachment) -> str:
        """What a caption says of an image, and what can be read in it."""
        asset = self.bundle.asset_by_id.get(shown.asset)
        read = asset.transcription if asset is not None else None
        return "\n".join(part for part in (shown.caption, read) if part)

    def turns_of(self, fact: Fact) -> list[Turn]:
        """The turns in which a point is told; those of its session if no more is known."""
        told = [one for one in self.mentions.get(fact.id, ()) if one.attachment is None]
        if told:
            return [self.bundle.turn_by_id[str(one.turn)] for one in told]
        return self.turns_in(self.session_of(fact))

    def turns_in(self, session: str | None) -> list[Turn]:
        """The turns of a session."""
        found = self.bundle.session_by_id.get(session or "")
        return [turn for each in found.rounds for turn in each.turns] if found else []

    def is_named(self, fact: Fact, text: str) -> bool:
        """Whether a text names what a point is about; who speaks need not be named."""
        return fact.subject in self.people or names_subject(fact, text)

    def states(self, fact: Fact, text: str, around: str = "") -> bool:
        """Whether a sentence states a point.

        Args:
            fact: The point.
            text: The sentence.
            around: What else may name its subject: the title of a picture.
        """
        return (
            holds_value(fact, text)
            and self.is_named(fact, f"{text}\n{around}" if around else text)
            and names_attribute(fact, text)
        )

    def is_spoken(self, fact: Fact) -> bool:
        """Whether a point's value is said word for word: not of ranks, which an order gives."""
        told = self.mentions.get(fact.id, ())
        return not told or any(one.form is not MentionForm.PARTIAL for one in told)

    def rests_on(self, fact: Fact) -> Iterator[tuple[Mention, Attachment]]:
        """The pictures in which a point is seen."""
        for mention in self.mentions.get(fact.id, ()):
            if mention.attachment in self.bundle.attachment_by_id:
                yield mention, self.bundle.attachment_by_id[str(mention.attachment)][1]


def names_subject(fact: Fact, text: str) -> bool:
    """Whether a text names what a point is about; a merge is about several things."""
    merges = fact.operation is FactOperation.MERGE
    parts = fact.subject.split(" and ") if merges else []
    return says(text, fact.subject) or (bool(parts) and all(says(text, part) for part in parts))


def names_attribute(fact: Fact, text: str) -> bool:
    """Whether a sentence has a word of a point's attribute, or one that it begins with: `owns`."""
    said = key_words(text)
    return any(
        word.startswith(other) or other.startswith(word)
        for word in key_words(fact.attribute)
        for other in said
        if min(len(word), len(other)) >= _SHORTEST
    )


def holds_value(fact: Fact, text: str) -> bool:
    """Whether a text has the value of a point; of something that ended, not as what still is."""
    if fact.operation is FactOperation.DELETE:
        gone = not _ENDED.isdisjoint(content_tokens(text))
        return gone or locate(text, fact.value) is None
    if fact.value.type is ValueType.RULE:
        return numbers_of(str(fact.statement)) <= numbers_of(text)
    return locate(text, fact.value) is not None or says(text, spoken_value(fact.value))


def numbers_of(text: str) -> frozenset[str]:
    """The numbers of a text as digits."""
    return frozenset(token for token in content_tokens(text) if token[0].isdigit())


def hard_words(text: str) -> frozenset[str]:
    """Numbers and names of a sentence, which a paraphrase keeps."""
    return numbers_of(text) | {
        word.folded for word in words_of(text) if word.capital and not word.begins
    }
