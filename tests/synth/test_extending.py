"""Extension sessions plant corrections, changes and contradictions, and KR and CD ask for them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from random import Random
from statistics import median
from typing import Any, cast

import pytest
from support.release_builder import MemoryBlobs, bundle

from memassay.schemas.changes.locating import spoken_value
from memassay.schemas.contracts.authors import Task
from memassay.schemas.contracts.protocols import StageContext
from memassay.schemas.contracts.rules import RuleContext
from memassay.schemas.errors import QueryError
from memassay.schemas.judgements.certificate import Verdict
from memassay.schemas.judgements.finding import Finding
from memassay.schemas.queries.answers import answer_values
from memassay.schemas.queries.executor import execute
from memassay.schemas.queries.language import parse_query
from memassay.schemas.queries.ledger import Ledger
from memassay.schemas.records.alteration import AlterationKind
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.conversation import Session
from memassay.schemas.records.ledger import FactValue, ValueType
from memassay.schemas.records.persona import Persona
from memassay.schemas.records.question import QAItem
from memassay.schemas.values.keyed_random import KeyedRandom, keyed_random
from memassay.synth.lives.extending.arcs import arcs
from memassay.synth.lives.extending.extending import Behind, extend_life
from memassay.synth.lives.extending.filled_arcs import fill_arc
from memassay.synth.lives.extending.matters import Matter
from memassay.synth.lives.extending.money import currency_of
from memassay.synth.lives.extending.placing import room_for
from memassay.synth.lives.life import Change, Life
from memassay.validators.certificates.certify import certify
from memassay.validators.check import check_conversation

CAKE = Matter("cake", "the cake", "on 7 October 2024", "2024-10-07", "")


@dataclass
class Context:
    """What extensions use of a stage's context."""

    seed: str = "a"
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    findings: list[Finding] = field(default_factory=list)
    says: Callable[[list[dict[str, Any]]], list[dict[str, str]]] = list

    def write(self, task: Task[Any]) -> Any:
        """A reply for the rounds of a session."""
        rounds = [{key: one[key] for key in ("user", "reply")} for one in task.inputs["rounds"]]
        return task.response.model_validate({"rounds": self.says(rounds)})

    def random(self, *purpose: str) -> KeyedRandom:
        """A generator."""
        return keyed_random(self.seed, *purpose)

    def emit(self, finding: Finding) -> None:
        """Take note of a finding."""
        self.findings.append(finding)


def _extended(life: Life, number: int, context: Context) -> Life:
    return extend_life(life, number, cast(StageContext, context))


@pytest.fixture(scope="module")
def context() -> Context:
    """Where pictures and findings go."""
    return Context()


@pytest.fixture(scope="module")
def before(context: Context) -> Life:
    """A life of ten sessions with a ledger and questions."""
    return Life(bundle("ada", "Rex", "red", context.blobs))


@pytest.fixture(scope="module")
def after(before: Life, context: Context) -> Life:
    """The same with three extension sessions."""
    return _extended(before, 3, context)


def _new(life: Life) -> list[Session]:
    return [one for one in life.bundle.conversation.sessions if one.origin]


def test_every_plant_has_a_question_that_its_query_proves(after: Life, context: Context) -> None:
    """All rules pass the new items, each is proven, and together they rest on every plant."""
    findings = check_conversation(after.bundle, RuleContext(blobs=context.blobs, draws=False))
    verdicts = {one.item: one.verdict for one in certify(after.bundle, findings)}
    items = [one for one in after.bundle.questions if "/extension-" in one.id]
    assert {verdicts[one.id] for one in items} == {Verdict.PROVEN}
    plants = {
        fact
        for change in after.alterations
        if change.kind is AlterationKind.PLANT
        for fact in change.facts
    }
    assert len(plants) == 8
    assert plants <= {fact for one in items for fact in one.evidence.facts}
    assert context.findings == []


def _detections(life: Life) -> list[QAItem]:
    return [one for one in life.bundle.questions if one.benchmark_type == "CD"]


def test_yes_is_as_often_right_as_no(after: Life) -> None:
    """CD has as many claims that conflict as claims that do not."""
    answers = sorted(one.answer.values[0] for one in _detections(after))
    assert answers == ["No."] * 4 + ["Yes."] * 4


def test_a_claim_conflicts_if_the_newest_statement_says_otherwise(after: Life) -> None:
    """One rule holds for what is corrected, changed, contradicted and repeated."""
    facts = {one.id: one for one in after.bundle.facts}
    plants = [one for one in after.alterations if one.kind is AlterationKind.PLANT]
    newest = {name: facts[name] for one in plants for name in one.facts}
    for item in _detections(after):
        (last,) = (newest[name] for name in item.evidence.facts if name in newest)
        agrees = spoken_value(last.value) in item.question.text
        assert item.answer.values == ["No." if agrees else "Yes."]


@pytest.mark.parametrize("seed", ["b", "c", "d"])
def test_one_arc_has_one_outdated_statement(before: Life, seed: str) -> None:
    """Whether a correction or a change is asked of with its old value is drawn."""
    after = _extended(before, 2, Context(seed))
    answers = [one.answer.values[0] for one in _detections(after)]
    assert sorted(answers) == ["No.", "No.", "Yes.", "Yes."]
    assert sorted(answers[:2]) == ["No.", "Yes."]


def test_no_wording_tells_whether_a_claim_conflicts(before: Life) -> None:
    """Which way of asking comes first is drawn, and so is whether the claim is outdated."""
    asked: dict[str, set[str]] = {}
    for seed in "abcdefgh":
        for item in _extended(before, 2, Context(seed)).bundle.questions:
            if item.benchmark_type == "CD" and (item.query or {})["op"] == "conflict":
                way = item.question.text.replace(item.query["claim"]["value"], "")[:12]
                asked.setdefault(way, set()).add(item.answer.values[0])
    assert any(len(answers) == 2 for answers in asked.values())
    assert len(asked) > 4


def test_a_question_of_conflict_holds_the_claim(after: Life) -> None:
    """Nobody has to look for what is meant: a value of one of the two tellings is there."""
    facts = {one.id: one for one in after.bundle.facts}
    for item in after.bundle.questions:
        if item.benchmark_type == "CD":
            told = [spoken_value(facts[name].value) for name in item.evidence.facts]
            query = item.query or {}
            told += [query["claim"]["value"]] if query["op"] == "conflict" else []
            assert any(value in item.question.text for value in told)


def test_the_session_with_the_plant_is_needed(after: Life) -> None:
    """Without the later session no question about it has the same answer."""
    items = [one for one in after.bundle.questions if "/extension-" in one.id]
    assert items
    for item in items:
        last = item.evidence.canonical[-1].partition(":")[0]
        kept = [one for one in after.bundle.mentions if not one.round.startswith(f"{last}:")]
        without = Ledger(after.bundle.model_copy(update={"mentions": kept}))
        try:
            given = answer_values(execute(parse_query(item.query), without), item.answer.format)
        except QueryError:
            continue
        assert given != item.answer.values, item.question.text


def test_each_session_shows_two_pictures_and_all_its_facts(after: Life) -> None:
    """Two images at least; every fact of the sessions is said or shown in them."""
    for session in _new(after):
        shown = [one for each in session.rounds for turn in each.turns for one in turn.attachments]
        assert len(shown) >= 2
    seen = {one.fact for one in after.bundle.mentions}
    new = {one.id for one in after.bundle.facts if "/extension" in one.id}
    assert new <= seen


def test_sessions_come_between_and_behind_in_the_order_of_time(before: Life, after: Life) -> None:
    """Dates increase strictly, the last session is new, and the others stay as they were."""
    dates = [one.date or "" for one in after.bundle.conversation.sessions]
    assert dates == sorted(set(dates))
    names = [one.origin for one in after.bundle.conversation.sessions]
    assert names[-1] == "extension3"
    assert [one for one in names if one] == ["extension1", "extension2", "extension3"]
    kept = [one for one in after.bundle.conversation.sessions if not one.origin]
    told = [turn.text for one in kept for each in one.rounds for turn in each.turns]
    assert told == [turn.text for turn in before.bundle.conversation.turns()]


def test_changes_name_the_turns_that_they_are(before: Life, context: Context) -> None:
    """Earlier changes move along, and each plant is the turn at its place."""
    earlier = Change(AlterationKind.REWRITE, "D10:1.1", "old", "new", "a reason")
    after = _extended(Life(before.bundle, (earlier,)), 3, context)
    moved, *plants = [one for one in after.alterations if one.kind is not AlterationKind.EXTENSION]
    old = before.bundle.turn_by_id["D10:1.1"].text
    assert after.bundle.turn_by_id[moved.place].text == old
    assert [after.bundle.turn_by_id[one.place].text for one in plants] == [
        one.after for one in plants
    ]


def test_one_session_corrects_what_it_told(before: Life, context: Context) -> None:
    """A single extension tells and corrects; nothing in it contradicts without a question."""
    after = _extended(before, 1, context)
    plants = [one for one in after.alterations if one.kind is AlterationKind.PLANT]
    items = [one for one in after.bundle.questions if "/extension-" in one.id]
    assert len(plants) == 2
    assert sorted(one.benchmark_type for one in items) == ["CD", "CD", "KR", "KR"]


def test_what_a_life_speaks_of_is_left_alone(before: Life) -> None:
    """A life gets no arc of which a turn or a question has one of the words to avoid."""
    talk = before.bundle.conversation
    words = ", ".join(arc.avoid[0] for name, arc in arcs().arcs.items() if name != "jigsaw")
    first = talk.sessions[0].rounds[0]
    turn = first.turns[0].model_copy(update={"text": f"So many things with my dog Rex: {words}."})
    round_ = first.model_copy(update={"turns": [turn, *first.turns[1:]]})
    sessions = [talk.sessions[0].model_copy(update={"rounds": [round_]}), *talk.sessions[1:]]
    told = Bundle(conversation=talk.model_copy(update={"sessions": sessions}))
    context = Context()
    after = _extended(Life(told), 4, context)
    assert {one.subject for one in after.bundle.facts} == {"Rex jigsaw"}
    assert [one.rule for one in context.findings] == ["lives.fewer_extensions"]
    assert len(_new(after)) == 2


def test_a_life_without_dates_gets_none(before: Life) -> None:
    """Extension sessions of undated conversations are undated."""
    talk = before.bundle.conversation
    sessions = [one.model_copy(update={"date": None}) for one in talk.sessions]
    told = before.bundle.model_copy(
        update={"conversation": talk.model_copy(update={"sessions": sessions})}
    )
    after = _extended(Life(told), 2, Context())
    assert [one.date for one in _new(after)] == [None, None]


def test_no_value_is_a_gold_of_another_question(before: Life) -> None:
    """What a picture alone showed is said by no new turn."""
    item = before.bundle.questions[0]
    pools = [
        one
        for arc in arcs().arcs.values()
        for spec in arc.facts.values()
        for one in sorted(spec.one_of)[:-2]
    ]
    answer = item.answer.model_copy(update={"values": pools})
    asked = item.model_copy(
        update={"answer": answer, "question": item.question.model_copy(update={"text": "Which?"})}
    )
    told = before.bundle.model_copy(update={"questions": [asked]})
    with_golds = _extended(Life(told), 4, Context())
    new = {one.value.text for one in with_golds.bundle.facts if one.value.type == "text"}
    assert new.isdisjoint(pools)


def test_extensions_demand_no_proof_of_an_imported_refusal(before: Life) -> None:
    """A ledger of extension sessions alone says nothing about what came without one."""
    refusal = before.bundle.questions[2]
    assert not refusal.answerable
    bare = Bundle(conversation=before.bundle.conversation, questions=[refusal])
    context = Context()
    after = _extended(Life(bare), 3, context).bundle
    assert after.facts
    found = check_conversation(after, RuleContext(blobs=context.blobs, draws=False))
    assert [one.rule for one in found if one.target == refusal.id] == []


def test_a_planted_contradiction_is_a_claim_of_the_speaker(after: Life) -> None:
    """The timeline of a persona has no contradiction for it; the world has what was said first."""
    persona = Persona(
        id="ada/persona",
        conversation="ada",
        name="Ada",
        profession="vet",
        summary="A vet.",
        core_event="Ada looks after dogs.",
    )
    told = after.bundle.model_copy(update={"personas": [persona]})
    found = check_conversation(told, RuleContext(draws=False))
    assert [one.message for one in found if one.rule == "timeline.contradiction"] == []


def test_a_model_words_what_is_fixed(before: Life) -> None:
    """Every value is found again in a model's words, and people look at the session."""
    context = Context(
        says=lambda rounds: [{**one, "user": f"Well. {one['user']}"} for one in rounds]
    )
    after = extend_life(before, 2, cast(StageContext, context), by_model=True)
    new = [turn for one in _new(after) for each in one.rounds for turn in each.turns]
    assert all(turn.text.startswith("Well. ") for turn in new if turn.speaker == "user")
    items = [one for one in after.bundle.questions if "/extension-" in one.id]
    assert Counter(one.benchmark_type for one in items) == {"KR": 2, "CD": 4}
    assert {one.rule for one in context.findings} == {"lives.session_worded"}


@pytest.mark.parametrize("said", ["We paid 4711 for it.", "Ask Brunhilde about it.", "Nothing."])
def test_what_a_model_adds_or_loses_is_refused(before: Life, said: str) -> None:
    """A number or name of its own, or a value that is gone, brings the draft back."""

    def wrong(rounds: list[dict[str, Any]]) -> list[dict[str, str]]:
        return [{**one, "user": said if at == 3 else one["user"]} for at, one in enumerate(rounds)]

    context = Context(says=wrong)
    after = extend_life(before, 2, cast(StageContext, context), by_model=True)
    assert said not in {turn.text for turn in after.bundle.conversation.turns()}
    assert [one.rule for one in context.findings].count("lives.wording_refused") == 2
    assert len([one for one in after.bundle.questions if "/extension-" in one.id]) == 6


def test_extensions_do_not_make_other_peoples_bold_our_own(before: Life) -> None:
    """What an imported assistant writes in bold here and there stays as unremarkable as it was."""
    talk = before.bundle.conversation
    first = talk.sessions[0].rounds[0]
    bold = first.turns[1].model_copy(update={"text": "That is **foxglove**, I think."})
    round_ = first.model_copy(update={"turns": [first.turns[0], bold]})
    sessions = [talk.sessions[0].model_copy(update={"rounds": [round_]}), *talk.sessions[1:]]
    bare = Bundle(conversation=talk.model_copy(update={"sessions": sessions}))
    context = Context()
    for told in (bare, _extended(Life(bare), 3, context).bundle):
        found = check_conversation(told, RuleContext(draws=False))
        assert [one.message for one in found if one.rule == "hygiene.markdown"] == []


def test_no_two_gaps_are_equal_because_of_a_new_session(before: Life) -> None:
    """Between its neighbours, and behind all others, a session's days apart are its own."""
    days = ["2024-01-01", "2024-01-09", "2024-01-29"]
    told = before.bundle.conversation
    sessions = [
        one.model_copy(update={"date": day}) for one, day in zip(told.sessions, days, strict=False)
    ]
    talk = told.model_copy(update={"sessions": sessions})
    dated = before.bundle.model_copy(update={"conversation": talk})
    for seed in range(20):
        for wanted in (1, 2, 3):
            room = room_for(dated, wanted, Random(seed))
            dates = sorted([*days, str(room.when)])
            apart = [
                (date.fromisoformat(b) - date.fromisoformat(a)).days for a, b in pairwise(dates)
            ]
            assert len(set(apart)) == len(apart)


def test_prices_are_in_the_money_of_the_life(before: Life) -> None:
    """About as much as they would be there; what a life says nothing of is in euros."""
    spec = next(one for one in arcs().arcs["album"].facts.values() if one.unit == "EUR")
    assert spec.number is not None
    priced = before.bundle.facts[0].model_copy(
        update={"value": FactValue(type=ValueType.NUMBER, text="90", unit="CNY")}
    )
    bundle_ = before.bundle.model_copy(update={"facts": [priced]})
    assert currency_of(bundle_) == "CNY"
    filled = fill_arc(
        arcs().arcs["album"], CAKE, ("a/F", "a/G"), "user", ["Ann", "Bo"], set(), "CNY", Random(1)
    )
    price = next(one.value for one in filled.first.values() if one.attribute == spec.attribute)
    assert price.unit == "CNY"
    assert spec.number[0] * 8 <= int(price.text) <= spec.number[1] * 8


def test_new_sessions_at_the_end_are_as_long_as_those_before(before: Life) -> None:
    """And what only their pictures show is asked, each item proven."""
    context = Context("e")
    behind = Behind(10, lambda _: True)
    after = extend_life(before, 2, cast(StageContext, context), behind=behind)
    usual = median(len(one.rounds) for one in before.bundle.conversation.sessions)
    for session in _new(after):
        assert abs(len(session.rounds) - usual) <= 5
    findings = check_conversation(after.bundle, RuleContext(blobs=context.blobs, draws=False))
    verdicts = {one.item: one.verdict for one in certify(after.bundle, findings)}
    items = [one for one in after.bundle.questions if "/extension-P" in one.id]
    assert items
    assert {verdicts[one.id] for one in items} == {Verdict.PROVEN}
