"""Captions under each other's image are found, of a series of images too."""

import pytest
from support.fixtures import TALK, asset, attached, scene, session, utterance

from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.validators.check import RULES, check

RULE = [rule for rule in RULES if rule.id == "captions.exchanged"]
WEEKS = ("one", "four")
FIRST, FOURTH = (
    f"Line chart: the long-note chart of Ann's {nth} euphonium week" for nth in ("first", "fourth")
)


def _found(*captions: str) -> list[str]:
    """Where captions of two charts of one event, whose title says `first`, are exchanged."""
    charts = [
        asset(
            f"A{at}",
            transcription=f"Long notes, week {week}\nMon {at}5.5 s\nTue 16.0 s",
            origin="rendered:line_chart",
        )
        for at, week in enumerate(WEEKS, start=1)
    ]
    event = TimelineEvent(
        id=f"{TALK}/E001",
        conversation=TALK,
        position=1,
        session=1,
        date="2024-03-01T10:00",
        line=EventLine.CORE,
        title="Ann's first month with the euphonium",
        query="How do the long notes go?",
        keyword="chart",
        card="side-brass",
        source_sha256="0" * 64,
    )
    shown = [attached(f"D1:IMG_00{at}", f"A{at}", text) for at, text in enumerate(captions, 1)]
    told = utterance("D1:1", "Look at these.", attachments=shown).model_copy(
        update={"event": event.id}
    )
    bundles = scene(*charts, event, sessions=[session(1, told)]).bundles
    return [each.pointer for each in check(bundles, RuleContext(), RULE)]


@pytest.mark.parametrize(
    ("captions", "places"), [((FIRST, FOURTH), []), ((FOURTH, FIRST), ["0", "1"])]
)
def test_exchanged_captions_of_a_series_are_found(
    captions: tuple[str, str], places: list[str]
) -> None:
    """They differ in one word, `fourth` for `week four`; the title of their event says nothing."""
    assert [each.split("/")[-2] for each in _found(*captions)] == places
