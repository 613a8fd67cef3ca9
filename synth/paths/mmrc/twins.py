"""Modality twins: dialogues told again with a text that a question rests on left to its picture."""

from collections.abc import Iterator, Sequence

from memassay.schemas.base import Modality
from memassay.schemas.contracts.blobs import BlobStore, NoBytes
from memassay.schemas.ids import record_id
from memassay.schemas.queries.evidence import evidence_of
from memassay.schemas.queries.executor import Execution, execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.packs.words.records import facts_of
from memassay.synth.paths.mmrc.abilities.ar import kept_back
from memassay.synth.paths.mmrc.abilities.asking import ask_dialogue
from memassay.synth.paths.mmrc.abilities.told import Told
from memassay.synth.paths.mmrc.dialogues import Dialogues, name_of, number_of, twin_name
from memassay.synth.paths.mmrc.recipe import NAME


def names_with_twins(dialogues: Dialogues, count: int, twins: int) -> list[str]:
    """Ids of so many dialogues, and of the twins of the first of them that can have one.

    Args:
        dialogues: The dialogues of a recipe.
        count: How many there are.
        twins: How many of them have a twin, as far as there are such ones.
    """
    made = []
    for number in range(count):
        name = name_of(number)
        made.append(name)
        if twins > 0 and tell_twin(dialogues, name, NoBytes()) is not None:
            made.append(twin_name(name))
            twins -= 1
    return made


def tell_twin(dialogues: Dialogues, original: str, blobs: BlobStore) -> Bundle | None:
    """The twin of a dialogue, without questions; None if no question rests on what it can move.

    Args:
        dialogues: The dialogues of a recipe.
        original: Id of the dialogue.
        blobs: Where pictures go.
    """
    topic, ordinal = dialogues.place(number_of(original))
    if topic.twin_words(ordinal) is None:
        return None
    plan = topic.plan(ordinal)
    entries = zip(facts_of(plan, original), plan.entries, strict=True)
    # What changes is asked for as it is in the end, and told again then.
    names = {fact.id: entry.name for fact, entry in entries if entry.name != plan.changed}
    items = _ask_original(dialogues, original)
    asked = {names[fact] for item in items for fact in item.evidence.facts if fact in names}
    return topic.twin(ordinal, twin_name(original), original, NAME, blobs, asked)


def ask_twin(dialogues: Dialogues, original: str, twin: Bundle) -> Iterator[QAItem]:
    """The questions of a dialogue asked of its twin, word for word.

    Args:
        dialogues: The dialogues of a recipe.
        original: Id of the dialogue.
        twin: The twin, without questions.
    """
    items, ledger = _ask_original(dialogues, original), Ledger(twin)
    names = {item.id: record_id(twin.id, item.id.partition("/")[2]) for item in items}
    for item in items:
        execution = execute(parse_query(item.query), ledger, relation=item.answer.relation)
        modalities = _modalities(item, execution, ledger)
        yield item.model_copy(
            update={
                "id": names[item.id],
                "conversation": twin.id,
                "modalities": modalities,
                "evidence": evidence_of(execution, ledger, modalities=modalities),
                "twin_of": names[item.twin_of] if item.twin_of else None,
            }
        )


def _ask_original(dialogues: Dialogues, original: str) -> Sequence[QAItem]:
    number = number_of(original)
    topic, ordinal = dialogues.place(number)
    plain = topic.bundle(ordinal, original, NAME, NoBytes())
    facts = [*plain.facts, *kept_back(topic.pack, original)]
    told = Told(plain.model_copy(update={"facts": facts}), topic.plan(ordinal))
    return ask_dialogue(told, dialogues.card(number).asked, dialogues.randoms(original)).items


def _modalities(item: QAItem, execution: Execution, ledger: Ledger) -> list[Modality]:
    """Where the answer can be read: in pictures, where no text says what it rests on."""
    if Modality.TEXT not in item.modalities:
        return item.modalities
    found = [
        {mention.modality for mention in ledger.mentions.get(fact, ())} for fact in execution.why
    ]
    shown = {Modality.IMAGE for one in found if one and Modality.TEXT not in one}
    said = {Modality.TEXT for one in found if Modality.TEXT in one}
    return sorted({*item.modalities} - {Modality.TEXT} | said | shown or {Modality.TEXT})
