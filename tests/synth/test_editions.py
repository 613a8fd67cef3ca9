"""A card of a later edition finds its place, and nothing that was there before moves."""

from pathlib import Path

import pytest
from support.told import Personas, UnitContext

from memassay.flows.store.blob_folder import BlobFolder
from memassay.schemas.base import Record
from memassay.schemas.records.asset import Asset
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.event import TimelineEvent
from memassay.synth.histories.dialogue import DialogueStage
from memassay.synth.histories.timeline import TimelineStage
from memassay.synth.world.persona_file import PERSONAS, CardSpec, PersonaFile, load_persona
from memassay.synth.world.sizes import Sizes

NAME = "wei-courier"
NEW = "side-new"
SEEDS = (3, 4)


CARD = {
    "id": NEW,
    "domain": "film",
    "edition": 2,
    "what": "the second film vote",
    "query": "Which film wins?",
    "keyword": "film vote",
    "facts": {
        "seats": {
            "about": "user",
            "attribute": "benches for the second film",
            "value": {"number": [4, 40, 1], "unit": "benches"},
            "ask": ["How many benches did Wei carry for the second film?"],
        }
    },
    "images": {
        "votes": {
            "kind": "bar_chart",
            "title": "Second film vote",
            "about": "the chart of the second film vote",
            "measure": "votes",
            "rows": ["Comedy", "Western", "Ghosts"],
            "value": {"number": [2, 30, 1], "unit": "votes"},
        }
    },
    "stages": {
        "vote": {"told": "6 days", "what": "the second film vote"},
        "show": {"after": "5-60 days", "told": "6 days", "what": "the second film night"},
    },
    "rounds": [
        {"user": "We voted again.", "shows": ["votes"], "assistant": "The tallest bar it is."},
        {"user": "And who counts?", "assistant": "Somebody who lost."},
        {"stage": "show", "user": "I carried {seats}.", "assistant": "All {seats}, well done."},
        {"user": "Nobody left.", "assistant": "Nobody ever does."},
    ],
}
"""Two stages of two rounds, with a fact and a picture of their own."""


def _with_more(persona: PersonaFile) -> PersonaFile:
    """The persona with one more card, in an edition of its own."""
    return persona.model_copy(update={"side": [*persona.side, CardSpec.model_validate(CARD)]})


def _told(persona: PersonaFile, seed: int, folder: Path) -> list[Record]:
    personas = Personas([NAME], folder)
    personas.by_id[NAME] = persona
    records: list[Record] = []
    for stage in (TimelineStage(personas, Sizes(8, 12, 6)), DialogueStage("m3exam", personas)):
        context = UnitContext(seed, stage.name, NAME, BlobFolder(folder / "blobs"))
        records += stage.run(records, context)
    return records


@pytest.fixture(scope="module", params=SEEDS)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[Bundle]:
    """A history without and with the card of a later edition."""
    persona, folder = load_persona(PERSONAS / f"{NAME}.yaml"), tmp_path_factory.mktemp("editions")
    files = (persona, _with_more(persona))
    return [Bundle.from_records(_told(one, request.param, folder)) for one in files]


def _place(event: TimelineEvent) -> dict[str, object]:
    """All of an event but its number in the timeline, which counts what is in between."""
    return event.model_dump(mode="json", exclude={"position"})


def test_a_later_edition_moves_no_event_and_no_value(both: list[Bundle]) -> None:
    """Every event and fact is there as it was, under the id that it had."""
    before, after = both
    assert any(event.card == NEW for event in after.events)
    events = {event.id: _place(event) for event in after.events}
    assert {event.id: _place(event) for event in before.events}.items() <= events.items()
    facts = {fact.id: fact for fact in after.facts}
    assert all(facts[fact.id] == fact for fact in before.facts)


def test_a_later_edition_changes_no_text_and_no_picture(both: list[Bundle]) -> None:
    """Every round reads as it did, and every picture has the bytes that it had."""
    before, after = both
    rounds = after.round_by_id
    assert all(rounds[name] == round_ for name, round_ in before.round_by_id.items())
    assets: dict[str, Asset] = {asset.id: asset for asset in after.assets}
    assert all(assets[asset.id] == asset for asset in before.assets)


def test_events_with_a_later_edition_are_in_time_order(both: list[Bundle]) -> None:
    """Dates rise strictly, and a later edition is told last in its session."""
    events = both[1].events
    assert [event.position for event in events] == list(range(1, len(events) + 1))
    dates = [event.date for event in events]
    assert dates == sorted(set(dates))
    for number in {event.session for event in events}:
        new = [event.card == NEW for event in events if event.session == number]
        assert new == sorted(new)
