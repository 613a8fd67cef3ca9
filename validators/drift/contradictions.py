"""What a history says, shows or can be read in its pictures against a fact of its ledger."""

from collections.abc import Iterator
from typing import NamedTuple

from memassay.schemas.records.bundle import Bundle
from memassay.validators.drift.said_values import Properties
from memassay.validators.drift.sentences import sentences, split
from memassay.validators.places import Parts, attachments


class Contradiction(NamedTuple):
    """Words that give a property a value that it never has.

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
    """Every contradiction of a history that has a ledger: those of sentences, then of pictures.

    Only a value beside the name of its property is compared. Words that take something back in
    other ways are left to a reader.
    """
    properties = Properties(bundle)
    return [*_in_sentences(bundle, properties), *_in_pictures(bundle, properties)]


def _in_sentences(bundle: Bundle, properties: Properties) -> Iterator[Contradiction]:
    for one in sentences(bundle):
        yield from _other_values(properties, one.text, one.parts, one.said_in.id, owned=False)


def _in_pictures(bundle: Bundle, properties: Properties) -> Iterator[Contradiction]:
    """Values in captions and transcriptions; what has no owner there is the user's."""
    for parts, turn, shown in attachments(bundle):
        asset = bundle.asset_by_id.get(shown.asset)
        read = ((asset and asset.transcription) or "").splitlines()
        round_ = turn.id.rpartition(".")[0]
        for text in (*split(shown.caption or ""), *read):
            yield from _other_values(properties, text, parts, round_, owned=True)


def _other_values(
    properties: Properties, text: str, parts: Parts, round_: str, *, owned: bool
) -> Iterator[Contradiction]:
    """What a text gives a property that it never has; `owned` as for `Properties`."""
    for known, wrong in properties.wrong_values(text, owned=owned):
        right = " or ".join(fact.value.text for fact in known.facts)
        expected = f"{' '.join(known.words)}: {right}"
        ids = frozenset(fact.id for fact in known.facts)
        yield Contradiction(ids, parts, round_, expected, wrong)
