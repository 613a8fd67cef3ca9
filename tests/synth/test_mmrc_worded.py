"""Planned dialogues in a model's words: what is looked for, sent back, noted and reported."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.blobs import InMemory
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import Fact, ValueType
from memassay.synth.models.prompt_files import load_prompt
from memassay.synth.packs.files.pack_file import LIBRARY, load_pack
from memassay.synth.packs.plans.plan import Card, Plan
from memassay.synth.packs.topics import Topic
from memassay.synth.packs.words.naming import in_mouth_of
from memassay.synth.paths.mmrc.by_model.briefs import Briefing, TurnBrief
from memassay.synth.paths.mmrc.by_model.wording import ModelWording

Reply = Callable[[Task[Any], str], str]


@dataclass
class Writer:
    """A model that says the gist of each turn, or what a test makes of it.

    Attributes:
        change: Gives the text of a task, told what the gist of it is.
        tasks: What was asked for.
    """

    change: Reply = lambda _, gist: gist
    tasks: list[Task[Any]] = field(default_factory=list)
    _gist: str = ""

    def __call__(self, task: Task[Any]) -> Any:
        """The reply to a task."""
        load_prompt(task.name).render(task.inputs)
        self.tasks.append(task)
        self._gist = task.inputs.get("gist", self._gist)
        return task.response(text=self.change(task, self._gist))

    def count(self, name: str) -> int:
        """How often a task was asked for."""
        return sum(task.name == name for task in self.tasks)


@pytest.fixture(scope="module")
def planned() -> tuple[Plan, Bundle]:
    """A dialogue of fourteen rounds with updates, pieces of a list and pictures."""
    pack = load_pack(LIBRARY / "baking-day.yaml")
    topic = Topic(pack, "1", lambda _: Card(14, 4, updates=2, pieces=3, join=True))
    return topic.plan(2), topic.bundle(2, "talk", "mmrc", InMemory())


def worded(planned: tuple[Plan, Bundle], change: Reply) -> tuple[ModelWording, Bundle, Writer]:
    """A dialogue in the words of a model."""
    writer = Writer(change)
    wording = ModelWording(*planned, writer)
    return wording, wording.word(), writer


def briefs(bundle: Bundle) -> Iterator[TurnBrief]:
    """What each turn is to say."""
    briefing = Briefing(bundle)
    for round_ in bundle.conversation.rounds():
        yield from briefing.round(round_)


def noted(bundle: Bundle) -> list[tuple[Any, ...]]:
    """Where everything is said or shown."""
    return sorted(
        (one.fact, one.turn, one.modality, tuple(one.span or ())) for one in bundle.mentions
    )


def first_number(bundle: Bundle) -> tuple[TurnBrief, Fact]:
    """The first turn that must say a number with its unit, and that."""
    return next(
        (brief, fact)
        for brief in briefs(bundle)
        for fact in brief.must
        if fact.value.type is ValueType.NUMBER and fact.value.unit
    )


def test_the_same_words_give_the_same_records(planned: tuple[Plan, Bundle]) -> None:
    """A model that says the gist is asked once a turn, and the ledger is the simulator's own."""
    wording, made, writer = worded(planned, lambda _, gist: gist)
    assert wording.findings == []
    assert len(writer.tasks) == 2 * planned[0].card.rounds
    assert made.conversation == planned[1].conversation
    assert noted(made) == noted(planned[1])
    assert [one.id for one in made.mentions] == [one.id for one in planned[1].mentions]


def test_facts_are_where_the_model_says_them(planned: tuple[Plan, Bundle]) -> None:
    """In other words every fact is noted at its new place; pictures stay as they were drawn."""
    _, made, _ = worded(planned, lambda _, gist: f"Well, hm. {gist}")
    assert all(turn.text.startswith("Well, hm. ") for turn in made.conversation.turns())
    facts = {fact.id: fact for fact in made.facts}
    for mention in made.mentions:
        if mention.span is not None:
            text = made.turn_by_id[mention.turn or ""].text
            fact = facts[mention.fact]
            spoken = in_mouth_of(mention.speaker or "", spoken_value(fact.value))
            assert text[slice(*mention.span)].casefold() == spoken.casefold()
    shown = [
        [one for one in noted(each) if one[2] is Modality.IMAGE] for each in (made, planned[1])
    ]
    assert shown[0] == shown[1]


def test_a_fact_that_is_left_out_is_asked_for_again(planned: tuple[Plan, Bundle]) -> None:
    """A turn without its fact goes back with the fact named, and the mended one is kept."""
    brief, fact = first_number(planned[1])

    def change(task: Task[Any], gist: str) -> str:
        forgets = gist == brief.turn.text and task.name != "turn_repair"
        return "I forget what it was." if forgets else gist

    wording, made, writer = worded(planned, change)
    assert writer.count("turn_repair") == 1
    (sent_back,) = [task for task in writer.tasks if task.name == "turn_repair"]
    assert any(spoken_value(fact.value) in one for one in sent_back.inputs["problems"])
    assert wording.findings == []
    assert noted(made) == noted(planned[1])


def test_what_is_never_said_is_a_finding(planned: tuple[Plan, Bundle]) -> None:
    """After three times the model's own text stays, without a mention, and a finding says so."""
    brief, fact = first_number(planned[1])

    def change(_: Task[Any], gist: str) -> str:
        return "I forget what it was." if gist == brief.turn.text else gist

    wording, made, writer = worded(planned, change)
    assert writer.count("turn_repair") == 3
    assert len({task.draw for task in writer.tasks if task.name == "turn_repair"}) == 3
    assert made.turn_by_id[brief.turn.id].text == "I forget what it was."
    (finding,) = wording.findings
    assert finding.rule == "wording.off_plan"
    assert spoken_value(fact.value) in finding.message
    said = [one for one in made.mentions if one.span and one.turn == brief.turn.id]
    assert fact.id not in {one.fact for one in said}


def test_what_nobody_knows_yet_is_sent_back(planned: tuple[Plan, Bundle]) -> None:
    """A value that comes later, or is no longer so, must not be said; the model is told why."""
    _, fact = first_number(planned[1])
    value = spoken_value(fact.value)

    def change(task: Task[Any], gist: str) -> str:
        early = task.name == "scene_user_turn" and not task.inputs["so_far"]
        return f"{gist} Maybe {value}." if early else gist

    wording, made, writer = worded(planned, change)
    (sent_back,) = [task for task in writer.tasks if task.name == "turn_repair"]
    assert any(f"must not say '{value}'" in one for one in sent_back.inputs["problems"])
    assert wording.findings == []
    assert noted(made) == noted(planned[1])


def test_an_old_value_is_only_named_where_it_is_replaced(planned: tuple[Plan, Bundle]) -> None:
    """After its update a value is silent; in the round of the update it may be said."""
    told = list(briefs(planned[1]))
    update = next(one for one in planned[1].facts if one.supersedes)
    at = next(n for n, one in enumerate(told) if update in one.must)
    old = update.supersedes[0]
    assert all(old not in {fact.id for fact, _ in one.silent} for one in told[at : at + 2])
    after = [one for one in told[at + 2 :] if one.turn.speaker == "assistant"]
    silent = [{fact.id: why for fact, why in one.silent} for one in after]
    assert all(one.get(old) == "it is no longer so" for one in silent)


def test_what_is_said_again_is_noted_again(planned: tuple[Plan, Bundle]) -> None:
    """A value that still holds may be said again, and its turn is a mention of it."""
    brief, fact = first_number(planned[1])
    latest = [one for one in planned[1].facts if one.attribute == fact.attribute][-1]
    value = spoken_value(latest.value)

    def change(_: Task[Any], gist: str) -> str:
        is_last = gist == planned[1].conversation.rounds()[-1].turns[1].text
        return f"{gist} And all of that with {value}." if is_last else gist

    wording, made, _ = worded(planned, change)
    assert wording.findings == []
    last = planned[1].conversation.rounds()[-1].turns[1].id
    assert [one.fact for one in made.mentions if one.turn == last] == [latest.id]
    assert brief.turn.id != last


def test_a_model_is_shown_all_pictures_so_far(planned: tuple[Plan, Bundle]) -> None:
    """The user sends the pictures of the round; the assistant sees those of earlier ones, too."""
    _, _, writer = worded(planned, lambda _, gist: gist)
    replies = [len(task.images) for task in writer.tasks if task.name == "scene_assistant_turn"]
    sent = [len(task.images) for task in writer.tasks if task.name == "scene_user_turn"]
    assert sum(sent) == planned[0].card.images
    assert replies == [sum(sent[: at + 1]) for at in range(len(sent))]
