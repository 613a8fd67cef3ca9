"""A persona's history goes on in its own world, and nothing that it holds moves."""

from pathlib import Path
from typing import cast

import pytest
from support.told import told

from memassay.flows.engine.context import UnitContext
from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.recipes import ExtendSection
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.synth.histories.continuing.continuation import Continuation
from memassay.synth.histories.personas import Personas
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.world.persona_file import PersonaFile
from memassay.synth.world.sizes import Sizes

SIZES = Sizes(sessions=5, rounds=8, images=3, documents=0)
WANTED = ExtendSection(sessions=2, questions=10)
WHO = "wei-courier"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go."""
    return tmp_path_factory.mktemp("continuing")


@pytest.fixture(scope="module")
def before(folder: Path) -> Bundle:
    """A short history."""
    return told(WHO, 3, folder, SIZES)


@pytest.fixture(scope="module")
def persona(folder: Path) -> PersonaFile:
    """Whose it is."""
    return Personas([WHO], folder).by_id[WHO]


def _continued(bundle: Bundle, persona: PersonaFile, folder: Path) -> Bundle | None:
    context = cast(StageContext, UnitContext(3, "more", WHO, BlobFolder(folder / "blobs")))
    return Continuation(persona, "m3exam", KINDS).extend(bundle, WANTED, "extension1", context)


@pytest.fixture(scope="module")
def after(before: Bundle, persona: PersonaFile, folder: Path) -> Bundle:
    """The same with two sessions more."""
    longer = _continued(before, persona, folder)
    assert longer is not None
    return longer


def _new(bundle: Bundle) -> list[Session]:
    return [one for one in bundle.conversation.sessions if one.origin == "extension1"]


def test_no_record_of_the_history_changes(before: Bundle, after: Bundle) -> None:
    """Facts, mentions, events, pictures, questions and sessions are as they were."""
    kept = {one.id: one for one in after.records()}
    for record in before.records():
        if record.id != before.conversation.id:
            assert kept[record.id] == record
    sessions = before.conversation.sessions
    assert after.conversation.sessions[: len(sessions)] == sessions


def test_new_sessions_tell_cards_that_were_not_told(before: Bundle, after: Bundle) -> None:
    """About the same people, later, and about as long as the others."""
    cards = {one.card for one in before.events}
    new = [one for one in after.events if one.id not in {old.id for old in before.events}]
    assert new
    assert cards.isdisjoint(one.card for one in new)
    names = {key: name for one in before.events for key, name in one.names.items()}
    for event in new:
        assert all(names.get(key, name) == name for key, name in event.names.items())
    assert any(key in names for one in new for key in one.names)
    dates = [str(one.date)[:10] for one in after.conversation.sessions]
    assert dates == sorted(set(dates))
    rounds = sum(len(one.rounds) for one in _new(after))
    assert abs(rounds - 2 * SIZES.rounds) <= 0.4 * SIZES.rounds


def test_every_gold_is_what_its_query_gives(before: Bundle, after: Bundle) -> None:
    """Old ones from the facts of before, new ones from a new session."""
    ledger, old = Ledger(after), {one.id: one for one in before.questions}
    sessions = {one.id for one in _new(after)}
    was = Ledger(before)
    for item in after.questions:
        why = check_item(item, after, ledger).why
        if item.id in old:
            assert why == check_item(item, before, was).why
        else:
            assert sessions & {place.partition(":")[0] for place in item.evidence.canonical}
    assert len(after.questions) - len(old) >= 5


def test_a_persona_without_more_cards_ends(
    before: Bundle, persona: PersonaFile, folder: Path
) -> None:
    """Then others go on from what the history speaks of."""
    told_cards = {one.card for one in before.events}
    spent = persona.model_copy(
        update={
            "cards": [one for one in persona.cards if one.id in told_cards],
            "side": [one for one in persona.side if one.id in told_cards],
        }
    )
    assert _continued(before, spent, folder) is None


def test_a_history_of_somebody_else_is_left_alone(
    before: Bundle, persona: PersonaFile, folder: Path
) -> None:
    """One whose events are of no card of the persona."""
    strange = [one.model_copy(update={"card": f"no-{one.card}"}) for one in before.events]
    foreign = before.model_copy(update={"events": strange})
    assert _continued(foreign, persona, folder) is None
