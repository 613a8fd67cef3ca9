"""Worlds that change: what is drawn, told and asked hangs together, whatever the seed."""

import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memassay.schemas.contracts.blobs import NoBytes
from memassay.schemas.queries.answers import check_item
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.queries.states import gold_state
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.ledger import FactOperation, FactStatus
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.schemas.values.text import normalise, tokens
from memassay.synth.paths.worldmemarena.lifelong.files.vertical import LIBRARY
from memassay.synth.paths.worldmemarena.lifelong.sample import Plan, plan_sample, world_of
from memassay.synth.paths.worldmemarena.lifelong.telling.writer import WorldWriter
from memassay.synth.paths.worldmemarena.lifelong.world.points import Role, World, replay
from memassay.synth.paths.worldmemarena.lifelong.world.sizes import Sizes

SMALL = Sizes(sessions=10)
OPERATIONS = {FactOperation.APPEND, FactOperation.REVISE, FactOperation.DELETE, FactOperation.MERGE}
seeds = st.integers(0, 10_000)
verticals = pytest.mark.parametrize("vertical", ["software", "life"])


def _plan(vertical: str, seed: int = 7, sizes: Sizes = SMALL) -> Plan:
    return Plan(f"{vertical}-01", LIBRARY / f"{vertical}.yaml", str(seed), sizes, 0.5)


@lru_cache
def _sample(vertical: str) -> Bundle:
    """A sample of ten sessions with its questions."""
    return plan_sample(_plan(vertical))


def _points(world: World) -> dict[str, str]:
    """Values of slots and claims that hold at the end, by what they are about."""
    state = replay(world.points).values()
    return {f"{one.subject}/{one.slot.attribute}/{one.source}": one.value.text for one in state}


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_every_world_has_all_operations_and_no_value_twice(seed: int) -> None:
    """Appends, revisions, deletions and merges occur, and no slot has a value again."""
    world = world_of(_plan("software", seed))
    true = [point for point in world.points if not point.is_false]
    assert {point.operation for point in true} == OPERATIONS
    given_values = [
        (point.slot, point.source, point.value.text)
        for point in world.points
        if point.operation in {FactOperation.APPEND, FactOperation.REVISE}
    ]
    assert len(given_values) == len(set(given_values))


@settings(max_examples=8, deadline=None)
@given(seeds)
def test_changes_are_of_what_an_earlier_session_told(seed: int) -> None:
    """What a point supersedes was told before its session, and is superseded once."""
    world = world_of(_plan("life", seed))
    by_key = {point.key: point for point in world.points}
    replaced = [(key, point) for point in world.points for key in point.replaces]
    assert all(by_key[key].session < point.session for key, point in replaced)
    assert len(replaced) == len({key for key, _ in replaced})


@settings(max_examples=4, deadline=None)
@given(seeds)
def test_sessions_have_their_sizes(seed: int) -> None:
    """Ten points append in every session; three change and two interfere after the first."""
    world = world_of(_plan("software", seed))
    for at in range(SMALL.sessions):
        found = Counter(
            "false" if point.is_false else str(point.operation) for point in world.of_session(at)
        )
        updates = found["revise"] + found["delete"] + found["merge"]
        assert found["append"] == SMALL.points
        assert updates == (SMALL.updates if at else 0)
        assert found["false"] == (SMALL.interference if at > 1 else 0)


@verticals
def test_replay_gives_the_gold_state(vertical: str) -> None:
    """Operations replayed lead to what the ledger holds after the last session."""
    bundle, world = _sample(vertical), world_of(_plan(vertical))
    facts = gold_state(bundle, bundle.conversation.sessions[-1].id)
    own = [fact for fact in facts if fact.statement is not None]
    held = [one for one in replay(world.points).values() if one.role is not Role.RULE]
    assert len(own) == len(replay(world.points))
    values = Counter((fact.subject, fact.value.text) for fact in own if fact.value.rule is None)
    assert values == Counter((one.subject, one.value.text) for one in held)


@verticals
def test_no_gold_state_holds_interference(vertical: str) -> None:
    """After no session does a memory have to know what was only claimed."""
    bundle = _sample(vertical)
    ledger = Ledger(bundle)
    for session in bundle.conversation.sessions:
        states = {fact.status for fact in gold_state(bundle, session.id, ledger)}
        assert FactStatus.INTERFERENCE not in states


def _cut(bundle: Bundle, item: QAItem) -> Bundle:
    """The conversation as it is known when a question is asked."""
    sessions = bundle.sessions_before(item)
    names = {session.id for session in sessions}
    mentions = [one for one in bundle.mentions if one.round.partition(":")[0] in names]
    told = {one.fact for one in mentions}
    talk = bundle.conversation.model_copy(update={"sessions": sessions})
    facts = [fact for fact in bundle.facts if fact.id in told or fact.statement is None]
    update = {"conversation": talk, "mentions": mentions, "facts": facts}
    return bundle.model_copy(update=update)


@verticals
def test_questions_need_covered_sessions_only(vertical: str) -> None:
    """Each is proven by what was told and shown until its checkpoint."""
    bundle = _sample(vertical)
    cuts: dict[str | None, tuple[Bundle, Ledger]] = {}
    for item in bundle.questions:
        if item.asked_at.checkpoint not in cuts:
            cut = _cut(bundle, item)
            cuts[item.asked_at.checkpoint] = (cut, Ledger(cut))
        cut, ledger = cuts[item.asked_at.checkpoint]
        check_item(item.model_copy(update={"asked_at": item.asked_at}), cut, ledger)


def _refusals(bundle: Bundle) -> list[QAItem]:
    return [item for item in bundle.questions if item.answer.format is AnswerFormat.REFUSAL]


@verticals
def test_refusals_are_of_what_nobody_told(vertical: str) -> None:
    """No fact states it, only interference names it, and a twin beside it has an answer."""
    bundle = _sample(vertical)
    by_id = {item.id: item for item in bundle.questions}
    assert _refusals(bundle)
    for item in _refusals(bundle):
        assert item.query is not None
        where = item.query["of"]["where"]  # type: ignore[index, call-overload]
        facts = [
            fact
            for fact in bundle.facts
            if fact.subject == where["subject"] and fact.attribute == where["attribute"]
        ]
        assert {fact.status for fact in facts} == {FactStatus.INTERFERENCE}
        assert item.twin_of is not None
        assert by_id[item.twin_of].answerable


@verticals
def test_refusals_are_not_in_the_turns(vertical: str) -> None:
    """The thing and the property meet in no clause of a turn beside the claim and its placing."""
    bundle = _sample(vertical)
    for item in _refusals(bundle):
        where = item.query["of"]["where"]  # type: ignore[index]
        about = f"the {where['attribute']} of {where['subject']}"
        claims = {fact.id for fact in bundle.facts if fact.value.text in item.answer.traps}
        places = {one.turn for one in bundle.mentions if one.fact in claims}
        trap = normalise(item.answer.traps[0])
        for turn in bundle.conversation.turns():
            if turn.id in places:
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", normalise(turn.text)):
                assert not (normalise(about) in sentence and trap in sentence)


@verticals
def test_what_was_deleted_is_no_refusal(vertical: str) -> None:
    """Whether something still holds is answered with yes or no, before and after its end."""
    bundle = _sample(vertical)
    deleted = {
        (fact.subject, fact.attribute)
        for fact in bundle.facts
        if fact.operation is FactOperation.DELETE
    }
    for item in _refusals(bundle):
        where = item.query["of"]["where"]  # type: ignore[index]
        assert (where["subject"], where["attribute"]) not in deleted
    pairs = [
        (item, other)
        for item in bundle.questions
        for other in bundle.questions
        if item.twin_of == other.id and item.question.text == other.question.text
    ]
    assert pairs
    assert all(item.answer.values != other.answer.values for item, other in pairs)


@verticals
def test_statements_are_in_their_own_words(vertical: str) -> None:
    """None is verbatim in a turn, each has its value, and no two are alike."""
    bundle = _sample(vertical)
    points = [fact for fact in bundle.facts if fact.statement]
    texts = [normalise(turn.text) for turn in bundle.conversation.turns()]
    verbatim = [
        fact.id
        for fact in points
        if any(normalise(str(fact.statement).rstrip(".")) in text for text in texts)
    ]
    assert len(verbatim) <= len(points) // 50
    true = [fact.statement for fact in points if fact.status is not FactStatus.INTERFERENCE]
    assert len(true) == len(set(true))
    shared = [
        any(set(tokens(str(fact.statement))) <= set(tokens(text)) for text in texts)
        for fact in points
    ]
    assert sum(shared) <= len(points) // 10


@verticals
def test_no_reply_takes_interference_for_true(vertical: str) -> None:
    """To a turn that tells it, the assistant says nothing that it says of a property."""
    bundle = _sample(vertical)
    false = {fact.id for fact in bundle.facts if fact.status is FactStatus.INTERFERENCE}
    told = {one.turn for one in bundle.mentions if one.fact in false}
    kinds = world_of(_plan(vertical)).vertical.kinds.values()
    taken = {text for kind in kinds for spec in kind.attributes.values() for text in spec.reply}
    replies = [
        round_.turns[1].text
        for session in bundle.conversation.sessions
        for round_ in session.rounds
        if round_.turns[0].id in told
    ]
    assert replies
    assert not [reply for reply in replies if any(reply.startswith(text) for text in taken)]


@verticals
def test_no_thing_has_a_capital_within_a_sentence(vertical: str) -> None:
    """An article begins with a small letter behind a word or a comma."""
    turns = _sample(vertical).conversation.turns()
    assert not [
        turn.text for turn in turns if re.search(r"[a-z],? (?:The|My|An?) [a-z]", turn.text)
    ]


@verticals
def test_importance_follows_the_questions(vertical: str) -> None:
    """What questions rest on is more important than what none does; interference is not at all."""
    bundle = _sample(vertical)
    asked = {name for item in bundle.questions for name in item.evidence.facts}
    rested = [fact.importance for fact in bundle.facts if fact.id in asked]
    false = [fact for fact in bundle.facts if fact.status is FactStatus.INTERFERENCE]
    assert min(rested) > min(fact.importance for fact in bundle.facts if fact not in false)
    assert {fact.importance for fact in false} == {0.0}


def test_a_second_life_has_other_days_and_other_words() -> None:
    """Two samples of a vertical are two stories."""
    one, other = (
        WorldWriter(world_of(_plan("life", seed)), "life-01", NoBytes()).bundle() for seed in (1, 2)
    )
    texts = [{turn.text for turn in each.conversation.turns()} for each in (one, other)]
    assert len(texts[0] & texts[1]) <= len(texts[0]) // 5


def test_sessions_of_a_life_are_on_both_lines() -> None:
    """Of two sessions in a row one is on the main line, the other beside it."""
    arcs = [session.arc for session in world_of(_plan("life")).sessions[1:]]
    assert all({one, other} == {"main", "side"} for one, other in pairwise(arcs[::1][:2]))
    assert abs(arcs.count("main") - arcs.count("side")) <= 1


@settings(max_examples=3, deadline=None)
@given(seeds)
def test_more_interference_moves_nothing_that_is_true(seed: int) -> None:
    """With another share of interference, every true point is the same."""
    worlds = [
        world_of(_plan("software", seed, Sizes(sessions=8, interference=count))) for count in (1, 3)
    ]
    one, other = ([point for point in world.points if not point.is_false] for world in worlds)
    assert one == other


@settings(max_examples=3, deadline=None)
@given(seeds)
def test_more_updates_move_nothing_that_is_appended(seed: int) -> None:
    """With another number of updates, the same values are told for the first time."""
    worlds = [
        world_of(_plan("software", seed, Sizes(sessions=8, updates=count))) for count in (2, 3)
    ]
    one, other = (
        [
            (point.key, point.value)
            for point in world.points
            if point.operation is FactOperation.APPEND and not point.is_false
        ]
        for world in worlds
    )
    assert one == other
