"""Every rule finds its bad fixture, at a place that exists, and leaves its good one alone."""

import json
import re
import weakref
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import (
    accepted_cases,
    audit_cases,
    cited_cases,
    concept_cases,
    drawn_cases,
    hygiene_cases,
    item_cases,
    picture_cases,
    pictured_cases,
    point_cases,
    proof_cases,
    reading_cases,
    record_cases,
    shortcut_cases,
    type_cases,
    unbacked_cases,
    visitor_cases,
    whole_cases,
)
from support.fixtures import Scene, item, numbered, scene, session, talk, utterance
from support.places import PAPERS

from memassay.schemas.base import Modality
from memassay.schemas.contracts.rules import LooksAt, Problem, Rule, RuleContext, RuleRegistry
from memassay.schemas.errors import CodeError
from memassay.schemas.judgements.finding import Finding, Severity
from memassay.schemas.kinds import kind_of
from memassay.schemas.records.bundle import Bundle
from memassay.schemas.records.question import AnswerFormat, QAItem
from memassay.validators import registry
from memassay.validators.check import (
    FAMILIES,
    RULES,
    check,
    digest_conversation,
    digested_kinds,
    judge_collection,
)

CASES = record_cases.CASES | item_cases.CASES | whole_cases.CASES | proof_cases.CASES
CASES |= (
    accepted_cases.CASES
    | audit_cases.CASES
    | cited_cases.CASES
    | concept_cases.CASES
    | drawn_cases.CASES
    | picture_cases.CASES
    | pictured_cases.CASES
    | point_cases.CASES
    | reading_cases.CASES
    | shortcut_cases.CASES
    | type_cases.CASES
    | unbacked_cases.CASES
    | visitor_cases.CASES
    | hygiene_cases.CASES
)
IDS = sorted(CASES)
TOGETHER = [rule for rule in RULES if rule.looks_at is LooksAt.COLLECTION]


def _resolve(document: Any, pointer: str) -> Any:
    """The value at a JSON Pointer (RFC 6901).

    Raises:
        KeyError, IndexError: Nothing is there.
    """
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def _record(bundles: list[Bundle], target: str) -> Any:
    """The JSON of a record by its id; an empty object for a collection's name."""
    for bundle in bundles:
        for record in bundle.records():
            if record.id == target:
                return json.loads(record.model_dump_json(warnings=False))
    assert target in {bundle.conversation.collection for bundle in bundles}
    return {}


def _run(rule: str, of: Scene) -> list[Finding]:
    return check(of.bundles, of.context, [RULES[rule]])


def test_every_rule_has_fixtures() -> None:
    """Each registered rule has a bad and a good fixture, and no fixture lacks its rule."""
    assert sorted(rule.id for rule in RULES) == IDS


@pytest.mark.parametrize("rule", IDS)
def test_a_breach_is_found_at_a_place_that_exists(rule: str) -> None:
    """The bad fixture triggers the rule; pointer, message and fix are as they should be."""
    of = CASES[rule].bad()
    found = _run(rule, of)
    assert found
    for finding in found:
        _resolve(_record(of.bundles, finding.target), finding.pointer)
        assert finding.rule == rule
        assert finding.severity is RULES[rule].severity
        assert ": expected " in finding.message
        assert ", got '" in finding.message
        assert finding.message.startswith(finding.target)
        assert finding.fix


@pytest.mark.parametrize("rule", IDS)
def test_the_nearest_good_thing_is_left_alone(rule: str) -> None:
    """The good fixture does not trigger the rule."""
    assert _run(rule, CASES[rule].good()) == []


@pytest.mark.parametrize("rule", IDS)
def test_a_breach_crashes_no_other_rule(rule: str) -> None:
    """All rules together can be run on whatever one rule calls bad."""
    of = CASES[rule].bad()
    assert rule in {finding.rule for finding in check(of.bundles, of.context)}


def test_a_day_that_a_picture_shows_is_not_held_against_words() -> None:
    """What is said of yesterday says nothing about a date that only pixels give."""
    of = CASES["dates.contradicts"].bad()
    (asked,) = of.bundles[0].questions
    shown = asked.model_copy(update={"modalities": [Modality.IMAGE]})
    bundle = of.bundles[0].model_copy(update={"questions": [shown]})
    assert _run("dates.contradicts", replace(of, bundles=[bundle])) == []


@pytest.mark.parametrize(
    "more",
    [
        {"modalities": [Modality.IMAGE], "query": {"op": "get"}},
        {"query": {"op": "shift", "of": "2024-05-01", "by": "3 months"}},
    ],
)
def test_a_day_that_a_query_reads_or_reckons_need_not_be_said(more: dict[str, Any]) -> None:
    """A date read in a picture, or got by adding a length of time, is held against no words."""
    of = CASES["dates.contradicts"].bad()
    (asked,) = of.bundles[0].questions
    answer = asked.answer.model_copy(update={"format": AnswerFormat.DATE})
    dated = asked.model_copy(update={"answer": answer, **more})
    bundle = of.bundles[0].model_copy(update={"questions": [dated]})
    assert _run("dates.contradicts", replace(of, bundles=[bundle])) == []


def test_a_sound_conversation_has_no_findings() -> None:
    """The usual fixture breaks no rule at all."""
    of = scene(item())
    assert check(of.bundles, of.context) == []


@pytest.mark.parametrize("rule", sorted(rule.id for rule in RULES))
def test_a_rule_explains_itself(rule: str) -> None:
    """A rule says in one sentence what it demands, and where the demand comes from."""
    said = RULES[rule]
    assert said.what.endswith(".")
    assert said.source
    assert "shared" not in said.source


def test_a_family_registers_rules_of_its_own_name() -> None:
    """The part of a rule's id before the dot is the name of a family module."""
    families = {module.__name__.rpartition(".")[2].removesuffix("_rules") for module in FAMILIES}
    named = {rule.id.partition(".")[0] for rule in RULES}
    assert named <= families | {f"{family}s" for family in families}


def test_findings_are_ordered_and_said_once() -> None:
    """Findings come by target in natural order, then by rule, and none comes twice."""
    names = ("Q010", "Q002")
    items = [item(evidence=["D9:1"], values=[], id=f"talk/{name}") for name in names]
    of = scene(*items)
    found = check([*of.bundles, *of.bundles], of.context)
    said = [(each.target, each.rule) for each in found if each.severity is Severity.ERROR]
    assert list(dict.fromkeys(said)) == [
        ("talk", "ids.conversation_unique"),
        ("talk/Q002", "answers.present"),
        ("talk/Q002", "duplicates.question"),
        ("talk/Q002", "evidence.resolves"),
        ("talk/Q010", "answers.present"),
        ("talk/Q010", "evidence.resolves"),
    ]
    assert len({each.id for each in found}) == len(found)


def test_an_empty_conversation_is_checked() -> None:
    """A conversation without sessions and a data set without conversations crash nothing."""
    empty = talk().model_copy(update={"sessions": []})
    assert check([Bundle(conversation=empty)], scene().context) == []
    assert check([], scene().context) == []


def test_the_papers_encoded_by_hand_are_sound() -> None:
    """Items of every question type of every paper are called wrong for missing images only."""
    errors = [
        finding.message
        for path in sorted(PAPERS.glob("*.json"))
        for finding in check(
            [Bundle.model_validate(each) for each in json.loads(path.read_text("utf-8"))],
            RuleContext(),
        )
        if finding.severity is Severity.ERROR
        and finding.rule not in {"assets.missing"}
        # These items show what queries can say; they were not sampled as A.3 demands.
        and not finding.rule.startswith("type.")
    ]
    assert errors == []


@pytest.mark.parametrize("numbers", [[1, 3, 4, 5], [2, 3, 4]])
def test_one_gap_in_a_numbering_is_one_finding(numbers: list[int]) -> None:
    """What follows it is consecutive again."""
    talks = scene(sessions=[session(number, date="2024-03-04") for number in numbers])
    found = [each for each in _run("ids.consecutive_sessions", talks) if "/id" in each.pointer]
    assert len(found) == 1
    rounds = [utterance(f"D1:{number}", "Hello.") for number in numbers]
    assert len(_run("ids.consecutive_rounds", scene(sessions=[session(1, *rounds)]))) == 1


def test_the_rules_whose_number_a_recipe_may_set_are_those_that_read_one() -> None:
    """A rule that reads the number of its context states one of its own."""
    sources = [Path(str(family.__file__)).read_text("utf-8") for family in FAMILIES]
    read = sum(len(re.findall(r"context\.threshold\b", text)) > 0 for text in sources)
    stated = {rule.id for rule in RULES if rule.threshold is not None}
    assert stated == {
        "assets.question_like_history",
        "balance.constant_answer",
        "duplicates.near_question",
    }
    assert read == len({rule.partition(".")[0] for rule in stated})


def test_the_number_of_a_recipe_is_that_of_its_rule_alone() -> None:
    """Each rule is given its own number: the recipe's, or the one it states."""
    rule = RULES["duplicates.near_question"]
    of = CASES[rule.id].bad()
    assert check(of.bundles, RuleContext(thresholds={rule.id: 2.0}), [rule]) == []
    assert check(of.bundles, RuleContext(thresholds={"balance.constant_answer": 2.0}), [rule])


@pytest.mark.parametrize("rule", [each for each in IDS if RULES[each].looks_at == "question"])
def test_a_rule_about_one_question_speaks_of_nothing_else(rule: str) -> None:
    """What such a rule found about a question is forgotten when that question changes."""
    of = CASES[rule].bad()
    questions = {item.id for bundle in of.bundles for item in bundle.questions}
    assert {finding.target for finding in _run(rule, of)} <= questions


def test_a_rule_that_compares_questions_must_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of one question is given a history without any, unless it is declared otherwise."""
    monkeypatch.setattr(registry, "RULES", RuleRegistry())
    seen: dict[str, list[str]] = {}

    def register(name: str, **more: Any) -> None:
        @registry.question_rule(name, Severity.ERROR, "a test", **more)
        def look(bundle: Bundle, _item: QAItem, _context: RuleContext) -> list[Problem]:
            """It looks."""
            seen[name] = [one.id for one in bundle.questions]
            return []

    register("toy.alone")
    register("toy.compares", beside_others=True)
    of = scene(*numbered(2, lambda at: item(f"Question {at}?")))
    check(of.bundles, of.context, registry.RULES)
    assert seen == {"toy.alone": [], "toy.compares": ["talk/Q001", "talk/Q002"]}
    looks = {rule.id: rule.looks_at for rule in registry.RULES}
    assert looks == {"toy.alone": LooksAt.QUESTION, "toy.compares": LooksAt.CONVERSATION}


def test_a_wrong_gold_is_named_in_one_sentence() -> None:
    """What the query gives and what stands there, without an error inside an error."""
    (problem,) = _run("proof.executes", CASES["proof.executes"].bad())
    assert problem.message == (
        "talk/Q001.answer.values: expected 'bees', which the query gives, got 'wasps'"
    )
    assert problem.fix == "correct the answer or the query"


def test_a_rule_that_raises_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the question that it looked at and the package that has to be mended."""
    rules = RuleRegistry()
    monkeypatch.setattr(registry, "RULES", rules)

    @registry.question_rule("odd.division", Severity.INFO, "a test")
    def divide(_bundle: Bundle, _item: QAItem, _context: RuleContext) -> list[Problem]:
        """It divides by zero."""
        return [1 / 0]  # type: ignore[list-item]

    bundles = scene(proof_cases.proven()).bundles
    name = bundles[0].questions[0].id
    said = rf"^rule odd.division on {name} raised ZeroDivisionError: .*; mend the package"
    with pytest.raises(CodeError, match=said):
        check(bundles, RuleContext(), rules)


def test_traits_of_a_conversation_are_json() -> None:
    """What a judge is given of a conversation is the same after it was stored."""
    bundles = [
        Bundle.model_validate(each)
        for path in sorted(PAPERS.glob("*.json"))
        for each in json.loads(path.read_text("utf-8"))
    ]
    traits = [digest_conversation(bundle) for bundle in bundles]
    assert json.loads(json.dumps(traits)) == traits
    assert judge_collection(traits, RuleContext()) == check(bundles, RuleContext(), TOGETHER)


@pytest.mark.parametrize("rule", TOGETHER, ids=lambda rule: rule.id)
def test_a_digest_looks_at_the_kinds_that_it_names(rule: Rule) -> None:
    """What a rule about a collection does not name is not read for it."""
    for path in sorted(PAPERS.glob("*.json")):
        for each in json.loads(path.read_text("utf-8")):
            whole = Bundle.model_validate(each)
            kinds = digested_kinds([rule])
            part = Bundle.from_records([one for one in whole.records() if kind_of(one) in kinds])
            assert digest_conversation(part, [rule]) == digest_conversation(whole, [rule])


def test_traits_are_gone_through_and_not_kept() -> None:
    """No more than one conversation is there at a time while all are checked."""
    given: list[weakref.ref[Bundle]] = []

    def bundles() -> Iterator[Bundle]:
        for number in range(3):
            assert sum(each() is not None for each in given) <= 1
            made = scene(item(id=f"talk/Q{number}")).bundles[0].model_copy(deep=True)
            given.append(weakref.ref(made))
            yield made
            del made

    check(bundles(), RuleContext(), TOGETHER)
    assert len(given) == 3
