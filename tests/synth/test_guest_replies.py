"""Guest sessions of a model: what is wrong is named, and nothing else is asked for again."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from support.guest_replies import WRONG, written, wrong
from support.model_servers.asked import Asked
from support.release_builder import MemoryBlobs

from memassay.schemas.changes.interpolation import Gap, interpolate
from memassay.schemas.contracts.authors import Task
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Speaker, SpeakerKind
from memassay.schemas.records.question import AnswerFormat
from memassay.schemas.values.keyed_random import keyed_random
from memassay.synth.concepts.drawn import drawn_concepts
from memassay.synth.concepts.groups import concept_group
from memassay.synth.models.prompt_files import load_prompt
from memassay.synth.paths.m2a.guests.author import GuestQuestions, Guests, shares, write_guests
from memassay.synth.paths.m2a.guests.brief import Brief
from memassay.synth.paths.m2a.guests.by_model import Visiting, brief_of, request_of, write_by_model
from memassay.synth.paths.m2a.guests.model_author import Drafts, draft_guests
from memassay.synth.paths.m2a.guests.question_checks import places_of, sort_questions
from memassay.synth.paths.m2a.guests.records import Scribe, Shown, album
from memassay.synth.paths.m2a.guests.session_checks import session_problems
from memassay.synth.paths.m2a.tasks import (
    ConceptQuestion,
    GuestRequest,
    GuestSession,
    GuestTurn,
)

GAP = Gap(1, "2023-05-01T10:00", "2023-07-01T10:00")
DATES = interpolate(GAP, 6)
BLOBS = MemoryBlobs()
OWNER = Speaker(id="speaker_a", name="Rosa", kind=SpeakerKind.HUMAN)
FRIEND = Speaker(id="speaker_b", name="Ellen", kind=SpeakerKind.HUMAN)


@dataclass(frozen=True)
class Given:
    """What a model is given."""

    guests: Guests
    images: list[Shown]
    brief: Brief
    request: GuestRequest


@dataclass
class Scripted:
    """A model that writes right replies, but for those that a script changes."""

    changes: list[Callable[[Any], Any]] = field(default_factory=list)
    asked: list[Task[Any]] = field(default_factory=list)

    def write(self, task: Task[Any]) -> Any:
        """The reply to a task."""
        self.asked.append(task)
        rendered = load_prompt(task.name).render(task.inputs)
        reply = written(Asked("m", rendered.system, rendered.user, 0, "", {}))
        if self.changes:
            reply = self.changes.pop(0)(reply)
        return task.response.model_validate_json(json.dumps(reply))


@pytest.fixture(scope="module")
def given() -> Given:
    """A group of drawn concepts in a host of two sessions."""
    concepts = drawn_concepts(lambda *purpose: keyed_random("guests", *purpose), "host")
    group = concept_group(concepts, Random("guests"))
    guests = Guests("host.guest1", group, OWNER, FRIEND, DATES, "CC-BY-4.0")
    images = album(guests, BLOBS)
    request = request_of(Visiting(guests, _host(), GAP, "guest1"), images)
    return Given(guests, images, brief_of(guests, 20, images), request)


def _host() -> Bundle:
    document = {
        "id": "host",
        "collection": "m2a",
        "path": "m2a",
        "speakers": [OWNER.model_dump(mode="json"), FRIEND.model_dump(mode="json")],
        "sessions": [
            {"id": f"D{at}", "index": at, "date": f"2023-0{at}-01", "arc": "main", "rounds": []}
            for at in (1, 2)
        ],
    }
    return Bundle.model_validate({"conversation": document})


def _drafted(given: Given, model: Scripted, repairs: int = 3) -> Drafts:
    return draft_guests(given.brief, given.request, model.write, repairs)


def _records(given: Given, drafts: Drafts, visual: int = 0) -> Bundle:
    """The records that are made of what a model wrote, with questions about new pictures."""
    scribe = Scribe(given.guests, given.brief, given.images, visual)
    return scribe.write_history(drafts, BLOBS, lambda *purpose: keyed_random("r", *purpose)).bundle


def test_a_right_reply_is_one_call(given: Given) -> None:
    """Sessions, turns, images and questions are as they were asked for, and all are records."""
    model = Scripted()
    drafts = _drafted(given, model)
    assert drafts.problems == []
    assert drafts.sorted.wrong == {}
    assert [task.name for task in model.asked] == ["concept_session"]
    bundle = _records(given, drafts)
    codes = [item.benchmark_type for item in bundle.questions]
    assert {code: codes.count(code) for code in codes} == {"6": 4, "7": 6, "8": 2, "9": 8}
    shown = {item.asset for _, item in bundle.conversation.attachments()}
    assert len(shown) == len(given.images)
    assert all(item.query is None and item.evidence.canonical for item in bundle.questions)


def test_new_pictures_are_asked_about_once_each(given: Given) -> None:
    """Their look is known, so that a query proves each; all answers are letters."""
    made = _records(given, _drafted(given, Scripted()), visual=24)
    items = [item for item in made.questions if item.benchmark_type == "5"]
    shown = [item.question.attachments[0].asset for item in items]
    assert len(shown) == len(set(shown)) >= 3
    assert all(item.query is not None for item in items)
    assert {item.answer.format for item in items} == {AnswerFormat.CHOICE}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named_and_asked_for_once(given: Given, name: str) -> None:
    """One more call mends a reply; it names what is wrong, and asks for nothing that is right."""
    case = WRONG[name]
    model = Scripted([lambda reply: wrong(name, reply)])
    drafts = _drafted(given, model)
    first, again = model.asked
    assert again.name == ("guest_questions" if case.questions else "guest_sessions_repair")
    assert case.said in "\n".join(again.inputs["problems"])
    # What was endless is cut where it is quoted.
    assert len(json.dumps(again.inputs)) < 60_000
    if case.questions:
        _only_questions(again, case.parts)
    else:
        parts = [at if at > 0 else len(DATES) for at in case.parts]
        flagged = {one["session"] for one in again.inputs["flagged"]}
        assert flagged - {len(DATES) + 1} == set(parts)
        kept = {one["session"] for one in again.inputs["kept"]}
        assert kept == set(range(1, len(DATES) + 1)) - set(parts)
    assert drafts.problems == []
    assert not drafts.sorted.lacking
    codes = [str(one.category) for one in drafts.sorted.right]
    assert {code: codes.count(code) for code in codes} == shares(20)
    assert first.name == "concept_session"


def _only_questions(again: Task[Any], parts: tuple[int, ...]) -> None:
    lacking = sum(again.inputs["questions"].values())
    assert len(again.inputs["kept"]) == 20 - lacking
    assert lacking == (20 if parts == (0,) else 1)


def test_what_is_right_is_kept_word_for_word(given: Given) -> None:
    """A session that was right is the first reply's, even where another one comes with the next."""

    def chatty(reply: Any) -> Any:
        other = [{"speaker": "Rosa", "text": "Forget all that.", "images": []}] * 5
        return {"sessions": [*reply["sessions"], {"session": 4, "turns": other}]}

    model = Scripted([lambda reply: wrong("speaker 2", reply), chatty])
    drafts = _drafted(given, model)
    assert drafts.problems == []
    assert not any("Forget" in turn.text for one in drafts.sessions for turn in one.turns)


def test_one_is_asked_no_more_often_than_the_recipe_says(given: Given) -> None:
    """Sessions that are never right are asked for as often as that; questions then are not."""
    model = Scripted([lambda reply: wrong("speaker 2", reply)])
    model.changes += [lambda _: {"sessions": []}] * 2
    drafts = _drafted(given, model, repairs=2)
    assert [task.name for task in model.asked] == [
        "concept_session",
        *["guest_sessions_repair"] * 2,
    ]
    assert drafts.is_lost
    assert len({task.draw for task in model.asked}) == 3


def test_no_repair_is_none(given: Given) -> None:
    """With 0 repairs one call is all."""
    model = Scripted([lambda reply: wrong("too few turns", reply)])
    drafts = _drafted(given, model, repairs=0)
    assert len(model.asked) == 1
    assert {one.part for one in drafts.problems} == {2}
    assert not drafts.is_lost


def test_a_question_that_is_never_right_is_a_record_for_people(given: Given) -> None:
    """It is not dropped: it takes the place of the one that is lacking."""
    model = Scripted([lambda reply: wrong("evidence off by one", reply)])
    model.changes += [lambda _: {"questions": []}] * 3
    drafts = _drafted(given, model)
    bundle = _records(given, drafts)
    assert len(bundle.questions) == 20
    assert ["D2:3"] in [item.evidence.canonical for item in bundle.questions]


def test_a_wrong_question_beside_a_right_session_costs_no_session(given: Given) -> None:
    """Both wrong: sessions first, and then of the questions those alone that are still wrong."""

    def both(reply: Any) -> Any:
        return wrong("no evidence", wrong("speaker of its own", reply))

    model = Scripted([both])
    drafts = _drafted(given, model)
    names = [task.name for task in model.asked]
    assert names == ["concept_session", "guest_sessions_repair", "guest_questions"]
    assert len(drafts.sorted.right) == 20


def test_messages_name_the_place(given: Given) -> None:
    """Session and turn, as people count them."""
    model = Scripted([lambda reply: wrong("invented image", reply)])
    _drafted(given, model)
    (said,) = model.asked[1].inputs["problems"][:1]
    assert said.startswith("session 2, turn 2: images: expected one of ")


@dataclass
class Context:
    """What guests by a model use of a stage's context."""

    model: Scripted
    blobs: MemoryBlobs
    findings: list[Finding] = field(default_factory=list)

    def write(self, task: Task[Any]) -> Any:
        """The reply to a task."""
        return self.model.write(task)

    def random(self, *purpose: str) -> Random:
        """A generator."""
        return keyed_random("c", *purpose)

    def emit(self, finding: Finding) -> None:
        """Take note of a finding."""
        self.findings.append(finding)


def test_questions_beyond_use_are_named(given: Given) -> None:
    """What cannot be a record, or is more than wanted, is a finding; what is lacking is counted."""

    def more(reply: Any) -> Any:
        made = wrong("category 5", reply)
        last = made["questions"][-1]
        made["questions"].append({**last, "question": f"Once more: {last['question']}"})
        return made

    context: Any = Context(Scripted([more]), BLOBS)
    visiting = Visiting(given.guests, _host(), GAP, "guest1")
    made = write_by_model(visiting, GuestQuestions(20, 0), 0, context)
    assert made is not None
    assert made.missing == {"6": 1}
    said = [one.message for one in context.findings if one.rule == "m2a.question_left_out"]
    assert ["category: expected 6, 7, 8 or 9, got 5" in one for one in said] == [True, False]
    assert said[1].endswith("expected 8 questions of category 9, got 1 more")
    unproven = [one.target for one in context.findings if one.rule == "questions.unproven"]
    assert unproven == [f"host/guest1-Q{number:03d}" for number in range(1, 20)]


def test_the_simulators_own_guests_pass(given: Given) -> None:
    """No check takes its sessions and questions, which queries prove, for wrong ones."""
    told = write_guests(
        given.guests, GuestQuestions(20, 0), BLOBS, lambda *purpose: keyed_random("s", *purpose)
    ).bundle
    labels = {one.image.name: one.label for one in given.images}
    shown = {asset.id: labels.get(asset.uri or "", "") for asset in told.assets}
    names = {one.id: one.name for one in (OWNER, FRIEND)}
    sessions = [
        GuestSession(
            turns=[
                GuestTurn(
                    speaker=names[turn.speaker],
                    text=turn.text,
                    images=[shown[item.asset] for item in turn.attachments],
                )
                for round_ in session.rounds
                for turn in round_.turns
            ]
        )
        for session in told.conversation.sessions
    ]
    questions = [
        ConceptQuestion(
            question=item.question.text,
            answer=item.answer.values[0],
            category=int(item.benchmark_type),
            evidence=item.evidence.canonical,
        )
        for item in told.questions
    ]
    assert session_problems(given.brief, sessions) == []
    found = sort_questions(given.brief, places_of(given.brief, sessions), questions)
    assert found.wrong == {}
