"""A life is summed up from what was said, and what a model revises stands beside the original."""

from dataclasses import dataclass, field
from typing import Any, cast

from support.release_builder import MemoryBlobs, bundle, exchange

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Profile
from memassay.synth.lives.life import Change, Life
from memassay.synth.lives.profiling import add_profile
from memassay.synth.lives.revising import revise_turns


@dataclass
class Model:
    """Gives the replies that a test writes, and keeps findings."""

    replies: list[dict[str, Any]]
    findings: list[Finding] = field(default_factory=list)

    def write(self, task: Task[Any]) -> Any:
        """The next reply."""
        return task.response.model_validate(self.replies.pop(0))

    def write_all(self, tasks: list[Task[Any]]) -> list[Any]:
        """A reply for each task."""
        return [self.write(task) for task in tasks]

    def emit(self, finding: Finding) -> None:
        """Take note of a finding."""
        self.findings.append(finding)


def _saying(*texts: str) -> Life:
    """A life of which every session says one thing."""
    talk = bundle("ada", "Rex", "red", MemoryBlobs()).conversation
    sessions = [
        session.model_copy(
            update={"rounds": [exchange(f"{session.id}:1", text, "I live in Rome.")]}
        )
        for session, text in zip(talk.sessions, texts, strict=False)
    ]
    return Life(Bundle(conversation=talk.model_copy(update={"sessions": sessions})))


def _profile(life: Life, model: Model | None = None) -> Profile | None:
    context = cast(StageContext, model or Model([]))
    made = add_profile(life, context, by_model=model is not None).bundle
    return made.conversation.speakers[0].profile


def test_a_profile_is_what_the_user_said_of_themselves() -> None:
    """Sentences about who they are, and nothing of the day, nothing denied, nothing asked."""
    life = _saying(
        "Hello there! I work as a vet in Oslo. It rains.",
        "My sister doesn't like dogs. I live near it now.",
        "Should I say that I'm a vet?",
        "I've always loved old maps.",
    )
    found = _profile(life)
    assert found is not None
    assert found.summary == (
        "In their own words: “I work as a vet in Oslo.” “I've always loved old maps.”"
    )


def test_who_says_nothing_of_themselves_has_no_new_profile() -> None:
    """Nothing is made up."""
    life = _saying("What is a vet?", "Thanks.")
    assert add_profile(life, cast(StageContext, Model([]))) == life


def test_who_has_a_summary_keeps_it() -> None:
    """A persona's own biography is no worse than a sentence of theirs."""
    life = _saying("I work as a vet in Oslo.")
    talk = life.bundle.conversation
    known = Profile(summary="A vet.")
    speakers = [one.model_copy(update={"profile": known}) for one in talk.speakers]
    own = Life(Bundle(conversation=talk.model_copy(update={"speakers": speakers})))
    assert _profile(own) == known


def test_a_models_profile_says_no_more_than_the_user() -> None:
    """A name that nobody said sends the summary back to the user's own sentences."""
    life = _saying("I work as a vet in Oslo.")
    good = {"summary": "Somebody who works as a vet in Oslo.", "traits": ["calm"], "style": "brief"}
    model = Model([good, {**good, "summary": "She works in Bergen."}])
    first, second = _profile(life, model), _profile(life, model)
    assert first == Profile(summary=good["summary"], traits=["calm"], style="brief")
    assert second is not None
    assert second.summary == "In their own words: “I work as a vet in Oslo.”"
    assert [one.rule for one in model.findings] == ["lives.profile"]


def _revision(place: str, text: str, speaker: str = "assistant") -> dict[str, str]:
    return {"round": place, "speaker": speaker, "text": text, "reason": "reads better"}


def test_a_revision_stands_beside_the_original_and_people_look() -> None:
    """A free turn is revised, with a change and a finding that holds it."""
    life = Life(bundle("ada", "Rex", "red", MemoryBlobs()).model_copy(update={"questions": []}))
    replies: list[dict[str, Any]] = [{"turns": []} for _ in range(10)]
    replies[4]["turns"] = [_revision("D5:1", "Nice to hear.")]
    model = Model(replies)
    after = revise_turns(life, cast(StageContext, model))
    change = Change(
        AlterationKind.REWRITE, "D5:1.2", "Good to hear.", "Nice to hear.", "reads better"
    )
    assert after.alterations == (change,)
    assert after.bundle.turn_by_id["D5:1.2"].text == "Nice to hear."
    assert [(one.rule, one.severity) for one in model.findings] == [("lives.revised", "warning")]


def test_what_is_cited_told_by_the_ledger_or_planted_is_not_revised() -> None:
    """A revision of evidence, of a plant, of a mention and of a missing turn is refused."""
    whole = bundle("ada", "Rex", "red", MemoryBlobs())
    cited = {place for item in whole.questions for place in item.evidence.canonical}
    plant = Change(AlterationKind.PLANT, "D7:1.1", "", "Day 7 went well.", "a reason")
    told = {one.round for one in whole.mentions}
    places = [*sorted(cited | told), "D7:1", "D7:9"]
    replies: list[dict[str, Any]] = [{"turns": []} for _ in range(10)]
    for place in places:
        replies[int(place[1:].partition(":")[0]) - 1]["turns"].append(
            _revision(place, "Something else.", "user")
        )
    model = Model(replies)
    after = revise_turns(Life(whole, (plant,)), cast(StageContext, model))
    assert after == Life(whole, (plant,))
    assert {one.rule for one in model.findings} == {"lives.not_revised"}
    assert len(model.findings) == len(places)
