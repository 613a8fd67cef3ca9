"""Bridges lead from one session to the next, add no fact, and move what cites a place."""

from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Round, RoundKind
from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random
from memassay.synth.lives.bridging.bridging import add_bridges
from memassay.synth.lives.bridging.neutral import neutral_bridges
from memassay.synth.lives.bridging.no_fact import facts_in
from memassay.synth.lives.life import Change, Life


@dataclass
class Context:
    """What bridges use of a stage's context."""

    replies: list[dict[str, str]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def random(self, *purpose: str) -> KeyedRandom:
        """A generator."""
        return keyed_random("lives", *purpose)

    def write_all(self, tasks: list[Task[Any]]) -> list[Any]:
        """One reply for every task, in turn."""
        return [
            task.response.model_validate({"rounds": [self.replies[at % len(self.replies)]]})
            for at, task in enumerate(tasks)
        ]

    def emit(self, finding: Finding) -> None:
        """Take note of a finding."""
        self.findings.append(finding)


def _bridged(life: Life, rounds: int, *, replies: list[dict[str, str]] | None = None) -> Life:
    context = cast(StageContext, Context(replies or []))
    return add_bridges(life, rounds, context, by_model=replies is not None)


def _life() -> Life:
    return Life(bundle("ada", "Rex", "red", MemoryBlobs()))


def _cited(of: Bundle) -> list[list[str]]:
    return [
        [
            turn.text
            for place in item.evidence.canonical
            for r in of.rounds_of(place)
            for turn in r.turns
        ]
        for item in of.questions
    ]


def test_there_are_sixty_neutral_bridges_and_none_says_a_fact() -> None:
    """Neutral bridges are many, all different, and pass what a model's bridges must pass."""
    known = neutral_bridges()
    pairs = [*known.closings, *known.openings]
    texts = [text for pair in pairs for text in pair]
    assert len(pairs) >= 60
    assert len({text.casefold() for text in texts}) == len(texts)
    assert [(text, list(facts_in(text))) for text in texts if list(facts_in(text))] == []


@pytest.mark.parametrize(
    "text",
    [
        "Let me ask Anna about it.",
        "So that makes 3 of them.",
        "Let's talk again on Monday.",
        "By the way, my car is back.",
        "I'll tell you then.",
        "Back from the office, at work again.",
        "I'm tired of it.",
        "She asked about it again.",
        "I went on with it.",
        "Let's talk about zebras.",
    ],
)
def test_what_says_a_fact_is_no_bridge(text: str) -> None:
    """A name, number, day, possession, promise, place, mood, person, deed or new topic is named."""
    assert list(facts_in(text))


@pytest.mark.parametrize("text", ["Can we change the topic?", "I have another question."])
def test_talk_about_talking_is_a_bridge(text: str) -> None:
    """Words about talking need not be in either session."""
    assert list(facts_in(text)) == []


def test_a_topic_of_a_neighbour_may_be_named() -> None:
    """A bridge may name what stands beside it, and call by name who speaks."""
    said = "So Ada, can we go back to the kiln?"
    assert list(facts_in(said, "The kiln is hot.", ["Ada"])) == []


def test_all_stays_as_it_was_but_for_the_bridges() -> None:
    """Turns keep their text, evidence its turns, and each change names the turn that it is."""
    life = _life()
    after = _bridged(life, 2)
    added = {change.place: change.after for change in after.alterations}
    kept = [turn.text for turn in after.bundle.conversation.turns() if turn.id not in added]
    assert kept == [turn.text for turn in life.bundle.conversation.turns()]
    assert _cited(after.bundle) == _cited(life.bundle)
    assert {name: after.bundle.turn_by_id[name].text for name in added} == added
    assert {change.kind for change in after.alterations} == {AlterationKind.BRIDGE}
    assert len(set(added.values())) == len(added) == 2 * 2 * 9


def test_earlier_changes_move_along() -> None:
    """What was changed before stands at the place where it is now."""
    before = Change(AlterationKind.REWRITE, "D10:1.1", "old", "new", "a reason")
    after = _bridged(Life(_life().bundle, (before,)), 2)
    assert after.alterations[0].place == "D10:2.1"


def test_sessions_that_part_and_greet_have_no_bridge() -> None:
    """Nobody says goodbye twice, nor hello."""
    talk = _life().bundle.conversation
    sessions = [
        one.model_copy(
            update={
                "rounds": [
                    one.rounds[0].model_copy(
                        update={
                            "turns": [
                                turn.model_copy(update={"text": said})
                                for turn, said in zip(
                                    one.rounds[0].turns, ("Hi there!", "See you soon."), strict=True
                                )
                            ]
                        }
                    )
                ]
            }
        )
        for one in talk.sessions
    ]
    life = Life(Bundle(conversation=talk.model_copy(update={"sessions": sessions})))
    assert _bridged(life, 2) == life


def test_people_answer_each_other_in_rounds_of_their_own() -> None:
    """Between people each utterance is a round, and who opens is who goes on."""
    talk = _life().bundle.conversation
    sessions = [
        one.model_copy(
            update={
                "rounds": [
                    Round(
                        id=f"{one.id}:{at}",
                        kind=RoundKind.UTTERANCE,
                        turns=[turn.model_copy(update={"id": f"{one.id}:{at}.1"})],
                    )
                    for at, turn in enumerate(one.rounds[0].turns, start=1)
                ]
            }
        )
        for one in talk.sessions
    ]
    life = Life(Bundle(conversation=talk.model_copy(update={"sessions": sessions})))
    after = _bridged(life, 2).bundle.conversation
    assert all(len(one.turns) == 1 for one in after.rounds())
    who = [one.turns[0].speaker for one in after.sessions[1].rounds]
    assert who == ["user", "assistant"] * 3


def test_no_place_that_is_cited_in_vain_comes_to_be() -> None:
    """A session of which a question names a missing round gets no bridge."""
    life = _life()
    item = life.bundle.questions[0]
    evidence = item.evidence.model_copy(update={"groups": [["D4:2"]], "canonical": ["D4:2"]})
    broken = item.model_copy(update={"evidence": evidence})
    after = _bridged(Life(life.bundle.model_copy(update={"questions": [broken]})), 2)
    assert len(after.bundle.session_by_id["D4"].rounds) == 1
    assert not after.bundle.rounds_of("D4:2")


def test_a_models_bridge_with_a_fact_is_reported_and_not_used() -> None:
    """What a model adds falls back to a neutral bridge; what adds nothing is taken."""
    good = {"user": "Can we talk about something else?", "reply": "Of course, go on."}
    bad = {"user": "My sister Anna is back.", "reply": "Nice."}
    context = Context([good, bad])
    after = add_bridges(_life(), 1, cast(StageContext, context), by_model=True)
    said = [change.after for change in after.alterations]
    assert good["user"] in said
    assert bad["user"] not in said
    assert len(context.findings) == 4
    assert "Anna" in context.findings[0].message
    assert len(said) == 2 * 9
