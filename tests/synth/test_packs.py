"""Dialogues of topic packs: exact sizes, closed plans, words that hold what the ledger says."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.schemas.base import Modality
from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.errors import UsageError
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation
from memassay.synth.packs.files.laws import evaluate_law, names_of_law
from memassay.synth.packs.files.pack_file import LIBRARY, Pack, load_pack
from memassay.synth.packs.plans.plan import Card, EntryKind, Plan
from memassay.synth.packs.topics import Topic
from memassay.synth.packs.words.naming import in_mouth_of

PACKS = ("baking-day", "city-day")


def card_of(ordinal: int) -> Card:
    """Lengths from 4 to 22 in turn, with as many asides as fit."""
    rounds = 4 + ordinal * 7 % 19
    updates = min(1 + ordinal % 4, rounds // 4) if rounds > 5 else 0
    return Card(rounds, max(1, rounds // 3), updates, rounds // 2 - updates, join=rounds > 5)


@cache
def pack_of(name: str) -> Pack:
    """A pack of the library."""
    return load_pack(LIBRARY / f"{name}.yaml")


@cache
def topic_of(name: str) -> Topic:
    """The dialogues of a pack under one seed; plans are kept from test to test."""
    return Topic(pack_of(name), "7", card_of)


def bundle_of(topic: Topic, ordinal: int) -> Bundle:
    """A dialogue without bytes of pictures."""
    return topic.bundle(ordinal, f"talk-{ordinal}", "mmrc", NoBytes())


@given(name=st.sampled_from(PACKS), ordinal=st.integers(0, 30))
@settings(max_examples=40, deadline=None)
def test_rounds_and_images_are_exact(name: str, ordinal: int) -> None:
    """A dialogue has the rounds, images, updates and pieces of its card."""
    plan = topic_of(name).plan(ordinal)
    kinds = [entry.kind for entry in plan.entries]
    assert len(plan.steps) == plan.card.rounds
    assert sum(bool(step.image) for step in plan.steps) == plan.card.images
    assert kinds.count(EntryKind.UPDATE) == plan.card.updates
    assert kinds.count(EntryKind.PIECE) == plan.card.pieces


@given(name=st.sampled_from(PACKS), ordinal=st.integers(0, 30))
@settings(max_examples=40, deadline=None)
def test_nothing_is_used_before_it_is_told(name: str, ordinal: int) -> None:
    """Scenes need only facts of earlier rounds and states that hold."""
    plan = topic_of(name).plan(ordinal)
    states: dict[str, str] = {}
    for step in plan.steps:
        scene = plan.pack.scene(step.scene)
        if step.begins:
            assert all(states.get(state) == value for state, value in scene.when.items())
            states |= scene.sets
            known = {entry.name for entry in plan.entries if entry.round < step.number}
            assert plan.pack.needs.get(step.scene, frozenset()) <= known


@pytest.mark.parametrize("name", PACKS)
def test_a_dialogue_opens_once(name: str) -> None:
    """Only the first scene is an opening, also where a later one needs the state that it sets."""
    for ordinal in range(31):
        plan = topic_of(name).plan(ordinal)
        begun = [plan.pack.scene(step.scene).role for step in plan.steps if step.begins]
        assert begun.count("opening") == 1
        assert begun[0] == "opening"


@given(name=st.sampled_from(PACKS), ordinal=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_every_mention_says_its_fact(name: str, ordinal: int) -> None:
    """The text at the span of a mention is the value of its fact, as the speaker says it."""
    bundle = bundle_of(topic_of(name), ordinal)
    texts = {turn.id: turn for turn in bundle.conversation.turns()}
    facts = {fact.id: fact for fact in bundle.facts}
    spoken = [one for one in bundle.mentions if one.modality is Modality.TEXT]
    assert spoken
    for mention in spoken:
        turn, (start, end) = texts[mention.turn or ""], mention.span or [0, 0]
        value = in_mouth_of(turn.speaker, spoken_value(facts[mention.fact].value))
        assert turn.text[start:end].casefold() == value.casefold()


@given(name=st.sampled_from(PACKS), ordinal=st.integers(0, 30))
@settings(max_examples=25, deadline=None)
def test_every_fact_can_be_seen(name: str, ordinal: int) -> None:
    """No fact of the ledger is without a mention."""
    bundle = bundle_of(topic_of(name), ordinal)
    assert {fact.id for fact in bundle.facts} == {one.fact for one in bundle.mentions}


@pytest.mark.parametrize("name", PACKS)
def test_a_dialogue_alone_is_the_same(name: str) -> None:
    """Made alone or after all others, a dialogue is word for word the same."""
    alone = Topic(pack_of(name), "7", card_of)
    assert bundle_of(alone, 17) == bundle_of(topic_of(name), 17)


@pytest.mark.parametrize("name", PACKS)
def test_later_dialogues_change_none_before(name: str) -> None:
    """What comes later leaves the wordings of a dialogue as they are."""
    topic = Topic(pack_of(name), "8", card_of)
    before = topic.wordings(5)
    topic.wordings(25)
    assert Topic(pack_of(name), "8", card_of).wordings(5) == before


@pytest.mark.parametrize("name", PACKS)
def test_updates_replace_what_held(name: str) -> None:
    """Each update supersedes the fact before it and has a value of its own."""
    bundle = next(
        bundle_of(topic_of(name), at)
        for at in range(30)
        if topic_of(name).plan(at).card.updates > 2
    )
    facts = {fact.id: fact for fact in bundle.facts}
    chain = [fact for fact in bundle.facts if fact.operation is FactOperation.REVISE]
    assert all(new.supersedes for new in chain)
    assert all(facts[new.supersedes[0]].value != new.value for new in chain)
    assert all(new.supersedes == [old.id] for old, new in pairwise(chain))


@pytest.mark.parametrize("name", PACKS)
def test_asides_are_few(name: str) -> None:
    """At most half of the rounds begin with an aside, and never the first or the last one."""
    for ordinal in range(20):
        plan: Plan = topic_of(name).plan(ordinal)
        rounds = [step.number for step in plan.steps if step.aside is not None]
        assert len(rounds) <= plan.card.rounds // 2
        assert not {1, plan.card.rounds} & set(rounds)


@pytest.mark.parametrize("name", PACKS)
def test_a_twin_differs_in_one_turn(name: str) -> None:
    """A modality twin leaves one text to its picture; all other turns are word for word equal."""
    topic = topic_of(name)
    twin = topic.twin(3, "twin", "talk-3", "mmrc", NoBytes())
    assert twin is not None
    texts = [
        [turn.text for turn in one.conversation.turns()] for one in (bundle_of(topic, 3), twin)
    ]
    assert sum(one != other for one, other in zip(*texts, strict=True)) == 1
    assert twin.conversation.twin_of == "talk-3"


def test_a_question_gets_its_own_answer() -> None:
    """In a paired round the reply has the place of the user's wording."""
    pack = pack_of("job-hunt")
    topic = Topic(pack, "7", card_of)
    found = 0
    for ordinal in range(20):
        said = topic.wordings(ordinal).said
        for step in topic.plan(ordinal).steps:
            if topic.plan(ordinal).round_of(step).paired:
                both = (said[step.number, side] for side in ("user", "assistant"))
                first = [next(o.line[-1] for o in turn if o.line[0] == step.scene) for turn in both]
                assert first[0] == first[1]
                found += 1
    assert found


def test_a_changed_value_is_told_as_it_is_now() -> None:
    """Where people change a value of the plan, text and ledger say the new one."""
    topic = topic_of("city-day")
    values = [entry.value for entry in topic.plan(3).entries]
    at = next(at for at, value in enumerate(values) if value.unit == "EUR")
    values[at] = values[at].model_copy(update={"text": "77.77"})
    bundle = topic.bundle(3, "talk-3", "mmrc", NoBytes(), values)
    assert any("77.77 EUR" in turn.text for turn in bundle.conversation.turns())
    assert bundle.facts[at].value.text == "77.77"


def test_a_pack_that_is_too_small_says_so() -> None:
    """A card that no plan fits is an error that names pack and card."""
    with pytest.raises(UsageError, match=r"city-day: expected a dialogue of Card\(rounds=4, im"):
        Topic(pack_of("city-day"), "7", lambda _: Card(4, 20)).plan(0)


def test_laws_are_computed_exactly() -> None:
    """A law is decimal arithmetic over named facts."""
    from decimal import Decimal

    assert names_of_law("round(seeds * rate / 100)") == ["seeds", "rate"]
    values = {"seeds": Decimal(35), "rate": Decimal(70)}
    assert evaluate_law("round(seeds * rate / 100)", values) == Decimal(24)


@pytest.mark.parametrize("law", ["seeds.real", "__import__('os')", "seeds +", "seeds / 0", "rate"])
def test_other_laws_are_refused(law: str) -> None:
    """What is no arithmetic over known facts is an error."""
    from decimal import Decimal

    with pytest.raises(UsageError):
        evaluate_law(law, {"seeds": Decimal(35)})
