"""Parts of paper mode by themselves: dates and sessions, facts, windows, questions."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memassay.schemas.contracts.authors import Task
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import (
    Attachment,
    Conversation,
    Round,
    RoundKind,
    Session,
    Speaker,
    SpeakerKind,
    Turn,
)
from memassay.schemas.records.ledger import FactOperation, FactStatus, MentionForm
from memassay.synth.drafting.windows import Window, window_of
from memassay.synth.extraction.extraction_tasks import Entailment, MemoryPoint, UpdateMark
from memassay.synth.extraction.facts import (
    FactCollector,
    contested_properties,
    mark_updates,
    value_of,
)
from memassay.synth.extraction.question_tasks import ItemDraft
from memassay.synth.histories.streams import apportion
from memassay.synth.paths.m3exam.kinds import KINDS
from memassay.synth.paths.m3exam.paper.items import ItemMaker
from memassay.synth.paths.m3exam.paper.line import merge_lines, sessions_of
from memassay.synth.paths.m3exam.tasks.timeline import PlannedEvent
from memassay.synth.world.persona_file import PERSONAS, load_persona

DAYS = {"D1:1": "2024-03-01", "D1:2": "2024-03-01", "D2:1": "2024-03-20"}
SAID = {
    "D1:1": "The pup is called Rex and weighs 4.5 kg.",
    "D1:2": "We meet on 14 March 2024, I hope Mara brings the old map.",
    "D2:1": "Rex weighs 5.1 kg by now.",
}
PERSONA = load_persona(PERSONAS / "wei-courier.yaml")


def talk() -> Conversation:
    """A conversation of three rounds in two sessions; the rounds of D1 show images."""
    rounds = {
        place: Round(
            id=place,
            kind=RoundKind.EXCHANGE,
            turns=[
                Turn(id=f"{place}.1", speaker="user", text=text, attachments=_shown(place)),
                Turn(id=f"{place}.2", speaker="assistant", text="Noted."),
            ],
        )
        for place, text in SAID.items()
    }
    user = Speaker(id="user", name="Ada", kind=SpeakerKind.HUMAN)
    assistant = Speaker(id="assistant", name="Assistant", kind=SpeakerKind.ASSISTANT)
    first = Session(id="D1", index=1, date="2024-03-01", rounds=[rounds["D1:1"], rounds["D1:2"]])
    second = Session(id="D2", index=2, date="2024-03-20", rounds=[rounds["D2:1"]])
    return Conversation(
        id="ada",
        collection="m3exam",
        path="m3exam",
        speakers=[user, assistant],
        sessions=[first, second],
    )


def _shown(place: str) -> list[Attachment]:
    session, _, number = place.partition(":")
    if session != "D1":
        return []
    return [Attachment(id=f"D1:IMG_00{number}", asset=f"ada/IMG_{number}", caption="A picture")]


def point(place: str, value: str, kind: str = "text", **more: str) -> MemoryPoint:
    """A memory point of the user's about Rex."""
    made = {"round": place, "speaker": "user", "subject": "Rex", "attribute": "weight"}
    shape = {"value": value, "type": kind, "unit": "", "statement": f"It is {value}."}
    return MemoryPoint.model_validate({**made, **shape, **more})


def collector(reply: Entailment | None = None) -> FactCollector:
    """A collector whose judge of entailment always gives one reply."""

    def write(_task: Task[Any]) -> Any:
        return reply or Entailment(entailed=False, quote="")

    return FactCollector(talk(), DAYS, write)


def draft(**more: Any) -> ItemDraft:
    """A question as a model proposes it."""
    empty: dict[str, Any] = {"fact": "", "steps": [], "options": [], "others": []}
    asked = {"question": "What weight had Rex at first?", "answers": ["4.5 kg"]}
    return ItemDraft.model_validate({**empty, **asked, "evidence": ["D1:1"], **more})


@given(st.integers(1, 400), st.integers(1, 60))
def test_rounds_are_apportioned_evenly(total: int, parts: int) -> None:
    """Shares differ by one at most, none is empty, and they add up."""
    shares = apportion(total, parts)
    assert sum(shares) == max(total, parts)
    assert max(shares) - min(shares) <= 1
    assert min(shares) >= 1


def test_sessions_are_cut_at_the_largest_gaps() -> None:
    """The two longest pauses divide the line into three sessions."""
    days = ["2024-01-01", "2024-01-02", "2024-02-20", "2024-02-21", "2024-02-25", "2024-04-01"]
    assert sessions_of(days, 3) == [1, 1, 2, 2, 2, 3]


def test_equal_gaps_are_cut_evenly() -> None:
    """Where all pauses are alike, sessions are of like length; one day is never divided."""
    days = [f"2024-01-0{day}" for day in range(1, 9)]
    assert sessions_of(days, 2) == [1, 1, 1, 1, 2, 2, 2, 2]
    assert sessions_of(["2024-01-01"] * 4, 3) == [1, 1, 1, 1]


@given(st.lists(st.dates(), min_size=1, max_size=12), st.lists(st.dates(), max_size=5))
def test_a_merged_line_goes_strictly_forward(core: list[Any], side: list[Any]) -> None:
    """Whatever dates a model gives, events are renumbered by date, each later than the last."""
    lines = [
        [
            PlannedEvent(title=f"{name} {at}", query="?", date=day.isoformat(), keyword="k")
            for at, day in enumerate(days)
        ]
        for name, days in (("core", core), ("side", side))
    ]
    events = merge_lines(PERSONA, lines[0], lines[1], 3, lambda *key: Random(repr(key)))
    assert [event.position for event in events] == list(range(1, len(core) + len(side) + 1))
    dates = [event.date for event in events]
    assert dates == sorted(set(dates))
    assert [event.session for event in events] == sorted(event.session for event in events)


def test_a_day_that_does_not_exist_is_no_reply() -> None:
    """The date of an event is a day of the calendar, or the reply cannot be used."""
    with pytest.raises(ValueError, match="expected a day that exists"):
        PlannedEvent(title="t", query="q", date="2024-02-30", keyword="k")


def test_what_is_said_becomes_a_fact_where_it_stands() -> None:
    """Number, date and text are located by their forms, with a span of their turn."""
    found = collector()
    found.add(point("D1:1", "4.5", "number", unit="kg"))
    found.add(point("D1:2", "2024-03-14", "date", attribute="meeting"))
    found.add(point("D1:2", "the old map", attribute="hope"))
    spans = [SAID[one.round][slice(*(one.span or (0, 0)))] for one in found.mentions()]
    assert spans == ["4.5 kg", "14 March 2024", "the old map"]
    assert found.findings == []


@pytest.mark.parametrize(
    "wrong",
    [
        point("D1:1", "9.9", "number", unit="kg"),
        point("D1:1", "4.5", "number", unit="lb"),
        point("D1:2", "2024-03-15", "date"),
        point("D9:1", "Rex"),
        point("D1:1", "heavy", "number"),
        point("D1:1", "a purple submarine"),
    ],
)
def test_what_nobody_said_is_a_finding_never_a_fact(wrong: MemoryPoint) -> None:
    """A value, unit, day or round that is not there is reported with its place."""
    found = collector()
    found.add(wrong)
    assert found.facts() == []
    (finding,) = found.findings
    assert finding.rule == "extraction.unsupported"
    assert wrong.value in finding.message


def test_what_is_entailed_is_a_partial_mention() -> None:
    """Other words for it need a quotation that stands there, and prove no query."""
    found = collector(Entailment(entailed=True, quote="is called Rex"))
    found.add(point("D1:1", "a dog named Rex"))
    (mention,) = found.mentions()
    assert mention.form is MentionForm.PARTIAL
    assert SAID["D1:1"][slice(*(mention.span or (0, 0)))] == "is called Rex"
    invented = collector(Entailment(entailed=True, quote="is a Labrador"))
    invented.add(point("D1:1", "a Labrador"))
    assert invented.facts() == []


def test_a_fact_said_twice_is_one_fact() -> None:
    """The same property and value is one fact, however it is spelled."""
    found = collector()
    found.add(point("D1:1", "Rex", attribute="name"))
    found.add(point("D2:1", "rex", attribute="Name"))
    assert len(found.facts()) == 1
    assert [one.round for one in found.mentions()] == ["D1:1", "D2:1"]


def test_updates_and_interference_are_marked() -> None:
    """An update replaces an earlier value of its property; what cannot be is passed over."""
    found = collector()
    found.add(point("D1:1", "4.5", "number", unit="kg"))
    found.add(point("D2:1", "5.1", "number", unit="kg"))
    found.add(point("D1:1", "Rex", attribute="name"))
    facts = found.facts()
    assert [one["property"] for one in contested_properties(facts)] == ["weight of Rex"]
    update = UpdateMark(fact="F0002", relation="update", of="F0001")
    assert mark_updates(facts, [update])[1].operation is FactOperation.REVISE
    assert mark_updates(facts, [update])[1].supersedes == ["ada/F0001"]
    filler = UpdateMark(fact="F0002", relation="interference", of="F0001")
    assert mark_updates(facts, [filler])[1].status is FactStatus.INTERFERENCE
    backwards = UpdateMark(fact="F0001", relation="update", of="F0002")
    stranger = UpdateMark(fact="F0003", relation="update", of="F0001")
    unknown = UpdateMark(fact="F0099", relation="update", of="F0001")
    assert mark_updates(facts, [backwards, stranger, unknown]) == facts


def test_a_value_has_its_type() -> None:
    """A number is a decimal, a date a whole day."""
    assert value_of(point("D1:1", "4,5", "number")) is None
    assert value_of(point("D1:1", "2024-03", "date")) is None
    assert value_of(point("D1:1", "  ")) is None


@pytest.mark.parametrize("code", ["ss", "ms", "tr", "mr", "fm", "th", "fj", "ii"])
def test_a_window_is_of_its_type(code: str) -> None:
    """Windows are in time order, of the shape that the bank's have; mr and fm see images."""
    window = window_of(KINDS[code], talk(), Random(1))
    assert window is not None
    least, most = KINDS[code].window.sessions
    places = [one.id for one in window.rounds]
    assert places == sorted(places)
    sessions = {place.partition(":")[0] for place in places}
    assert min(least, len(talk().sessions)) <= len(sessions) <= most
    assert len(window.images) >= KINDS[code].images


def bank() -> tuple[ItemMaker, Window]:
    """A maker over two weights and a name, and a window that sees everything."""
    found = collector()
    found.add(point("D1:1", "4.5", "number", unit="kg", attribute="weight at first"))
    found.add(point("D1:1", "Rex", subject="pup", attribute="name"))
    records = [talk(), *found.facts(), *found.mentions()]
    return ItemMaker(Bundle.from_records(records)), Window(tuple(talk().rounds()))


def test_a_question_about_one_fact_is_proven() -> None:
    """Fact named, gold equal, question about its property: the query gives gold and evidence."""
    maker, window = bank()
    item, problems = maker.candidate("ss", draft(fact="F0001"), window)
    assert problems == []
    assert item is not None
    assert item.query is not None
    assert item.answer.values == ["4.5 kg"]
    assert item.evidence.canonical == ["D1:1"]


@pytest.mark.parametrize(
    "change",
    [
        {"fact": ""},
        {"fact": "F0002"},
        {"fact": "F0001", "answers": ["5.1 kg"]},
        {"fact": "F0001", "question": "Which number did Ada say?"},
    ],
)
def test_a_question_that_no_fact_proves_has_no_query(change: dict[str, Any]) -> None:
    """Another fact, another gold or a question about something else is left to people."""
    maker, window = bank()
    item, _ = maker.candidate("ss", draft(**change), window)
    assert item is not None
    assert item.query is None


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("ss", {"evidence": ["D1:1", "D9:1"]}, "expected rounds that are shown"),
        ("ss", {"evidence": []}, "expected at least one round"),
        ("ss", {"evidence": ["D1:1", "D2:1"]}, "exactly one round"),
        ("ss", {"question": "Had Rex 4.5 kg?"}, "does not say its gold"),
        ("ms", {}, "two sessions"),
        ("tr", {"answers": ["soon after"]}, "a date as YYYY-MM-DD"),
        ("mr", {"answers": ["5.1 kg"]}, "no text holds"),
        ("fm", {"answers": ["D3:IMG_009"]}, "expected one of D1:IMG_001"),
        ("th", {"steps": ["one", "two"]}, "three steps or more"),
        ("fj", {"options": ["a", "b"]}, "expected four texts"),
        ("ii", {"evidence": ["D1:1", "D2:1"], "answers": ["old map"]}, "what nobody says"),
    ],
)
def test_a_draft_that_breaks_its_type_says_why(
    code: str, change: dict[str, Any], said: str
) -> None:
    """The constraint of each type (M3Exam A.3) is what the repair is told."""
    maker, window = bank()
    _, problems = maker.candidate(code, draft(**change), window)
    assert any(said in problem.said for problem in problems), problems


def test_no_question_is_asked_twice() -> None:
    """A question that is kept refuses another of the same words."""
    maker, window = bank()
    item, _ = maker.candidate("ss", draft(), window)
    assert item is not None
    maker.keep(item, draft())
    _, problems = maker.candidate("ss", draft(question="what WEIGHT had Rex at first?"), window)
    assert any(problem.reason == "repeated" for problem in problems)
