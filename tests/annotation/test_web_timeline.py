"""A timeline that waits before its conversation is written, as people see it."""

from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from support.fixtures import fact
from support.web_builder import GATE, RUN, Browser, OpenBook

from memassay.annotation.pages.content import ReviewContent, TimelineContent
from memassay.annotation.pages.timeline import timeline_view
from memassay.annotation.voting.desk import ReviewDesk
from memassay.annotation.voting.review_queue import ReviewRequest
from memassay.annotation.web.app import create_app
from memassay.flows.review.page_content import review_content
from memassay.flows.store.workspace import Workspace
from memassay.schemas.hashing import content_hash, sha256
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.judgements.review import CoveredRecord
from memassay.schemas.records.event import EventLine, TimelineEvent
from memassay.schemas.records.persona import Persona

PERSONA = Persona(
    id="talk/persona",
    conversation="talk",
    name="Ann",
    profession="beekeeper",
    summary="Ann keeps bees behind her shed.",
    core_event="A year with <b>bees</b>.",
)


def _event(position: int, session: int, date: str, **more: Any) -> TimelineEvent:
    fields: dict[str, Any] = {
        "line": EventLine.CORE,
        "title": f"the day of hive {position}",
        "query": "Which hive is this?",
        "keyword": "bee hive",
        "card": "hive",
        "source_sha256": sha256(b"card"),
    }
    return TimelineEvent(
        id=f"talk/E{position:03d}",
        conversation="talk",
        position=position,
        session=session,
        date=date,
        **{**fields, **more},
    )


EVENTS = [
    _event(1, 1, "2024-03-04T10:00", facts={"queen": "talk/F1", "image:hive:frames": "talk/F3"}),
    _event(2, 1, "2024-03-04T11:30", line=EventLine.SIDE),
    _event(3, 2, "2024-03-16T09:00", facts={"queen": "talk/F2", "date": "talk/F1"}),
]
FACTS = [
    fact("F1", "Maud"),
    fact("F2", "Vera", supersedes=["talk/F1"]),
    fact("F3", "ten"),
]
FINDING = Finding.make(
    "timeline.drift",
    Severity.WARNING,
    "talk/E002",
    "/title",
    "talk/E002.title: expected an event of the core line, got 'the day of hive 2'",
    "name what its facts tell",
)


def _content(workspace: Workspace) -> tuple[ReviewContent, str]:
    """A queue with one timeline, and the id of its item."""
    records = [PERSONA, *EVENTS]
    workspace.store.put_all([*records, *FACTS, FINDING])
    covers = tuple(CoveredRecord(id=one.id, sha256=content_hash(one)) for one in records)
    asked = ReviewRequest(
        GATE,
        PERSONA.id,
        "warning",
        ("timeline.drift",),
        (content_hash(FINDING),),
        covers,
        kind="persona",
    )
    workspace.queue.sync(RUN, GATE, [asked])
    known = [content_hash(one) for one in [*records, *FACTS]]
    workspace.queue.remember(RUN, GATE, {"talk": known})
    return review_content(workspace), asked.item


def test_events_stand_in_order_with_gaps_facts_and_findings(tmp_path: Path) -> None:
    """Told and drawn facts apart, what a fact replaces, and each finding at its event."""
    workspace = Workspace(tmp_path)
    content, name = _content(workspace)
    timeline = content.items.content(name)
    assert isinstance(timeline, TimelineContent)
    shown = timeline_view(timeline)
    workspace.close()
    assert [one.gap for one in shown.events] == [None, 0, 12]
    assert [one.opens for one in shown.events] == [True, False, True]
    assert [one.severity for one in shown.events] == ["", "warning", ""]
    assert [(one.value, one.before) for one in shown.events[2].texts] == [("Vera", "Maud")]
    assert [one.value for one in shown.events[0].drawn] == ["ten"]
    assert (shown.sessions, shown.side, shown.days) == (2, 1, 12)


def test_the_page_leads_to_flagged_events_and_takes_the_vote(tmp_path: Path) -> None:
    """What is flagged is named first; names and texts come out as text; the vote counts."""
    workspace = Workspace(tmp_path)
    content, name = _content(workspace)
    app = create_app(ReviewDesk(workspace.engine), content, OpenBook())
    ada = Browser(TestClient(app, base_url="http://127.0.0.1:8765"))
    ada.log_in("ada")
    page = ada.get(f"/item/{name}").text
    assert "1 event is flagged" in page
    assert 'href="#event-2"' in page
    assert 'class="card event side warning" id="event-2"' in page
    assert "12 days later" in page
    assert "<del>Maud</del> Vera" in page
    assert "&lt;b&gt;bees&lt;/b&gt;" in page
    assert ada.vote(name).status_code == 303
    assert workspace.queue.item(name).state == "decided"
    workspace.close()
