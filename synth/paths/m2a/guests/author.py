"""The offline author of guest sessions: a world, its telling, and its questions (M2A C)."""

from collections.abc import Sequence
from dataclasses import dataclass

from memassay.schemas.base import Modality
from memassay.schemas.benchmarks.m2a import TYPES
from memassay.schemas.contracts.blobs import BlobStore
from memassay.schemas.errors import QueryError
from memassay.schemas.ids import natural_key, record_id
from memassay.schemas.queries.asked.names import Names
from memassay.schemas.queries.asked.slots import wording_of
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import QAItem
from memassay.synth.concepts.groups import Chosen
from memassay.synth.paths.m2a.guests.asking import GuestQuestions, chosen, external_facts, shares
from memassay.synth.paths.m2a.guests.beats import threads
from memassay.synth.paths.m2a.guests.telling import GuestWriter, Speakers
from memassay.synth.paths.m2a.guests.world import guest_world
from memassay.synth.questions.drafts import Draft
from memassay.synth.questions.proving import proven_item
from memassay.synth.world.grammar import Randoms


@dataclass(frozen=True)
class Written:
    """Guest sessions with their questions.

    Attributes:
        bundle: All of it, as a conversation of its own.
        missing: By category, how many questions fewer there are than wanted.
    """

    bundle: Bundle
    missing: dict[str, int]


def write_guests(
    conversation: str,
    group: Sequence[Chosen],
    speakers: Speakers,
    dates: Sequence[str],
    questions: int,
    blobs: BlobStore,
    randoms: Randoms,
) -> Written:
    """Guest sessions about a group of concepts on some dates, with so many questions."""
    told = threads()
    world = guest_world(
        conversation, speakers.owner.name, group, dates, told, randoms("guests", "world")
    )
    writer = GuestWriter(world, told, speakers, blobs, randoms("guests", "telling"))
    history = writer.bundle()
    known = [*history.facts, *external_facts(world, told)]
    history = history.model_copy(
        update={
            "facts": sorted(known, key=lambda one: natural_key(one.id)),
            "assets": sorted(history.assets, key=lambda one: natural_key(one.id)),
        }
    )
    wanted = shares(questions)
    drafts = GuestQuestions(world, told, randoms("guests", "questions")).drafts()
    items: list[QAItem] = []
    missing = {}
    for code, number in wanted.items():
        made = _items(history, code, number, drafts[code], len(items))
        items += made
        if len(made) < number:
            missing[code] = number - len(made)
    return Written(history.model_copy(update={"questions": items}), missing)


def _items(
    history: Bundle, code: str, number: int, drafts: Sequence[Draft], before: int
) -> list[QAItem]:
    """So many items of a category whose queries prove them; others are passed over."""
    ledger = Ledger(history)
    names = Names(history, ledger)
    proven: dict[str, QAItem] = {}
    for draft in drafts:
        modalities = list(draft.modalities or [Modality.TEXT])
        name = record_id(history.id, f"Q{before + 1:03d}")
        try:
            proven[draft.text] = proven_item(
                draft, name, code, TYPES[code].type, modalities, ledger
            )
        except QueryError:
            continue
    fit = [draft for draft in drafts if draft.text in proven]
    made = []
    for at, draft in enumerate(chosen(fit, number, ()), start=before + 1):
        item = proven[draft.text].model_copy(update={"id": record_id(history.id, f"Q{at:03d}")})
        wording = wording_of(item, parse_query(draft.query), names)
        made.append(item.model_copy(update={"wording": wording}))
    return made
